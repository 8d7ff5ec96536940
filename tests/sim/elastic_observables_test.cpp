// What losses observe of elastic bodies: values against closed forms, derivatives of every kind against differences.
#include "holo/sim/elastic/observables/elastic_observables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/control/step_loss.h"
#include "holo/sim/elastic/elastic_observations.h"
#include "holo/sim/losses/signal_store.h"
#include "scenes.h"

namespace holo {
namespace elastic_observables_tests {

using test::disturbed;

// A box with a named corner, and a ball beside it; the box moves and is deformed.
struct Bodies {
  static constexpr double time_step = 0.125;  // s
  std::shared_ptr<const ElasticModel> model;
  ElasticState states[3];

  Bodies() {
    ElasticSceneDefinition scene;
    scene.bodies = {test::hand_body(test::HandEnergy::stable, test::box_source({0.2, 0.3, 0.4}, 24)),
                    test::hand_body(test::HandEnergy::log, test::box_source({0.1, 0.1, 0.1}, 6))};
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
    scene.bodies[0].subsets = {tip, core, rest};
    model = test::build(scene);
    for (int back = 0; back < 3; ++back) {
      states[back] = initial_state(*model);
      states[back].step = 5 - back;
      states[back].positions = disturbed(states[back].positions, 0.01, std::size_t(back));
      states[back].velocities = disturbed(states[back].velocities, 1, std::size_t(back) + 9);
    }
  }
  ElasticSteps steps() const { return {{&states[0], &states[1], &states[2]}}; }
  ElasticSubject subject(const std::string& name) const {
    const ElasticObservables observables(model);
    for (const ElasticSubject& each : observables.subjects())
      if (each.name == name) return each;
    throw std::invalid_argument(name);
  }
};

ElasticPhase phase(const ElasticState& state) { return {state.positions, state.velocities}; }

holo_observable wanted(holo_observable_kind kind) { return {std::uint32_t(kind), 0, {0, 0, 0}, 0}; }

// Its place in the table, and a subject that has it.
struct Kind {
  const char* name;
  holo_observable_kind kind;
  std::unique_ptr<const ElasticObservable> (*observe)(const ElasticModel&, const ElasticSubject&, const holo_observable&);
};
const Kind kinds[] = {
#define HOLO_ROW(KIND, name) {#name, HOLO_OBSERVABLE_##KIND, observe_##name},
    HOLO_ELASTIC_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
};

class EachObservable : public testing::TestWithParam<Kind> {
 protected:
  Bodies bodies;
  const Eigen::Index n = bodies.states[0].positions.size();
  const int size = int(holo_observable_size(GetParam().kind));

