// Files of a run that were changed, damaged or removed are found, and folders that hold the beginning of a run can be used.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_folder_fixture.h"

namespace holo {
namespace {

using namespace run_folder_fixture;

class RunIntegrity : public ::testing::Test {
 protected:
  RunIntegrity() {
    RunFolder run = begun(path_);
    steps(run, 1, 7);  // checkpoints of the steps 6 and, before it, 3
  }

  void change(const std::string& file, std::size_t place) {
    std::string bytes = content(path_ / file);
    ASSERT_LT(place, bytes.size());
    bytes[place] ^= 1;
    put(path_ / file, bytes);
  }

  void expect_refused(const std::vector<std::string>& parts) {
    const std::vector<std::string> before = files_in(path_);
    Checkpoint checkpoint;
    expect_line_with(message_of(Failure::input, [&] { RunFolder::resume(path_, checkpoint); }), parts);
    EXPECT_EQ(files_in(path_), before);
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_ / "run";
};

TEST_F(RunIntegrity, ChangedDigitOfAGrowingFileIsRefusedByName) {
  change("metrics.csv", 4);
  expect_refused({"the file metrics.csv was changed or damaged", "its first", "Run the experiment anew"});
  expect_line_with(message_of(Failure::input, [&] { require_undamaged(path_, {"metrics.csv"}); }),
                   {path_.string(), "metrics.csv was changed or damaged", "un the experiment anew"});
  require_undamaged(path_, {"frames.bin"});
}

TEST_F(RunIntegrity, DamageAfterThePreviousCheckpointGoesOnFromThatOne) {
  change("frames.bin", 450);
  Checkpoint checkpoint;
  RunFolder run = RunFolder::resume(path_, checkpoint);
  EXPECT_EQ(checkpoint.step, 3);
  expect_line_with(run.note(), {"frames.bin was changed or damaged", "going on from the one before it, step 3"});
}

TEST_F(RunIntegrity, DamageAfterTheLastCheckpointIsCutOff) {
  change("frames.bin", 650);
  Checkpoint checkpoint;
  EXPECT_EQ(RunFolder::resume(path_, checkpoint).note(), "");
  EXPECT_EQ(checkpoint.step, 6);
}

TEST_F(RunIntegrity, ChecksumsGoOnAfterResuming) {
  Checkpoint checkpoint;
  {
    RunFolder run = RunFolder::resume(path_, checkpoint);
    steps(run, 7, 12);
  }
  EXPECT_EQ(RunFolder::resume(path_, checkpoint).note(), "");
  EXPECT_EQ(checkpoint.step, 12);
  change("frames.bin", 0);
  expect_refused({"frames.bin was changed or damaged"});
}

TEST_F(RunIntegrity, ChangedLongerAndMissingWholeFilesAreRefusedByName) {
  const std::string frame = content(path_ / "frames/step_2.vtu");
  change("frames/step_2.vtu", 1);
  expect_refused({"the file frames/step_2.vtu was changed or damaged"});
  put(path_ / "frames/step_2.vtu", frame + "x");
  expect_refused({"the file frames/step_2.vtu has 8 bytes, more than the 7"});
  fs::remove(path_ / "frames/step_2.vtu");
  expect_refused({"the file frames/step_2.vtu is missing"});
  put(path_ / "frames/step_2.vtu", frame);
  change("experiment.yaml", 2);
  expect_refused({"the file experiment.yaml was changed or damaged"});
}

TEST_F(RunIntegrity, ShortenedListOfFilesIsRefusedByName) {
  put(path_ / "files.txt", "");
  expect_refused({"the file files.txt has 0 bytes, fewer than the", "Run the experiment anew"});
  for (const char* asked : {"metrics.csv", "frames/step_2.vtu", "letter.txt"})
    expect_line_with(message_of(Failure::input, [&] { require_undamaged(path_, {asked}); }),
                     {path_.string(), "the file files.txt has 0 bytes, fewer than the"});
}

TEST_F(RunIntegrity, RunWhoseCheckpointsCannotBeReadIsNotTakenForUndamaged) {
  for (const char* name : {"checkpoint", "checkpoint.previous"}) {
    require_undamaged(path_, {"metrics.csv"});
    put(path_ / name, "");
  }
  expect_line_with(message_of(Failure::input, [&] { require_undamaged(path_, {"metrics.csv"}); }),
                   {"checkpoint cannot be used", "checkpoint.previous cannot be used", "un the experiment anew"});
}

TEST(RunFolder, FileThatIsWrittenAgainAndBackIsTheLastOne) {
  TemporaryFolder folder;
  {
    RunFolder run = begun(folder / "run");
    for (const char* text : {"b", "a", "b", "a"}) run.write("notes", text);
    for (int step : {1, 2}) run.save_checkpoint({step, "state"});  // both know it
  }
  Checkpoint checkpoint;
  EXPECT_EQ(RunFolder::resume(folder / "run", checkpoint).note(), "");
  put(folder / "run/notes", "b");
  expect_line_with(message_of(Failure::input, [&] { RunFolder::resume(folder / "run", checkpoint); }), {"notes was changed"});
}

// --- folders in which a run was ended before its first checkpoint

void begin_without_checkpoint(const fs::path& path) {
  RunFolder run = RunFolder::create(path);
  run.write("experiment.yaml", "name: test\n");
  put(path / "provenance.json.77-0.partial", "{");
}

TEST(RunFolder, BeginningWithoutACheckpointIsTakenOverAndToldOf) {
  TemporaryFolder folder;
  begin_without_checkpoint(folder / "run");
  RunFolder run = RunFolder::create(folder / "run");
  expect_line_with(run.note(), {(folder / "run").string(), "ended before its first checkpoint", "removed"});
  EXPECT_EQ(files_in(folder / "run"), std::vector<std::string>{"files.txt"});
  EXPECT_EQ(content(folder / "run/files.txt"), "");
}

TEST(RunFolderBadInput, BeginningWithTheUsersOwnFilesIsLeftAlone) {
  for (const char* kind : {"added", "changed", "folder", "link", "list"}) {
    TemporaryFolder folder;
    const fs::path path = folder / "run";
    begin_without_checkpoint(path);
    const std::string name = kind;
    if (name == "added") put(path / "letter.txt", "mine");
    if (name == "changed") put(path / "experiment.yaml", "name: mine\n");
    if (name == "folder") fs::create_directory(path / "frames");
    if (name == "link") fs::create_symlink(path / "experiment.yaml", path / "link");
    if (name == "list") put(path / "files.txt", "experiment.yaml\n");
    const std::vector<std::string> before = files_in(path);
    expect_line_with(message_of(Failure::input, [&] { RunFolder::create(path); }), {path.string(), "not empty"});
    EXPECT_EQ(files_in(path), before) << kind;
  }
}

TEST(RunFolderBadInput, RunWithoutACheckpointSaysSoWhenItIsResumed) {
  TemporaryFolder folder;
  begin_without_checkpoint(folder / "run");
  Checkpoint checkpoint;
  expect_line_with(message_of(Failure::input, [&] { RunFolder::resume(folder / "run", checkpoint); }),
                   {"ended before its first one", "--out may name this folder"});
}

// --- links and names

TEST(RunFolderBadInput, LockThatIsALinkIsNotFollowed) {
  TemporaryFolder folder;
  put(folder / "letter.txt", "mine");
  fs::create_directory(folder / "run");
  fs::create_symlink(folder / "letter.txt", folder / "run/lock");
  expect_line_with(message_of(Failure::input, [&] { RunFolder::create(folder / "run"); }),
                   {"run/lock is a symbolic link", "Remove"});
  EXPECT_EQ(content(folder / "letter.txt"), "mine");
}

TEST(RunFolderBadInput, DanglingLinksAndTooLongNamesAreNamedForWhatTheyAre) {
  TemporaryFolder folder;
  fs::create_symlink(folder / "nowhere", folder / "link");
  expect_line_with(message_of(Failure::input, [&] { RunFolder::create(folder / "link"); }),
                   {(folder / "link").string(), "a symbolic link to nowhere", (folder / "nowhere").string()});
  expect_line_with(message_of(Failure::input, [&] { RunFolder::create(folder / std::string(256, 'x')); }),
                   {"File name too long", "Choose another folder"});
}

// --- one file, many writers

TEST(WholeFile, ManyWritersAtOnceAllSucceedAndOneOfTheirFilesIsThere) {
  TemporaryFolder folder("/dev/shm");
  std::vector<pid_t> writers;
  for (int i = 0; i < 8; ++i) {
    writers.push_back(fork());
    if (writers.back() != 0) continue;
    try {
      for (int k = 0; k < 100; ++k) write_whole_file(folder / "file", std::string(20000, static_cast<char>('a' + i)));
      _exit(0);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "%s\n", failure.what());
      _exit(1);
    }
  }
  for (pid_t writer : writers) {
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::string text = content(folder / "file");
  EXPECT_EQ(text, std::string(20000, text[0]));
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(RunFolder, ResumingLeavesThePartialFileOfALivingWriterAlone) {
  TemporaryFolder folder;
  { begun(folder / "run"); }
  const fs::path partial = folder / "run/report.html.77-0.partial";
  put(partial, "half a report");
  const int writer = open(partial.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);
  Checkpoint checkpoint;
  { RunFolder::resume(folder / "run", checkpoint); }
  EXPECT_TRUE(fs::exists(partial));
  close(writer);
  { RunFolder::resume(folder / "run", checkpoint); }
  EXPECT_FALSE(fs::exists(partial));
}

}  // namespace
}  // namespace holo
