#include "holo/core/plugins/plugin_faults.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "plugins/plugin_scope.h"

namespace holo {

namespace {

constexpr std::size_t text_size = 1024;

// The text of the running plugin, in its thread, which also handles the signal of a fault; "" while no plugin runs.
thread_local char running[text_size] = "";

// Writes with functions that a signal handler may call.
void write_text(const char* text) { [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text)); }

void tell(const char* what) {
  write_text("holo: ");
  write_text(running);
  write_text(what);
}

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return ": its code crashed (segmentation fault, or an exhausted stack)\n";
    case SIGABRT:
      return ": its code ended the program (abort)\n";
    case SIGFPE:
      return ": its code crashed (a division of whole numbers by 0)\n";
    case SIGILL:
      return ": its code crashed (an instruction that this processor lacks)\n";
    default:
      return ": its code crashed (bus error)\n";
  }
}

constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction actions_before[NSIG];

// The action that the signal had before comes next: that of the system, or of a sanitizer.
void on_signal(int signal) {
  if (running[0] != 0) tell(name_of(signal));
  sigaction(signal, &actions_before[signal], nullptr);
  raise(signal);
}

void on_exit_of_process() {
  if (running[0] == 0) return;
  std::fflush(nullptr);
  tell(": its code ended the program (exit)\n");
  _exit(1);
}

}  // namespace

PluginScope::PluginScope(const std::string& name, const std::string& path, const char* action) {
  std::memcpy(outer_, running, text_size);
  static_assert(sizeof outer_ == text_size);
  std::snprintf(running, text_size, "while the plugin '%.200s' (%.700s) was being %.40s", name.c_str(), path.c_str(), action);
}

PluginScope::~PluginScope() { std::memcpy(running, outer_, text_size); }

void report_plugin_faults() {
  // A stack of its own: the plugin's may be what is exhausted.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : faults) sigaction(signal, &action, &actions_before[signal]);
  std::atexit(on_exit_of_process);
}

}  // namespace holo
