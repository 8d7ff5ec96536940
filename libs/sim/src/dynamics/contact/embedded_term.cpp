#include "dynamics/contact/embedded_term.h"

#include <fmt/format.h>

#include "holo/core/error.h"
#include "holo/sim/dynamics/embedded_step.h"

namespace holo {

EmbeddedTerm::EmbeddedTerm(std::unique_ptr<PotentialTerm> of_points, std::shared_ptr<const Embedding> embedding)
    : term_(std::move(of_points)), obstacles_(dynamic_cast<ObstacleTerm*>(term_.get())), embedding_(std::move(embedding)) {
  if (!obstacles_)
    throw Error(Failure::internal, fmt::format("the term '{}' of embedded points has no obstacles.", term_->name()));
}

const Eigen::VectorXd& EmbeddedTerm::points(const Eigen::VectorXd& x) {
  embedding_->points(x, points_);
  return points_;
}

void EmbeddedTerm::begin_step(const StepContext& context) { term_->begin_step(EmbeddedStep(context, *embedding_).context()); }

void EmbeddedTerm::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  gradient_.setZero(3 * embedding_->point_count());
  term_->add_gradient(points(x), gradient_);
  embedding_->add_pulled_back(gradient_, gradient);
}

void EmbeddedTerm::add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  gradient_.setZero(3 * embedding_->point_count());
  obstacles_->add_obstacle_gradient(points(x), gradient_);
  embedding_->add_pulled_back(gradient_, gradient);
}

void EmbeddedTerm::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  blocks_.collect();
  term_->add_hessian(points(x), curvature, blocks_);
  blocks_.each_block(
      [&](int row, int column, const std::array<double, 9>& block) { add_embedded_block(row, column, block, assembler); });
  std::array<double, 9> block;
  for (auto& [nodes, sum] : sums_) {
    if (sum.isZero(0)) continue;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < (nodes[0] == nodes[1] ? a + 1 : 4); ++b) {
        Eigen::Map<Eigen::Matrix3d>(block.data()) = sum.block<3, 3>(3 * a, 3 * b);
        assembler.add_block(nodes[0] + a, nodes[1] + b, block);
      }
    sum.setZero();
  }
}

// A block B of the points (i, j) is the quadratic form 2 d_i . B d_j, or d_i . B d_i of one point, where d_i sums the points'
// weights times the directions of their nodes. Points of two affine bodies, or of one, are many and have few nodes: their
// blocks are summed first. Of two points of one body, B and its transpose meet.
void EmbeddedTerm::add_embedded_block(int row, int column, const std::array<double, 9>& block, BlockAssembler& assembler) {
  const Embedding::Stencil i = embedding_->stencil(row), j = embedding_->stencil(column);
  const Eigen::Map<const Eigen::Matrix3d> given(block.data());
  if (i.count == 4 && j.count == 4) {
    auto& sum = sums_.try_emplace({i.nodes[0], j.nodes[0]}, Eigen::Matrix<double, 12, 12>::Zero()).first->second;
    const bool meets_transpose = row != column && i.nodes[0] == j.nodes[0];
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const Eigen::Matrix3d values = i.weights[static_cast<std::size_t>(a)] * j.weights[static_cast<std::size_t>(b)] * given;
        sum.block<3, 3>(3 * a, 3 * b) += values;
        if (meets_transpose) sum.block<3, 3>(3 * b, 3 * a) += values.transpose();
      }
    return;
  }
  std::array<double, 9> scaled;
  for (std::size_t a = 0; a < static_cast<std::size_t>(i.count); ++a)
    for (std::size_t b = 0; b < static_cast<std::size_t>(j.count); ++b) {
      Eigen::Map<Eigen::Matrix3d>(scaled.data()) = i.weights[a] * j.weights[b] * given;
      assembler.add_block(i.nodes[a], j.nodes[b], scaled);
    }
}

double EmbeddedTerm::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  embedding_->points(direction, direction_);
  return term_->feasible_step(points(x), direction_);
}

void EmbeddedTerm::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  Eigen::MatrixXd of_points = Eigen::MatrixXd::Zero(3 * embedding_->point_count(), columns.cols());
  term_->add_parameter_gradient(points(x), of_points);
  embedding_->add_pulled_back(of_points, columns);
}

void EmbeddedTerm::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                       Eigen::MatrixXd& result) {
  const auto embedded = [&](const TermDirections::Columns& columns) {
    return columns.rows() > 0 ? embedding_->columns_of_points(columns) : Eigen::MatrixXd();
  };
  const Eigen::MatrixXd positions = embedded(directions.positions), starts = embedded(directions.start_positions),
                        velocities = embedded(directions.start_velocities);
  term_->add_adjoint_hessian(points(x), embedding_->points(y),
                             {positions, directions.parameters, directions.lag, starts, velocities}, result);
}

void EmbeddedTerm::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                    Eigen::Ref<Eigen::MatrixXd> columns) {
  Eigen::MatrixXd of_points = Eigen::MatrixXd::Zero(3 * embedding_->point_count(), columns.cols());
  term_->add_lag_gradient(points(x), lag, of_points);
  embedding_->add_pulled_back(of_points, columns);
}

Eigen::MatrixXd EmbeddedTerm::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                             const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
  return term_->lag_derivative(embedding_->columns_of_points(positions), parameters);
}

void EmbeddedTerm::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                     const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                     const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) {
  term_->add_lag_curvature(points(x), embedding_->points(y), embedding_->columns_of_points(positions), parameters, result);
}

void EmbeddedTerm::add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                      const Eigen::Ref<const Eigen::MatrixXd>& velocities,
                                      Eigen::Ref<Eigen::MatrixXd> columns) {
  Eigen::MatrixXd of_points = Eigen::MatrixXd::Zero(3 * embedding_->point_count(), columns.cols());
  term_->add_start_gradient(points(x), embedding_->columns_of_points(positions), embedding_->columns_of_points(velocities),
                            of_points);
  embedding_->add_pulled_back(of_points, columns);
}

}  // namespace holo
