// The energy of examples on a small bar: its derivatives against an energy written in long double here, rest, mirrored bars,
// Newton's method with the part of low rank, and what is refused.
#include "holo/sim/elastic/body_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "elastic/affine/affine_definition.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/dynamics/body_energy_term.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/dynamics/quasi_statics.h"
#include "refusal_message.h"
#include "scenes.h"
#include "term_checks.h"

namespace holo::test {
namespace body_energy_tests {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Real3 = Eigen::Matrix<Real, 3, 1>;
using Real33 = Eigen::Matrix<Real, 3, 3>;

constexpr double stiffness = 3e4, full_angle = 0.3;

// A bar along x, whose end slab turns about z; the bumps of its targets are at its two sides.
const char* const example_text = R"(
subsets:
  inner: {box: {min: [0.7, -9, -9], max: [0.8, 9, 9]}}
  outer: {box: {min: [0.99, -9, -9]}}
body_energies:
  - type: example_based
    stiffness: 3.0e4
    full_angle: 0.3
    normal: [0, 0, 1]
    inner: inner
    outer: outer
    positive: POSITIVE
    negative: NEGATIVE
    targets:
      up: {shape: [x, y, z*(1 + 0.2*exp(-((x - 0.3)/0.2)^2 - ((y - 0.2)/0.1)^2))]}
      down: {shape: [x, y, z*(1 - 0.1*exp(-((x - 0.6)/0.2)^2 - (y/0.2)^2))]}
      up_mirrored: {shape: [x, y, z*(1 + 0.2*exp(-((x - 0.3)/0.2)^2 - ((y - 0.1)/0.1)^2))]}
      down_mirrored: {shape: [x, y, z*(1 - 0.1*exp(-((x - 0.6)/0.2)^2 - ((y - 0.3)/0.2)^2))]}
      strains: {strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]}
)";

std::string example(const std::string& positive = "up", const std::string& negative = "down") {
  std::string text = example_text;
  text.replace(text.find("POSITIVE"), 8, positive);
  text.replace(text.find("NEGATIVE"), 8, negative);
  return text;
}

void read_into(const std::string& yaml, ElasticBodyDefinition& body) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  body.subsets = read_named_subsets(root);
  body.energies = read_body_energies(root, host, body.subsets);
  file.finish();
}

TetrahedralMesh mirrored(TetrahedralMesh mesh) {
  for (auto& vertex : mesh.vertices) vertex[1] = 0.3 - vertex[1];
  for (auto& tetrahedron : mesh.tetrahedra) std::swap(tetrahedron[2], tetrahedron[3]);
  return mesh;
}

ElasticSceneDefinition bar(const std::string& yaml, bool is_mirrored = false) {
  ElasticSceneDefinition scene;
  scene.gravity = {};
  scene.bodies = {hand_body(HandEnergy::stable, [is_mirrored] {
    const TetrahedralMesh mesh = box_mesh({1, 0.3, 0.2}, 120);
    return is_mirrored ? mirrored(mesh) : mesh;
  })};
  read_into(yaml, scene.bodies[0]);
  return scene;
}

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

