#pragma once
// Solution of symmetric quasi-definite block-tridiagonal systems, one or a batch: the saddle-point matrices [H A^T; A 0] of a
// trajectory, permuted so that blocks are groups of control points.
//
//   const auto solver = make_block_tridiagonal_solver(matrix.shape(), signs);
//   if (!solver->factor(matrix)) throw ...(to_string(solver->report(0)));
//   if (!solver->solve(b, x, columns)) ...
//
// With the scales S of an equilibration the solver factorizes S K S + shift, where the shift makes the matrix quasi-definite:
// +dw on unknowns with the sign +1 and -dc on those with the sign -1. Every order of pivots then exists [Vanderbei1995], so
// that blocks are eliminated without pivoting, and the signs of the pivots are the inertia. Solutions are those of the shifted
// matrix, refined to a small backward error. docs/block-tridiagonal.md has the formulas.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_matrix.h"

namespace holo {

enum class BlockTridiagonalMethod {
  serial,            // from the first block to the last one: the block form of Thomas' algorithm
  two_ended,         // from both ends to the middle, on two threads
  cyclic_reduction,  // every second block, level by level
  partitioned,       // parts of consecutive blocks, then the separators between them (SPIKE)
  sparse_ldlt,       // with pivoting: the multifrontal L D L^T of SparseSolver
  sparse_lu          // with pivoting: LU of SparseSolver, without inertia; for comparisons
};
std::string to_string(BlockTridiagonalMethod method);

// Of the equilibrated matrix, whose entries are about 1. Both >= 0.
struct QuasiDefiniteShift {
  double positive = 1e-8, negative = 1e-8;  // dw, dc
  bool operator==(const QuasiDefiniteShift&) const = default;
};

struct BlockTridiagonalOptions {
  BlockTridiagonalMethod method = BlockTridiagonalMethod::serial;
  int partitions = 4;  // of `partitioned`; at least 2. Results depend on it
  bool equilibrate = true;
  QuasiDefiniteShift shift = {};
  // Where pivots have wrong signs or refinement does not reach largest_error, the shift grows by this factor (> 1) up to
  // largest_shift, and then the system is factorized with pivoting and the first shift.
  double shift_growth = 100, largest_shift = 1e-4;
  double target_error = 1e-14;  // backward error at which refinement stops
  double largest_error = 1e-9;  // backward error above which a solution is refused
  int refinement_steps = 5;     // at most
  int columns = 4;              // right-hand sides of a solution, at most; 1 to 16
};

// What was done for one system.
struct BlockTridiagonalReport {
  enum class Status {
    none,                       // never factorized
    factorized,                 // solutions are possible
    not_finite,                 // an entry of the matrix is not finite
    singular,                   // also with pivoting
    inaccurate,                 // the last solution exceeded the largest error, also with pivoting; others are possible
    right_hand_side_not_finite  // of the last solution; others are possible
  };
  Status status = Status::none;
  QuasiDefiniteShift shift;              // of the factor
  bool is_pivoted = false;               // the factor has pivots: by the method, or as the fallback
  int factorizations = 0;                // for the last matrix, those of later solutions included
  int wrong_signs = 0;                   // of pivots of the factor: the shifted matrix is not quasi-definite
  int refinements = 0;                   // of the last solution
  double backward_error = 0;             // of the last solution: |b - K x| / (|K| |x| + |b|) in the largest norm, equilibrated
  std::optional<MatrixInertia> inertia;  // of the shifted matrix; empty for sparse_lu
};
std::string to_string(const BlockTridiagonalReport& report);  // a sentence for a log

// Systems of a batch are independent: what a system gets does not depend on the others, to the last bit, and repeated calls
// give the same bits. Factorizations and solutions allocate no memory, but for those with pivoting. An implementation on
// another device takes views, vectors and reports in that device's memory.
class BlockTridiagonalSolver {
 public:
  virtual ~BlockTridiagonalSolver() = default;
  BlockTridiagonalSolver(const BlockTridiagonalSolver&) = delete;
  BlockTridiagonalSolver& operator=(const BlockTridiagonalSolver&) = delete;

  const BlockTridiagonalShape& shape() const { return shape_; }
  const BlockTridiagonalOptions& options() const { return options_; }
  virtual std::string name() const = 0;
  virtual double factorization_flops()
      const = 0;  // additions and multiplications of the block method for all systems; 0: unknown

  // Factorizes all systems, or those listed: the others keep their factors. The matrix must stay as it is until the next
  // factorization, since solutions are refined with it. False if a system has no factor; its report tells why.
  // Throws Error(internal) for another shape and for systems that do not exist or do not ascend.
  bool factor(const BlockTridiagonalView& matrix);
  bool factor(const BlockTridiagonalView& matrix, std::span<const int> systems);
  // The shift for later factorizations, for a caller that raises it by itself. Throws Error(internal) for negative numbers.
  void set_shift(const QuasiDefiniteShift& shift);

  // x = K^-1 b with the shifted matrix; both [column][system][block][row], columns at most options().columns; x may be b. False
  // if a system has no solution with the largest allowed error: its x is NaN. May factorize a system again with another shift.
  // Throws Error(internal) for other sizes.
  bool solve(std::span<const double> b, std::span<double> x, int columns = 1);

  virtual const BlockTridiagonalReport& report(int system) const = 0;

 protected:
  BlockTridiagonalSolver(const BlockTridiagonalShape& shape, const BlockTridiagonalOptions& options)
      : shape_(shape), options_(options) {}
  // Called with fitting sizes.
  virtual bool factor_systems(const BlockTridiagonalView& matrix, std::span<const int> systems) = 0;
  virtual bool solve_systems(const double* b, double* x, int columns) = 0;

 private:
  BlockTridiagonalShape shape_;
  BlockTridiagonalOptions options_;
  std::vector<int> all_systems_;
};

// The solver on the processor's cores. `signs` [block][row] are +1 for unknowns and -1 for multipliers of constraints, the same
// for all systems. Throws Error(internal) for another number of signs, other signs and options out of range.
std::unique_ptr<BlockTridiagonalSolver> make_block_tridiagonal_solver(const BlockTridiagonalShape& shape,
                                                                      std::span<const signed char> signs,
                                                                      const BlockTridiagonalOptions& options = {});

}  // namespace holo
