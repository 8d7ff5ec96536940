#include "holo/study/elastic_dynamics.h"
#include "holo/study/error_curves.h"
#include "holo/study/function_curves.h"
#include "holo/study/gathered_metrics.h"
#include "holo/study/robot_counts.h"
#include "holo/study/robot_design.h"
#include "holo/study/robot_step_times.h"
#include "holo/study/singular_points.h"
#include "holo/study/study.h"
#include "holo/study/timing_table.h"

namespace holo {

StudyRegistry built_in_studies() {
  StudyRegistry studies("kinds of study");
  studies.add("elastic_dynamics", elastic_dynamics());
  studies.add("error_curves", error_curves());
  studies.add("function_curves", function_curves());
  studies.add("gathered_metrics", gathered_metrics());
  studies.add("robot_counts", robot_counts());
  studies.add("robot_design", robot_design());
  studies.add("robot_step_times", robot_step_times());
  studies.add("singular_points", singular_points());
  studies.add("timing_table", timing_table());
  return studies;
}

}  // namespace holo
