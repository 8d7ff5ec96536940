#include "dynamics/muscle/muscle_energy.h"

#include <algorithm>

namespace holo {

// Each block's fibers, with a weight for each of its lanes.
struct MuscleEnergy::Blocks {
  std::vector<std::vector<Fiber>> fibers;
  std::vector<std::vector<double>> weights;  // [fiber of the block][lane]
};

MuscleEnergy::MuscleEnergy(std::shared_ptr<const ElasticModel> model, Chosen chosen)
    : model_(std::move(model)), chosen_(chosen) {
  Blocks blocks;
  blocks.fibers.resize(model_->block_count());
  blocks.weights.resize(model_->block_count());
  Eigen::Index segments = 0;
  for (const ElasticBody& body : model_->bodies()) {
    if (!acts_on(body)) continue;
    add_body(body, segments, blocks);
    segments += static_cast<Eigen::Index>(body.muscles->segments.size());
  }
  activations_.resize(segments);
  each_piece([&](const Muscle& muscle, int, Eigen::Index k) { activations_[k] = muscle.activation.value; });
  blocks_of_segment_.resize(static_cast<std::size_t>(segments));
  std::vector<double> weights;
  for (std::size_t block = 0; block < blocks.fibers.size(); ++block) {
    first_fiber_.push_back(fibers_.size());
    fibers_.insert(fibers_.end(), blocks.fibers[block].begin(), blocks.fibers[block].end());
    weights.insert(weights.end(), blocks.weights[block].begin(), blocks.weights[block].end());
    for (const Fiber& fiber : blocks.fibers[block])
      blocks_of_segment_[static_cast<std::size_t>(fiber.segment)].push_back(block);
  }
  first_fiber_.push_back(fibers_.size());
  weights_ = AlignedArray(weights.size());
  std::copy(weights.begin(), weights.end(), weights_.data());
}

// Each segment becomes a fiber of every block with a point of an element that it reaches. Its elements ascend, but not their
// blocks.
void MuscleEnergy::add_body(const ElasticBody& body, Eigen::Index first_segment, Blocks& blocks) const {
  std::vector<std::size_t> place(static_cast<std::size_t>(model_->element_count()));  // block * W + lane of its first point
  for (std::size_t block = body.first_block; block < body.first_block + body.block_count; block += body.points)
    for (std::size_t at = block * W; at < (block + 1) * W; ++at)
      if (const int element = model_->packed_elements()[at]; element >= 0) place[static_cast<std::size_t>(element)] = at;
  for (const MuscleSegment& segment : body.muscles->segments) {
    const Eigen::Vector3d& d = segment.direction;
    const Fiber fiber{first_segment++, {d[0], d[1], d[2]}};
    for (const auto& [element, weight] : segment.weights)
      for (std::size_t point = 0; point < body.points; ++point) {
        const std::size_t at = place[static_cast<std::size_t>(element)], block = at / W + point;
        std::vector<double>& weights = blocks.weights[block];
        if (blocks.fibers[block].empty() || blocks.fibers[block].back().segment != fiber.segment) {
          blocks.fibers[block].push_back(fiber);
          weights.resize(weights.size() + W, 0.0);
        }
        weights[weights.size() - W + at % W] = weight;
      }
  }
}

template <class Visit>
void MuscleEnergy::each_piece(const Visit& visit) const {
  Eigen::Index parameter = 0;
  for (const ElasticBody& body : model_->bodies())
    if (acts_on(body))
      for (const Muscle& muscle : body.muscles->muscles)
        for (int piece = 0; piece < muscle.segment_count; ++piece) visit(muscle, piece, parameter++);
}

void MuscleEnergy::begin_step(const StepContext& context) {
  each_piece([&](const Muscle& muscle, int piece, Eigen::Index k) {
    if (muscle.activation.samples) activations_[k] = muscle.activation.at(context.end_time, piece);
  });
}

}  // namespace holo
