// What a run leaves behind, how it ends, and that its numbers depend on nothing but the experiment.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

using nlohmann::json;

class Run : public testing::Test {
 protected:
  Run() { write_file(folder_ / "small.yaml", small_experiment); }

  ProcessResult in_folder(const std::vector<std::string>& arguments) { return holo(arguments, {.folder = folder_.path()}); }
  // A run that must end with this code.
  ProcessResult run(const std::string& out, std::vector<std::string> more = {}, int code = 0) {
    std::vector<std::string> arguments{"run", "small.yaml", "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ProcessResult result = in_folder(arguments);
    EXPECT_EQ(result.exit_code, code) << result.out << result.err;
    return result;
  }
  json read_json(const std::string& path) { return json::parse(read_file(folder_ / path)); }
  void expect_same_numbers(const std::string& a, const std::string& b) {
    for (const char* file : {"metrics.csv", "frames.bin"}) {
      std::string in_a = read_file(folder_ / a / file);
      ASSERT_FALSE(in_a.empty());
      EXPECT_TRUE(in_a == read_file(folder_ / b / file)) << file << " of " << a << " and " << b << " differ";
    }
    std::vector<std::string> frames = files_below(folder_ / a / "frames");
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(frames, files_below(folder_ / b / "frames"));
    for (const std::string& frame : frames)
      EXPECT_TRUE(read_file(folder_ / a / "frames" / frame) == read_file(folder_ / b / "frames" / frame)) << frame;
  }

  struct Folder : TemporaryFolder {
    using TemporaryFolder::operator/;
  } folder_;
};

TEST_F(Run, LeavesEverythingInItsFolder) {
  ProcessResult result = run("out");
  EXPECT_TRUE(contains(result.out, "run: out")) << result.out;
  for (const char* file : {"experiment.yaml", "provenance.json", "study.json", "log.jsonl", "metrics.csv", "timings.csv",
                           "frames.bin", "frames.pvd", "result.json"})
    EXPECT_TRUE(fs::exists(folder_ / "out" / file)) << file;
  EXPECT_EQ(files_below(folder_ / "out/frames").size(), 11u);
  for (const std::string& file : files_below(folder_ / "out")) EXPECT_FALSE(contains(file, ".partial")) << file;

  json outcome = read_json("out/result.json");
  EXPECT_EQ(outcome["status"], "finished");
  EXPECT_EQ(outcome["metrics"]["steps"], 10);
  EXPECT_GT(outcome["metrics"]["newton_iterations_total"], 0);
  EXPECT_EQ(outcome["acceptance"][0]["holds"], true);

  json provenance = read_json("out/provenance.json");
  EXPECT_EQ(provenance["plugins"][0]["name"], "neo_hookean_paper");
  EXPECT_FALSE(provenance["plugins"][0]["hash"].get<std::string>().empty());
  EXPECT_EQ(provenance["seed"], 1);
  EXPECT_EQ(provenance["command"][1], "run");
}

TEST_F(Run, EveryLineOfTheLogIsJsonAndItNamesTheKernels) {
  run("out");
  std::istringstream lines(read_file(folder_ / "out/log.jsonl"));
  bool kernel = false;
  for (std::string line; std::getline(lines, line);) {
    json event = json::parse(line);
    kernel = kernel || (event["event"] == "kernel" && contains(event["name"], "elements compiled, stress: compile-time graph"));
  }
  EXPECT_TRUE(kernel);
}

TEST_F(Run, MetricsHaveARowForEachStepAndTheStart) {
  run("out");
  std::string table = read_file(folder_ / "out/metrics.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 12);
  EXPECT_EQ(table.rfind("step,time,newton_iterations,", 0), 0u);
  EXPECT_EQ(table.back(), '\n');
}

TEST_F(Run, NumbersItsFoldersWhenNoneIsNamed) {
  EXPECT_EQ(in_folder({"run", "small.yaml"}).exit_code, 0);
  EXPECT_EQ(in_folder({"run", "small.yaml"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "runs/small-001/result.json"));
  EXPECT_TRUE(fs::exists(folder_ / "runs/small-002/result.json"));
}

TEST_F(Run, AppliesVariantAndOverride) {
  run("out", {"--variant", "long", "--set", "scene.duration=0.05"});
  EXPECT_EQ(read_json("out/result.json")["metrics"]["steps"], 5);
  EXPECT_TRUE(contains(read_file(folder_ / "out/experiment.yaml"), "duration: 0.05"));
}

TEST_F(Run, ResolvedExperimentGivesTheSameRun) {
  run("out", {"--set", "scene.duration=0.05"});
  EXPECT_EQ(in_folder({"run", "out/experiment.yaml", "--out", "again"}).exit_code, 0);
  expect_same_numbers("out", "again");
}

TEST_F(Run, ThreadsDoNotChangeABit) {
  std::vector<std::string> large{"--set", "scene.bodies.0.mesh.elements=3000"};
  std::vector<std::string> one = large, two = large;
  one.insert(one.end(), {"--threads", "1"});
  two.insert(two.end(), {"--threads", "2"});
  run("one", one);
  run("two", two);
  expect_same_numbers("one", "two");
}

TEST_F(Run, MissedAcceptanceEndsWithThree) {
  ProcessResult result = run("out", {"--set", "acceptance=[{metric: newton_iterations_max, at_most: 0}]"}, 3);
  EXPECT_TRUE(contains(result.out, "MISSED  newton_iterations_max")) << result.out;
  EXPECT_EQ(read_json("out/result.json")["acceptance"][0]["holds"], false);
}

TEST_F(Run, SolverFailureEndsWithFourAndADiagnosis) {
  ProcessResult result = run("out", {"--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-14"}, 4);
  EXPECT_TRUE(contains(result.err, "step 1 ")) << result.err;
  EXPECT_TRUE(contains(result.err, "iteration")) << result.err;
  EXPECT_TRUE(contains(result.out, "small: failed after")) << result.out;
  EXPECT_FALSE(contains(result.out, "step 1 ")) << "the reason is told once, by the error:\n" << result.out;
  EXPECT_EQ(read_json("out/result.json")["status"], "failed");
  EXPECT_TRUE(fs::exists(folder_ / "out/frames.bin"));
  EXPECT_EQ(in_folder({"resume", "out"}).exit_code, 4);
}

TEST_F(Run, PaperValuesArePrintedAndNeverDecide) {
  ProcessResult result = run("out", {"--set",
                                     "paper={source: Luo2019, figure: 8, values: {steps: 10, elements: 69074, frame_rate: 30}, "
                                     "causes: {elements: the mesh is not published}}"});
  json paper = read_json("out/result.json")["paper"];
  EXPECT_EQ(paper[0]["verdict"], "reproduced");
  EXPECT_EQ(paper[1]["verdict"], "differs");
  EXPECT_TRUE(contains(paper[1]["cause"], "the mesh is not published"));
  EXPECT_EQ(paper[2]["verdict"], "not_attempted");
  EXPECT_TRUE(contains(result.out, "Luo2019, Fig 8")) << result.out;
}

TEST_F(Run, FullDiskIsOneClearLineAndNoHalfFile) {
  std::vector<std::string> arguments{"run", "small.yaml", "--variant", "long", "--out", "out"};
  ProcessResult result = holo(arguments, {.folder = folder_.path(), .file_size_limit = 12'000});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  std::string message = result.err.substr(std::min(result.err.find("holo: "), result.err.size()));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(contains(message, "out/")) << result.err;
  EXPECT_FALSE(fs::exists(folder_ / "out/result.json"));
  for (const std::string& file : files_below(folder_ / "out")) EXPECT_FALSE(contains(file, ".partial")) << file;
  // What is there is whole: every growing table ends with its line, and a resumed run comes to the same end.
  EXPECT_EQ(in_folder({"resume", "out"}).exit_code, 0);
  run("whole", {"--variant", "long"});
  expect_same_numbers("whole", "out");
}

TEST_F(Run, ReadOnlyPlaceIsOneClearLine) {
  ProcessResult result = in_folder({"run", "small.yaml", "--out", "/sys/holo-run"});
  EXPECT_EQ(result.exit_code, 2) << result.err;  // a bad argument
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(contains(result.err, "/sys/holo-run")) << result.err;
}

TEST_F(Run, ReportIsMadeAnewFromTheFolder) {
  run("out");
  if (!fs::exists(folder_ / "out/report.html")) GTEST_SKIP() << "this build has no report page (npm was missing)";
  std::string first = read_file(folder_ / "out/report.html");
  fs::remove(folder_ / "out/report.html");
  EXPECT_EQ(in_folder({"report", "out"}).exit_code, 0);
  EXPECT_TRUE(first == read_file(folder_ / "out/report.html"));
}

}  // namespace
}  // namespace holo_test
