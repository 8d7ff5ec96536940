#pragma once
// Trajectories of characters on a floor, with losses, for the tests of their optimization.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "character_samples.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/articulated/dynamics/contact_weights.h"
#include "holo/sim/articulated/trajectory/static_pose.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"
#include "holo/sim/losses/signal_store.h"

namespace holo::articulated::test {

inline const PluginHost& loss_host() {
  static const PluginHost host({std::filesystem::path(HOLO_BINARY_DIR) / "plugins"});
  return host;
}

inline std::shared_ptr<const CharacterModel> shared_character(const std::string& name, BaseChart chart) {
  return std::make_shared<const CharacterModel>(procedural_character(name, {{chart, "zyx"}, false}));
}

// A trajectory without losses above the plane z = 0, on which the character would stand 2 cm deep on all its contact points.
inline TrajectoryModel::Definition above_a_floor(std::shared_ptr<const CharacterModel> character, int steps) {
  TrajectoryModel::Definition definition;
  definition.character = std::move(character);
  definition.steps = steps;
  definition.obstacles.resize(1);
  const CharacterModel& model = *definition.character;
  const int points = std::max(int(model.contact_points().size()), 1);
  const ContactWeights weights = contact_weights(model.total_mass() * 9.81, points);
  definition.step.normal_weight = weights.normal;
  definition.step.tangential_weight = weights.tangential;
  definition.start = definition.before = model.rest();
  return definition;
}

inline StaticPose static_pose_of(const TrajectoryModel::Definition& definition, const CharacterPose& nominal) {
  StepConstants step = definition.step;
  step.obstacles = definition.obstacles.data();
  step.obstacle_count = int(definition.obstacles.size());
  return find_static_pose(*definition.character, step, nominal);
}

// The same that starts at rest on the floor.
inline TrajectoryModel::Definition standing(std::shared_ptr<const CharacterModel> character, int steps) {
  TrajectoryModel::Definition definition = above_a_floor(std::move(character), steps);
  const StaticPose found = static_pose_of(definition, definition.character->rest());
  EXPECT_TRUE(found.is_found) << found.diagnosis;
  definition.start = definition.before = found.pose;
  return definition;
}

inline void add_loss(TrajectoryModel::Definition& definition, const std::string& type, const std::string& yaml) {
  SignalStore signals(definition.steps + 1);
  for (const Eigen::MatrixXd& values : definition.data.signals)
    signals.add_constant({values.data(), values.data() + values.rows()});
  ConfigurationFile file = ConfigurationFile::parse(yaml, type + ".yaml");
  Configuration root = file.root();
  const ArticulatedNames names(*definition.character);
  for (LossInstance& made : create_losses(loss_host().get<LossPlugin>(type), root, names, signals))
    definition.losses.push_back({type, std::make_shared<const LossInstance>(std::move(made))});
  file.finish();
  definition.data.signals = signals.values();
}

// A walk forward [Pan2019, Eq 17] with little effort.
inline TrajectoryModel walk(const std::string& name, int steps, double speed = 0.5,
                            BaseChart chart = BaseChart::rotation_vector) {
  TrajectoryModel::Definition definition = standing(shared_character(name, chart), steps);
  add_loss(definition, "center_of_mass_velocity",
           "{body: " + name + ", target: [" + std::to_string(speed) + ", 0, 0], weight: [1, 1, 1]}");
  const double actuated = double(definition.character->actuated().size());
  definition.effort_weight = 1e-6 * actuated;  // 1e-6 |u|^2
  return TrajectoryModel(std::move(definition));
}

// A motion whose derivatives are tested.
struct MotionCase {
  std::string name, character;
  BaseChart chart;
  InertiaRule inertia;
  int steps, length;  // 1: single steps
  TrajectoryEnd end;
};
inline void PrintTo(const MotionCase& given, std::ostream* out) { *out << given.name; }
inline TrajectoryBasis basis_of(const MotionCase& given) {
  return TrajectoryBasis::of_length(given.steps, given.length, given.end);
}
constexpr double case_speed[3] = {0.5, 0.1, -0.2}, case_weights[3] = {2, 3, 4}, case_scale = 0.7;  // of its loss

// Above a floor; where the base may move, 5 cm deep in it and moving.
inline TrajectoryModel::Definition definition_of(const MotionCase& given) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character(given.character, given.chart), given.steps);
  definition.step.inertia = given.inertia;
  if (given.character != "pendulum2") {
    const int z = definition.character->dof("base_z");
    definition.start.coordinates[std::size_t(z)] -= 0.05;
    definition.before = definition.start;
    definition.before.coordinates[std::size_t(z)] += 0.02;
  }
  add_loss(definition, "center_of_mass_velocity",
           "{body: " + given.character + ", target: [0.5, 0.1, -0.2], weight: [2, 3, 4], scale: 0.7}");
  definition.effort_weight = 3e-4;
  definition.effort_unit = 2;
  return definition;
}

inline Eigen::VectorXd random_vector(Eigen::Index size, unsigned seed, double largest = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-largest, largest);
  Eigen::VectorXd result(size);
  for (double& entry : result) entry = draw(random);
  return result;
}

// H and A of the last linearization as dense matrices.
inline Eigen::MatrixXd dense_hessian(TrajectoryProblem& problem) {
  const int n = problem.unknown_count();
  Eigen::MatrixXd result(n, n);
  Eigen::VectorXd column(n);
  for (int j = 0; j < n; ++j) {
    problem.system().multiply_hessian(Eigen::VectorXd::Unit(n, j), column);
    result.col(j) = column;
  }
  return result;
}
inline Eigen::MatrixXd dense_jacobian(TrajectoryProblem& problem) {
  const int n = problem.unknown_count(), m = problem.constraint_count();
  Eigen::MatrixXd result(m, n);
  Eigen::VectorXd column(m);
  for (int j = 0; j < n; ++j) {
    problem.system().multiply_jacobian(Eigen::VectorXd::Unit(n, j), column);
    result.col(j) = column;
  }
  return result;
}

}  // namespace holo::articulated::test
