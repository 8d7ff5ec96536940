/* The requests with which a plugin reads its parameters. */
#ifndef HOLO_CORE_ABI_PARAMETERS_H
#define HOLO_CORE_ABI_PARAMETERS_H

#include "holo/core/abi/compatibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter as `read` asks for it. Its strings live as long as the plugin is loaded; the request itself and the array
 * `choices` only during the call. */
typedef enum holo_parameter_kind {
  HOLO_PARAMETER_NUMBER = 0,
  HOLO_PARAMETER_INTEGER,
  HOLO_PARAMETER_BOOLEAN,   /* value 0 or 1 */
  HOLO_PARAMETER_CHOICE,    /* value: index into choices */
  HOLO_PARAMETER_VECTOR3,   /* three values */
  HOLO_PARAMETER_DIRECTION, /* three values, not all 0 (the host sees to it); the plugin scales them to length 1 */
  HOLO_PARAMETER_SUBJECT, /* the name of something in the simulation, of the class `subject`; value: the host's number of it */
  HOLO_PARAMETER_SIGNAL   /* what may vary in time, of `component_count` numbers; value: the host's number of it */
} holo_parameter_kind;

typedef enum holo_subject {
  HOLO_SUBJECT_BODY = 0, /* a body, or a named subset of one */
  HOLO_SUBJECT_CONTROL,  /* a driven coordinate */
  HOLO_SUBJECT_DESIGN_PARAMETER,
  HOLO_SUBJECT_MUSCLE, /* a segment of a muscle */
  HOLO_SUBJECT_TARGET, /* target strains of a body energy */
  HOLO_SUBJECT_COUNT
} holo_subject;

typedef struct holo_parameter {
  uint32_t size;             /* sizeof(holo_parameter) */
  uint32_t kind;             /* holo_parameter_kind */
  const char* name;          /* snake_case key in the experiment */
  const char* unit;          /* SI, "1" without dimension */
  const char* documentation; /* one sentence, may be empty */
  double minimum, maximum;   /* -inf, +inf where unbounded */
  uint32_t minimum_excluded, maximum_excluded;
  uint32_t has_default;
  double default_value[3];
  const char* const* choices; /* for HOLO_PARAMETER_CHOICE */
  uint32_t choice_count;
  uint32_t subject;         /* holo_subject, for HOLO_PARAMETER_SUBJECT */
  uint32_t component_count; /* for HOLO_PARAMETER_SIGNAL */
} holo_parameter;

/* The host's side of `read`: answers each request, keeps account of what was asked, and collects the user's errors itself.
 * `tangents` is NULL, or takes the derivative of each value in the host's current direction (HOLO_PARAMETER_NUMBER,
 * _VECTOR3 and _DIRECTION; 0 else). It always writes a valid value, so that reading goes on after an error. */
typedef struct holo_parameter_reader {
  uint32_t size; /* sizeof(holo_parameter_reader) */
  void* self;
  void (*read)(void* self, const holo_parameter* request, double* values, double* tangents);
} holo_parameter_reader;

#ifdef __cplusplus
}
#endif

#endif
