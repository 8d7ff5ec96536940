#pragma once
// What the author of a loss includes. A loss is residual rows of a few observables, written once:
//
//   // The distance of a body's point from a path.
//   #include <holo/plugin/loss.h>
//   struct TrackPosition {
//     Body body;
//     Vector3<double> point;  // in the body's coordinates [m]
//     Signal<3> target;       // [m]
//     Signal<1> weight;       // [1/m^2]
//     static TrackPosition read(const LossReader& p) {
//       return {p.body("body"), p.vector3("point", "m", Vector3<double>{}), p.signal<3>("target", "m"),
//               p.weight("weight", "1/m^2", 1.0)};
//     }
//     template <class S> void rows(const Observer<S>& observe, LossRows<S>& rows) const {
//       const Vector3<S> gap = observe.point(body, point) - observe.at(target);
//       for (int i = 0; i < 3; ++i) rows.add(gap[i], observe.at(weight)[0]);
//       rows.measure("position_error", "m", norm(gap));
//     }
//   };
//   HOLO_LOSS(TrackPosition, "track_position", "distance of a body's point from a path")
//
// rows.add(r, w) contributes w r^2 / 2, with w at least 0; rows.add_value(e) any e; rows.measure(...) nothing, but the reports
// show it; rows.keep_positive(d) nothing, but steps do not go all the way to d = 0. A signal is a quantity that may vary in
// time; a body or control parameter takes one name, a list, or `all` (then there is one loss for each). What is asked of the
// observer once is what the loss depends on: a simulation that has no such observable refuses it. `rows` runs while the loss is
// set up and leaves a graph: a branch on a scalar is written select(condition, a, b).
//
// `documentation`, a static member, is shown by `holo describe`.

#include "holo/diff/matrix.h"
#include "holo/diff/rotations.h"
#include "holo/diff/scalars/elementary.h"
#ifdef HOLO_REFERENCE
#include "holo/plugin/detail/loss_reference.h"
#else
#include "holo/plugin/detail/loss_entry.h"
#endif
#include "holo/plugin/observer.h"

// A plugin's source is included by nobody, and its author writes formulas: the names are at hand unqualified.
using namespace holo;  // NOLINT

// Makes this shared library the plugin of the loss `Type`. `name` equals the library's file name.
#define HOLO_LOSS(Type, name, summary)                                                                                 \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter_loss<Type>(name, summary, host, registrar, error);                                    \
  }
