#pragma once
// Header for authors of losses. A loss is a list of residuals of a few observables, written once:
//
//   // The distance of a body's point from a path.
//   #include <holo/plugin/loss.h>
//   struct TrackPosition {
//     Body body;
//     Vector3<double> point;  // in the body's coordinates [m]
//     Signal<3> target;       // [m]
//     Signal<1> weight;       // [1/m^2]
//     static TrackPosition read(const LossReader& p) {
//       return {p.body("body"), p.vector3("point", "m", {.default_value = Vector3<double>{}}), p.signal<3>("target", "m"),
//               p.weight("weight", "1/m^2", {.default_value = 1.0})};
//     }
//     template <class S> void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
//       const Vector3<S> gap = observe.point(body, point) - observe.at(target);
//       for (int i = 0; i < 3; ++i) residuals.add(gap[i], observe.at(weight)[0]);
//       residuals.measure("position_error", "m", norm(gap));
//     }
//   };
//   HOLO_LOSS(TrackPosition, "track_position", "distance of a body's point from a path")
//
// residuals.add(r, w)                adds w r^2 / 2 to the loss; the weight w is not negative
// residuals.add_value(e)             adds the value e, of any sign, whose Hessian may be indefinite
// residuals.keep_positive(d)         states the distance d to a limit; a solver's step leaves at least a hundredth of it
// residuals.measure(name, unit, x)   reports the number x
// The last two do not change the loss.
//
// A signal is a quantity that may vary in time. A parameter that is a body, a control, a design parameter or a muscle takes one
// name, a list of names, or `all`; with a list or `all` there is one loss for each. A simulation refuses a loss that observes
// what it does not have, with a list of what it has. `residuals` runs when the loss is made and records a graph: a branch on a
// scalar is written select(condition, a, b). An exception of `read` or `residuals` refuses the parameters with its message.
//
// The static member `documentation` is shown by `holo describe`.

#include "holo/diff/matrix.h"
#include "holo/diff/rotations.h"
#include "holo/diff/scalars/elementary.h"
#ifdef HOLO_REFERENCE
#include "holo/plugin/detail/loss_reference.h"
#else
#include "holo/plugin/detail/loss_entry.h"
#endif
#include "holo/plugin/observer.h"

// A plugin's source is included nowhere, and formulas read best without qualified names.
using namespace holo;  // NOLINT

// Makes this shared library the plugin of the loss `Type`. `name` equals the library's file name.
#define HOLO_LOSS(Type, name, summary)                                                                                 \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter_loss<Type>(name, summary, host, registrar, error);                                    \
  }
