#include "contact/step_plane.h"

#include <algorithm>
#include <cmath>

namespace holo {

StepPlane::StepPlane(const PlaneDefinition& definition)
    : definition_(definition), start_(definition.at(0)), end_(start_), now_(start_) {}

// Of the poses X_n and X_{n+1}, which take the placed plane to both ends, the step is X_{n+1} X_n^-1.
void StepPlane::begin_step(double start, double end) {
  if (!definition_.motion.moves()) return;
  start_ = Plane(definition_.at(start));
  end_ = Plane(definition_.at(end));
  const RigidPose before = definition_.motion.pose(start), after = definition_.motion.pose(end);
  step_.rotation = after.rotation * before.rotation.transpose();
  step_.position = after.position - step_.rotation * before.position;
  place(1);
}

void StepPlane::place(double progress) {
  if (!definition_.motion.moves()) return;
  now_.normal = (1 - progress) * start_.normal + progress * end_.normal;
  now_.offset = (1 - progress) * start_.offset + progress * end_.offset;
  carried_ = (1 - progress) * Eigen::Matrix3d::Identity() + progress * step_.rotation;
  carried_origin_ = progress * step_.position;
}

// The gap is (1 - t)(g + t a) + t (g' + t a') = g + b t + c t^2, with the gaps g, g' at x and the slopes a, a' along p of the
// plane as it is and at the end of its way. Its first positive root is 2 g/(sqrt(b^2 - 4 g c) - b).
double StepPlane::feasible_step(const Eigen::Vector3d& x, const Eigen::Vector3d& p) const {
  const double g = now_.gap(x), a = now_.normal.dot(p);
  const double b = a + gap_change(x), c = normal_change().dot(p);
  const double discriminant = b * b - 4 * g * c;
  if (discriminant < 0) return 1;
  const double divisor = std::sqrt(discriminant) - b;
  return divisor > 0 ? std::min(1.0, 0.9 * g * 2 / divisor) : 1;
}

}  // namespace holo
