#pragma once
// Pairs of integers that several threads find, as one ascending list.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "holo/core/numerics/parallel.h"

namespace holo {

class PairList {
 public:
  static constexpr std::size_t chunk = 256;

  // Forgets all pairs. Pairs have a first number below `first_count`.
  void clear(std::size_t first_count) {
    first_count_ = first_count;
    used_ = 0;
  }

  // Calls find(i, emit) for i in [0, count); emit(first, second) adds a pair. Each pair is emitted once only.
  template <class Find>
  void collect(std::size_t count, Find find) {
    const std::size_t base = used_;
    used_ += (count + chunk - 1) / chunk;
    if (found_.size() < used_) found_.resize(used_);
    const auto body = [&](std::size_t begin, std::size_t end) {
      std::vector<Found>& own = found_[base + begin / chunk];
      own.clear();
      for (std::size_t i = begin; i < end; ++i) find(i, [&own](int first, int second) { own.push_back({first, second}); });
    };
    parallel_for(count, chunk, std::ref(body));
  }

  // All pairs, ascending: a counting sort by the first numbers, then a sort of each one's second numbers.
  template <class Pair>
  void sort_into(std::vector<Pair>& pairs) {
    begin_.assign(first_count_ + 1, 0);
    for (std::size_t c = 0; c < used_; ++c)
      for (const Found& pair : found_[c]) ++begin_[static_cast<std::size_t>(pair.first)];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    pairs.resize(begin_.back());
    for (std::size_t c = 0; c < used_; ++c)
      for (const Found& pair : found_[c]) pairs[--begin_[static_cast<std::size_t>(pair.first)]] = {pair.first, pair.second};
    const auto body = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin_[i]),
                  pairs.begin() + static_cast<std::ptrdiff_t>(begin_[i + 1]));
    };
    parallel_for(first_count_, 16 * chunk, std::ref(body));
  }

 private:
  struct Found {
    int first, second;
  };
  std::size_t first_count_ = 0, used_ = 0;
  std::vector<std::vector<Found>> found_;  // [chunk of a loop]
  std::vector<std::size_t> begin_;         // [first number] of its pairs
};

}  // namespace holo
