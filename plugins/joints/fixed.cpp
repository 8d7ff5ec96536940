// Locks two frames to each other [table 1 of the source, "fixed"]; with the world as body A it is the ground.
#include <holo/plugin/joint.h>

struct Fixed {
  template <class S>
  static constexpr Transform<S> motion(const S*) {
    return identity_transform<S>();
  }
  static constexpr int passive_equation_count = 6;
  static constexpr PassiveAxes passive_axes = PassiveAxes::all;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S*) {
    const Vector3<S> gap = a.origin - b.origin;
    return {gap[0], gap[1], gap[2], dot(a.x, b.y), dot(a.x, b.z), dot(a.y, b.z)};
  }
};

HOLO_JOINT(Fixed, "fixed", "no relative motion")
