// Faults around a run: files that were changed, another machine, streams that are closed or full, plugins that end the program.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

class Faults : public testing::Test {
 protected:
  Faults() { write_file(folder_ / "small.yaml", small_experiment); }

  ProcessResult in_folder(const std::vector<std::string>& arguments, ProcessOptions options = {}) {
    options.folder = folder_.path();
    return holo(arguments, options);
  }

  std::int64_t rows(const std::string& out) const {
    const std::string table = read_file(folder_ / out / "metrics.csv");
    return std::count(table.begin(), table.end(), '\n');
  }

  // Stops what the command computes after so many rows of the run's table; it would go on for much longer, whatever else the
  // machine does.
  void stop_at_row(std::int64_t row, const std::string& out, const std::vector<std::string>& command) {
    Process process = start_holo(command, {.folder = folder_.path()});
    while (rows(out) < row && !process.ended()) usleep(1000);
    process.signal(SIGINT);
    const ProcessResult result = process.wait();
    ASSERT_EQ(result.exit_code, 4) << result.err;
  }

  // A run that was stopped after six rows or more.
  void stopped_run(const std::string& out) {
    stop_at_row(6, out, {"run", "small.yaml", "--variant", "long", "--set", "scene.duration=20", "--out", out});
  }

  void expect_goes_on(const std::string& out) { stop_at_row(rows(out) + 6, out, {"resume", out}); }

  void replace_in(const std::string& file, const std::string& from, const std::string& to) {
    write_file(folder_ / file, changed(from, to, read_file(folder_ / file)));
  }

  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts,
                      const ProcessOptions& options = {}) {
    const ProcessResult result = in_folder(arguments, options);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    for (const std::string& part : parts) EXPECT_TRUE(contains(result.err, part)) << "no '" << part << "' in\n" << result.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Faults, ResumeRefusesAnExperimentThatWasEdited) {
  stopped_run("out");
  replace_in("out/experiment.yaml", "density: 1000", "density: 1001");
  expect_refused({"resume", "out"}, {"out/experiment.yaml: was changed since the run began", "holo run out/experiment.yaml"});
}

TEST_F(Faults, ResumeRefusesOtherKernelsOfTheBlasAndGoesOnWithItsOwn) {
  stopped_run("out");
  const std::string kernel = nlohmann::json::parse(read_file(folder_ / "out/provenance.json")).at("blas_kernel");
  const std::string other = kernel == "Prescott" ? "Core2" : "Prescott";
  expect_refused({"resume", "out"}, {"kernels are those of another processor: '" + kernel + "' then, '" + other + "' now"},
                 {.environment = {{"OPENBLAS_CORETYPE", other}}});
  expect_goes_on("out");
}

TEST_F(Faults, ResumeRefusesAnotherProcessorAndAnotherLibrary) {
  stopped_run("out");
  nlohmann::json provenance = nlohmann::json::parse(read_file(folder_ / "out/provenance.json"));
  provenance["processor"] = "Another One";
  for (nlohmann::json& library : provenance["libraries"])
    if (contains(library.at("name"), "libtbb")) library["hash"] = "0123";
  write_file(folder_ / "out/provenance.json", provenance.dump());
  expect_refused({"resume", "out"},
                 {"the processor is another: 'Another One' then", "the library 'libtbb", "has changed: 0123 then"});
}

TEST_F(Faults, ResumeAndReportRefuseATableThatWasChanged) {
  stopped_run("out");
  std::string table = read_file(folder_ / "out/metrics.csv");
  table[table.find('\n') + 1] = '7';  // the first digit below the header
  write_file(folder_ / "out/metrics.csv", table);
  for (const char* command : {"resume", "report"})
    expect_refused({command, "out"}, {"the file metrics.csv was changed or damaged", "un the experiment anew"});
}

TEST_F(Faults, ResumeRefusesWhereAFrameIsMissing) {
  stopped_run("out");
  fs::remove(folder_ / "out/frames/step_0000001.vtu");
  expect_refused({"resume", "out"}, {"the file frames/step_0000001.vtu is missing"});
}

TEST_F(Faults, ResumeGoesOnWhereTheDataFolderHasMoved) {
  const std::string mesh =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 0.1 0 0\n3 0 0.1 0\n4 0 0 0.1\n$EndNodes\n"
      "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
  write_file(folder_ / "data/one.msh", mesh);
  write_file(folder_ / "small.yaml",
             changed("{shape: box, size: [0.4, 0.1, 0.1], elements: 100}", "{file: \"${HOLO_DATA_DIR}/one.msh\"}"));
  setenv("HOLO_DATA_DIR", (folder_ / "data").c_str(), 1);
  stopped_run("out");
  // What is missing is placed in the file that is read now.
  expect_refused({"resume", "out"}, {"out/experiment.yaml:", "one.msh"}, {.environment = {{"HOLO_DATA_DIR", "/nowhere"}}});
  fs::rename(folder_ / "data", folder_ / "moved");
  setenv("HOLO_DATA_DIR", (folder_ / "moved").c_str(), 1);
  expect_goes_on("out");
  unsetenv("HOLO_DATA_DIR");
}

