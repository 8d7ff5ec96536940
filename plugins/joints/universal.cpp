// Turns about A's first axis, then about B's second one.
#include <holo/plugin/joint.h>

struct Universal {
  static constexpr Coordinate coordinates[] = {angle("first_angle"), angle("second_angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation_about_x(q[0]) * rotation_about_y(q[1]);
  }
  template <class S>
  static constexpr Vector<S, 2> coordinates_of(const Transform<S>& motion) {
    const Matrix3<S> R = rotation_matrix(motion.rotation);
    return {atan2(R(2, 1), R(1, 1)), atan2(R(0, 2), R(0, 0))};
  }
  static constexpr int passive_equation_count = 4;
  // The driven equations keep their rank at every angle; those of the paper lose it where the second angle is a right one.
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin, turned_z = cos(q[0]) * a.z - sin(q[0]) * a.y;
    const Vector3<S> twice_turned_x = cos(q[1]) * a.x - sin(q[1]) * turned_z;
    return {gap[0], gap[1], gap[2], dot(a.x, b.y), dot(turned_z, b.y), dot(twice_turned_x, b.z)};
  }
};

HOLO_JOINT(Universal, "universal", "turns about A's first and B's second axis")
