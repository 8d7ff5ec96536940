// A screw and its nut: turns about the first axis, and moves along it by `lead` in a full turn.
#include <holo/plugin/joint.h>

struct Screw {
  template <class S>
  struct Constants {
    S lead;  // m
  };
  template <class P>
  static Constants<P> read(const ParameterReader<P>& p) {
    return {p.number("lead", "m", {.documentation = "advance in a full turn"})};
  }
  static constexpr Coordinate coordinates[] = {angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q, const Constants<S>& c) {
    return translation_along_x(c.lead * q[0] / (2 * pi)) * rotation_about_x(q[0]);
  }
};

HOLO_JOINT(Screw, "screw", "a turn about the first axis moves along it")
