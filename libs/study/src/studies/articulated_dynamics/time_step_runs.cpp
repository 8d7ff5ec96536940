#include "studies/articulated_dynamics/time_step_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/articulated/dynamics/explicit_step.h"
#include "holo/sim/articulated/trajectory/trajectory_model.h"
#include "studies/articulated_dynamics/articulated_quantities.h"

namespace holo {

using articulated::CharacterModel, articulated::CharacterPose;

namespace {

constexpr double chart_limit = M_PI / 2;  // of rotation vectors of implicit steps [rad]
// Of the residual of implicit steps, over the weight: above the rounding of positions over the square of short time steps.
constexpr double residual_tolerance = 1e-9;
constexpr double lost_energy_gain = 1e6;  // of the energy unit: the motion is lost

// A motion step by step, with what each pose has.
class SteppedMotion {
 public:
  SteppedMotion(const CharacterScene& scene, IntegrationMethod method, double time_step)
      : scene_(scene),
        model_(*scene.character.model),
        obstacles_(scene.obstacles, largest_contact_radius(*scene.character.model)),
        constants_(step_constants(scene, standing_contact(scene, model_), obstacles_)),
        method_(method),
        implicit_(model_),
        explicit_(model_),
        memory_(model_),
        previous_(scene.character.start.before(time_step)),
        current_(scene.character.start.pose),
        controls_(Eigen::VectorXd::Zero(model_.dof_count())) {
    constants_.time_step = time_step;
    options_.tolerance = residual_tolerance * std::max(model_.total_mass() * norm(scene.gravity), 1.0);
    observe();
  }

  // False where the step fails; the pose stays.
  bool step() {
    if (method_ == IntegrationMethod::implicit) {
      result_ = implicit_.step(constants_, previous_, current_, controls_, newest_, options_);
      if (!result_.solved()) return false;
    } else {
      result_ = {};
      result_.iterations = 1;
      if (!explicit_.step(constants_, previous_, current_, controls_, newest_)) return false;
    }
    std::swap(previous_, current_);
    std::swap(current_, newest_);
    if (method_ == IntegrationMethod::implicit) recenter(model_, current_, chart_limit);
    observe();
    return true;
  }
  const Eigen::Vector3d& center() const { return measures_.center_of_mass; }
  double energy() const { return total_energy(measures_, tally_); }  // [J]
  const ContactTally& contacts() const { return tally_; }
  const articulated::StepResult& result() const { return result_; }
  std::string problem() const { return describe(model_, result_); }

 private:
  void observe() {
    memory_.newest.set(model_, current_);
    memory_.current.set(model_, previous_);
    measures_ = measure(model_, constants_, memory_.states());
    find_contacts(model_, constants_, memory_.states(), contacts_);
    tally_ = tally_of(contacts_, constants_.normal_weight);
  }

  const CharacterScene& scene_;
  const CharacterModel& model_;
  CharacterObstacles obstacles_;
  articulated::StepConstants constants_;
  articulated::StepOptions options_;
  IntegrationMethod method_;
  articulated::ArticulatedStepper implicit_;
  articulated::ExplicitStepper explicit_;
  articulated::StepMemory<double> memory_;
  CharacterPose previous_, current_, newest_;
  Eigen::VectorXd controls_;
  articulated::StepResult result_;
  articulated::CharacterMeasures measures_;
  std::vector<articulated::TouchingPoint> contacts_;
  ContactTally tally_;
};

}  // namespace

ReferenceMotion reference_motion(const CharacterScene& scene) {
  ReferenceMotion reference;
  SteppedMotion motion(scene, IntegrationMethod::implicit, scene.time_step);
  reference.centers.push_back(motion.center());
  for (int step = 1; step <= scene.step_count; ++step) {
    if (!motion.step())
      throw Error(Failure::input, fmt::format("the reference motion ends in step {}: {}", step, motion.problem()));
    reference.centers.push_back(motion.center());
  }
  if (!(norm(scene.gravity) > 0))
    throw Error(Failure::input,
                "energies are measured in the weight times the radius of gyration, which is 0 without gravity.");
  reference.energy_unit =
      articulated::characteristic_torque(*scene.character.model, scene.character.start.pose, norm(scene.gravity));
  return reference;
}

TimeStepResult run_time_steps(const CharacterScene& scene, const TimeStepRun& run, const ReferenceMotion& reference) {
  const int stride = int(std::lround(run.time_step / scene.time_step));
  const int steps = scene.step_count / stride;
  SteppedMotion motion(scene, run.method, run.time_step);
  const double start_energy = motion.energy();
  TimeStepResult result;
  while (result.steps < steps) {
    result.is_finite = motion.step();
    if (!result.is_finite) break;
    ++result.steps;
    result.iterations += double(motion.result().iterations) / steps;
    result.final_error = (motion.center() - reference.centers[std::size_t(result.steps * stride)]).norm();
    result.error = std::max(result.error, result.final_error);
    result.energy_gain = std::max(result.energy_gain, (motion.energy() - start_energy) / reference.energy_unit);
    result.penetration = std::max(result.penetration, motion.contacts().largest_depth);
    result.is_finite = result.energy_gain < lost_energy_gain;
    if (!result.is_finite) break;
  }
  return result;
}

}  // namespace holo
