// Characters of MJCF files against MuJoCo, which reads the same files: poses of bodies, mass matrices, bias forces.
#include <gtest/gtest.h>

#ifndef HOLO_MUJOCO

TEST(CharactersAgainstMujoco, NeedMujoco) {
  GTEST_SKIP() << "MuJoCo was not found when the build was configured; install libmujoco-dev (third_party/README.md)";
}

#else

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "character_motion.h"
#include "holo/sim/articulated/dynamics/character_from_robot.h"
#include "holo/sim/articulated/robot_reader.h"
#include "mujoco_model.h"

namespace holo::articulated::mujoco_tests {

using namespace test;

struct MujocoCase {
  const char* name;
  std::string text;            // MJCF
  std::filesystem::path file;  // or the file that has it
};

// All joints, with offsets, inclined axes, references, armature, orientations of every form and masses of every kind.
const char* const free_and_ball = R"(<mujoco>
  <compiler angle="degree"/>
  <worldbody>
    <body name="trunk" pos="0.1 -0.2 1.3" euler="20 -30 50">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.15" pos="0.02 0.01 -0.03" euler="10 20 30" density="700"/>
      <body name="arm" pos="0.2 0.1 0.1" quat="0.8 0.3 -0.4 0.2">
        <joint name="shoulder" type="ball" pos="0.01 -0.02 0.03"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 -0.1" size="0.04"/>
        <body name="hand" pos="0.3 0.1 -0.1" axisangle="1 2 3 40">
          <joint name="wrist" type="ball"/>
          <geom type="ellipsoid" size="0.05 0.03 0.08" mass="0.4"/>
        </body>
      </body>
      <body name="leg" pos="-0.1 0.05 -0.2" xyaxes="1 0.2 0 -0.2 1 0.3">
        <joint name="hip" axis="1 -2 0.5" pos="0.02 0 0.05" ref="25" armature="0.03"/>
        <joint name="knee" axis="0 1 0.3" pos="0 0 -0.2" armature="0.01"/>
        <inertial pos="0.01 0.02 -0.1" mass="1.5" fullinertia="0.02 0.03 0.025 0.001 -0.002 0.003"/>
        <body name="foot" pos="0 0 -0.3">
          <joint name="ankle" type="slide" axis="0.3 0 1" ref="0.1" armature="0.2"/>
          <geom type="cylinder" size="0.05 0.1" zaxis="1 1 0"/>
          <geom type="sphere" size="0.06" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

const char* const on_the_world = R"(<mujoco>
  <option gravity="1 -2 -7"/>
  <worldbody>
    <body name="cart" pos="0 0.3 0.5">
      <joint name="rail" type="slide" axis="1 0.5 0" armature="0.5"/>
      <geom type="box" size="0.2 0.2 0.1"/>
      <body name="plate" pos="0 0 0.1"><geom type="box" size="0.1 0.1 0.02" mass="2"/>
        <body name="rod" pos="0 0 0.1">
          <joint name="tilt" axis="0 1 0"/><joint name="lean" axis="1 0 0" pos="0 0 0.05"/>
          <inertial pos="0 0 0.4" quat="0.9 0.1 0.2 0.3" mass="0.7" diaginertia="0.03 0.04 0.02"/>
          <body name="top" pos="0 0 0.8"><joint name="spin" axis="0 0 1"/><geom type="capsule" size="0.05 0.2" euler="0.5 0 0"/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

#ifdef HOLO_DATA_DIR
const std::filesystem::path public_robots = std::filesystem::path(HOLO_DATA_DIR) / "robots/mjcf";

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The public ant stands on the world; here it moves freely.
std::string free_ant() {
  std::string text = text_of(public_robots / "ant.xml");
  const std::size_t torso = text.find("<body name=\"torso\"");
  return text.insert(text.find('>', torso) + 1, "<freejoint/>");
}
#endif

std::vector<MujocoCase> mujoco_cases() {
  std::vector<MujocoCase> cases{{"FreeAndBallJoints", free_and_ball, ""}, {"HingesAndSlidesOnTheWorld", on_the_world, ""}};
#ifdef HOLO_DATA_DIR
  cases.push_back({"Ant", free_ant(), ""});
  for (const char* name : {"humanoid", "arm26_muscles", "slider_crank"})
    cases.push_back({name, "", public_robots / (name + std::string(".xml"))});
  for (const char* name : {"cheetah", "hopper", "walker", "swimmer", "humanoid_CMU"})
    cases.push_back({name, "", public_robots / "dm_suite" / (name + std::string(".xml"))});
#endif
  return cases;
}

class CharactersAgainstMujoco : public testing::TestWithParam<MujocoCase> {
 protected:
  void SetUp() override {
    file_ = GetParam().file;
    if (!file_.empty()) return;
    const std::string name = std::string("mujoco_") + GetParam().name + "_" + std::to_string(::getpid()) + ".xml";
    file_ = std::filesystem::path(testing::TempDir()) / name;
    std::ofstream(file_) << GetParam().text;
  }
  void TearDown() override {
    if (GetParam().file.empty()) std::filesystem::remove(file_);
  }
  CharacterModel character(BaseChart chart) const {
    const ArticulatedFile robot = read_articulated(file_);
    return character_from_robot(robot.model, robot.pose, {{chart, "zyx"}});
  }
  std::filesystem::path file_;
};
std::string case_name(const testing::TestParamInfo<MujocoCase>& given) { return given.param.name; }
INSTANTIATE_TEST_SUITE_P(Models, CharactersAgainstMujoco, testing::ValuesIn(mujoco_cases()), case_name);

Eigen::MatrixXd real_matrix(const std::vector<std::vector<double> >& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows.front().size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = rows[std::size_t(i)][std::size_t(j)];
  return matrix;
}

TEST_P(CharactersAgainstMujoco, HaveItsPosesAndMassMatrices) {
  MujocoModel mujoco(file_);
  for (const BaseChart chart : {BaseChart::euler, BaseChart::rotation_vector}) {
    const CharacterModel model = character(chart);
    StepConstants step;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const CharacterPose pose = three_poses(model, seed, 1, 0, true).newest;
      StateMemory<double> state(model);
      state.set(model, pose);
      mujoco.set_pose(model, state);
      EXPECT_LT(mujoco.frame_difference(model, state), 1e-12);
      const Eigen::MatrixXd G = real_matrix(mujoco.velocity_map(model, state));
      ASSERT_EQ(G.rows(), G.cols());
      const Eigen::MatrixXd expected = G.transpose() * mujoco.mass_matrix() * G;
      const Eigen::MatrixXd M = step.time_step * step.time_step * closed_form(model, step, {pose, pose, pose}).D[2];
      EXPECT_LT((M - expected).cwiseAbs().maxCoeff(), 1e-10 * expected.cwiseAbs().maxCoeff());
    }
  }
}

