// A slider along the first axis.
#include <holo/plugin/joint.h>

struct Prismatic {
  static constexpr Coordinate coordinates[] = {length("extension")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return translation_along_x(q[0]);
  }
  template <class S>
  static constexpr Vector<S, 1> coordinates_of(const Transform<S>& motion) {
    return {motion.translation[0]};
  }
  static constexpr int passive_equation_count = 5;
  static constexpr PassiveAxes passive_axes = PassiveAxes::all;
  // The gap along B's axes, so that the driven equation adds to the passive ones and replaces none.
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin;
    return {dot(gap, b.y), dot(gap, b.z), dot(a.x, b.y), dot(a.x, b.z), dot(a.y, b.z), dot(gap, b.x) + q[0]};
  }
};

HOLO_JOINT(Prismatic, "prismatic", "a shift along the first axis")