  std::unique_ptr<const ElasticObservable> observable() const {
    holo_observable what = wanted(GetParam().kind);
    what.point[0] = 0.03, what.point[1] = 0.07, what.point[2] = 0.11;
    return GetParam().observe(*bodies.model, bodies.subject("arm"), what);
  }
  Eigen::VectorXd value(const Eigen::VectorXd& x) const {
    ElasticState state{0, 0, x.head(n), x.tail(n)};
    Eigen::VectorXd z(size);
    observable()->value(phase(state), z.data());
    return z;
  }
  Eigen::VectorXd here() const {
    Eigen::VectorXd x(2 * n);
    x << bodies.states[0].positions, bodies.states[0].velocities;
    return x;
  }
  static Eigen::VectorXd anywhere(Eigen::Index size, std::size_t seed) {
    return disturbed(Eigen::VectorXd::Zero(size), 1, seed);
  }
  Eigen::VectorXd pulled_back(const Eigen::VectorXd& x, const Eigen::VectorXd& gz) const {
    Eigen::VectorXd gx = Eigen::VectorXd::Zero(n), gv = Eigen::VectorXd::Zero(n), result(2 * n);
    ElasticPhaseSum sum{gx, gv};
    observable()->pull_back({x.head(n), x.tail(n)}, gz.data(), sum);
    result << gx, gv;
    return result;
  }
};

TEST_P(EachObservable, DirectionalDerivativeIsThatOfDifferences) {
  const Eigen::VectorXd x = here(), d = anywhere(2 * n, 3);
  constexpr double h = 1e-6;
  Eigen::VectorXd dz(size);
  observable()->push_forward({x.head(n), x.tail(n)}, {d.head(n), d.tail(n)}, dz.data());
  const Eigen::VectorXd expected = (value(x + h * d) - value(x - h * d)) / (2 * h);
  EXPECT_LT((dz - expected).norm(), 1e-7 * (1 + expected.norm()));
  EXPECT_GT(expected.norm(), 1e-3) << "nothing was tested";
}

TEST_P(EachObservable, PullBackIsTheTranspose) {
  const Eigen::VectorXd x = here(), d = anywhere(2 * n, 4), gz = anywhere(size, 5);
  Eigen::VectorXd dz(size);
  observable()->push_forward({x.head(n), x.tail(n)}, {d.head(n), d.tail(n)}, dz.data());
  EXPECT_NEAR(pulled_back(x, gz).dot(d), gz.dot(dz), 1e-12 * (1 + dz.norm()));
}

TEST_P(EachObservable, SecondDerivativeIsThatOfDifferences) {
  const Eigen::VectorXd x = here(), d = anywhere(2 * n, 6), gz = anywhere(size, 7);
  constexpr double h = 1e-6;
  Eigen::VectorXd rx = Eigen::VectorXd::Zero(n), rv = Eigen::VectorXd::Zero(n), found(2 * n);
  ElasticPhaseSum sum{rx, rv};
  observable()->second_order({x.head(n), x.tail(n)}, gz.data(), {d.head(n), d.tail(n)}, sum);
  found << rx, rv;
  const Eigen::VectorXd expected = (pulled_back(x + h * d, gz) - pulled_back(x - h * d, gz)) / (2 * h);
  EXPECT_LT((found - expected).norm(), 1e-6 * (1 + expected.norm()));
}

TEST_P(EachObservable, OtherBodiesDoNotCount) {
  Eigen::VectorXd x = here();
  const ElasticBody& ball = bodies.model->bodies()[1];
  const Eigen::VectorXd before = value(x);
  for (const Eigen::Index first : {Eigen::Index(0), n})
    x.segment(first + 3 * ball.first_vertex, 3 * ball.vertex_count).array() += 1;
  EXPECT_EQ(before, value(x));
}

INSTANTIATE_TEST_SUITE_P(Elastic, EachObservable, testing::ValuesIn(kinds),
                         [](const auto& tested) { return std::string(tested.param.name); });

Eigen::Vector3d vector_observed(const Bodies& bodies, const std::string& subject, holo_observable_kind kind,
                                const Eigen::Vector3d& point = Eigen::Vector3d::Zero()) {
  holo_observable what = wanted(kind);
  for (int i = 0; i < 3; ++i) what.point[i] = point[i];
  Eigen::Vector3d z;
  for (const Kind& each : kinds)
    if (each.kind == kind) each.observe(*bodies.model, bodies.subject(subject), what)->value(phase(bodies.states[0]), z.data());
  return z;
}

// Under x = A X + b each point of the material moves so, the center of mass too, and momenta are those of A' X + b'.
TEST(ElasticObservables, FollowAnAffineMotion) {
  Bodies bodies;
  Eigen::Matrix3d A, B;
  A << 1.1, 0.2, 0, -0.1, 0.9, 0.3, 0.05, 0, 1.2;
  B << 0, 1, 2, -3, 0.5, 1, 0.25, 2, -1;
  const Eigen::Vector3d b(1, 2, 3), c(-1, 0.5, 4);
  const Eigen::VectorXd& X = bodies.model->start_positions();
  for (int v = 0; v < bodies.model->vertex_count(); ++v) {
    bodies.states[0].positions.segment<3>(3 * v) = A * X.segment<3>(3 * v) + b;
    bodies.states[0].velocities.segment<3>(3 * v) = B * X.segment<3>(3 * v) + c;
  }
  const Eigen::Vector3d point(0.06, 0.11, 0.17), middle(0.1, 0.15, 0.2);
  EXPECT_LT((vector_observed(bodies, "arm", HOLO_OBSERVABLE_POINT, point) - (A * point + b)).norm(), 1e-14);
  // Lumped masses have the body's mass and center.
  EXPECT_LT((vector_observed(bodies, "arm", HOLO_OBSERVABLE_CENTER_OF_MASS) - (A * middle + b)).norm(), 1e-13);
  const double mass = 1000 * 0.2 * 0.3 * 0.4;
  EXPECT_LT((vector_observed(bodies, "arm", HOLO_OBSERVABLE_MOMENTUM) - mass * (B * middle + c)).norm(), 1e-12 * mass);
  // The tip's vertices all lie in the plane z = 0.4, symmetric about its middle.
  EXPECT_LT((vector_observed(bodies, "arm.tip", HOLO_OBSERVABLE_POINT) - (A * Eigen::Vector3d(0.1, 0.15, 0.4) + b)).norm(),
            1e-13);
}

TEST(ElasticObservables, EnergyIsThatOfTheBody) {
  Bodies bodies;
  double of_arm = 0, of_ball = 0;
  observe_elastic_energy(*bodies.model, bodies.subject("arm"), wanted(HOLO_OBSERVABLE_ELASTIC_ENERGY))
      ->value(phase(bodies.states[0]), &of_arm);
  observe_elastic_energy(*bodies.model, bodies.subject("ball"), wanted(HOLO_OBSERVABLE_ELASTIC_ENERGY))
      ->value(phase(bodies.states[0]), &of_ball);
  const double all = energies(*bodies.model, {}, bodies.states[0]).elastic;
  EXPECT_GT(of_arm, 0);
  EXPECT_NEAR(of_arm + of_ball, all, 1e-13 * all);
}

// Every element is in one of two subsets; both count, and no part counts twice.
TEST(ElasticObservables, EnergiesOfSubsetsOfElementsSumToThatOfTheBody) {
  const Bodies bodies;
  const auto energy_of = [&](const std::string& subject) {
    double value = 0;
    observe_elastic_energy(*bodies.model, bodies.subject(subject), wanted(HOLO_OBSERVABLE_ELASTIC_ENERGY))
        ->value(phase(bodies.states[0]), &value);
    return value;
  };
  const double arm = energy_of("arm"), core = energy_of("arm.core"), rest = energy_of("arm.rest");
  EXPECT_GT(core, 0);
  EXPECT_GT(rest, 0);
  EXPECT_NEAR(core + rest, arm, 1e-13 * arm);
}

std::string refusal(const Bodies& bodies, const std::string& subject, holo_observable_kind kind, const Eigen::Vector3d& point) {
  try {
    vector_observed(bodies, subject, kind, point);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

TEST(ElasticObservablesBadInput, PointsOutsideAndPartsWithoutAnEnergy) {
  const Bodies bodies;
  EXPECT_EQ(
      refusal(bodies, "arm", HOLO_OBSERVABLE_POINT, {0.5, 0, 0}),
      "observes the point [0.5, 0, 0], which lies outside of body 'arm' as the scene starts. Its nearest vertex is at [0.2, 0, "
      "0]; a named subset of vertices can be observed, too");
  EXPECT_EQ(
      refusal(bodies, "arm.tip", HOLO_OBSERVABLE_POINT, {0, 0, 0.1}),
      "observes the point [0, 0, 0.1] of 'arm.tip'. The point of a subset of vertices is their mean; leave out the point, "
      "or give one of the body 'arm'");
  EXPECT_EQ(refusal(bodies, "arm.tip", HOLO_OBSERVABLE_ELASTIC_ENERGY, {0, 0, 0}),
            "observes the elastic energy of 'arm.tip', a subset without elements; only a body, such as 'arm', and a subset "
            "`of: elements` have one");
}

// ---- losses on them

const PluginHost& host() {
  static const PluginHost host({std::filesystem::path(HOLO_BINARY_DIR) / "plugins"});
  return host;
}

struct Losses : Bodies {
  SignalStore signals{6};
  LossSum<ElasticObservables> sum{ElasticObservables(model)};
  LossData data;

  void add(const std::string& type, const std::string& yaml) {
    ConfigurationFile file = ConfigurationFile::parse(yaml, type + ".yaml");
    Configuration root = file.root();
    for (LossInstance& made :
         create_losses(host().get<LossPlugin>(type), root, ElasticNames(sum.observables().subjects()), signals))
      sum.add({type, std::make_shared<const LossInstance>(std::move(made))});
    file.finish();
    data.signals = signals.values();
    data.time_step = time_step;
  }
  // The unknowns of this step and of the two before it.
  Eigen::VectorXd unknowns() const {
    const Eigen::Index n = states[0].positions.size();
    Eigen::VectorXd x(6 * n);
    for (int back = 0; back < 3; ++back)
      x.segment(2 * n * back, n) = states[back].positions, x.segment(2 * n * back + n, n) = states[back].velocities;
    return x;
  }
  void set(const Eigen::VectorXd& x) {
    const Eigen::Index n = states[0].positions.size();
    for (int back = 0; back < 3; ++back)
      states[back].positions = x.segment(2 * n * back, n), states[back].velocities = x.segment(2 * n * back + n, n);
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
};

TEST(ElasticLosses, DerivativesOverThreeStepsAreThoseOfDifferences) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4]}");
  losses.add("elastic_energy", "{body: [arm, ball], weight: 0.01}");
  losses.add("elastic_energy", "{body: arm.core, weight: 0.03}");
  losses.add("track_position", "{body: arm.tip, target: [0, 0, 0.3], weight: 50}");
  losses.add("track_position", "{body: arm, point: [0.02, 0.03, 0.1], target: [0.1, 0, 0], weight: 70}");
  const Eigen::VectorXd x = losses.unknowns(), d = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 11);
  constexpr double h = 1e-6;
  const Eigen::VectorXd gradient = losses.gradient();
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size());
  losses.sum.add_hessian_product(losses.steps(), losses.data, false, 5, d, product);
  losses.set(x + h * d);
  const double up = losses.value();
  const Eigen::VectorXd slope_up = losses.gradient();
  losses.set(x - h * d);
  const double slope = (up - losses.value()) / (2 * h);
  EXPECT_NEAR(gradient.dot(d), slope, 1e-7 * std::abs(slope));
  const Eigen::VectorXd curvature = (slope_up - losses.gradient()) / (2 * h);
  EXPECT_LT((product - curvature).norm(), 1e-6 * curvature.norm());
}

