#include "studies/articulated_dynamics/articulated_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "runs/at_place.h"
#include "studies/articulated_dynamics/articulated_quantities.h"

namespace holo {

using articulated::CharacterModel, articulated::TouchingPoint;

namespace {

constexpr double recentering_angle = M_PI / 2;  // rotation vectors stay far from their singularity at 2 pi [rad]

// How far the character comes from its start in two seconds, as long as it keeps its speed: planes are drawn so far around it.
double reach_of(const CharacterScene& scene) {
  double speed = 0;
  for (int j = 0; j < scene.character.model->dof_count(); ++j)
    if (scene.character.model->dofs()[std::size_t(j)].is_length)
      speed = std::max(speed, std::abs(scene.character.start.velocity[std::size_t(j)]));
  return speed * std::min(scene.step_count * scene.time_step, 2.0);
}

}  // namespace

ContactTally tally_of(const std::vector<TouchingPoint>& contacts, double normal_weight) {
  ContactTally tally;
  tally.count = int(contacts.size());
  for (const TouchingPoint& contact : contacts) {
    tally.largest_depth = std::max(tally.largest_depth, contact.depth);
    tally.normal_force += contact.normal_force;
    tally.energy += normal_weight * contact.depth * contact.depth * contact.depth / 3;
    if (contact.normal_force > 0)
      tally.friction_ratio = std::max(tally.friction_ratio, contact.friction_force / contact.normal_force);
  }
  return tally;
}

ArticulatedDynamics::ArticulatedDynamics(const ArticulatedSetup& setup, const SignalStore& signals)
    : setup_(setup),
      model_(build_character(setup.scene.character.definition, springs_of_targets(setup.controls))),
      obstacles_(setup.scene.obstacles, largest_contact_radius(*setup.scene.character.model)),
      standing_(standing_contact(setup.scene, *model_)),
      constants_(step_constants(setup.scene, standing_, obstacles_)),
      controls_(setup.controls, *model_, signals, setup.scene.time_step),
      drawing_(*model_, obstacles_, setup.scene.character.start.pose, model_->total_mass() * norm(setup.scene.gravity),
               reach_of(setup.scene)),
      stepper_(*model_),
      memory_(*model_),
      previous_(setup.scene.character.start.before(setup.scene.time_step)),
      current_(setup.scene.character.start.pose),
      newest_(current_),
      torques_(Eigen::VectorXd::Zero(model_->dof_count())) {
  observe();
  totals_.start_energy = totals_.largest_energy = total_energy(measures_, tally_);
  totals_.lowest_center = measures_.center_of_mass.z();
  totals_.start_momentum = measures_.linear_momentum;
  totals_.start_angular_momentum = measures_.angular_momentum;
  account_flight();
}

// The current pose, which came from the previous one. Springs are those of the scene, without those of targets.
void ArticulatedDynamics::observe() {
  memory_.newest.set(*model_, current_);
  memory_.current.set(*model_, previous_);
  measures_ = measure(*setup_.scene.character.model, constants_, memory_.states());
  find_contacts(*model_, constants_, memory_.states(), contacts_);
  tally_ = tally_of(contacts_, constants_.normal_weight);
}

void ArticulatedDynamics::begin(StudyOutput& output) {
  output.log("character", {{"degrees_of_freedom", std::int64_t{model_->dof_count()}},
                           {"contact_points", std::int64_t(model_->contact_points().size())},
                           {"mass", model_->total_mass()},
                           {"normal_weight", standing_.weights.normal},
                           {"tangential_weight", standing_.weights.tangential}});
  write_row(output, {});
  write_frame(output);
}

holo::StepResult ArticulatedDynamics::step(StudyOutput& output) {
  const auto begin = std::chrono::steady_clock::now();
  controls_.set(int(step_) + 1, torques_);
  const articulated::StepResult result = stepper_.step(constants_, previous_, current_, torques_, newest_, setup_.options);
  if (!result.solved()) return give_up(output, result);
  std::swap(previous_, current_);
  std::swap(current_, newest_);
  ++step_;
  recenter(*model_, current_, recentering_angle);
  observe();
  account(result);
  write_row(output, result);
  if (frame_is_due()) write_frame(output);
  output.timings({double(step_), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()});
  return {};
}

// The state is still that of the step before; it becomes the last frame.
holo::StepResult ArticulatedDynamics::give_up(StudyOutput& output, const articulated::StepResult& result) {
  if (totals_.last_frame != step_) write_frame(output);
  const auto deepest = std::max_element(contacts_.begin(), contacts_.end(),
                                        [](const TouchingPoint& a, const TouchingPoint& b) { return a.depth < b.depth; });
  const std::string contact = contacts_.empty()
                                  ? "nothing is touched"
                                  : fmt::format("{} contacts, the deepest {:.3g} m in '{}'", contacts_.size(), deepest->depth,
                                                obstacles_.names()[std::size_t(deepest->obstacle)]);
  return {true, fmt::format("step {} (time {:.6g} s to {:.6g} s): {}. Before the step {}.", step_ + 1, time(),
                            time() + setup_.scene.time_step, describe(*model_, result), contact)};
}

void ArticulatedDynamics::account(const articulated::StepResult& result) {
  totals_.iterations += result.iterations;
  totals_.iterations_maximum = std::max<std::int64_t>(totals_.iterations_maximum, result.iterations);
  totals_.rounding_steps += result.status == articulated::StepStatus::rounding ? 1 : 0;
  totals_.largest_residual = std::max(totals_.largest_residual, result.residual);
  totals_.largest_energy = std::max(totals_.largest_energy, total_energy(measures_, tally_));
  totals_.largest_depth = std::max(totals_.largest_depth, tally_.largest_depth);
  totals_.largest_force = std::max(totals_.largest_force, tally_.normal_force);
  totals_.largest_friction_ratio = std::max(totals_.largest_friction_ratio, tally_.friction_ratio);
  totals_.lowest_center = std::min(totals_.lowest_center, measures_.center_of_mass.z());
  account_flight();
}

// In free flight the momentum grows by mass times gravity times the time, and the angular momentum stays.
void ArticulatedDynamics::account_flight() {
  if (!totals_.is_flying) return;
  if (tally_.count > 0) {
    totals_.is_flying = false;
    totals_.first_contact = time();
    return;
  }
  totals_.flight_steps = step_;
  const Eigen::Vector3d gravity(constants_.gravity[0], constants_.gravity[1], constants_.gravity[2]);
  const Eigen::Vector3d expected = totals_.start_momentum + model_->total_mass() * time() * gravity;
  totals_.momentum_error = std::max(totals_.momentum_error, (measures_.linear_momentum - expected).norm());
  totals_.momentum_scale = std::max(totals_.momentum_scale, measures_.linear_momentum.norm());
  totals_.angular_momentum_error =
      std::max(totals_.angular_momentum_error, (measures_.angular_momentum - totals_.start_angular_momentum).norm());
  totals_.angular_momentum_scale = std::max(totals_.angular_momentum_scale, measures_.angular_momentum_scale);
}

std::vector<Metric> ArticulatedDynamics::finish() {
  return metrics_of(articulated_metrics(), {step_, model_->total_mass(), measures_, tally_, standing_, totals_});
}

}  // namespace holo
