/* The plugin ABI of a material. */
#ifndef HOLO_CORE_ABI_MATERIAL_H
#define HOLO_CORE_ABI_MATERIAL_H

#include "holo/core/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operations of a material, on the deformation gradient F (row-major, 9 entries) and the material's coefficients c.
 * psi is the energy per rest volume [J/m^3]. A symmetric 9x9 matrix crosses as its upper half by rows: 45 entries,
 * (0,0) (0,1) ... (0,8) (1,1) ... (8,8). */
typedef enum holo_material_operation {
  HOLO_MATERIAL_ENERGY = 0,              /* psi; +inf outside its domain -> [1]                                        */
  HOLO_MATERIAL_STRESS,                  /* P = dpsi/dF                -> [9]                                          */
  HOLO_MATERIAL_HESSIAN,                 /* d2psi/dF2                  -> [45]                                         */
  HOLO_MATERIAL_PROJECTED_HESSIAN,       /* the same, its negative eigenvalues set to 0; optional: the host projects   */
  HOLO_MATERIAL_DIRECTIONAL_HESSIAN,     /* d/dt d2psi/dF2 (F + t D1)  -> [45]                                         */
  HOLO_MATERIAL_THIRD_ORDER_CONTRACTION, /* d3psi/dF3 [D1, D2, .]      -> [9]                                          */
  HOLO_MATERIAL_COEFFICIENT_GRADIENT,    /* dpsi/dc                    -> [coefficient_count]                          */
  HOLO_MATERIAL_COEFFICIENT_STRESS,      /* dP/dc                      -> [coefficient_count][9]                       */
  HOLO_MATERIAL_ANALYTIC_STRESS,         /* P as the author wrote it   -> [9];  optional                               */
  HOLO_MATERIAL_ANALYTIC_HESSIAN,        /* d2psi/dF2 as the author wrote it -> [45]; optional                         */
  HOLO_MATERIAL_CSFD_STRESS,             /* P by accelerated complex-step numbers -> [9];  optional                    */
  HOLO_MATERIAL_CSFD_HESSIAN,            /* d2psi/dF2 by these numbers -> [45]; optional                               */
  HOLO_MATERIAL_INVARIANT_SLOPES,        /* of psi(I1, I2, J), I1 = tr C, I2 = (I1^2 - tr C^2)/2, J = det F, C = F^T F:
                                            d/dI1 d/dI2 d/dJ, then the second ones, 11 12 1J 22 2J JJ -> [9]; optional: of
                                            energies of invariants, for hosts that chain these to an element's nodes      */
  HOLO_MATERIAL_OPERATION_COUNT
} holo_material_operation;

/* Where psi is defined. Outside, the energy is not finite, and a solver must stay inside. */
typedef enum holo_material_domain {
  HOLO_DOMAIN_ALL = 0,              /* every F, inverted ones too */
  HOLO_DOMAIN_POSITIVE_DETERMINANT, /* det F > 0 */
  HOLO_DOMAIN_DETERMINANT_INTERVAL  /* determinant_minimum < det F < determinant_maximum; the minimum is not below 0 */
} holo_material_domain;

/* Input and output of one batched operation. */
typedef struct holo_batch {
  uint32_t size; /* sizeof(holo_batch) */
  uint64_t block_count;
  const double* deformation_gradient; /* [block][9][lane], unit 1 */
  const double* coefficients;         /* [block][coefficient_count][lane]; one block for all where the stride is 0 */
  uint64_t coefficient_stride;        /* doubles from one block's coefficients to the next; 0: uniform */
  const double* direction1;           /* [block][9][lane]; D1, for the operations that name it, else NULL */
  const double* direction2;           /* [block][9][lane]; D2, where D1 is named with it */
  double* output;                     /* [block][entries of the operation][lane] */
  uint8_t* projected;                 /* [block][lane]; 1 where HOLO_MATERIAL_PROJECTED_HESSIAN found an eigenvalue below
                                         -1e-13 of the largest, else 0; or NULL */
} holo_batch;

typedef void (*holo_batch_function)(const holo_batch* batch);

