#pragma once
// An ImplicitProblem (holo/diff/implicit/implicit_problem.h) from a residual and a loss that are written once: all derivatives
// are computed from them, with dense matrices, for problems of up to some hundred unknowns.
//
//   auto residual = [](const auto& x, const auto& a, auto r) { r[0] = ...; };    // spans of any scalar
//   auto loss = [](const auto& x, const auto& a) { return ...; };
//   DenseImplicitProblem problem(residual, loss, x0, a);
//   if (!problem.solve_state()) ...                                              // Newton with the exact Jacobian
//   ImplicitDerivatives derivatives(problem);

#include <Eigen/LU>

#include "holo/diff/implicit/implicit_problem.h"
#include "holo/diff/tape/drivers.h"

namespace holo {

// Residual: residual(x, a, r) with spans of one scalar type writes r(x, a) to r [n]; x is [n], a is [M]. Loss: loss(x, a)
// returns that scalar. Both are called with double, with nilpotent numbers in lanes, and with variables of a tape, so that they
// must be generic in the scalar.
template <class Residual, class Loss>
class DenseImplicitProblem : public ImplicitProblem {
 public:
  // x: the initial state [n]; a: the parameters [M]; force_scale: the size (> 0) of the terms that balance in r, in r's unit.
  DenseImplicitProblem(Residual residual, Loss loss, const Vector& x, const Vector& a, double force_scale = 1.0)
      : residual_(std::move(residual)), loss_(std::move(loss)), x_(x), a_(a), force_scale_(force_scale) {}

  const Vector& parameters() const { return a_; }
  // Newton's method from the present state, without a line search, with at most `iterations` steps. It ends at a step below
  // 1e-15 max(1, |x|_inf); returns false if J is singular, or if |r|_inf exceeds 1e-12 force_scale after the last step.
  bool solve_state(int iterations = 50) {
    for (int k = 0; k < iterations; ++k) {
      if (!factorize()) return false;
      Matrix step = residual();
      solve(step);
      if (!step.allFinite()) return false;
      x_ -= step.col(0);
      if (step.cwiseAbs().maxCoeff() <= 1e-15 * std::max(1.0, x_.cwiseAbs().maxCoeff())) return true;
    }
    return residual().cwiseAbs().maxCoeff() <= 1e-12 * force_scale_;
  }

  Eigen::Index state_dimension() const override { return x_.size(); }
  Eigen::Index parameter_dimension() const override { return a_.size(); }
  Vector state() const override { return x_; }
  void set_state(const Vector& x) override { x_ = x; }
  Vector residual() const override {
    Vector r(x_.size());
    residual_(span(x_), span(a_), std::span<double>(r.data(), std::size_t(r.size())));
    return r;
  }
  double force_scale() const override { return force_scale_; }
  bool factorize() override {
    jacobian_ = jacobian(true);
    by_parameters_ = jacobian(false);
    if (!jacobian_.allFinite()) return false;
    lu_.compute(jacobian_);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    return pivots.minCoeff() > 1e-15 * double(x_.size()) * pivots.maxCoeff();
  }
  void solve(MatrixOut columns) const override { columns = lu_.solve(columns).eval(); }
  void solve_transposed(MatrixOut columns) const override { columns = lu_.transpose().solve(columns).eval(); }
  void residual_by_parameters(const MatrixIn& da, MatrixOut dr) const override { dr.noalias() = by_parameters_ * da; }
  void residual_by_parameters_transposed(const MatrixIn& v, MatrixOut result) const override {
    result.noalias() = by_parameters_.transpose() * v;
  }
  double loss() const override { return loss_(span(x_), span(a_)); }
  Vector loss_by_state() const override { return loss_gradient().head(x_.size()); }
  Vector loss_by_parameters() const override { return loss_gradient().tail(a_.size()); }
  void set_multipliers(const Vector& lambda) override { lambda_ = lambda; }
  // The derivative of the gradient of the Lagrangian, by sweeps over a tape of nilpotent numbers.
  void lagrangian_directional(const MatrixIn& dx, const MatrixIn& da, MatrixOut by_state,
                              MatrixOut by_parameters) const override {
    for (Eigen::Index first = 0; first < dx.cols(); first += width) {
      const Eigen::Index count = std::min<Eigen::Index>(width, dx.cols() - first);
      directional_columns(dx.middleCols(first, count), da.middleCols(first, count), by_state.middleCols(first, count),
                          by_parameters.middleCols(first, count));
    }
  }
  bool concurrent() const override { return true; }

