#include "holo/core/run_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "temporary_folder.h"

namespace holo {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::put;
using test::TemporaryFolder;

template <class Call>
std::string message_of(Failure failure, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), failure) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

// Every file below the folder, as relative paths, sorted; the lock apart.
std::vector<std::string> files_in(const fs::path& folder) {
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

// --- whole files

TEST(WholeFile, ReadsBackWhatWasWrittenAndReplacesIt) {
  TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string("text\n"), std::string(300000, '\0') + "end"}) {
    write_whole_file(folder / "file", bytes);
    EXPECT_EQ(read_whole_file(folder / "file"), bytes);
  }
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(WholeFile, FailedWriteKeepsTheOldFileAndLeavesNoPart) {
  TemporaryFolder folder;
  write_whole_file(folder / "file", "old");
  const std::string text = message_of(Failure::environment, [&] {
    const FileSizeLimit full(4096);
    write_whole_file(folder / "file", std::string(10000, 'x'));
  });
  expect_parts(text, {"cannot write " + (folder / "file").string(), "File too large"});
  EXPECT_EQ(content(folder / "file"), "old");
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(RunFolderBadInput, WholeFilesNameThePathAndTheReason) {
  TemporaryFolder folder;
  put(folder / "file", "text");
  fs::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto reading = [&](const std::string& name) {
    return message_of(Failure::input, [&] { read_whole_file(folder / name); });
  };
  expect_parts(reading("missing"), {(folder / "missing").string(), "No such file"});
  expect_parts(reading("folder"), {(folder / "folder").string(), "it is a folder"});
  expect_parts(reading("file/below"), {"Not a directory"});
  expect_parts(reading("pipe"), {"not a regular file"});
  const auto writing = [&](const std::string& name) {
    return message_of(Failure::environment, [&] { write_whole_file(folder / name, "x"); });
  };
  expect_parts(writing("missing/file"), {(folder / "missing/file").string(), "No such file"});
  expect_parts(writing("folder"), {(folder / "folder").string(), "Is a directory"});
  expect_parts(writing("file/below"), {"Not a directory"});
}

TEST(RunFolderBadInput, FolderWithoutPermissionToWrite) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read | fs::perms::group_exec |
                                     fs::perms::others_exec);
  fs::create_directory(folder / "run");
  fs::permissions(folder / "run", fs::perms(0555));
  const test::WithoutRoot without_root;
  expect_parts(message_of(Failure::environment, [&] { write_whole_file(folder / "run/file", "x"); }),
               {(folder / "run/file").string(), "Permission denied", "Choose a folder that you may write to"});
  expect_parts(message_of(Failure::environment, [&] { RunFolder::create(folder / "run"); }), {"run", "Permission denied"});
  expect_parts(message_of(Failure::environment, [&] { RunFolder::create(folder / "run/below"); }),
               {"below", "Permission denied"});
}