// The same losses as a function of the positions at a step's end alone, whose velocities are (x - x_n)/dt.
TEST(ObservedStepLoss, HasTheDerivativesOfDifferences) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4]}");
  losses.add("elastic_energy", "{body: [arm, ball], weight: 0.01}");
  losses.add("track_position", "{body: arm.tip, target: [0, 0, 0.3], weight: 50}");
  ObservedStepLoss loss(std::make_shared<const LossSum<ElasticObservables>>(losses.sum), losses.data);
  loss.begin(losses.states[1], &losses.states[2]);
  const Eigen::VectorXd x = losses.states[0].positions;
  losses.states[0].velocities = (x - losses.states[1].positions) / Bodies::time_step;
  EXPECT_NEAR(loss.value(x), losses.value(), 1e-13 * losses.value());
  const Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 12);
  const auto gradient = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(at.size());
    loss.add_gradient(at, result);
    return result;
  };
  constexpr double h = 1e-6;
  const double slope = (loss.value(x + h * d) - loss.value(x - h * d)) / (2 * h);
  EXPECT_NEAR(gradient(x).dot(d), slope, 1e-7 * std::abs(slope));
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(x.size(), 1);
  loss.add_hessian_products(x, d, false, product);
  const Eigen::VectorXd curvature = (gradient(x + h * d) - gradient(x - h * d)) / (2 * h);
  EXPECT_LT((product - curvature).norm(), 1e-6 * curvature.norm());
}

