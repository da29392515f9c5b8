#include <functional>
#include <set>

#include "motmot/study.hpp"
#include "report/study_report.hpp"
#include "study/cells.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::read_file;
using test::TempDir;
using test::write_file;

StudyOptions tiny(Study study, const std::string& folder = "") {
  StudyOptions o = quick_study(study);
  o.data = study == Study::convergence ? std::vector{Toy::d1} : std::vector{Toy::d1, Toy::far};
  o.tau = {0, 0.1};
  o.blocks = {1, 5, 20};
  o.repetitions = 2;
  o.n = 40;
  o.hidden = {8};
  o.steps = 60;
  o.epochs = 12;
  o.folder = folder;
  o.threads = 1;
  return o;
}

constexpr Study all_studies[] = {Study::error, Study::convergence, Study::breakdown};

/// Stops when a fifth of the cells are done.
bool until_a_fifth(double done) { return done < 0.2; }

TEST(Grid, HasEveryCellOnceAndTheFirstRepetitionFirst) {
  for (const Study study : all_studies) {
    const std::vector<GridCell> cells = all_cells(tiny(study));
    std::set<std::string> keys;
    std::size_t last = 0;
    for (const GridCell& cell : cells) {
      EXPECT_TRUE(keys.insert(cell.key()).second) << cell.key();
      EXPECT_LE(last, cell.repetition);
      last = cell.repetition;
    }
  }
}

TEST(Grid, SharesTheCellsOfDataThatAreTheSameWithoutOutliers) {
  const ToySample d1 = generate({.toy = Toy::d1, .n = 30, .m = 30, .tau_x = 0, .seed = 4});
  for (const Toy toy : {Toy::d2, Toy::far, Toy::behind, Toy::inside, Toy::both}) {
    const ToySample other = generate({.toy = toy, .n = 30, .m = 30, .tau_x = 0, .seed = 4});
    EXPECT_EQ(other.x.values(), d1.x.values()) << name(toy);
    EXPECT_EQ(other.y.values(), d1.y.values()) << name(toy);
    EXPECT_EQ(cell_for(tiny(Study::error), toy, 0, "mom", 5, 0).key(),
              cell_for(tiny(Study::error), Toy::d1, 0, "mom", 5, 0).key());
  }
  EXPECT_NE(cell_for(tiny(Study::error), Toy::shape, 0, "mom", 5, 0).key(),
            cell_for(tiny(Study::error), Toy::d1, 0, "mom", 5, 0).key());
}

TEST(Grid, KeepsTheFirstAndTheLastEpoch) {
  for (const std::size_t k : {1u, 5u, 20u, 60u}) {
    const std::vector<std::size_t> epochs = kept_epochs(tiny(Study::convergence), k);
    EXPECT_TRUE(std::ranges::is_sorted(epochs));
    EXPECT_EQ(epochs.front(), 1u);
    EXPECT_EQ(epochs.back(), std::min<std::size_t>(12, 60 / k));
  }
}

TEST(Study, HasTheSameBytesForAnyNumberOfThreads) {
  for (const Study study : all_studies) {
    StudyOptions o = tiny(study);
    const std::string one = study_csv(run_study(o));
    for (const std::size_t threads : {2u, 3u}) {
      o.threads = threads;
      EXPECT_EQ(study_csv(run_study(o)), one) << name(study) << ", " << threads << " threads";
    }
  }
}

TEST(Study, GoesOnAfterAnInterruptionAndEndsWithTheSameBytes) {
  for (const Study study : all_studies) {
    const TempDir folder;
    StudyOptions o = tiny(study, folder.path());
    const std::string whole = study_csv(run_study(tiny(study)));
    o.progress = until_a_fifth;
    const StudyResult stopped = run_study(o);
    ASSERT_FALSE(stopped.complete());
    EXPECT_TRUE(stopped.measurements.empty());
    o.progress = {};
    const StudyResult resumed = run_study(o);
    EXPECT_EQ(resumed.cells_reused, stopped.cells_done);
    EXPECT_GT(resumed.cells_reused, 0u);
    EXPECT_EQ(study_csv(resumed), whole);
    EXPECT_EQ(run_study(o).cells_reused, resumed.cells);
  }
}

TEST(Study, DropsALastLineThatWasCutShort) {
  const TempDir folder;
  const StudyOptions o = tiny(Study::error, folder.path());
  const std::string whole = study_csv(run_study(o));
  const std::string text = read_file(cell_file(o));
  for (const std::size_t cut : {1u, 9u, 30u}) {
    write_file(cell_file(o), text.substr(0, text.size() - cut));
    const StudyResult resumed = run_study(o);
    EXPECT_LT(resumed.cells_reused, resumed.cells);
    EXPECT_EQ(study_csv(resumed), whole);
    EXPECT_EQ(read_file(cell_file(o)).size(), text.size());
  }
}

