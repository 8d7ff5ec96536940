#include "holo/sim/dynamics/incremental_potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/sim/dynamics/obstacle_term.h"

namespace holo {
namespace {

template <class Visit>
void each_obstacle_term(const PotentialTerms& terms, Visit visit) {
  for (const auto& term : terms)
    if (auto* obstacles = dynamic_cast<ObstacleTerm*>(term.get())) visit(*obstacles);
}

}  // namespace

IncrementalPotential::IncrementalPotential(std::shared_ptr<const ElasticModel> model, PotentialTerms terms)
    : model_(std::move(model)), terms_(std::move(terms)), assembler_(model_->pattern().matrix) {
  prescribed_.assign(3 * static_cast<std::size_t>(model_->vertex_count()), 0);
  held_.assign(static_cast<std::size_t>(model_->vertex_count()), 0);
  targets_.setZero(3 * model_->vertex_count());
  int found = 0;
  for (const auto& term : terms_)
    if (auto* elasticity = dynamic_cast<ElasticTerm*>(term.get()); elasticity != nullptr) {
      elasticity_ = elasticity;
      ++found;
    }
  if (found != 1)
    throw Error(Failure::internal, fmt::format("a potential of elastic bodies has {} elastic terms; it needs one.", found));
}

// The conditions are those at the end of the step, where implicit Euler evaluates its forces; what is lagged is taken from its
// start.
void IncrementalPotential::begin_step(const StepContext& context, const DirichletSchedule& schedule) {
  formula_ = context.formula;
  assembler_.begin_step();
  schedule.prescribe(model_->start_positions(), context.end_time, prescribed_, targets_);
  find_held();
  for (const auto& term : terms_) term->begin_step(context);
  place_obstacles(0);
  update_lag(context.positions);
  place_obstacles(1);
}

// Vertices that are prescribed along all axes, whose blocks the assembler leaves out.
void IncrementalPotential::find_held() {
  has_sliding_ = false;
  for (std::size_t vertex = 0; vertex < held_.size(); ++vertex) {
    const std::uint8_t* of_vertex = prescribed_.data() + 3 * vertex;
    const int axes = of_vertex[0] + of_vertex[1] + of_vertex[2];
    held_[vertex] = axes == 3;
    has_sliding_ = has_sliding_ || axes == 1 || axes == 2;
  }
}

void IncrementalPotential::place_obstacles(double progress) {
  each_obstacle_term(terms_, [&](ObstacleTerm& term) { term.place_obstacles(progress); });
}

void IncrementalPotential::add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  each_obstacle_term(terms_, [&](ObstacleTerm& term) { term.add_obstacle_gradient(x, gradient); });
}

void IncrementalPotential::update_lag(const Eigen::VectorXd& x) {
  for (const auto& term : terms_) term->update_lag(x);
}

bool IncrementalPotential::update_lag_of_end(const Eigen::VectorXd& x) {
  bool updated = false;
  for (const auto& term : terms_)
    if (term->lags_its_end()) {
      term->update_lag(x);
      updated = true;
    }
  return updated;
}

void IncrementalPotential::apply_targets(Eigen::VectorXd& x) const {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (prescribed_[std::size_t(i)]) x[i] = targets_[i];
}

// One term outside of its domain makes the sum infinite, and never NaN: a line search then takes a shorter step.
double IncrementalPotential::energy(const Eigen::VectorXd& x) {
  double total = 0;
  for (const auto& term : terms_) total += term->energy(x);
  return std::isfinite(total) ? total : std::numeric_limits<double>::infinity();
}

PatternChange IncrementalPotential::derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                                SparseMatrix& hessian) {
  const PatternChange pattern = assemble(x, curvature, &held_, gradient, hessian);
  if (has_sliding_) eliminate_prescribed(gradient, hessian);
  clear_prescribed(gradient);
  if (LowRankMatrix* low_rank = assembler_.low_rank()) clear_prescribed(low_rank->columns);
  return pattern;
}

void IncrementalPotential::gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  gradient.setZero(x.size());
  for (const auto& term : terms_) term->add_gradient(x, gradient);
  clear_prescribed(gradient);
}

PatternChange IncrementalPotential::free_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                                     SparseMatrix& hessian) {
  return assemble(x, curvature, nullptr, gradient, hessian);
}

PatternChange IncrementalPotential::assemble(const Eigen::VectorXd& x, Curvature curvature,
                                             const std::vector<std::uint8_t>* eliminated, Eigen::VectorXd& gradient,
                                             SparseMatrix& hessian) {
  gradient.setZero(x.size());
  assembler_.begin(hessian, eliminated);
  for (const auto& term : terms_) term->add_derivatives(x, curvature, gradient, assembler_);
  return assembler_.finish();
}

// Off-diagonal entries of prescribed rows and columns become explicit zeros, so that the pattern and its symbolic factorization
// stay. Their diagonal becomes what the assembler gives eliminated vertices: the inertia, of the size of other diagonals.
void IncrementalPotential::eliminate_prescribed(Eigen::VectorXd& gradient, SparseMatrix& hessian) const {
  for (int column = 0; column < hessian.outerSize(); ++column) {
    if (prescribed_[std::size_t(column)]) gradient[column] = 0;
    for (SparseMatrix::InnerIterator entry(hessian, column); entry; ++entry) {
      if (!prescribed_[std::size_t(column)] && !prescribed_[std::size_t(entry.row())]) continue;
      entry.valueRef() = entry.row() == column ? assembler_.eliminated_diagonal(column / 3) : 0;
    }
  }
}

double IncrementalPotential::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  double longest = 1;
  for (const auto& term : terms_) longest = std::min(longest, term->feasible_step(x, direction));
  return longest;
}

// The largest displacement of a vertex, without unit: over the length of the scene.
double IncrementalPotential::step_size(const Eigen::VectorXd& direction) const {
  double largest = 0;
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    largest = std::max(largest, direction.segment<3>(3 * vertex).squaredNorm());
  return std::sqrt(largest) / model_->length();
}

// An upper bound: the elastic energies of elements have rounding errors of order strain times stiffness energy, strains of one.
double IncrementalPotential::energy_resolution(double energy) const {
  double scale = std::abs(energy);
  for (const auto& term : terms_) scale += term->energy_scale();
  return 8 * std::numeric_limits<double>::epsilon() * scale;
}

}  // namespace holo
