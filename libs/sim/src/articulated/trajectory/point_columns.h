#pragma once
// Places of the columns of a trajectory's basis in a banded system of points. Unknowns of a point begin with its coefficients;
// others may follow.

#include <algorithm>

#include "holo/opt/trajectory/banded_saddle_point.h"
#include "holo/sim/articulated/trajectory/trajectory_basis.h"

namespace holo::articulated {

class PointColumns {
 public:
  // Points of the system are points 1 ... Z of the basis. Both must outlive this.
  PointColumns(const TrajectoryBasis& basis, int dofs, BandedSaddlePoint& system)
      : basis_(basis), dofs_(dofs), system_(system) {}

  // Calls visit(column) for each column that is unknown, or for those of a segment's points.
  template <class Visit>
  void visit_unknown(const Visit& visit) const {
    visit_unknown(basis_.components(), basis_.columns(), visit);
  }
  template <class Visit>
  void visit_unknown(const TrajectorySegment& segment, const Visit& visit) const {
    const int components = basis_.components();
    visit_unknown(std::max(segment.first_point, 1) * components, (segment.last_point + 1) * components, visit);
  }

  // Of a column that is unknown: its point of the system, its first unknown in the point and among all.
  int point_of(int column) const { return column / basis_.components() - 1; }
  int in_point(int column) const { return basis_.unknown_in_point(column) * dofs_; }
  int unknown_of(int column) const { return system_.blocks().first_unknown(point_of(column)) + in_point(column); }

  // Numbers by coefficients [dof][column] to the unknowns of the columns, and back; given columns stay as they are.
  void to_unknowns(const Eigen::MatrixXd& coefficients, Eigen::VectorXd& unknowns) const;
  void to_coefficients(const Eigen::VectorXd& unknowns, Eigen::MatrixXd& coefficients) const;

  // Adds to the block of H of two unknown columns, of a point and itself or an earlier one.
  template <class Block>
  void add_hessian(int row, int column, const Block& block) const {
    system_.hessian_block(point_of(row), point_of(column)).block(in_point(row), in_point(column), dofs_, dofs_) += block;
  }
  // Adds a segment's gradient and its H [column of the segment]^2 to those of its unknown columns.
  void add_segment(const TrajectorySegment& segment, const Eigen::VectorXd& of_segment, const Eigen::MatrixXd& hessian,
                   Eigen::VectorXd& gradient) const;

 private:
  template <class Visit>
  void visit_unknown(int first, int last, const Visit& visit) const {
    for (int column = first; column < last; ++column)
      if (basis_.is_unknown(column)) visit(column);
  }

  const TrajectoryBasis& basis_;
  int dofs_;
  BandedSaddlePoint& system_;
};

}  // namespace holo::articulated
