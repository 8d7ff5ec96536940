/* The layout of blocks, the stamp and the error: the part of the ABI on which host and plugin must agree first. */
#ifndef HOLO_CORE_ABI_COMPATIBILITY_H
#define HOLO_CORE_ABI_COMPATIBILITY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by each change of these headers that a compiled plugin cannot follow.
 *   2  slopes of energies of invariants
 *   3  observables of elastic bodies, earlier time steps
 *   4  losses have residuals, joints have constraint equations, where both had rows
 *   5  contractions of fourth derivatives of materials; stress differentials
 *   6  body energies */
#define HOLO_ABI_VERSION 6u

/* Elements in a block: the doubles of one vector register of the instruction set that is compiled for. */
#if defined(__AVX512F__)
#define HOLO_LANE_WIDTH 8u
#elif defined(__AVX__)
#define HOLO_LANE_WIDTH 4u
#else
#define HOLO_LANE_WIDTH 2u
#endif

#define HOLO_BLOCK_ALIGNMENT 64u

/* Version and sizes of the ABI. Each side fills it with HOLO_STAMP; the host refuses a plugin with another stamp. */
typedef struct holo_stamp {
  uint32_t size; /* sizeof(holo_stamp) */
  uint32_t abi_version;
  uint32_t lane_width;
  uint32_t material_operation_count;
  uint32_t joint_operation_count;
  uint32_t loss_operation_count;
  uint32_t body_energy_operation_count;
  uint32_t material_size;                /* sizeof(holo_material) */
  uint32_t reference_size;               /* sizeof(holo_material_reference) */
  uint32_t batch_size;                   /* sizeof(holo_batch) */
  uint32_t joint_size;                   /* sizeof(holo_joint) */
  uint32_t joint_reference_size;         /* sizeof(holo_joint_reference) */
  uint32_t joint_batch_size;             /* sizeof(holo_joint_batch) */
  uint32_t loss_size;                    /* sizeof(holo_loss) */
  uint32_t loss_reference_size;          /* sizeof(holo_loss_reference) */
  uint32_t loss_batch_size;              /* sizeof(holo_loss_batch) */
  uint32_t loss_description_size;        /* sizeof(holo_loss_description) */
  uint32_t body_energy_size;             /* sizeof(holo_body_energy) */
  uint32_t body_energy_reference_size;   /* sizeof(holo_body_energy_reference) */
  uint32_t body_energy_batch_size;       /* sizeof(holo_body_energy_batch) */
  uint32_t body_energy_description_size; /* sizeof(holo_body_energy_description) */
  uint32_t parameter_size;               /* sizeof(holo_parameter) */
  uint32_t reader_size;                  /* sizeof(holo_parameter_reader) */
  uint32_t registrar_size;               /* sizeof(holo_registrar) */
} holo_stamp;

typedef struct holo_error {
  uint32_t size;      /* sizeof(holo_error) */
  char message[1020]; /* UTF-8, ends with 0 */
} holo_error;

#ifdef __cplusplus
}
#endif

#endif
