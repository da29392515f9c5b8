#include "tables/duckdb_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot::duckdb {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Where the library may be, first what is most likely meant.
std::vector<std::string> places() {
  std::vector<std::string> list{"libduckdb.so", "/usr/local/lib/libduckdb.so"};
  const std::string home = variable("HOME");
  const std::string cache = variable("XDG_CACHE_HOME");
  if (!home.empty()) list.push_back(home + "/.local/lib/libduckdb.so");
  if (!cache.empty()) list.push_back(cache + "/motmot/libduckdb.so");
  else if (!home.empty()) list.push_back(home + "/.cache/motmot/libduckdb.so");
  return list;
}

void* open_library(const std::string& path) { return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }

void* find_library(const std::string& wanted_by) {
  const std::string named = variable("MOTMOT_DUCKDB");
  if (!named.empty()) {
    void* const handle = open_library(named);
    require(handle != nullptr, Errc::io, "cannot read ", wanted_by,
            ": the library that MOTMOT_DUCKDB names, ", name_of(named), ", cannot be loaded");
    return handle;
  }
  for (const std::string& place : places())
    if (void* const handle = open_library(place)) return handle;
  fail(Errc::io, "cannot read ", wanted_by,
       ": it takes DuckDB's library, libduckdb.so, which is not here; scripts/setup --duckdb gets it, or "
       "install it "
       "from duckdb.org and name it in MOTMOT_DUCKDB");
}

/// An address that becomes a pointer to whichever function it is assigned to.
struct Symbol {
  void* address;
  template <class Function>
  operator Function*() const {  // NOLINT: the table in load_library() reads by it
    return reinterpret_cast<Function*>(address);
  }
};

}  // namespace

Library load_library(const std::string& wanted_by) {
  void* const handle = find_library(wanted_by);
  const auto symbol = [&](const std::string& name) {
    void* const address = ::dlsym(handle, ("duckdb_" + name).c_str());
    require(address != nullptr, Errc::io, "cannot read ", wanted_by,
            ": the libduckdb.so found has no duckdb_", name, "; DuckDB 1.0 or later is needed");
    return Symbol{address};
  };
  return {.create_config = symbol("create_config"),
          .set_config = symbol("set_config"),
          .destroy_config = symbol("destroy_config"),
          .open_ext = symbol("open_ext"),
          .close = symbol("close"),
          .connect = symbol("connect"),
          .interrupt = symbol("interrupt"),
          .disconnect = symbol("disconnect"),
          .free = symbol("free"),
          .extract_statements = symbol("extract_statements"),
          .extract_statements_error = symbol("extract_statements_error"),
          .destroy_extracted = symbol("destroy_extracted"),
          .prepare_extracted_statement = symbol("prepare_extracted_statement"),
          .prepare_error = symbol("prepare_error"),
          .prepared_statement_type = symbol("prepared_statement_type"),
          .destroy_prepare = symbol("destroy_prepare"),
          .execute_prepared_streaming = symbol("execute_prepared_streaming"),
          .result_error = symbol("result_error"),
          .column_count = symbol("column_count"),
          .column_name = symbol("column_name"),
          .column_logical_type = symbol("column_logical_type"),
          .destroy_result = symbol("destroy_result"),
          .get_type_id = symbol("get_type_id"),
          .decimal_scale = symbol("decimal_scale"),
          .decimal_internal_type = symbol("decimal_internal_type"),
          .enum_internal_type = symbol("enum_internal_type"),
          .enum_dictionary_size = symbol("enum_dictionary_size"),
          .enum_dictionary_value = symbol("enum_dictionary_value"),
          .destroy_logical_type = symbol("destroy_logical_type"),
          .fetch_chunk = symbol("fetch_chunk"),
          .data_chunk_get_size = symbol("data_chunk_get_size"),
          .data_chunk_get_vector = symbol("data_chunk_get_vector"),
          .vector_get_data = symbol("vector_get_data"),
          .vector_get_validity = symbol("vector_get_validity"),
          .destroy_data_chunk = symbol("destroy_data_chunk")};
}

}  // namespace motmot::duckdb
