#include "studies/inverse_design/design_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/runs/archive.h"
#include "studies/inverse_design/hessian_certificate.h"
#include "studies/inverse_design/identification_study.h"
#include "studies/inverse_design/reduced_model.h"
#include "studies/inverse_design/rest_shape_study.h"
#include "studies/studies.h"

namespace holo {

namespace {

constexpr std::string_view design_kind = "inverse_design";
constexpr double attained = 1e-8;  // relative difference of frequencies
constexpr double most_of_design = 0x1p53;

double frequency_of(double omega_squared) { return std::sqrt(omega_squared) / (2 * std::numbers::pi); }

std::unique_ptr<LinearVibration> make_vibration(const VibratingBody& body, std::vector<int> free, const Location& where) {
  try {
    return std::make_unique<LinearVibration>(body, std::move(free));
  } catch (const Error& error) {
    throw_input_error(where, error.what());
  }
}

void solve(OscillatingBody& body, const Location& where) {
  if (!body.vibration->evaluate(body.values, body.omega_squared)) throw_input_error(where, body.vibration->problem());
}

}  // namespace

InverseDesign::InverseDesign(DesignPlan plan, double frames_per_second)
    : plan_(std::move(plan)), frames_per_second_(frames_per_second) {
  std::vector<int> free;
  for (const DesignedParameter& parameter : plan_.parameters) free.push_back(parameter.number);
  designed_.vibration = make_vibration(plan_.body, free, plan_.body_location);
  designed_.values = units();
  solve(designed_, plan_.body_location);
  if (plan_.target) {
    target_.vibration = make_vibration(*plan_.target, {}, plan_.target_location);
    solve(target_, plan_.target_location);
  }
  make_scene();
}

// Those of the unknowns: the parameters at the start.
Eigen::VectorXd InverseDesign::units() const {
  Eigen::VectorXd units(Eigen::Index(plan_.parameters.size()));
  for (Eigen::Index k = 0; k < units.size(); ++k) units[k] = plan_.parameters[std::size_t(k)].start;
  return units;
}

double InverseDesign::target_omega_squared() const {
  return plan_.target ? target_.omega_squared : std::pow(2 * std::numbers::pi * plan_.frequency, 2);
}

double InverseDesign::time_step() const { return 1 / (frequency_of(target_omega_squared()) * plan_.steps_per_period); }

StepResult InverseDesign::step(StudyOutput& output) {
  if (steps_done_ > 0) {
    move(output);
    ++steps_done_;
    return {};
  }
  const StepResult result = design(output);
  if (!result.failed) ++steps_done_;
  return result;
}

StepResult InverseDesign::design(StudyOutput& output) {
  const Eigen::VectorXd unit = units();
  FrequencyDesign problem(*designed_.vibration, target_omega_squared(), unit);
  DenseBounds bounds{unit, unit};
  for (Eigen::Index k = 0; k < unit.size(); ++k) {
    bounds.lower[k] = plan_.parameters[std::size_t(k)].minimum / unit[k];
    bounds.upper[k] = plan_.parameters[std::size_t(k)].maximum / unit[k];
  }
  Eigen::VectorXd x = Eigen::VectorXd::Ones(unit.size());
  hessian_difference_ = certificate();
  const std::int64_t before = designed_.vibration->factorizations();
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, bounds, x, plan_.options, workspace);
  const std::string refused = problem.refused();
  factorizations_ = designed_.vibration->factorizations() - before;
  iterations_ = std::int64_t(result.iterations.size());
  for (const DenseIteration& iteration : result.iterations) {
    evaluations_ += iteration.evaluations;
    output.row({double(iteration.iteration), iteration.value, iteration.projected_gradient, double(iteration.evaluations)});
  }
  objective_ = result.value;
  designed_.values = x.cwiseProduct(unit);
  solve(designed_, plan_.body_location);
  output.log("design", {{"status", to_string(result.status)},
                        {"iterations", iterations_},
                        {"factorizations", factorizations_},
                        {"objective", objective_}});
  write_frame(output, 0);
  if (const std::string problem_text = unattained(); !problem_text.empty())
    return {true,
            fmt::format("{}{}{}", problem_text, result.diagnosis.empty() ? "" : " " + result.diagnosis,
                        refused.empty() ? "" : fmt::format(" The last design that the search could not take: {}.", refused))};
  if (const std::string problem_text = model(output); !problem_text.empty()) return {true, problem_text};
  return {};
}

// For the report's sliders; what keeps it from being made, or "".
std::string InverseDesign::model(StudyOutput& output) {
  if (plan_.model_points == 0) return "";
  LinearVibration& body = *designed_.vibration;
  const auto model = make_reduced_model(body, plan_, designed_.values, frequency_of(target_omega_squared()));
  if (!model)
    return fmt::format(
        "the model for the report's sliders needs a body everywhere within the bounds: {}. Narrow the bounds, or "
        "leave out `reduced_model`.",
        body.problem());
  model_frequency_error_ = model->quantities.front().error;
  model_displacement_error_ = model->displacement_error;
  output.model(*model);
  solve(designed_, plan_.body_location);
  return "";
}

// What keeps the body from the target; "" where it has its frequency.
std::string InverseDesign::unattained() const {
  const double ratio = std::sqrt(designed_.omega_squared / target_omega_squared());
  if (std::abs(ratio - 1) < attained) return "";
  std::string at_bounds;
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    const DesignedParameter& parameter = plan_.parameters[k];
    const double value = designed_.values[Eigen::Index(k)], range = parameter.maximum - parameter.minimum;
    if (value > parameter.minimum + 1e-9 * range && value < parameter.maximum - 1e-9 * range) continue;
    at_bounds += fmt::format("{}{} = {:g} {}", at_bounds.empty() ? "" : ", ", parameter.name, value, parameter.unit);
  }
  return fmt::format("the frequency of the target, {:.6g} Hz, is not attained within the bounds: the nearest is {:.6g} Hz{}.",
                     frequency_of(target_omega_squared()), frequency_of(designed_.omega_squared),
                     at_bounds.empty() ? "" : ", with " + at_bounds + " at a bound; widen it, or choose another target");
}

