// Elastic bodies of quadratic tetrahedra: fields that they reproduce, models that mix them with linear ones, and convergence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "dynamics/loads/dead_load.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/contact/bristles.h"
#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/dynamics/quasi_statics.h"
#include "holo/sim/elastic/elastic_observations.h"
#include "holo/sim/elastic/element_fields.h"
#include "holo/sim/mesh/quadratic_map.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "quadratic_bodies.h"
#include "term_checks.h"

namespace holo::test {
namespace quadratic_elements_tests {

constexpr std::size_t W = HOLO_LANE_WIDTH;

ElasticBodyDefinition named(ElasticBodyDefinition body, const char* name) {
  body.name = name;
  return body;
}

// x(X) of degree 2 with a gradient far from the identity.
Eigen::Vector3d quadratic_field(const Eigen::Vector3d& X) {
  return {1.1 * X[0] + 0.3 * X[1] * X[1] - 0.2 * X[2], 0.9 * X[1] + 0.4 * X[0] * X[2], X[2] - 0.25 * X[0] * X[0] + 0.1 * X[1]};
}
Eigen::Matrix3d quadratic_gradient(const Eigen::Vector3d& X) {
  Eigen::Matrix3d F;
  F << 1.1, 0.6 * X[1], -0.2, 0.4 * X[2], 0.9, 0.4 * X[0], -0.5 * X[0], 0.1, 1;
  return F;
}

TEST(QuadraticElements, QuadraticFieldsHaveTheirGradientsAtAllPoints) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, raised({1, 0.8, 0.6}, 162))};
  const auto model = build(definition);
  Eigen::VectorXd x = model->start_positions(), X = x;
  for (Eigen::Index v = 0; v < x.size(); v += 3) x.segment<3>(v) = quadratic_field(X.segment<3>(v));
  AlignedArray F;
  deformation_gradients(*model, x, F);
  const ElasticBody& body = model->bodies()[0];
  double volume = 0;
  for (std::size_t block = 0; block < model->block_count(); ++block)
    for (std::size_t lane = 0; lane < W; ++lane) {
      const int element = model->packed_elements()[block * W + lane];
      if (element < 0) continue;
      volume += model->volumes()[block * W + lane];
      const auto where = QuadraticMap(body.mesh, std::size_t(element)).at(four_points()[block % 4].at);
      const Eigen::Matrix3d exact = quadratic_gradient(Eigen::Vector3d(where.data()));
      for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(F[(block * 9 + k) * W + lane], exact(int(k / 3), int(k % 3)), 1e-13);
    }
  EXPECT_NEAR(volume, 0.48, 1e-14);
}

// Bodies beside each other in one model, in any order, are those by themselves.
TEST(QuadraticElements, ModelsMixThemWithLinearElements) {
  const auto linear = named(hand_body(HandEnergy::stable, box_source({1, 1, 1}, 600)), "linear");
  const auto quadratic = named(hand_body(HandEnergy::stable, raised({1, 1, 1}, 1200)), "quadratic");
  const auto derivatives = [](const std::vector<ElasticBodyDefinition>& bodies, std::vector<double>& energies,
                              std::vector<Eigen::VectorXd>& gradients, std::vector<Eigen::VectorXd>& products) {
    ElasticModelDefinition definition;
    definition.bodies = bodies;
    const auto model = build(definition);
    ElasticTerm term(model);
    Eigen::VectorXd x = model->start_positions(), p = x;
    for (const ElasticBody& body : model->bodies()) {
      x.segment(3 * body.first_vertex, 3 * body.vertex_count) =
          disturbed(x.segment(3 * body.first_vertex, 3 * body.vertex_count), 0.01, 5);
      p.segment(3 * body.first_vertex, 3 * body.vertex_count) = disturbed(Eigen::VectorXd::Zero(3 * body.vertex_count), 1, 6);
    }
    const Eigen::VectorXd gradient = gradient_of(term, x);
    BlockAssembler assembler(model->pattern().matrix);
    SparseMatrix hessian;
    assembler.begin(hessian, nullptr);
    term.add_hessian(x, Curvature::exact, assembler);
    assembler.finish();
    const Eigen::VectorXd product = hessian.selfadjointView<Eigen::Lower>() * p;
    for (const ElasticBody& body : model->bodies()) {
      for (auto& part : term.parts(x))
        if (part.name.find(body.name) != std::string::npos) energies.push_back(part.energy);
      gradients.push_back(gradient.segment(3 * body.first_vertex, 3 * body.vertex_count));
      products.push_back(product.segment(3 * body.first_vertex, 3 * body.vertex_count));
    }
  };
  std::vector<double> e, e_linear, e_quadratic;
  std::vector<Eigen::VectorXd> g, g_linear, g_quadratic, p, p_linear, p_quadratic;
  derivatives({linear, quadratic, linear}, e, g, p);
  derivatives({linear}, e_linear, g_linear, p_linear);
  derivatives({quadratic}, e_quadratic, g_quadratic, p_quadratic);
  const auto expect_same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_LT((a - b).norm(), 1e-12 * b.norm());
  };
  for (const std::size_t body : {0u, 2u}) {
    expect_same(g[body], g_linear[0]);
    expect_same(p[body], p_linear[0]);
  }
  expect_same(g[1], g_quadratic[0]);
  expect_same(p[1], p_quadratic[0]);
  EXPECT_NEAR(e[0], e_linear[0], 1e-12 * e_linear[0]);
}

