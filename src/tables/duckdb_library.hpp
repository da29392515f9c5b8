/// DuckDB's C library, loaded when it is needed: the few of its functions that reading takes, declared here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace motmot::duckdb {

using Count = std::uint64_t;
// What the library hands out and takes back; nobody looks inside.
using Config = struct ConfigBody*;
using Database = struct DatabaseBody*;
using Connection = struct ConnectionBody*;
using Statements = struct StatementsBody*;
using Prepared = struct PreparedBody*;
using LogicalType = struct LogicalTypeBody*;
using Chunk = struct ChunkBody*;
using Vector = struct VectorBody*;

/// Of a query. The library fills it in; some of its functions take it by value, so that its size matters.
struct Result {
  Count unused[3];
  void* also_unused[2];
  void* body;
};
static_assert(sizeof(Result) == 48);

/// Numbers of column types, fixed since DuckDB 1.0.
enum class Type {
  boolean = 1,
  tinyint = 2,
  smallint = 3,
  integer = 4,
  bigint = 5,
  utinyint = 6,
  usmallint = 7,
  uinteger = 8,
  ubigint = 9,
  float4 = 10,
  float8 = 11,
  timestamp = 12,
  date = 13,
  time = 14,
  interval = 15,
  hugeint = 16,
  varchar = 17,
  blob = 18,
  decimal = 19,
  timestamp_s = 20,
  timestamp_ms = 21,
  timestamp_ns = 22,
  enumeration = 23,
  list = 24,
  structure = 25,
  map = 26,
  uuid = 27,
  union_of = 28,
  bits = 29,
  time_tz = 30,
  timestamp_tz = 31,
  uhugeint = 32,
  array = 33,
  null = 36,
};

constexpr int success = 0;
constexpr int select_statement = 1;  ///< what statement_type says of a query

struct Library {
  int (*create_config)(Config*);
  int (*set_config)(Config, const char* name, const char* value);
  void (*destroy_config)(Config*);
  int (*open_ext)(const char* path, Database*, Config, char** error);
  void (*close)(Database*);
  int (*connect)(Database, Connection*);
  void (*interrupt)(Connection);  ///< from any thread: what runs there ends with an error
  void (*disconnect)(Connection*);
  void (*free)(void*);

  Count (*extract_statements)(Connection, const char* text, Statements*);
  const char* (*extract_statements_error)(Statements);
  void (*destroy_extracted)(Statements*);
  int (*prepare_extracted_statement)(Connection, Statements, Count number, Prepared*);
  const char* (*prepare_error)(Prepared);
  int (*prepared_statement_type)(Prepared);
  void (*destroy_prepare)(Prepared*);
  int (*execute_prepared_streaming)(Prepared, Result*);

  const char* (*result_error)(Result*);
  Count (*column_count)(Result*);
  const char* (*column_name)(Result*, Count column);
  LogicalType (*column_logical_type)(Result*, Count column);
  void (*destroy_result)(Result*);

  int (*get_type_id)(LogicalType);
  std::uint8_t (*decimal_scale)(LogicalType);
  int (*decimal_internal_type)(LogicalType);
  int (*enum_internal_type)(LogicalType);
  std::uint32_t (*enum_dictionary_size)(LogicalType);
  char* (*enum_dictionary_value)(LogicalType, Count place);
  void (*destroy_logical_type)(LogicalType*);

  Chunk (*fetch_chunk)(Result);
  Count (*data_chunk_get_size)(Chunk);
  Vector (*data_chunk_get_vector)(Chunk, Count column);
  void* (*vector_get_data)(Vector);
  std::uint64_t* (*vector_get_validity)(Vector);
  void (*destroy_data_chunk)(Chunk*);
};

/// Error(Errc::io) where it cannot be had; `wanted_by` is the file or query that needs it. It stays loaded.
[[nodiscard]] Library load_library(const std::string& wanted_by);

/// A thing of the library's, given back with the object.
template <class T>
class Owned {
 public:
  explicit Owned(void (*destroy)(T*)) : destroy_(destroy) {}
  Owned(T value, void (*destroy)(T*)) : value_(value), destroy_(destroy) {}
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, T{})), destroy_(other.destroy_) {}
  ~Owned() { destroy_(&value_); }
  Owned& operator=(Owned&&) = delete;

  [[nodiscard]] T get() const noexcept { return value_; }
  [[nodiscard]] T* place() noexcept { return &value_; }  ///< for the function that makes it

 private:
  T value_{};
  void (*destroy_)(T*);
};

}  // namespace motmot::duckdb
