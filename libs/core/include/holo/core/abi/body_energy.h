/* The plugin ABI of a body energy: the sum over a body's elements of V psi(F, o, T), with an energy density psi [J/m^3] of the
 * deformation gradient F (row-major), of a few quantities o that all elements share, and of targets T, which are symmetric 3x3
 * strains of each element. The quantities are functions of a few observables z of the body, which are linear in its positions.
 *
 * `create` reads the parameters and runs the author's functions against a recorder: the instance then knows its observables and
 * targets. The host sums over the elements and chains the derivatives to the positions. */
#ifndef HOLO_CORE_ABI_BODY_ENERGY_H
#define HOLO_CORE_ABI_BODY_ENERGY_H

#include "holo/core/abi/loss.h"
#include "holo/core/abi/observables.h"
#include "holo/core/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOLO_BODY_QUANTITY_MAXIMUM 8u    /* quantities o */
#define HOLO_BODY_OBSERVABLE_MAXIMUM 24u /* numbers z */

typedef enum holo_body_energy_operation {
  HOLO_BODY_ENERGY_DENSITY = 0, /* psi                                                            -> [1]                    */
  HOLO_BODY_ENERGY_GRADIENT,    /* dpsi/dF [9], dpsi/do [no]                                      -> [9 + no]               */
  HOLO_BODY_ENERGY_HESSIAN,     /* d2psi/dF2 as its upper half by rows [45], d2psi/(do dF) [no][9], d2psi/do2 as its upper half
                                   by rows                                        -> [45 + 9 no + no (no + 1) / 2]          */
  HOLO_BODY_ENERGY_OPERATION_COUNT
} holo_body_energy_operation;

typedef struct holo_body_energy_instance holo_body_energy_instance;

/* What an instance asks for; the arrays live as long as it does. */
typedef struct holo_body_energy_description {
  uint32_t size; /* sizeof(holo_body_energy_description) */
  uint32_t observable_count;
  const holo_observable* observables; /* z is made of them, in this order; of this step */
  uint32_t quantity_count;
  const holo_measure* quantities; /* [quantity_count] names and units */
  uint32_t target_count;
  const uint32_t* targets; /* [target_count] as the reader numbered them */
} holo_body_energy_description;

typedef struct holo_body_energy_batch {
  uint32_t size; /* sizeof(holo_body_energy_batch) */
  uint64_t block_count;
  const double* deformation_gradient; /* F: [block][9][lane] */
  const double* targets;              /* T: [block][target_count][9][lane] */
  const double* quantities;           /* o: [quantity_count], of all elements */
  double* output;                     /* [block][entries of the operation][lane] */
} holo_body_energy_batch;

typedef struct holo_body_energy {
  holo_stamp stamp;
  const char* name; /* snake_case, equal to the library's name */
  const char* summary;
  const char* documentation;
  int (*create)(const holo_parameter_reader* reader, holo_body_energy_instance** instance, holo_error* error);
  void (*destroy)(holo_body_energy_instance* instance);
  void (*describe)(const holo_body_energy_instance* instance, holo_body_energy_description* description);
  /* The quantities o [no] at z [nz], where z was `start` [nz] as the scene started; their derivatives do/dz [no][nz], and
   * d2(w . o)/dz2 [nz][nz] for the weights w [no]. The last two are NULL where they are not asked for; w is NULL with the last.
   */
  int (*quantities)(const holo_body_energy_instance* instance, const double* z, const double* start, const double* w, double* o,
                    double* jacobian, double* hessian, holo_error* error);
  /* Several threads may run operations of one instance at once. Fails only where memory runs out. */
  int (*run)(const holo_body_energy_instance* instance, uint32_t operation, const holo_body_energy_batch* batch,
             holo_error* error);
} holo_body_energy;

/* 100 digits inside, rounded to double on the way out; one element at a time. Its instances are its own. */
typedef struct holo_body_energy_reference {
  holo_stamp stamp;
  const char* name;
  int (*create)(const holo_parameter_reader* reader, holo_body_energy_instance** instance, holo_error* error);
  void (*destroy)(holo_body_energy_instance* instance);
  void (*describe)(const holo_body_energy_instance* instance, holo_body_energy_description* description);
  int (*quantities)(const holo_body_energy_instance* instance, const double* z, const double* start, const double* w, double* o,
                    double* jacobian, double* hessian, holo_error* error);
  /* F [9], o [no], T [target_count][9] -> the operation's entries. */
  int (*run)(const holo_body_energy_instance* instance, uint32_t operation, const double* F, const double* o, const double* T,
             double* output, holo_error* error);
} holo_body_energy_reference;

#ifdef __cplusplus
}
#endif

#endif
