#include "mechanism/constraints/null_space_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holo {

NullSpaceElimination::NullSpaceElimination(std::vector<Eigen::MatrixXd> null_spaces, std::vector<bool> candidate)
    : spaces_(std::move(null_spaces)), candidate_(std::move(candidate)) {}

double NullSpaceElimination::weight(int equation) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::MatrixXd& space : spaces_) least = std::min(least, space.row(equation).norm());
  return least;
}

int NullSpaceElimination::heaviest() const {
  int best = -1;
  // Among weights that are equal but for rounding the first equation is chosen, so that the choice is reproducible.
  double most = 1e-6;
  for (int equation = 0; equation < int(candidate_.size()); ++equation)
    if (candidate_[std::size_t(equation)] && weight(equation) > most * (1 + 1e-9)) {
      most = weight(equation);
      best = equation;
    }
  return best;
}

void NullSpaceElimination::eliminate(int equation) {
  candidate_[std::size_t(equation)] = false;
  for (Eigen::MatrixXd& space : spaces_) {
    const Eigen::VectorXd direction = space.row(equation).normalized();
    // An orthonormal basis of what is orthogonal to `direction`, by one reflection that takes it to the last unit vector.
    Eigen::VectorXd mirror = direction;
    const double sign = direction[direction.size() - 1] < 0 ? -1 : 1;
    mirror[mirror.size() - 1] += sign;
    mirror.normalize();
    space = (space - 2 * (space * mirror) * mirror.transpose()).leftCols(space.cols() - 1).eval();
  }
}

int NullSpaceElimination::eliminate_as_in_paper() {
  Eigen::MatrixXd& z = spaces_.front();
  int best = -1, column = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < z.cols(); ++k)
    for (int j = 0; j < z.rows(); ++j) {
      if (!candidate_[std::size_t(j)] || std::abs(z(j, k)) < 1e-9) continue;
      // The squared length of the other entries over that of the pivot.
      const double quotient = z.col(k).squaredNorm() / (z(j, k) * z(j, k)) - 1;
      if (quotient < least) least = quotient, best = j, column = k;
    }
  if (best < 0) return -1;
  // Gaussian elimination clears the equation's entry in the other null vectors; the pivot's vector leaves the basis.
  const Eigen::VectorXd pivot = z.col(column);
  for (int k = 0; k < z.cols(); ++k)
    if (k != column) z.col(k) -= z(best, k) / pivot[best] * pivot;
  z.col(column).swap(z.col(z.cols() - 1));
  z = z.leftCols(z.cols() - 1).eval();
  candidate_[std::size_t(best)] = false;
  return best;
}

}  // namespace holo
