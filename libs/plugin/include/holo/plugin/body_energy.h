#pragma once
// Header for authors of body energies. A body energy is the sum of V psi over a body's elements, where the energy density psi
// [J/m^3] of an element may depend on the shape of the whole body and on target strains. It is written once and adds to the
// energy of the body's material:
//
//   // psi = k/2 w(theta) |E - E_0|^2: bending by theta draws the Green strain E toward that of a target shape.
//   #include <holo/plugin/body_energy.h>
//   struct BendingTarget {
//     double stiffness, angle;       // Pa, rad
//     Vector3<double> normal;
//     Body inner, outer;             // subsets of the body's vertices
//     Target shape;
//     static BendingTarget read(const BodyEnergyReader& p) {
//       return {p.positive("stiffness", "Pa"), p.positive("angle", "rad"), p.direction("normal"),
//               p.subset("inner"), p.subset("outer"), p.target("shape")};
//     }
//
//     template <class S> struct Quantities { S theta; };  // what all elements share
//     static constexpr BodyQuantity quantity_names[] = {{"bending_angle", "rad"}};
//     template <class S> Quantities<S> quantities(const BodyObserver<S>& observe) const {
//       const Vector3<S> a = observe.mean_position_at_start(outer) - observe.mean_position_at_start(inner);
//       const Vector3<S> b = observe.mean_position(outer) - observe.mean_position(inner), n = matrix_cast<S>(normal);
//       return {atan2(dot(n, cross(a, b)), dot(a, b))};
//     }
//     template <class S>
//     S energy_density(const Matrix3<S>& F, const Quantities<S>& body, const Targets<S>& target) const {
//       return stiffness / 2 * smooth_step(body.theta / angle) * squared_norm(green_strain(F) - target[shape]);
//     }
//   };
//   HOLO_BODY_ENERGY(BendingTarget, "bending_target", "bending draws a body toward a target shape")
//
// Quantities has 1 to 8 members of type S, and quantity_names a name and a unit for each. They may be any smooth functions of
// at most 8 centers of mass or mean positions of subsets. A target is the Green strain of each element, which an experiment
// gives as a shape, a formula or a field of its mesh. Both functions run when the energy is made and record graphs: a branch on
// a scalar is written select(condition, a, b). An exception of `read` or of these functions refuses the parameters with its
// message.
//
// The static member `documentation` is shown by `holo describe`.

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/elementary.h"
#ifdef HOLO_REFERENCE
#include "holo/plugin/detail/body_energy_reference.h"
#else
#include "holo/plugin/detail/body_energy_entry.h"
#endif
#include "holo/plugin/body_observer.h"

// A plugin's source is included nowhere, and formulas read best without qualified names.
using namespace holo;  // NOLINT

// Makes this shared library the plugin of the body energy `Type`. `name` equals the library's file name.
#define HOLO_BODY_ENERGY(Type, name, summary)                                                                          \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter_body_energy<Type>(name, summary, host, registrar, error);                             \
  }
