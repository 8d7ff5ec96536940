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
  HOLO_MATERIAL_ENERGY = 0,                   /* psi; +inf outside its domain -> [1]                                        */
  HOLO_MATERIAL_STRESS,                       /* P = dpsi/dF                -> [9]                                          */
  HOLO_MATERIAL_HESSIAN,                      /* d2psi/dF2                  -> [45]                                         */
  HOLO_MATERIAL_PROJECTED_HESSIAN,            /* the same, its negative eigenvalues set to 0; optional: the host projects   */
  HOLO_MATERIAL_DIRECTIONAL_HESSIAN,          /* d/dt d2psi/dF2 (F + t D1)  -> [45]                                         */
  HOLO_MATERIAL_THIRD_ORDER_CONTRACTION,      /* d3psi/dF3 [D1, D2, .]      -> [9]                                          */
  HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION,     /* d4psi/dF4 [D1, D2, D3, .] -> [9]                                           */
  HOLO_MATERIAL_COEFFICIENT_GRADIENT,         /* dpsi/dc                    -> [coefficient_count]                          */
  HOLO_MATERIAL_COEFFICIENT_STRESS,           /* dP/dc                      -> [coefficient_count][9]                       */
  HOLO_MATERIAL_ANALYTIC_STRESS,              /* P as the author wrote it   -> [9];  optional                               */
  HOLO_MATERIAL_ANALYTIC_HESSIAN,             /* d2psi/dF2 as the author wrote it -> [45]; optional                         */
  HOLO_MATERIAL_CSFD_STRESS,                  /* P by accelerated complex-step numbers -> [9];  optional                    */
  HOLO_MATERIAL_CSFD_HESSIAN,                 /* d2psi/dF2 by these numbers -> [45]; optional                               */
  HOLO_MATERIAL_INVARIANT_SLOPES,             /* of psi(I1, I2, J), I1 = tr C, I2 = (I1^2 - tr C^2)/2, J = det F, C = F^T F:
                                                 d/dI1 d/dI2 d/dJ, then the second ones, 11 12 1J 22 2J JJ -> [9]; optional: of
                                                 energies of invariants, for hosts that chain these to an element's nodes      */
  HOLO_MATERIAL_STRESS_DIFFERENTIAL,          /* d/dt P(F + t D1)      -> [9]; optional, as are the next two              */
  HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL, /* the same as the author wrote it -> [9]                                   */
  HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL,     /* the same by accelerated complex-step numbers -> [9]                      */
  HOLO_MATERIAL_OPERATION_COUNT
} holo_material_operation;

/* The domain of psi. Outside of it the energy is not finite; a solver must stay inside. */
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
  const double* direction3;           /* [block][9][lane]; D3, where D2 is named with it */
  double* output;                     /* [block][entries of the operation][lane] */
  uint8_t* projected;                 /* [block][lane]; 1 where HOLO_MATERIAL_PROJECTED_HESSIAN found an eigenvalue below
                                         -1e-13 of the largest, else 0; or NULL */
} holo_batch;

/* Computes one operation for all blocks. Several threads may call it with different outputs. It reports no errors: an energy
 * outside of the domain is +inf, and its derivatives are not finite. */
typedef void (*holo_batch_function)(const holo_batch* batch);

/* The table of a material. Static in the plugin, valid while the plugin is loaded. */
typedef struct holo_material {
  holo_stamp stamp;                                /* as the plugin was compiled */
  const char* name;                                /* snake_case, equal to the library's name */
  const char* summary;                             /* one line */
  const char* documentation;                       /* more, may be empty */
  uint32_t domain;                                 /* holo_material_domain */
  double determinant_minimum, determinant_maximum; /* bounds of det F in the domain; -inf, +inf where unbounded */
  uint32_t is_calibrated;                          /* 1: youngs_modulus and poissons_ratio are the moduli of small strains */
  uint32_t is_isotropic;                           /* 1: psi(F Q) = psi(F) for every rotation Q */
  uint32_t coefficient_count;                      /* numbers in Coefficients, >= 0 */
  const char* const* coefficient_names;            /* NULL, or coefficient_count names */
  /* Runs the author's `read`, which asks `reader` for the parameters. coefficients: [coefficient_count], in the units of the
   * author's formula. coefficient_tangents: NULL, or [coefficient_count], the derivatives along the reader's direction. Returns
   * 0, or another number with the reason in `error`. */
  int (*read)(const holo_parameter_reader* reader, double* coefficients, double* coefficient_tangents, holo_error* error);
  holo_batch_function operations[HOLO_MATERIAL_OPERATION_COUNT]; /* NULL: an optional operation that is not offered */
  uint32_t invariant_slopes; /* bit k: entry k of HOLO_MATERIAL_INVARIANT_SLOPES does not vanish identically */
  const char* kernels[HOLO_MATERIAL_OPERATION_COUNT]; /* names of kernels, for the log: "compile-time graph, 357 operations" */
  /* Writes psi as a formula, as the energy's own code was traced: calls write(sink, text, length) one or more times. */
  void (*write_formula)(void* sink, void (*write)(void* sink, const char* text, size_t length));
} holo_material;

