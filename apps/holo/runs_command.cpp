// holo runs: the runs below a folder.

#include <fmt/format.h>

#include <algorithm>

#include "answer.h"
#include "commands.h"
#include "holo/study/run_list.h"

namespace holo {

namespace {

std::string what_of(const ListedRun& run) { return run.variant.empty() ? run.name : run.name + " (" + run.variant + ")"; }

AnswerObject object_of(const ListedRun& run) {
  AnswerObject object{{"run", std::filesystem::absolute(run.folder).lexically_normal().string()},
                      {"state", to_string(run.state)},
                      {"name", run.name},
                      {"study", run.study},
                      {"variant", run.variant},
                      {"started", run.started}};
  if (run.steps >= 0) object["steps"] = run.steps;
  if (!run.message.empty()) object["message"] = run.message;
  return object;
}

}  // namespace

ExitCode runs_command(const CommandLine& line) {
  const std::vector<ListedRun> runs = list_runs(line.arguments.empty() ? "runs" : line.arguments.front());
  std::size_t folder_width = 0, what_width = 0;
  for (const ListedRun& run : runs) {
    folder_width = std::max(folder_width, run.folder.string().size());
    what_width = std::max(what_width, what_of(run).size());
  }
  for (const ListedRun& run : runs) {
    const std::string steps = run.steps < 0 ? "" : fmt::format("{} steps", run.steps);
    std::string text = fmt::format("{:<11}  {:<{}}  {:<{}}  {:>12}  {}\n", to_string(run.state), run.folder.string(),
                                   folder_width, what_of(run), what_width, steps, run.started);
    if (!run.message.empty()) text += "             " + run.message + "\n";
    answer(line, text, object_of(run));
  }
  if (runs.empty() && !line.json) fmt::print("no runs\n");
  return ExitCode::done;
}

}  // namespace holo
