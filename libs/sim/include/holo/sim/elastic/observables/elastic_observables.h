#pragma once
// The observables of elastic bodies for losses (losses/loss_sum.h): the kinds of elastic_observable.h, of bodies, of named
// subsets of their vertices and of segments of their muscles, at this and up to two earlier time steps.
//
//   LossSum<ElasticObservables> losses(ElasticObservables(model));
//   losses.add({"track_position.arm.tip", instance});
//   losses.evaluate({{&state, &one_before, nullptr}}, data, step, step + 1, &value);

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_state.h"
#include "holo/sim/elastic/observables/elastic_observable.h"
#include "holo/sim/losses/loss_sum.h"

namespace holo {

// Bodies first, then subsets as "body.subset", as the scene lists them. Muscles are their segments, "body.muscle.1"; a muscle
// "body.muscle" and a body are groups of them. An experiment's losses are read before meshes are built.
class ElasticNames : public SimulationNames {
 public:
  explicit ElasticNames(const ElasticSceneDefinition& scene);
  explicit ElasticNames(const std::vector<ElasticSubject>& subjects, const std::vector<ElasticSubject>& segments = {});

  std::string kind() const override { return "a scene of elastic bodies"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;
  std::vector<Group> groups(holo_subject subject) const override;

 private:
  void add_segment(const std::string& name, const std::vector<std::string>& groups);

  std::vector<std::string> names_, segments_;
  std::vector<Group> muscles_;
};

// The states of a step and of the steps before it, and the activations [segment] [Pa] in them; null where there is none.
struct ElasticSteps {
  std::array<const ElasticState*, 3> states;               // this one, one and two before
  std::array<const Eigen::VectorXd*, 3> activations = {};  // in the order of ElasticObservables::segments()
};

class ElasticObservables {
 public:
  using Motion = ElasticSteps;
  struct Bound {
    std::shared_ptr<const ElasticObservable> observable;
    int first, size;   // among the numbers z
    std::size_t back;  // steps before this one: 0, 1 or 2
    bool is_activation;
  };
  struct Binding {
    std::vector<Bound> observables;
    int size = 0;
  };

  explicit ElasticObservables(std::shared_ptr<const ElasticModel> model);

  // The subjects by number, in the order of ElasticNames: bodies and subsets; segments of muscles.
  const std::vector<ElasticSubject>& subjects() const { return subjects_; }
  const std::vector<ElasticSubject>& segments() const { return segments_; }
  // The activations [segment] [Pa] that the scene prescribes at a time [s], as constants or signals. They have the order of
  // IncrementalPotential::activations(): bodies with the law `paper` come last.
  Eigen::VectorXd prescribed_activations(double time) const;

  Binding bind(const NamedLoss& loss) const;
  // Knots are time steps; only the present one can be observed.
  int knot_count(const Binding&, const ElasticSteps& at) const { return int(at.states[0]->step) + 1; }
  bool exists(const Binding& binding, const ElasticSteps& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const ElasticSteps& at, int first, int count, double* z) const;
  // Positions and velocities [3 * vertex] of this step, of the one before, and of the one before that; then the activations
  // [segment] of these three steps.
  Eigen::Index unknown_count(const ElasticSteps& at) const {
    return 6 * at.states[0]->positions.size() + 3 * Eigen::Index(segments_.size());
  }
  void push_forward(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& dx, VectorReference dz) const;
  void pull_back(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& gz, VectorReference gx) const;
  void second_order(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& gz, const ConstVector& dx,
                    VectorReference result) const;

 private:
  ElasticPhase phase(const ElasticSteps& at, std::size_t back) const;
  ElasticPhase phase(const ConstVector& unknowns, std::size_t back) const;
  ElasticPhaseSum phase_sum(VectorReference& unknowns, std::size_t back) const;

  std::shared_ptr<const ElasticModel> model_;
  std::vector<ElasticSubject> subjects_, segments_;
  Eigen::VectorXd no_activations_;  // [segment] zeros, for steps without known ones
};

}  // namespace holo