/* A material. Static in the plugin, valid while it is loaded. */
typedef struct holo_material {
  holo_stamp stamp;                                /* as the plugin was compiled */
  const char* name;                                /* snake_case, equal to the library's name */
  const char* summary;                             /* one line */
  const char* documentation;                       /* more, may be empty */
  uint32_t domain;                                 /* holo_material_domain */
  double determinant_minimum, determinant_maximum; /* of det F in that domain; -inf, +inf where unbounded */
  uint32_t is_calibrated;                          /* 1: youngs_modulus and poissons_ratio are the moduli of small strains */
  uint32_t is_isotropic;                           /* 1: psi(F Q) = psi(F) for every rotation Q */
  uint32_t coefficient_count;
  const char* const* coefficient_names; /* NULL, or coefficient_count names */
  /* Runs the author's `read`. coefficient_tangents is NULL, or takes their derivatives in the reader's direction. */
  int (*read)(const holo_parameter_reader* reader, double* coefficients, double* coefficient_tangents, holo_error* error);
  holo_batch_function operations[HOLO_MATERIAL_OPERATION_COUNT]; /* NULL: not offered (optional ones only) */
  uint32_t invariant_slopes; /* bit k: entry k of HOLO_MATERIAL_INVARIANT_SLOPES does not vanish identically */
  const char* kernels[HOLO_MATERIAL_OPERATION_COUNT]; /* what runs, for the log: "compile-time graph, 357 operations" */
  /* Writes psi as a formula, as the energy's own code was traced. */
  void (*write_formula)(void* sink, void (*write)(void* sink, const char* text, size_t length));
} holo_material;

/* Where psi has a kink: which of its one-sided derivatives is taken. */
typedef enum holo_one_sided_choice { HOLO_ONE_SIDED_MEAN = 0, HOLO_ONE_SIDED_RIGHT, HOLO_ONE_SIDED_LEFT } holo_one_sided_choice;

/* What one-sided evaluation found. */
typedef enum holo_one_sided_status {
  HOLO_ONE_SIDED_RESOLVED = 0,      /* both sides have the same derivatives */
  HOLO_ONE_SIDED_ONE_SIDE,          /* psi has real values on one side only; those */
  HOLO_ONE_SIDED_NONDIFFERENTIABLE, /* the sides differ; as chosen */
  HOLO_ONE_SIDED_NOT_FINITE,        /* a derivative is infinite, or psi is no number */
  HOLO_ONE_SIDED_UNREPRESENTABLE    /* psi has no power series here, or cannot be evaluated in one */
} holo_one_sided_status;

/* Reference arithmetic: one element at a time, 100 digits inside, rounded to double on the way out. Lives in a library of its
 * own, NAME.reference.so, which only tests, reference modes and elements at singular points load. Arrays are flat: F, D1, D2
 * [9], hessians [81]. Then some slow modes in double precision, for comparisons. */
typedef struct holo_material_reference {
  holo_stamp stamp;
  const char* name;
  uint32_t coefficient_count;
  double (*energy)(const double* F, const double* coefficients);
  void (*stress)(const double* F, const double* coefficients, double* P);
  void (*hessian)(const double* F, const double* coefficients, double* H);
  void (*directional_hessian)(const double* F, const double* coefficients, const double* D1, double* dH);
  void (*third_order_contraction)(const double* F, const double* coefficients, const double* D1, const double* D2, double* T);
  void (*coefficient_gradient)(const double* F, const double* coefficients, double* g);
  void (*coefficient_stress)(const double* F, const double* coefficients, double* dP); /* [coefficient_count][9] */
  /* Not in 100 digits: psi [1], P [9] or the upper half of the Hessian [45], for order 0, 1, 2, from one-sided series about a
   * deformation at which plain derivatives are not finite. `choice` is a holo_one_sided_choice; returns a
   * holo_one_sided_status. */
  uint32_t (*one_sided)(const double* F, const double* coefficients, uint32_t order, uint32_t choice, double* output);
  /* The slow modes, NULL where they are not offered: through the entries of F (an energy of principal stretches: through
   * these, chained to F in closed form) in double precision, by full complex and multicomplex steps, by the accelerated ones
   * with a shared real part, by a tape of every operation that is swept backwards, and by the Cauchy-Riemann form, in which
   * each number is a real matrix (NULL for an energy of principal stretches). Hessians as 45 entries. */
  void (*complex_step_stress)(const double* F, const double* coefficients, double* P);
  void (*multicomplex_step_hessian)(const double* F, const double* coefficients, double* H);
  void (*accelerated_stress)(const double* F, const double* coefficients, double* P);
  void (*accelerated_hessian)(const double* F, const double* coefficients, double* H);
  void (*reverse_ad_stress)(const double* F, const double* coefficients, double* P);
  void (*reverse_ad_hessian)(const double* F, const double* coefficients, double* H);
  void (*cauchy_riemann_stress)(const double* F, const double* coefficients, double* P);
  void (*cauchy_riemann_hessian)(const double* F, const double* coefficients, double* H);
} holo_material_reference;

#ifdef __cplusplus
}
#endif

#endif
