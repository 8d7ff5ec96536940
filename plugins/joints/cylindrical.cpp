// Slides along the first axis and turns about it.
#include <holo/plugin/joint.h>

struct Cylindrical {
  static constexpr Coordinate coordinates[] = {length("extension"), angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return translation_along_x(q[0]) * rotation_about_x(q[1]);
  }
  template <class S>
  static constexpr Vector<S, 2> coordinates_of(const Transform<S>& motion) {
    return {motion.translation[0], 2.0 * atan2(motion.rotation.x, motion.rotation.w)};
  }
  static constexpr int passive_equation_count = 4;
  static constexpr PassiveAxes passive_axes = PassiveAxes::x;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin, turned_y = cos(q[1]) * a.y + sin(q[1]) * a.z;
    return {dot(gap, b.y), dot(gap, b.z), dot(a.x, b.y), dot(a.x, b.z), dot(gap, b.x) + q[0], dot(turned_y, b.z)};
  }
};

HOLO_JOINT(Cylindrical, "cylindrical", "a shift along the first axis and a turn about it")
