// Any motion: locks nothing by itself; driven, it places a body where it is told, as a moving ground does.
#include <holo/plugin/joint.h>

struct Free {
  static constexpr Coordinate coordinates[] = {length("x"), length("y"), length("z"), quaternion("rotation")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return {Vector3<S>{q[0], q[1], q[2]}, Quaternion<S>{q[3], q[4], q[5], q[6]}};
  }
  template <class S>
  static constexpr Vector<S, 7> coordinates_of(const Transform<S>& motion) {
    const Vector3<S>& t = motion.translation;
    return {t[0], t[1], t[2], motion.rotation.w, motion.rotation.x, motion.rotation.y, motion.rotation.z};
  }
};

HOLO_JOINT(Free, "free", "any motion")
