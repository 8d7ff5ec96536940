#pragma once
// A hopping mass whose unknowns come in time steps, with dense, sparse and banded saddle-point systems.

#include "banded_cases.h"
#include "hopping_mass.h"

namespace holo::test {

// The trajectory of a hopping mass with the unknowns (y_i, u_i) of each step together.
struct PointwiseHoppingMass final : EqualityConstrainedProblem {
  enum class Kind { dense, sparse, banded };
  PointwiseHoppingMass(int steps, Kind kind) : inner(steps), kind(kind), systems(shape(steps), 1) {
    Eigen::VectorXd b(2 * steps);
    linearize(start(), Eigen::VectorXd::Zero(steps), b);  // the pattern of the sparse system
  }
  static BandedSaddleShape shape(int steps) {
    return {std::vector<int>(std::size_t(steps), 2), std::vector<int>(std::size_t(steps), 1), 0, 2, 0};
  }
  int stepwise(int i) const { return i % 2 * inner.N + i / 2; }  // index of unknown i in `inner`
  Eigen::VectorXd to_inner(const Eigen::VectorXd& x) const {
    Eigen::VectorXd result(x.size());
    for (int i = 0; i < x.size(); ++i) result[stepwise(i)] = x[i];
    return result;
  }
  Eigen::VectorXd from_inner(const Eigen::VectorXd& x) const {
    Eigen::VectorXd result(x.size());
    for (int i = 0; i < x.size(); ++i) result[i] = x[stepwise(i)];
    return result;
  }
  Eigen::VectorXd start() const { return from_inner(inner.start()); }
  int unknown_count() const override { return 2 * inner.N; }
  int constraint_count() const override { return inner.N; }
  double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& C) override { return inner.evaluate(to_inner(x), C); }
  void linearize(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers, Eigen::VectorXd& b) override {
    Eigen::VectorXd inner_b(b.size());
    inner.linearize(to_inner(x), multipliers, inner_b);
    b = from_inner(inner_b);
    for (int i = 0; i < b.size(); ++i) {
      for (int j = 0; j < b.size(); ++j) systems.dense.hessian()(i, j) = inner.dense.hessian()(stepwise(i), stepwise(j));
      systems.dense.jacobian().col(i) = inner.dense.jacobian().col(stepwise(i));
    }
    if (is_analyzed)
      write_sparse();
    else
      systems.copy_dense();
    is_analyzed = true;
    for (int z = 0; z < inner.N; ++z) {
      systems.banded.hessian_block(z, z) = systems.dense.hessian().block(2 * z, 2 * z, 2, 2);
      for (int other = std::max(0, z - 2); other <= z; ++other)
        systems.banded.jacobian_block(z, other) = systems.dense.jacobian().block(z, 2 * other, 1, 2);
    }
  }
  void write_sparse() {
    for (int j = 0; j < unknown_count(); ++j) {
      for (SparseMatrix::InnerIterator entry(systems.sparse->hessian(), j); entry; ++entry)
        entry.valueRef() = systems.dense.hessian()(entry.row(), j);
      for (SparseMatrix::InnerIterator entry(systems.sparse->jacobian(), j); entry; ++entry)
        entry.valueRef() = systems.dense.jacobian()(entry.row(), j);
    }
  }
  SaddlePointSystem& system() override {
    if (kind == Kind::dense) return systems.dense;
    if (kind == Kind::sparse) return *systems.sparse;
    return systems.banded;
  }
  HoppingMass inner;
  Kind kind;
  BandedCase systems;
  bool is_analyzed = false;
};

}  // namespace holo::test
