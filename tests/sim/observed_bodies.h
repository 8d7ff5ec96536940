#pragma once
// Two elastic bodies in motion, and losses of them, for tests of observables and losses.

#include <memory>
#include <stdexcept>
#include <string>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/sim/muscle/muscle_definition.h"
#include "scenes.h"

namespace holo::test {

// A box with named subsets and two muscles, of three segments, and a ball beside it; the box moves and is deformed, and the
// muscles are activated.
struct Bodies {
  static constexpr double time_step = 0.125;  // s
  std::shared_ptr<const ElasticModel> model;
  ElasticState states[3];
  Eigen::VectorXd activations[3];  // [segment] [Pa]

  Bodies() {
    ElasticSceneDefinition scene;
    scene.bodies = {hand_body(HandEnergy::stable, box_source({0.2, 0.3, 0.4}, 24)),
                    hand_body(HandEnergy::log, box_source({0.1, 0.1, 0.1}, 6))};
    scene.bodies[0].name = "arm";
    scene.bodies[1].name = "ball";
    scene.bodies[1].translation = {1, 0, 0};
    NamedSubset tip{"tip", {}};
    tip.subset.kind = SubsetDefinition::Kind::box;
    tip.subset.minimum = {-9, -9, 0.39};
    tip.subset.maximum = {9, 9, 9};
    NamedSubset core = tip, rest = tip;  // the elements below and above the plane z = 0.2
    core.name = "core", rest.name = "rest";
    core.subset.of = rest.subset.of = SubsetDefinition::Of::elements;
    core.subset.minimum = {-9, -9, -9}, core.subset.maximum = {9, 9, 0.2 + 1e-9};
    rest.subset.minimum = {-9, -9, 0.2 - 1e-9};
    NamedSubset sole = tip;
    sole.name = "sole";
    sole.subset.of = SubsetDefinition::Of::surface;
    sole.subset.minimum = {-9, -9, -9}, sole.subset.maximum = {9, 9, 1e-9};
    NamedSubset middle = sole;
    middle.name = "middle";
    middle.subset.of = SubsetDefinition::Of::vertices;
    middle.subset.minimum = {-9, -9, 0.19}, middle.subset.maximum = {9, 9, 0.21};
    scene.bodies[0].subsets = {tip, core, rest, sole, middle};
    scene.bodies[0].muscles =
        line_muscles(MuscleLaw::fiber, 0.2,
                     {{{0.1, 0.1, 0.02}, {0.1, 0.1, 0.2}, {0.1, 0.1, 0.38}}, {{0.1, 0.2, 0.1}, {0.1, 0.2, 0.3}}}, {2e4, -1e4});
    model = build(scene);
    for (int back = 0; back < 3; ++back) {
      states[back] = initial_state(*model);
      states[back].step = 5 - back;
      states[back].positions = disturbed(states[back].positions, 0.01, std::size_t(back));
      states[back].velocities = disturbed(states[back].velocities, 1, std::size_t(back) + 9);
      activations[back] = disturbed(Eigen::VectorXd::Zero(3), 1e5, std::size_t(back) + 20);
    }
  }
  ElasticSteps steps() const {
    return {{&states[0], &states[1], &states[2]}, {&activations[0], &activations[1], &activations[2]}};
  }
  ElasticSubject subject(const std::string& name) const {
    const ElasticObservables observables(model);
    for (const auto& list : {observables.subjects(), observables.segments()})
      for (const ElasticSubject& each : list)
        if (each.name == name) return each;
    throw std::invalid_argument(name);
  }
};

inline const PluginHost& loss_host() {
  static const PluginHost host({std::filesystem::path(HOLO_BINARY_DIR) / "plugins"});
  return host;
}

// The bodies with losses of them at the time step 5.
struct BodyLosses : Bodies {
  SignalStore signals{6};
  LossSum<ElasticObservables> sum{ElasticObservables(model)};
  LossData data;

  ElasticNames names() const { return ElasticNames(sum.observables().subjects(), sum.observables().segments()); }
  void add(const std::string& type, const std::string& yaml) {
    ConfigurationFile file = ConfigurationFile::parse(yaml, type + ".yaml");
    Configuration root = file.root();
    for (LossInstance& made : create_losses(loss_host().get<LossPlugin>(type), root, names(), signals))
      sum.add({type, std::make_shared<const LossInstance>(std::move(made))});
    file.finish();
    data.signals = signals.values();
    data.time_step = time_step;
  }
  // The unknowns of this step and of the two before it.
  Eigen::VectorXd unknowns() const {
    const Eigen::Index n = states[0].positions.size(), m = activations[0].size();
    Eigen::VectorXd x(6 * n + 3 * m);
    for (int back = 0; back < 3; ++back) {
      x.segment(2 * n * back, n) = states[back].positions, x.segment(2 * n * back + n, n) = states[back].velocities;
      x.segment(6 * n + m * back, m) = activations[back];
    }
    return x;
  }
  void set(const Eigen::VectorXd& x) {
    const Eigen::Index n = states[0].positions.size(), m = activations[0].size();
    for (int back = 0; back < 3; ++back) {
      states[back].positions = x.segment(2 * n * back, n), states[back].velocities = x.segment(2 * n * back + n, n);
      activations[back] = x.segment(6 * n + m * back, m);
    }
  }
  double value() const {
    double result = 0;
    sum.evaluate(steps(), data, 5, 6, &result);
    return result;
  }
  Eigen::VectorXd gradient() const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(unknowns().size());
    sum.add_gradient(steps(), data, 5, result);
    return result;
  }

  // A direction of the unknowns; activations move by about their size [Pa].
  Eigen::VectorXd direction(std::size_t seed) const {
    Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(unknowns().size()), 1, seed);
    d.tail(3 * activations[0].size()) *= 1e4;
    return d;
  }
  // The measure of the first loss.
  double measure(int number = 0) const { return sum.measures(0, steps(), data, 5, 6)(number, 0); }
};

}  // namespace holo::test
