#include "elastic/element/element_damping.h"

#include "elastic/element/lane_width.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
void add_damping_stress(std::size_t count, const double* F, const double* F_start, const double* K, double* stress) {
  for (std::size_t block = 0; block < count; ++block, F += 9 * W, F_start += 9 * W, K += 45 * W, stress += 9 * W) {
    LaneBlock change[9], force[9];
    for (std::size_t i = 0; i < 9; ++i) {
      change[i] = LaneBlock::load(F + i * W) - LaneBlock::load(F_start + i * W);
      force[i] = LaneBlock(0.0);
    }
    // K has its upper half by rows: each entry off the diagonal acts twice.
    std::size_t entry = 0;
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = i; j < 9; ++j, ++entry) {
        const LaneBlock k = LaneBlock::load(K + entry * W);
        force[i] += k * change[j];
        if (j > i) force[j] += k * change[i];
      }
    for (std::size_t i = 0; i < 9; ++i) (LaneBlock::load(stress + i * W) + force[i]).store(stress + i * W);
  }
}

double damping_energy(const double* F, const double* F_start, const double* K, const double* volume) {
  LaneBlock change[9], total(0.0);
  for (std::size_t i = 0; i < 9; ++i) change[i] = LaneBlock::load(F + i * W) - LaneBlock::load(F_start + i * W);
  std::size_t entry = 0;
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = i; j < 9; ++j, ++entry)
      total += LaneBlock(j == i ? 0.5 : 1.0) * LaneBlock::load(K + entry * W) * change[i] * change[j];
  return sum(LaneBlock::load(volume) * total);
}

}  // namespace holo
