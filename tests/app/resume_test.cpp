// A run that was stopped or killed at any moment goes on to the same bits.

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

class Resume : public testing::Test {
 protected:
  Resume() { write_file(folder_ / "small.yaml", small_experiment); }

  std::vector<std::string> long_run(const std::string& out) { return {"run", "small.yaml", "--variant", "long", "--out", out}; }
  ProcessResult in_folder(const std::vector<std::string>& arguments) { return holo(arguments, options_); }

  void expect_same_numbers(const std::string& a, const std::string& b) {
    for (const char* file : {"metrics.csv", "frames.bin", "frames.pvd", "result.json"}) {
      std::string in_a = read_file(folder_ / a / file);
      ASSERT_FALSE(in_a.empty());
      EXPECT_TRUE(in_a == read_file(folder_ / b / file)) << file << " of " << a << " and " << b << " differ";
    }
    EXPECT_EQ(files_below(folder_ / a / "frames"), files_below(folder_ / b / "frames"));
    for (const std::string& frame : files_below(folder_ / a / "frames"))
      EXPECT_TRUE(read_file(folder_ / a / "frames" / frame) == read_file(folder_ / b / "frames" / frame)) << frame;
  }

  // Waits until the run has written this many rows, or has ended.
  void wait_for_rows(Process& process, const std::string& out, std::ptrdiff_t rows) {
    auto written = [&] {
      std::string table = read_file(folder_ / out / "metrics.csv");
      return std::count(table.begin(), table.end(), '\n');
    };
    while (written() < rows && !process.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // A run stopped after some steps.
  ProcessResult stopped_run(const std::string& out, int number, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = long_run(out);
    arguments.insert(arguments.end(), more.begin(), more.end());
    Process process = start_holo(arguments, options_);
    wait_for_rows(process, out, 6);
    process.signal(number);
    return process.wait();
  }

  TemporaryFolder folder_;
  ProcessOptions options_{.folder = folder_.path()};
};

TEST_F(Resume, InterruptEndsAtTheNextStepAndSaysHowToGoOn) {
  ProcessResult whole = in_folder(long_run("whole"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::string out = "stopped" + std::to_string(number);
    ProcessResult stopped = stopped_run(out, number);
    EXPECT_EQ(stopped.exit_code, 4) << stopped.out << stopped.err;
    EXPECT_TRUE(contains(stopped.out, "holo resume " + out)) << stopped.out;
    EXPECT_FALSE(fs::exists(folder_ / out / "result.json"));
    ProcessResult resumed = in_folder({"resume", out});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(contains(read_file(folder_ / out / "log.jsonl"), "\"event\":\"resume\""));
    expect_same_numbers("whole", out);
  }
}

TEST_F(Resume, TwentyRunsKilledAtRandomMomentsComeToTheSameBits) {
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(in_folder(long_run("whole")).exit_code, 0);
  std::chrono::duration<double> length = std::chrono::steady_clock::now() - begin;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> moment(0.02, 1.0);
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    std::string out = "killed" + std::to_string(i);
    Process process = start_holo(long_run(out), options_);
    std::this_thread::sleep_for(length * moment(random));
    process.signal(SIGKILL);
    killed += process.wait().signal == SIGKILL;
    // Killed before its first checkpoint: there is nothing to go on with, the message says so, and the folder can be used.
    ProcessResult resumed = in_folder({"resume", out});
    if (resumed.exit_code == 2 && !fs::exists(folder_ / out / "checkpoint")) resumed = in_folder(long_run(out));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    expect_same_numbers("whole", out);
    fs::remove_all(folder_ / out);
  }
  EXPECT_GE(killed, 5) << "most runs had ended before they were killed: the test shows nothing";
}

TEST_F(Resume, KilledTwiceComesToTheSameBits) {
  ASSERT_EQ(in_folder(long_run("whole")).exit_code, 0);
  ASSERT_EQ(stopped_run("twice", SIGKILL).signal, SIGKILL);
  Process again = start_holo({"resume", "twice"}, options_);
  wait_for_rows(again, "twice", 20);
  again.signal(SIGKILL);
  again.wait();
  EXPECT_EQ(in_folder({"resume", "twice"}).exit_code, 0);
  expect_same_numbers("whole", "twice");
}

TEST_F(Resume, FinishedRunSaysSoAndKeepsItsCode) {
  in_folder({"run", "small.yaml", "--out", "good"});
  ProcessResult good = in_folder({"resume", "good"});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_TRUE(contains(good.out, "already finished")) << good.out;
  in_folder({"run", "small.yaml", "--out", "missed", "--set", "acceptance=[{metric: steps, at_most: 1}]"});
  EXPECT_EQ(in_folder({"resume", "missed"}).exit_code, 3);
}

TEST_F(Resume, AnotherPluginIsRefusedByName) {
  fs::path plugin = fs::path(HOLO_BINARY_DIR) / "plugins/neo_hookean_paper.so";
  fs::create_directory(folder_ / "plugins");
  fs::copy_file(plugin, folder_ / "plugins/neo_hookean_paper.so");
  ASSERT_EQ(stopped_run("out", SIGINT, {"--plugin-path", "plugins"}).exit_code, 4);
  std::ofstream(folder_ / "plugins/neo_hookean_paper.so", std::ios::app) << "another build";
  ProcessResult result = in_folder({"resume", "out", "--plugin-path", "plugins"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "the plugin 'neo_hookean_paper' has changed")) << result.err;
}

TEST_F(Resume, AnotherProgramIsRefused) {
  ASSERT_EQ(stopped_run("out", SIGINT).exit_code, 4);
  nlohmann::json provenance = nlohmann::json::parse(read_file(folder_ / "out/provenance.json"));
  provenance["program"]["hash"] = "0123456789abcdef";
  write_file(folder_ / "out/provenance.json", provenance.dump());
  ProcessResult result = in_folder({"resume", "out"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "the program 'holo' has changed")) << result.err;
}

TEST_F(Resume, ReportOfAKilledRunShowsWhatThereIs) {
  ASSERT_EQ(stopped_run("out", SIGKILL).signal, SIGKILL);
  ProcessResult result = in_folder({"report", "out"});
  if (result.exit_code == 1 && contains(result.err, "npm")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
}

// Behind the last checkpoint no checksum finds the damage.
TEST_F(Resume, ReportOfATableThatGoesBackInTimeIsRefusedWithItsName) {
  ASSERT_EQ(stopped_run("out", SIGINT).exit_code, 4);
  const std::string table = read_file(folder_ / "out/metrics.csv");
  const std::size_t row = table.find('\n') + 1;
  write_file(folder_ / "out/metrics.csv", table + table.substr(row, table.find('\n', row) + 1 - row));
  ProcessResult result = in_folder({"report", "out"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_TRUE(contains(result.err, "out/metrics.csv: the column 'time' goes back from")) << result.err;
}

}  // namespace
}  // namespace holo_test
