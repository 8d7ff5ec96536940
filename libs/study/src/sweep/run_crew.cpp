#include "sweep/run_crew.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "holo/core/runs/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// The last line of a log that is not empty, shortened.
std::string last_line(const fs::path& path) {
  constexpr std::size_t longest = 400;
  std::istringstream lines(fs::exists(path) ? read_whole_file(path) : std::string());
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \r") != std::string::npos) last = line;
  if (last.rfind("holo: ", 0) == 0) last = last.substr(6);
  return last.size() > longest ? last.substr(0, longest) + "..." : last;
}

// Signals of somebody who ends processes; any other one is the program's own fault.
bool is_kill(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP; }

constexpr int not_finished_code = static_cast<int>(ExitCode::not_finished);

}  // namespace

fs::path stop_file(const fs::path& folder) { return folder / "stop"; }

RunCrew::RunCrew(const fs::path& folder, const SweepPlan& plan, const CrewOptions& options)
    : folder_(folder), plan_(plan), options_(options), tried_(plan.runs.size(), false) {
  for (std::size_t run = 0; run < plan.runs.size() && options.memory > 0; ++run)
    largest_ = std::max(largest_, read_record(folder, plan, run).resident_bytes);
}

bool RunCrew::stop_requested() const {
  return (options_.stop != nullptr && options_.stop->load()) || fs::exists(stop_file(folder_));
}

// A run is taken to need what the largest one until now has used. Before anything is known of it, the first run has a while to
// show its size.
bool RunCrew::has_room() const {
  constexpr double time_to_grow = 10;  // s
  if (workers_.size() >= options_.jobs) return false;
  if (options_.memory == 0 || workers_.empty()) return true;
  std::uint64_t largest = largest_;
  const bool known = largest > 0 || std::all_of(workers_.begin(), workers_.end(),
                                                [](const Worker& worker) { return worker.process.age() > time_to_grow; });
  for (const Worker& worker : workers_) largest = std::max(largest, worker.process.resident_bytes());
  return known && (workers_.size() + 1) * largest <= options_.memory;
}

// The claim is a lock that the run's process holds, too: it is free when no process is at the run, even after kills.
bool RunCrew::start_run(std::size_t run) {
  const fs::path path = folder_ / "claims" / plan_.number(run);
  const int claim = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (claim < 0) throw Error(Failure::environment, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  const bool is_ours = flock(claim, LOCK_EX | LOCK_NB) == 0;
  const RunRecord record = is_ours ? state_of(folder_, plan_, run) : RunRecord();
  const bool is_done = record.progress == RunProgress::finished || record.progress == RunProgress::failed;
  const bool is_tried = tried_[run] || (options_.start != 0 && record.start == options_.start);
  if (!is_ours || is_done || is_tried) {
    close(claim);
    return is_ours;
  }
  std::vector<std::string> words{own_program().string(),
                                 "sweep-worker",
                                 folder_.string(),
                                 "--run",
                                 fmt::format("{}", run),
                                 "--threads",
                                 fmt::format("{}", options_.threads)};
  for (const std::string& place : plan_.plugin_path) words.insert(words.end(), {"--plugin-path", place});
  const ChildProcess::Options output{folder_ / "logs" / (plan_.number(run) + ".txt"), claim, false};
  workers_.emplace_back(run, claim, words, output);
  tried_[run] = true;
  return true;
}

void RunCrew::start_runs(std::deque<std::size_t>& waiting, std::deque<std::size_t>& claimed_by_others) {
  while (!waiting.empty() && has_room()) {
    const std::size_t run = waiting.front();
    waiting.pop_front();
    if (!start_run(run)) claimed_by_others.push_back(run);
  }
}

void RunCrew::record_end(const Worker& worker) {
  const ProcessEnd& end = worker.process.end();
  RunRecord record = read_record(folder_, plan_, worker.run);
  record.start = options_.start;
  record.attempts += 1;
  record.wall_time += end.wall_time;
  record.processor_time += end.processor_time;
  record.resident_bytes = std::max(record.resident_bytes, end.resident_bytes);
  largest_ = std::max(largest_, end.resident_bytes);
  const fs::path result = folder_ / plan_.runs[worker.run].folder / "result.json";
  if (fs::exists(result)) {
    const RunResult found = result_from_json(result);
    const bool finished = found.status == RunStatus::finished;
    record.progress = finished ? RunProgress::finished : RunProgress::failed;
    record.message = finished ? std::string() : found.message;
  } else if (end.by_signal()) {
    record.progress = is_kill(end.signal()) ? RunProgress::stopped : RunProgress::failed;
    record.message = fmt::format("ended by signal {} ({})", end.signal(), strsignal(end.signal()));
  } else {
    record.progress = end.exit_code() == not_finished_code ? RunProgress::stopped : RunProgress::failed;
    record.message = last_line(folder_ / "logs" / (plan_.number(worker.run) + ".txt"));
    if (record.message.empty()) record.message = fmt::format("ended with exit code {}", end.exit_code());
  }
  write_record(folder_, plan_, worker.run, record);
}

void RunCrew::collect_ended() {
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    const bool ended = worker->process.has_ended();
    if (ended) {
      record_end(*worker);
      close(worker->claim);
    }
    worker = ended ? workers_.erase(worker) : std::next(worker);
  }
}

void RunCrew::work(std::deque<std::size_t> waiting) {
  constexpr double longest_wait = 0.2;  // s, between looks at the file that asks to stop
  std::deque<std::size_t> claimed_by_others;
  for (;;) {
    const bool stopping = stop_requested();
    if (stopping)
      for (Worker& worker : workers_) worker.process.terminate();
    else
      start_runs(waiting, claimed_by_others);
    if (workers_.empty() && (stopping || waiting.empty())) {
      if (stopping || claimed_by_others.empty()) return;
      waiting.swap(claimed_by_others);
    }
    std::vector<const ChildProcess*> processes;
    for (const Worker& worker : workers_) processes.push_back(&worker.process);
    wait_for_any(processes, longest_wait);
    collect_ended();
    if (options_.on_tick) options_.on_tick();
  }
}

}  // namespace holo
