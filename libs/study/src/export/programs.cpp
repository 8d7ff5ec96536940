#include "export/programs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

fs::path find_program(const std::string& variable, const std::vector<std::string>& names, const std::string& format) {
  if (const char* given = std::getenv(variable.c_str()); given && *given) {
    if (access(given, X_OK) != 0)
      throw Error(Failure::environment,
                  fmt::format("--format {}: {} names '{}', which is no program", format, variable, given));
    return given;
  }
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (const fs::path program = fs::path(folder) / name; fs::is_regular_file(program) && access(program.c_str(), X_OK) == 0)
        return program;
  }
  throw Error(
      Failure::environment,
      fmt::format("--format {}: {} is not installed: no folder of PATH has {}. Install it, or name it by the environment "
                  "variable {}",
                  format, names.front(), joined(names, ", "), variable));
}

void run_program(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int problem = posix_spawn(&process, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    throw Error(Failure::environment, fmt::format("{}: cannot be started: {}", words.front(), std::strerror(problem)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  constexpr std::size_t most = 2000;  // of its last words
  std::string text = read_whole_file(log);
  if (text.size() > most) text = "..." + text.substr(text.size() - most);
  throw Error(Failure::environment,
              fmt::format("{} failed, {} {}: {}", words.front(), WIFEXITED(status) ? "with code" : "by signal",
                          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text));
}

}  // namespace holo
