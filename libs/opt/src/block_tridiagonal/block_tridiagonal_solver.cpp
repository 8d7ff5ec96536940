#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "block_tridiagonal/solver_options.h"
#include "holo/core/error.h"

namespace holo {

namespace {

constexpr int most_columns = 16;  // times the rows of a system are less than 2^31, as BLAS counts

[[noreturn]] void refuse(const std::string& text) { throw Error(Failure::internal, "a block-tridiagonal solver " + text); }

void check_shift(const QuasiDefiniteShift& shift) {
  if (!(shift.positive >= 0 && shift.negative >= 0))
    refuse("was given the shifts " + std::to_string(shift.positive) + " and " + std::to_string(shift.negative) +
           "; both must be 0 or more");
}

}  // namespace

std::string to_string(BlockTridiagonalMethod method) {
  switch (method) {
    case BlockTridiagonalMethod::serial:
      return "serial";
    case BlockTridiagonalMethod::two_ended:
      return "two_ended";
    case BlockTridiagonalMethod::cyclic_reduction:
      return "cyclic_reduction";
    case BlockTridiagonalMethod::partitioned:
      return "partitioned";
    case BlockTridiagonalMethod::sparse_ldlt:
      return "sparse_ldlt";
    case BlockTridiagonalMethod::sparse_lu:
      return "sparse_lu";
  }
  return "";
}

std::string to_string(const BlockTridiagonalReport& report) {
  using Status = BlockTridiagonalReport::Status;
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", value);
    return std::string(text);
  };
  if (report.status == Status::none) return "was never factorized";
  if (report.status == Status::not_finite) return "has an entry that is not finite";
  const std::string factor = std::to_string(report.factorizations) + " factorization(s), shift " +
                             number(report.shift.positive) + " and " + number(report.shift.negative) +
                             (report.is_pivoted ? ", with pivoting" : "");
  if (report.status == Status::singular) return "is singular, also with pivoting: " + factor;
  if (report.status == Status::right_hand_side_not_finite) return "was given a right-hand side that is not finite: " + factor;
  const std::string solution = "; the last solution has the backward error " + number(report.backward_error) + " after " +
                               std::to_string(report.refinements) + " refinement(s)";
  const std::string signs =
      report.wrong_signs > 0 ? "; " + std::to_string(report.wrong_signs) + " pivot(s) have wrong signs" : "";
  return (report.status == Status::inaccurate ? "has no accurate solution: " : "is factorized: ") + factor + signs + solution;
}

bool BlockTridiagonalSolver::factor(const BlockTridiagonalView& matrix) {
  if (all_systems_.empty()) {
    all_systems_.resize(std::size_t(shape_.systems));
    std::iota(all_systems_.begin(), all_systems_.end(), 0);
  }
  return factor(matrix, all_systems_);
}

bool BlockTridiagonalSolver::factor(const BlockTridiagonalView& matrix, std::span<const int> systems) {
  if (matrix.shape != shape_)
    refuse("for " + std::to_string(shape_.systems) + " systems of " + std::to_string(shape_.blocks) + " blocks with " +
           std::to_string(shape_.block_size) + " rows was given a matrix of " + std::to_string(matrix.shape.systems) +
           " systems of " + std::to_string(matrix.shape.blocks) + " blocks with " + std::to_string(matrix.shape.block_size) +
           " rows; make another solver for it");
  int last = -1;
  for (int system : systems) {
    if (system <= last || system >= shape_.systems)
      refuse("was asked for system " + std::to_string(system) + " after " + std::to_string(last) +
             "; systems must ascend and be less than " + std::to_string(shape_.systems));
    last = system;
  }
  return factor_systems(matrix, systems);
}

void BlockTridiagonalSolver::set_shift(const QuasiDefiniteShift& shift) {
  check_shift(shift);
  options_.shift = shift;
}

bool BlockTridiagonalSolver::solve(std::span<const double> b, std::span<double> x, int columns) {
  if (columns < 1 || columns > options_.columns)
    refuse("was given " + std::to_string(columns) +
           " right-hand sides; allowed are 1 to options.columns = " + std::to_string(options_.columns));
  const std::size_t entries = shape_.rows() * std::size_t(columns);
  if (b.size() != entries || x.size() != entries)
    refuse("of " + std::to_string(shape_.rows()) + " rows was given " + std::to_string(b.size()) + " numbers of " +
           std::to_string(columns) + " right-hand side(s) and " + std::to_string(x.size()) +
           " of the solution(s); both must be " + std::to_string(entries));
  return solve_systems(b.data(), x.data(), columns);
}

void check_block_tridiagonal_options(const BlockTridiagonalShape& shape, std::span<const signed char> signs,
                                     const BlockTridiagonalOptions& options) {
  check_shape(shape);
  check_shift(options.shift);
  if (signs.size() != shape.system_rows())
    refuse("was given " + std::to_string(signs.size()) + " signs of unknowns; a system has " +
           std::to_string(shape.system_rows()) + " rows");
  const auto wrong = std::find_if(signs.begin(), signs.end(), [](signed char sign) { return sign != 1 && sign != -1; });
  if (wrong != signs.end())
    refuse("was given the sign " + std::to_string(int(*wrong)) + " of unknown " + std::to_string(wrong - signs.begin()) +
           "; allowed are 1 and -1");
  if (options.columns < 1 || options.columns > most_columns || options.refinement_steps < 0 || options.partitions < 2)
    refuse("has options with columns = " + std::to_string(options.columns) + ", refinement_steps = " +
           std::to_string(options.refinement_steps) + " and partitions = " + std::to_string(options.partitions) +
           "; allowed are 1 to " + std::to_string(most_columns) + ", at least 0, and at least 2");
  if (!(options.shift_growth > 1) || !(options.largest_shift >= 0) || !(options.target_error > 0) ||
      !(options.largest_error >= options.target_error))
    refuse("has options with shift_growth = " + std::to_string(options.shift_growth) +
           ", which must exceed 1, or a negative "
           "largest_shift, or errors that are not 0 < target_error <= largest_error");
}

}  // namespace holo
