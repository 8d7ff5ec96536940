#pragma once
// Trajectories as linear functions of coefficients: cubic Hermite splines, or one coefficient for each time step.
//
// A trajectory has the states x_1, ..., x_N behind the fixed states x_0 and x_-1. Its points 0, ..., Z stand at time steps;
// point 0 is x_0. A coefficient is a column of n numbers, n being the degrees of freedom: of a spline's point the position x
// and the tangent tau = L dt x' [units of x], else the position alone. Each state is a sum of columns with scalar weights,
// docs/trajectory-optimization.md#splines.

#include <array>
#include <span>
#include <vector>

namespace holo::articulated {

// What of the last point is given instead of being an unknown.
enum class TrajectoryEnd {
  free,
  position,  // x_N; its velocity is unknown
  state      // x_N and its tangent
};

struct BasisWeight {
  int column = 0;  // point * components() + component
  double weight = 0;
};

// Consecutive time steps whose states are combinations of the same few points.
struct TrajectorySegment {
  int first_step = 1, last_step = 1;    // i of the states that the segment determines, both included
  int first_point = 0, last_point = 0;  // that the states first_step - 2 ... last_step depend on
  int first_test_point = 1;             // points first_test_point ... last_point are those that x_i of these steps depend on
};

class TrajectoryBasis {
 public:
  // A spline with a point after every `segment_length` (L >= 2) steps; a last segment may be shorter. Throws Error(internal)
  // for less than one step.
  static TrajectoryBasis spline(int steps, int segment_length, TrajectoryEnd end = TrajectoryEnd::free);
  // A point at each step, of the position alone. `state` at its end is `position`.
  static TrajectoryBasis nodal(int steps, TrajectoryEnd end = TrajectoryEnd::free);
  // A spline, or for a length of 1 the other one.
  static TrajectoryBasis of_length(int steps, int segment_length, TrajectoryEnd end = TrajectoryEnd::free) {
    return segment_length > 1 ? spline(steps, segment_length, end) : nodal(steps, end);
  }

  int steps() const { return steps_; }                        // N
  int point_count() const { return point_count_; }            // Z + 1, with point 0
  int segment_length() const { return segment_length_; }      // L; 1 of single steps
  int components() const { return components_; }              // of a point: 2 or 1
  int columns() const { return point_count_ * components_; }  // of all points
  int step_of(int point) const;                               // i of the state at which the point stands
  const std::vector<TrajectorySegment>& segments() const { return segments_; }
  // Of the state 0 ... N; their sum over positions is 1.
  std::span<const BasisWeight> weights(int state) const;
  // Of the tangent L dt x' of a spline at the state 0 ... N.
  std::array<BasisWeight, 4> tangent_weights(int state) const;
  // Whether the column is an unknown: those of point 0 are not.
  bool is_unknown(int column) const { return unknown_[std::size_t(column)]; }
  // Number of the column among a point's unknown ones; -1 for a given one.
  int unknown_in_point(int column) const;
  int unknown_columns(int point) const;

 private:
  TrajectoryBasis(int steps, int segment_length, int components, TrajectoryEnd end);
  void add_weights();

  int steps_ = 1, segment_length_ = 1, components_ = 1, point_count_ = 2;
  std::vector<TrajectorySegment> segments_;
  struct StateWeights {
    std::array<BasisWeight, 4> entries;
    int count = 0;
  };
  std::vector<StateWeights> weights_;  // [state]
  std::vector<bool> unknown_;          // [column]
};

}  // namespace holo::articulated
