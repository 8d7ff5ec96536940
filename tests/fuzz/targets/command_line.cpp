// The words after `holo`, one a line, with the overrides of an experiment among them.
#include "command_line.h"

#include "app/experiments.h"
#include "fuzz/targets/robot_target.h"
#include "holo/study/experiment.h"

namespace holo::fuzz {

namespace {

void read_command_line(std::string_view bytes) {
  std::vector<std::string> words{"holo"};
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    words.emplace_back(std::string(bytes.substr(begin, end - begin)).c_str());  // a word ends at a zero byte
    begin = end + 1;
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const CommandLine line = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  static const StudyRegistry studies = built_in_studies();
  ConfigurationFile file = ConfigurationFile::parse(holo_test::small_experiment, "small.yaml", {line.variant, line.overrides});
  load_experiment(file, studies, plugins());
}

std::vector<std::string> command_lines() {
  return {"run\nsmall.yaml\n--set\nscene.time_step=0.005\n--set\nscene.bodies.0.density=500",
          "run\nsmall.yaml\n--variant\nlong\n--out=runs/a\n--threads\n2\n--plugin-path\nplugins",
          "check\nsmall.yaml\n--set\nscene.bodies.0.mesh={shape: box, size: [1, 1, 2], elements: "
          "40}\n--set=output.checkpoint_every=3",
          "compare\na\nb\n--tolerance\n1e-6",
          "export\na\n--out\nb",
          "reproduce\ncsfd\n--variant\nlong",
          "--help"};
}

}  // namespace

// The place of what is wrong with a word is the word.
const Registration command_line(Target{.name = "command_line",
                                       .read = read_command_line,
                                       .seeds = command_lines,
                                       .places = {"small.yaml", "--", "holo ", "no command '", "usage: holo"}});

}  // namespace holo::fuzz
