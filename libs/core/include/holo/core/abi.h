/* The plugin ABI, between the host and a plugin, in plain C: versioned structs of function pointers, arrays of double.
 *
 * What crosses are operations, batched over blocks of elements or knots; scalars, tapes and sweeps live inside the plugin.
 * No C++ standard type and no exception crosses, so host and plugin may come from different compilers. A plugin is a shared
 * library that exports `holo_plugin`; it registers what it offers and returns 0, or fills the error and returns non-zero.
 *
 * Block layout. An array "[block][n][lane]" holds, for each block of HOLO_LANE_WIDTH elements, n rows of HOLO_LANE_WIDTH
 * doubles, aligned to 64 bytes. A last block that is not full is padded with copies of a valid element.
 */
#ifndef HOLO_CORE_ABI_H
#define HOLO_CORE_ABI_H

#include "holo/core/abi/body_energy.h"
#include "holo/core/abi/compatibility.h"
#include "holo/core/abi/joint.h"
#include "holo/core/abi/loss.h"
#include "holo/core/abi/material.h"
#include "holo/core/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the host offers a plugin while it loads. Each call returns 0, or fills the error. */
typedef struct holo_registrar {
  uint32_t size; /* sizeof(holo_registrar) */
  void* self;
  int (*add_material)(void* self, const holo_material* material, holo_error* error);
  int (*add_material_reference)(void* self, const holo_material_reference* reference, holo_error* error);
  int (*add_joint)(void* self, const holo_joint* joint, holo_error* error);
  int (*add_joint_reference)(void* self, const holo_joint_reference* reference, holo_error* error);
  int (*add_loss)(void* self, const holo_loss* loss, holo_error* error);
  int (*add_loss_reference)(void* self, const holo_loss_reference* reference, holo_error* error);
  int (*add_body_energy)(void* self, const holo_body_energy* energy, holo_error* error);
  int (*add_body_energy_reference)(void* self, const holo_body_energy_reference* reference, holo_error* error);
} holo_registrar;

/* The one exported function. It must compare `host` with its own stamp before it touches anything else. */
typedef int (*holo_plugin_function)(const holo_stamp* host, const holo_registrar* registrar, holo_error* error);
#define HOLO_PLUGIN_ENTRY "holo_plugin"

#define HOLO_STAMP                                                                                                             \
  {                                                                                                                            \
    (uint32_t)sizeof(holo_stamp), HOLO_ABI_VERSION, HOLO_LANE_WIDTH, (uint32_t)HOLO_MATERIAL_OPERATION_COUNT,                  \
        (uint32_t)HOLO_JOINT_OPERATION_COUNT, (uint32_t)HOLO_LOSS_OPERATION_COUNT, (uint32_t)HOLO_BODY_ENERGY_OPERATION_COUNT, \
        (uint32_t)sizeof(holo_material), (uint32_t)sizeof(holo_material_reference), (uint32_t)sizeof(holo_batch),              \
        (uint32_t)sizeof(holo_joint), (uint32_t)sizeof(holo_joint_reference), (uint32_t)sizeof(holo_joint_batch),              \
        (uint32_t)sizeof(holo_loss), (uint32_t)sizeof(holo_loss_reference), (uint32_t)sizeof(holo_loss_batch),                 \
        (uint32_t)sizeof(holo_loss_description), (uint32_t)sizeof(holo_body_energy),                                           \
        (uint32_t)sizeof(holo_body_energy_reference), (uint32_t)sizeof(holo_body_energy_batch),                                \
        (uint32_t)sizeof(holo_body_energy_description), (uint32_t)sizeof(holo_parameter),                                      \
        (uint32_t)sizeof(holo_parameter_reader), (uint32_t)sizeof(holo_registrar)                                              \
  }

#ifdef __cplusplus
}
#endif

#endif
