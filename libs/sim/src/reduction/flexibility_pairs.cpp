#include "reduction/flexibility_pairs.h"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>

#include "holo/core/error.h"

namespace holo {
namespace {

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

}  // namespace

FlexibilityPairs largest_pairs(const ModalSystem& system, const FlexibilityPairs& known, Eigen::Index count) {
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

void add_missed_pairs(const ModalSystem& system, FlexibilityPairs& pairs) {
  constexpr double same = 1e-9;
  const Eigen::Index count = pairs.values.size();
  for (Eigen::Index tries = 0; tries < count; ++tries) {
    const FlexibilityPairs other = largest_pairs(system, pairs, 1);
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

FlexibilityPairs dense_pairs(const ModalSystem& system, Eigen::Index count) {
  const Eigen::VectorXd roots = system.masses().cwiseSqrt();
  const Eigen::MatrixXd half = system.solve(Eigen::MatrixXd(roots.asDiagonal()));
  Eigen::MatrixXd A = roots.asDiagonal() * half;
  A = 0.5 * (A + A.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvectors().rightCols(count).rowwise().reverse(), solver.eigenvalues().tail(count).reverse(),
          static_cast<int>(system.size())};
}

}  // namespace holo
