// refused: A joint needs its relative motion
#include <holo/plugin/joint.h>

struct Hinge {
  static constexpr Coordinate coordinates[] = {angle("angle")};
#ifndef HOLO_REFUSED
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation_about_x(q[0]);
  }
#endif
};
HOLO_JOINT(Hinge, "hinge", "has no motion")
