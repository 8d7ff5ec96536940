// refused: A joint with constraint equations of its own says how many of them
#include <holo/plugin/joint.h>

struct Slider {
  static constexpr Coordinate coordinates[] = {length("extension")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return translation_along_x(q[0]);
  }
#ifndef HOLO_REFUSED
  static constexpr int passive_equation_count = 5;
#endif
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin - b.origin;
    return {dot(gap, b.y), dot(gap, b.z), dot(a.x, b.y), dot(a.x, b.z), dot(a.y, b.z), dot(gap, b.x) + q[0]};
  }
};
HOLO_JOINT(Slider, "slider", "does not say which equations are passive")
