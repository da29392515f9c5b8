/// An answer in sentences, which text() and the page of the report share. A sentence that has nothing to say
/// is empty. Sentences of company are for people who know no statistics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motmot/answer.hpp"

namespace motmot {

/// Distances beside one another have the decimals that show three digits of the answer, but each has two
/// digits at least and no decimals beyond four: 7.03, 10.38, 0.21, 0.0042, 123.5.
class Lengths {
 public:
  explicit Lengths(double answer) : answer_(answer) {}
  [[nodiscard]] std::string operator()(double length) const;

 private:
  double answer_;
};

std::string apart_sentence(const Distance& w);
std::string verdict_sentence(const Distance& w);
/// "12 %", "at least half", "less than 0.1 %": the share of the rows that would have to be wrong.
std::string needed_words(const Distance& w);
std::string interval_sentence(const Distance& w);
std::string left_out_sentence(const Distance& w);
std::vector<std::string> reading_sentences(const Distance& w);
/// "All have temp = -999, far outside the others: --na -999 (with --missing level) if that means missing", of
/// so many rows.
std::string shared_value_words(const SharedValue& shared, std::size_t rows);
std::string units_sentence(const Distance& w);
/// Where the shares of columns say little; else "".
std::string shares_sentence(const Distance& w);
/// Of the column that has this share of the spread.
std::string ruling_column_sentence(const std::string& column, double share);
std::string subsample_sentence(const Distance& w);
/// What fewer rows say, and what all would.
std::string size_sentence(const Distance& w);
/// Which columns are categories, times, numbers; which were not compared. Nothing about numbers alone.
std::vector<std::string> kinds_sentences(const Distance& w);
std::string population_sentence(const Distance& w);

/// "+1.2", "+3 days", "+12 % Paris, -10 % Rome", "+1.2, +5 % (missing)"; of a number with these digits.
std::string moved_words(const ColumnMove& column, int digits = 3);
/// "0.5", "12 days"; nothing of a category.
std::string unit_words(const ColumnMove& column, int digits = 3);

/// Columns with a share of the distance, the largest first.
std::vector<ColumnMove> columns_by_share(const Distance& w);

/// Rows of each sample that may be wrong beside those left out.
PerSample<std::size_t> rest_of_tau(const Distance& w);

// Words of the other estimators and of settings.
std::string_view estimator_words(Estimator estimator);  ///< "median of means (mom)"
std::string_view critic_words(CriticKind kind);
/// "the unit ball of a Gaussian kernel of bandwidth 1.2"; not for w1.
std::string kernel_words(const Asked& asked);                   ///< "1-Lipschitz networks"
std::string rows_words(std::size_t rows, std::size_t dropped);  ///< "98 rows, 2 dropped for missing values"
std::string of_each(const Distance& w);                         ///< "10 % of each", "10 % of X and 5 % of Y"
std::string blocks_words(const PaperEstimate& paper, Sample which);  ///< "249 blocks of 2 rows"
/// " +- 0.49"; " (0 to 0.7)" where the bar would reach below 0, which no distance is.
std::string bar_words(const PaperEstimate& paper, std::string_view plus_minus = "+-");
std::string run_words(
    const Distance& w);  ///< "1 exact solve, 400 steps, settled, 0.2 s on 2 threads, seed 7"

}  // namespace motmot
