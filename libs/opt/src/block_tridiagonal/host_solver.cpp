// The block-tridiagonal solver on the processor's cores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "block_tridiagonal/index_loop.h"
#include "block_tridiagonal/path_elimination.h"
#include "block_tridiagonal/pivoted_factor.h"
#include "block_tridiagonal/refinement.h"
#include "block_tridiagonal/solver_options.h"
#include "holo/core/error.h"
#include "holo/core/numerics/blas.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

namespace holo {

namespace {

using SystemStatus = BlockTridiagonalReport::Status;

constexpr double least_grown_shift = 1e-10;  // from which a shift of 0 grows

EliminationPlan plan_of(const BlockTridiagonalOptions& options, int blocks) {
  switch (options.method) {
    case BlockTridiagonalMethod::two_ended:
      return two_ended_plan(blocks);
    case BlockTridiagonalMethod::cyclic_reduction:
      return cyclic_reduction_plan(blocks);
    case BlockTridiagonalMethod::partitioned:
      return partitioned_plan(blocks, options.partitions);
    default:
      return serial_plan(blocks);
  }
}

bool is_sparse(BlockTridiagonalMethod method) {
  return method == BlockTridiagonalMethod::sparse_ldlt || method == BlockTridiagonalMethod::sparse_lu;
}

class HostBlockTridiagonalSolver final : public BlockTridiagonalSolver {
 public:
  HostBlockTridiagonalSolver(const BlockTridiagonalShape& shape, std::span<const signed char> signs,
                             const BlockTridiagonalOptions& options);

  std::string name() const override;
  double factorization_flops() const override { return flops_; }
  const BlockTridiagonalReport& report(int system) const override { return states_.at(std::size_t(system)).report; }

 protected:
  bool factor_systems(const BlockTridiagonalView& matrix, std::span<const int> systems) override;
  bool solve_systems(const double* b, double* x, int columns) override;

 private:
  struct SystemState {
    std::unique_ptr<SystemFactor> factor, pivoted;  // by the method, and the fallback once it is needed
    AlignedArray scales;                            // [block][row]
    ScaledSystem system;
    double scaled_norm = 0;  // of S K S
    BlockTridiagonalReport report;
    bool solved = false;  // in the last solution
    // Of the shifted matrix, at most: a shift changes a row's sum by no more.
    double norm() const { return scaled_norm + std::max(system.positive_shift, system.negative_shift); }
    SystemFactor& used() { return pivoted && report.is_pivoted ? *pivoted : *factor; }
  };

  void begin_system(SystemState& state, const BlockTridiagonalView& matrix, RefinementWorkspace& scratch);
  void factor_with_growing_shift(SystemState& state);
  bool factor_once(SystemState& state);
  bool grow_shift(SystemState& state);
  void factor_with_pivots(SystemState& state);
  bool solve_system(SystemState& state, const double* b, double* x, int columns, RefinementWorkspace& workspace);

