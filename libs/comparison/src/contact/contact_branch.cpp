#include "contact/contact_branch.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "holo/opt/dense/bounded_minimizer.h"

namespace holo::comparison {

namespace {

using Kind = BranchCondition::Kind;

constexpr double no_slope = 1e-12;  // of forces and displacements that are 0 to rounding, over the largest one

// The forces of a branch that are unknowns, each with the displacement that is 0 instead: along the normal of contacts that
// touch, with the friction of their sliding, and along tangents where they stick.
struct UnknownForces {
  std::vector<Eigen::Index> rows;  // [unknown]
  Eigen::MatrixXd shares;          // f = shares unknowns [3 * contact][unknown]

  UnknownForces(const ContactProblem& problem, const ContactBranches& branches) {
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (!branches[i].touches) continue;
      const auto normal = static_cast<Eigen::Index>(3 * i);
      rows.push_back(normal);
      for (int a = 0; a < 2; ++a)
        if (branches[i].slides[static_cast<std::size_t>(a)] == 0) rows.push_back(normal + 1 + a);
    }
    shares.setZero(3 * problem.contacts(), static_cast<Eigen::Index>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) {
      shares(rows[j], static_cast<Eigen::Index>(j)) = 1;
      if (rows[j] % 3 != 0) continue;
      const Eigen::Index contact = rows[j] / 3;
      for (int a = 0; a < 2; ++a)
        shares(rows[j] + 1 + a, static_cast<Eigen::Index>(j)) =
            -branches[static_cast<std::size_t>(contact)].slides[static_cast<std::size_t>(a)] * problem.friction[contact];
    }
  }
};

}  // namespace

BranchPiece::BranchPiece(const ContactProblem& problem, const ContactBranches& branches)
    : problem_(&problem), branches_(branches) {
  is_regular_ = solve_forces();
  if (is_regular_) list_conditions();
}

bool BranchPiece::solve_forces() {
  Eigen::MatrixXd at_rest(problem_->free.size(), 1 + problem_->activations());
  at_rest << problem_->free, problem_->by_activations;
  const UnknownForces unknowns(*problem_, branches_);
  forces_.setZero(at_rest.rows(), at_rest.cols());
  if (!unknowns.rows.empty()) {
    const Eigen::MatrixXd by_unknowns = problem_->by_forces * unknowns.shares;
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(by_unknowns(unknowns.rows, Eigen::all));
    forces_ = -(unknowns.shares * factor.solve(at_rest(unknowns.rows, Eigen::all)));
  }
  displacements_ = at_rest + problem_->by_forces * forces_;
  return displacements_.allFinite();
}

void BranchPiece::list_conditions() {
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const auto contact = static_cast<Eigen::Index>(i);
    if (!branches_[i].touches) {
      conditions_.push_back({contact, Kind::gap});
      continue;
    }
    conditions_.push_back({contact, Kind::pressure});
    for (int a = 0; a < 2; ++a)
      if (const int sign = branches_[i].slides[static_cast<std::size_t>(a)]; sign != 0) {
        conditions_.push_back({contact, Kind::sliding, a, sign});
      } else {
        conditions_.push_back({contact, Kind::friction, a, 1});
        conditions_.push_back({contact, Kind::friction, a, -1});
      }
  }
}

// Constant part and slope of the condition's function [1 + activation].
Eigen::RowVectorXd BranchPiece::row(const BranchCondition& condition) const {
  const Eigen::Index normal = 3 * condition.contact, tangent = normal + 1 + condition.tangent;
  switch (condition.kind) {
    case Kind::gap:
      return displacements_.row(normal);
    case Kind::pressure:
      return forces_.row(normal);
    case Kind::friction:
      return problem_->friction[condition.contact] * forces_.row(normal) + condition.sign * forces_.row(tangent);
    case Kind::sliding:
      return condition.sign * displacements_.row(tangent);
  }
  return {};
}

