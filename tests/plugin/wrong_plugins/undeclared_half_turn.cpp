// A hinge that does not say that its first axes must not point against each other.
#include <holo/plugin/joint.h>

struct UndeclaredHalfTurn {
  static constexpr Coordinate coordinates[] = {angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation_about_x(q[0]);
  }
  template <class S>
  static constexpr Vector<S, 1> coordinates_of(const Transform<S>& motion) {
    return {2.0 * atan2(motion.rotation.x, motion.rotation.w)};
  }
  static constexpr int passive_equation_count = 5;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin, turned_y = cos(q[0]) * a.y + sin(q[0]) * a.z;
    return {gap[0], gap[1], gap[2], dot(a.x, b.y), dot(a.x, b.z), dot(turned_y, b.z)};
  }
};

HOLO_JOINT(UndeclaredHalfTurn, "undeclared_half_turn", "a hinge without passive axes")
