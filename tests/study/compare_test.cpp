#include "holo/study/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/frames_file.h"
#include "temporary_folder.h"

namespace holo {
namespace {

class CompareRuns : public testing::Test {
 protected:
  // A run of one tetrahedron in a box of diagonal 10; its last vertex stands at x = `tip` in the last frame.
  std::filesystem::path run(const std::string& name, double tip, const std::string& iterations = "3\n", int vertices = 4) {
    Scene layout;
    layout.length = 10;
    layout.bodies = {{"body", vertices, {{0, 1, 2, 3}}, {}}};
    SceneFrame first{0, 0, std::vector<double>(3 * static_cast<std::size_t>(vertices), 1.0), {}}, last = first;
    last.step = 1;
    last.positions[9] = tip;
    std::filesystem::create_directories(folder_ / name);
    write_whole_file(folder_ / name / "frames.bin",
                     frames_file_header(layout) + frame_record(layout, first) + frame_record(layout, last));
    write_whole_file(folder_ / name / "metrics.csv", "newton_iterations\n0\n" + iterations);
    return folder_ / name;
  }

  holo_test::TemporaryFolder folder_;
};

TEST_F(CompareRuns, SameRunsAreTheSame) { EXPECT_TRUE(compare_runs(run("a", 1), run("b", 1), 0).same); }

TEST_F(CompareRuns, ToleranceIsRelativeToTheBoundingBox) {
  auto a = run("a", 1), b = run("b", 1 + 0.99e-8), c = run("c", 1 + 1.01e-8);
  EXPECT_TRUE(compare_runs(a, b, 1e-9).same);
  EXPECT_FALSE(compare_runs(a, c, 1e-9).same);
}

TEST_F(CompareRuns, NotANumberIsNeverTheSame) {
  EXPECT_FALSE(compare_runs(run("a", 1), run("b", std::nan("")), 1e9).same);
  EXPECT_FALSE(compare_runs(run("c", std::nan("")), run("d", std::nan("")), 1e9).same);
}

TEST_F(CompareRuns, IterationsMustBeEqualAtEachStep) {
  EXPECT_FALSE(compare_runs(run("a", 1, "3\n4\n"), run("b", 1, "4\n3\n")).same);
  EXPECT_FALSE(compare_runs(run("c", 1, "3\n4\n"), run("d", 1, "3\n")).same);
}

TEST_F(CompareRuns, LinesTellTheLargestDifference) {
  Comparison comparison = compare_runs(run("a", 1), run("b", 1.5));
  ASSERT_EQ(comparison.lines.size(), 2u);
  EXPECT_NE(comparison.lines[1].find("0.05 of the bounding box"), std::string::npos) << comparison.lines[1];
}

using CompareRunsBadInput = CompareRuns;

TEST_F(CompareRunsBadInput, OtherMeshesAndOtherFoldersAreRefused) {
  EXPECT_THROW(compare_runs(run("a", 1), run("b", 1, "3\n", 5)), Error);
  EXPECT_THROW(compare_runs(run("c", 1), folder_ / "nowhere"), Error);
}

}  // namespace
}  // namespace holo
