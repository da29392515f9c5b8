#include <algorithm>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "data/zip_archive.hpp"

namespace motmot {
namespace {

std::string list_of(const std::vector<ZipArchive::Member>& members) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t k = 0; k < std::min(most, members.size()); ++k) {
    const std::string& name = members[k].name;
    list += (k > 0 ? ", " : "") + shown(name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name);
  }
  return list + (members.size() > most ? ", ..." : "");
}

const ZipArchive::Member& find_member(const ZipArchive& archive, const std::string& path,
                                      const std::string& asked) {
  const auto& members = archive.members();
  require(!members.empty(), Errc::io, name_of(path), " is an archive without members");
  if (asked.empty()) {
    require(members.size() == 1, Errc::invalid_argument, name_of(path), " has several members, ",
            list_of(members), "; name one as ", name_of(path + ":member"));
    return members.front();
  }
  for (const std::string& name : {asked + ".npy", asked}) {
    const auto found = std::ranges::find(members, name, &ZipArchive::Member::name);
    if (found != members.end()) return *found;
  }
  fail(Errc::invalid_argument, name_of(path), " has no member ", shown(asked), "; its members are ",
       list_of(members));
}

}  // namespace

Table read_npz(const std::string& path, const std::string& member, const ReadOptions& options) {
  const ZipArchive archive(path);
  const ZipArchive::Member& found = find_member(archive, path, member);
  ByteReader in(archive.open(found), name_of(path + ":" + found.name));
  return read_npy(in, options);
}

}  // namespace motmot
