#include "holo/sim/losses/loss_sum.h"

namespace holo {

namespace {

constexpr std::size_t width = HOLO_LANE_WIDTH;

// Numbers in lanes, aligned as plugins need them. Grows and never shrinks.
class LaneArray {
 public:
  double* resized(std::size_t size) {
    if (size > lanes_.size()) lanes_.resize(size);
    return lanes_.empty() ? nullptr : lanes_.front().lane;
  }

 private:
  struct alignas(HOLO_BLOCK_ALIGNMENT) Lanes {
    double lane[width];
  };
  std::vector<Lanes> lanes_;
};

// Scratch memory of one thread.
struct LossScratch {
  LaneArray observables, data, outputs[HOLO_LOSS_OPERATION_COUNT];

  static LossScratch& of_this_thread() {
    thread_local LossScratch scratch;
    return scratch;
  }
};

}  // namespace

double* observable_lanes(std::size_t size) { return LossScratch::of_this_thread().observables.resized(size); }

const double* run_loss(const LossInstance& loss, holo_loss_operation operation, const double* observables, const LossData& data,
                       int first, int count) {
  LossScratch& scratch = LossScratch::of_this_thread();
  const holo_loss_description& description = loss.description();
  double* d = scratch.data.resized(description.datum_count);
  for (std::uint32_t i = 0; i < description.datum_count; ++i)
    for (std::size_t lane = 0; lane < width; ++lane)
      d[i * width + lane] = data.value(description.data[i], first + std::min(int(lane), count - 1));
  double* outputs = scratch.outputs[operation].resized(loss.output_size(operation));
  const holo_loss_batch batch = {sizeof(holo_loss_batch), 1, observables, d, outputs};
  loss.run(operation, batch);
  return outputs;
}

}  // namespace holo
