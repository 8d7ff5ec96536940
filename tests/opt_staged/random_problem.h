#pragma once
// A discrete-time optimal control problem whose derivatives are random numbers, for tests of steps: sparse
// constraints, a dense Hessian with all cross terms, an infeasible point.

#include <random>

#include "holo/opt/staged/staged_quadratic.h"

namespace holo::test {

struct RandomSizes {
  int stages = 6, parameters = 5, controls = 7, states = 42;
  std::vector<int> parameter_quaternions = {1}, control_quaternions = {0};
  int parameter_constraints = 0;
  std::vector<int> rated_states = {};
  double time_step = 0.1;
  double convexity = 60;      // added to the Hessian's diagonal, whose other entries are of size 1
  double density = 0.1;       // of dC/ds beside a permuted diagonal, and of dC/dp and dC/du
  bool dense_hessian = true;  // else as sparse as dC/ds, without entries of the rates but their diagonal
};

class RandomProblem : public OptimalControlProblem {
 public:
  RandomProblem(const RandomSizes& sizes, unsigned seed) : generator_(seed) {
    layout_.stage_count = sizes.stages;
    layout_.time_step = sizes.time_step;
    layout_.parameter_count = sizes.parameters;
    layout_.control_count = sizes.controls;
    layout_.state_count = sizes.states;
    layout_.parameter_quaternions = sizes.parameter_quaternions;
    layout_.control_quaternions = sizes.control_quaternions;
    layout_.parameter_constraint_count = sizes.parameter_constraints;
    layout_.rated_states = sizes.rated_states;
    make_patterns(sizes);
    point = zero_point(layout_);
    fill(point.parameters, 1);
    fill(point.controls, 1);
    fill(point.rates, 1);
    fill(point.states, 1);
    rows_.resize(sizes.parameter_constraints);
    rows_jacobian_.resize(sizes.parameter_constraints, sizes.parameters);
    fill(rows_, 1);
    fill(rows_jacobian_, 1);
    blocks_.resize(std::size_t(layout_.block_count()));
    for (StageDerivatives& block : blocks_) fill_block(block, sizes);
  }

  StagedPoint point;

  const StagedLayout& layout() const override { return layout_; }
  void evaluate(const StagedPoint&, int, int, double*, Eigen::Ref<Eigen::MatrixXd>) const override {}
  void differentiate(const StagedPoint&, const Eigen::MatrixXd&, bool, int block, StageDerivatives& to) const override {
    to = blocks_[std::size_t(block)];
  }
  void parameter_constraints(const Eigen::VectorXd&, Eigen::Ref<Eigen::VectorXd> rows,
                             Eigen::Ref<Eigen::MatrixXd> jacobian) const override {
    rows = rows_;
    jacobian = rows_jacobian_;
  }
  void differentiate_state_rates(const Eigen::MatrixXd&, Eigen::MatrixXd& slopes, Eigen::MatrixXd& curvatures) const override {
    for (Eigen::Index i = 0; i < slopes.size(); ++i) {
      slopes(i) = std::sin(1.0 + double(i));
      curvatures(i) = 1.2 + std::cos(2.0 * double(i));
    }
  }
  StagedQuadratic quadratic() const {
    StagedQuadratic result(layout_);
    result.linearize(*this, point, Eigen::MatrixXd(), false);
    return result;
  }
  StageDerivatives& block(int number) { return blocks_[std::size_t(number)]; }

