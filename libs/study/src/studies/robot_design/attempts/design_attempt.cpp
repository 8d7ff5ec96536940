#include "studies/robot_design/attempts/design_attempt.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "holo/core/runs/archive.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "studies/robot_design/attempts/initial_motion.h"

namespace holo {

namespace {

// Uniform in [0, 1): the same on every platform.
double uniform(std::mt19937_64& random) { return std::ldexp(double(random() >> 11), -53); }

// q, then a small rotation.
Eigen::Vector4d turned(const Eigen::Vector4d& q, const Eigen::Vector3d& rotation) {
  const double angle = rotation.norm();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (angle > 0) turn = Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle));
  const Eigen::Quaterniond result = turn * Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  return {result.w(), result.x(), result.y(), result.z()};
}

void visit_point(Archive& archive, StagedPoint& point) {
  archive.visit(point.parameters);
  archive.visit(point.controls);
  archive.visit(point.rates);
  archive.visit(point.states);
}

}  // namespace

Eigen::VectorXd initial_design(const RobotDesignPlan& plan, int number) {
  const MechanismLayout& layout = *plan.layout;
  Eigen::VectorXd design = plan.restrictions.admissible(layout.rest_parameters());
  if (number == 0) return design;
  std::seed_seq seed{std::uint32_t(plan.starts.seed), std::uint32_t(plan.starts.seed >> 32), std::uint32_t(number)};
  std::mt19937_64 random(seed);
  const std::vector<int>& quaternions = layout.parameter_quaternions();
  for (int p = 0; p < layout.parameter_count();) {
    if (std::binary_search(quaternions.begin(), quaternions.end(), p)) {
      Eigen::Vector3d rotation;
      for (double& component : rotation) component = plan.starts.spread * (2 * uniform(random) - 1);
      design.segment<4>(p) = turned(design.segment<4>(p), rotation);
      p += 4;
      continue;
    }
    const DesignBounds range = plan.restrictions.range(p);
    const double size = plan.starts.spread * layout.parameter_scale(p), lower = std::max(range.lower, design[p] - size),
                 upper = std::min(range.upper, design[p] + size);
    design[p] = lower + uniform(random) * (upper - lower);
    ++p;
  }
  return plan.restrictions.admissible(design);
}

DesignAttempt make_attempt(const RobotDesignPlan& plan, const RobotSignals& signals, int number) {
  DesignAttempt attempt;
  attempt.number = number;
  auto [motion, data] = make_initial_motion(plan, signals, initial_design(plan, number));
  attempt.motion = std::move(motion);
  attempt.start = motion_point(attempt.motion.states, attempt.motion.controls, attempt.motion.parameters, data.time_step);
  MechanismProblemOptions options;
  options.singularity = plan.singularity;
  options.restrictions = plan.restrictions;
  if (plan.assembly == AssemblyRule::constrain) options.assembly = {attempt.start, attempt.motion.nullity()};
  for (const DesignPhase& phase : plan.phases)
    attempt.phases.push_back(
        std::make_unique<MechanismProblem>(attempt.motion.equations, phase.losses, data, attempt.motion.prescribed, options));
  return attempt;
}

void DesignAttempt::take_equations(const Elimination& elimination, const MechanismLayout& names, double time_step) {
  const std::shared_ptr<const MechanismLayout> before = motion.layout;
  if (elimination.redundant == before->elimination().redundant &&
      elimination.dependent_controls == before->elimination().dependent_controls)
    return;
  motion.layout = std::make_shared<const MechanismLayout>(before->shared_model(), elimination);
  motion.equations = std::make_shared<const ConstraintEquations>(motion.layout);
  for (auto& phase : phases) *phase = phase->with_equations(motion.equations);
  start = rearranged(start, *before, *motion.layout, time_step);
  for (SolvedPhase& each : solved) each.point = rearranged(each.point, *before, *motion.layout, time_step);
  motion.elimination.redundant.clear();
  for (const int equation : elimination.redundant)
    motion.elimination.redundant.push_back(
        {equation, names.equation_name(equation),
         "follows from the others; eliminated anew, since the independent equations chosen before became singular"});
}

void DesignAttempt::visit_solved(Archive& archive, const MechanismLayout& names, double time_step) {
  Elimination elimination = motion.layout->elimination();
  archive.visit(elimination.redundant, 1e6);
  archive.visit(elimination.dependent_controls, 1e6);
  take_equations(elimination, names, time_step);  // first: the sizes of the points that follow are those of its layout
  std::size_t count = solved.size();
  archive.visit(count, archive.is_reading() ? double(phases.size() + 1) : 1e6);
  solved.resize(count, SolvedPhase{.diagnosis = {}, .point = start});
  for (SolvedPhase& each : solved) each.visit(archive);
}

void SolvedPhase::visit(Archive& archive) {
  archive.visit(iterations, 1e9);
  archive.visit(has_converged, 1);
  archive.visit(objective);
  archive.visit(diagnosis, 1e6);
  visit_point(archive, point);
}

void InitialResult::visit(Archive& archive, const std::shared_ptr<const MechanismModel>& model, double time_step) {
  Elimination elimination = layout->elimination();
  archive.visit(elimination.redundant, 1e6);
  archive.visit(elimination.dependent_controls, 1e6);
  const auto before = std::exchange(layout, std::make_shared<const MechanismLayout>(model, elimination));
  point = rearranged(point, *before, *layout, time_step);  // for the sizes
  archive.visit(has_converged, 1);
  visit_point(archive, point);
}

void AttemptOutcome::visit(Archive& archive) {
  archive.visit(has_begun, 1);
  archive.visit(has_converged, 1);
  archive.visit(objective);
  archive.visit(iterations, 1e9);
  archive.visit(reason, 1e6);
}

bool AttemptOutcome::is_better_than(const AttemptOutcome& other) const {
  return has_converged != other.has_converged ? has_converged : objective < other.objective;
}

}  // namespace holo
