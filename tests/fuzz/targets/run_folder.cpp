// The folder of a run, as `holo report`, `holo export` and `holo compare` read it: some of its files are those of the input.
// The files that the checkpoint knows are also read without one, else its checksums would hide them.
#include "fuzz/targets/small_run.h"
#include "holo/study/compare.h"
#include "holo/study/export_run.h"
#include "holo/study/run_report.h"

namespace holo::fuzz {

namespace {

constexpr const char* unchecked = "without checkpoints";

void read_run_folder(std::string_view bytes) {
  const auto parts = parts_of(bytes);
  const bool is_checked = parts.count(unchecked) == 0;
  const std::filesystem::path run = put_run("run", parts), exported = scratch() / "exported";
  if (!is_checked)
    for (const char* name : {"checkpoint", "checkpoint.previous"}) std::filesystem::remove(run / name);
  attempt([&] {
    export_run({.run = run, .out = exported, .formats = {"csv", "npz", "vtu", "gltf", "obj", "msh"}, .frames = "all"});
  });
  std::filesystem::remove_all(exported);
  attempt([&] { compare_runs(run, run); });
  if (is_checked) require_run_folder(run);
  const ReportData report = report_of_run(run);
  if (is_checked) render_report(report, "<script>HOLOMORPH_REPORT_DATA</script>");
}

std::vector<std::string> damaged_parts_of_runs() {
  const auto& run = small_run();
  std::vector<std::string> inputs;
  for (const char* name : {"result.json", "metrics.csv", "timings.csv", "frames.bin", "files.txt", "checkpoint"})
    inputs.push_back(joined({{name, run.at(name)}}));
  for (const char* name : {"metrics.csv", "study.json", "provenance.json", "frames.bin"})
    inputs.push_back(joined({{name, run.at(name)}, {unchecked, ""}}));
  return inputs;
}

}  // namespace

const Registration run_folder(Target{.name = "run_folder",
                                     .read = read_run_folder,
                                     .seeds = damaged_parts_of_runs,
                                     .places = {scratch().string(), "one of the two runs"}});

}  // namespace holo::fuzz
