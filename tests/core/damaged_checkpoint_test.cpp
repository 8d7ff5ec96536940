// A damaged checkpoint is found, and the one before it taken.
#include <cstring>

#include "run_folder_fixture.h"
#include "runs/checkpoint_file.h"
#include "runs/file_system.h"

namespace holo {
namespace {

using namespace run_folder_fixture;

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
      expect_line_with(run.note(), {(path_ / "checkpoint").string(), reason, "going on from the one before it, step 3"});
      EXPECT_EQ(content(path_ / "metrics.csv"), "row 1\nrow 2\nrow 3\n");
    }
    // The damaged one is not met again.
    RunFolder run = RunFolder::resume(path_, checkpoint);
    EXPECT_EQ(run.note(), "");
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
  EXPECT_EQ(run.note(), "");
  EXPECT_EQ(checkpoint.step, 6);
  EXPECT_FALSE(fs::exists(path_ / "checkpoint.partial"));
}

TEST_F(DamagedCheckpoint, BothDamagedIsRefusedAndNothingIsTouched) {
  for (const char* name : {"checkpoint", "checkpoint.previous"}) fs::resize_file(path_ / name, 30);
  const std::vector<std::string> before = files_in(path_);
  Checkpoint checkpoint;
  expect_line_with(
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

// Its checksum is right: it was made so.
TEST(CheckpointFile, ASizeOtherThanItsContentsAsksForNoMemory) {
  const std::string good = encode_checkpoint({7, state_at(7)}, {});
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    std::string bytes = good;
    const std::uint64_t none = 0;
    std::memcpy(bytes.data() + 16, &size, sizeof size);
    std::memcpy(bytes.data() + 32, &none, sizeof none);
    const std::uint64_t checksum = fnv1a(bytes);
    std::memcpy(bytes.data() + 32, &checksum, sizeof checksum);
    expect_line_with(message_of(Failure::input, [&] { decode_checkpoint(bytes); }), {"names another size than its content"});
  }
}

}  // namespace
}  // namespace holo
