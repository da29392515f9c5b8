// motmot --version --json: what this program is made of (CycloneDX 1.5).
#include <gnu/libc-version.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "motmot/base.hpp"
#include "parts.hpp"

namespace motmot::app {
namespace {

nlohmann::ordered_json component(const Part& part) {
  nlohmann::ordered_json json{{"type", "library"}, {"name", part.name}};
  if (!part.version.empty()) json["version"] = part.version;
  const char* key = part.licence.find(' ') == std::string_view::npos ? "id" : "name";
  json["licenses"] = {{{"license", {{key, part.licence}}}}};
  json["properties"] = {{{"name", "motmot:linked"}, {"value", part.linked}}};
  return json;
}

}  // namespace

std::string sbom_json() {
  nlohmann::ordered_json json{{"bomFormat", "CycloneDX"},
                              {"specVersion", "1.5"},
                              {"version", 1},
                              {"metadata",
                               {{"component",
                                 {{"type", "application"},
                                  {"name", "motmot"},
                                  {"version", version()},
                                  {"licenses", {{{"license", {{"id", "MIT"}}}}}}}}}},
                              {"components", nlohmann::ordered_json::array()}};
  for (const Part& part : parts) json["components"].push_back(component(part));
  constexpr std::string_view exception = "GPL-3.0-or-later WITH GCC-exception-3.1";
  const std::string compiler = std::to_string(_GLIBCXX_RELEASE);
  json["components"].push_back(component({"libstdc++", compiler, exception, "shared"}));
  json["components"].push_back(component({"glibc", gnu_get_libc_version(), "LGPL-2.1-or-later", "shared"}));
  return json.dump(2) + "\n";
}

}  // namespace motmot::app
