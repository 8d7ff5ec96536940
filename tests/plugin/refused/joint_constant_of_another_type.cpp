// refused: must be of type S, Vector3<S> or Matrix3<S>
#include <holo/plugin/joint.h>

struct Screw {
  template <class S>
  struct Constants {
    S lead;
#ifdef HOLO_REFUSED
    int starts;
#else
    S starts;
#endif
  };
  template <class P>
  static Constants<P> read(const ParameterReader<P>& p) {
    return {p.number("lead", "m"), 2};
  }
  static constexpr Coordinate coordinates[] = {angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q, const Constants<S>& c) {
    return translation_along_x(c.lead * c.starts * q[0]) * rotation_about_x(q[0]);
  }
};
HOLO_JOINT(Screw, "screw", "has a constant that is no scalar")
