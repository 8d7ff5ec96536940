/* A loss, as it crosses the plugin ABI: residuals, or a plain value, of a few observables of a simulation at one time step.
 *
 * `create` reads the parameters and runs the author's residuals against a recorder: the instance then knows which observables
 * it reads, z, and which numbers that do not depend on the simulation's unknowns, d (targets, weights, initial values). Its
 * operations run at many time steps at once. The simulator that owns the observables turns derivatives in z into its own. */
#ifndef HOLO_CORE_ABI_LOSS_H
#define HOLO_CORE_ABI_LOSS_H

#include "holo/core/abi/observables.h"
#include "holo/core/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that the simulation's unknowns do not change. */
typedef enum holo_datum_kind {
  HOLO_DATUM_SIGNAL = 0,    /* component `index` of a parameter that varies in time                   */
  HOLO_DATUM_INITIAL_VALUE, /* what an observable of one number (kind, subject) had in the initial guess */
  HOLO_DATUM_TIME,          /* [s] */
  HOLO_DATUM_TIME_STEP,     /* [s] */
  HOLO_DATUM_KIND_COUNT
} holo_datum_kind;

typedef struct holo_observable {
  uint32_t kind;    /* holo_observable_kind */
  uint32_t subject; /* body, control, ...: as the reader numbered it */
  double point[3];  /* of a POINT: in the body's coordinates [m] */
  int32_t step;     /* 0: this step, -1, -2: one or two before */
} holo_observable;

typedef struct holo_datum {
  uint32_t kind;    /* holo_datum_kind */
  uint32_t subject; /* the signal, as the reader numbered it; or the observable's */
  uint32_t index;   /* the signal's component; or the observable's kind */
} holo_datum;

/* A named number for reports, such as a position error. */
typedef struct holo_measure {
  const char* name; /* snake_case */
  const char* unit;
} holo_measure;

typedef enum holo_loss_operation {
  HOLO_LOSS_VALUE = 0,    /* sum of w r^2 / 2 over the residuals, and plain values       -> [1]                 */
  HOLO_LOSS_GRADIENT,     /* in z                                                   -> [nz]                */
  HOLO_LOSS_HESSIAN,      /* upper half by rows                                     -> [nz (nz + 1) / 2]   */
  HOLO_LOSS_GAUSS_NEWTON, /* the same half, of the residuals' squares without their curvature; of a plain value the Hessian */
  HOLO_LOSS_MEASURES,     /* for reports                                            -> [measure_count]     */
  HOLO_LOSS_DISTANCES,    /* from limits: a step shall keep them positive           -> [distance_count]    */
  HOLO_LOSS_OPERATION_COUNT
} holo_loss_operation;

typedef struct holo_loss_instance holo_loss_instance;

/* What an instance asks for; the arrays live as long as it does. */
typedef struct holo_loss_description {
  uint32_t size; /* sizeof(holo_loss_description) */
  uint32_t observable_count;
  const holo_observable* observables; /* z is made of them, in this order */
  uint32_t datum_count;
  const holo_datum* data;
  uint32_t measure_count;
  const holo_measure* measures;
  uint32_t residual_count;    /* terms w r^2 / 2 */
  uint32_t plain_value_count; /* 0: residuals alone, so that HOLO_LOSS_GAUSS_NEWTON is positive semidefinite */
  uint32_t distance_count;    /* from limits */
} holo_loss_description;

typedef struct holo_loss_batch {
  uint32_t size; /* sizeof(holo_loss_batch) */
  uint64_t block_count;
  const double* observables; /* z: [block][nz][lane] */
  const double* data;        /* d: [block][datum_count][lane] */
  double* output;            /* [block][entries of the operation][lane] */
} holo_loss_batch;

typedef struct holo_loss {
  holo_stamp stamp;
  const char* name; /* snake_case, equal to the library's name */
  const char* summary;
  const char* documentation;
  int (*create)(const holo_parameter_reader* reader, holo_loss_instance** instance, holo_error* error);
  void (*destroy)(holo_loss_instance* instance);
  void (*describe)(const holo_loss_instance* instance, holo_loss_description* description);
  /* Several threads may run operations of one instance at once. Fails only where memory runs out. */
  int (*run)(const holo_loss_instance* instance, uint32_t operation, const holo_loss_batch* batch, holo_error* error);
} holo_loss;

/* 100 digits inside, rounded to double on the way out; one time step at a time. Its instances are its own; those that read the
 * same parameters ask for the same observables and data, and give the same measures, as the loss's. */
typedef struct holo_loss_reference {
  holo_stamp stamp;
  const char* name;
  int (*create)(const holo_parameter_reader* reader, holo_loss_instance** instance, holo_error* error);
  void (*destroy)(holo_loss_instance* instance);
  void (*describe)(const holo_loss_instance* instance, holo_loss_description* description);
  /* z [nz], d [datum_count] -> the operation's entries. */
  int (*run)(const holo_loss_instance* instance, uint32_t operation, const double* observables, const double* data,
             double* output, holo_error* error);
} holo_loss_reference;

#ifdef __cplusplus
}
#endif

#endif
