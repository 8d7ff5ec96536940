#pragma once
// Symmetric matrices of deformations as their upper half by rows: positions and numbers of entries.

namespace holo {

// Position of entry (i, j) of a symmetric N x N matrix in its upper half by rows.
template <int N>
constexpr int upper_index(int i, int j) {
  return i <= j ? i * N - i * (i - 1) / 2 + j - i : upper_index<N>(j, i);
}
inline constexpr int upper_count_9 = 45;
inline constexpr int upper_count_12 = 78;

}  // namespace holo
