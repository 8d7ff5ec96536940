#pragma once
// One branch of all contacts of a complementarity problem: the forces as linear functions of the activations, the conditions
// for these to be a solution, and the quadratic program on it.

#include <array>
#include <compare>
#include <vector>

#include "holo/comparison/contact_problem.h"

namespace holo::comparison {

// The branch of one contact. `slides` are the signs of its displacements along the tangents; 0: it sticks.
struct ContactBranch {
  bool touches = false;
  std::array<int, 2> slides = {0, 0};
  auto operator<=>(const ContactBranch&) const = default;
};
using ContactBranches = std::vector<ContactBranch>;  // [contact]

// A function of the activations that a branch needs >= 0: over there another one begins.
struct BranchCondition {
  enum class Kind {
    gap,       // w_n of a contact that is apart
    pressure,  // f_n of one that touches
    friction,  // mu f_n + sign f_a along a tangent where it sticks
    sliding    // sign w_a along a tangent where it slides
  };
  Eigen::Index contact = 0;
  Kind kind = Kind::gap;
  int tangent = 0, sign = 1;
};

class BranchPiece {
 public:
  // The problem lives longer.
  BranchPiece(const ContactProblem& problem, const ContactBranches& branches);

  // False where forces are no functions of the activations on this branch.
  bool is_regular() const { return is_regular_; }
  const ContactBranches& branches() const { return branches_; }
  const std::vector<BranchCondition>& conditions() const { return conditions_; }
  Eigen::VectorXd forces(const Eigen::VectorXd& u) const { return forces_.col(0) + forces_.rightCols(u.size()) * u; }
  // The condition that is violated most at u, relative to the largest force or displacement there; -1: none by more than
  // `tolerance`.
  int most_violated(const Eigen::VectorXd& u, double tolerance) const;
  // The branches on the other side of these conditions [number of conditions()], as seen from u.
  ContactBranches beyond(const std::vector<int>& conditions, const Eigen::VectorXd& u) const;

  // Minimizes the objective on the branch. False where it has no point.
  bool minimize();
  // Of minimize():
  double objective() const { return objective_; }
  const Eigen::VectorXd& activations() const { return u_; }
  // Conditions that the minimum presses against, the strongest first.
  const std::vector<int>& pressed() const { return pressed_; }

 private:
  bool solve_forces();
  void list_conditions();
  Eigen::RowVectorXd row(const BranchCondition& condition) const;
  void reduce_objective(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const;

  const ContactProblem* problem_;
  ContactBranches branches_;
  bool is_regular_ = false;
  // Constant part and slope of forces and displacements [3 * contact][1 + activation].
  Eigen::MatrixXd forces_, displacements_;
  std::vector<BranchCondition> conditions_;
  Eigen::VectorXd u_;
  double objective_ = 0;
  std::vector<int> pressed_;
};

}  // namespace holo::comparison
