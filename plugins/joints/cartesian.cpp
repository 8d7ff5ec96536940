// Shifts along all three axes, without a turn.
#include <holo/plugin/joint.h>

struct Cartesian {
  static constexpr Coordinate coordinates[] = {length("x"), length("y"), length("z")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return translation(q[0], q[1], q[2]);
  }
  template <class S>
  static constexpr Vector<S, 3> coordinates_of(const Transform<S>& motion) {
    return motion.translation;
  }
  static constexpr int passive_equation_count = 3;
  static constexpr PassiveAxes passive_axes = PassiveAxes::all;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin + q[0] * a.x + q[1] * a.y + q[2] * a.z - b.origin;
    return {dot(a.x, b.y), dot(a.x, b.z), dot(a.y, b.z), gap[0], gap[1], gap[2]};
  }
};

HOLO_JOINT(Cartesian, "cartesian", "a shift along all three axes")