// The Gauss-Newton model leaves out what curved observables add: nothing, where all observables are linear.
TEST(ElasticLosses, GaussNewtonIsExactForLinearObservables) {
  Losses losses;
  losses.add("track_position", "{body: arm.tip, target: [0, 0, 0.3]}");
  const Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(losses.unknowns().size()), 1, 12);
  Eigen::VectorXd exact = Eigen::VectorXd::Zero(d.size()), model = exact;
  losses.sum.add_hessian_product(losses.steps(), losses.data, false, 5, d, exact);
  losses.sum.add_hessian_product(losses.steps(), losses.data, true, 5, d, model);
  EXPECT_LT((exact - model).norm(), 1e-14 * exact.norm());
  EXPECT_GT(exact.norm(), 0);
}

TEST(ElasticLosses, ALossThatLooksBackHasNoTermBeforeThereIsAnEarlierStep) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0]}");
  const ElasticSteps first{{&losses.states[0], nullptr, nullptr}};
  EXPECT_FALSE(losses.sum.has_term(0, first, losses.data, 5));
  EXPECT_TRUE(losses.sum.has_term(0, losses.steps(), losses.data, 5));
  EXPECT_TRUE(std::isnan(losses.sum.measures(0, first, losses.data, 5, 6)(0, 0)));
}

