#pragma once
// Runs of a sweep in processes on this machine, several at once.

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <vector>

#include "sweep/child_process.h"
#include "sweep/run_states.h"

namespace holo {

struct CrewOptions {
  std::size_t jobs = 1;      // runs at once
  int threads = 1;           // of each run
  std::uint64_t memory = 0;  // bytes that all runs together may use; 0: no limit
  std::int64_t start = 0;    // number of this start: a run that another process tried in it is left alone; 0: none
  const std::atomic<bool>* stop = nullptr;
  std::function<void()> on_tick = nullptr;  // called several times a second
};

class RunCrew {
 public:
  RunCrew(const std::filesystem::path& folder, const SweepPlan& plan, const CrewOptions& options);

  // Does those of `runs` that have not finished nor failed, in this order. Those that other processes are at, as of a sweep
  // that was killed just now, are looked at again until these have ended. Returns when there is none left, or all processes
  // have ended after a request to stop.
  void work(std::deque<std::size_t> runs);

 private:
  struct Worker {
    Worker(std::size_t number, int descriptor, const std::vector<std::string>& words, const ChildProcess::Options& options)
        : run(number), claim(descriptor), process(words, options) {}
    std::size_t run;
    int claim;  // descriptor
    ChildProcess process;
  };
  bool stop_requested() const;
  bool has_room() const;
  void start_runs(std::deque<std::size_t>& waiting, std::deque<std::size_t>& claimed_by_others);
  bool start_run(std::size_t run);  // false: another process is at it
  void collect_ended();
  void record_end(const Worker& worker);

  const std::filesystem::path& folder_;
  const SweepPlan& plan_;
  const CrewOptions& options_;
  std::list<Worker> workers_;
  std::uint64_t largest_ = 0;  // resident size of any run until now, bytes
  std::vector<bool> tried_;
};

// The file that asks all processes of a sweep to stop at their checkpoints.
std::filesystem::path stop_file(const std::filesystem::path& folder);

}  // namespace holo
