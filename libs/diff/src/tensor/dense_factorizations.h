#pragma once
// Eigen's dense factorizations behind RealFactorization, with the factors open to those who need them.

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "holo/diff/tensor/real_factorization.h"

namespace holo::detail {

class DenseLu final : public RealFactorization {
 public:
  explicit DenseLu(const Eigen::MatrixXd& matrix);
  Eigen::Index size() const override { return lu_.rows(); }
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override { x = lu_.solve(b); }
  void solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override {
    x = lu_.transpose().solve(b);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd>& factors() const { return lu_; }

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

class DenseLlt final : public RealFactorization {
 public:
  explicit DenseLlt(const Eigen::MatrixXd& matrix);
  Eigen::Index size() const override { return llt_.rows(); }
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override { x = llt_.solve(b); }
  void solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override {
    solve(b, x);
  }
  const Eigen::LLT<Eigen::MatrixXd>& factors() const { return llt_; }

 private:
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

}  // namespace holo::detail
