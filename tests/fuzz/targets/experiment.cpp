// Whole experiments, read and checked as `holo check` does before it builds anything.
#include "holo/study/experiment.h"

#include "app/experiments.h"
#include "fuzz/targets/robot_target.h"

namespace holo::fuzz {

namespace {

// Robots and other files that an experiment names are those of this folder.
constexpr const char* experiment_folder = HOLO_SOURCE_DIR "/experiments/robot_design/";

void read_experiment_text(std::string_view bytes) {
  static const StudyRegistry studies = built_in_studies();
  ConfigurationFile file = ConfigurationFile::parse(std::string(bytes), experiment_folder + std::string("input.yaml"));
  load_experiment(file, studies, plugins());
  const std::string resolved = file.resolved();
  if (ConfigurationFile::parse(resolved, "resolved.yaml").resolved() != resolved)
    report_finding("the resolved experiment is read as another:\n" + resolved);
}

std::vector<std::string> experiments() {
  std::vector<std::string> texts{holo_test::small_experiment};
  for (const char* name :
       {"quickstart", "csfd/chain_n100", "csfd/fig02_first_derivative", "csfd/fig10_volume_penalties", "csfd/singular_points",
        "csfd/table1_root_time", "robot_design/fourbar_coupler", "robot_design/keep_apart", "robot_design/two_motions"})
    texts.push_back(content_of(HOLO_SOURCE_DIR "/experiments/" + std::string(name) + ".yaml"));
  return texts;
}

}  // namespace

const Registration experiment(Target{
    .name = "experiment", .read = read_experiment_text, .seeds = experiments, .places = {experiment_folder}});

}  // namespace holo::fuzz
