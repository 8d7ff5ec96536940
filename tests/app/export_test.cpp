// What `holo export` writes is what the run computed, in formats that others read.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

class Export : public testing::Test {
 protected:
  Export() { write_file(folder_ / "small.yaml", small_experiment); }
  ProcessResult call(const std::vector<std::string>& words) { return holo(words, {.folder = folder_.path()}); }
  void run() {
    const ProcessResult result = call({"run", "small.yaml", "--out", "run"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Export, ColumnsAreThoseOfTheRunAndPositionsHaveOneRowForEachVertexOfEachFrame) {
  run();
  const ProcessResult result = call({"export", "run", "--out", "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(folder_ / "out/columns.csv"), read_file(folder_ / "run/metrics.csv"));

  const std::string positions = read_file(folder_ / "out/positions.npy"), steps = read_file(folder_ / "out/steps.npy");
  ASSERT_EQ(positions.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const auto header_of = [](const std::string& file) {
    std::uint16_t length = 0;
    std::memcpy(&length, file.data() + 8, 2);
    return file.substr(10, length);
  };
  const std::string header = header_of(positions), step_header = header_of(steps);
  EXPECT_EQ((10 + header.size()) % 64, 0u);
  int frames = 0, vertices = 0;
  ASSERT_EQ(std::sscanf(header.c_str(), "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d, 3)", &frames, &vertices), 2)
      << header;
  EXPECT_EQ(frames, 11);  // the first, and ten steps at 100 frames a second
  ASSERT_EQ(positions.size(), 10 + header.size() + std::size_t(frames) * std::size_t(vertices) * 3 * sizeof(double));

  // The last step's number, and a last frame in which no vertex is farther from the bar than it was shaken or fell.
  std::int64_t last = 0;
  std::memcpy(&last, steps.data() + steps.size() - sizeof last, sizeof last);
  EXPECT_EQ(last, 10);
  for (std::size_t at = 10 + header.size(); at < positions.size(); at += 3 * sizeof(double)) {
    double x = 0;
    std::memcpy(&x, positions.data() + at, sizeof x);
    ASSERT_GT(x, -0.2);
    ASSERT_LT(x, 0.6);
  }
}

TEST_F(Export, WithoutAFolderItWritesBesideTheRunsFiles) {
  run();
  ASSERT_EQ(call({"export", "run"}).exit_code, 0);
  EXPECT_FALSE(read_file(folder_ / "run/export/positions.npy").empty());
}

TEST_F(Export, TablesOfAStudyAreCopiedAndDamagedOnesRefused) {
  const std::string four_bar = HOLO_SOURCE_DIR "/experiments/robot_design/fourbar_coupler.yaml";
  ASSERT_EQ(call({"run", four_bar, "--variant", "quick", "--out", "robot"}).exit_code, 0);
  ASSERT_EQ(call({"export", "robot", "--out", "out"}).exit_code, 0);
  for (const char* table : {"body_poses.csv", "joint_coordinates.csv"}) {
    const std::string copy = read_file(folder_ / "out" / table);
    EXPECT_GT(std::count(copy.begin(), copy.end(), '\n'), 10) << table;
    EXPECT_EQ(copy, read_file(folder_ / "robot/tables" / table));
  }
  write_file(folder_ / "robot/tables/body_poses.csv", "motion,knot\n");
  const ProcessResult damaged = call({"export", "robot", "--out", "again"});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_TRUE(contains(damaged.err, "tables/body_poses.csv")) << damaged.err;
}

TEST_F(Export, BadInputIsAFolderThatIsNoRunAndAFileThatIsThereAlready) {
  const ProcessResult no_run = call({"export", "nowhere"});
  EXPECT_EQ(no_run.exit_code, 2);
  EXPECT_TRUE(contains(no_run.err, "nowhere: no run: it holds no metrics.csv. Name a folder that `holo run` wrote"))
      << no_run.err;
  run();
  ASSERT_EQ(call({"export", "run", "--out", "out"}).exit_code, 0);
  const ProcessResult twice = call({"export", "run", "--out", "out"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.err, "out/columns.csv: there is a file already, and none is replaced; name another folder"))
      << twice.err;
  EXPECT_EQ(read_file(folder_ / "out/columns.csv"), read_file(folder_ / "run/metrics.csv"));
}

}  // namespace
}  // namespace holo_test
