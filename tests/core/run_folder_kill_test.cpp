// A run that is killed again and again ends in the same files.
#include <sys/wait.h>
#include <unistd.h>

#include "run_folder_fixture.h"

namespace holo {
namespace {

using namespace run_folder_fixture;

// --- kills

constexpr std::int64_t all_steps = 2000;

// In a process of its own: begins or resumes the run, and goes on to the end; there it ends or waits to be killed.
[[noreturn]] void run_to_the_end(const fs::path& path, bool wait) {
  try {
    Checkpoint checkpoint;
    RunFolder run = fs::exists(path / "checkpoint") ? RunFolder::resume(path, checkpoint) : begun(path);
    steps(run, checkpoint.step + 1, all_steps);
    while (wait) pause();
    _exit(0);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    _exit(1);
  }
}

int in_a_child(const fs::path& path, useconds_t killed_after) {
  const pid_t child = fork();
  if (child == 0) run_to_the_end(path, killed_after > 0);
  if (killed_after > 0) {
    usleep(killed_after);
    kill(child, SIGKILL);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

// What a kill left can be resumed, and is what the checkpoint says.
void expect_resumable(const fs::path& killed) {
  TemporaryFolder other;
  fs::copy(killed, other / "run", fs::copy_options::recursive);
  Checkpoint checkpoint;
  RunFolder run = RunFolder::resume(other / "run", checkpoint);
  EXPECT_EQ(run.note(), "");
  EXPECT_TRUE(checkpoint.state == state_at(checkpoint.step));
  EXPECT_EQ(content(other / "run/frames.bin").size(), 100u * static_cast<std::size_t>(checkpoint.step));
}

TEST(RunFolder, RunKilledTwentyTimesEndsInTheSameFiles) {
  TemporaryFolder folder("/dev/shm");  // in memory: the moments are spread over the steps, not over waiting for a disk
  {
    RunFolder run = begun(folder / "whole");
    steps(run, 1, all_steps);
  }
  std::mt19937 random(17);
  const fs::path path = folder / "killed";
  for (int kills = 0; kills < 20; ++kills) {
    const int status = in_a_child(path, std::uniform_int_distribution<useconds_t>(500, 8000)(random));
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    if (fs::exists(path / "checkpoint"))
      expect_resumable(path);
    else
      fs::remove_all(path);  // killed before its first one: a new run
  }
  ASSERT_EQ(in_a_child(path, 0), 0);
  const std::vector<std::string> files = files_in(folder / "whole");
  EXPECT_GT(files.size(), 200u);
  EXPECT_EQ(files_in(path), files);
  for (const std::string& file : files) {
    if (file == "files.txt") continue;
    EXPECT_TRUE(content(path / file) == content(folder / "whole" / file)) << file;
  }
}

}  // namespace
}  // namespace holo
