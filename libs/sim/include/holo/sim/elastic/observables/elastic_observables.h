#pragma once
// The observables of elastic bodies for losses (losses/loss_sum.h): the kinds of elastic_observable.h, of bodies and of named
// subsets of their vertices, at this and up to two earlier time steps.
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

// Bodies first, then subsets as "body.subset", as the scene lists them. An experiment's losses are read before meshes are
// built.
class ElasticNames : public SimulationNames {
 public:
  explicit ElasticNames(const ElasticSceneDefinition& scene);
  explicit ElasticNames(const std::vector<ElasticSubject>& subjects);

  std::string kind() const override { return "a scene of elastic bodies"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;

 private:
  std::vector<std::string> names_;
};

// The states of a step and of the steps before it; null where there is none.
struct ElasticSteps {
  std::array<const ElasticState*, 3> states;  // this one, one and two before
};

class ElasticObservables {
 public:
  using Motion = ElasticSteps;
  struct Bound {
    std::shared_ptr<const ElasticObservable> observable;
    int first, size;   // among the numbers z
    std::size_t back;  // steps before this one: 0, 1 or 2
  };
  struct Binding {
    std::vector<Bound> observables;
    int size = 0;
  };

  explicit ElasticObservables(std::shared_ptr<const ElasticModel> model);

  // The subjects by number, in the order of ElasticNames.
  const std::vector<ElasticSubject>& subjects() const { return subjects_; }

  Binding bind(const NamedLoss& loss) const;
  // Knots are time steps; only the present one can be observed.
  int knot_count(const Binding&, const ElasticSteps& at) const { return int(at.states[0]->step) + 1; }
  bool exists(const Binding& binding, const ElasticSteps& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const ElasticSteps& at, int first, int count, double* z) const;
  // Positions and velocities [3 * vertex] of this step, of the one before, and of the one before that.
  Eigen::Index unknown_count(const ElasticSteps& at) const { return 6 * at.states[0]->positions.size(); }
  void push_forward(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& dx, VectorReference dz) const;
  void pull_back(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& gz, VectorReference gx) const;
  void second_order(const Binding& binding, const ElasticSteps& at, int knot, const ConstVector& gz, const ConstVector& dx,
                    VectorReference result) const;

 private:
  std::shared_ptr<const ElasticModel> model_;
  std::vector<ElasticSubject> subjects_;
};

}  // namespace holo