// (c_5 - c_4) / dt - target, by hand.
TEST(ElasticLosses, VelocityOfTheCenterOfMassIsOverTheLastStep) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: ball, target: [1, 0, 0]}");
  const ElasticBody& ball = losses.model->bodies()[1];
  Eigen::Vector3d moved = Eigen::Vector3d::Zero();
  double mass = 0;
  for (int v = ball.first_vertex; v < ball.first_vertex + ball.vertex_count; ++v) {
    const double m = losses.model->masses()[std::size_t(v)];
    moved += m * (losses.states[0].positions - losses.states[1].positions).segment<3>(3 * v);
    mass += m;
  }
  const Eigen::Vector3d gap = moved / mass / 0.125 - Eigen::Vector3d(1, 0, 0);
  EXPECT_NEAR(losses.value(), gap.squaredNorm() / 2, 1e-12);
  EXPECT_NEAR(losses.sum.measures(0, losses.steps(), losses.data, 5, 6)(0, 0), gap.norm(), 1e-12);
}

TEST(ElasticLossesBadInput, NamesKindsAndPlaces) {
  Losses losses;
  const auto message = [&](const std::string& type, const std::string& yaml) -> std::string {
    try {
      losses.add(type, yaml);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(message("track_position", "{body: arm.top, target: [0, 0, 0]}")
                .find("no body 'arm.top'. Did you mean 'arm.tip'? There are: arm, ball, arm.tip"),
            std::string::npos);
  EXPECT_NE(
      message("track_orientation", "{body: arm, target: [1, 0, 0, 0]}")
          .find("the loss 'track_orientation' observes the pose, which a scene of elastic bodies does not have. It has: point, "
                "center of mass, momentum, angular momentum, elastic energy"),
      std::string::npos);
  EXPECT_NE(message("keep_control", "{control: hip}").find("no control 'hip'. There are: none"), std::string::npos);
  EXPECT_EQ(message("elastic_energy", "{body: arm.tip}"),
            "the loss elastic_energy observes the elastic energy of 'arm.tip', a subset without elements; only a body, such as "
            "'arm', "
            "and a subset `of: elements` have one");
}

}  // namespace elastic_observables_tests
}  // namespace holo
