/* The quantities of a simulation that losses may observe: one table, from which the ABI's enumeration, the sizes and the names
 * in messages follow. A new kind is a row at the end, a member function of Observer (holo/plugin/observer.h), and an
 * implementation in the simulators that have it. */
#ifndef HOLO_CORE_ABI_OBSERVABLES_H
#define HOLO_CORE_ABI_OBSERVABLES_H

#include <stdint.h>

#include "holo/core/abi/parameters.h"

/* ROW(KIND, name, count of numbers, unit of each, class of the subject). A simulator states which of them it has.
 *   point             position of a point of a body
 *   pose              origin and quaternion (w, x, y, z) of a body
 *   control           a joint's driven coordinate
 *   control_rate      its rate
 *   design_parameter  a configurable joint's coordinate
 *   center_of_mass    of a body or a subset of one
 *   momentum          linear, of a body or a subset of one
 *   angular_momentum  about the center of mass
 *   elastic_energy    of a body
 *   activation        of a segment of a muscle, in multiples of its body's shear modulus at rest
 *   inertia_tensor    about the center of mass: xx, yy, zz, xy, xz, yz
 *   vector_area       integral of the outward normal over a subset of the surface
 *   shape_deviation   mass-weighted mean square distance from the pose at the start, less the translation
 *   shape_covariance  mass-weighted mean of y Y^T, by rows: y from the center of mass now, Y at the start */
#define HOLO_OBSERVABLES(ROW)                                              \
  ROW(POINT, point, 3, "m", BODY)                                          \
  ROW(POSE, pose, 7, "m, 1", BODY)                                         \
  ROW(CONTROL, control, 1, "rad or m", CONTROL)                            \
  ROW(CONTROL_RATE, control_rate, 1, "rad/s or m/s", CONTROL)              \
  ROW(DESIGN_PARAMETER, design_parameter, 1, "rad or m", DESIGN_PARAMETER) \
  ROW(CENTER_OF_MASS, center_of_mass, 3, "m", BODY)                        \
  ROW(MOMENTUM, momentum, 3, "kg m/s", BODY)                               \
  ROW(ANGULAR_MOMENTUM, angular_momentum, 3, "kg m^2/s", BODY)             \
  ROW(ELASTIC_ENERGY, elastic_energy, 1, "J", BODY)                        \
  ROW(ACTIVATION, activation, 1, "1", MUSCLE)                              \
  ROW(INERTIA_TENSOR, inertia_tensor, 6, "kg m^2", BODY)                   \
  ROW(VECTOR_AREA, vector_area, 3, "m^2", BODY)                            \
  ROW(SHAPE_DEVIATION, shape_deviation, 1, "m^2", BODY)                    \
  ROW(SHAPE_COVARIANCE, shape_covariance, 9, "m^2", BODY)

typedef enum holo_observable_kind {
#define HOLO_ROW(KIND, name, size, unit, SUBJECT) HOLO_OBSERVABLE_##KIND,
  HOLO_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
      HOLO_OBSERVABLE_KIND_COUNT
} holo_observable_kind;

/* The count of numbers of an observable of this kind; 0 for an unknown kind. */
static inline uint32_t holo_observable_size(uint32_t kind) {
  switch (kind) {
#define HOLO_ROW(KIND, name, size, unit, SUBJECT) \
  case HOLO_OBSERVABLE_##KIND:                    \
    return size;
    HOLO_OBSERVABLES(HOLO_ROW) /* NOLINT(bugprone-branch-clone): kinds of one size */
#undef HOLO_ROW
    default:
      return 0;
  }
}

#endif
