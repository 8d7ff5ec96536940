// Observables of elastic bodies: values against closed forms, derivatives of every kind against differences.
#include "holo/sim/elastic/observables/elastic_observables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/elastic/elastic_observations.h"
#include "observed_bodies.h"

namespace holo {
namespace elastic_observables_tests {

using test::Bodies;
using test::disturbed;

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

// Positions, velocities and activations, in one vector.
class EachObservable : public testing::TestWithParam<Kind> {
 protected:
  Bodies bodies;
  const Eigen::Index n = bodies.states[0].positions.size(), m = bodies.activations[0].size();
  const int size = int(holo_observable_size(GetParam().kind));

  std::unique_ptr<const ElasticObservable> observable() const {
    holo_observable what = wanted(GetParam().kind);
    what.point[0] = 0.03, what.point[1] = 0.07, what.point[2] = 0.11;
    const std::string subject = what.kind == HOLO_OBSERVABLE_ACTIVATION    ? "arm.muscle1.2"
                                : what.kind == HOLO_OBSERVABLE_VECTOR_AREA ? "arm.sole"
                                                                           : "arm";
    return GetParam().observe(*bodies.model, bodies.subject(subject), what);
  }
  ElasticPhase phase_of(const Eigen::VectorXd& x) const { return {x.head(n), x.segment(n, n), {x.data() + 2 * n, m}}; }
  ElasticPhaseSum sum_of(Eigen::VectorXd& x) const { return {x.head(n), x.segment(n, n), {x.data() + 2 * n, m}}; }
  Eigen::VectorXd value(const Eigen::VectorXd& x) const {
    Eigen::VectorXd z(size);
    observable()->value(phase_of(x), z.data());
    return z;
  }
  Eigen::VectorXd here() const {
    Eigen::VectorXd x(2 * n + m);
    x << bodies.states[0].positions, bodies.states[0].velocities, bodies.activations[0];
    return x;
  }
  static Eigen::VectorXd anywhere(Eigen::Index size, std::size_t seed) {
    return disturbed(Eigen::VectorXd::Zero(size), 1, seed);
  }
  // Activations move by about their size [Pa].
  Eigen::VectorXd direction(std::size_t seed) const {
    Eigen::VectorXd d = anywhere(2 * n + m, seed);
    d.tail(m) *= 1e4;
    return d;
  }
  Eigen::VectorXd pulled_back(const Eigen::VectorXd& x, const Eigen::VectorXd& gz) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(x.size());
    ElasticPhaseSum sum = sum_of(result);
    observable()->pull_back(phase_of(x), gz.data(), sum);
    return result;
  }
};

TEST_P(EachObservable, DirectionalDerivativeIsThatOfDifferences) {
  const Eigen::VectorXd x = here(), d = direction(3);
  constexpr double h = 1e-6;
  Eigen::VectorXd dz(size);
  observable()->push_forward(phase_of(x), phase_of(d), dz.data());
  const Eigen::VectorXd expected = (value(x + h * d) - value(x - h * d)) / (2 * h);
  EXPECT_LT((dz - expected).norm(), 1e-7 * (1 + expected.norm()));
  EXPECT_GT(expected.norm(), 1e-3) << "nothing was tested";
}

TEST_P(EachObservable, PullBackIsTheTranspose) {
  const Eigen::VectorXd x = here(), d = direction(4), gz = anywhere(size, 5);
  Eigen::VectorXd dz(size);
  observable()->push_forward(phase_of(x), phase_of(d), dz.data());
  EXPECT_NEAR(pulled_back(x, gz).dot(d), gz.dot(dz), 1e-12 * (1 + dz.norm()));
}

TEST_P(EachObservable, SecondDerivativeIsThatOfDifferences) {
  const Eigen::VectorXd x = here(), d = direction(6), gz = anywhere(size, 7);
  constexpr double h = 1e-6;
  Eigen::VectorXd found = Eigen::VectorXd::Zero(x.size());
  ElasticPhaseSum sum = sum_of(found);
  observable()->second_order(phase_of(x), gz.data(), phase_of(d), sum);
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

// The angular momentum of a body that turns without deforming is its inertia tensor times the angular velocity.
TEST(ElasticObservables, InertiaTensorTimesAngularVelocityIsTheAngularMomentum) {
  Bodies bodies;
  const Eigen::Vector3d angular_velocity(0.5, -2, 1), origin(3, 1, -2);
  for (int v = 0; v < bodies.model->vertex_count(); ++v)
    bodies.states[0].velocities.segment<3>(3 * v) =
        angular_velocity.cross(Eigen::Vector3d(bodies.states[0].positions.segment<3>(3 * v)) - origin);
  Eigen::VectorXd z(6);
  observe_inertia_tensor(*bodies.model, bodies.subject("arm"), wanted(HOLO_OBSERVABLE_INERTIA_TENSOR))
      ->value(phase(bodies.states[0]), z.data());
  Eigen::Matrix3d tensor;
  tensor << z[0], z[3], z[4], z[3], z[1], z[5], z[4], z[5], z[2];
  const Eigen::Vector3d momentum = vector_observed(bodies, "arm", HOLO_OBSERVABLE_ANGULAR_MOMENTUM);
  EXPECT_LT((tensor * angular_velocity - momentum).norm(), 1e-13 * momentum.norm());
}

// Under x = A X + b a vector area becomes det(A) A^-T times what it was: 0.2 m x 0.3 m downwards at the start.
TEST(ElasticObservables, VectorAreaFollowsNansonsFormula) {
  Bodies bodies;
  Eigen::Matrix3d A;
  A << 1.1, 0.2, 0, -0.1, 0.9, 0.3, 0.05, 0, 1.2;
  for (int v = 0; v < bodies.model->vertex_count(); ++v)
    bodies.states[0].positions.segment<3>(3 * v) =
        A * bodies.model->start_positions().segment<3>(3 * v) + Eigen::Vector3d(1, 2, 3);
  const Eigen::Vector3d expected = A.determinant() * A.inverse().transpose() * Eigen::Vector3d(0, 0, -0.06);
  EXPECT_LT((vector_observed(bodies, "arm.sole", HOLO_OBSERVABLE_VECTOR_AREA) - expected).norm(), 1e-15);
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

TEST(ElasticObservablesBadInput, VectorAreasOfNoPatch) {
  const Bodies bodies;
  EXPECT_EQ(
      refusal(bodies, "arm", HOLO_OBSERVABLE_VECTOR_AREA, {0, 0, 0}),
      "observes the vector area of the body 'arm', which is 0: its surface is closed. A named subset `of: surface` has one");
  EXPECT_EQ(
      refusal(bodies, "arm.middle", HOLO_OBSERVABLE_VECTOR_AREA, {0, 0, 0}),
      "observes the vector area of 'arm.middle', which contains no triangle of the surface; allowed is a subset that does");
}

TEST(ElasticObservablesBadInput, ActivationsWithoutAShearModulus) {
  const Bodies bodies;
  ElasticBody nameless = bodies.model->bodies()[0];
  nameless.shear_modulus = std::nan("");
  ElasticSubject segment = bodies.subject("arm.muscle1.2");
  segment.body = &nameless;
  try {
    observe_activation(*bodies.model, segment, wanted(HOLO_OBSERVABLE_ACTIVATION));
    ADD_FAILURE() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(),
              std::string("observes the activation of 'arm.muscle1.2', a multiple of the shear modulus at rest of 'arm', whose "
                          "material has none: only isotropic materials do"));
  }
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

}  // namespace elastic_observables_tests
}  // namespace holo