// The residual of mid at equal steps q + v dt, q, q - v dt without joint forces is even in dt: of three steps, halved each, the
// limit dt = 0 is known but for terms of dt^6.
Eigen::VectorXd limit_of_residual(const CharacterModel& model, StepConstants step, const CharacterPose& pose,
                                  const Eigen::VectorXd& velocity) {
  CharacterData data = model.data();
  std::vector<DegreeOfFreedom> dofs = model.dofs();
  for (DegreeOfFreedom& dof : dofs) dof.stiffness = dof.damping = dof.limit_weight = 0;
  std::vector<RotationChart> charts(data.charts, data.charts + data.chart_count);
  for (RotationChart& chart : charts) chart.cone_weight = 0;
  data.dofs = dofs.data();
  data.charts = charts.data();
  step.inertia = InertiaRule::mid;
  Eigen::VectorXd values[3];
  StepMemory<double> memory(model);
  memory.current.set(model, pose);
  for (int level = 0; level < 3; ++level) {
    step.time_step = 1.0 / (64 << level);
    CharacterPose newest = pose, previous = pose;
    for (std::size_t j = 0; j < pose.coordinates.size(); ++j) {
      newest.coordinates[j] += step.time_step * velocity[Eigen::Index(j)];
      previous.coordinates[j] -= step.time_step * velocity[Eigen::Index(j)];
    }
    memory.newest.set(model, newest);
    memory.previous.set(model, previous);
    values[level].resize(model.dof_count());
    step_residual(data, step, memory.states(), memory.workspace(), values[level].data());
  }
  const Eigen::VectorXd coarse = (4 * values[1] - values[0]) / 3, fine = (4 * values[2] - values[1]) / 3;
  return (16 * fine - coarse) / 15;
}

