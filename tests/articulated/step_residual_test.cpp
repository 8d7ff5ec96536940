// The residual of a time step against sums over the points of point clouds, which know no second moments and no twists.
#include "holo/sim/articulated/dynamics/step_residual.h"

#include <gtest/gtest.h>

#include "character_samples.h"

namespace holo::articulated::step_residual_tests {

using namespace test;

struct Point {
  int dof;
  double mass;
  Vector3<double> position;
};

// A body of 200 points, whose mass properties are sums.
std::vector<Point> random_cloud(int dof, std::mt19937& random) {
  std::uniform_real_distribution<double> draw(-0.3, 0.3);
  std::vector<Point> points;
  for (int i = 0; i < 200; ++i)
    points.push_back({dof, 0.01 + std::abs(draw(random)) / 10, {draw(random), draw(random), draw(random) - 0.2}});
  return points;
}
MassProperties mass_of(const std::vector<Point>& points) {
  std::vector<MassProperties> all;
  for (const Point& point : points)
    all.push_back(
        {point.mass, Eigen::Vector3d(point.position[0], point.position[1], point.position[2]), Eigen::Matrix3d::Zero()});
  return combined(all);
}

struct CloudCharacter {
  CharacterModel model;
  std::vector<Point> points;
};

// A free base, a ball joint, a slide and a hinge, in two branches.
CloudCharacter cloud_character(BaseChart chart) {
  std::mt19937 random(3);
  CharacterBuilder builder("cloud");
  const int base = builder.add_base({chart, "zyx"});
  Eigen::Isometry3d placement =
      Eigen::Translation3d(0.1, 0.2, -0.3) * Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized());
  const int ball = builder.add_ball("ball", base, placement, 3, 10);
  const int slide = builder.add_slide("slide", ball, placement, Eigen::Vector3d(1, 1, 0));
  const int hinge = builder.add_hinge("hinge", base, placement.inverse(), Eigen::Vector3d(0, 1, 1));
  std::vector<Point> all;
  for (const int dof : {base, ball, slide, hinge}) {
    if (dof < 0) continue;
    const std::vector<Point> points = random_cloud(dof, random);
    builder.add_mass(dof, mass_of(points));
    all.insert(all.end(), points.begin(), points.end());
  }
  return {builder.build(), all};
}

template <class S>
Vector3<S> place(const StateMemory<S>& state, const Point& point) {
  return state.frames[std::size_t(point.dof)] * matrix_cast<S>(point.position);
}

// sum of m ((P+ - 2 P0 + P-) / dt^2 - g) . dP/dq_j at the state of the inertia's rule; dP/dq_j by a complex step.
Eigen::VectorXd sum_over_points(const CloudCharacter& cloud, const StepConstants& step, const ThreePoses& poses) {
  StepMemory<double> memory(cloud.model);
  set_poses(cloud.model, poses, memory);
  StateMemory<ComplexStep> moved(cloud.model);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(cloud.model.dof_count());
  for (int j = 0; j < cloud.model.dof_count(); ++j) {
    moved.set(cloud.model, step.inertia == InertiaRule::end ? poses.newest : poses.current);
    moved.coordinates[std::size_t(j)] += ComplexStep::seed(0.0, 1.0);
    moved.update(cloud.model);
    for (const Point& point : cloud.points) {
      const Vector3<double> acceleration =
          (place(memory.newest, point) - 2.0 * place(memory.current, point) + place(memory.previous, point)) /
          (step.time_step * step.time_step);
      const Vector3<ComplexStep> tangent = place(moved, point);
      for (int i = 0; i < 3; ++i) result[j] += point.mass * (acceleration[i] - step.gravity[i]) * tangent[i].derivative();
    }
  }
  return result;
}

TEST(StepResidual, IsTheSumOverAPointCloud) {
  for (const BaseChart chart : {BaseChart::fixed, BaseChart::planar, BaseChart::euler, BaseChart::rotation_vector})
    for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
      const CloudCharacter cloud = cloud_character(chart);
      StepConstants step;
      step.inertia = inertia;
      step.gravity = {0.3, -0.2, -9.81};
      const ThreePoses poses = three_poses(cloud.model, 2, 0.7, 0.1, false);
      const Eigen::VectorXd points = sum_over_points(cloud, step, poses), moments = residual(cloud.model, step, poses);
      EXPECT_GT(points.norm(), 1);
      EXPECT_LT((moments - points).cwiseAbs().maxCoeff(), 1e-13 * points.cwiseAbs().maxCoeff()) << int(chart) << int(inertia);
    }
}

// At rest without contact only gravity is left: the weight on the base, moments of weights on joints.
TEST(StepResidual, OfACharacterAtRestIsMinusItsWeight) {
  const CharacterModel model = procedural_character("mammal18");
  const StepConstants step;
  const CharacterPose& rest = model.rest();
  const Eigen::VectorXd forces = residual(model, step, {rest, rest, rest});
  EXPECT_NEAR(model.total_mass(), 16.4, 1e-12);
  EXPECT_NEAR(forces[model.dof("base_z")], 16.4 * 9.81, 1e-11);
  EXPECT_NEAR(forces[model.dof("base_x")], 0, 1e-11);
}

