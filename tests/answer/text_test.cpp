// What an answer says, sentence by sentence, of answers made by hand.
#include <gtest/gtest.h>

#include <sstream>

#include "motmot/answer.hpp"

namespace motmot {
namespace {

/// Two samples in the plane, 5 apart in each column; 50 rows of X were left out.
Distance invented() {
  Distance w{.verdict = Verdict::differ,
             .value = 7.0312,
             .interval = Interval{6.8123, 7.3581},
             .interval_certified = CertifiedEnd::lower,
             .p_value = 0.01,
             .floor = Floor{.level = 0.2134,
                            .sd = 0.031,
                            .value = 7.0312,
                            .w1_p_value = 0.01,
                            .energy_p_value = 0.02,
                            .permutations = 99,
                            .rows = {450, 500}},
             .population = Population{.value = 7.028, .interval = Interval{6.9, 7.15}},
             .needed = 0.4412,
             .plain = 10.381,
             .partial = 6.1,
             .profile = {{0, 0, 10.381}, {50, 50, 6.95}},
             .columns = {{.name = "c1", .share = 0.487, .moved = 5.012},
                         {.name = "c2", .share = 0.513, .moved = -4.98}},
             .tau_x = 0.1,
             .tau_y = 0.1};
  for (std::uint32_t i = 0; i < 50; ++i) w.left_out.x.push_back(10 * i);
  w.asked = {.estimator = Estimator::company,
             .scale = "none",
             .n = 500,
             .m = 500,
             .d = 2,
             .rows_used = {450, 500},
             .seed = 7};
  w.run = {.solves = 37, .seconds = 0.351, .threads = 2};
  return w;
}

Distance of_blocks(Estimator estimator, CriticKind critic) {
  Distance w{.value = 7.304,
             .interval = Interval{7.094, 7.514},
             .plain = 9.934,
             .partial = 6.123,
             .tau_x = 0.1,
             .tau_y = 0.1};
  w.neighbours.paper = PaperEstimate{.estimator = estimator,
                                     .critic = critic,
                                     .value = 7.304,
                                     .sd = 0.025,
                                     .error_bar = 0.21,
                                     .low = 7.094,
                                     .high = 7.514,
                                     .target = Target::empirical,
                                     .blocks = {249, 249},
                                     .block_size = {2, 2},
                                     .settled = true};
  w.asked = {.estimator = estimator, .scale = "none", .n = 500, .m = 500, .d = 2, .seed = 7};
  w.run = {.solves = 3, .seconds = 0.2, .threads = 2};
  return w;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The line that starts like this, without its indent; empty where there is none.
std::string line_of(const Distance& w, const std::string& start, const TextOptions& options = {}) {
  for (const std::string& line : lines_of(text(w, options)))
    if (line.starts_with("  " + start)) return line.substr(2);
  return "";
}

TEST(AnswerText, HasTheAnswerInItsFirstLines) {
  EXPECT_EQ(text(invented(), {.where_rows = "--rows FILE lists them"}),
            "  X (500 rows) and Y (500 rows) are 7.03 apart.\n"
            "  They differ: chance alone would give 0.21 (p = 0.01). 44 % of the rows of both would have to "
            "be wrong "
            "to explain it.\n"
            "  Between 6.81 and 7.36 if another 0 + 50 rows are wrong (at most 10 % of each; lower end "
            "certified if "
            "those left out are).\n"
            "  50 rows of X stand alone and were left out; with them the distance would be 10.38.        "
            "--rows FILE "
            "lists them\n"
            "\n"
            "  column  share   moved by\n"
            "  c2       51 %      -4.98\n"
            "  c1       49 %      +5.01\n");
}

TEST(AnswerText, UsesNoJargonWithoutBeingAsked) {
  Distance w = invented();
  w.readings = {{.sample = Sample::x, .rows = 40, .if_real = 9.5, .if_wrong = 7.03, .near_other = 3}};
  w.asked.scale = "robust";
  w.asked.rows_used = {100, 100};
  for (const char* word : {"W1", "Wasserstein", "permutation", "law", "energy", "critic", "potential",
                           "quantile", "Lipschitz", "outlier", "inlier", "empirical", "median", "tau"})
    EXPECT_EQ(text(w).find(word), std::string::npos) << word;
}

TEST(AnswerText, NumbersHaveTheDigitsThatTellThemApart) {
  Distance w = invented();
  const auto apart = [&](double value, double chance) {
    w.value = value;
    w.floor->level = chance;
    return text(w).substr(0, text(w).find("(p"));
  };
  EXPECT_NE(apart(1234.6, 20.31).find("are 1235 apart.\n  They differ: chance alone would give 20 "),
            std::string::npos);
  EXPECT_NE(
      apart(0.004213, 0.001187).find("are 0.00421 apart.\n  They differ: chance alone would give 0.00119 "),
      std::string::npos);
  EXPECT_NE(apart(7.03, 0.00412).find("would give 0.0041 "), std::string::npos);
  EXPECT_NE(apart(0.86, 91.296).find("would give 91.30 "), std::string::npos);
  EXPECT_NE(apart(3.2e12, 4e11).find("are 3.2e+12 apart.\n  They differ: chance alone would give 4e+11 "),
            std::string::npos);
  EXPECT_NE(apart(0, 0.5123).find("are 0 apart.\n  They differ: chance alone would give 0.512 "),
            std::string::npos);
}

TEST(AnswerText, SaysHowManyRowsWereDroppedForMissingValues) {
  Distance w = invented();
  w.asked.rows_dropped.x = 3;
  EXPECT_EQ(line_of(w, "X ("), "X (500 rows, 3 dropped for missing values) and Y (500 rows) are 7.03 apart.");
}

TEST(AnswerVerdict, SaysWhenTheSamplesCannotBeToldApart) {
  Distance w = invented();
  w.verdict = Verdict::not_distinguishable;
  w.p_value = 0.4;
  w.needed.reset();
  for (ColumnMove& column : w.columns) column.share.reset();
  EXPECT_EQ(line_of(w, "They"), "They cannot be told apart: chance alone gives 0.21 (p = 0.4).");
  EXPECT_EQ(line_of(w, "column"), "") << "columns are shown where the samples differ";
}

TEST(AnswerVerdict, SaysWhoseThePValueIs) {
  Distance w = invented();
  w.floor->w1_p_value.reset();
  EXPECT_EQ(line_of(w, "They").substr(0, 87),
            "They differ: chance alone would give 0.21 (p = 0.01 by mean distances between rows). 44");
  w.floor->level = 7.2;
  w.needed.reset();
  const std::string by_energy =
      "They differ by mean distances between rows (p = 0.01); the distance alone does not show it, since "
      "chance gives 7.20.";
  EXPECT_EQ(line_of(w, "They"), by_energy);
  w.floor->w1_p_value = 0.3;
  EXPECT_EQ(line_of(w, "They"), by_energy);
  EXPECT_EQ(line_of(w, "The shares"),
            "The shares are of a distance that chance explains: they do not say which columns differ.");
  w.floor->w1_p_value = 0.01;
  EXPECT_EQ(line_of(w, "The shares"), "");
}

TEST(AnswerVerdict, SaysWhenThereWasNoTest) {
  Distance w = invented();
  w.verdict.reset();
  w.p_value.reset();
  w.floor.reset();
  EXPECT_EQ(line_of(w, "Not"), "Not compared with what chance alone would give.");
}

TEST(AnswerVerdict, NeedsAtMostHalfOfTheRows) {
  Distance w = invented();
  w.needed = 0.5;
  EXPECT_NE(
      line_of(w, "They").find(". At least half of the rows of both would have to be wrong to explain it."),
      std::string::npos);
  w.needed = 0.016;
  EXPECT_NE(line_of(w, "They").find(". 1.6 % of the rows of both"), std::string::npos);
  w.asked.rows_used = {60, 5001};
  EXPECT_NE(line_of(w, "They").find(". At least 1.6 % of the rows of both"), std::string::npos);
  w.asked.rows_used = {60, 5000};
  w.needed = 0.0004;  // that is within the tolerance of 0
  EXPECT_NE(line_of(w, "They").find(". Less than 0.1 % of the rows of both"), std::string::npos);
  w.needed = 0;
  EXPECT_EQ(line_of(w, "They").find("explain"), std::string::npos);
}

TEST(AnswerInterval, IsCertifiedOnlyBesideItsAssumption) {
  Distance w = invented();
  w.left_out = {};
  EXPECT_EQ(
      line_of(w, "Between"),
      "Between 6.81 and 7.36 if another 50 + 50 rows are wrong (at most 10 % of each; lower end certified).");
  w.tau_y = 0.05;
  w.interval_certified.reset();
  EXPECT_EQ(line_of(w, "Between"),
            "Between 6.81 and 7.36 if another 50 + 25 rows are wrong (at most 10 % of X and 5 % of Y).");
}

TEST(AnswerInterval, IsNotPrintedAsAPoint) {
  Distance w = invented();
  for (std::uint32_t i = 0; i < 50; ++i) w.left_out.y.push_back(i);
  w.interval = Interval{7.0312, 7.0312};
  EXPECT_EQ(line_of(w, "Between"), "");
}

TEST(AnswerRows, SayHowManyWereLeftOut) {
  Distance w = invented();
  w.left_out = {{4}, {}};
  EXPECT_EQ(line_of(w, "1 row"),
            "1 row of X stands alone and was left out; with it the distance would be 10.38.        left_out "
            "has their numbers");
  w.left_out = {{4, 5}, {1, 2, 3}};
  w.plain.reset();
  EXPECT_EQ(line_of(w, "2 rows"),
            "2 rows of X and 3 of Y stand alone and were left out.        left_out has their numbers");
  w.left_out = {};
  EXPECT_EQ(line_of(w, "No row"), "No row stands alone; wrong rows that lie among the others do not show.");
  w.tau_x = w.tau_y = 0;
  EXPECT_EQ(line_of(w, "All"), "All rows were used: tau is 0.");
  w.tau_y = 0.1;
  w.asked.m = 9;  // too few to tell
  EXPECT_EQ(line_of(w, "All"), "All rows were used: none may be left out.");
  w.asked.m = 10;
  EXPECT_EQ(line_of(w, "All"), "");
  w.tau_y = 0.099;
  EXPECT_EQ(line_of(w, "All"), "All rows were used: none may be left out.");
}

TEST(AnswerRows, ThatLieTogetherHaveTwoReadings) {
  Distance w = invented();
  w.readings = {{.sample = Sample::y, .rows = 32, .if_real = 0.92, .if_wrong = 0.22},
                {.sample = Sample::x, .rows = 9, .if_real = 8.5, .if_wrong = 7.03, .near_other = 8}};
  EXPECT_EQ(line_of(w, "32 rows"), "32 rows of Y lie together: 0.92 if they are real, 0.22 if not.");
  EXPECT_EQ(line_of(w, "9 rows"),
            "9 rows of X lie together: 8.50 if they are real, 7.03 if not. 8 of them have company in Y, "
            "which speaks for real.");
}

TEST(AnswerRows, OfBothSamplesThatLieInOnePlaceHaveOneSentence) {
  Distance w = invented();
  const Reading of_x{
      .sample = Sample::x, .rows = 30, .if_real = 6.9, .if_wrong = 7.03, .near_other = 29, .in_both = true};
  Reading of_y = of_x;
  of_y.sample = Sample::y;
  of_y.rows = 26;
  const std::string sentence =
      "30 rows of X and 26 of Y lie together: 6.90 if they are real, 7.03 if not. They are in both, which "
      "speaks for real.";
  for (const auto& [first, second] : {std::pair(of_x, of_y), std::pair(of_y, of_x)}) {
    w.readings = {first, second};
    EXPECT_EQ(line_of(w, "30 rows"), sentence);
  }
  w.readings = {of_x, of_y};
  w.readings[0].shared = SharedValue{"age", "-999", 30};
  EXPECT_EQ(line_of(w, "30 rows"), sentence);  // those of Y have no value in common
  w.readings[1].shared = SharedValue{"age", "-999", 26};
  EXPECT_NE(text(w).find("7.03 if not. All have age = -999"), std::string::npos) << text(w);
}

TEST(AnswerRows, ThatShareAFarValueHaveItNamedInsteadOfTheirCompany) {
  Distance w = invented();
  w.readings = {{.sample = Sample::x,
                 .rows = 9,
                 .if_real = 8.5,
                 .if_wrong = 7.03,
                 .near_other = 8,
                 .shared = SharedValue{"age", "-999", 9}}};
  std::string said = text(w);
  std::ranges::replace(said, '\n', ' ');  // the sentence takes two lines
  EXPECT_NE(
      said.find("9 rows of X lie together: 8.50 if they are real, 7.03 if not. All have age = -999, far "
                "outside the others: --na"),
      std::string::npos)
      << said;
  w.readings[0].shared->rows = 8;
  EXPECT_NE(text(w).find("8 of them have age = -999"), std::string::npos) << text(w);
}

TEST(AnswerRows, ThatRepeatARowAreCalledThat) {
  Distance w = invented();
  const std::size_t out = w.left_out.x.size() + w.left_out.y.size();
  w.readings = {{.sample = Sample::x, .rows = out, .if_real = 7.1, .if_wrong = 7.03, .copies = true}};
  EXPECT_NE(text(w).find(" repeat a row: 7.10 if they are real, 7.03 if not."), std::string::npos) << text(w);
  EXPECT_NE(text(w).find(" repeat a row and were left out; with them"), std::string::npos) << text(w);
  EXPECT_EQ(text(w).find("stand alone"), std::string::npos) << text(w);
  w.readings[0].rows = out - 1;
  EXPECT_NE(text(w).find(" stand alone or repeat a row and were left out;"), std::string::npos) << text(w);
  w.readings.push_back({.sample = Sample::x, .rows = 1, .if_real = 8, .if_wrong = 7.03, .strangers = true});
  EXPECT_NE(text(w).find(" lie where the other sample has none or repeat a row and were left out;"),
            std::string::npos)
      << text(w);
}

TEST(AnswerColumns, AreTheEightWithTheLargestShares) {
  Distance w = invented();
  w.columns.clear();
  for (std::size_t j = 0; j < 100; ++j)
    w.columns.push_back(
        {.name = "c" + std::to_string(j), .unit = 2.5, .share = j == 70 ? 0.8 : 0.2 / 99, .moved = 0});
  w.asked.scale = "robust";
  EXPECT_EQ(line_of(w, "column"), "column  share   moved by  divided by");
  EXPECT_EQ(line_of(w, "c70"), "c70      80 %          0        2.50");
  EXPECT_EQ(line_of(w, "and"), "and 92 more");
}

TEST(AnswerUnits, AreNamedWhereColumnsWereDivided) {
  Distance w = invented();
  w.asked.scale = "robust";
  EXPECT_EQ(line_of(w, "Each"), "Each column was divided by its spread: distances have no other unit.");
  w.asked.scale = "age=10";
  EXPECT_EQ(line_of(w, "Columns"),
            "Columns were divided by the numbers given (age=10): distances are in these units.");
}

TEST(AnswerText, SaysWhenRowsWereDrawn) {
  Distance w = invented();
  w.asked.rows_used = {400, 500};
  EXPECT_EQ(
      line_of(w, "The distance"),
      "The distance is that of 400 + 500 of these rows, drawn at random: all of them would take too long.");
}

TEST(AnswerText, WrapsWarnings) {
  Distance w = invented();
  w.warnings = {{WarningCode::units,
                 "income has 100 % of the spread: " + std::string(40, 'a') + " " + std::string(60, 'b')}};
  const std::vector<std::string> lines = lines_of(text(w));
  EXPECT_EQ(lines[lines.size() - 2], "  Warning: income has 100 % of the spread: " + std::string(40, 'a'));
  EXPECT_EQ(lines.back(), "           " + std::string(60, 'b'));
}

TEST(AnswerText, SaysHowItWasComputedWhenAsked) {
  Distance w = invented();
  w.asked.why_tau = "rows stand apart up to 4 %";
  w.neighbours.paper = of_blocks(Estimator::mom, CriticKind::exact).neighbours.paper;
  w.neighbours.network = NetworkEstimate{.held_out = 7.01, .value = 7.09};
  const auto said = [&](const std::string& start) { return line_of(w, start, {.verbose = true}); };
  EXPECT_EQ(said("estimator"), "estimator  exact distance without the rows that stand alone (company)");
  EXPECT_EQ(said("tau"), "tau        at most 10 % of each: rows stand apart up to 4 %");
  EXPECT_EQ(said("laws"),
            "laws       Without the part of chance, the laws behind the rows are about 7.03 apart "
            "(6.90 to 7.15 in 90 % of such samples).");
  EXPECT_EQ(said("chance"),
            "chance     0.2134      mean distance when the rows kept are mixed and dealt anew as 450 + 500; "
            "sd 0.031");
  EXPECT_EQ(said("p-values"),
            "p-values   0.01 by the distance, 0.02 by mean distances between rows (energy distance), 99 "
            "permutations");
  EXPECT_EQ(said("plain"),
            "plain      10.381      all rows: one wrong row far enough away can make this anything");
  EXPECT_EQ(said("partial"),
            "partial    6.1         the distance of the right rows is not below this if at most 10 % of each "
            "are wrong");
  EXPECT_EQ(said("remote"), "remote     6.95        without the 50 + 50 most remote rows");
  EXPECT_EQ(said("paper"),
            "paper      7.304       median of means (mom) of the paper; +- 0.21 if at most 10 % of each are "
            "wrong and the rest has one mode");
  EXPECT_EQ(said("network"),
            "network    7.01        between the laws, by a network on rows that it was not fitted on; 7.09 "
            "on its own rows");
  EXPECT_EQ(said("run"), "run        37 exact solves, 0.351 s on 2 threads, seed 7");
  w.neighbours.network->held_out.reset();
  w.floor->w1_p_value.reset();
  EXPECT_EQ(said("network"),
            "network    7.09        between the laws, by a network on the rows that it was fitted on: too "
            "high in many columns");
  EXPECT_EQ(said("p-values"),
            "p-values   0.02 by mean distances between rows (energy distance), 99 permutations; none by the "
            "distance itself");
}

TEST(BlocksText, HasTheHeadlineAndWhatBoundsIt) {
  Distance w = of_blocks(Estimator::mou, CriticKind::exact);
  w.asked.why_critic = "exact: few rows";
  w.asked.rows_dropped.y = 2;
  EXPECT_EQ(
      text(w),
      "  plain 9.934, robust 7.304 +- 0.21 (assuming that at most 10 % of each are wrong)\n"
      "\n"
      "  robust     7.304       distance between the inliers of the two samples\n"
      "  partial    6.123       the inliers' distance is not below this if at most 10 % of each are wrong\n"
      "  plain      9.934       all rows: one outlier far enough away can make this anything\n"
      "\n"
      "  estimator  median of U-statistics (mou)\n"
      "  critic     all 1-Lipschitz functions, by exact transport\n"
      "             exact: few rows\n"
      "  X          500 rows, 249 blocks of 2 rows\n"
      "  Y          500 rows, 2 dropped for missing values, 249 blocks of 2 rows\n"
      "  blocks     partition\n"
      "  run        3 exact solves, settled, 0.2 s on 2 threads, seed 7\n");
  PaperEstimate& paper = *w.neighbours.paper;
  paper.lower = 7.2;
  paper.upper = 7.25;
  paper.fixed_partition_value = 7.19;
  paper.held_out = 7.1;
  paper.error_bar = 9;
  paper.low = 0;
  paper.high = 16.3;
  paper.settled = false;
  EXPECT_EQ(line_of(w, "bracket"),
            "bracket    [7.2, 7.25] on one fixed partition (the critic has 7.19 there), proved");
  EXPECT_EQ(line_of(w, "held"), "held out   7.1         value on rows that the critic was not fitted on");
  EXPECT_EQ(line_of(w, "plain"),
            "plain 9.934, robust 7.304 (0 to 16) (assuming that at most 10 % of each are wrong)");
  w.run.stopped = true;
  EXPECT_EQ(line_of(w, "run"), "run        3 exact solves, stopped early, 0.2 s on 2 threads, seed 7");
}

TEST(BlocksText, OfAClippedNetworkSaysThatItsUnitIsUnknown) {
  Distance w = of_blocks(Estimator::mom, CriticKind::clipped);
  w.neighbours.paper->scheme = Scheme::pairs;
  w.neighbours.paper->steps = 1;
  EXPECT_EQ(line_of(w, "value"), "value 7.304 +- 0.025 (spread over the last steps)");
  EXPECT_EQ(line_of(w, "The value is the distance times a constant that clipping leaves unknown.").empty(),
            false);
  EXPECT_EQ(line_of(w, "X"), "X          500 rows, 249 blocks of 2 pairs");
  EXPECT_EQ(line_of(w, "run"), "run        3 exact solves, 1 step, settled, 0.2 s on 2 threads, seed 7");
}

TEST(PlainText, SaysThatItIsNotRobust) {
  Distance w = of_blocks(Estimator::plain, CriticKind::exact);
  EXPECT_EQ(line_of(w, "plain"), "plain 7.304 (not robust)");
  EXPECT_EQ(line_of(w, "X"), "X          500 rows");
  w.neighbours.paper.reset();
  EXPECT_EQ(line_of(w, "plain"), "plain 7.304 (not robust)");
}

}  // namespace
}  // namespace motmot
