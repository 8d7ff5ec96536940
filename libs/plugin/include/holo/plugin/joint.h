#pragma once
// Header for authors of joints. A joint is the motion of body B's frame relative to body A's frame, written once:
//
//   // Turns about its first axis, and moves along it by `lead` in a full turn.
//   #include <holo/plugin/joint.h>
//   struct Screw {
//     template <class S> struct Constants { S lead; };                                                   // m
//     template <class P> static Constants<P> read(const ParameterReader<P>& p) { return {p.number("lead", "m")}; }
//     static constexpr Coordinate coordinates[] = {angle("angle")};
//     template <class S> static constexpr Transform<S> motion(const S* q, const Constants<S>& c) {
//       return translation_along_x(c.lead * q[0] / (2 * pi)) * rotation_about_x(q[0]);
//     }
//   };
//   HOLO_JOINT(Screw, "screw", "helical pair: a turn about the first axis moves along it")
//
// The first axis of a frame is x. At coordinates 0 (a quaternion: 1, 0, 0, 0) the motion is the identity. A joint without
// constants has no `Constants`, no `read` and no argument `c`.
//
// Optional static members:
//   template <class S> static constexpr Vector<S, n> coordinates_of(const Transform<S>& motion)
//       the coordinates [rad or m] of a motion that the joint allows; without it they are found by iteration
//   template <class S> static constexpr JointEquations<S> constraint_equations(const JointFrame<S>& a, const JointFrame<S>& b,
//                                                                              const S* q[, c])
//       six equations, 0 where the joint holds; the driven joint has all of them
//   static constexpr int passive_equation_count = 5;
//       the number of equations, the first ones, that do not contain q; the passive joint has these. Required with
//       `constraint_equations`
//   static constexpr PassiveAxes passive_axes = PassiveAxes::x;
//       the axes of A and B that must point the same way; for passive equations that also hold with a frame turned half around
//   static constexpr const char* documentation = "...";    shown by `holo describe`
//   static constexpr int graph_capacity = 16384;           compiles graphs of more than 8192 nodes
// A joint without equations of its own has six that lock the pose of B to A's pose moved by motion(q); they contain q.

#include <numbers>

#include "holo/diff/matrix.h"
#include "holo/diff/rotations.h"
#include "holo/diff/scalars/elementary.h"
#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/joint_traits.h"
#ifdef HOLO_REFERENCE
#include "holo/plugin/detail/joint_reference.h"
#else
#include "holo/plugin/detail/joint_entry.h"
#endif
#include "holo/plugin/parameters.h"

// A plugin's source is included nowhere, and formulas read best without qualified names.
using namespace holo;    // NOLINT
using std::numbers::pi;  // NOLINT

// Makes this shared library the plugin of the joint `Type`. `name` equals the library's file name.
#define HOLO_JOINT(Type, name, summary)                                                                                \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter_joint<Type>(name, summary, host, registrar, error);                                   \
  }