TEST(StepResidual, HasSpringsDampersAndRotors) {
  CharacterBuilder builder("wheel");
  const int hinge = builder.add_hinge("hinge", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitZ());
  builder.add_mass(hinge, sphere_mass(0.1, 1000));
  builder.dof(hinge).stiffness = 5;
  builder.dof(hinge).spring_reference = 0.2;
  builder.dof(hinge).damping = 0.3;
  builder.dof(hinge).armature = 0.04;
  const CharacterModel model = builder.build();
  StepConstants step;
  step.time_step = 0.1;
  const ThreePoses poses{{{0.7}, {}}, {{0.5}, {}}, {{0.4}, {}}};
  StepConstants alone = step;
  CharacterBuilder plain("plain");
  plain.add_mass(plain.add_hinge("hinge", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitZ()), sphere_mass(0.1, 1000));
  const double inertia = residual(plain.build(), alone, poses)[0];
  EXPECT_NEAR(residual(model, step, poses)[0] - inertia, 5 * 0.5 + 0.3 * 2 + 0.04 * (0.7 - 1.0 + 0.4) / 0.01, 1e-12);
  EXPECT_LT(relative_difference(closed_form(model, step, poses).D[0], by_complex_step(model, step, poses).D[0]), 1e-12);
  EXPECT_LT(relative_difference(closed_form(model, step, poses).D[1], by_complex_step(model, step, poses).D[1]), 1e-12);
  EXPECT_LT(relative_difference(closed_form(model, step, poses).D[2], by_complex_step(model, step, poses).D[2]), 1e-12);
}

// Energies of limits, cones and overlaps are 0 or more, and their gradients are the residual's forces.
TEST(Potentials, AreNotNegativeAndTheirGradientsAreTheForces) {
  const CharacterModel model = procedural_character("chain5", {{}, true});
  StepConstants step;
  step.gravity = {0, 0, 0};
  step.self_collision_weight = 1e4;
  int limited = 0, overlapping = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ThreePoses poses = three_poses(model, seed, 0.02, 0, false);
    if (seed > 1)
      for (const char* name : {"pitch_1", "pitch_2", "pitch_3", "pitch_4"})
        poses.newest.coordinates[std::size_t(model.dof(name))] += seed > 3 ? -1.57 : 1.57;
    poses.current = poses.previous = poses.newest;  // no inertia
    StepMemory<ComplexStep> memory(model);
    set_poses(model, poses, memory);
    const Eigen::VectorXd forces = residual(model, step, poses);
    for (int j = 0; j < model.dof_count(); ++j) {
      memory.newest.coordinates[std::size_t(j)] = ComplexStep::seed(poses.newest.coordinates[std::size_t(j)], 1.0);
      memory.newest.update(model);
      const ComplexStep limits = limit_energy(model.data(), memory.newest.coordinates.data());
      const ComplexStep collisions = self_collision_energy(model.data(), step, memory.states());
      EXPECT_GE(limits.value(), 0);
      EXPECT_GE(collisions.value(), 0);
      limited += limits.value() > 0 ? 1 : 0;
      overlapping += collisions.value() > 0 ? 1 : 0;
      EXPECT_NEAR(forces[j], limits.derivative() + collisions.derivative(), 1e-12 * (1 + forces.cwiseAbs().maxCoeff())) << j;
      memory.newest.coordinates[std::size_t(j)] = ComplexStep(poses.newest.coordinates[std::size_t(j)]);
    }
  }
  EXPECT_GT(limited, 0);
  EXPECT_GT(overlapping, 0);
}

TEST(Potentials, OfACone) {
  CharacterBuilder builder("ball");
  builder.add_mass(builder.add_ball("ball", -1, Eigen::Isometry3d::Identity(), 0.5, 20), box_mass({0.1, 0.2, 0.3}, 1000));
  const CharacterModel model = builder.build();
  StepConstants step;
  step.gravity = {0, 0, 0};
  const CharacterPose inside{{0.3, 0.1, 0.2}, model.rest().references}, outside{{0.6, -0.4, 0.2}, model.rest().references};
  EXPECT_EQ(limit_energy(model.data(), inside.coordinates.data()), 0);
  const double angle = std::sqrt(0.36 + 0.16 + 0.04);
  EXPECT_NEAR(limit_energy(model.data(), outside.coordinates.data()), 20 * std::pow(angle - 0.5, 3), 1e-15);
  const Eigen::VectorXd forces = residual(model, step, {outside, outside, outside});
  const double slope = 60 * std::pow(angle - 0.5, 2) / angle;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(forces[k], slope * outside.coordinates[std::size_t(k)], 1e-14);
  const ThreePoses poses{outside, inside, inside};
  EXPECT_LT(relative_difference(closed_form(model, step, poses).D[0], by_complex_step(model, step, poses).D[0]), 1e-12);
}

}  // namespace holo::articulated::step_residual_tests
