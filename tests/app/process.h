#pragma once
// Runs the real program, and looks at what it left behind.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace holo_test {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// A folder of its own for each test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "holo-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::permissions(path_, fs::perms::owner_all, error);
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct ProcessResult {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  std::string out, err;
};

struct ProcessOptions {
  fs::path folder = fs::temp_directory_path();
  std::map<std::string, std::string> environment = {};  // "" unsets
  rlim_t file_size_limit = RLIM_INFINITY;               // bytes
  rlim_t address_space_limit = RLIM_INFINITY;
  std::vector<int> closed = {};                // descriptors that it begins without
  bool own_group = false;                      // of processes
  std::map<int, std::string> redirected = {};  // descriptors, 1 or 2, to files that are there
};

// A program that was started and may be killed.
class Process {
 public:
  Process(const std::vector<std::string>& words, const ProcessOptions& options = {}) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::string out = (output_ / "out").string(), err = (output_ / "err").string();
    pid_ = fork();
    if (pid_ != 0) return;
    if (options.own_group) setpgid(0, 0);
    int out_file = open(out.c_str(), O_CREAT | O_WRONLY, 0600), err_file = open(err.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(out_file, 1);
    dup2(err_file, 2);
    for (const auto& [descriptor, file] : options.redirected) dup2(open(file.c_str(), O_WRONLY | O_CLOEXEC), descriptor);
    close(out_file);
    close(err_file);
    for (const auto& [name, value] : options.environment)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    limit(RLIMIT_FSIZE, options.file_size_limit);
    limit(RLIMIT_AS, options.address_space_limit);
    if (chdir(options.folder.c_str()) != 0) _exit(126);
    for (int descriptor : options.closed) close(descriptor);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }

  void signal(int number) const { kill(pid_, number); }
  void signal_group(int number) const { kill(-pid_, number); }  // of a process with own_group, with all that it started

  // True once it has ended.
  bool ended() {
    if (waited_) return true;
    waited_ = waitpid(pid_, &status_, WNOHANG) == pid_;
    return waited_;
  }

  ProcessResult wait() {
    if (!waited_) waitpid(pid_, &status_, 0);
    waited_ = true;
    ProcessResult result;
    if (WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
    result.out = read_file(output_ / "out");
    result.err = read_file(output_ / "err");
    return result;
  }

 private:
  static void limit(int resource, rlim_t value) {
    if (value == RLIM_INFINITY) return;
    rlimit both{value, value};
    setrlimit(static_cast<__rlimit_resource>(resource), &both);
  }

  TemporaryFolder output_;
  pid_t pid_ = 0;
  int status_ = 0;
  bool waited_ = false;
};

inline std::string program() { return std::string(HOLO_BINARY_DIR) + "/bin/holo"; }

inline Process start_holo(std::vector<std::string> arguments, const ProcessOptions& options = {}) {
  arguments.insert(arguments.begin(), program());
  return Process(arguments, options);
}

inline ProcessResult holo(std::vector<std::string> arguments, const ProcessOptions& options = {}) {
  arguments.insert(arguments.begin(), program());
  return Process(arguments, options).wait();
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Relative paths of all files below a folder.
inline std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace holo_test
