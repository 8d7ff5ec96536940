#pragma once
// The straight way of the controls and prescribed coordinates of a mechanism from one knot to the next.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// Controls and prescribed coordinates of one knot.
struct Drive {
  Eigen::VectorXd controls, prescribed;
};

// Linear interpolation from `from` at part 0 to `to` at part 1, and linear extrapolation outside. `quaternions`: indices of
// their first components; they are interpolated along the shorter rotation and normalized.
inline Eigen::VectorXd interpolated(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double part,
                                    const std::vector<int>& quaternions) {
  if (part == 1) return to;
  Eigen::VectorXd result = from + part * (to - from);
  for (const int first : quaternions) {
    const double sign = from.segment<4>(first).dot(to.segment<4>(first)) < 0 ? -1 : 1;
    result.segment<4>(first) =
        (from.segment<4>(first) + part * (sign * to.segment<4>(first) - from.segment<4>(first))).normalized();
  }
  return result;
}

class DrivePath {
 public:
  DrivePath(Drive from, Drive to, const MechanismLayout& layout)
      : from_(std::move(from)), to_(std::move(to)), layout_(&layout) {}

  Drive at(double part) const {
    return {interpolated(from_.controls, to_.controls, part, layout_->control_quaternions()),
            interpolated(from_.prescribed, to_.prescribed, part, layout_->prescribed_quaternions())};
  }

  const Drive& from() const { return from_; }
  const Drive& to() const { return to_; }

 private:
  Drive from_, to_;
  const MechanismLayout* layout_;
};

}  // namespace holo
