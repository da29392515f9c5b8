// One table of names for each enum: nothing missing, nothing twice.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "motmot/motmot.hpp"
#include "motmot/study.hpp"

namespace motmot {
namespace {

/// The compiler spells an enumerator by its name and any other number as a cast: "(motmot::Toy)12".
template <auto value>
constexpr bool declared() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.find("= (") == text.npos && text.find("= static_cast") == text.npos;
}

template <class E, std::size_t... value>
constexpr std::size_t count_declared(std::index_sequence<value...>) {
  return (0 + ... + declared<static_cast<E>(value)>());
}

template <class E>
class Names : public testing::Test {};

using Enums = testing::Types<Errc, Estimator, Scheme, CriticKind, Target, TransportStatus, Toy, Missing,
                             BlockRule, Majority, Study, Finding, Verdict, Sample, CertifiedEnd, WarningCode>;
TYPED_TEST_SUITE(Names, Enums);

TYPED_TEST(Names, LeadFromEveryValueToANameAndBack) {
  std::set<std::string_view> seen;
  for (const auto& [word, value] : names<TypeParam>) {
    EXPECT_EQ(name(value), word);
    EXPECT_EQ(named<TypeParam>(word), value);
    EXPECT_TRUE(seen.insert(word).second) << word << " is there twice";
  }
  EXPECT_EQ(seen.size(), count_declared<TypeParam>(std::make_index_sequence<64>())) << "a value has no name";
  EXPECT_EQ(named<TypeParam>("no such name"), std::nullopt);
}

}  // namespace
}  // namespace motmot
