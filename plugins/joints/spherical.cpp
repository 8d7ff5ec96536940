// A ball and its socket.
#include <holo/plugin/joint.h>

struct Spherical {
  static constexpr Coordinate coordinates[] = {quaternion("rotation")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation(Quaternion<S>{q[0], q[1], q[2], q[3]});
  }
  template <class S>
  static constexpr Vector<S, 4> coordinates_of(const Transform<S>& motion) {
    return {motion.rotation.w, motion.rotation.x, motion.rotation.y, motion.rotation.z};
  }
  static constexpr int passive_equation_count = 3;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin;
    const Matrix3<S> R = rotation_matrix(Quaternion<S>{q[0], q[1], q[2], q[3]});
    const Vector3<S> turned_x = R(0, 0) * a.x + R(1, 0) * a.y + R(2, 0) * a.z;
    const Vector3<S> turned_y = R(0, 1) * a.x + R(1, 1) * a.y + R(2, 1) * a.z;
    return {gap[0], gap[1], gap[2], dot(turned_x, b.y), dot(turned_x, b.z), dot(turned_y, b.z)};
  }
};

HOLO_JOINT(Spherical, "spherical", "any turn about a point")
