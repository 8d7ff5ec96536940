// Turns about the third axis.
#include <holo/plugin/joint.h>

struct Turntable {
  static constexpr Coordinate coordinates[] = {angle("turn")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return rotation_about_z(q[0]);
  }
};

HOLO_JOINT(Turntable, "turntable", "a turn about the third axis")
