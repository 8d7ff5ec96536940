#pragma once
// Batches of a plugin's operations on arrays by rows, [n][entries], as NumPy and other callers have them. The plugin ABI works
// on blocks of lanes, [block][entries][lane].

#include <cstddef>
#include <functional>
#include <vector>

namespace holo::python {

struct BatchInput {
  const double* rows;   // [n][entries]
  std::size_t entries;  // 0: the operation has no such input
};

struct BatchOutput {
  double* rows;           // [n][entries], or [n][order][order] of symmetric matrices
  std::size_t entries;    // that the operation writes for one row
  std::size_t order = 0;  // not 0: the entries are the upper half, by rows, of a symmetric matrix of this order
};

// Computes an operation for `block_count` blocks: inputs[i] is [block][entries of input i][lane], null without entries.
using BlockOperation = std::function<void(std::size_t block_count, const double* const* inputs, double* output)>;

// Runs the operation for all `count` rows, on all threads, a few blocks at a time, which stay in the cache between the
// operation and its conversions. The last block is padded with copies of the last row.
void run_batch(std::size_t count, const std::vector<BatchInput>& inputs, const BatchOutput& output,
               const BlockOperation& operation);

}  // namespace holo::python
