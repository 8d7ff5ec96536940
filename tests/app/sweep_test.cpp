// `holo sweep`: many runs with one command, which may be killed at any moment.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

// Runs of milliseconds. The tests of messages expect its parameters at lines 13 and 14.
const std::string curves = R"(# Roots of several numbers.
name: curves
study: error_curves
function: cube_root
point: 2
steps: {first_exponent: -2, last_exponent: -20}
curves: [{method: csfd}]
metrics: [{name: error, kind: largest_error, curve: csfd}]
acceptance: [{metric: error, at_most: 1.0e-2}]
sweep:
  repeat: 2
  grid:
    - {path: point, from: 2, to: 200, count: 3, scale: logarithmic}
    - {path: steps.last_exponent, values: [-20, -30]}
)";

// Runs of tenths of a second with many checkpoints.
// A function: the order in which texts of headers and of files are made is not known.
std::string sweep_of_bars() {
  return small_experiment + R"(sweep:
  grid:
    - {path: scene.bodies.0.material.youngs_modulus, name: stiffness, unit: Pa, values: [1.0e+5, 2.0e+5, 4.0e+5]}
    - {path: scene.gravity, values: [[0, 0, -9.81], [0, 0, 0]]}
)";
}

std::vector<std::vector<std::string>> table_rows(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

class Sweep : public testing::Test {
 protected:
  Sweep() {
    write_file(folder_ / "curves.yaml", curves);
    write_file(folder_ / "bars.yaml", sweep_of_bars());
  }
  ProcessResult in_folder(const std::vector<std::string>& arguments) { return holo(arguments, options_); }
  std::string table(const std::string& sweep) { return read_file(folder_ / sweep / "table.csv"); }
  nlohmann::json result(const std::string& run) { return nlohmann::json::parse(read_file(folder_ / run / "result.json")); }
  std::string changed_curves(const std::string& from, const std::string& to) { return changed(from, to, curves); }

  TemporaryFolder folder_;
  ProcessOptions options_{.folder = folder_.path()};
};

TEST_F(Sweep, TableHasARowForEachRunWithTheNumbersOfThatRunAlone) {
  const ProcessResult swept = in_folder({"sweep", "curves.yaml"});
  ASSERT_EQ(swept.exit_code, 0) << swept.out << swept.err;
  const auto rows = table_rows(table("sweeps/curves"));
  ASSERT_EQ(rows.size(), 1u + 3 * 2 * 2);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"run", "point", "last_exponent", "seed", "verdict", "error"}));
  EXPECT_EQ(rows[6][0], "0005-point=20-last_exponent=-20-seed=2");
  for (const std::size_t row : {1u, 6u, 12u}) {
    const std::string alone = "alone-" + std::to_string(row);
    ASSERT_EQ(in_folder({"run", "curves.yaml", "--set", "point=" + rows[row][1], "--set", "steps.last_exponent=" + rows[row][2],
                         "--set", "seed=" + rows[row][3], "--out", alone})
                  .exit_code,
              0);
    EXPECT_EQ(rows[row][4], "accepted");
    EXPECT_EQ(std::stod(rows[row][5]), result(alone)["metrics"]["error"].get<double>());
    EXPECT_EQ(read_file(folder_ / alone / "metrics.csv"),
              read_file(folder_ / "sweeps/curves/runs" / rows[row][0] / "metrics.csv"));
  }
}

TEST_F(Sweep, ReportLinksToTheReportsOfItsRuns) {
  ASSERT_EQ(in_folder({"sweep", "curves.yaml", "--out", "s"}).exit_code, 0);
  if (!fs::exists(folder_ / "s/report.html")) GTEST_SKIP() << "this build has no page";
  const std::string page = read_file(folder_ / "s/report.html");
  for (const auto& row : table_rows(table("s")))
    if (row[0] != "run") {
      EXPECT_TRUE(contains(page, "runs/" + row[0] + "/report.html")) << row[0];
      EXPECT_TRUE(fs::exists(folder_ / "s/runs" / row[0] / "report.html"));
    }
}

TEST_F(Sweep, SecondStartDoesNothingAgain) {
  ASSERT_EQ(in_folder({"sweep", "curves.yaml", "--out", "s"}).exit_code, 0);
  const std::string before = table("s"), timings = read_file(folder_ / "s/timings.csv");
  fs::remove(folder_ / "s/table.csv");
  for (const std::vector<std::string>& again :
       {std::vector<std::string>{"sweep", "curves.yaml", "--out", "s"}, {"sweep", "--out", "s"}}) {
    const ProcessResult second = in_folder(again);
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(contains(second.out, "12 runs: 12 finished (12 of them before)")) << second.out;
    EXPECT_EQ(table("s"), before);
    EXPECT_EQ(read_file(folder_ / "s/timings.csv"), timings);  // has the number of attempts
  }
}

