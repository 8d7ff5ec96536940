#pragma once
// Processes that a sweep starts: its runs, and the programs of clusters.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct ProcessEnd {
  int status = 0;                    // as of waitpid
  double wall_time = 0;              // s
  double processor_time = 0;         // s, of the process and of those that it waited for
  std::uint64_t resident_bytes = 0;  // the largest

  bool by_signal() const;
  int signal() const;  // by_signal()
  int exit_code() const;
};

// A running process. Its output and errors go to a file. The process gets SIGTERM when the thread that started it ends.
class ChildProcess {
 public:
  struct Options {
    std::filesystem::path output;  // created or emptied
    int inherited = -1;            // a descriptor that the process keeps open while it runs; -1: none
    bool own_group = false;        // signals of the terminal do not reach it
  };
  // `words`: the program's path, or its name on PATH, and its arguments. Throws Error(environment).
  ChildProcess(const std::vector<std::string>& words, const Options& options);
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(const ChildProcess&) = delete;
  ~ChildProcess();  // waits for its end

  bool has_ended();                               // does not wait
  void terminate();                               // SIGTERM, once
  const ProcessEnd& end() const { return end_; }  // once it has ended
  double age() const;                             // s since its start
  std::uint64_t resident_bytes() const;           // the largest until now; 0: unknown
  int descriptor() const { return descriptor_; }  // readable once it has ended; -1: the system has none

 private:
  pid_t process_ = -1;
  int descriptor_ = -1;
  double start_ = 0;
  bool ended_ = false, terminated_ = false;
  ProcessEnd end_;
};

// Waits until one of the processes ends, a signal is handled, or the time [s] is over.
void wait_for_any(const std::vector<const ChildProcess*>& processes, double seconds);

// The path of a program on PATH; "" if there is none.
std::filesystem::path find_program(const std::string& name);

// This program's path.
std::filesystem::path own_program();

// Runs a short command, and returns its output and errors together. `exit_code`: -1 if a signal ended it.
struct CommandOutput {
  int exit_code = 0;
  std::string text;
};
CommandOutput output_of(const std::vector<std::string>& words);

}  // namespace holo