 protected:
  Matrix jacobian_, by_parameters_;  // r_x [n][n], r_a [n][M]
  Eigen::PartialPivLU<Matrix> lu_;

 private:
  static constexpr int width = 4 * LaneBlock::width;
  using Wide = Nilpotent<1, double, Directions<width>>;

  static std::span<const double> span(const Vector& x) { return {x.data(), std::size_t(x.size())}; }
  static Vector join(const Vector& a, const Vector& b) {
    Vector result(a.size() + b.size());
    result << a, b;
    return result;
  }
  Vector loss_gradient() const {
    const Vector both = join(x_, a_);
    const std::size_t n = std::size_t(x_.size());
    const auto f = [&](const auto& y) { return loss_(y.first(n), y.subspan(n)); };
    const auto g = taped_gradient(f, span(both));
    return Eigen::Map<const Vector>(g.gradient.data(), both.size());
  }
  // dr/dx or dr/da, a register of columns at a time.
  Matrix jacobian(bool by_state) const {
    using S = Nilpotent<1, double, LaneBlock>;
    std::vector<S> x(x_.begin(), x_.end()), a(a_.begin(), a_.end()), r(x.size());
    std::vector<S>& active = by_state ? x : a;
    Matrix J(x_.size(), Eigen::Index(active.size()));
    for (std::size_t first = 0; first < active.size(); first += LaneBlock::width) {
      const auto columns = std::span<S>(active).subspan(first, std::min<std::size_t>(LaneBlock::width, active.size() - first));
      detail::seed_lanes(columns, 1.0);
      residual_(std::span<const S>(x), std::span<const S>(a), std::span<S>(r));
      detail::seed_lanes(columns, 0.0);
      for (std::size_t k = 0; k < columns.size(); ++k)
        for (std::size_t i = 0; i < r.size(); ++i) J(Eigen::Index(i), Eigen::Index(first + k)) = r[i].derivative()[int(k)];
    }
    return J;
  }
  void directional_columns(const MatrixIn& dx, const MatrixIn& da, MatrixOut by_state, MatrixOut by_parameters) const {
    auto item = tapes_->take(pool_);
    Tape<Wide>& tape = item->tape;
    tape.clear();
    const Eigen::Index n = x_.size(), m = a_.size();
    std::vector<Variable<Wide>>& y = item->arguments;
    y.resize(std::size_t(n + m));
    const auto seed = [&](double value, const MatrixIn& directions, Eigen::Index row) {
      Directions<width> d(0.0);
      for (Eigen::Index k = 0; k < dx.cols(); ++k) d.set(int(k), directions(row, k));
      return Wide::seed_last(value, d);
    };
    for (Eigen::Index i = 0; i < n; ++i) y[std::size_t(i)] = tape.variable(seed(x_[i], dx, i));
    for (Eigen::Index i = 0; i < m; ++i) y[std::size_t(n + i)] = tape.variable(seed(a_[i], da, i));
    const std::span<const Variable<Wide>> x(y.data(), std::size_t(n)), a(y.data() + n, std::size_t(m));
    std::vector<Variable<Wide>> r(static_cast<std::size_t>(n));
    residual_(x, a, std::span<Variable<Wide>>(r));
    Variable<Wide> lagrangian = loss_(x, a);
    for (Eigen::Index i = 0; i < n; ++i) lagrangian += lambda_[i] * r[std::size_t(i)];
    tape.reverse(lagrangian);
    for (Eigen::Index k = 0; k < dx.cols(); ++k) {
      for (Eigen::Index i = 0; i < n; ++i) by_state(i, k) = tape.adjoint(x[std::size_t(i)]).derivative()[int(k)];
      for (Eigen::Index i = 0; i < m; ++i) by_parameters(i, k) = tape.adjoint(a[std::size_t(i)]).derivative()[int(k)];
    }
    tapes_->put_back(std::move(item));
  }

  Residual residual_;
  Loss loss_;
  Vector x_, a_, lambda_;
  double force_scale_;
  std::shared_ptr<detail::TapeStock<Wide>> tapes_ = std::make_shared<detail::TapeStock<Wide>>();
  std::shared_ptr<FactorPool> pool_ = std::make_shared<FactorPool>();
};

}  // namespace holo