// All processes are killed three times, when something has been done since the last time and all is not.
TEST_F(Sweep, KilledAtAnyMomentEndsInTheSameTable) {
  ASSERT_EQ(in_folder({"sweep", "bars.yaml", "--out", "whole"}).exit_code, 0);
  std::mt19937 random(7);
  ProcessOptions options = options_;
  options.own_group = true;
  for (int kill = 0; kill < 3; ++kill) {
    Process process = start_holo({"sweep", "bars.yaml", "--out", "killed"}, options);
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + random() % 240));
    process.signal_group(SIGKILL);
    process.wait();
  }
  const ProcessResult last = in_folder({"sweep", "bars.yaml", "--out", "killed"});
  EXPECT_EQ(last.exit_code, 0) << last.out << last.err;
  EXPECT_EQ(table_rows(table("whole")).size(), 7u);
  EXPECT_EQ(table("killed"), table("whole"));
  for (const std::string& file : files_below(folder_ / "whole/runs"))
    if (contains(file, "frames.bin")) {
      EXPECT_TRUE(read_file(folder_ / "whole/runs" / file) == read_file(folder_ / "killed/runs" / file)) << file;
    }
}

TEST_F(Sweep, SignalEndsAllRunsAtCheckpoints) {
  write_file(folder_ / "long.yaml", changed("scene.duration: 0.6", "scene.duration: 60", sweep_of_bars()));
  const std::vector<std::string> command{"sweep", "long.yaml", "--variant", "long", "--out", "s", "--jobs", "2"};
  Process process = start_holo(command, options_);
  const auto steps = [&](const char* run) {
    const std::string rows = read_file(folder_ / "s/runs" / run / "metrics.csv");
    return std::count(rows.begin(), rows.end(), '\n');
  };
  const char *first = "0000-stiffness=1.0e+5-gravity=00-9.81", *second = "0001-stiffness=1.0e+5-gravity=000";
  while ((steps(first) < 4 || steps(second) < 4) && !process.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.signal(SIGTERM);
  const ProcessResult stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 4) << stopped.out << stopped.err;
  EXPECT_TRUE(contains(stopped.out, "stopped or not begun (the same command goes on with them):")) << stopped.out;
  for (const char* run : {first, second}) {
    EXPECT_TRUE(contains(stopped.out, std::string(run) + ": stopped by a signal after")) << stopped.out;
    EXPECT_FALSE(fs::exists(folder_ / "s/runs" / run / "result.json"));
    EXPECT_TRUE(fs::exists(folder_ / "s/runs" / run / "checkpoint"));
  }
}

TEST_F(Sweep, FailedRunsAreNamedAndRunAgainOnRequestAlone) {
  write_file(folder_ / "failing.yaml", changed("{path: scene.gravity, values: [[0, 0, -9.81], [0, 0, 0]]}",
                                               "{path: solver.max_iterations, values: [50, 1]}", sweep_of_bars()));
  const std::vector<std::string> command{"sweep", "failing.yaml", "--out", "s"};
  const auto attempts = [&] { return table_rows(read_file(folder_ / "s/timings.csv"))[2][1]; };
  const ProcessResult first = in_folder(command), second = in_folder(command);
  for (const ProcessResult& each : {first, second}) {
    EXPECT_EQ(each.exit_code, 4) << each.err;
    EXPECT_TRUE(contains(each.out, "6 runs: 3 finished")) << each.out;
    EXPECT_TRUE(contains(each.out, "failed (--retry-failed runs them again):\n  runs/0001-stiffness=1.0e+5-max_iterations=1: "))
        << each.out;
  }
  EXPECT_EQ(table_rows(table("s"))[2][3], "failed");
  EXPECT_EQ(attempts(), "1");
  const fs::file_time_type before = fs::last_write_time(folder_ / "s/runs/0001-stiffness=1.0e+5-max_iterations=1/result.json");
  EXPECT_EQ(in_folder({"sweep", "--out", "s", "--retry-failed"}).exit_code, 4);
  EXPECT_GT(fs::last_write_time(folder_ / "s/runs/0001-stiffness=1.0e+5-max_iterations=1/result.json"), before);
}

