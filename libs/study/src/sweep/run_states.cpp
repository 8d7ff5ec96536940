#include "sweep/run_states.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "holo/core/runs/run_folder.h"
#include "holo/study/result.h"

namespace holo {

namespace fs = std::filesystem;
using json = nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(RunProgress, {{RunProgress::waiting, "waiting"},
                                           {RunProgress::stopped, "stopped"},
                                           {RunProgress::finished, "finished"},
                                           {RunProgress::failed, "failed"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunRecord, progress, message, start, attempts, wall_time, processor_time, resident_bytes)

namespace {

fs::path record_file(const fs::path& folder, const SweepPlan& plan, std::size_t run) {
  return folder / "state" / (plan.number(run) + ".json");
}

}  // namespace

RunRecord read_record(const fs::path& folder, const SweepPlan& plan, std::size_t run) {
  const fs::path path = record_file(folder, plan, run);
  if (!fs::exists(path)) return {};
  try {
    return json::parse(read_whole_file(path)).get<RunRecord>();
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: not the record of a run ({}). Remove the file: the run's folder tells what "
                                            "became of the run",
                                            path.string(), error.what()));
  }
}

void write_record(const fs::path& folder, const SweepPlan& plan, std::size_t run, const RunRecord& record) {
  write_whole_file(record_file(folder, plan, run), json(record).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

RunRecord state_of(const fs::path& folder, const SweepPlan& plan, std::size_t run) {
  RunRecord record = read_record(folder, plan, run);
  const fs::path own = folder / plan.runs.at(run).folder;
  if (fs::exists(own / "result.json")) {
    if (record.progress == RunProgress::finished) return record;
    const RunResult result = result_from_json(own / "result.json");
    record.progress = result.status == RunStatus::finished ? RunProgress::finished : RunProgress::failed;
    record.message = result.status == RunStatus::finished ? std::string() : result.message;
  } else if (record.progress == RunProgress::finished) {  // its folder was removed
    record = {};
  } else if (record.progress == RunProgress::waiting && fs::exists(own)) {
    record.progress = RunProgress::stopped;
    record.message = "killed";
  }
  return record;
}

void forget_run(const fs::path& folder, const SweepPlan& plan, std::size_t run) {
  // The record goes last: without it a failed result would be found again, and with it the run stays a failed one.
  std::error_code error;
  fs::remove_all(folder / plan.runs.at(run).folder, error);
  if (!error) fs::remove(record_file(folder, plan, run), error);
  if (error)
    throw Error(Failure::environment, fmt::format("{}: the failed run cannot be removed: {}",
                                                  (folder / plan.runs[run].folder).string(), error.message()));
}

}  // namespace holo
