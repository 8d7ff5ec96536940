#include "holo/sim/control/frame_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/elastic/elastic_observations.h"

namespace holo {
namespace {

// Of the activations of the frame before: where a minimization begins, the first one that the step allows.
constexpr double starts[] = {1, 0.5, 0};

constexpr int substep_counts[] = {2, 4, 8};  // of a frame with the activations of the frame before, tried in this order

}  // namespace

std::string to_string(FrameStatus status) {
  switch (status) {
    case FrameStatus::solved:
      return "solved";
    case FrameStatus::fallback:
      return "fallback";
    case FrameStatus::failed:
      return "failed";
  }
  return "unknown";
}

FrameResult FrameControl::solve(const ElasticState& state, const Eigen::VectorXd& activations) {
  FrameResult result;
  Eigen::VectorXd u;
  end_time_ = step_.integrator().scene().step_from(state).end_time;
  if (!begin(state, activations, u) || !minimize_passes(u, result) || !accept_end(state, result))
    fall_back(state, activations, result);
  return result;
}

// Activations of the frame before at which the step cannot be solved now, or that crush an element, are no start: then they are
// reduced. False where there is none.
bool FrameControl::begin(const ElasticState& state, const Eigen::VectorXd& activations, Eigen::VectorXd& u) {
  for (const double share : starts) {
    u = share * activations / step_.options().unit;
    if (step_.begin(state, activations, share) && std::isfinite(step_.value(u))) return true;
  }
  return false;
}

// Each pass minimizes with constant normal forces, and takes those of its result for the next one. The last pass ends with the
// step of its activations under the normal forces of its own end. Where these make the next pass impossible (an element at its
// limit is crushed a little more), the activations that were found stay.
bool FrameControl::minimize_passes(Eigen::VectorXd& u, FrameResult& result) {
  for (int pass = 0;; ++pass) {
    if (pass == 0 && options_.warm_start > 0 && !minimize_once(pass, true, u, result)) return false;
    if (!minimize_once(pass, false, u, result)) {
      result.converged = false;
      return pass > 0 && step_.finish(u);
    }
    result.passes = pass + 1;
    bool is_settled = false;
    if (!settle_lag(u, result, is_settled)) return false;
    if (is_settled || pass + 1 >= options_.lag_passes) return true;
  }
}

// False where no activations could be accepted. An iteration limit, or a line search that found nothing better, is no failure:
// the best activations are used.
bool FrameControl::minimize_once(int pass, bool is_warm_start, Eigen::VectorXd& u, FrameResult& result) {
  DenseOptions options = options_.minimization;
  if (is_warm_start) {
    options.method = DenseMethod::gradient_descent;
    options.max_iterations = options_.warm_start;
  }
  const DenseResult found = minimize(step_, options_.bounds, u, options, workspace_);
  for (const DenseIteration& iteration : found.iterations) result.iterations.push_back({pass, is_warm_start, iteration});
  if (result.iterations.size() == found.iterations.size() && !found.iterations.empty())
    result.start_value = found.iterations.front().value;
  if (found.status == DenseStatus::infeasible_start || found.status == DenseStatus::not_finite) {
    result.diagnosis = found.diagnosis + " " + step_.diagnosis();
    return false;
  }
  result.value = found.value;
  if (is_warm_start) return true;
  // The last entry of a minimization that converged only saw that it stops.
  for (const DenseIteration& iteration : found.iterations) result.minimizer_iterations += iteration.evaluations > 0;
  if (!found.converged()) {
    result.converged = false;
    result.diagnosis = found.diagnosis;
  }
  return true;
}

// Solves the step at u with the normal forces of its own end. False where that failed.
bool FrameControl::settle_lag(const Eigen::VectorXd& u, FrameResult& result, bool& is_settled) {
  if (!step_.finish(u)) {
    result.diagnosis = step_.diagnosis();
    return false;
  }
  const Eigen::VectorXd positions = step_.x();
  is_settled = true;
  if (!step_.update_lag(positions)) return true;
  result.lag_positions = positions;
  const double forces = summarize_contact(step_.integrator().scene().contact, positions, end_time_).normal_force;
  result.lag_change = forces > 0 ? step_.lag_change() / forces : 0;
  is_settled = result.lag_change <= options_.lag_tolerance;
  if (step_.finish(u)) return true;
  result.diagnosis = step_.diagnosis();
  return false;
}

// The reason why positions may not end a frame or a substep at that time; empty where they may.
std::string FrameControl::objection_to(const Eigen::VectorXd& positions, double time) const {
  if (const ElasticDeterminants found = determinants(*step_.integrator().scene().model, positions); found.inverted_elements > 0)
    return fmt::format("{} inverted elements", found.inverted_elements);
  return options_.objection ? options_.objection(positions, time) : std::string();
}

// Makes the step's x the end of the frame. False where it may not be one.
bool FrameControl::accept_end(const ElasticState& state, FrameResult& result) {
  if (const std::string objection = objection_to(step_.x(), end_time_); !objection.empty()) {
    result.diagnosis = "the end of the frame is refused: " + objection;
    return false;
  }
  Eigen::VectorXd x = step_.x();
  result.end = state;
  step_.integrator().advance(result.end, x);
  result.activations = step_.activations();
  return true;
}

// The frame in equal steps of implicit Euler, each with these activations and with friction of its start. False where one of
// them cannot be solved or may not be accepted. A scheme that uses the step before begins anew after it, since that has another
// length.
bool FrameControl::take_substeps(const ElasticState& state, const Eigen::VectorXd& activations, int count,
                                 FrameResult& result) {
  ElasticScene scene = step_.integrator().scene();
  const TimeIntegration frames = scene.integration;
  scene.integration.time_step /= count;
  scene.integration.scheme = IntegrationScheme::implicit_euler;
  ImplicitEuler integrator(scene);
  InverseStep step(integrator, step_.loss(), step_.options());
  step.continue_counts(step_);
  const Eigen::VectorXd u = activations / step_.options().unit;
  ElasticState now = state;
  now.step *= count;  // the number of the substep, from which its times follow
  now.previous_positions.resize(0);
  now.previous_velocities.resize(0);
  bool accepted = true;
  for (int substep = 0; substep < count && accepted; ++substep) {
    const double end_time = scene.step_from(now).end_time;
    accepted = step.begin(now, activations) && step.finish(u) && objection_to(step.x(), end_time).empty();
    if (!accepted) break;
    Eigen::VectorXd x = step.x();
    integrator.advance(now, x);
  }
  step_.continue_counts(step);
  if (!accepted) return false;
  result.end = std::move(now);
  result.end.step = state.step + 1;
  result.end.time = frames.time_at(result.end.step);
  result.activations = activations;
  result.substeps = count;
  return true;
}

// The step with these activations, under the normal forces of its own end where that can be solved, or else substeps. False
// where none of them gives a frame; the diagnosis is that of the whole step.
bool FrameControl::keep_activations(const ElasticState& state, const Eigen::VectorXd& activations, FrameResult& result) {
  const Eigen::VectorXd u = activations / step_.options().unit;
  bool ignored = false;
  if (step_.begin(state, activations) && settle_lag(u, result, ignored) && accept_end(state, result)) return true;
  result.lag_positions.resize(0);
  result.diagnosis.clear();
  if (step_.begin(state, activations) && step_.finish(u) && accept_end(state, result)) return true;
  if (result.diagnosis.empty()) result.diagnosis = step_.diagnosis();
  return std::any_of(std::begin(substep_counts), std::end(substep_counts),
                     [&](int count) { return take_substeps(state, activations, count, result); });
}

void FrameControl::fall_back(const ElasticState& state, const Eigen::VectorXd& activations, FrameResult& result) {
  const std::string reason = result.diagnosis.empty() ? "no start: " + step_.diagnosis() : result.diagnosis;
  result.status = FrameStatus::fallback;
  result.converged = false;
  result.lag_positions.resize(0);
  if (keep_activations(state, activations, result)) {
    result.diagnosis = reason;
    return;
  }
  result.status = FrameStatus::failed;
  result.diagnosis = reason + "; with the activations of the frame before, also in 8 substeps: " + result.diagnosis;
}

}  // namespace holo