TEST_F(Sweep, WorkersShareTheRuns) {
  ASSERT_EQ(in_folder({"sweep", "curves.yaml", "--out", "whole"}).exit_code, 0);
  // A folder with a plan and without runs, as of a sweep that was killed at its start.
  fs::create_directories(folder_ / "shared");
  for (const char* part : {"sweep.yaml", "sweep.json"}) fs::copy(folder_ / "whole" / part, folder_ / "shared" / part);
  for (const char* part : {"runs", "state", "logs", "claims"}) fs::create_directories(folder_ / "shared" / part);
  ProcessOptions options = options_;
  std::vector<std::unique_ptr<Process>> workers;
  for (const char* rank : {"0", "1"}) {
    options.environment = {{"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", "2"}};
    workers.push_back(
        std::make_unique<Process>(std::vector<std::string>{program(), "sweep-worker", "shared", "--start", "1"}, options));
  }
  for (const auto& worker : workers) EXPECT_EQ(worker->wait().exit_code, 0);
  ASSERT_EQ(in_folder({"sweep", "--out", "shared"}).exit_code, 0);
  EXPECT_EQ(table("shared"), table("whole"));
  for (const auto& row : table_rows(read_file(folder_ / "shared/timings.csv")))
    if (row[0] != "run") {
      EXPECT_EQ(row[1], "1") << row[0];
    }
}

TEST_F(Sweep, RunsThatFitInNoMemoryRunOneAfterAnother) {
  const ProcessResult swept =
      in_folder({"sweep", "curves.yaml", "--set", "sweep.repeat=1", "--memory", "1M", "--jobs", "4", "--out", "s"});
  EXPECT_TRUE(contains(swept.out, "6 runs: 6 finished")) << swept.out << swept.err;
}

TEST_F(Sweep, TimesByTheClockAreInATableOfTheirOwn) {
  const ProcessResult swept = in_folder({"sweep", "csfd/table1_root_time", "--variant", "quick", "--set", "judge_times=true",
                                         "--set", "sweep={repeat: 2}", "--out", "s"});
  EXPECT_EQ(table_rows(table("s")).at(0),
            (std::vector<std::string>{"run", "seed", "verdict", "accelerated_difference", "full_difference"}))
      << swept.err;
  EXPECT_TRUE(
      contains(read_file(folder_ / "s/timings.csv"), "resident_bytes,accelerated_over_analytic,full_over_accelerated,"));
}

