#include "sweep/launchers.h"

#include <fmt/format.h>
#include <sched.h>

#include <thread>

#include "holo/core/runs/run_folder.h"
#include "sweep/run_crew.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

const char* command_of(Launcher launcher) {
  switch (launcher) {
    case Launcher::slurm:
      return "sbatch";
    case Launcher::mpi:
      return "mpirun";
    case Launcher::local:
      break;
  }
  return nullptr;
}

bool is_set(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

int threads_of(const LaunchRequest& request) { return std::max(1, request.run_options.threads); }

std::string list_of_runs(const LaunchRequest& request) {
  std::string text;
  for (const std::size_t run : request.runs) text += fmt::format("{}\n", run);
  return text;
}

// A word for the shell, whatever it has in it.
std::string in_quotes(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// A task for each run, up to as many as clusters usually allow (MaxArraySize 1001); more runs share tasks.
std::string batch_script(const LaunchRequest& request, const std::string& list, const std::string& output) {
  constexpr std::size_t most_tasks = 1000;
  const SweepLaunch& options = request.options;
  const std::size_t tasks = std::min(most_tasks, request.runs.size());
  std::string text = fmt::format("#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --array=0-{}", request.plan.name, tasks - 1);
  if (options.jobs > 0) text += fmt::format("%{}", options.jobs);
  text += fmt::format("\n#SBATCH --output=\"{}\"\n#SBATCH --cpus-per-task={}\n", output, threads_of(request));
  if (options.memory > 0) text += fmt::format("#SBATCH --mem={}K\n", (options.memory + 1023) / 1024);
  if (!options.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", options.partition);
  if (!options.time.empty()) text += fmt::format("#SBATCH --time={}\n", options.time);
  // Half a minute before its time is over a task ends its run at a checkpoint, for the next start to go on with.
  text += "#SBATCH --signal=B:TERM@30\n";
  return text + fmt::format("exec {} sweep-worker {} --start {} --list {} --threads {}\n", in_quotes(own_program().string()),
                            in_quotes(request.folder.string()), request.start, in_quotes(list), threads_of(request));
}

}  // namespace

void require_launcher(Launcher launcher) {
  const char* command = command_of(launcher);
  if (command != nullptr && find_program(command).empty())
    throw Error(Failure::input, fmt::format("--launcher {}: the command {} is not on the PATH. Install it, or use another "
                                            "launcher: local, slurm, mpi",
                                            launcher == Launcher::mpi ? "mpi" : "slurm", command));
}

int usable_processors() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (sched_getaffinity(0, sizeof processors, &processors) == 0) return std::max(1, CPU_COUNT(&processors));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void launch_local(const LaunchRequest& request) {
  const int processors = usable_processors();
  const int jobs = request.options.jobs > 0 ? request.options.jobs : processors;
  const int threads = request.run_options.threads > 0 ? request.run_options.threads : std::max(1, processors / jobs);
  const CrewOptions options{.jobs = static_cast<std::size_t>(jobs),
                            .threads = threads,
                            .memory = request.options.memory,
                            .start = request.start,
                            .stop = request.run_options.stop,
                            .on_tick = request.on_tick};
  RunCrew(request.folder, request.plan, options).work(request.runs);
}

void launch_mpi(const LaunchRequest& request) {
  std::vector<std::string> words{"mpirun"};
  if (request.options.jobs > 0) words.insert(words.end(), {"-np", fmt::format("{}", request.options.jobs)});
  words.insert(words.end(), request.options.arguments.begin(), request.options.arguments.end());
  words.insert(words.end(), {own_program().string(), "sweep-worker", request.folder.string(), "--start",
                             fmt::format("{}", request.start), "--threads", fmt::format("{}", threads_of(request))});
  const fs::path log = request.folder / "logs" / "mpirun.txt";
  ChildProcess process(words, {log, -1, true});
  bool asked = false;
  while (!process.has_ended()) {
    // mpirun would kill its ranks a second after a signal: the file gives the runs time to reach their checkpoints.
    if (is_set(request.run_options.stop) && !asked) write_whole_file(stop_file(request.folder), "");
    asked = is_set(request.run_options.stop);
    wait_for_any({&process}, 0.2);
    request.on_tick();
  }
  if (const ProcessEnd& end = process.end(); end.exit_code() != 0 && !asked)
    throw Error(Failure::environment,
                fmt::format("mpirun ended with exit code {}; {} has what it printed", end.exit_code(), log.string()));
}

std::string submit_slurm(const LaunchRequest& request) {
  const std::string name = fmt::format("start-{}", request.start);
  fs::create_directories(request.folder / "slurm");
  write_whole_file(request.folder / "slurm" / (name + ".txt"), list_of_runs(request));
  const fs::path script = request.folder / "slurm" / (name + ".sh");
  write_whole_file(script,
                   batch_script(request, "slurm/" + name + ".txt", (request.folder / "slurm" / (name + "-%a.out")).string()));
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), request.options.arguments.begin(), request.options.arguments.end());
  words.push_back(script.string());
  const CommandOutput output = output_of(words);
  if (output.exit_code != 0)
    throw Error(Failure::environment, fmt::format("sbatch refused the job ({}): {}", script.string(), output.text));
  // Warnings may stand before the job's line, "JOB" or "JOB;CLUSTER".
  std::string text = output.text;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::string last = text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  return last.substr(0, last.find(';'));
}

bool is_in_slurm_queue(const std::string& job) {
  const CommandOutput output = output_of({"squeue", "--noheader", "--jobs=" + job, "--format=%i"});
  // A controller that does not answer says nothing of the job.
  if (output.exit_code != 0) return output.text.find("Invalid job id") == std::string::npos;
  return output.text.find_first_not_of(" \n") != std::string::npos;
}

void wait_for_slurm(const fs::path& folder, const std::string& job, const std::atomic<bool>* stop,
                    const std::function<void()>& on_tick) {
  constexpr int ticks_per_query = 5;
  bool asked = false;
  for (int tick = 0;; ++tick) {
    if (is_set(stop) && !asked) {
      asked = true;
      write_whole_file(stop_file(folder), "");
      output_of({"scancel", "--state=PENDING", job});
    }
    if (tick % ticks_per_query == 0 && !is_in_slurm_queue(job)) return;
    wait_for_any({}, 0.2);
    on_tick();
  }
}

}  // namespace holo