// d(G v)/dt for constant rates of the coordinates, by a complex step along them.
Eigen::VectorXd change_of_map(const MujocoModel& mujoco, const CharacterModel& model, const CharacterPose& pose,
                              const Eigen::VectorXd& velocity) {
  StateMemory<ComplexStep> state(model);
  state.set(model, pose);
  for (std::size_t j = 0; j < pose.coordinates.size(); ++j)
    state.coordinates[j] = ComplexStep::seed(pose.coordinates[j], velocity[Eigen::Index(j)]);
  state.update(model);
  const std::vector<std::vector<ComplexStep> > G = mujoco.velocity_map(model, state);
  Eigen::VectorXd change = Eigen::VectorXd::Zero(Eigen::Index(G.size()));
  for (std::size_t i = 0; i < G.size(); ++i)
    for (std::size_t j = 0; j < G[i].size(); ++j) change[Eigen::Index(i)] += G[i][j].derivative() * velocity[Eigen::Index(j)];
  return change;
}

// With v = G dq/dt and no acceleration of the coordinates, the generalized forces are G^T (M dG/dt dq/dt + bias).
TEST_P(CharactersAgainstMujoco, HaveItsBiasForcesAsLimitOfSmallTimeSteps) {
  MujocoModel mujoco(file_);
  StepConstants step;
  for (int i = 0; i < 3; ++i) step.gravity[i] = mujoco.model().opt.gravity[i];
  for (const BaseChart chart : {BaseChart::euler, BaseChart::rotation_vector}) {
    const CharacterModel model = character(chart);
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const CharacterPose pose = three_poses(model, seed, 1, 0, true).newest;
      const std::vector<double> rates = random_velocity(model, seed, 2);
      const Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(rates.data(), model.dof_count());
      StateMemory<double> state(model);
      state.set(model, pose);
      mujoco.set_pose(model, state);
      const Eigen::MatrixXd G = real_matrix(mujoco.velocity_map(model, state));
      mujoco.set_velocity(G * velocity);
      const Eigen::VectorXd expected =
          G.transpose() * (mujoco.mass_matrix() * change_of_map(mujoco, model, pose, velocity) + mujoco.bias());
      const Eigen::VectorXd forces = limit_of_residual(model, step, pose, velocity);
      // forces of the size M v^2 may cancel, their rounding errors do not
      const double scale = expected.cwiseAbs().maxCoeff() + mujoco.mass_matrix().cwiseAbs().maxCoeff() * velocity.squaredNorm();
      EXPECT_LT((forces - expected).cwiseAbs().maxCoeff(), 1e-9 * scale);
    }
  }
}

// MuJoCo moves a mesh to its center of mass and principal axes, and its geom so that the vertices stay: in single precision.
TEST(MeshesAgainstMujoco, HaveTheirContactPointsAtItsVertices) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("mujoco_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts/wedge.obj")
      << "v 0 0 0\nv 0.4 0 0\nv 0 0.3 0\nv 0.1 0.1 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::ofstream(folder / "robot.xml") << R"(<mujoco>
    <compiler meshdir="parts" angle="radian"/>
    <asset><mesh name="wedge" file="wedge.obj" scale="1 2 0.5"/></asset>
    <worldbody>
      <body name="arm" pos="0 0.1 1">
        <joint name="hinge" axis="1 2 0"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom type="mesh" mesh="wedge" pos="0.3 -0.2 0.1" euler="0.4 -0.3 0.8"/>
      </body>
    </worldbody>
  </mujoco>)";
  const ArticulatedFile robot = read_articulated(folder / "robot.xml");
  const CharacterModel model = character_from_robot(robot.model, robot.pose);
  MujocoModel mujoco(folder / "robot.xml");
  StateMemory<double> state(model);
  state.set(model, {{0.7}, {}});
  mujoco.set_pose(model, state);
  const mjModel& m = mujoco.model();
  ASSERT_EQ(model.contact_points().size(), 4u);
  std::vector<double> nearest(4, 1e300);  // of MuJoCo's vertices, which are those of triangles, to the contact points
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> > turn(mujoco.data().geom_xmat);
  for (int vertex = 0; vertex < m.nmeshvert; ++vertex) {
    const Eigen::Vector3d place = Eigen::Map<const Eigen::Vector3d>(mujoco.data().geom_xpos) +
                                  turn * Eigen::Map<const Eigen::Vector3f>(m.mesh_vert + 3 * vertex).cast<double>();
    double least = 1e300;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vector3<double> point = state.frames[0] * model.contact_points()[i].center;
      const double distance = norm(point - Vector3<double>{place[0], place[1], place[2]});
      nearest[i] = std::min(nearest[i], distance);
      least = std::min(least, distance);
    }
    EXPECT_LT(least, 1e-6);
  }
  EXPECT_LT(*std::max_element(nearest.begin(), nearest.end()), 1e-6);
  std::filesystem::remove_all(folder);
}

}  // namespace holo::articulated::mujoco_tests

#endif