TEST_F(Sweep, RunAndCheckOfAFileWithASweep) {
  const ProcessResult run = in_folder({"run", "curves.yaml", "--out", "base"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.err, "note: the file has a sweep, of which this run is none; `holo sweep` runs it")) << run.err;
  const ProcessResult check = in_folder({"check", "curves.yaml"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_TRUE(contains(check.out, "sweep: 12 runs: good")) << check.out;
}

class SweepBadInput : public Sweep {
 protected:
  // The message of a sweep of this text, which must write nothing.
  std::string refused(const std::string& text, std::vector<std::string> more = {}) {
    write_file(folder_ / "bad.yaml", text);
    std::vector<std::string> arguments{"sweep", "bad.yaml", "--out", "nothing"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessResult result = in_folder(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "nothing"));
    return result.err;
  }
};

TEST_F(SweepBadInput, PathsAndValuesThatTheExperimentRefuses) {
  const std::string unknown = refused(changed_curves("path: point,", "path: pint,"));
  EXPECT_TRUE(contains(unknown, "bad.yaml:13:14: unknown key 'pint'")) << unknown;
  EXPECT_TRUE(contains(unknown, "point")) << unknown;
  const std::string below = refused(changed_curves("path: point,", "path: point.x,"));
  EXPECT_TRUE(contains(below, "bad.yaml:13:14: nothing lies below 'point'")) << below;
  const std::string value = refused(changed_curves("values: [-20, -30]", "values: [-20, zero, 5000]"));
  EXPECT_TRUE(contains(value, "bad.yaml:14:49: ")) << value;
  EXPECT_TRUE(contains(value, "bad.yaml:14:55: ")) << value;
  // Each problem once, though half of the runs have it.
  EXPECT_EQ(std::count(value.begin(), value.end(), '\n'), 2) << value;
}

TEST_F(SweepBadInput, ExperimentWithoutSweep) { EXPECT_TRUE(contains(refused(small_experiment), "has no `sweep` section")); }

TEST_F(SweepBadInput, LauncherThatIsNotInstalled) {
  for (const auto& [launcher, command] : std::map<std::string, std::string>{{"slurm", "sbatch"}, {"mpi", "mpirun"}}) {
    options_.environment["PATH"] = folder_.path().string();
    const std::string message = refused(curves, {"--launcher", launcher});
    EXPECT_TRUE(contains(message, "--launcher " + launcher + ": the command " + command + " is not on the PATH")) << message;
  }
  EXPECT_TRUE(contains(refused(curves, {"--launcher", "slrum"}), "Did you mean 'slurm'?"));
}

TEST_F(SweepBadInput, OptionsThatDoNotFit) {
  EXPECT_TRUE(contains(refused(curves, {"--memory", "much"}), "--memory much: must be a size such as 8G or 500M"));
  EXPECT_TRUE(contains(refused(curves, {"--jobs", "0"}), "--jobs 0: must be from 1"));
  EXPECT_TRUE(contains(refused(curves, {"--no-wait"}), "--no-wait is an option of the launcher slurm; this one is local"));
  EXPECT_TRUE(contains(in_folder({"sweep"}).err, "name an experiment"));
  EXPECT_TRUE(contains(in_folder({"sweep", "--out", "nowhere"}).err, "nowhere: there is no sweep in this folder"));
  EXPECT_TRUE(contains(in_folder({"sweep-worker", "nowhere"}).err, "there is no sweep in this folder"));
}

TEST_F(SweepBadInput, ChangedFileIsRefusedWithWhatHasChanged) {
  ASSERT_EQ(in_folder({"sweep", "curves.yaml", "--out", "s"}).exit_code, 0);
  write_file(folder_ / "curves.yaml", changed_curves("point: 2\n", "point: 3\n"));
  const ProcessResult changed_value = in_folder({"sweep", "curves.yaml", "--out", "s"});
  EXPECT_EQ(changed_value.exit_code, 2);
  EXPECT_TRUE(contains(changed_value.err, "\n  point was 2, and is 3 now\n")) << changed_value.err;
  write_file(folder_ / "curves.yaml", changed_curves("count: 3", "count: 4"));
  const ProcessResult changed_sweep = in_folder({"sweep", "curves.yaml", "--out", "s"});
  EXPECT_TRUE(contains(changed_sweep.err, "sweep.grid.0.count was 3, and is 4 now")) << changed_sweep.err;
  write_file(folder_ / "curves.yaml", curves + "# A comment is no change.\n");
  EXPECT_EQ(in_folder({"sweep", "curves.yaml", "--out", "s"}).exit_code, 0);
  write_file(folder_ / "s/sweep.yaml", curves);
  EXPECT_TRUE(contains(in_folder({"sweep", "--out", "s"}).err, "was changed since the sweep began"));
}

TEST_F(SweepBadInput, FoldersOfSomethingElse) {
  write_file(folder_ / "other/notes.txt", "mine");
  const ProcessResult other = in_folder({"sweep", "curves.yaml", "--out", "other"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "other: the folder is not empty, and has no sweep")) << other.err;
  EXPECT_EQ(files_below(folder_ / "other"), std::vector<std::string>{"notes.txt"});
}

TEST_F(SweepBadInput, SecondSweepInTheSameFolder) {
  write_file(folder_ / "long.yaml", changed("scene.duration: 0.6", "scene.duration: 60", sweep_of_bars()));
  const std::vector<std::string> command{"sweep", "long.yaml", "--variant", "long", "--out", "s"};
  Process first = start_holo(command, options_);
  while (files_below(folder_ / "s/runs").empty() && !first.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const ProcessResult second = in_folder(command);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_TRUE(contains(second.err, "another process is at this sweep")) << second.err;
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait().exit_code, 4);
}

#ifdef HOLO_MPIRUN
TEST_F(Sweep, MpiMakesTheSameTable) {
  options_.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  ASSERT_EQ(in_folder({"sweep", "curves.yaml", "--out", "local"}).exit_code, 0);
  const ProcessResult mpi = in_folder(
      {"sweep", "curves.yaml", "--out", "mpi", "--launcher", "mpi", "--jobs", "2", "--launcher-option=--oversubscribe"});
  EXPECT_EQ(mpi.exit_code, 0) << mpi.out << mpi.err << read_file(folder_ / "mpi/logs/mpirun.txt");
  EXPECT_EQ(table("mpi"), table("local"));
}
#endif

}  // namespace
}  // namespace holo_test
