#pragma once
// Segments of the muscles of all bodies with some law, cut into blocks of elements, and their activations, which are the
// parameters: what all laws share.

#include <memory>
#include <vector>

#include "holo/core/numerics/aligned_array.h"
#include "holo/sim/dynamics/element_energy.h"
#include "holo/sim/muscle/muscle_fibers.h"

namespace holo {

class MuscleEnergy : public ElementEnergy {
 public:
  std::string name(const ElasticBody& body) const override { return "muscles of '" + body.name + "'"; }
  bool acts_on(const ElasticBody& body) const override { return body.muscles && chosen_(body.muscles->law); }
  // Muscles that follow a signal take its values at the end of the step.
  void begin_step(const StepContext& context) override;
  // The activations, body by body, segment by segment [Pa].
  Eigen::Index parameter_count() const override { return activations_.size(); }
  bool has_activations() const override { return true; }
  Eigen::VectorXd parameters() const override { return activations_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { activations_ = values; }
  const std::vector<std::size_t>* parameter_blocks(Eigen::Index parameter) const override {
    return &blocks_of_segment_[static_cast<std::size_t>(parameter)];
  }

 protected:
  using Chosen = bool (*)(MuscleLaw);
  static constexpr std::size_t W = HOLO_LANE_WIDTH;

  // One segment in one block of elements.
  struct Fiber {
    Eigen::Index segment;  // among the parameters
    double direction[3];   // at rest, unit
  };

  MuscleEnergy(std::shared_ptr<const ElasticModel> model, Chosen chosen);

  const ElasticModel& model() const { return *model_; }
  double activation(const Fiber& fiber) const { return activations_[fiber.segment]; }
  const double* activations() const { return activations_.data(); }
  const std::vector<Fiber>& fibers() const { return fibers_; }                            // block by block
  const double* weights(std::size_t fiber) const { return weights_.data() + fiber * W; }  // [lane], 0 where it does not reach
  // visit(block, first of its fibers, end of them) for blocks; `block` counts from the first of them.
  template <class Visit>
  void each_block(const ElementBlocks& blocks, const Visit& visit) const {
    for (std::size_t n = 0; n < blocks.count; ++n)
      visit(n, first_fiber_[blocks.first_block + n], first_fiber_[blocks.first_block + n + 1]);
  }
  // visit(block, number of the fiber)
  template <class Visit>
  void each_fiber(const ElementBlocks& blocks, const Visit& visit) const {
    each_block(blocks, [&](std::size_t n, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) visit(n, i);
    });
  }

 private:
  struct Blocks;  // under construction
  void add_body(const ElasticBody& body, Eigen::Index first_segment, Blocks& blocks) const;
  // visit(muscle, piece, parameter) for the pieces of all muscles.
  template <class Visit>
  void each_piece(const Visit& visit) const;

  std::shared_ptr<const ElasticModel> model_;
  Chosen chosen_;
  Eigen::VectorXd activations_;                              // [segment] [Pa]
  std::vector<Fiber> fibers_;                                // block by block
  std::vector<std::size_t> first_fiber_;                     // [block + 1]
  AlignedArray weights_;                                     // [fiber][lane]
  std::vector<std::vector<std::size_t>> blocks_of_segment_;  // ascending
};

}  // namespace holo
