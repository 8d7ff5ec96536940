#include "holo/diff/lanes/lane_transposition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace holo {
namespace {

constexpr int width = LaneBlock::width;

void fill(LaneBlock::Values (&rows)[width]) {
  for (int r = 0; r < width; ++r)
    for (int i = 0; i < width; ++i) rows[r][i] = 100 * r + i;
}

TEST(LaneTransposition, InRegistersExchangesRowsAndLanes) {
  LaneBlock::Values rows[width];
  fill(rows);
  transpose_lanes(rows);
  for (int r = 0; r < width; ++r)
    for (int i = 0; i < width; ++i) EXPECT_EQ(100 * i + r, rows[r][i]);
}

TEST(LaneTransposition, StoresAndLoadsAreInversesWithAStride) {
  constexpr std::size_t stride = 3 * width;
  alignas(64) double memory[width * stride];
  std::fill(std::begin(memory), std::end(memory), -1.0);
  LaneBlock::Values rows[width], loaded[width];
  fill(rows);
  store_transposed(rows, memory + width, stride);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t k = 0; k < stride; ++k)
      EXPECT_EQ(k < width || k >= 2 * width ? -1.0 : 100.0 * double(k - width) + double(i), memory[i * stride + k]);
  load_transposed(memory + width, stride, loaded);
  for (int r = 0; r < width; ++r)
    for (int i = 0; i < width; ++i) EXPECT_EQ(100 * r + i, loaded[r][i]);
}

TEST(LaneTransposition, OfHalfTheRowsWritesHalfAsMuch) {
  std::vector<double> memory(width * width, -1.0);
  LaneBlock::Values rows[width];
  fill(rows);
  store_transposed<width / 2>(rows, memory.data(), width);
  for (int i = 0; i < width; ++i)
    for (int k = 0; k < width; ++k) EXPECT_EQ(k < width / 2 ? 100 * k + i : -1.0, memory[std::size_t(i * width + k)]);
}

}  // namespace
}  // namespace holo
