#include "elastic/element/element_differences.h"

#include <algorithm>

#include "elastic/element/lane_width.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

// Powers of two near the steps at which rounding and truncation are equal: e^(1/2), e^(1/3), e^(1/4) for a rounding e.
constexpr double forward_stress_step = 0x1p-26, forward_hessian_step = 0x1p-17;
constexpr double central_stress_step = 0x1p-17, central_hessian_step = 0x1p-13;

// The energy of one block of a batch, with entries of F moved.
class MovedEnergy {
 public:
  MovedEnergy(const holo_batch& batch, std::uint64_t block, holo_batch_function energy) : energy_(energy), batch_(batch) {
    std::copy_n(batch.deformation_gradient + block * 9 * W, 9 * W, F_);
    batch_.block_count = 1;
    batch_.deformation_gradient = F_;
    batch_.coefficients = batch.coefficients + block * batch.coefficient_stride;
    batch_.output = value_;
  }

  LaneBlock unmoved() { return moved(0, 0, 0, 0); }
  LaneBlock moved(int i, double di) { return moved(i, di, i, 0); }
  LaneBlock moved(int i, double di, int j, double dj) {
    const LaneBlock before_i = entry(i), before_j = entry(j);
    (before_i + LaneBlock(di)).store(F_ + i * W);
    (entry(j) + LaneBlock(dj)).store(F_ + j * W);
    energy_(&batch_);
    before_j.store(F_ + j * W);
    before_i.store(F_ + i * W);
    return LaneBlock::load(value_);
  }

 private:
  LaneBlock entry(int i) const { return LaneBlock::load(F_ + i * W); }

  holo_batch_function energy_;
  holo_batch batch_;
  alignas(HOLO_BLOCK_ALIGNMENT) double F_[9 * W];
  alignas(HOLO_BLOCK_ALIGNMENT) double value_[W];
};

void forward_stress(MovedEnergy& energy, double* P) {
  constexpr double h = forward_stress_step;
  const LaneBlock here = energy.unmoved();
  for (int i = 0; i < 9; ++i) ((energy.moved(i, h) - here) * LaneBlock(1 / h)).store(P + i * W);
}

void central_stress(MovedEnergy& energy, double* P) {
  constexpr double h = central_stress_step;
  for (int i = 0; i < 9; ++i) ((energy.moved(i, h) - energy.moved(i, -h)) * LaneBlock(0.5 / h)).store(P + i * W);
}

void forward_hessian(MovedEnergy& energy, double* H) {
  constexpr double h = forward_hessian_step;
  const LaneBlock here = energy.unmoved();
  LaneBlock ahead[9];
  for (int i = 0; i < 9; ++i) ahead[i] = energy.moved(i, h);
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, H += W)
      ((energy.moved(i, h, j, h) - ahead[i] - (ahead[j] - here)) * LaneBlock(1 / (h * h))).store(H);
}

void central_hessian(MovedEnergy& energy, double* H) {
  constexpr double h = central_hessian_step;
  const LaneBlock here = energy.unmoved();
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, H += W) {
      const LaneBlock difference = i == j ? 4.0 * (energy.moved(i, h) - here + (energy.moved(i, -h) - here))
                                          : energy.moved(i, h, j, h) - energy.moved(i, h, j, -h) -
                                                (energy.moved(i, -h, j, h) - energy.moved(i, -h, j, -h));
      (difference * LaneBlock(0.25 / (h * h))).store(H);
    }
}

ElementFunction each_block(holo_batch_function energy, int entries, void (*difference)(MovedEnergy&, double*)) {
  return [energy, entries, difference](const holo_batch* batch) {
    for (std::uint64_t block = 0; block < batch->block_count; ++block) {
      MovedEnergy moved(*batch, block, energy);
      difference(moved, batch->output + block * entries * W);
    }
  };
}

}  // namespace

ElementOperations difference_operations(ElementDifferentiation mode, holo_batch_function energy) {
  if (mode == ElementDifferentiation::forward_difference)
    return {each_block(energy, 9, forward_stress),
            each_block(energy, 45, forward_hessian),
            {},
            "forward differences of the energy, 9, step 2^-26",
            "forward differences of the energy, 45, step 2^-17",
            ""};
  return {each_block(energy, 9, central_stress),
          each_block(energy, 45, central_hessian),
          {},
          "central differences of the energy, 9, step 2^-17",
          "central differences of the energy, 45, step 2^-13",
          ""};
}

}  // namespace holo
