#include "holo/sim/reduction/linear_modes.h"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <string>

#include "holo/core/error.h"
#include "reduction/signs.h"

namespace holo {
namespace {

constexpr Eigen::Index always_dense = 200;  // degrees of freedom up to which a dense eigensolver takes no time
constexpr Eigen::Index max_restarts = 1000;
constexpr double ritz_tolerance = 1e-13;

// A = M^1/2 K^-1 M^1/2 less what is known already, V diag(l) V^T: its largest eigenvalues are 1/w^2 of the lowest modes. What
// is prescribed or rigid has the eigenvalue 0.
class Flexibility {
 public:
  using Scalar = double;
  Flexibility(const ModalSystem& system, const Eigen::MatrixXd& known, const Eigen::VectorXd& values)
      : system_(system), roots_(system.masses().cwiseSqrt()), known_(known), values_(values) {}

  Eigen::Index rows() const { return system_.size(); }
  Eigen::Index cols() const { return system_.size(); }
  int solves() const { return solves_; }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const Eigen::VectorXd> in(x, rows());
    Eigen::Map<Eigen::VectorXd> out(y, rows());
    out = roots_.cwiseProduct(system_.solve(roots_.cwiseProduct(in)).col(0));
    if (known_.cols() > 0) out -= known_ * values_.cwiseProduct(known_.transpose() * in);
    ++solves_;
  }

 private:
  const ModalSystem& system_;
  Eigen::VectorXd roots_;
  const Eigen::MatrixXd& known_;
  const Eigen::VectorXd& values_;
  mutable int solves_ = 0;
};

// Eigenpairs of A: largest eigenvalue first.
struct Pairs {
  Eigen::MatrixXd vectors;
  Eigen::VectorXd values;
  int solves = 0;
};

Pairs largest_pairs(const ModalSystem& system, const Pairs& known, Eigen::Index count) {
  Flexibility flexibility(system, known.vectors, known.values);
  const Eigen::Index basis = std::min(2 * count + 20, system.degrees_of_freedom());
  Spectra::SymEigsSolver<Flexibility> solver(flexibility, count, basis);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, max_restarts, ritz_tolerance);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw Error(Failure::internal, "the modes' Lanczos iterations did not converge in " + std::to_string(max_restarts) +
                                       " restarts of " + std::to_string(basis) + " vectors.");
  return {solver.eigenvectors(), solver.eigenvalues(), flexibility.solves()};
}

// Adds eigenpairs that iterations from one vector missed: of a repeated eigenvalue they see one vector until rounding errors
// bring in the others.
void add_missed_pairs(const ModalSystem& system, Pairs& pairs) {
  constexpr double same = 1e-9;
  const Eigen::Index count = pairs.values.size();
  for (Eigen::Index tries = 0; tries < count; ++tries) {
    const Pairs other = largest_pairs(system, pairs, 1);
    pairs.solves += other.solves;
    if (!(other.values[0] > (1 + same) * pairs.values[count - 1])) return;
    Eigen::Index place = count - 1;  // the last one makes room
    for (; place > 0 && other.values[0] > pairs.values[place - 1]; --place) {
      pairs.values[place] = pairs.values[place - 1];
      pairs.vectors.col(place) = pairs.vectors.col(place - 1);
    }
    pairs.values[place] = other.values[0];
    pairs.vectors.col(place) = other.vectors.col(0);
  }
}

// By a dense eigensolver of A, from its columns.
Pairs dense_pairs(const ModalSystem& system, Eigen::Index count) {
  const Eigen::VectorXd roots = system.masses().cwiseSqrt();
  const Eigen::MatrixXd half = system.solve(Eigen::MatrixXd(roots.asDiagonal()));
  Eigen::MatrixXd A = roots.asDiagonal() * half;
  A = 0.5 * (A + A.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvectors().rightCols(count).rowwise().reverse(), solver.eigenvalues().tail(count).reverse(),
          static_cast<int>(system.size())};
}

}  // namespace

LinearModes linear_modes(const ModalSystem& system, int count) {
  if (count < 1 || count > system.degrees_of_freedom())
    throw Error(Failure::input, std::to_string(count) + " modes are wanted; the model has 1 to " +
                                    std::to_string(system.degrees_of_freedom()) + ", as many as degrees of freedom.");
  const bool dense = system.degrees_of_freedom() <= std::max<Eigen::Index>(always_dense, 4 * count);
  Pairs pairs = dense ? dense_pairs(system, count) : largest_pairs(system, {}, count);
  if (!dense) add_missed_pairs(system, pairs);
  LinearModes modes;
  modes.solves = pairs.solves;
  modes.frequencies = pairs.values.cwiseInverse().cwiseSqrt();
  modes.residuals.resize(count);
  modes.shapes = system.masses().cwiseSqrt().cwiseInverse().asDiagonal() * pairs.vectors;
  for (Eigen::Index i = 0; i < count; ++i) {
    auto shape = modes.shapes.col(i);
    for (Eigen::Index k = 0; k < shape.size(); ++k)
      if (system.is_prescribed(k)) shape[k] = 0;
    shape /= std::sqrt(shape.dot(system.masses().cwiseProduct(shape)));
    choose_sign(shape);
    const double square = modes.frequencies[i] * modes.frequencies[i];
    const Eigen::VectorXd force = system.stiffness_times(shape) - square * system.masses().cwiseProduct(shape);
    modes.residuals[i] = std::sqrt(force.cwiseAbs2().cwiseQuotient(system.masses()).sum()) / square;
  }
  return modes;
}

}  // namespace holo
