// Runs that are resumed, and folders that cannot be.
#include <sys/wait.h>
#include <unistd.h>

#include "run_folder_fixture.h"

namespace holo {
namespace {

using namespace run_folder_fixture;

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
  EXPECT_EQ(run.note(), "");
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

TEST(RunFolder, FullDiskWhileSavingKeepsTheLastCheckpoint) {
  TemporaryFolder folder;
  {
    RunFolder run = begun(folder / "run");
    steps(run, 1, 3);
    expect_line_with(message_of(Failure::environment,
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
  expect_line_with(creating("file"), {(folder / "file").string(), "something else", "--out"});
  expect_line_with(creating(""), {folder.path().string(), "not empty", "Choose another folder"});
  expect_line_with(creating("file/run", Failure::environment), {"file/run", "Not a directory"});
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(RunFolderBadInput, FoldersThatAreNoRunToResume) {
  TemporaryFolder folder;
  Checkpoint checkpoint;
  const auto resuming = [&](const fs::path& path) {
    return message_of(Failure::input, [&] { RunFolder::resume(path, checkpoint); });
  };
  expect_line_with(resuming(folder / "missing"), {(folder / "missing").string(), "no such run folder"});
  expect_line_with(resuming(folder.path()), {folder.path().string(), "not the folder of a run"});
  { RunFolder::create(folder / "run"); }
  expect_line_with(resuming(folder / "run"), {"no checkpoint", "Run the experiment anew"});
}

TEST(RunFolderBadInput, SecondProcessOnTheSameRun) {
  TemporaryFolder folder;
  RunFolder run = begun(folder / "run");
  Checkpoint checkpoint;
  expect_line_with(message_of(Failure::input, [&] { RunFolder::resume(folder / "run", checkpoint); }),
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

}  // namespace
}  // namespace holo
