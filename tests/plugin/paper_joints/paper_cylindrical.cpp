// The cylindrical joint with the driven equations of [Maloisel2023] Table 1: three for the point, in place of the two along B's
// axes that the passive joint has. As they do not contain those, all six go together.
#include <holo/plugin/joint.h>

struct PaperCylindrical {
  static constexpr Coordinate coordinates[] = {length("extension"), angle("angle")};
  template <class S>
  static constexpr Transform<S> motion(const S* q) {
    return translation_along_x(q[0]) * rotation_about_x(q[1]);
  }
  static constexpr int passive_equation_count = 0;
  template <class S>
  static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b, const S* q) {
    const Vector3<S> gap = a.origin + q[0] * a.x - b.origin, turned_y = cos(q[1]) * a.y + sin(q[1]) * a.z;
    return {gap[0], gap[1], gap[2], dot(a.x, b.y), dot(a.x, b.z), dot(turned_y, b.z)};
  }
};

HOLO_JOINT(PaperCylindrical, "paper_cylindrical", "a cylindrical joint with the equations of the source")
