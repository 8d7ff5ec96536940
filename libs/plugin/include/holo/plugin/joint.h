#pragma once
// What the author of a joint includes. A joint is how the frame of body B moves relative to the frame of body A, written once:
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
// The first axis of a frame is x. All coordinates 0 (a quaternion: 1, 0, 0, 0) is no motion. A joint without constants leaves
// out `Constants`, `read` and the argument `c`.
//
// What it may add, each as a static member:
//   template <class S> static constexpr Vector<S, n> coordinates_of(const Transform<S>& motion)
//       the coordinates of a motion that this joint allows; without it they are found by iteration
//   template <class S> static constexpr JointRows<S> rows(const JointFrame<S>& a, const JointFrame<S>& b, const S* q[, c])
//   static constexpr int passive_row_count = 5;
//   static constexpr PassiveAxes passive_axes = PassiveAxes::x;
//       six rows of its own, 0 where the joint holds, the first passive_row_count of them without q: they alone let it move.
//       Where those also hold with a frame turned half around, passive_axes says which axes must not point against each other.
//   constexpr const char* documentation = "...";
//   constexpr int graph_capacity = 8192;
// Without rows of its own a joint locks the pose of B to A's pose moved by motion(q), six rows that contain q.

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

// A plugin's source is included by nobody, and its author writes formulas: the names are at hand unqualified.
using namespace holo;    // NOLINT
using std::numbers::pi;  // NOLINT

// Makes this shared library the plugin of the joint `Type`. `name` equals the library's file name.
#define HOLO_JOINT(Type, name, summary)                                                                                \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter_joint<Type>(name, summary, host, registrar, error);                                   \
  }
