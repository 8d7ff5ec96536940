#include "holo/sim/articulated/trajectory/trajectory_basis.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"

namespace holo::articulated {

TrajectoryBasis TrajectoryBasis::spline(int steps, int segment_length, TrajectoryEnd end) {
  if (segment_length < 2)
    throw Error(Failure::internal, fmt::format("a spline's segments have {} steps; they need at least 2.", segment_length));
  return {steps, segment_length, 2, end};
}

TrajectoryBasis TrajectoryBasis::nodal(int steps, TrajectoryEnd end) { return {steps, 1, 1, end}; }

TrajectoryBasis::TrajectoryBasis(int steps, int segment_length, int components, TrajectoryEnd end)
    : steps_(steps), segment_length_(segment_length), components_(components) {
  if (steps < 1) throw Error(Failure::internal, fmt::format("a trajectory has {} steps; it needs at least 1.", steps));
  const int segments = 1 + (steps - 1) / segment_length;
  point_count_ = segments + 1;
  // The states first_step - 1 and first_step - 2 belong to the segments before: one of a spline, two of single steps.
  const int reach = segment_length == 1 ? 2 : 1;
  for (int z = 0; z < segments; ++z) {
    TrajectorySegment segment;
    segment.first_step = z * segment_length + 1;
    segment.last_step = std::min((z + 1) * segment_length, steps);
    segment.first_point = std::max(components == 1 ? z + 1 - reach : z - reach, 0);
    segment.last_point = z + 1;
    segment.first_test_point = components == 1 ? z + 1 : std::max(z, 1);
    segments_.push_back(segment);
  }
  unknown_.assign(std::size_t(columns()), true);
  for (int component = 0; component < components; ++component) {
    unknown_[std::size_t(component)] = false;
    const bool is_given = end == TrajectoryEnd::state || (end == TrajectoryEnd::position && component == 0);
    if (is_given) unknown_[std::size_t(segments * components + component)] = false;
  }
  add_weights();
}

// x = h00 x_z + h10 tau_z + h01 x_z+1 + h11 tau_z+1 with the cubic Hermite polynomials of s in (0, 1]. Tangents are those of a
// whole segment: in a shorter one they count by its part.
void TrajectoryBasis::add_weights() {
  weights_.resize(std::size_t(steps_) + 1);
  weights_[0].entries[0] = {0, 1};
  weights_[0].count = 1;
  for (int z = 0; z < int(segments_.size()); ++z) {
    const TrajectorySegment& segment = segments_[std::size_t(z)];
    const int length = segment.last_step - segment.first_step + 1;
    for (int i = segment.first_step; i <= segment.last_step; ++i) {
      StateWeights& state = weights_[std::size_t(i)];
      if (components_ == 1) {
        state.entries[0] = {z + 1, 1};
        state.count = 1;
        continue;
      }
      const double s = double(i - segment.first_step + 1) / length, part = double(length) / segment_length_;
      const double h01 = s * s * (3 - 2 * s), h10 = part * s * (1 - s) * (1 - s), h11 = -part * s * s * (1 - s);
      state.entries = {BasisWeight{2 * z, 1 - h01}, {2 * z + 1, h10}, {2 * z + 2, h01}, {2 * z + 3, h11}};
      state.count = 4;
      if (i == segment.last_step) {  // the point itself
        state.entries[0] = {2 * z + 2, 1};
        state.count = 1;
      }
    }
  }
}

int TrajectoryBasis::step_of(int point) const { return std::min(point * segment_length_, steps_); }

std::span<const BasisWeight> TrajectoryBasis::weights(int state) const {
  const StateWeights& found = weights_[std::size_t(state)];
  return {found.entries.data(), std::size_t(found.count)};
}

// The derivatives of the Hermite polynomials in s, times L over the segment's length.
std::array<BasisWeight, 4> TrajectoryBasis::tangent_weights(int state) const {
  if (components_ == 1) throw Error(Failure::internal, "a trajectory of single states has no tangents.");
  if (state == 0) return {BasisWeight{1, 1}, {0, 0}, {0, 0}, {0, 0}};
  const int z = (state - 1) / segment_length_;
  const TrajectorySegment& segment = segments_[std::size_t(z)];
  const int length = segment.last_step - segment.first_step + 1;
  const double s = double(state - segment.first_step + 1) / length;
  const double h01 = 6 * s * (1 - s) * segment_length_ / length, h10 = (1 - s) * (1 - 3 * s), h11 = s * (3 * s - 2);
  return {BasisWeight{2 * z, -h01}, {2 * z + 1, h10}, {2 * z + 2, h01}, {2 * z + 3, h11}};
}

int TrajectoryBasis::unknown_in_point(int column) const {
  if (!is_unknown(column)) return -1;
  int number = 0;
  for (int c = column - column % components_; c < column; ++c) number += is_unknown(c) ? 1 : 0;
  return number;
}

int TrajectoryBasis::unknown_columns(int point) const {
  int count = 0;
  for (int c = 0; c < components_; ++c) count += is_unknown(point * components_ + c) ? 1 : 0;
  return count;
}

}  // namespace holo::articulated
