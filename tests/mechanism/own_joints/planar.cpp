// Moves and turns in the plane of the second and third axis: a joint that gives nothing but its motion.
#include <holo/plugin/joint.h>

struct Planar {
  static constexpr Coordinate coordinates[] = {length("y"), length("z"), angle("turn")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    Transform<S> turned = rotation_about_x(q[2]);
    turned.translation = Vector3<S>{S(0.0), q[0], q[1]};
    return turned;
  }
};

HOLO_JOINT(Planar, "planar", "a motion in a plane")