TEST(ContentHash, IsFnv1a) {
  EXPECT_EQ(content_hash(""), "cbf29ce484222325");
  EXPECT_EQ(content_hash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(content_hash("foobar"), "85944171f73967e8");
}

// --- growing files

TEST(GrowingFile, AppendsLinesAndBytesAndIsCutOnOpening) {
  TemporaryFolder folder;
  {
    GrowingFile file(folder / "file", 0);
    file.append_line("one");
    file.append(std::string("\0\n\0", 3));
    file.append_line("");
    EXPECT_EQ(file.size(), 8u);
    file.flush_to_disk();
  }
  EXPECT_EQ(content(folder / "file"), std::string("one\n\0\n\0\n", 8));
  GrowingFile file(folder / "file", 4);
  EXPECT_EQ(content(folder / "file"), "one\n");
  file.append_line("two");
  EXPECT_EQ(content(folder / "file"), "one\ntwo\n");
}

TEST(GrowingFile, WhatAFullDiskTookOfALineIsCutOffAgain) {
  TemporaryFolder folder;
  GrowingFile file(folder / "file", 0);
  file.append(std::string(4000, 'a'));
  const std::string text = message_of(Failure::environment, [&] {
    const FileSizeLimit full(4096);
    file.append_line(std::string(200, 'b'));
  });
  expect_parts(text, {(folder / "file").string(), "File too large"});
  EXPECT_EQ(file.size(), 4000u);
  EXPECT_EQ(content(folder / "file"), std::string(4000, 'a'));
  file.append_line("c");
  EXPECT_EQ(content(folder / "file"), std::string(4000, 'a') + "c\n");
}

TEST(RunFolderBadInput, FullDiskIsToldInOneLine) {
  GrowingFile file("/dev/full", 0);
  expect_parts(message_of(Failure::environment, [&] { file.append_line("text"); }),
               {"cannot write /dev/full", "No space left on device", "Free some space"});
  EXPECT_EQ(file.size(), 0u);
}

TEST(RunFolderBadInput, GrowingFileThatCannotBeOpenedOrIsTooShort) {
  TemporaryFolder folder;
  put(folder / "file", "12345");
  expect_parts(message_of(Failure::environment, [&] { GrowingFile(folder / "no/file", 0); }), {"no/file", "No such file"});
  expect_parts(message_of(Failure::environment, [&] { GrowingFile(folder.path(), 0); }), {"Is a directory"});
  expect_parts(message_of(Failure::input, [&] { GrowingFile(folder / "file", 6); }), {"has 5 bytes", "the 6"});
  EXPECT_EQ(content(folder / "file"), "12345");
  GrowingFile file(folder / "file", 5);
  EXPECT_THROW(file.append_line("two\nlines"), Error);
}

// --- runs

// A study in small: each step appends a line and a record, writes a frame, and now and then a checkpoint. Its bytes depend on
// the steps alone.
std::string state_at(std::int64_t step) {
  std::mt19937_64 random(static_cast<std::uint64_t>(step));
  std::string state(5000, 'x');
  for (std::size_t i = 0; i < state.size(); i += 7) state[i] = static_cast<char>(random());
  return state;
}

void step(RunFolder& run, std::int64_t number) {
  run.growing("metrics.csv").append_line("row " + std::to_string(number));
  run.growing("frames.bin").append(std::string(100, static_cast<char>(number)));
  if (number % 2 == 0 && (number < 10 || number % 10 == 0))
    run.write("frames/step_" + std::to_string(number) + ".vtu", "frame " + std::to_string(number));
  if (number == 3) run.growing("late.csv").append_line("begun late");
}

void steps(RunFolder& run, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i <= last; ++i) {
    step(run, i);
    if (i % 3 == 0) run.save_checkpoint({i, state_at(i)});
  }
}

RunFolder begun(const fs::path& path) {
  RunFolder run = RunFolder::create(path);
  run.write("experiment.yaml", "name: test\n");
  run.save_checkpoint({0, state_at(0)});
  return run;
}

TEST(RunFolder, ResumingCutsAndRemovesWhatCameAfterTheCheckpoint) {
  TemporaryFolder folder;
  const fs::path path = folder / "deep/er/run";
  {
    RunFolder run = begun(path);
    EXPECT_EQ(&run.growing("metrics.csv"), &run.growing("metrics.csv"));
    steps(run, 1, 8);
    put(path / "frames/step_10.vtu.partial", "half a frame");
    put(path / "notes.txt", "the user's own");
  }
  const std::vector<std::string> later = files_in(path);
  EXPECT_NE(std::find(later.begin(), later.end(), "frames/step_8.vtu"), later.end());
  Checkpoint checkpoint;
  const RunFolder run = RunFolder::resume(path, checkpoint);
  EXPECT_EQ(run.resume_note(), "");
  EXPECT_EQ(checkpoint.step, 6);
  EXPECT_TRUE(checkpoint.state == state_at(6));
  EXPECT_EQ(content(path / "metrics.csv"), "row 1\nrow 2\nrow 3\nrow 4\nrow 5\nrow 6\n");
  EXPECT_EQ(content(path / "frames.bin").size(), 600u);
  EXPECT_EQ(files_in(path), (std::vector<std::string>{"checkpoint", "checkpoint.previous", "experiment.yaml", "files.txt",
                                                      "frames.bin", "frames/step_2.vtu", "frames/step_4.vtu",
                                                      "frames/step_6.vtu", "late.csv", "metrics.csv", "notes.txt"}));
}

TEST(RunFolder, GrowingFileBegunAfterTheCheckpointIsRemoved) {
  TemporaryFolder folder;
  {
    RunFolder run = begun(folder / "run");
    steps(run, 1, 2);
    run.growing("late.csv").append_line("after the checkpoint");
  }
  Checkpoint checkpoint;
  RunFolder run = RunFolder::resume(folder / "run", checkpoint);
  EXPECT_EQ(checkpoint.step, 0);
  EXPECT_EQ(files_in(folder / "run"), (std::vector<std::string>{"checkpoint", "experiment.yaml", "files.txt"}));
  EXPECT_EQ(run.growing("metrics.csv").size(), 0u);
}