// All deformation gradients of a model at once are those of its bodies, whatever stands before them in a cluster of blocks.
TEST(QuadraticElements, GradientsOfMixedModelsAreThoseOfTheirBodies) {
  const auto linear = named(hand_body(HandEnergy::stable, box_source({1, 1, 1}, 600)), "linear");
  const auto quadratic = named(hand_body(HandEnergy::stable, raised({1, 1, 1}, 48)), "quadratic");
  const auto gradients = [](const std::vector<ElasticBodyDefinition>& bodies, std::size_t number) {
    ElasticModelDefinition definition;
    definition.bodies = bodies;
    const auto model = build(definition);
    Eigen::VectorXd x = model->start_positions();
    for (Eigen::Index v = 0; v < x.size(); v += 3) x.segment<3>(v) = quadratic_field(x.segment<3>(v));
    AlignedArray F;
    deformation_gradients(*model, x, F);
    const ElasticBody& body = model->bodies()[number];
    std::vector<double> result;  // of elements, not of padding, which differs with the model
    for (std::size_t packed = 0; packed < body.block_count * W; ++packed)
      for (std::size_t k = 0; k < 9; ++k)
        if (model->packed_elements()[body.first_block * W + packed] >= 0)
          result.push_back(F[((body.first_block + packed / W) * 9 + k) * W + packed % W]);
    return result;
  };
  const std::vector<double> of_linear = gradients({linear}, 0), of_quadratic = gradients({quadratic}, 0);
  EXPECT_EQ(gradients({quadratic, linear}, 1), of_linear);
  EXPECT_EQ(gradients({linear, quadratic, linear}, 2), of_linear);
  EXPECT_EQ(gradients({linear, quadratic, linear}, 1), of_quadratic);
}

TEST(QuadraticElements, AnInvertedElementCountsOnce) {
  ElasticModelDefinition definition;
  definition.bodies = {named(hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48)), "quadratic"),
                       named(hand_body(HandEnergy::stable, box_source({1, 0.5, 0.5}, 48)), "linear")};
  const auto model = build(definition);
  Eigen::VectorXd x = model->start_positions();
  EXPECT_EQ(determinants(*model, x).inverted_elements, 0);
  for (Eigen::Index v = 0; v < x.size(); v += 3) x[v] = -x[v];
  EXPECT_EQ(determinants(*model, x).inverted_elements, model->element_count());
}

// At rest the direction at each vertex of the surface, those on edges among them, is the bristles' own.
TEST(QuadraticElements, BristlesHaveTheirDirectionAtEveryVertex) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48))};
  definition.bodies[0].bristles.emplace().direction = {0.6, 0, 0.8};
  const auto model = build(definition);
  const ContactSurface surface = contact_surface(*model);
  const SurfaceBristles bristles(*model, definition, surface);
  for (const int vertex : surface.vertices)
    EXPECT_LT((bristles.direction(vertex, model->start_positions()) - Eigen::Vector3d(0.6, 0, 0.8)).norm(), 1e-12) << vertex;
}

