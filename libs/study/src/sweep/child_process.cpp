#include "sweep/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

#include "holo/core/error.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void refuse_start(const std::string& program, int reason) {
  throw Error(Failure::environment, fmt::format("{} cannot be started: {}", program, std::strerror(reason)));
}

double seconds_of(const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

}  // namespace

bool ProcessEnd::by_signal() const { return WIFSIGNALED(status); }
int ProcessEnd::signal() const { return WTERMSIG(status); }
int ProcessEnd::exit_code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

ChildProcess::ChildProcess(const std::vector<std::string>& words, const Options& options) {
  // Everything that needs memory stands before fork(): other threads may hold the allocator's lock at that moment.
  const std::vector<char*> arguments = argument_pointers(words);
  const std::string output = options.output.string();
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw Error(Failure::environment, fmt::format("cannot write {}: {}", output, std::strerror(errno)));
  const pid_t parent = getpid();
  start_ = seconds_now();
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int nothing = open("/dev/null", O_RDONLY);
    if (getppid() != parent || dup2(nothing, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(127);
    if (options.own_group) setpgid(0, 0);
    if (options.inherited >= 0) fcntl(options.inherited, F_SETFD, 0);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  const int reason = errno;
  close(file);
  if (process_ < 0) refuse_start(words.front(), reason);
  descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
}

ChildProcess::~ChildProcess() {
  if (process_ >= 0 && !ended_) {
    terminate();
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (descriptor_ >= 0) close(descriptor_);
}

bool ChildProcess::has_ended() {
  if (ended_) return true;
  rusage usage = {};
  const pid_t found = wait4(process_, &end_.status, WNOHANG, &usage);
  if (found == 0 || (found < 0 && errno == EINTR)) return false;
  ended_ = true;
  end_.wall_time = age();
  end_.processor_time = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  end_.resident_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return true;
}

void ChildProcess::terminate() {
  if (!ended_ && !terminated_) kill(process_, SIGTERM);
  terminated_ = true;
}

double ChildProcess::age() const { return seconds_now() - start_; }

std::uint64_t ChildProcess::resident_bytes() const {
  std::ifstream status(fmt::format("/proc/{}/status", process_));
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

void wait_for_any(const std::vector<const ChildProcess*>& processes, double seconds) {
  constexpr double poll_interval = 0.005;  // s, where processes cannot be waited for
  std::vector<pollfd> waited;
  for (const ChildProcess* process : processes) {
    if (process->descriptor() < 0) seconds = std::min(seconds, poll_interval);
    waited.push_back({process->descriptor(), POLLIN, 0});
  }
  poll(waited.data(), static_cast<nfds_t>(waited.size()), static_cast<int>(seconds * 1000));
}

fs::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code error;
    if (fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

CommandOutput output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(words.front(), errno);
  const std::vector<char*> arguments = argument_pointers(words);
  const pid_t process = fork();
  if (process == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  CommandOutput result;
  std::array<char, 4096> buffer = {};
  for (ssize_t count = 0; process > 0; result.text.append(buffer.data(), static_cast<std::size_t>(count))) {
    count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      count = 0;
    else if (count <= 0)
      break;
  }
  close(ends[0]);
  if (process < 0) refuse_start(words.front(), errno);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace holo
