#pragma once
// Targets of losses for positions as they are drawn: a ring at each target, and a line to it from the point that follows it.
//
// A loss has one if it observes a single position at this step, that of a point or of a center of mass, and is 0 somewhere: its
// target is there. So no names of plugins are needed here.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/study/scene.h"

namespace holo {

class PositionTargets {
 public:
  static constexpr std::int64_t every_phase = -1;

  struct Target {
    std::string loss;
    Eigen::Vector3d observed, wanted;  // [m]; an entry without weight is the same in both
  };

  PositionTargets(const std::shared_ptr<const ElasticModel>& model, const SignalStore& signals, double time_step);

  // Adds those of the losses that have a target; they have one in this phase only.
  void add(const std::vector<NamedLoss>& losses, std::int64_t phase = every_phase);

  // The target of each loss at a state in a phase, which began at `first_step`: none in another phase, and where a signal of
  // the loss has no value.
  std::vector<std::optional<Target>> at(const ElasticState& state, std::int64_t phase = 0, std::int64_t first_step = 0) const;

  void add_to(Scene& scene) const;
  // Appends the points of the glyphs to a frame with positions; a loss without a target now gets a ring and a line without
  // length at the first vertex, which are not drawn.
  void draw(const std::vector<std::optional<Target>>& targets, SceneFrame& frame) const;

 private:
  std::optional<Target> target(std::size_t number, const ElasticState& counted) const;

  LossSum<ElasticObservables> losses_;
  LossData data_;
  std::vector<std::int64_t> phases_;  // [loss]
  double length_;                     // of the scene [m]
};

}  // namespace holo
