// The folder of a run that is taken up again: some of its files are those of the input.
#include "fuzz/targets/small_run.h"

namespace holo::fuzz {

namespace {

void resume_run_folder(std::string_view bytes) {
  const std::filesystem::path run = put_run("resumed", parts_of(bytes));
  Checkpoint checkpoint;
  RunFolder folder = RunFolder::resume(run, checkpoint);
  folder.growing("metrics.csv").append_line("4,0.4,2");
  folder.save_checkpoint(checkpoint);
}

std::vector<std::string> killed_runs() {
  std::vector<std::string> inputs;
  for (const char* name : {"checkpoint", "files.txt", "metrics.csv", "frames.bin"})
    inputs.push_back(joined({{name, small_run().at(name)}}));
  return inputs;
}

}  // namespace

const Registration resume(Target{
    .name = "resume", .read = resume_run_folder, .seeds = killed_runs, .places = {scratch().string()}});

}  // namespace holo::fuzz
