#include "batches.h"

#include <algorithm>
#include <cstdint>

#include "holo/core/abi.h"
#include "holo/core/numerics/aligned_array.h"
#include "holo/core/numerics/parallel.h"

namespace holo::python {

namespace {

constexpr std::size_t lanes = HOLO_LANE_WIDTH;
constexpr std::size_t blocks_at_once = 8;
constexpr std::size_t rows_at_once = blocks_at_once * lanes;
constexpr std::size_t rows_of_a_task = 16 * rows_at_once;

// Entries of a row are contiguous, and those of a block are `lanes` apart. The number of entries is a template parameter where
// operations of materials have it (0: any other): the loops over entries are then without branches.
template <std::size_t fixed>
void pack_rows(const double* rows, std::size_t count, std::size_t any, double* blocks) {
  const std::size_t entries = fixed > 0 ? fixed : any;
  for (std::size_t first = 0; first < count; first += lanes, blocks += entries * lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double* const row = rows + std::min(first + lane, count - 1) * entries;
      for (std::size_t k = 0; k < entries; ++k) blocks[k * lanes + lane] = row[k];
    }
}

template <std::size_t fixed>
void unpack_rows(const double* blocks, std::size_t count, std::size_t any, double* rows) {
  const std::size_t entries = fixed > 0 ? fixed : any;
  for (std::size_t first = 0; first < count; first += lanes, blocks += entries * lanes)
    for (std::size_t lane = 0; lane < std::min(lanes, count - first); ++lane) {
      double* const row = rows + (first + lane) * entries;
      for (std::size_t k = 0; k < entries; ++k) row[k] = blocks[k * lanes + lane];
    }
}

void pack(const double* rows, std::size_t count, std::size_t entries, double* blocks) {
  entries == 9 ? pack_rows<9>(rows, count, 9, blocks) : pack_rows<0>(rows, count, entries, blocks);
}

void unpack(const double* blocks, std::size_t count, std::size_t entries, double* rows) {
  if (entries == 1)
    std::copy_n(blocks, count, rows);
  else
    entries == 9 ? unpack_rows<9>(blocks, count, 9, rows) : unpack_rows<0>(blocks, count, entries, rows);
}

// For each entry of a symmetric matrix, by rows, its place in the upper half.
std::vector<std::size_t> upper_half_places(std::size_t order) {
  std::vector<std::size_t> places(order * order);
  std::size_t next = 0;
  for (std::size_t i = 0; i < order; ++i)
    for (std::size_t j = i; j < order; ++j) places[i * order + j] = places[j * order + i] = next++;
  return places;
}

void unpack_symmetric(const double* blocks, std::size_t count, std::size_t entries, const std::vector<std::size_t>& places,
                      double* rows) {
  for (std::size_t first = 0; first < count; first += lanes, blocks += entries * lanes)
    for (std::size_t lane = 0; lane < std::min(lanes, count - first); ++lane) {
      double* const row = rows + (first + lane) * places.size();
      for (std::size_t k = 0; k < places.size(); ++k) row[k] = blocks[places[k] * lanes + lane];
    }
}

// Memory of one thread: blocks of all inputs and of the output.
struct Blocks {
  AlignedArray numbers;
  std::vector<double*> inputs;
  double* output = nullptr;

  void reserve(const std::vector<BatchInput>& all, std::size_t output_entries) {
    std::size_t size = output_entries;
    for (const BatchInput& input : all) size += input.entries;
    if (numbers.size() < size * rows_at_once) numbers = AlignedArray(size * rows_at_once);
    double* next = numbers.data();
    inputs.clear();
    for (const BatchInput& input : all) {
      inputs.push_back(input.entries == 0 ? nullptr : next);
      next += input.entries * rows_at_once;
    }
    output = next;
  }
};

}  // namespace

void run_batch(std::size_t count, const std::vector<BatchInput>& inputs, const BatchOutput& output,
               const BlockOperation& operation) {
  const std::vector<std::size_t> places = upper_half_places(output.order);
  const std::size_t row_size = output.order == 0 ? output.entries : places.size();
  parallel_for(count, rows_of_a_task, [&](std::size_t begin, std::size_t end) {
    static thread_local Blocks blocks;
    blocks.reserve(inputs, output.entries);
    for (std::size_t first = begin; first < end; first += rows_at_once) {
      const std::size_t here = std::min(rows_at_once, end - first);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].entries > 0) pack(inputs[i].rows + first * inputs[i].entries, here, inputs[i].entries, blocks.inputs[i]);
      operation((here + lanes - 1) / lanes, blocks.inputs.data(), blocks.output);
      double* const rows = output.rows + first * row_size;
      if (output.order == 0)
        unpack(blocks.output, here, output.entries, rows);
      else
        unpack_symmetric(blocks.output, here, output.entries, places, rows);
    }
  });
}

}  // namespace holo::python