 private:
  double uniform(double size) { return std::uniform_real_distribution<double>(-size, size)(generator_); }
  template <class Matrix>
  void fill(Matrix& matrix, double size) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, j) = uniform(size);
  }
  template <class Has>
  static StagePattern pattern(int rows, int columns, const Has& has) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if (has(i, j)) entries.emplace_back(i, j, 1.0);
    StagePattern result(rows, columns);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  void make_patterns(const RandomSizes& sizes) {
    const int np = sizes.parameters, nu = sizes.controls, ns = sizes.states;
    auto sometimes = [&](int, int) { return std::uniform_real_distribution<double>(0, 1)(generator_) < sizes.density; };
    pivot_row_.resize(std::size_t(ns));
    for (int i = 0; i < ns; ++i) pivot_row_[std::size_t(i)] = i;
    std::shuffle(pivot_row_.begin(), pivot_row_.end(), generator_);
    layout_.states_jacobian = pattern(ns, ns, [&](int i, int j) { return sometimes(i, j) || pivot_row_[std::size_t(j)] == i; });
    layout_.parameters_jacobian = pattern(ns, np, sometimes);
    layout_.controls_jacobian = pattern(ns, nu, sometimes);
    layout_.hessian = pattern(layout_.stage_size(), layout_.stage_size(), [&](int i, int j) {
      const bool is_rate = (j >= np + nu && j < np + 2 * nu) || (i >= np + nu && i < np + 2 * nu);
      return i == j || (i < j && (sizes.dense_hessian || (!is_rate && sometimes(i, j))));
    });
  }

  void fill_block(StageDerivatives& block, const RandomSizes& sizes) {
    block.objective.setOnes();
    auto fill_lanes = [&](StageLanes& values, Eigen::Index rows, double size) {
      values.resize(rows, stage_lanes);
      fill(values, size);
    };
    fill_lanes(block.gradient, layout_.stage_size(), 1);
    fill_lanes(block.residual, layout_.state_count, 1);
    fill_lanes(block.states_jacobian, layout_.states_jacobian.nonZeros(), 1);
    fill_lanes(block.parameters_jacobian, layout_.parameters_jacobian.nonZeros(), 1);
    fill_lanes(block.controls_jacobian, layout_.controls_jacobian.nonZeros(), 1);
    fill_lanes(block.hessian, layout_.hessian.nonZeros(), 1);
    for (int j = 0; j < layout_.state_count; ++j)
      for (int e = layout_.states_jacobian.outerIndexPtr()[j]; e < layout_.states_jacobian.outerIndexPtr()[j + 1]; ++e)
        if (layout_.states_jacobian.innerIndexPtr()[e] == pivot_row_[std::size_t(j)]) block.states_jacobian.row(e).array() += 4;
    for (int j = 0; j < layout_.stage_size(); ++j)
      block.hessian.row(layout_.hessian.outerIndexPtr()[j + 1] - 1).array() += sizes.convexity;
  }

  std::mt19937 generator_;
  StagedLayout layout_;
  std::vector<int> pivot_row_;  // of each column of dC/ds: its large entry
  std::vector<StageDerivatives> blocks_;
  Eigen::VectorXd rows_;
  Eigen::MatrixXd rows_jacobian_;
};

// Largest difference over the largest entry.
template <class Matrix>
double relative_difference(const Matrix& a, const Matrix& b) {
  if (a.size() == 0 && b.size() == 0) return 0;
  return (a - b).template lpNorm<Eigen::Infinity>() / b.template lpNorm<Eigen::Infinity>();
}

// Of two directions: the largest of the step's four parts and the five sets of multipliers.
inline double relative_difference(const StagedDirection& a, const StagedDirection& b, bool with_multipliers = true) {
  double largest = std::max(
      {relative_difference(a.step.parameters, b.step.parameters), relative_difference(a.step.controls, b.step.controls),
       relative_difference(a.step.rates, b.step.rates), relative_difference(a.step.states, b.step.states)});
  if (!with_multipliers) return largest;
  const StagedMultipliers &x = a.multipliers, &y = b.multipliers;
  return std::max({largest, relative_difference(x.states, y.states), relative_difference(x.rates, y.rates),
                   relative_difference(x.parameters_equal, y.parameters_equal),
                   relative_difference(x.parameter_constraints, y.parameter_constraints),
                   relative_difference(x.control_quaternions, y.control_quaternions)});
}

}  // namespace holo::test