TEST(Study, RefusesAFileThatWasDamaged) {
  const TempDir folder;
  const StudyOptions o = tiny(Study::error, folder.path());
  (void)run_study(o);
  std::string text = read_file(cell_file(o));
  text.replace(text.find("\"values\""), 8, "\"wolves\"");
  write_file(cell_file(o), text);
  const std::string complaint = error_of([&] { (void)run_study(o); });
  EXPECT_NE(complaint.find("line 2"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find(cell_file(o)), std::string::npos) << complaint;
  EXPECT_EQ(error_of([&] { (void)run_study(o); }), complaint) << "the lock was given up";
}

TEST(Study, RefusesAFolderThatAnotherRunWritesTo) {
  const TempDir folder;
  const StudyOptions o = tiny(Study::error, folder.path());
  const CellStore other(o.folder, std::string(name(o.study)), settings_line(o));
  const std::string complaint = error_of([&] { (void)run_study(o); });
  EXPECT_NE(complaint.find("another run"), std::string::npos) << complaint;
}

TEST(Study, NeverMixesCellsOfOtherSettings) {
  StudyOptions o = tiny(Study::error, "f");
  const std::string file = cell_file(o);
  o.repetitions = 7;
  o.blocks = {3};
  o.threads = 2;
  EXPECT_EQ(cell_file(o), file) << "a larger grid re-uses cells";
  for (const auto& change : std::vector<std::function<void(StudyOptions&)>>{
           [](StudyOptions& c) { c.seed = 1; }, [](StudyOptions& c) { c.n = 41; },
           [](StudyOptions& c) { c.steps = 61; },
           [](StudyOptions& c) {
             c.hidden = {8, 4};
           }}) {
    StudyOptions changed = o;
    change(changed);
    EXPECT_NE(cell_file(changed), file);
  }
}

TEST(Study, MeasuresTheDeviationFromPlainOnTheSameInliers) {
  const StudyResult r = run_study(tiny(Study::error));
  for (const Measurement& m : r.measurements) {
    if (m.k == 1 && m.tau == 0) {
      EXPECT_EQ(m.value, m.reference);
    }
    EXPECT_EQ(shown(Study::error, m), std::abs(m.value - m.reference));
  }
  EXPECT_EQ(r.measurements.size(), 2u * 2 * 3 * 3 * 2);
  EXPECT_EQ(r.summary.size(), 2u * 2 * 3 * 3);
}

TEST(Study, InUnitsOneBlockIsPlainAndWithoutOutliersPlainIsRight) {
  const StudyResult r = run_study(tiny(Study::breakdown));
  for (const StudySummary& s : r.summary) {
    if (s.tau == 0 && s.method == "plain") {
      EXPECT_NEAR(s.mean, 0, 1e-9);
    }
    if (s.k != 1 || s.method == "plain" || s.method == "company" || s.method == "partial") continue;
    for (const StudySummary& plain : r.summary)
      if (plain.method == "plain" && plain.data == s.data && plain.tau == s.tau) {
        EXPECT_NEAR(s.mean, plain.mean, 1e-4) << s.method;
      }
  }
}

TEST(Study, RefusesOptionsThatBreakARule) {
  const auto complaint = [](const std::function<void(StudyOptions&)>& change) {
    StudyOptions o = tiny(Study::error);
    change(o);
    return error_of([&] { (void)run_study(o); });
  };
  EXPECT_NE(complaint([](StudyOptions& o) { o.tau = {0.5}; }).find("0.5"), std::string::npos);
  EXPECT_NE(complaint([](StudyOptions& o) { o.blocks = {41}; }).find("41"), std::string::npos);
  EXPECT_NE(complaint([](StudyOptions& o) { o.blocks = {}; }).find("blocks"), std::string::npos);
  EXPECT_NE(complaint([](StudyOptions& o) { o.estimators = {Estimator::plain}; }).find("plain"),
            std::string::npos);
  EXPECT_NE(complaint([](StudyOptions& o) { o.repetitions = 0; }).find("repetition"), std::string::npos);
}

TEST(Peers, StandBesideOursWhenTheyAreOfTheSameData) {
  const TempDir folder;
  StudyResult r = run_study(tiny(Study::breakdown));
  const double target = r.measurements.front().reference;
  const std::string header = "data,tau,method,blocks,epoch,repetition,value,reference,shown\n";
  write_file(folder / "p.csv", header + "d1,0,peer,1,0,0," + std::to_string(1.1 * target) + "," +
                                   std::to_string(target) + ",10\n");
  add_peers(r, folder / "p.csv");
  EXPECT_EQ(r.summary.back().method, "peer");
  EXPECT_NEAR(r.summary.back().mean, 10, 1e-4);
  for (const std::string line : {"d1,0,peer,1,0,0,1,99,10", "d1,0.3,peer,1,0,0,1,1,1",
                                 "d9,0,peer,1,0,0,1,1,1", "d1,0,peer,1,0,0,x,1,1", "d1,0"}) {
    write_file(folder / "p.csv", header + line + "\n");
    EXPECT_NE(error_of([&] { add_peers(r, folder / "p.csv"); }).find("line 2"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace motmot