TEST(RunFolder, FileThatIsRewrittenAfterTheCheckpointStays) {
  TemporaryFolder folder;
  {
    RunFolder run = begun(folder / "run");
    run.write("experiment.yaml", "name: other\n");
  }
  Checkpoint checkpoint;
  RunFolder::resume(folder / "run", checkpoint);
  EXPECT_TRUE(fs::exists(folder / "run/experiment.yaml"));
}

TEST(RunFolder, EmptyFolderCanBeUsed) {
  TemporaryFolder folder;
  { begun(folder.path()); }
  Checkpoint checkpoint;
  RunFolder::resume(folder.path(), checkpoint);
  EXPECT_TRUE(checkpoint.state == state_at(0));
}

TEST(RunFolder, LargeAndEmptyStatesComeBack) {
  TemporaryFolder folder;
  for (const std::string& state : {std::string(), std::string(5000000, 'z'), state_at(1)}) {
    const fs::path path = folder / std::to_string(state.size());
    { RunFolder::create(path).save_checkpoint({-5, state}); }
    EXPECT_LT(fs::file_size(path / "checkpoint"), 6000u);
    Checkpoint checkpoint;
    RunFolder::resume(path, checkpoint);
    EXPECT_EQ(checkpoint.step, -5);
    EXPECT_TRUE(checkpoint.state == state);
  }
}

class DamagedCheckpoint : public ::testing::Test {
 protected:
  DamagedCheckpoint() {
    RunFolder run = begun(path_);
    steps(run, 1, 7);  // checkpoints of the steps 6 and, before it, 3
  }

