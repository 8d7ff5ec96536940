// The process of the worker: its command line, its start and its outcome.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <system_error>

#include "holo/comparison/robot_step_work.h"
#include "holo/core/name_list.h"
#include "holo/core/runs/program_files.h"

namespace holo::comparison {

namespace fs = std::filesystem;

namespace {

constexpr int input_code = 2, memory_code = 3, internal_code = 4;
constexpr const char* worker_name = "robot_step_worker";

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
  return parts;
}

// The worker's command line: one word for each member, "name=value".
std::vector<std::string> to_words(const RobotStepWork& work, const std::vector<fs::path>& plugin_path) {
  std::vector<std::string> folders;
  folders.reserve(plugin_path.size());
  for (const fs::path& folder : plugin_path) folders.push_back(fs::absolute(folder).string());
  return {"robot=" + fs::absolute(work.robot).string(),
          fmt::format("knots={}", work.knots),
          fmt::format("repetitions={}", work.repetitions),
          fmt::format("iterations={}", work.iterations),
          "over=" + (work.over.knots > 0 ? fs::absolute(work.over.robot).string() : std::string()),
          fmt::format("over_knots={}", work.over.knots),
          "solvers=" + joined(work.solvers, ","),
          fmt::format("seconds={}", work.seconds),
          fmt::format("bytes={}", work.bytes),
          "plugins=" + joined(folders, ":")};
}

// The inverse of to_words(), in the worker.
RobotStepWork from_words(int count, char** words, std::vector<fs::path>& plugin_path) {
  RobotStepWork work;
  for (int i = 0; i < count; ++i) {
    const std::string word = words[i], name = word.substr(0, word.find('='));
    const std::string value = name.size() < word.size() ? word.substr(name.size() + 1) : "";
    const auto number = [&] {
      char* end = nullptr;
      const double result = std::strtod(value.c_str(), &end);
      if (value.empty() || *end != '\0') throw Error(Failure::input, fmt::format("'{}': a number is needed", word));
      return result;
    };
    if (name == "robot")
      work.robot = value;
    else if (name == "knots")
      work.knots = int(number());
    else if (name == "repetitions")
      work.repetitions = int(number());
    else if (name == "iterations")
      work.iterations = int(number());
    else if (name == "over")
      work.over.robot = value;
    else if (name == "over_knots")
      work.over.knots = int(number());
    else if (name == "solvers")
      work.solvers = split(value, ',');
    else if (name == "seconds")
      work.seconds = number();
    else if (name == "bytes")
      work.bytes = number();
    else if (name == "plugins")
      for (const std::string& folder : split(value, ':')) plugin_path.emplace_back(folder);
    else
      throw Error(Failure::input, fmt::format("'{}': allowed are robot=, knots=, repetitions=, iterations=, over=, "
                                              "over_knots=, solvers=, seconds=, bytes=, plugins=",
                                              word));
  }
  return work;
}

// The worker's path: beside this program in a build, in libexec in an installation.
fs::path worker() {
  std::error_code error;
  const fs::path prefix = program_prefix();
  const std::vector<fs::path> places{prefix / "bin" / worker_name, prefix / "libexec/holo" / worker_name};
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, error)) return place;
  throw Error(Failure::environment, fmt::format("the program {} is missing: it is neither {} nor {}", worker_name,
                                                places[0].string(), places[1].string()));
}

[[noreturn]] void refuse_to_start(const char* what) {
  throw Error(Failure::environment, fmt::format("{} cannot be run: {}: {}", worker_name, what, std::strerror(errno)));
}

// This process's environment, with one thread for BLAS, because the worker measures the time of one thread.
std::vector<std::string> environment() {
  std::vector<std::string> result{"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.rfind("OPENBLAS_NUM_THREADS=", 0) != 0 && text.rfind("OMP_NUM_THREADS=", 0) != 0) result.push_back(text);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// A child process whose output and errors are written to a temporary file each. They can be read after its end, however it
// ends; the last line may be incomplete.
struct Child {
  Child(std::vector<std::string> words, std::vector<std::string> variables) {
    out = std::tmpfile();
    err = std::tmpfile();
    if (out == nullptr || err == nullptr) refuse_to_start("no temporary file");
    const std::vector<char*> arguments = pointers(words), environment = pointers(variables);
    const pid_t parent = getpid();
    pid = fork();
    if (pid < 0) refuse_to_start("fork");
    if (pid > 0) return;
    // From here to exec: async-signal-safe calls only, since other threads may run.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0) _exit(127);
    execve(arguments[0], arguments.data(), environment.data());
    _exit(127);
  }
  ~Child() {
    if (out != nullptr) std::fclose(out);
    if (err != nullptr) std::fclose(err);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int wait() const {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
      if (errno != EINTR) refuse_to_start("waiting for it");
    return status;
  }
  static std::string text(std::FILE* file) {
    std::string result;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) result.push_back(char(c));
    return result;
  }

  std::FILE *out = nullptr, *err = nullptr;
  pid_t pid = -1;
};

// The values of all complete lines "name value".
std::map<std::string, double> values_of(const std::string& text) {
  std::map<std::string, double> values;
  const std::string whole = text.substr(0, text.rfind('\n') + 1);
  for (const std::string& line : split(whole, '\n')) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) values[line.substr(0, space)] = std::strtod(line.c_str() + space, nullptr);
  }
  return values;
}

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

RobotStepOutcome measure_apart(const RobotStepWork& work, const std::vector<fs::path>& plugin_path) {
  using Status = RobotStepOutcome::Status;
  std::vector<std::string> words = to_words(work, plugin_path);
  words.insert(words.begin(), worker().string());
  const Child child(words, environment());
  const int status = child.wait();
  RobotStepOutcome outcome;
  outcome.values = values_of(Child::text(child.out));
  const std::string said = without_line_end(Child::text(child.err));
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0, code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 0) return outcome;
  if (code == 127) throw Error(Failure::environment, fmt::format("{} cannot be run", words[0]));
  if (code == input_code) throw Error(Failure::input, said);
  // The limit of processor time ends the process by SIGXCPU, and by SIGKILL if it ignores that; without memory it ends by
  // itself.
  if (work.seconds > 0 && (signal == SIGXCPU || signal == SIGKILL)) {
    outcome.status = Status::out_of_time;
    outcome.diagnosis = fmt::format("out of time: {:g} s of processor time were allowed", work.seconds);
  } else if (code == memory_code) {
    outcome.status = Status::out_of_memory;
    outcome.diagnosis =
        work.bytes > 0 ? fmt::format("out of memory: {:.3g} GiB were allowed", work.bytes / 0x1p30) : "out of memory";
  } else {
    outcome.status = Status::failed;
    outcome.diagnosis = signal != 0 ? fmt::format("ended by signal {} ({})", signal, strsignal(signal)) : said;
  }
  return outcome;
}

int run_robot_step_worker(int argc, char** argv) {
  try {
    std::vector<fs::path> plugin_path;
    const RobotStepWork work = from_words(argc - 1, argv + 1, plugin_path);
    measure_robot_steps(work, PluginHost(plugin_path), [](const std::string& name, double value) {
      std::printf("%s %.17g\n", name.c_str(), value);
      std::fflush(stdout);
    });
    return 0;
  } catch (const std::bad_alloc&) {
    return memory_code;
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return error.failure() == Failure::input ? input_code : internal_code;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return internal_code;
  }
}

}  // namespace holo::comparison
