// refused: write select(condition, a, b) instead of if
#include <holo/plugin/joint.h>

struct Ratchet {
  static constexpr Coordinate coordinates[] = {angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
#ifdef HOLO_REFUSED
    if (q[0] < 0) return rotation_about_x(S(0.0));
    return rotation_about_x(q[0]);
#else
    return rotation_about_x(select(q[0] < 0, S(0.0), q[0]));
#endif
  }
};
HOLO_JOINT(Ratchet, "ratchet", "branches on a scalar")
