#include "holo/opt/staged/staged_step.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/core/numerics/sparse_solver.h"
#include "staged/arrow/arrow_step.h"
#include "staged/reference/reference_steps.h"

namespace holo {

std::string to_string(StagedStepKind kind) {
  switch (kind) {
    case StagedStepKind::arrow:
      return "arrow";
    case StagedStepKind::dense_riccati:
      return "dense_riccati";
    case StagedStepKind::sparse_lu:
      return "sparse_lu";
    case StagedStepKind::umfpack:
      return "umfpack";
    case StagedStepKind::umfpack_metis:
      return "umfpack_metis";
  }
  return "unknown";
}

std::string to_string(StateFactorization factorization) { return factorization == StateFactorization::lanes ? "lanes" : "klu"; }

bool is_available(StagedStepKind kind) {
  const bool is_umfpack = kind == StagedStepKind::umfpack || kind == StagedStepKind::umfpack_metis;
  return !is_umfpack || is_available(SparseLibrary::umfpack);
}

namespace {

void require(bool fits, const std::string& what) {
  if (!fits) throw Error(Failure::internal, "the layout of an optimal control problem is not consistent: " + what);
}

void require_quaternions(const std::vector<int>& places, int count, const char* of) {
  int end = 0;
  for (int place : places) {
    require(place >= end && place + 4 <= count,
            fmt::format("a quaternion of its {} begins at {}; they must ascend, not overlap and end by {}", of, place, count));
    end = place + 4;
  }
}

void require_pattern(const StagePattern& pattern, int rows, int columns, const char* what) {
  require(pattern.rows() == rows && pattern.cols() == columns && pattern.isCompressed(),
          fmt::format("{} is {} x {} {}; it must be {} x {} and compressed", what, pattern.rows(), pattern.cols(),
                      pattern.isCompressed() ? "" : "(not compressed)", rows, columns));
}

void require_size(const char* what, Eigen::Index rows, Eigen::Index columns, Eigen::Index right_rows,
                  Eigen::Index right_columns) {
  require(rows == right_rows && columns == right_columns,
          fmt::format("the point's {} are {} x {}; they must be {} x {}", what, rows, columns, right_rows, right_columns));
}

}  // namespace

namespace {

void require_bounds(const StagedLayout& layout) {
  const Eigen::VectorXd &lower = layout.parameter_lower, &upper = layout.parameter_upper;
  const Eigen::Index wanted = layout.has_bounds() ? layout.parameter_count : 0;
  require(lower.size() == wanted && upper.size() == wanted,
          fmt::format("it has {} lower and {} upper bounds of {} parameters", lower.size(), upper.size(), wanted));
  for (Eigen::Index p = 0; p < wanted; ++p)
    require(lower[p] <= upper[p], fmt::format("the bounds of parameter {} are {} and {}", p, lower[p], upper[p]));
  for (const int place : layout.parameter_quaternions)
    for (int p = place; p < place + 4 && layout.has_bounds(); ++p)
      require(!std::isfinite(lower[p]) && !std::isfinite(upper[p]),
              fmt::format("parameter {} has a bound and is part of a quaternion", p));
}

}  // namespace

void require_valid(const StagedLayout& layout) {
  const int np = layout.parameter_count, nu = layout.control_count, ns = layout.state_count;
  require(layout.stage_count >= 2, fmt::format("it has {} knots; it must have 2 or more", layout.stage_count));
  require(layout.time_step > 0 && std::isfinite(layout.time_step), fmt::format("its time step is {} s", layout.time_step));
  require(np >= 0 && nu >= 1 && ns >= 1 && layout.parameter_constraint_count >= 0,
          fmt::format("it has {} parameters, {} controls, {} states; it must have at least 0, 1, 1", np, nu, ns));
  require_quaternions(layout.parameter_quaternions, np, "parameters");
  require_quaternions(layout.control_quaternions, nu, "controls");
  for (std::size_t j = 0; j < layout.rated_states.size(); ++j)
    require(layout.rated_states[j] >= (j == 0 ? 0 : layout.rated_states[j - 1] + 1) && layout.rated_states[j] < ns,
            fmt::format("the state {} has a rate; there are {}, and they must ascend", layout.rated_states[j], ns));
  require_pattern(layout.states_jacobian, ns, ns, "the states' Jacobian");
  require_pattern(layout.parameters_jacobian, ns, np, "the parameters' Jacobian");
  require_pattern(layout.controls_jacobian, ns, nu, "the controls' Jacobian");
  require_pattern(layout.hessian, layout.stage_size(), layout.stage_size(), "the Hessian");
  for (int column = 0; column < layout.stage_size(); ++column) {
    const int end = layout.hessian.outerIndexPtr()[column + 1];
    require(end == layout.hessian.outerIndexPtr()[column] || layout.hessian.innerIndexPtr()[end - 1] <= column,
            fmt::format("column {} of the Hessian has entries below the diagonal", column));
  }
  require_bounds(layout);
}

void require_valid(const StagedLayout& layout, const StagedPoint& point) {
  const int count = layout.stage_count;
  require_size("parameters", point.parameters.rows(), 1, layout.parameter_count, 1);
  for (int p = 0; p < layout.parameter_count && layout.has_bounds(); ++p)
    require(point.parameters[p] >= layout.parameter_lower[p] && point.parameters[p] <= layout.parameter_upper[p],
            fmt::format("parameter {} of the point is {}; its bounds are {} and {}", p, point.parameters[p],
                        layout.parameter_lower[p], layout.parameter_upper[p]));
  require_size("controls", point.controls.rows(), point.controls.cols(), layout.control_count, count);
  require_size("rates", point.rates.rows(), point.rates.cols(), layout.control_count, count - 1);
  require_size("states", point.states.rows(), point.states.cols(), layout.state_count, count);
}

std::unique_ptr<StagedStep> make_staged_step(StagedStepKind kind, const StagedLayout& layout,
                                             StateFactorization factorization) {
  require_valid(layout);
  if (!is_available(kind))
    throw Error(
        Failure::input,
        "this build has no UMFPACK (it was configured with HOLO_ENABLE_GPL=OFF); choose arrow, dense_riccati or sparse_lu");
  if (kind == StagedStepKind::dense_riccati && !layout.rated_states.empty())
    throw Error(Failure::input,
                "the step 'dense_riccati' has no rates of states, which dependent controls need; choose arrow or sparse_lu");
  if (kind != StagedStepKind::arrow && layout.has_bounds())
    throw Error(Failure::input,
                fmt::format("the step '{}' does not support bounds of parameters; choose arrow, or remove the bounds",
                            to_string(kind)));
  if (kind == StagedStepKind::arrow) return std::make_unique<ArrowStep>(layout, factorization);
  return make_reference_step(kind, layout, factorization);
}

}  // namespace holo
