/// Tables handed over in memory by Arrow's C stream interface, which pandas, polars, DuckDB and others speak.
/// Depends on no library: the interface is these three structs.
#pragma once

#include <cstdint>

#include "motmot/tables.hpp"

// As https://arrow.apache.org/docs/format/CDataInterface.html defines them; any other header with the same
// definitions may stand beside this one.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char* format;  ///< the type in a few letters: "g" is a double, "u" a string, "+s" a struct
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;  ///< type of the values, where `format` is that of their indices
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  ///< -1: not counted
  std::int64_t offset;      ///< elements of the buffers that come before the first
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;  ///< bits that say which values are there, then what the type has
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

#endif

namespace motmot {

/// Reads the stream to its end and releases it, whatever happens. `name` is for complaints. Kinds as
/// read_source() gives them; values are copied once, from the stream's buffers to their place in the frame,
/// chunk by chunk.
[[nodiscard]] Frame read_arrow(ArrowArrayStream& stream, const std::string& name = "the table");

}  // namespace motmot