// Products without a matrix and the derivative along a direction share nothing with the assembly but the elements' frames.
TEST(QuadraticElements, ProductsWithoutAMatrixAreThoseOfTheMatrix) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("neo_hookean_log");
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, raised({1, 1, 1}, 162));
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  ElasticModelDefinition definition;
  definition.bodies = {body};
  const auto model = build(definition);
  ElasticTerm term(model);
  const Eigen::VectorXd x = disturbed(model->start_positions(), 0.005, 1),
                        direction = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 2);
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size());
  term.add_product(x, direction, product);
  const Eigen::VectorXd assembled = hessian_of(term, *model, x, Curvature::exact) * direction;
  EXPECT_LT((product - assembled).norm(), 1e-13 * assembled.norm());
}

// A free fall: masses and weights belong together, so that no element is deformed.
TEST(QuadraticElements, AFreeFallDeformsNothing) {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48))};
  const ElasticScene scene(definition);
  ElasticState state = initial_state(*scene.model);
  IncrementalPotential potential{scene.model, implicit_euler_terms(scene)};
  potential.begin_step(scene.step_from(state), scene.schedule);
  Eigen::VectorXd x = state.positions;
  NewtonWorkspace workspace;
  ASSERT_EQ(minimize(potential, x, {.tolerance = 1e-12}, workspace).status, NewtonStatus::converged);
  for (Eigen::Index v = 0; v < x.size(); v += 3)
    EXPECT_LT(((x - state.positions).segment<3>(v) - Eigen::Vector3d(0, 0, -9.81e-4)).norm(), 1e-12) << v / 3;
}

// The surface of four triangles for each face has the vertices on edges, and all of the area.
TEST(QuadraticElements, ContactActsOnTheVerticesOnEdges) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48))};
  const auto model = build(definition);
  const ContactSurface surface = contact_surface(*model);
  double area = 0;
  for (const double each : surface.areas) area += each;
  EXPECT_NEAR(area, 2.5, 1e-13);
  std::size_t outside = 0;
  for (Eigen::Index v = 0; v < model->start_positions().size(); v += 3) {
    const Eigen::Vector3d x = model->start_positions().segment<3>(v);
    outside += x.minCoeff() == 0 || x[0] == 1 || x[1] == 0.5 || x[2] == 0.5;
  }
  EXPECT_EQ(surface.vertices.size(), outside);
}

TEST(QuadraticElements, AnAffineBodyHasNone) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48))};
  definition.bodies[0].deformation = Deformation::affine;
  try {
    build(definition);
    FAIL() << "was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_NE(std::string(error.what()).find("leave out `order: 2`"), std::string::npos) << error.what();
  }
}

// ---- equilibria

// A bar under its own weight, of Poisson's ratio 0: rho g/E (L x - x^2/2) is of degree 2, and found up to strains of 5e-6.
// Weights on the lumped masses would miss it by a part in a hundred between the vertices.
TEST(QuadraticElements, AHangingBarIsExactAtEveryVertex) {
  const double E = 1e9, weight = 1000 * 9.81;
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, raised({1, 0.5, 0.5}, 48), E, 0);
  body.handles = {box_handle({-1, -9, -9}, {1e-9, 9, 9})};
  ElasticSceneDefinition definition;
  definition.gravity = {9.81, 0, 0};
  definition.bodies = {body};
  const Equilibrium bar(definition);
  ASSERT_EQ(bar.result.status, NewtonStatus::converged) << bar.result.diagnosis;
  const Eigen::VectorXd& X = bar.scene.model->start_positions();
  for (Eigen::Index v = 0; v < X.size(); v += 3) {
    const double exact = weight / E * (X[v] - X[v] * X[v] / 2);
    EXPECT_NEAR(bar.x[v] - X[v], exact, 2e-5 * weight / E);
  }
}

// A material plugin with these moduli.
ElasticBodyDefinition plugin_body(const char* name, MeshSource mesh, double youngs_modulus, double poissons_ratio) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>(name);
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, std::move(mesh));
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", poissons_ratio}});
  return body;
}