double InverseDesign::certificate() const {
  FrequencyDesign problem(*designed_.vibration, target_omega_squared(), units());
  return holo::hessian_difference(problem, Eigen::VectorXd::Ones(Eigen::Index(plan_.parameters.size())));
}

// From rest; a run that is continued takes the steps so far again.
void InverseDesign::start_motion() {
  for (OscillatingBody* body : {&designed_, &target_}) {
    if (!body->vibration) continue;
    solve(*body, plan_.body_location);
    body->motion = std::make_unique<LinearMotion>(*body->vibration, time_step());
    body->amplitudes.clear();
    for (std::int64_t n = 0; n < motion_steps_; ++n) {
      body->amplitudes.push_back(body->motion->amplitude());
      body->motion->step();
    }
  }
}

void InverseDesign::move(StudyOutput& output) {
  if (!designed_.motion) start_motion();
  for (int n = 0; n < plan_.steps_per_period; ++n, ++motion_steps_) {
    const auto frames_until = [&](std::int64_t step) {
      return std::floor(double(step) * time_step() * frames_per_second_ + 1e-9);
    };
    if (motion_steps_ > 0 && frames_until(motion_steps_) > frames_until(motion_steps_ - 1))
      write_frame(output, double(motion_steps_) * time_step());
    for (OscillatingBody* body : {&designed_, &target_}) {
      if (!body->motion) continue;
      body->amplitudes.push_back(body->motion->amplitude());
      body->motion->step();
    }
  }
  for (OscillatingBody* body : {&designed_, &target_})
    if (body->motion) body->motion_frequency = dominant_frequency(body->amplitudes, time_step());
}

std::string InverseDesign::serialize() const {
  Archive archive(design_kind, 2);
  std::int64_t counts[] = {steps_done_, motion_steps_, iterations_, evaluations_, factorizations_};
  for (std::int64_t& count : counts) archive.visit(count, most_of_design);
  double numbers[] = {objective_, hessian_difference_, model_frequency_error_, model_displacement_error_};
  for (double& number : numbers) archive.visit(number);
  Eigen::VectorXd values = designed_.values;
  archive.visit_sized(values);
  return archive.take_bytes();
}

void InverseDesign::deserialize(std::string_view bytes) {
  Archive archive(design_kind, 2, bytes);
  for (std::int64_t* count : {&steps_done_, &motion_steps_, &iterations_, &evaluations_, &factorizations_})
    archive.visit(*count, most_of_design);
  for (double* number : {&objective_, &hessian_difference_, &model_frequency_error_, &model_displacement_error_})
    archive.visit(*number);
  Eigen::VectorXd values;
  archive.visit_sized(values);
  archive.require_end();
  if (values.size() != designed_.values.size()) Archive::refuse("it has another number of parameters");
  designed_.values = values;
  solve(designed_, plan_.body_location);
  if (motion_steps_ == 0) return;
  start_motion();
  for (OscillatingBody* body : {&designed_, &target_})
    if (body->motion) body->motion_frequency = dominant_frequency(body->amplitudes, time_step());
}

namespace {

void read_vibration_design(Configuration& experiment, const StudyContext& context, StudyPlan& result) {
  const DesignPlan plan = read_design_plan(experiment);
  result.metrics = design_metrics(plan);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<InverseDesign>(plan, frames);
  };
}

void read_identification(Configuration& experiment, const StudyContext& context, StudyPlan& result) {
  const IdentificationPlan plan = read_identification_plan(experiment, context, result.plugins);
  result.metrics = identification_metrics(plan);
  for (const ElasticBodyDefinition& body : plan.scene.bodies)
    if (body.plugin) result.plugins.push_back(body.plugin);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<Identification>(plan, frames);
  };
}

void read_rest_shape(Configuration& experiment, const StudyContext& context, StudyPlan& result) {
  const RestShapePlan plan = read_rest_shape_plan(experiment, context);
  result.metrics = rest_shape_metrics(plan);
  if (plan.body.body.plugin) result.plugins.push_back(plan.body.body.plugin);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<RestShape>(plan, frames);
  };
}

StudyPlan read_inverse_design(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const auto of_vibration = [&](Configuration& file) { read_vibration_design(file, context, result); };
  const auto of_equilibrium = [&](Configuration& file) { read_identification(file, context, result); };
  const auto of_rest_shape = [&](Configuration& file) { read_rest_shape(file, context, result); };
  experiment.branch("response",
                    {{"vibration", "the frequency of a linear body under a field of accelerations", of_vibration},
                     {"equilibrium", "where elastic bodies are at rest under loads", of_equilibrium},
                     {"rest_shape", "where a body of a designed rest shape hangs under gravity", of_rest_shape}},
                    "vibration", "what depends on the parameters");
  result.metrics_are_known = experiment.problem_count() == problems;
  return result;
}

}  // namespace

StudyKind inverse_design() {
  return {
      "parameters for which a body oscillates with a wanted frequency, has a recorded deformation, or sags into a given shape",
      "The frequency is the Rayleigh quotient of the displacement under a field of accelerations, the deformation an "
      "equilibrium under loads. Exact gradients and Hessians need one factorization; Newton's method finds parameters within "
      "their bounds.",
      element_mode_names(),
      {"none"},
      read_inverse_design};
}

}  // namespace holo
