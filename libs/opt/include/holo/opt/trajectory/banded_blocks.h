#pragma once
// Dense blocks of the model Hessian H and the Jacobian A of a trajectory, whose unknowns and constraints come in points along
// time, and products with them.

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "holo/core/numerics/aligned_array.h"

namespace holo {

// The points of a trajectory, and which of them H and A couple. All unknowns are those of point 0, then those of point 1, and
// so on; so are the constraints. A point may have no unknowns, such as a fixed end, or no constraints.
struct BandedSaddleShape {
  std::vector<int> unknowns;                    // of each point
  std::vector<int> constraints;                 // of each point
  int hessian_reach = 2;                        // H couples points at most so far apart
  int jacobian_before = 2, jacobian_after = 1;  // constraints of point z see unknowns of points z - before .. z + after

  int points() const { return int(unknowns.size()); }
  int unknown_count() const;
  int constraint_count() const;
};
// Throws Error(internal) for different numbers of points, negative numbers and no unknowns.
void check_shape(const BandedSaddleShape& shape);

// A dense block [row][column] in the memory of BandedBlocks, with contiguous columns.
using BlockReference = Eigen::Map<Eigen::MatrixXd>;
using ConstBlockReference = Eigen::Map<const Eigen::MatrixXd>;

class BandedBlocks {
 public:
  // Zeros. Throws as check_shape does.
  explicit BandedBlocks(const BandedSaddleShape& shape);

  const BandedSaddleShape& shape() const { return shape_; }  // as given, with reaches of at most points - 1
  int first_unknown(int point) const { return first_unknown_[std::size_t(point)]; }        // of the vector of unknowns
  int first_constraint(int point) const { return first_constraint_[std::size_t(point)]; }  // of the vector of constraints
  int unknown_count() const { return first_unknown_.back(); }
  int constraint_count() const { return first_constraint_.back(); }

  // Points that are coupled, first <= last.
  int first_coupled(int point) const { return std::max(0, point - shape_.hessian_reach); }  // to `point`, up to itself, by H
  int first_seen(int point) const { return std::max(0, point - shape_.jacobian_before); }   // by constraints of `point`
  int last_seen(int point) const { return std::min(shape_.points() - 1, point + shape_.jacobian_after); }

  // The block of H with the rows of `point` and the columns of a point with 0 <= point - earlier <= hessian_reach; only the
  // lower triangle of a block of the diagonal is read. Throws Error(internal) for points that H does not couple.
  BlockReference hessian_block(int point, int earlier);
  ConstBlockReference hessian_block(int point, int earlier) const;
  // The block of A with constraints of one point and unknowns of another one. Throws Error(internal) for points outside the
  // shape's range.
  BlockReference jacobian_block(int constraint_point, int unknown_point);
  ConstBlockReference jacobian_block(int constraint_point, int unknown_point) const;
  void set_zero();
  bool is_finite() const;  // all entries that are read

  // As those of SaddlePointSystem.
  void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const;
  void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const;
  void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const;
  void hessian_diagonal(Eigen::VectorXd& diagonal) const;
  void jacobian_row_norms(Eigen::VectorXd& norms) const;

 private:
  std::size_t hessian_offset(int point, int earlier) const;
  std::size_t jacobian_offset(int constraint_point, int unknown_point) const;
  int unknowns(int point) const { return shape_.unknowns[std::size_t(point)]; }
  int constraints(int point) const { return shape_.constraints[std::size_t(point)]; }

  BandedSaddleShape shape_;
  std::vector<int> first_unknown_, first_constraint_;            // [point], and the numbers of all
  std::vector<std::size_t> hessian_offsets_, jacobian_offsets_;  // [point][coupled point]
  AlignedArray hessian_, jacobian_;                              // [point][coupled point][column][row]
};

}  // namespace holo
