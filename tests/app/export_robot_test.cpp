// Optimized robots that `holo export` writes, in MuJoCo: the bodies stand where the run has them, and the loops are closed.

#include <gtest/gtest.h>

#ifdef HOLO_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "process.h"

namespace holo_test {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

double number_in(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }  // tiny numbers too

std::vector<std::vector<std::string>> table_of(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) rows.push_back(cells_of(line));
  return rows;
}

#ifdef HOLO_MUJOCO
using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

class ExportRobot : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string experiment = std::string(HOLO_SOURCE_DIR "/experiments/robot_design/") + GetParam() + ".yaml";
    const ProcessResult run = holo({"run", experiment, "--variant", "quick", "--out", "run"}, {.folder = folder_.path()});
    ASSERT_TRUE(run.exit_code == 0 || run.exit_code == 3) << run.err;
    const ProcessResult written =
        holo({"export", "run", "--out", "out", "--format", "csv,mjcf,urdf"}, {.folder = folder_.path()});
    ASSERT_EQ(written.exit_code, 0) << written.err;
  }

  TemporaryFolder folder_;
};

// The bound of the loops: 1e-6 m. The run's own equations hold to 1e-8 of the robot's size.
TEST_P(ExportRobot, LoopsAreClosedInMuJoCoAndBodiesStandWhereTheRunHasThem) {
  char problem[1000] = "";
  const Model model(mj_loadXML((folder_ / "out/robot.xml").c_str(), nullptr, problem, sizeof problem), mj_deleteModel);
  ASSERT_TRUE(model) << problem;
  const Data data(mj_makeData(model.get()), mj_deleteData);
  const auto positions = table_of(folder_ / "out/robot_positions.csv"), poses = table_of(folder_ / "out/body_poses.csv");
  ASSERT_EQ(model->nkey, int(positions.size()) - 1);
  ASSERT_EQ(model->nq, int(positions[0].size()) - 2);
  ASSERT_GT(model->neq, 0) << "the robot has no loop";
  double largest_gap = 0, largest_distance = 0;
  int compared = 0;
  for (int knot = 0; knot < model->nkey; ++knot) {
    for (int i = 0; i < model->nq; ++i) {
      data->qpos[i] = number_in(positions[std::size_t(knot) + 1][std::size_t(i) + 2]);
      EXPECT_EQ(data->qpos[i], model->key_qpos[knot * model->nq + i]);
    }
    mj_fwdPosition(model.get(), data.get());
    int equations = 0;
    for (int i = 0; i < data->nefc; ++i)
      if (data->efc_type[i] == mjCNSTR_EQUALITY) {
        largest_gap = std::max(largest_gap, std::abs(data->efc_pos[i]));
        ++equations;
      }
    EXPECT_GE(equations, 3);
    for (const std::vector<std::string>& row : poses) {
      if (row[0] != "optimized" || row[1] != std::to_string(knot)) continue;
      const int body = mj_name2id(model.get(), mjOBJ_BODY, row[3].c_str());
      ASSERT_GE(body, 0) << row[3];
      for (int axis = 0; axis < 3; ++axis)
        largest_distance =
            std::max(largest_distance, std::abs(data->xpos[3 * body + axis] - number_in(row[std::size_t(4 + axis)])));
      double cosine = 0;  // of half the angle between the orientations
      for (int i = 0; i < 4; ++i) cosine += data->xquat[4 * body + i] * number_in(row[std::size_t(7 + i)]);
      EXPECT_NEAR(std::abs(cosine), 1, 1e-12) << row[3];
      ++compared;
    }
  }
  EXPECT_GT(compared, model->nkey);
  // Elsewhere the same equations are open.
  data->qpos[0] += 0.1;
  mj_fwdPosition(model.get(), data.get());
  EXPECT_GT(*std::max_element(data->efc_pos, data->efc_pos + data->nefc), 1e-3);
  EXPECT_LE(largest_gap, 1e-6);
  EXPECT_LE(largest_distance, 1e-6);
  // The URDF has the joints, too.
  const Model urdf(mj_loadXML((folder_ / "out/robot.urdf").c_str(), nullptr, problem, sizeof problem), mj_deleteModel);
  ASSERT_TRUE(urdf) << problem;
  for (int joint = 0; joint < model->njnt; ++joint)
    EXPECT_GE(mj_name2id(urdf.get(), mjOBJ_JOINT, mj_id2name(model.get(), mjOBJ_JOINT, joint)), 0);
  RecordProperty("largest_gap", std::to_string(1e9 * largest_gap) + " nm");
}

INSTANTIATE_TEST_SUITE_P(Robots, ExportRobot, testing::Values("fig07_legs", "fourbar_coupler"));
#endif

}  // namespace
}  // namespace holo_test