  std::vector<signed char> signs_;  // [block][row]
  std::vector<SystemState> states_;
  WorkspacePool<RefinementWorkspace> workspaces_;
  double flops_ = 0;
};

HostBlockTridiagonalSolver::HostBlockTridiagonalSolver(const BlockTridiagonalShape& shape, std::span<const signed char> signs,
                                                       const BlockTridiagonalOptions& options)
    : BlockTridiagonalSolver(shape, options),
      signs_(signs.begin(), signs.end()),
      states_(std::size_t(shape.systems)),
      workspaces_([rows = shape.system_rows(), columns = options.columns] {
        return std::make_unique<RefinementWorkspace>(rows, columns);
      }) {
  prepare_blas();
  std::shared_ptr<const PanelLayout> layout;
  std::shared_ptr<PathWorkspaces> workspaces;
  if (!is_sparse(options.method)) {
    layout = std::make_shared<PanelLayout>(plan_of(options, shape.blocks), shape.block_size);
    workspaces = std::make_shared<PathWorkspaces>(*layout, options.columns, shape.systems);
    flops_ = layout->plan().relative_flops() * std::pow(shape.block_size, 3) * shape.systems;
  }
  for (int i = 0; i < shape.systems; ++i) {
    SystemState& state = states_[std::size_t(i)];
    if (layout)
      state.factor = make_path_elimination(layout, workspaces);
    else
      state.factor = make_pivoted_factor(options.method == BlockTridiagonalMethod::sparse_lu ? MatrixKind::general
                                                                                             : MatrixKind::indefinite);
    state.scales = AlignedArray(shape.system_rows());
    std::fill_n(state.scales.data(), shape.system_rows(), 1.0);
    state.system.system = i;
    state.system.scales = state.scales.data();
    state.system.signs = signs_.data();
  }
  if (shape.systems == 1)
    const WorkspacePool<RefinementWorkspace>::Lease first(workspaces_);
  else
    workspaces_.fill();
}

std::string HostBlockTridiagonalSolver::name() const {
  const std::string method = to_string(options().method);
  return is_sparse(options().method) ? method + ", with pivoting" : "block L D L^T, " + method + " (OpenBLAS)";
}

void HostBlockTridiagonalSolver::begin_system(SystemState& state, const BlockTridiagonalView& matrix,
                                              RefinementWorkspace& scratch) {
  state.system.matrix = matrix;
  state.system.positive_shift = options().shift.positive;
  state.system.negative_shift = options().shift.negative;
  state.report = {};
  state.scaled_norm = equilibrate(matrix, state.system.system, options().equilibrate ? signs_.data() : nullptr,
                                  state.scales.data(), scratch.product.data());
}

// Factorizes with the state's shift; false if there is no factor, or one with wrong signs.
bool HostBlockTridiagonalSolver::factor_once(SystemState& state) {
  BlockTridiagonalReport& report = state.report;
  if (!std::isfinite(state.scaled_norm)) {
    report.status = SystemStatus::not_finite;
    return false;
  }
  ++report.factorizations;
  report.shift = {state.system.positive_shift, state.system.negative_shift};
  const bool is_factorized = state.used().factor(state.system);
  report.status = is_factorized ? SystemStatus::factorized : SystemStatus::singular;
  report.inertia = state.used().inertia();
  report.wrong_signs = state.used().wrong_signs();
  return is_factorized && (report.is_pivoted || report.wrong_signs == 0);
}

bool HostBlockTridiagonalSolver::grow_shift(SystemState& state) {
  const auto grown = [&](double shift) {
    const double next = std::max(shift, least_grown_shift) * options().shift_growth, largest = options().largest_shift;
    return std::max(shift, next < 0.99 * largest ? next : largest);  // not once more for a rounding error
  };
  const double positive = grown(state.system.positive_shift), negative = grown(state.system.negative_shift);
  if (positive == state.system.positive_shift && negative == state.system.negative_shift) return false;
  state.system.positive_shift = positive;
  state.system.negative_shift = negative;
  return true;
}

void HostBlockTridiagonalSolver::factor_with_growing_shift(SystemState& state) {
  while (!factor_once(state)) {
    if (state.report.status == SystemStatus::not_finite) return;
    if (grow_shift(state)) continue;
    if (!state.report.is_pivoted) factor_with_pivots(state);
    return;
  }
}

void HostBlockTridiagonalSolver::factor_with_pivots(SystemState& state) {
  if (!state.pivoted) state.pivoted = make_pivoted_factor(MatrixKind::indefinite);
  state.report.is_pivoted = true;
  state.system.positive_shift = options().shift.positive;
  state.system.negative_shift = options().shift.negative;
  factor_with_growing_shift(state);
}

bool HostBlockTridiagonalSolver::factor_systems(const BlockTridiagonalView& matrix, std::span<const int> systems) {
  for_each_index(0, int(systems.size()), [&](int i) {
    WorkspacePool<RefinementWorkspace>::Lease scratch(workspaces_);
    SystemState& state = states_[std::size_t(systems[std::size_t(i)])];
    begin_system(state, matrix, *scratch);
    state.report.is_pivoted = is_sparse(options().method);
    factor_with_growing_shift(state);
  });
  return std::all_of(systems.begin(), systems.end(), [&](int i) { return report(i).status == SystemStatus::factorized; });
}

// Solves and refines with the factor, then with larger shifts, then with pivots.
bool HostBlockTridiagonalSolver::solve_system(SystemState& state, const double* b, double* x, int columns,
                                              RefinementWorkspace& workspace) {
  BlockTridiagonalReport& report = state.report;
  if (report.status == SystemStatus::not_finite || report.status == SystemStatus::singular) return false;
  const std::size_t rows = shape().system_rows(), all_rows = shape().rows();
  bool is_finite = true;
  for (int column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) {
      const double value = state.scales[row] * b[std::size_t(column) * all_rows + row];
      workspace.right_hand_side[std::size_t(column) * rows + row] = value;
      is_finite &= std::isfinite(value);
    }
  report.status = is_finite ? SystemStatus::factorized : SystemStatus::right_hand_side_not_finite;
  if (!is_finite) return false;
  while (true) {
    const RefinementResult result = solve_and_refine(state.system, state.norm(), state.used(), columns, options().target_error,
                                                     options().refinement_steps, workspace);
    report.refinements = result.refinements;
    report.backward_error = result.backward_error;
    if (result.backward_error <= options().largest_error) break;
    if (grow_shift(state))
      factor_with_growing_shift(state);
    else if (!report.is_pivoted)
      factor_with_pivots(state);
    else
      report.status = SystemStatus::inaccurate;
    if (report.status != SystemStatus::factorized) return false;
  }
  for (int column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      x[std::size_t(column) * all_rows + row] = state.scales[row] * workspace.solution[std::size_t(column) * rows + row];
  return true;
}

bool HostBlockTridiagonalSolver::solve_systems(const double* b, double* x, int columns) {
  const std::size_t rows = shape().system_rows();
  for (const SystemState& state : states_)
    if (state.report.status == SystemStatus::none)
      throw Error(Failure::internal, "a block-tridiagonal solver was asked for a solution before system " +
                                         std::to_string(state.system.system) + " was factorized");
  for_each_index(0, shape().systems, [&](int i) {
    WorkspacePool<RefinementWorkspace>::Lease workspace(workspaces_);
    SystemState& state = states_[std::size_t(i)];
    const std::size_t first = std::size_t(i) * rows;
    state.solved = solve_system(state, b + first, x + first, columns, *workspace);
    if (state.solved) return;
    for (int column = 0; column < columns; ++column)
      std::fill_n(x + std::size_t(column) * shape().rows() + first, rows, std::numeric_limits<double>::quiet_NaN());
  });
  return std::all_of(states_.begin(), states_.end(), [](const SystemState& state) { return state.solved; });
}

}  // namespace

std::unique_ptr<BlockTridiagonalSolver> make_block_tridiagonal_solver(const BlockTridiagonalShape& shape,
                                                                      std::span<const signed char> signs,
                                                                      const BlockTridiagonalOptions& options) {
  check_block_tridiagonal_options(shape, signs, options);
  return std::make_unique<HostBlockTridiagonalSolver>(shape, signs, options);
}

}  // namespace holo
