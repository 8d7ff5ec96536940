// The universal joint with the driven equations of [Maloisel2023] Table 1: both pair a turned axis of A with B's third one, and
// lose their rank where the second angle is a right one.
#include <holo/plugin/joint.h>

struct PaperUniversal {
  static constexpr Coordinate coordinates[] = {angle("first_angle"), angle("second_angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation_about_x(q[0]) * rotation_about_y(q[1]);
  }
  static constexpr int passive_equation_count = 4;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin, turned_y = cos(q[0]) * a.y + sin(q[0]) * a.z;
    const Vector3<S> turned_z = cos(q[0]) * a.z - sin(q[0]) * a.y;
    const Vector3<S> turned_x = cos(q[1]) * a.x - sin(q[1]) * turned_z;
    return {gap[0], gap[1], gap[2], dot(a.x, b.y), dot(turned_x, b.z), dot(turned_y, b.z)};
  }
};

HOLO_JOINT(PaperUniversal, "paper_universal", "a universal joint with the equations of the source")
