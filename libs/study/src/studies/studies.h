#pragma once
// The kinds of study of this build. A new one is a file in this folder that defines `StudyKind NAME()`, and a line in this
// list: the name in experiments is that of the function.

#include "holo/study/study.h"

#define HOLO_STUDIES(STUDY)      \
  STUDY(articulated_dynamics)    \
  STUDY(articulated_time_steps)  \
  STUDY(contact_baseline)        \
  STUDY(contact_motions)         \
  STUDY(control_convergence)     \
  STUDY(control_times)           \
  STUDY(elastic_control)         \
  STUDY(elastic_dynamics)        \
  STUDY(elastic_solvers)         \
  STUDY(error_curves)            \
  STUDY(function_curves)         \
  STUDY(gathered_metrics)        \
  STUDY(inverse_design)          \
  STUDY(markov_regularization)   \
  STUDY(material_test)           \
  STUDY(matrix_functions)        \
  STUDY(modal_reduction)         \
  STUDY(quasi_statics)           \
  STUDY(robot_counts)            \
  STUDY(robot_design)            \
  STUDY(robot_step_times)        \
  STUDY(singular_points)         \
  STUDY(timing_table)            \
  STUDY(trajectory_formulations) \
  STUDY(trajectory_optimization) \
  STUDY(trajectory_scaling)

namespace holo {

#define HOLO_DECLARE_STUDY(name) StudyKind name();
HOLO_STUDIES(HOLO_DECLARE_STUDY)
#undef HOLO_DECLARE_STUDY

}  // namespace holo
