#include "holo/opt/trajectory/constraint_restoration.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "holo/core/error.h"
#include "trajectory/constraint_values.h"
#include "trajectory/normal_step.h"
#include "trajectory/trust_region_sqp_diagnosis.h"

namespace holo {

std::string to_string(RestorationStatus status) {
  switch (status) {
    case RestorationStatus::converged:
      return "converged";
    case RestorationStatus::infeasible:
      return "infeasible";
    case RestorationStatus::stalled:
      return "stalled";
    case RestorationStatus::iteration_limit:
      return "iteration_limit";
    case RestorationStatus::outside_the_domain:
      return "outside_the_domain";
    case RestorationStatus::not_finite:
      return "not_finite";
    case RestorationStatus::singular:
      return "singular";
  }
  return "unknown";
}

namespace {

constexpr double sufficient_decrease = 1e-4, shortest_step = 1e-6;
constexpr double restoration_infeasible_slope = 1e-6;  // |A^T C| over |C|, below it the norm of C is stationary

void require_valid_restoration(const EqualityConstrainedProblem& problem, const Eigen::VectorXd& point,
                               const RestorationOptions& options) {
  if (!(options.tolerance > 0) || options.max_iterations < 0 || !(options.constraint_shift > 0))
    throw Error(Failure::internal,
                fmt::format("restoration: tolerance {}, max_iterations {}, constraint_shift {}; the first and the last must be "
                            "positive, max_iterations at least 0.",
                            options.tolerance, options.max_iterations, options.constraint_shift));
  if (point.size() != problem.unknown_count())
    throw Error(Failure::internal, fmt::format("restoration: the point has {} entries; the problem needs {}.", point.size(),
                                               problem.unknown_count()));
}

class Restoration {
 public:
  Restoration(EqualityConstrainedProblem& problem, const RestorationOptions& options)
      : problem_(problem),
        options_(options),
        linearization_(problem.system(), 1, options.constraint_shift),
        path_(problem.system()),
        values_(problem.constraint_count()),
        trial_values_(problem.constraint_count()),
        step_(problem.unknown_count()),
        trial_(problem.unknown_count()),
        gradient_(problem.unknown_count()),
        no_multipliers_(Eigen::VectorXd::Zero(problem.constraint_count())) {}

  RestorationResult run(Eigen::VectorXd& point) {
    result_.iterations.reserve(std::size_t(options_.max_iterations) + 1);
    result_.status = values_.evaluate(problem_, point) ? iterate(point) : RestorationStatus::outside_the_domain;
    result_.objective = values_.objective;
    result_.constraint_largest = values_.largest;
    result_.largest_constraint = values_.largest_constraint;
    if (result_.status != RestorationStatus::converged) explain();
    return std::move(result_);
  }

 private:
  RestorationStatus iterate(Eigen::VectorXd& point) {
    while (true) {
      result_.iterations.push_back({values_.largest, 0, 0});
      if (values_.largest <= options_.tolerance) return RestorationStatus::converged;
      if (int(result_.iterations.size()) > options_.max_iterations) return RestorationStatus::iteration_limit;
      const RestorationStatus outcome = find_step(point);
      if (outcome != RestorationStatus::converged) return outcome;
      if (path_.slope() <= restoration_infeasible_slope * values_.norm) return RestorationStatus::infeasible;
      if (!search(point)) return RestorationStatus::stalled;
    }
  }

  // `converged` where there is a step.
  RestorationStatus find_step(const Eigen::VectorXd& point) {
    problem_.linearize(point, no_multipliers_, gradient_);
    if (!has_scales_) linearization_.set_scales(find_scales(problem_.system(), options_.metric));
    has_scales_ = true;
    values_.scale(linearization_.scales().constraints);
    const SaddlePointOutcome outcome = linearization_.factor(SaddlePointSelection::metric);
    if (outcome == SaddlePointOutcome::not_finite) return RestorationStatus::not_finite;
    if (outcome == SaddlePointOutcome::singular || !path_.find_path(linearization_, values_.scaled))
      return RestorationStatus::singular;
    path_.minimize(std::numeric_limits<double>::infinity(), step_);
    result_.iterations.back().step_norm = linearization_.norm(step_);
    return RestorationStatus::converged;
  }

  bool search(Eigen::VectorXd& point) {
    for (double length = 1; length >= shortest_step; length /= 2) {
      trial_ = point + length * step_;
      if (!trial_values_.evaluate(problem_, trial_)) continue;
      trial_values_.scale(linearization_.scales().constraints);
      if (trial_values_.norm > (1 - sufficient_decrease * length) * values_.norm) continue;
      point.swap(trial_);
      std::swap(values_, trial_values_);
      result_.iterations.back().step_length = length;
      return true;
    }
    return false;
  }

  void explain() {
    const std::string constraint =
        result_.largest_constraint < 0
            ? "there are no constraints"
            : fmt::format("the largest constraint is {:.3g} ({}), the tolerance {:.3g}", values_.largest,
                          problem_.constraint_name(result_.largest_constraint), options_.tolerance);
    result_.diagnosis = fmt::format("restoration ended as {} after {} iterations: {}.", to_string(result_.status),
                                    result_.iterations.size(), constraint);
  }

  EqualityConstrainedProblem& problem_;
  const RestorationOptions& options_;
  ScaledLinearization linearization_;
  NormalStep path_;
  ConstraintValues values_, trial_values_;
  Eigen::VectorXd step_, trial_, gradient_;
  const Eigen::VectorXd no_multipliers_;
  RestorationResult result_;
  bool has_scales_ = false;
};

}  // namespace

RestorationResult restore_constraints(EqualityConstrainedProblem& problem, Eigen::VectorXd& point,
                                      const RestorationOptions& options) {
  require_valid_restoration(problem, point, options);
  require_equal_sizes(problem);
  return Restoration(problem, options).run(point);
}

}  // namespace holo
