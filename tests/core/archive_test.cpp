#include "holo/core/runs/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "holo/core/error.h"

namespace {

struct State {
  double time = 0;
  std::int64_t step = 0, last_frame = -1;
  bool converged = false;
  std::vector<int> selection;
  std::vector<double> values;
  std::string diagnosis;
  Eigen::MatrixXd positions = Eigen::MatrixXd::Zero(2, 3);
  Eigen::MatrixXd matrix;
  Eigen::VectorXd vector;

  void visit(holo::Archive& archive) {
    archive.visit(time);
    archive.visit(step, 1e9);
    archive.visit(last_frame, 1e9, -1);
    archive.visit(converged, 1);
    archive.visit(selection, 100);
    archive.visit(values);
    archive.visit(diagnosis, 1000);
    archive.visit(positions);
    archive.visit_sized(matrix);
    archive.visit_sized(vector);
  }
};

State example() {
  State state;
  state.time = std::nextafter(0.1, 1);
  state.step = 12;
  state.converged = true;
  state.selection = {3, 1, 4};
  state.values = {-0.0, std::numeric_limits<double>::denorm_min(), std::nan("7")};
  state.diagnosis = std::string("a\0b", 3);
  state.positions << 1, 2, 3, 4, 5, 1e-300;
  state.matrix = Eigen::MatrixXd::Identity(2, 2);
  state.vector = Eigen::VectorXd::Ones(2);
  return state;
}

std::string written(State state) {
  holo::Archive archive("example", 2);
  state.visit(archive);
  return archive.take_bytes();
}

State read(const std::string& bytes, const std::string& kind = "example", int version = 2) {
  State state;
  holo::Archive archive(kind, version, bytes);
  state.visit(archive);
  archive.require_end();
  return state;
}

std::string refusal(const std::string& bytes, const std::string& kind = "example", int version = 2) {
  try {
    read(bytes, kind, version);
  } catch (const holo::Error& error) {
    EXPECT_EQ(error.failure(), holo::Failure::input);
    return error.what();
  }
  return "";
}

TEST(Archive, AStateIsReadAsItWasWrittenBitForBit) {
  const std::string bytes = written(example());
  const State state = read(bytes);
  EXPECT_EQ(written(state), bytes);
  EXPECT_EQ(state.last_frame, -1);
  EXPECT_EQ(state.selection, (std::vector<int>{3, 1, 4}));
  EXPECT_EQ(state.diagnosis, std::string("a\0b", 3));
  EXPECT_TRUE(std::signbit(state.values[0]));
  EXPECT_EQ(state.positions(1, 2), 1e-300);
  EXPECT_EQ(state.matrix, example().matrix);
  EXPECT_EQ(state.vector, example().vector);
}

TEST(ArchiveBadInput, AnotherKindAndAnotherVersionAreRefused) {
  EXPECT_EQ(refusal(written(example()), "other"), "the checkpoint is of another experiment: it has another kind of state");
  EXPECT_EQ(refusal(written(example()), "example", 3),
            "the checkpoint is of another experiment: its layout has version 2, this program reads version 3");
}

TEST(ArchiveBadInput, EachTruncationAndOneByteMoreAreRefused) {
  const std::string bytes = written(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(refusal(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(refusal(bytes + "x"), "the checkpoint is of another experiment: it is too long");
}

TEST(ArchiveBadInput, ACountThatIsNoCountIsRefused) {
  const std::size_t header = 8 + 7 + 8;  // the length of "example", the name, the version
  for (const double count : {-1.0, 0.5, 1e10, std::nan("")}) {
    std::string bytes = written(example());
    std::memcpy(bytes.data() + header + 8, &count, sizeof(count));  // `step`, behind the time
    EXPECT_EQ(refusal(bytes), "the checkpoint is of another experiment: a count is none") << count;
  }
}

TEST(ArchiveBadInput, ASizeOfMoreNumbersThanThereAreIsRefusedWithoutMemoryForIt) {
  const std::string bytes = written(example());
  const std::size_t vector = bytes.size() - sizeof(double) * (1 + 2), matrix = vector - sizeof(double) * (2 + 4);
  const std::pair<std::size_t, double> damages[] = {{vector, 1e15}, {vector, 3}, {matrix, 1e15}, {matrix + 8, 1e15}};
  for (const auto& [at, size] : damages) {
    std::string damaged = bytes;
    std::memcpy(damaged.data() + at, &size, sizeof(size));
    EXPECT_EQ(refusal(damaged), "the checkpoint is of another experiment: it is too short") << at << " " << size;
  }
}

}  // namespace
