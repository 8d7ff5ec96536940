#pragma once
// Map from a file's numbers of its nodes, which may be sparse, to indices.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace holo {

class NodeNumbers {
 public:
  void add(std::int64_t number) { sorted_.emplace_back(number, static_cast<int>(sorted_.size())); }

  // Call once, after the last number; returns a number that occurs twice.
  std::optional<std::int64_t> finish() {
    const bool in_order = std::is_sorted(sorted_.begin(), sorted_.end());
    if (!in_order) std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t i = 1; i < sorted_.size(); ++i)
      if (sorted_[i].first == sorted_[i - 1].first) return sorted_[i].first;
    consecutive_ =
        in_order && !sorted_.empty() && sorted_.back().first - sorted_.front().first == std::int64_t(sorted_.size()) - 1;
    return {};
  }

  // -1: there is none of that number.
  int index(std::int64_t number) const {
    if (sorted_.empty() || number < sorted_.front().first || number > sorted_.back().first) return -1;
    if (consecutive_) return static_cast<int>(number - sorted_.front().first);
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{number, 0});
    return found != sorted_.end() && found->first == number ? found->second : -1;
  }

 private:
  std::vector<std::pair<std::int64_t, int>> sorted_;  // number, index
  bool consecutive_ = false;
};

}  // namespace holo
