// Turns about the third axis, and is lifted along it as it turns.
#include <holo/plugin/joint.h>

struct Cam {
  static constexpr Coordinate coordinates[] = {angle("turn")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    Transform<S> turned = rotation_about_z(q[0]);
    turned.translation = Vector3<S>{S(0.0), S(0.0), 0.02 * (1.0 - cos(q[0]))};
    return turned;
  }
};

HOLO_JOINT(Cam, "cam", "a turn that lifts")