int BranchPiece::most_violated(const Eigen::VectorXd& u, double tolerance) const {
  const Eigen::VectorXd f = forces(u), w = contact_displacements(*problem_, u, f);
  const double force = f.lpNorm<Eigen::Infinity>(), displacement = w.lpNorm<Eigen::Infinity>();
  int most = -1;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const Eigen::RowVectorXd function = row(conditions_[i]);
    const double value = function[0] + function.tail(u.size()).dot(u);
    const bool is_force = conditions_[i].kind == Kind::pressure || conditions_[i].kind == Kind::friction;
    const double violation = -value / std::max(is_force ? force : displacement, std::numeric_limits<double>::min());
    if (!(violation > tolerance)) continue;
    tolerance = violation;
    most = static_cast<int>(i);
  }
  return most;
}

// A contact that begins to touch slides as it moves; one that ends to press is apart, whatever its friction.
ContactBranches BranchPiece::beyond(const std::vector<int>& conditions, const Eigen::VectorXd& u) const {
  const Eigen::VectorXd f = forces(u), w = contact_displacements(*problem_, u, f);
  const double no_force = no_slope * f.lpNorm<Eigen::Infinity>(), no_motion = no_slope * w.lpNorm<Eigen::Infinity>();
  ContactBranches result = branches_;
  for (const int number : conditions) {
    const BranchCondition& condition = conditions_[static_cast<std::size_t>(number)];
    const Eigen::Index normal = 3 * condition.contact;
    ContactBranch& branch = result[static_cast<std::size_t>(condition.contact)];
    if (condition.kind == Kind::gap) {
      branch.touches = true;
      for (int a = 0; a < 2; ++a)
        branch.slides[static_cast<std::size_t>(a)] = (w[normal + 1 + a] > no_motion) - (w[normal + 1 + a] < -no_motion);
    } else if (condition.kind == Kind::sliding) {
      branch.slides[static_cast<std::size_t>(condition.tangent)] = 0;
    } else if (condition.kind == Kind::pressure || std::abs(f[normal]) <= no_force) {
      branch = {};
    } else {
      branch.slides[static_cast<std::size_t>(condition.tangent)] = condition.sign;
    }
  }
  return result;
}

// Of u alone: f = f_0 + F u in the objective of (u, f).
void BranchPiece::reduce_objective(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const {
  const Eigen::Index m = problem_->activations(), n = forces_.rows();
  const Eigen::MatrixXd F = forces_.rightCols(m);
  const auto of_forces = problem_->hessian.bottomRightCorner(n, n);
  const Eigen::MatrixXd mixed = problem_->hessian.topRightCorner(m, n), half = mixed * F;
  hessian = problem_->hessian.topLeftCorner(m, m) + half + half.transpose() + F.transpose() * (of_forces * F);
  gradient = problem_->gradient.head(m) + F.transpose() * problem_->gradient.tail(n) +
             (mixed + F.transpose() * of_forces) * forces_.col(0);
}

bool BranchPiece::minimize() {
  const Eigen::Index m = problem_->activations(), count = static_cast<Eigen::Index>(conditions_.size());
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  reduce_objective(hessian, gradient);
  const Eigen::LLT<Eigen::MatrixXd> factor(hessian);
  if (factor.info() != Eigen::Success) return false;
  constexpr double none = std::numeric_limits<double>::infinity();
  LinearBounds bounds{Eigen::MatrixXd::Zero(count + m, m), Eigen::VectorXd(count + m),
                      Eigen::VectorXd::Constant(count + m, none)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::RowVectorXd function = row(conditions_[static_cast<std::size_t>(i)]);
    const double size = std::max(function.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
    bounds.normals.row(i) = function.tail(m) / size;
    bounds.lower[i] = -function[0] / size;
  }
  bounds.normals.bottomRows(m).setIdentity();
  bounds.lower.tail(m) = problem_->bounds.lower;
  bounds.upper.tail(m) = problem_->bounds.upper;
  u_ = factor.solve(-gradient);
  Eigen::VectorXd multipliers;
  if (!minimize_within(factor.matrixLLT(), bounds, u_, multipliers)) return false;
  objective_ = contact_objective(*problem_, u_, forces(u_));
  pressed_.clear();
  for (int i = 0; i < count; ++i)
    if (multipliers[i] != 0) pressed_.push_back(i);
  std::stable_sort(pressed_.begin(), pressed_.end(),
                   [&](int a, int b) { return std::abs(multipliers[a]) > std::abs(multipliers[b]); });
  return true;
}

}  // namespace holo::comparison
