// One table of names for each enum: nothing missing, nothing twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "motmot/motmot.hpp"
#include "motmot/study.hpp"

namespace motmot {
namespace {

/// What the compiler calls a value: an enumerator by its identifier, any other number by a cast
/// ("(motmot::Toy)12").
template <auto value>
constexpr std::string_view identifier() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t first = text.find("value = ") + 8;
  const std::string_view all = text.substr(first, text.find_first_of(";]", first) - first);
  return all.substr(all.find(')') == all.npos ? all.rfind(':') + 1 : 0);
}

template <auto value>
constexpr bool declared() {
  return !identifier<value>().empty() && identifier<value>()[0] != '(';
}

/// Tables are written by order, so that a word could stand beside the wrong value.
template <class E>
constexpr bool words_are_identifiers =
    !std::is_same_v<E, Verdict> && !std::is_same_v<E, BlockRule> && !std::is_same_v<E, CriticKind> &&
    !std::is_same_v<E, Majority> && !std::is_same_v<E, Finding>;

template <class E, std::size_t... value>
void expect_words_are_identifiers(std::index_sequence<value...>) {
  const auto expect_word = [](E one, std::string_view identifier) {
    std::string word(name(one));
    std::ranges::replace(word, '-', '_');
    EXPECT_EQ(word, identifier);
  };
  (expect_word(static_cast<E>(value), identifier<static_cast<E>(value)>()), ...);
}

template <class E, std::size_t... value>
constexpr std::size_t count_declared(std::index_sequence<value...>) {
  return (0 + ... + declared<static_cast<E>(value)>());
}

template <class E>
class Names : public testing::Test {};

using Enums =
    testing::Types<Errc, Estimator, Metric, Scheme, CriticKind, Target, TransportStatus, Toy, Missing, Kind,
                   RawType, TimeUnit, BlockRule, Majority, Study, Finding, RateLaw, Verdict, Sample,
                   CertifiedEnd, WarningCode, Method, Dirt, Ailment, OutlierSign, ChunkBy>;
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
  if constexpr (words_are_identifiers<TypeParam>)
    expect_words_are_identifiers<TypeParam>(std::make_index_sequence<names<TypeParam>.size()>());
}

}  // namespace
}  // namespace motmot
