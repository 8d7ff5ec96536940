// Runs fuzz targets: mutations of good files, always the same ones, in a process of its own for each target.
//
//   fuzz_targets --list
//   fuzz_targets TARGET [--seconds S] [--executions N] [--seed K] [--from I]   inputs I to N, at most S seconds of a processor
//                       [--leaks-each]       looks for leaks after each input, which is slow, and not at the end alone
//                       [--time-limit S]     of one input
//                       [--expect TEXT]      there must be a finding whose message contains the text
//   fuzz_targets TARGET --file FILE          this input
//   fuzz_targets TARGET --write-seeds FOLDER the good files
//   fuzz_targets TARGET --libfuzzer OPTION.. libFuzzer's own options; in a build by clang with HOLO_FUZZ

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <stdexcept>

#include "memory.h"
#include "mutations.h"
#include "target.h"

#ifdef HOLO_FUZZ
extern "C" int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*one_input)(const std::uint8_t*, std::size_t));
#endif

namespace holo::fuzz {

namespace {

namespace fs = std::filesystem;

struct Options {
  double seconds = 2;
  std::uint64_t executions = 1'000'000, seed = 1, from = 0;
  int time_limit = fuzz::time_limit;  // of one input [s]
  bool leaks_each = false;
  std::string expected;
  fs::path file, seeds;
};

// What the process that reads tells the one that waits for it, which goes on when it dies.
struct Account {
  std::uint64_t number;  // of the input that is being read
  std::uint64_t executions, read;
  double seconds;
  bool at_end;  // all inputs have been read: what follows is of none of them
  std::size_t size;
  char input[largest_input];
};

Account& shared_account() {
  void* memory = mmap(nullptr, sizeof(Account), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  return *new (memory) Account{};
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The process is ended by SIGPROF when it has used a processor for `seconds`, so that others on the machine do not count, and
// by SIGALRM when it has waited for much longer; 0: never.
void set_alarm(int seconds) {
  const itimerval working{{0, 0}, {seconds, 0}}, waiting{{0, 0}, {30 * seconds, 0}};
  setitimer(ITIMER_PROF, &working, nullptr);
  setitimer(ITIMER_REAL, &waiting, nullptr);
}

bool read_one(const Target& target, const std::string& input, int seconds, Account& account) {
  account.size = std::min(input.size(), largest_input);
  std::memcpy(account.input, input.data(), account.size);
  // Memory of its own, so that reading beyond the end is seen.
  const std::string copy(input.data(), account.size);
  set_alarm(seconds);
  const bool read = is_read(target, copy);
  set_alarm(0);
  ++account.executions;
  account.read += read;
  return read;
}

void read_mutations(const Target& target, const Mutations& mutations, const Options& options, Account& account) {
  const double begin = processor_seconds();
  for (std::uint64_t number = options.from; number < options.executions; ++number) {
    account.seconds = processor_seconds() - begin;
    const bool is_good = number < mutations.good_files().size();
    if (!is_good && account.seconds > options.seconds) break;
    account.number = number;
    const bool read = read_one(target, mutations.input(options.seed, number), options.time_limit, account);
    if (is_good && !read) report_finding("a good file is refused");
    if (options.leaks_each && has_leaks()) report_finding("memory is lost");
  }
  account.at_end = true;
  if (has_leaks()) report_finding("memory is lost");
}

[[noreturn]] void end_child(const Target& target, const Options& options, Account& account) {
  try {
    if (options.file.empty())
      read_mutations(target, Mutations(target.seeds(), largest_input), options, account);
    else
      std::printf("%s\n", read_one(target, content_of(options.file), options.time_limit, account) ? "read" : "refused");
    if (!options.file.empty() && has_leaks()) report_finding("memory is lost");
  } catch (const std::exception& error) {
    report_finding(std::string("the driver failed: ") + error.what());
  }
  std::fflush(stdout);
  _exit(0);  // no destructors: they are the parent's
}

// Its exit status; what it says goes to the file.
int run_child(const Target& target, const Options& options, Account& account, const fs::path& said) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process could be started");
  if (child == 0) {
    const int file = open(said.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
    dup2(file, STDERR_FILENO);
    end_child(target, options, account);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string end_of(int status, int seconds) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM))
    return "finding: an input took more than " + std::to_string(seconds) + " s\n";
  return WIFSIGNALED(status) ? "ended by the signal " + std::to_string(WTERMSIG(status)) + "\n"
                             : "ended with the exit code " + std::to_string(WEXITSTATUS(status)) + "\n";
}

void tell_finding(const Target& target, const Options& options, const Account& account, const std::string& said) {
  std::printf("%s\n", said.substr(0, 12000).c_str());
  const std::string self = fs::read_symlink("/proc/self/exe").string() + " " + target.name;
  if (account.at_end) {
    std::printf("%s: found after all inputs. Which one it is: %s --leaks-each --seed %llu --executions %llu --seconds 600\n",
                target.name.c_str(), self.c_str(), static_cast<unsigned long long>(options.seed),
                static_cast<unsigned long long>(account.number + 1));
    return;
  }
  if (!options.file.empty()) return;
  const fs::path folder = fs::path(HOLO_BINARY_DIR) / "fuzz_findings";
  fs::create_directories(folder);
  const fs::path path = folder / (target.name + "-" + std::to_string(options.seed) + "-" + std::to_string(account.number));
  if (FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(account.input, 1, account.size, file);
    std::fclose(file);
  }
  std::printf("%s: the input number %llu of seed %llu. Again: %s --file %s\n", target.name.c_str(),
              static_cast<unsigned long long>(account.number), static_cast<unsigned long long>(options.seed), self.c_str(),
              path.c_str());
}

// The exit code.
int run(const Target& target, const Options& options) {
  Account& account = shared_account();
  const fs::path said_file = scratch() / "said";
  const int status = run_child(target, options, account, said_file);
  const bool found = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  const std::string said = content_of(said_file) + (found ? end_of(status, options.time_limit) : "");
  std::printf("%s: %llu executions in %.1f s, %llu read, %llu refused\n", target.name.c_str(),
              static_cast<unsigned long long>(account.executions), account.seconds,
              static_cast<unsigned long long>(account.read),
              static_cast<unsigned long long>(account.executions - account.read));
  if (!options.expected.empty()) {
    const bool as_expected = found && said.find(options.expected) != std::string::npos;
    if (!as_expected) std::printf("%s\nnot found: %s\n", said.c_str(), options.expected.c_str());
    return as_expected ? 0 : 1;
  }
  if (found) tell_finding(target, options, account, said);
  return found ? 1 : 0;
}

int write_seeds(const Target& target, const fs::path& folder) {
  fs::create_directories(folder);
  int number = 0;
  for (const std::string& seed : target.seeds()) {
    const fs::path path = folder / ("seed-" + std::to_string(number++));
    if (FILE* file = std::fopen(path.c_str(), "wb")) {
      std::fwrite(seed.data(), 1, seed.size(), file);
      std::fclose(file);
    }
  }
  return 0;
}

#ifdef HOLO_FUZZ
const Target* fuzzed = nullptr;

int one_input(const std::uint8_t* data, std::size_t size) {
  is_read(*fuzzed, {reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif

int run_libfuzzer([[maybe_unused]] const Target& target, [[maybe_unused]] std::vector<char*> words) {
#ifdef HOLO_FUZZ
  fuzzed = &target;
  target.seeds();  // what is made once is not of an input
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  char** arguments = words.data();
  return LLVMFuzzerRunDriver(&count, &arguments, one_input);
#else
  throw std::runtime_error("--libfuzzer: this build has no libFuzzer; scripts/fuzz makes one that has");
#endif
}

int main_of(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--list") {
    for (const Target& target : targets())
      if (!target.is_wrong_on_purpose) std::printf("%s\n", target.name.c_str());
    return 0;
  }
  const auto target = std::find_if(targets().begin(), targets().end(), [&](const Target& t) { return t.name == words[0]; });
  if (target == targets().end()) throw std::runtime_error("there is no target '" + words[0] + "'; --list names them");
  // Files of the experiments are looked for in the source tree alone.
  unsetenv("HOLO_DATA_DIR");
  unsetenv("HOLO_PLUGIN_PATH");
  scratch();
  Options options;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--leaks-each") {
      options.leaks_each = true;
      continue;
    }
    if (words[i] == "--libfuzzer") {
      std::vector<char*> rest{argv[0]};
      rest.insert(rest.end(), argv + i + 2, argv + argc);
      return run_libfuzzer(*target, rest);
    }
    if (i + 1 == words.size()) throw std::runtime_error(words[i] + ": a value is missing");
    const std::string& option = words[i];
    const std::string& value = words[++i];
    if (option == "--seconds")
      options.seconds = std::stod(value);
    else if (option == "--executions")
      options.executions = std::stoull(value);
    else if (option == "--seed")
      options.seed = std::stoull(value);
    else if (option == "--from")
      options.from = std::stoull(value);
    else if (option == "--time-limit")
      options.time_limit = std::stoi(value);
    else if (option == "--expect")
      options.expected = value;
    else if (option == "--file")
      options.file = value;
    else if (option == "--write-seeds")
      return write_seeds(*target, value);
    else
      throw std::runtime_error("there is no option '" + option + "'");
  }
  return run(*target, options);
}

}  // namespace

}  // namespace holo::fuzz

int main(int argc, char** argv) {
  try {
    return holo::fuzz::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_targets: %s\n", error.what());
    return 2;
  }
}