/* The result at a kink of psi: the mean of both one-sided derivatives, or one of them. */
typedef enum holo_one_sided_choice { HOLO_ONE_SIDED_MEAN = 0, HOLO_ONE_SIDED_RIGHT, HOLO_ONE_SIDED_LEFT } holo_one_sided_choice;

/* The outcome of a one-sided evaluation. */
typedef enum holo_one_sided_status {
  HOLO_ONE_SIDED_RESOLVED = 0,      /* both sides have the same derivatives */
  HOLO_ONE_SIDED_ONE_SIDE,          /* psi has real values on one side only; the result is that side's derivative */
  HOLO_ONE_SIDED_NONDIFFERENTIABLE, /* the sides differ; the result is the chosen one */
  HOLO_ONE_SIDED_NOT_FINITE,        /* a derivative is infinite, or psi is no number */
  HOLO_ONE_SIDED_UNREPRESENTABLE    /* psi has no power series here, or cannot be evaluated in one */
} holo_one_sided_status;

/* The table of a material's second library, NAME.reference.so, which only tests, slow modes and elements at singular points
 * load. Its functions compute one element at a time.
 *
 * Shapes and units: F, D1, D2, D3, P, T, Q [9] and H, dH [81] are row-major, without lanes. F has the unit 1 and psi J/m^3, so
 * P, H, dH, T and Q are in Pa for D1, D2 and D3 of the unit 1. coefficients: [coefficient_count], in the units of the author's
 * formula. Functions do not fail: outside of the domain the energy is +inf and derivatives are not finite. */
typedef struct holo_material_reference {
  holo_stamp stamp;           /* as the library was compiled */
  const char* name;           /* equal to the plugin's name */
  uint32_t coefficient_count; /* equal to the plugin's count */
  /* In arithmetic of 100 digits, rounded to double at the end: psi, then P = dpsi/dF, H = d2psi/dF2,
   * dH = d/dt d2psi/dF2 (F + t D1), T = d3psi/dF3 [D1, D2, .], Q = d4psi/dF4 [D1, D2, D3, .],
   * g = dpsi/dc [coefficient_count], and dP = dP/dc [coefficient_count][9]. */
  double (*energy)(const double* F, const double* coefficients);
  void (*stress)(const double* F, const double* coefficients, double* P);
  void (*hessian)(const double* F, const double* coefficients, double* H);
  void (*directional_hessian)(const double* F, const double* coefficients, const double* D1, double* dH);
  void (*third_order_contraction)(const double* F, const double* coefficients, const double* D1, const double* D2, double* T);
  void (*fourth_order_contraction)(const double* F, const double* coefficients, const double* D1, const double* D2,
                                   const double* D3, double* Q);
  void (*coefficient_gradient)(const double* F, const double* coefficients, double* g);
  void (*coefficient_stress)(const double* F, const double* coefficients, double* dP);
  /* One-sided derivatives in double precision, for a deformation at which plain derivatives are not finite: writes psi [1], P
   * [9] or the upper half of H [45] for the order 0, 1 or 2, from one-sided series. `choice` is a holo_one_sided_choice;
   * returns a holo_one_sided_status. */
  uint32_t (*one_sided)(const double* F, const double* coefficients, uint32_t order, uint32_t choice, double* output);
  /* The slow modes, in double precision; NULL if a mode is not offered. They differentiate by the entries of F; for an energy
   * of principal stretches by these, chained to F in closed form. The methods are full complex and multicomplex steps,
   * accelerated steps with a shared real part, a reverse tape of all operations, and the Cauchy-Riemann form, in which each
   * number is a real matrix (NULL for an energy of principal stretches). P: [9]; H: the upper half, [45]. */
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
