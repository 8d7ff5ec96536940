/* The plugin ABI of a joint: how body B may move relative to body A.
 *
 * A pose is (c, q): the body's origin [m] and its orientation, a quaternion (w, x, y, z) that need not have length 1, which
 * turns a by R(q) a = (w^2 - v.v) a + 2 (v.a) v + 2 w (v x a). A frame on a body, in the body's own coordinates: its point, its
 * first, second and third axis, and the axes once more as a quaternion, 16 numbers.
 *
 * A joint has six constraint equations r = 0. The first `passive_equation_count` do not contain the joint's coordinates: they
 * are the equations of the passive joint. A driven joint, with coordinates that are controls or design parameters, has all six.
 * Where all equations contain the coordinates, the coordinates of a passive joint are unknowns. */
#ifndef HOLO_CORE_ABI_JOINT_H
#define HOLO_CORE_ABI_JOINT_H

#include "holo/core/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOLO_JOINT_EQUATION_COUNT 6u
#define HOLO_POSE_SIZE 7u
#define HOLO_FRAME_SIZE 16u
#define HOLO_JOINT_COORDINATE_MAXIMUM 7u

/* The unknowns x of the constraint equations: pose of A, pose of B, coordinates; n = 14 + coordinate_count. */
typedef enum holo_joint_operation {
  HOLO_JOINT_EQUATIONS = 0,   /* r                                          -> [6]                         */
  HOLO_JOINT_JACOBIAN,        /* dr/dx                                      -> [6][n]                      */
  HOLO_JOINT_HESSIAN,         /* d2(w.r)/dx2, upper half by rows            -> [n (n + 1) / 2]             */
  HOLO_JOINT_MOTION,          /* pose of B's frame seen from A's (7)        -> [7], from the coordinates   */
  HOLO_JOINT_MOTION_JACOBIAN, /* its derivative                             -> [7][coordinate_count]       */
  HOLO_JOINT_MOTION_HESSIAN,  /* of the motion weighted by w (7 entries)    -> upper half by rows          */
  HOLO_JOINT_COORDINATES,     /* the coordinates that the poses have        -> [coordinate_count]; optional */
  HOLO_JOINT_OPERATION_COUNT
} holo_joint_operation;

typedef enum holo_coordinate_kind {
  HOLO_COORDINATE_LENGTH = 0, /* [m] */
  HOLO_COORDINATE_ANGLE,      /* [rad], the same after a full turn */
  HOLO_COORDINATE_QUATERNION  /* the first of four, of length 1; the same with the other sign */
} holo_coordinate_kind;

typedef struct holo_joint_coordinate {
  const char* name; /* snake_case */
  uint32_t kind;    /* holo_coordinate_kind */
} holo_joint_coordinate;

/* Input and output of one batched operation: the same joint at many knots. */
typedef struct holo_joint_batch {
  uint32_t size; /* sizeof(holo_joint_batch) */
  uint64_t block_count;
  const double* frames;      /* [32]: A's, B's */
  const double* constants;   /* [constant_count] */
  const double* pose_a;      /* [block][7][lane] */
  const double* pose_b;      /* [block][7][lane] */
  const double* coordinates; /* [block][coordinate_count][lane] */
  const double* weights;     /* [block][6 or 7][lane]; w, for the Hessians, else NULL */
  double* output;            /* [block][entries of the operation][lane] */
} holo_joint_batch;

typedef void (*holo_joint_function)(const holo_joint_batch* batch);

/* A joint. Static in the plugin, valid while it is loaded. */
typedef struct holo_joint {
  holo_stamp stamp;
  const char* name;                         /* snake_case, equal to the library's name */
  const char* summary;                      /* one line */
  const char* documentation;                /* more, may be empty */
  uint32_t coordinate_count;                /* entries; a quaternion has four */
  const holo_joint_coordinate* coordinates; /* one for each number, a quaternion's four under one name */
  uint32_t passive_equation_count;          /* 0 where all equations contain the coordinates */
  uint32_t passive_axes;                    /* bit i: where the passive equations hold, opposed axes i of A and B are a flip */
  uint32_t constant_count;
  int (*read)(const holo_parameter_reader* reader, double* constants, double* constant_tangents, holo_error* error);
  const uint32_t* jacobian_pattern; /* [6]: bit k of entry i: dr_i/dx_k is not 0 everywhere */
  const uint32_t* hessian_pattern;  /* [n]: bit k of entry i: some d2r/dx_i dx_k is not 0 everywhere */
  holo_joint_function operations[HOLO_JOINT_OPERATION_COUNT]; /* NULL: not offered (optional ones only) */
  const char* kernels[HOLO_JOINT_OPERATION_COUNT];            /* what runs, for the log */
} holo_joint;

/* 100 digits inside, rounded to double on the way out; one knot at a time. Flat arrays: poses [7], x as above. */
typedef struct holo_joint_reference {
  holo_stamp stamp;
  const char* name;
  uint32_t coordinate_count;
  uint32_t constant_count;
  void (*constraint_equations)(const double* frames, const double* constants, const double* x, double* r);     /* [6]      */
  void (*jacobian)(const double* frames, const double* constants, const double* x, double* J);                 /* [6][n]   */
  void (*hessian)(const double* frames, const double* constants, const double* x, const double* w, double* H); /* [n][n] */
  void (*motion)(const double* constants, const double* coordinates, double* pose);                            /* [7]      */
  void (*motion_jacobian)(const double* constants, const double* coordinates, double* J);                      /* [7][m]   */
  void (*motion_hessian)(const double* constants, const double* coordinates, const double* w, double* H);      /* [m][m] */
} holo_joint_reference;

#ifdef __cplusplus
}
#endif

#endif