TEST_F(Faults, RunThatWasEndedBeforeItsFirstCheckpointCanBeBegunInTheSameFolder) {
  stopped_run("out");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "out")) {
    const std::string name = entry.path().filename().string();
    if (name != "lock" && name != "files.txt" && name != "experiment.yaml" && name != "study.json")
      fs::remove_all(entry.path());
  }
  expect_refused({"resume", "out"}, {"out: the run has no checkpoint", "--out may name this folder"});
  const ProcessResult result = in_folder({"run", "small.yaml", "--out", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "ended before its first checkpoint")) << result.err;
  expect_refused({"resume", "nowhere"}, {"nowhere: there is no such run folder"});
  expect_refused({"report", "nowhere"}, {"nowhere: there is no such run folder"});
}

TEST_F(Faults, ClosedAndFullStreamsLeaveTheExitCodeAndTheRunAlone) {
  const ProcessOptions full_error{.redirected = {{2, "/dev/full"}}};
  EXPECT_EQ(in_folder({"check", "nope.yaml"}, full_error).exit_code, 2);
  EXPECT_EQ(in_folder({"check", "nope.yaml"}, {.redirected = {{1, "/dev/full"}, {2, "/dev/full"}}}).exit_code, 2);
  EXPECT_EQ(in_folder({"check", "nope.yaml"}, {.closed = {1, 2}}).exit_code, 2);
  EXPECT_EQ(in_folder({"run", "small.yaml", "--out", "whole"}).exit_code, 0);
  const std::vector<std::vector<int>> closings = {{2}, {0, 1, 2}};
  for (const std::vector<int>& closed : closings) {
    const std::string out = "closed" + std::to_string(closed.size());
    EXPECT_EQ(in_folder({"run", "small.yaml", "--out", out}, {.closed = closed}).exit_code, 0);
    EXPECT_EQ(read_file(folder_ / out / "metrics.csv"), read_file(folder_ / "whole/metrics.csv"));
    const std::string log = read_file(folder_ / out / "log.jsonl"), lock = read_file(folder_ / out / "lock");
    EXPECT_EQ(log.rfind("{\"seconds\"", 0), 0u) << log.substr(0, 200);
    EXPECT_EQ(lock.find_first_not_of("0123456789"), std::string::npos) << lock;
  }
}

TEST_F(Faults, TenReportsAtOnceAllSucceed) {
  ASSERT_EQ(in_folder({"run", "small.yaml", "--out", "out"}).exit_code, 0);
  const ProcessResult one = in_folder({"report", "out"});
  if (one.exit_code == 1 && contains(one.err, "npm")) GTEST_SKIP() << one.err;
  const std::string page = read_file(folder_ / "out/report.html");
  std::vector<std::unique_ptr<Process>> reports;
  for (int i = 0; i < 10; ++i)
    reports.push_back(std::make_unique<Process>(std::vector<std::string>{program(), "report", "out"},
                                                ProcessOptions{.folder = folder_.path()}));
  for (const auto& report : reports) {
    const ProcessResult result = report->wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_TRUE(read_file(folder_ / "out/report.html") == page);
  for (const std::string& file : files_below(folder_ / "out")) EXPECT_FALSE(contains(file, ".partial")) << file;
}

// Where OpenBLAS cannot have its memory it asks for it for ever.
TEST_F(Faults, TooLowALimitOnTheAddressSpaceIsToldAndEnds) {
  for (const rlim_t megabytes : {90, 150, 200, 260})
    for (const char* threads : {"", "1"}) {
      const ProcessResult result =
          in_folder({"run", "small.yaml", "--out", "out"},
                    {.environment = {{"OPENBLAS_NUM_THREADS", threads}}, .address_space_limit = megabytes << 20});
      if (result.exit_code == 0) {
        fs::remove_all(folder_ / "out");
        continue;
      }
      EXPECT_EQ(result.exit_code, 1) << megabytes << " MB: " << result.err;
      EXPECT_TRUE(contains(result.err, "out of memory") || contains(result.err, "cannot allocate")) << result.err;
    }
}

// --- plugins that end the program

const std::string fatal_plugins = HOLO_FATAL_PLUGIN_FOLDER;

TEST_F(Faults, PluginThatExitsWhenItIsReadIsNamedAndIsNoSuccess) {
  write_file(folder_ / "fatal.yaml", changed("type: neo_hookean_paper", "type: exits_when_read"));
  const ProcessResult result = in_folder({"run", "fatal.yaml", "--plugin-path", fatal_plugins + "/exits_when_read"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "while the plugin 'exits_when_read'")) << result.err;
  EXPECT_TRUE(contains(result.err, "was being read: its code ended the program (exit)")) << result.err;
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

TEST_F(Faults, PluginThatCrashesWhenItIsLoadedIsNamed) {
  const ProcessResult result = in_folder({"list", "materials", "--plugin-path", fatal_plugins + "/crashes_when_loaded"});
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_TRUE(contains(result.err, "while the plugin 'crashes_when_loaded'")) << result.err;
  EXPECT_TRUE(contains(result.err, "was being loaded: its code crashed")) << result.err;
}

}  // namespace
}  // namespace holo_test
