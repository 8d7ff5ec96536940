#pragma once
// The members of a joint, with their defaults, as its operations use them; static assertions for missing members.

#include <array>
#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include "holo/core/abi.h"
#include "holo/diff/matrix.h"
#include "holo/diff/rotations.h"
#include "holo/plugin/detail/aggregate.h"

namespace holo {

// One of a joint's coordinates; a quaternion is one coordinate of four numbers.
struct Coordinate {
  const char* name;  // snake_case
  holo_coordinate_kind kind;
  constexpr int size() const { return kind == HOLO_COORDINATE_QUATERNION ? 4 : 1; }
};
constexpr Coordinate length(const char* name) { return {name, HOLO_COORDINATE_LENGTH}; }          // [m]
constexpr Coordinate angle(const char* name) { return {name, HOLO_COORDINATE_ANGLE}; }            // [rad]
constexpr Coordinate quaternion(const char* name) { return {name, HOLO_COORDINATE_QUATERNION}; }  // of length 1

// A frame of a joint in world coordinates, fixed to its body. The axes are scaled by the squared length of the body's
// quaternion.
template <class S>
struct JointFrame {
  Vector3<S> origin;       // [m]
  Vector3<S> x, y, z;      // 1
  Quaternion<S> rotation;  // of length 1 where the body's quaternion is
};

// The constraint equations of a joint: 0 where it holds. Lengths [m] and products of axes [1].
template <class S>
using JointEquations = Vector<S, 6>;

enum class PassiveAxes { none = 0, x = 1, all = 7 };

namespace plugin {

// Stands for the constants of a joint that has none.
template <class S>
struct NoConstants {};

template <class J>
concept HasConstants = requires {
  typename J::template Constants<double>;
};

namespace detail {
template <class J, class S>
struct ConstantsOf {
  using type = NoConstants<S>;
};
template <HasConstants J, class S>
struct ConstantsOf<J, S> {
  using type = typename J::template Constants<S>;
};
}  // namespace detail
template <class J, class S>
using JointConstants = typename detail::ConstantsOf<J, S>::type;

template <class J>
constexpr int constant_count() {
  return scalar_count<JointConstants<J, double>>();
}

template <class J>
constexpr int coordinate_count() {
  int count = 0;
  if constexpr (requires { J::coordinates; })
    for (const Coordinate& coordinate : J::coordinates) count += coordinate.size();
  return count;
}

template <class J, class S>
concept HasMotionOfConstants = requires(const S* q, const JointConstants<J, S>& c) {
  { J::motion(q, c) } -> std::same_as<Transform<S>>;
};
template <class J, class S>
concept HasPlainMotion = requires(const S* q) {
  { J::motion(q) } -> std::same_as<Transform<S>>;
};
template <class J, class S>
concept HasEquationsOfConstants = requires(const JointFrame<S>& frame, const S* q, const JointConstants<J, S>& c) {
  J::constraint_equations(frame, frame, q, c);
};
template <class J, class S>
concept HasPlainEquations = requires(const JointFrame<S>& frame, const S* q) {
  J::constraint_equations(frame, frame, q);
};
template <class J>
constexpr bool has_own_equations = HasEquationsOfConstants<J, double> || HasPlainEquations<J, double>;
template <class J, class S>
concept HasCoordinatesOf = requires(const Transform<S>& motion) {
  J::coordinates_of(motion);
};

template <class J, class S>
constexpr JointConstants<J, S> constants_of(const S* values) {
  return aggregate_of<JointConstants<J, S>, constant_count<J>()>(values);
}

template <class J, class S>
constexpr Transform<S> motion_of(const S* q, const S* constants) {
  if constexpr (HasMotionOfConstants<J, S>) {
    return J::motion(q, constants_of<J, S>(constants));
  } else {
    return J::motion(q);
  }
}

// The frame on a body: point, three axes, and their quaternion (HOLO_FRAME_SIZE numbers) carried by the pose.
template <class S>
constexpr JointFrame<S> carried_frame(const S* pose, const S* frame) {
  const Quaternion<S> q{pose[3], pose[4], pose[5], pose[6]};
  const Matrix3<S> R = rotation_matrix(q);
  const auto turned = [&](int k) { return R * Vector3<S>{frame[k], frame[k + 1], frame[k + 2]}; };
  return {Vector3<S>{pose[0], pose[1], pose[2]} + turned(0), turned(3), turned(6), turned(9),
          q * Quaternion<S>{frame[12], frame[13], frame[14], frame[15]}};
}

// B's frame is A's, moved: three equations for the origins, three for the rotation, 2 vec(conj(q_A q_motion) q_B), whose only
// other zero is the same rotation with the other sign.
template <class S>
constexpr JointEquations<S> pose_equations(const JointFrame<S>& a, const JointFrame<S>& b, const Transform<S>& motion) {
  const Vector3<S>& t = motion.translation;
  const Vector3<S> gap = a.origin + t[0] * a.x + t[1] * a.y + t[2] * a.z - b.origin;
  const Quaternion<S> turn = conjugate(a.rotation * motion.rotation) * b.rotation;
  return {gap[0], gap[1], gap[2], S(2.0) * turn.x, S(2.0) * turn.y, S(2.0) * turn.z};
}

template <class J, class S>
constexpr JointEquations<S> equations_of(const JointFrame<S>& a, const JointFrame<S>& b, const S* q, const S* constants) {
  if constexpr (HasEquationsOfConstants<J, S>) {
    return J::constraint_equations(a, b, q, constants_of<J, S>(constants));
  } else if constexpr (HasPlainEquations<J, S>) {
    return J::constraint_equations(a, b, q);
  } else {
    return pose_equations(a, b, motion_of<J, S>(q, constants));
  }
}

// The motion that takes A's frame to B's.
template <class S>
constexpr Transform<S> relative_motion(const S* pose_a, const S* pose_b, const S* frames) {
  const auto world = [](const S* pose, const S* frame) {
    const Quaternion<S> q = normalized(Quaternion<S>{pose[3], pose[4], pose[5], pose[6]});
    const Vector3<S> point = rotate(q, Vector3<S>{frame[0], frame[1], frame[2]});
    return Transform<S>{Vector3<S>{pose[0], pose[1], pose[2]} + point,
                        q * Quaternion<S>{frame[12], frame[13], frame[14], frame[15]}};
  };
  return inverse(world(pose_a, frames)) * world(pose_b, frames + HOLO_FRAME_SIZE);
}

template <class J>
constexpr int passive_equation_count() {
  if constexpr (has_own_equations<J>) {
    return J::passive_equation_count;
  } else {
    return coordinate_count<J>() == 0 ? 6 : 0;
  }
}

template <class J>
constexpr PassiveAxes passive_axes() {
  if constexpr (requires { J::passive_axes; }) {
    return J::passive_axes;
  } else {
    return PassiveAxes::none;
  }
}

template <class J>
constexpr int joint_graph_capacity() {
  if constexpr (requires { J::graph_capacity; }) {
    return J::graph_capacity;
  } else {
    return 8192;
  }
}

template <class J>
constexpr const char* joint_documentation() {
  if constexpr (requires { J::documentation; }) {
    return J::documentation;
  } else {
    return "";
  }
}

// Stops the compilation with a sentence for each thing that a joint must have. True when nothing is missing.
template <class J>
constexpr bool check_joint() {
  constexpr bool has_motion = HasMotionOfConstants<J, double> || HasPlainMotion<J, double>;
  static_assert(has_motion,
                "A joint needs its relative motion: template <class S> static constexpr Transform<S> motion(const S* q[, const "
                "Constants<S>& c])");
  static_assert(coordinate_count<J>() <= int(HOLO_JOINT_COORDINATE_MAXIMUM), "A joint has at most 7 numbers as coordinates");
  using C = JointConstants<J, double>;
  static_assert(std::is_aggregate_v<C>, "Constants must be a plain struct without constructors");
  static_assert(std::is_empty_v<C> || int(sizeof(JointConstants<J, char>)) == scalar_count<C>(),
                "Every member of Constants<S> must be of type S, Vector3<S> or Matrix3<S>");
  if constexpr (has_own_equations<J>)
    static_assert(
        requires { J::passive_equation_count; },
        "A joint with constraint equations of its own says how many of them, the first, do not contain q: static constexpr int "
        "passive_equation_count");
  if constexpr (HasCoordinatesOf<J, double>)
    static_assert(
        std::same_as<decltype(J::coordinates_of(identity_transform<double>())), Vector<double, coordinate_count<J>()>>,
        "coordinates_of must return Vector<S, n>, with n the numbers of all coordinates");
  return has_motion;
}

}  // namespace plugin
}  // namespace holo