// A bar [0, length] x [0, 1]^2 held at x = 0, with a force F along -z that is spread over its other end.
double tip_deflection(const char* material, double length, int cells, bool quadratic, double modulus, double ratio,
                      double force) {
  const int elements = int(6 * length * cells * cells * cells);
  const std::array<double, 3> size = {length, 1, 1};
  ElasticBodyDefinition body =
      plugin_body(material, quadratic ? raised(size, elements) : box_source(size, elements), modulus, ratio);
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 9, 9})};
  LoadDefinition load;
  load.make = traction_load({0, 0, -force});
  load.subset.kind = SubsetDefinition::Kind::box;
  load.subset.minimum = {length - 1e-9, -9, -9};
  load.subset.maximum = {length + 1e-9, 9, 9};
  body.loads = {load};
  ElasticSceneDefinition definition;
  definition.gravity = {};
  definition.bodies = {body};
  const Equilibrium bar(definition);
  EXPECT_EQ(bar.result.status, NewtonStatus::converged) << bar.result.diagnosis;
  const Eigen::VectorXd& X = bar.scene.model->start_positions();
  double sum = 0;
  int count = 0;
  for (Eigen::Index v = 0; v < X.size(); v += 3)
    if (X[v] > length - 1e-9) sum += X[v + 2] - bar.x[v + 2], ++count;
  return sum / count;
}

// The elastica E I theta'' = -F cos(theta), theta(0) = 0, theta'(L) = 0 of a cantilever whose force keeps its direction, with
// s = arc length: the angle at the end by bisection of the shooting, fourth-order steps. Returns the deflection of the end.
double elastica_deflection(double length, double force_over_stiffness) {
  constexpr int steps = 2000;
  const double h = length / steps;
  const auto shoot = [&](double curvature, double& deflection) {
    Eigen::Vector3d y(0, curvature, 0);  // theta, theta', z
    const auto slope = [&](const Eigen::Vector3d& at) {
      return Eigen::Vector3d(at[1], -force_over_stiffness * std::cos(at[0]), std::sin(at[0]));
    };
    for (int n = 0; n < steps; ++n) {
      const Eigen::Vector3d a = slope(y), b = slope(y + h / 2 * a), c = slope(y + h / 2 * b), d = slope(y + h * c);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    deflection = y[2];
    return y[1];
  };
  double low = 0, high = force_over_stiffness * length, deflection = 0;
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, deflection) > 0 ? high : low) = middle;
  }
  return deflection;
}

// A slender bar that bends by more than half of its length. Shear and stretch, which the elastica leaves out, are of the order
// (h / L)^2 = 1/400.
TEST(QuadraticElements, ASlenderCantileverFollowsTheElastica) {
  const double length = 20, modulus = 1e6, inertia = 1.0 / 12, force = 2.5 * modulus * inertia / (length * length);
  const double exact = elastica_deflection(length, force / (modulus * inertia));
  ASSERT_GT(exact, 0.5 * length);
  const double quadratic = tip_deflection("stvk", length, 1, true, modulus, 0, force);
  const double linear = tip_deflection("stvk", length, 2, false, modulus, 0, force);  // with the same vertices
  EXPECT_NEAR(quadratic, exact, 0.01 * exact);
  EXPECT_LT(linear, 0.75 * exact);  // too stiff by far
  RecordProperty("exact", fmt::format("{:.6g}", exact));
  RecordProperty("quadratic", fmt::format("{:.6g}", quadratic));
  RecordProperty("linear", fmt::format("{:.6g}", linear));
}

// With one cell across a slender bar the error is some percent, and nearly the same at any Poisson's ratio: what locks would
// lose most of its deflection toward 0.5. experiments/elastic/locking.yaml refines them.
TEST(QuadraticElements, NearlyIncompressibleBarsDoNotLock) {
  const double length = 20, modulus = 1e6, force = modulus / 12 / (length * length);
  const double exact = elastica_deflection(length, 12 * force / modulus);
  double first = 0;
  for (const double ratio : {0.49, 0.499, 0.4999}) {
    const double quadratic = tip_deflection("stable_neo_hookean", length, 1, true, modulus, ratio, force);
    const double linear = tip_deflection("stable_neo_hookean", length, 2, false, modulus, ratio, force);
    EXPECT_NEAR(quadratic, exact, 0.1 * exact) << ratio;
    EXPECT_LT(linear, 0.15 * exact) << ratio;
    if (first == 0) first = quadratic;
    EXPECT_NEAR(quadratic, first, 0.02 * exact) << ratio;
    RecordProperty(fmt::format("at_{}", std::lround(ratio * 1e4)),
                   fmt::format("elastica {:.6g}, quadratic {:.6g}, linear {:.6g}", exact, quadratic, linear));
  }
}

}  // namespace quadratic_elements_tests
}  // namespace holo::test