std::string refusal_of_reading(const std::string& yaml) {
  ElasticBodyDefinition body;
  return message([&] { read_into(yaml, body); });
}
std::string replaced_in_example(const std::string& from, const std::string& to) {
  std::string text = example();
  text.replace(text.find(from), from.size(), to);
  return text;
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(BodyEnergyBadInput, NamesThatAreNotThere) {
  expect_refusal(refusal_of_reading(example("upp")),
                 {"bar.yaml:12:15", "no target 'upp'", "Did you mean 'up'", "down_mirrored"});
  expect_refusal(refusal_of_reading(replaced_in_example("outer: outer", "outer: out")),
                 {"bar.yaml:11:12", "no subset of the body's vertices 'out'", "inner, outer"});
  expect_refusal(refusal_of_reading(replaced_in_example("type: example_based", "type: example_base")),
                 {"bar.yaml:6:11", "no body energy plugin 'example_base'", "example_based"});
  expect_refusal(refusal_of_reading(replaced_in_example("stiffness: 3.0e4", "stiffnes: 3.0e4")), {"stiffness"});
  expect_refusal(refusal_of_reading(replaced_in_example("normal: [0, 0, 1]", "normal: [0, 0, 0]")),
                 {"bar.yaml:9:13", "normal"});
}

TEST(BodyEnergyBadInput, TargetsThatCannotBeRead) {
  expect_refusal(
      refusal_of_reading(replaced_in_example("strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]", "strain: [0.1, 0, 0]")),
      {"bar.yaml:", "strain"});
  expect_refusal(refusal_of_reading(replaced_in_example("[0.1, 0.02*x,", "[0.1, 0.02*u,")), {"bar.yaml:19", "u"});
  expect_refusal(refusal_of_reading(replaced_in_example("strains: {strain:", "strains: {stress:")),
                 {"bar.yaml:19", "shape", "field"});
}

std::string refusal_of_building(const std::string& yaml) {
  return message([&] { ElasticModel model(bar(yaml)); });
}

TEST(BodyEnergyBadInput, TargetsThatDoNotFitTheMesh) {
  const std::string strains = "strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]";
  const auto with = [&](const std::string& target) {
    std::string text = example("strains", "up");
    text.replace(text.find(strains), strains.size(), target);
    return text;
  };
  expect_refusal(refusal_of_building(with("field: bend")), {"bar.yaml:19", "the target 'strains'", "bend"});
  expect_refusal(refusal_of_building(with("strain: [1/(x - x), 0, 0, 0, 0, 0]")), {"bar.yaml:19", "finite"});
  expect_refusal(refusal_of_building(with("shape: [x, y, -z]")), {"bar.yaml:19", "the target 'strains'", "volume", "> 0"});
}

TEST(BodyEnergyTerm, FieldsOfTheMeshAreStrains) {
  TetrahedralMesh mesh = box_mesh({1, 0.3, 0.2}, 60);
  MeshField six{"bend", MeshField::Support::elements, 6, {}}, five{"five", MeshField::Support::elements, 5, {}},
      crooked{"crooked", MeshField::Support::elements, 9, std::vector<double>(9 * mesh.tetrahedra.size())};
  for (std::size_t i = 0; i < 6 * mesh.tetrahedra.size(); ++i) six.values.push_back(0.01 * double(i));
  five.values.resize(5 * mesh.tetrahedra.size());
  crooked.values[1] = 1;
  mesh.fields = {six, five, crooked};
  const auto target_of = [&](const std::string& field) {
    std::string text = example("strains", "up");
    const std::string strains = "strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]";
    text.replace(text.find(strains), strains.size(), "field: " + field);
    ElasticBodyDefinition body;
    read_into(text, body);
    const BodyEnergy energy = make_body_energy(body.energies[0], mesh);
    for (const StrainTarget& target : energy.targets)
      if (target.name == "strains") return target.strains;
    return std::vector<double>();
  };
  const std::vector<double> strains = target_of("bend");
  ASSERT_EQ(strains.size(), 9 * mesh.tetrahedra.size());
  const std::vector<double> second(strains.begin() + 9, strains.begin() + 18);
  EXPECT_EQ(second, (std::vector<double>{0.06, 0.09, 0.10, 0.09, 0.07, 0.11, 0.10, 0.11, 0.08}));
  expect_refusal(message([&] { target_of("five"); }), {"5 components", "6 (xx, yy, zz, xy, xz, yz) or 9"});
  expect_refusal(message([&] { target_of("crooked"); }), {"element", "not symmetric"});
}

TEST(BodyEnergyBadInput, AffineBodiesHaveNone) {
  ElasticBodyDefinition body;
  read_into(example(), body);
  body.subsets.clear();
  EXPECT_TRUE(keys_excluded_by_affine(body).empty());
  body.deformation = Deformation::affine;
  ASSERT_EQ(keys_excluded_by_affine(body).size(), 1u);
  EXPECT_EQ(keys_excluded_by_affine(body)[0][0], "body_energies");
}

}  // namespace body_energy_tests
}  // namespace holo::test
