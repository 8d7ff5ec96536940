// What the files of a robot's run, and so its report, call things.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace holo_test {
namespace {

using Json = nlohmann::json;

TEST(RobotReport, KeepsTheExperimentsNamesAndTellsEachUnit) {
  TemporaryFolder folder;
  const std::string fourbar = HOLO_SOURCE_DIR "/experiments/robot_design/fourbar_coupler.yaml";
  ProcessResult run = holo({"run", fourbar, "--set", "solver.max_iterations=2", "--out", "out"}, {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 3) << run.err;
  const Json study = Json::parse(read_file(folder / "out/study.json"));
  bool found = false;
  for (const Json& column : study["columns"]) {
    EXPECT_FALSE(contains(column["unit"], " or ")) << column;
    if (column["name"] == "control_crank_pivot_initial") found = column["unit"] == "rad";
  }
  EXPECT_TRUE(found) << study["columns"];
  for (const Json& plot : study["plots"]) EXPECT_EQ(plot["own_names"], plot["title"] != "Smallest singular value") << plot;
  const Json result = Json::parse(read_file(folder / "out/result.json"));
  const Json& design = result["tables"][0];
  EXPECT_EQ(design["title"], "Design parameters");
  for (const Json& row : design["rows"]) EXPECT_EQ(row[3], "m") << design;
  const std::string report = read_file(folder / "out/report.html");
  if (report.empty()) GTEST_SKIP() << "this build has no report page (npm was missing)";
  EXPECT_TRUE(contains(report, "coupler_a_position_error_initial"));
  EXPECT_FALSE(contains(report, "coupler a position error"));
}

}  // namespace
}  // namespace holo_test