  // Resumes from step 3, and says why.
  void expect_previous(const std::string& reason) {
    Checkpoint checkpoint;
    {
      RunFolder run = RunFolder::resume(path_, checkpoint);
      EXPECT_EQ(checkpoint.step, 3);
      EXPECT_TRUE(checkpoint.state == state_at(3));
      expect_parts(run.resume_note(), {(path_ / "checkpoint").string(), reason, "going on from the one before it, step 3"});
      EXPECT_EQ(content(path_ / "metrics.csv"), "row 1\nrow 2\nrow 3\n");
    }
    // The damaged one is not met again.
    RunFolder run = RunFolder::resume(path_, checkpoint);
    EXPECT_EQ(run.resume_note(), "");
    EXPECT_EQ(checkpoint.step, 3);
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_ / "run";
};

TEST_F(DamagedCheckpoint, FlippedBitFallsBackToThePreviousOne) {
  std::string bytes = content(path_ / "checkpoint");
  bytes[bytes.size() / 2] ^= 4;
  fs::remove(path_ / "checkpoint");  // it may share its bytes with another name
  put(path_ / "checkpoint", bytes);
  expect_previous("checksum");
}

TEST_F(DamagedCheckpoint, TruncatedFallsBackToThePreviousOne) {
  fs::resize_file(path_ / "checkpoint", fs::file_size(path_ / "checkpoint") - 10);
  expect_previous("truncated");
}

TEST_F(DamagedCheckpoint, EmptyFallsBackToThePreviousOne) {
  fs::resize_file(path_ / "checkpoint", 0);
  expect_previous("truncated: it has 0 bytes");
}

TEST_F(DamagedCheckpoint, ForeignFileFallsBackToThePreviousOne) {
  fs::remove(path_ / "checkpoint");
  put(path_ / "checkpoint", std::string(200, 'q'));
  expect_previous("no checkpoint");
}

TEST_F(DamagedCheckpoint, GrowingFileShorterThanItSaysFallsBackToThePreviousOne) {
  fs::resize_file(path_ / "metrics.csv", 20);
  expect_previous("metrics.csv has 20 bytes");
}

TEST_F(DamagedCheckpoint, KillWhileTheNewOneTakesItsPlaceLosesNothing) {
  put(path_ / "checkpoint.partial", content(path_ / "checkpoint").substr(0, 30));
  fs::remove(path_ / "checkpoint.previous");
  Checkpoint checkpoint;
  RunFolder run = RunFolder::resume(path_, checkpoint);
  EXPECT_EQ(run.resume_note(), "");
  EXPECT_EQ(checkpoint.step, 6);
  EXPECT_FALSE(fs::exists(path_ / "checkpoint.partial"));
}

TEST_F(DamagedCheckpoint, BothDamagedIsRefusedAndNothingIsTouched) {
  for (const char* name : {"checkpoint", "checkpoint.previous"}) fs::resize_file(path_ / name, 30);
  const std::vector<std::string> before = files_in(path_);
  Checkpoint checkpoint;
  expect_parts(
      message_of(Failure::input, [&] { RunFolder::resume(path_, checkpoint); }),
      {(path_ / "checkpoint").string(), (path_ / "checkpoint.previous").string(), "truncated", "Run the experiment anew"});
  EXPECT_EQ(files_in(path_), before);
  EXPECT_EQ(content(path_ / "metrics.csv"), "row 1\nrow 2\nrow 3\nrow 4\nrow 5\nrow 6\nrow 7\n");
}

TEST_F(DamagedCheckpoint, AnyDamageOfOneByteIsFound) {
  const std::string bytes = content(path_ / "checkpoint");
  for (std::size_t place = 0; place < bytes.size(); place += place < 60 ? 1 : 97) {
    TemporaryFolder other("/dev/shm");
    fs::copy(path_, other / "run", fs::copy_options::recursive);
    std::string spoiled = bytes;
    spoiled[place] ^= 0x55;
    fs::remove(other / "run/checkpoint");
    put(other / "run/checkpoint", spoiled);
    Checkpoint checkpoint;
    RunFolder run = RunFolder::resume(other / "run", checkpoint);
    EXPECT_EQ(checkpoint.step, 3) << place;
    EXPECT_TRUE(checkpoint.state == state_at(3)) << place;
  }
}

TEST(RunFolder, FullDiskWhileSavingKeepsTheLastCheckpoint) {
  TemporaryFolder folder;
  {
    RunFolder run = begun(folder / "run");
    steps(run, 1, 3);
    expect_parts(message_of(Failure::environment,
                            [&] {
                              const FileSizeLimit full(500);
                              run.save_checkpoint({4, state_at(4)});
                            }),
                 {(folder / "run/checkpoint").string(), "File too large"});
    EXPECT_FALSE(fs::exists(folder / "run/checkpoint.partial"));
  }
  Checkpoint checkpoint;
  RunFolder run = RunFolder::resume(folder / "run", checkpoint);
  EXPECT_EQ(checkpoint.step, 3);
  EXPECT_TRUE(checkpoint.state == state_at(3));
}

TEST(RunFolderBadInput, FoldersThatAreNoNewRun) {
  TemporaryFolder folder;
  put(folder / "file", "text");
  const auto creating = [&](const std::string& name, Failure failure = Failure::input) {
    return message_of(failure, [&] { RunFolder::create(folder / name); });
  };
  expect_parts(creating("file"), {(folder / "file").string(), "something else", "--out"});
  expect_parts(creating(""), {folder.path().string(), "not empty", "Choose another folder"});
  expect_parts(creating("file/run", Failure::environment), {"file/run", "Not a directory"});
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(RunFolderBadInput, FoldersThatAreNoRunToResume) {
  TemporaryFolder folder;
  Checkpoint checkpoint;
  const auto resuming = [&](const fs::path& path) {
    return message_of(Failure::input, [&] { RunFolder::resume(path, checkpoint); });
  };
  expect_parts(resuming(folder / "missing"), {(folder / "missing").string(), "no such run folder"});
  expect_parts(resuming(folder.path()), {folder.path().string(), "not the folder of a run"});
  { RunFolder::create(folder / "run"); }
  expect_parts(resuming(folder / "run"), {"no checkpoint", "Run the experiment anew"});
}

TEST(RunFolderBadInput, SecondProcessOnTheSameRun) {
  TemporaryFolder folder;
  RunFolder run = begun(folder / "run");
  Checkpoint checkpoint;
  expect_parts(message_of(Failure::input, [&] { RunFolder::resume(folder / "run", checkpoint); }),
               {(folder / "run").string(), "another process writes this run", std::to_string(getpid())});
  const RunFolder moved = std::move(run);
  EXPECT_THROW(RunFolder::resume(folder / "run", checkpoint), Error);
}

TEST(RunFolderBadInput, NamesOutsideTheFolderOrOfItsOwnFilesAreRefused) {
  TemporaryFolder folder;
  RunFolder run = RunFolder::create(folder / "run");
  for (const char* name : {"../outside", "/tmp/outside", "a/../../outside", "", "a/", "checkpoint", "files.txt", "lock",
                           "x.partial", "two\nlines"}) {
    EXPECT_THROW(run.write(name, "x"), Error) << name;
    EXPECT_THROW(run.growing(name), Error) << name;
  }
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"run/files.txt"});
}

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
  EXPECT_EQ(run.resume_note(), "");
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
