#pragma once
// A study in small that writes a run folder, and what the tests of run folders ask.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <random>

#include "holo/core/runs/run_folder.h"
#include "temporary_folder.h"

namespace holo::run_folder_fixture {

namespace fs = std::filesystem;
using test::content;
using test::put;
using test::TemporaryFolder;

template <class Call>
inline std::string message_of(Failure failure, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), failure) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

inline void expect_line_with(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

// Every file below the folder, as relative paths, sorted; the lock apart.
inline std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() && entry.path().filename() != "lock")
      result.push_back(entry.path().lexically_relative(folder).string());
  std::sort(result.begin(), result.end());
  return result;
}

// Within its lifetime no file can grow over `bytes`: what a full disk does, without one.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : previous_handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &previous_);
    const rlimit limit{bytes, previous_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &previous_);
    signal(SIGXFSZ, previous_handler_);
  }

 private:
  rlimit previous_;
  sighandler_t previous_handler_;
};

// A study in small: each step appends a line and a record, writes a frame, and now and then a checkpoint. Its bytes depend on
// the steps alone.
inline std::string state_at(std::int64_t step) {
  std::mt19937_64 random(static_cast<std::uint64_t>(step));
  std::string state(5000, 'x');
  for (std::size_t i = 0; i < state.size(); i += 7) state[i] = static_cast<char>(random());
  return state;
}

inline void step(RunFolder& run, std::int64_t number) {
  run.growing("metrics.csv").append_line("row " + std::to_string(number));
  run.growing("frames.bin").append(std::string(100, static_cast<char>(number)));
  if (number % 2 == 0 && (number < 10 || number % 10 == 0))
    run.write("frames/step_" + std::to_string(number) + ".vtu", "frame " + std::to_string(number));
  if (number == 3) run.growing("late.csv").append_line("begun late");
}

inline void steps(RunFolder& run, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i <= last; ++i) {
    step(run, i);
    if (i % 3 == 0) run.save_checkpoint({i, state_at(i)});
  }
}

inline RunFolder begun(const fs::path& path) {
  RunFolder run = RunFolder::create(path);
  run.write("experiment.yaml", "name: test\n");
  run.save_checkpoint({0, state_at(0)});
  return run;
}

}  // namespace holo::run_folder_fixture
