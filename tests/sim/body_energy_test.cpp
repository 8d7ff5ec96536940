// The energy of examples on a small bar: its derivatives against an energy written in long double here, rest, mirrored bars,
// Newton's method with the part of low rank.
#include "holo/sim/elastic/body_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "example_bar.h"
#include "holo/sim/dynamics/body_energy_term.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/dynamics/quasi_statics.h"
#include "refusal_message.h"
#include "term_checks.h"

namespace holo::test {
namespace body_energy_tests {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Real3 = Eigen::Matrix<Real, 3, 1>;
using Real33 = Eigen::Matrix<Real, 3, 3>;

constexpr double stiffness = 3e4, full_angle = 0.3;

// Bent by `angle` about z, and disturbed.
Eigen::VectorXd bent(const ElasticModel& model, double angle, double amplitude = 0.01) {
  Eigen::VectorXd x = model.start_positions();
  for (Eigen::Index i = 0; i < x.size(); i += 3) {
    const double turn = angle * x[i] / 0.9, radius = 0.9 / angle, y = x[i + 1];
    x[i] = (radius - y) * std::sin(turn);
    x[i + 1] = radius - (radius - y) * std::cos(turn);
  }
  return disturbed(x, amplitude);
}

// The energy as [Luo2019] Fig 13 is read here (docs/writing-a-body-energy.md), in long double, of a body without a placement.
class LongDoubleEnergy {
 public:
  LongDoubleEnergy(const ElasticModel& model, const std::vector<StrainTarget>& targets)
      : model_(model), mesh_(model.bodies()[0].mesh) {
    const RealVector rest = model.start_positions().cast<Real>();
    for (const auto& corners : mesh_.tetrahedra) {
      inverses_.push_back(edges(rest, corners).inverse());
      volumes_.push_back(edges(rest, corners).determinant() / 6);
    }
    for (const StrainTarget& target : targets) {
      std::vector<Real33>& strains = targets_.emplace_back();
      const RealVector shape =
          Eigen::Map<const Eigen::VectorXd>(target.positions.data(), Eigen::Index(target.positions.size())).cast<Real>();
      for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
        strains.push_back(target.positions.empty() ? given(target, e) : strain(shape, e));
    }
  }

  Real operator()(const RealVector& x) const {
    const Real3 b = center(x, 1) - center(x, 0);
    const Real theta = std::atan2(b[1], b[0]);
    Real energy = 0;
    for (std::size_t e = 0; e < volumes_.size(); ++e) {
      const Real33 E = strain(x, e);
      energy += volumes_[e] * Real(stiffness) / 2 *
                (weight(theta / Real(full_angle)) * (E - targets_[0][e]).squaredNorm() +
                 weight(-theta / Real(full_angle)) * (E - targets_[1][e]).squaredNorm());
    }
    return energy;
  }

 private:
  static Real weight(Real s) { return s <= 0 ? 0 : s >= 1 ? 1 : s * s * (3 - 2 * s); }
  static Real33 given(const StrainTarget& target, std::size_t element) {
    Real33 strain;
    for (int k = 0; k < 9; ++k) strain(k / 3, k % 3) = target.strains[9 * element + std::size_t(k)];
    return strain;
  }
  Real33 edges(const RealVector& x, const std::array<int, 4>& corners) const {
    Real33 result;
    for (int k = 0; k < 3; ++k) result.col(k) = x.segment<3>(3 * corners[std::size_t(k + 1)]) - x.segment<3>(3 * corners[0]);
    return result;
  }
  Real33 strain(const RealVector& x, std::size_t e) const {
    const Real33 F = edges(x, mesh_.tetrahedra[e]) * inverses_[e];
    return (F.transpose() * F - Real33::Identity()) / 2;
  }
  // The mean of a subset's vertices.
  Real3 center(const RealVector& x, std::size_t subset) const {
    Real3 sum = Real3::Zero();
    const std::vector<int>& vertices = model_.bodies()[0].subsets[subset].vertices;
    for (const int v : vertices) sum += x.segment<3>(3 * v);
    return sum / Real(vertices.size());
  }

