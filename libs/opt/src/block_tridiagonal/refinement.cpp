#include "block_tridiagonal/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_modulus(const double* values, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return infinity;
    largest = std::max(largest, std::abs(values[i]));
  }
  return largest;
}

double backward_error(double norm, double residual, double solution, double right_hand_side) {
  if (residual == 0) return 0;
  const double error = residual / (norm * solution + right_hand_side);
  return std::isfinite(error) && std::isfinite(solution) ? error : infinity;
}

// Takes the step of one column where it makes the error smaller; true if another step may help.
bool take_step(const ScaledSystem& system, double norm, int column, double target, RefinementWorkspace& workspace) {
  const std::size_t rows = system.matrix.shape.system_rows(), first = std::size_t(column) * rows;
  double *y = workspace.solution.data() + first, *residual = workspace.residual.data() + first;
  const double *step = workspace.step.data() + first, *c = workspace.right_hand_side.data() + first;
  double& error = workspace.errors[std::size_t(column)];
  double* candidate = workspace.product.data() + rows;
  double* candidate_residual = candidate + rows;
  for (std::size_t i = 0; i < rows; ++i) candidate[i] = y[i] + step[i];
  find_residual(system, c, candidate, candidate_residual, workspace.product.data());
  const double found = backward_error(norm, largest_modulus(candidate_residual, rows), largest_modulus(candidate, rows),
                                      largest_modulus(c, rows));
  const bool helps = found < error;
  if (helps) {
    error = found;
    std::copy_n(candidate, rows, y);
    std::copy_n(candidate_residual, rows, residual);
  }
  return helps && error > target;
}

}  // namespace

RefinementWorkspace::RefinementWorkspace(std::size_t rows, int columns)
    : right_hand_side(rows * std::size_t(columns)),
      solution(right_hand_side.size()),
      residual(right_hand_side.size()),
      step(right_hand_side.size()),
      product(3 * rows),
      errors(std::size_t(columns)),
      is_finished(std::size_t(columns)) {}

RefinementResult solve_and_refine(const ScaledSystem& system, double norm, SystemFactor& factor, int columns, double target,
                                  int most_steps, RefinementWorkspace& workspace) {
  const std::size_t entries = system.matrix.shape.system_rows() * std::size_t(columns);
  std::fill_n(workspace.solution.data(), entries, 0.0);
  std::copy_n(workspace.right_hand_side.data(), entries, workspace.residual.data());
  std::fill_n(workspace.errors.begin(), columns, infinity);
  std::fill_n(workspace.is_finished.begin(), columns, char(false));
  RefinementResult result;
  for (int step = 0; step <= most_steps; ++step) {
    std::copy_n(workspace.residual.data(), entries, workspace.step.data());
    factor.solve(workspace.step.data(), columns);
    result.refinements = step;
    bool is_finished = true;
    for (int column = 0; column < columns; ++column) {
      if (workspace.is_finished[std::size_t(column)]) continue;
      const bool goes_on = take_step(system, norm, column, target, workspace);
      workspace.is_finished[std::size_t(column)] = !goes_on;
      is_finished &= !goes_on;
    }
    if (is_finished) break;
  }
  result.backward_error = *std::max_element(workspace.errors.begin(), workspace.errors.begin() + columns);
  return result;
}

}  // namespace holo
