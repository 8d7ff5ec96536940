// The tests that come free with every plugin: they run over each that is found, without being asked.
//
//   test_plugin                                        the plugins of this build
//   test_plugin --plugin-path DIR [--plugin NAME]      those of a folder, or one of them

#include <cstdio>

#include "holo/core/error.h"
#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "plugin_choice.h"

namespace {

// Not vacuous: the one plugin is there, and is taken. Returns why not, or "".
std::string refusal() {
  using namespace holo;
  if (only_plugin.empty()) return "";
  if (!chosen_names<MaterialPlugin>().empty() || !chosen_names<JointPlugin>().empty() || !chosen_names<LossPlugin>().empty() ||
      !chosen_names<BodyEnergyPlugin>().empty())
    return "";
  std::vector<PluginProblem> problems;
  host().names<MaterialPlugin>(&problems);
  for (const PluginProblem& problem : problems)
    if (problem.path.stem() == only_plugin) return problem.path.string() + " is refused: " + problem.reason;
  return "no plugin '" + only_plugin + "' in " + plugin_path;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> others = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument != "--plugin-path" && argument != "--plugin") {
      others.push_back(argv[i]);
    } else if (++i == argc) {
      std::fprintf(stderr, "%s takes a value\n", argument.c_str());
      return 2;
    } else {
      (argument == "--plugin" ? holo::only_plugin : holo::plugin_path) = argv[i];
    }
  }
  if (const std::string reason = refusal(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 2;
  }
  if (!holo::only_plugin.empty()) testing::GTEST_FLAG(filter) = "Every/*";
  int count = int(others.size());
  others.push_back(nullptr);
  testing::InitGoogleTest(&count, others.data());
  return RUN_ALL_TESTS();
}