  const ElasticModel& model_;
  const TetrahedralMesh& mesh_;
  std::vector<Real33> inverses_;
  std::vector<Real> volumes_;
  std::vector<std::vector<Real33>> targets_;  // positive, negative
};

// The targets in the order of the parameters `positive` and `negative`.
std::vector<StrainTarget> targets_of(const ElasticSceneDefinition& scene, const TetrahedralMesh& mesh,
                                     const std::vector<std::string>& names) {
  const BodyEnergy energy = make_body_energy(scene.bodies[0].energies[0], mesh);
  std::vector<StrainTarget> result;
  for (const std::string& name : names)
    for (const StrainTarget& target : energy.targets)
      if (target.name == name) result.push_back(target);
  return result;
}

struct Bar {
  explicit Bar(const std::string& yaml, bool is_mirrored = false)
      : definition(bar(yaml, is_mirrored)), model(build(definition)), term(model, 0, 0) {}
  ElasticSceneDefinition definition;
  std::shared_ptr<const ElasticModel> model;
  BodyEnergyTerm term;
};

// The sparse part and that of low rank.
Eigen::MatrixXd complete_hessian(BodyEnergyTerm& term, const ElasticModel& model, const Eigen::VectorXd& x,
                                 Curvature curvature) {
  BlockAssembler assembler(model.pattern().matrix);
  SparseMatrix sparse;
  assembler.begin(sparse, nullptr);
  term.add_hessian(x, curvature, assembler);
  assembler.finish();
  const LowRankMatrix& low_rank = *assembler.low_rank();
  return Eigen::MatrixXd(sparse).selfadjointView<Eigen::Lower>().toDenseMatrix() +
         low_rank.columns * low_rank.core * low_rank.columns.transpose();
}

class BodyEnergyOf : public testing::TestWithParam<std::array<const char*, 2>> {};

// Differences of sixth order of long doubles: errors of h^6 and of 1e-19/h.
TEST_P(BodyEnergyOf, GradientIsThatOfALongDoubleEnergy) {
  Bar bar(example(GetParam()[0], GetParam()[1]));
  const LongDoubleEnergy oracle(*bar.model,
                                targets_of(bar.definition, bar.model->bodies()[0].mesh, {GetParam()[0], GetParam()[1]}));
  for (const double angle : {0.2, -0.12}) {
    const Eigen::VectorXd x = bent(*bar.model, angle), gradient = gradient_of(bar.term, x);
    const RealVector at = x.cast<Real>();
    EXPECT_NEAR(double(oracle(at)), bar.term.energy(x), 1e-13 * bar.term.energy(x));
    EXPECT_GT(gradient.norm(), 1);
    for (Eigen::Index i = 0; i < x.size(); i += 5) {
      const auto along = [&](Real t) {
        RealVector moved = at;
        moved[i] += t;
        return oracle(moved);
      };
      const Real h = 1e-4L,
                 slope = (45 * (along(h) - along(-h)) - 9 * (along(2 * h) - along(-2 * h)) + (along(3 * h) - along(-3 * h))) /
                         (60 * h);
      ASSERT_NEAR(double(slope), gradient[i], 1e-10 * gradient.lpNorm<Eigen::Infinity>()) << "coordinate " << i;
    }
  }
}

TEST_P(BodyEnergyOf, HessianIsTheDerivativeOfTheGradient) {
  Bar bar(example(GetParam()[0], GetParam()[1]));
  for (const double angle : {0.2, -0.12}) {
    const Eigen::VectorXd x = bent(*bar.model, angle);
    const Eigen::MatrixXd hessian = complete_hessian(bar.term, *bar.model, x, Curvature::exact);
    EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
    const Eigen::MatrixXd directions = random_columns(x.size(), 3, 7);
    for (Eigen::Index i = 0; i < 3; ++i) {
      const Eigen::VectorXd d = directions.col(i),
                            slope = difference([&](double t) { return gradient_of(bar.term, x + t * d); }, 1e-4);
      EXPECT_LT((hessian * d - slope).norm(), 1e-9 * slope.norm());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BodyEnergyOf, testing::Values(std::array{"up", "down"}, std::array{"strains", "up"}));

// w and its slope are 0 at rest; the angle is known to rounding.
TEST(BodyEnergyTerm, HasNoForceAtRest) {
  Bar bar(example());
  const Eigen::VectorXd& rest = bar.model->start_positions();
  const double force = gradient_of(bar.term, bent(*bar.model, 0.2, 0)).lpNorm<Eigen::Infinity>();
  EXPECT_GT(force, 1);
  EXPECT_LT(gradient_of(bar.term, rest).lpNorm<Eigen::Infinity>(), 1e-12 * force);
  EXPECT_LT(bar.term.energy(rest), 1e-24);
}

// Half turned, the energy is that of the distance from one target alone; in it there is none.
TEST(BodyEnergyTerm, IsZeroInAShapeThatIsATarget) {
  Bar bar(example());
  const StrainTarget up = targets_of(bar.definition, bar.model->bodies()[0].mesh, {"up"})[0];
  Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(up.positions.data(), Eigen::Index(up.positions.size()));
  const Eigen::AngleAxisd turn(0.5, Eigen::Vector3d::UnitZ());
  for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = turn * Eigen::Vector3d(x.segment<3>(i));
  EXPECT_NEAR(bar.term.quantities(x)[0], 0.5, 1e-9);
  EXPECT_LT(bar.term.energy(x), 1e-20);
  EXPECT_LT(gradient_of(bar.term, x).norm(), 1e-10);
}

// For each vertex of one bar the first coordinate of its image in the other: models number their vertices as they like.
std::vector<Eigen::Index> images(const ElasticModel& model, const ElasticModel& image) {
  const Eigen::VectorXd &X = model.start_positions(), &Y = image.start_positions();
  std::vector<Eigen::Index> result;
  for (Eigen::Index i = 0; i < X.size(); i += 3)
    for (Eigen::Index j = 0; j < Y.size(); j += 3)
      if (std::abs(X[i] - Y[j]) + std::abs(0.3 - X[i + 1] - Y[j + 1]) + std::abs(X[i + 2] - Y[j + 2]) < 1e-9)
        result.push_back(j);
  EXPECT_EQ(Eigen::Index(3 * result.size()), X.size());
  return result;
}

// A bar's mirror image with mirrored and exchanged targets has mirrored forces.
TEST(BodyEnergyTerm, MirroredBarHasMirroredForces) {
  Bar bar(example("up", "down")), image(example("down_mirrored", "up_mirrored"), true);
  const Eigen::VectorXd x = bent(*bar.model, 0.2);
  const std::vector<Eigen::Index> match = images(*bar.model, *image.model);
  Eigen::VectorXd mirrored_x(x.size());
  for (std::size_t v = 0; v < match.size(); ++v) {
    const Eigen::Vector3d at = x.segment<3>(3 * Eigen::Index(v));
    mirrored_x.segment<3>(match[v]) << at[0], 0.3 - at[1], at[2];
  }
  EXPECT_NEAR(bar.term.energy(x), image.term.energy(mirrored_x), 1e-12 * bar.term.energy(x));
  const Eigen::VectorXd force = gradient_of(bar.term, x), mirrored_force = gradient_of(image.term, mirrored_x);
  for (std::size_t v = 0; v < match.size(); ++v) {
    const Eigen::Vector3d f = force.segment<3>(3 * Eigen::Index(v)), g = mirrored_force.segment<3>(match[v]);
    EXPECT_LT((Eigen::Vector3d(f[0], -f[1], f[2]) - g).norm(), 1e-11 * force.norm());
  }
}

// The equilibrium with the end turned by an angle about z.
struct Equilibrium {
  Equilibrium(ElasticSceneDefinition definition, double angle) {
    MotionDefinition turn;
    turn.kind = MotionDefinition::Kind::rotation;
    turn.axis = {0, 0, 1};
    turn.center = {0.5, 0.15, 0.1};
    turn.angle = angle;
    turn.duration = 1;
    definition.bodies[0].handles = {box_handle({-9, -9, -9}, {0.01, 9, 9}), box_handle({0.99, -9, -9}, {9, 9, 9}, turn)};
    definition.time_step = 1;
    const ElasticScene scene(definition);
    QuasiStatics statics(scene, {.newton = {.tolerance = 1e-10}});
    state = initial_state(*scene.model);
    NewtonWorkspace workspace;
    result = statics.step(state, workspace);
    EXPECT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
    model = scene.model;
  }
  ElasticState state;
  QuasiStaticResult result;
  std::shared_ptr<const ElasticModel> model;
};

// Newton's method converges quadratically, with the part of low rank that a held end leaves.
TEST(BodyEnergyTerm, NewtonFindsTheEquilibriumOfABentBar) {
  const QuasiStaticResult result = Equilibrium(bar(example()), 0.25).result;
  EXPECT_LE(result.iterations, 15);
  const auto& iterations = result.newton.iterations;
  ASSERT_GE(iterations.size(), 3u);
  EXPECT_TRUE(iterations.back().exact_hessian);
  const double before = iterations[iterations.size() - 2].step_size;
  EXPECT_LT(iterations.back().step_size, 30 * before * before + 1e-12);
}

TEST(BodyEnergyTerm, MirroredBarHasTheMirroredEquilibrium) {
  const Equilibrium left(bar(example("up", "down")), 0.25), right(bar(example("down_mirrored", "up_mirrored"), true), -0.25);
  const std::vector<Eigen::Index> match = images(*left.model, *right.model);
  double largest = 0;
  for (std::size_t v = 0; v < match.size(); ++v) {
    const Eigen::Vector3d x = left.state.positions.segment<3>(3 * Eigen::Index(v)),
                          y = right.state.positions.segment<3>(match[v]);
    largest = std::max(largest, (Eigen::Vector3d(x[0], 0.3 - x[1], x[2]) - y).norm());
  }
  EXPECT_LT(largest, 1e-8);
}

// A quantity of subsets in one place, such as a direction between them, has no value: known before the first step.
TEST(BodyEnergyTermBadInput, AQuantityWithoutAValueAtTheStart) {
  static const holo_observable observable = {HOLO_OBSERVABLE_POINT, 0, {0, 0, 0}, 0};
  static const holo_measure measure = {"stretch", "1"};
  holo_body_energy table = {HOLO_STAMP, "handmade", "summary", "", nullptr, nullptr, nullptr, nullptr, nullptr};
  table.destroy = [](holo_body_energy_instance*) {};
  table.describe = [](const holo_body_energy_instance*, holo_body_energy_description* description) {
    *description = {sizeof(holo_body_energy_description), 1, &observable, 1, &measure, 0, nullptr};
  };
  table.quantities = [](const holo_body_energy_instance*, const double*, const double*, const double*, double* o,
                        double* jacobian, double* hessian, holo_error*) {
    o[0] = 1;
    std::fill_n(jacobian, 3, std::nan(""));
    std::fill_n(hessian, 9, 0.0);
    return 0;
  };
  const auto plugin = std::make_shared<const BodyEnergyPlugin>(nullptr, &table, "");
  ElasticSceneDefinition definition = bar(example());
  int instance = 0;
  BodyEnergyDefinition& energy = definition.bodies[0].energies[0];
  energy.instance = std::make_shared<const BodyEnergyInstance>(plugin, reinterpret_cast<holo_body_energy_instance*>(&instance));
  energy.location = {"scene.yaml", 7, 9};
  const auto model = build(definition);
  EXPECT_EQ(message([&] { BodyEnergyTerm term(model, 0, 0); }),
            "scene.yaml:7:9: the body energy 'handmade' of 'body': its quantity 'stretch' is 1 at the start, where it has no "
            "derivatives; subsets that it compares may lie in the same place");
}

}  // namespace body_energy_tests
}  // namespace holo::test
