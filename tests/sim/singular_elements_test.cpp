// Elements at singular points of their energy: the plugin `singular`, whose derivatives are 0/0 at rest.
#include "holo/sim/elastic/singular_elements.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "elastic/element/element_pass.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/plugin/detail/material_entry.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/elastic/positive_semidefinite.h"
#include "scenes.h"

namespace holo {
namespace {

using namespace test;

constexpr std::size_t W = HOLO_LANE_WIDTH;

// The same energy with the root taken by hand: lambda (J-1)^2 + mu (J^(-2/3) I1 - 3) + k sin^2(4 (J-1)).
struct SimplifiedByHand {
  template <class S>
  struct Coefficients {
    S lambda, mu, k;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>&) {
    return {};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F), s = sin(4 * (J - 1));
    return c.lambda * (J - 1) * (J - 1) + c.mu * (pow(J, -2.0 / 3) * squared_norm(F) - 3) + c.k * s * s;
  }
};

struct Singular {
  PluginHost host{{std::string(HOLO_BINARY_DIR) + "/plugins"}};
  std::shared_ptr<std::atomic<int>> loads = std::make_shared<std::atomic<int>>(0);

  // Coefficients as in the plugin; `kink` chooses its variant.
  ElasticBodyDefinition body(int elements, double lambda, double mu, double k, bool kink) const {
    ElasticBodyDefinition body;
    body.name = "body";
    body.mesh = box_source({1, 0.5, 0.5}, elements);
    body.plugin = host.get<MaterialPlugin>("singular");
    body.material = std::shared_ptr<const holo_material>(body.plugin, &body.plugin->abi());
    body.reference = [host = host, loads = loads] {
      ++*loads;
      return host.get_reference<MaterialPlugin>("singular");
    };
    body.coefficients = {lambda, mu, k, kink ? 1.0 : 0.0};
    return body;
  }
};

ElasticBodyDefinition simplified_body(int elements, double lambda, double mu, double k) {
  static const holo_material material = plugin::make_material<SimplifiedByHand>("simplified_by_hand", "");
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = box_source({1, 0.5, 0.5}, elements);
  body.material = std::shared_ptr<const holo_material>(std::shared_ptr<void>(), &material);
  body.coefficients = {lambda, mu, k};
  return body;
}

ElasticSceneDefinition scene(ElasticBodyDefinition body) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.duration = 0.2;
  body.handles = {box_handle({-9, -9, -9}, {0.01, 9, 9})};
  scene.bodies = {std::move(body)};
  return scene;
}

TEST(SingularElements, HessianAtRestThroughTheElementPass) {
  const Singular singular;
  const ElasticScene elastic(scene(singular.body(30, 1.7, 1, 1, false)));
  const auto& model = elastic.model;
  const ElasticBody& body = model->bodies()[0];
  ElementBatch batch;
  SingularElementCounts counts;
  double largest_stress = 0;
  for_each_batch(*model, 0, model->block_count(), [&](const ElasticBody&, std::size_t first, std::size_t count) {
    for (std::size_t k = 0; k < count * 9 * W; ++k) batch.deformation[k] = (k / W) % 9 % 4 == 0 ? 1.0 : 0.0;
    run_operation(*model, ElementOperation::stress, body, first, count, batch.deformation, batch.stress, &counts);
    run_operation(*model, ElementOperation::hessian, body, first, count, batch.deformation, batch.hessian, &counts);
    for (std::size_t packed = 0; packed < count * W; ++packed) {
      if (model->packed_elements()[first * W + packed] < 0) continue;
      const double* H = batch.hessian + packed / W * 45 * W + packed % W;
      EXPECT_NEAR(H[0], 2 * 1.7 + 32 + 8.0 / 3, 1e-12);  // 38.07
      EXPECT_NEAR(H[4 * W], 2 * 1.7 + 32 - 4.0 / 3, 1e-12);
      EXPECT_NEAR(H[9 * W], 2, 1e-12);
      for (int k = 0; k < 9; ++k)
        largest_stress = std::max(largest_stress, std::abs(batch.stress[(packed / W * 9 + k) * W + packed % W]));
    }
  });
  EXPECT_EQ(counts.resolved, model->element_count()) << "each element once, padding not";
  EXPECT_EQ(counts.total(), counts.resolved);
  EXPECT_LT(largest_stress, 1e-13);
  EXPECT_EQ(*singular.loads, 1);
}

TEST(SingularElements, TrajectoryIsThatOfTheEnergySimplifiedByHand) {
  const Singular singular;
  const double lambda = 1.5e5, mu = 4e4, k = 1e4;
  const ElasticScene rough_scene(scene(singular.body(60, lambda, mu, k, false))),
      smooth_scene(scene(simplified_body(60, lambda, mu, k)));
  const auto &rough = rough_scene.model, &smooth = smooth_scene.model;
  NewtonOptions options;
  options.tolerance = 1e-12;
  ImplicitEuler a(rough_scene, options), b(smooth_scene, options);
  ElasticState x = initial_state(*rough), y = initial_state(*smooth);
  std::int64_t resolved = 0;
  double moved = 0;
  for (int step = 0; step < 20; ++step) {
    const ElasticStepResult result = a.step(x);
    ASSERT_EQ(result.newton.status, NewtonStatus::converged) << step << ": " << result.newton.diagnosis;
    ASSERT_EQ(b.step(y).newton.status, NewtonStatus::converged);
    resolved += result.singular.resolved;
    EXPECT_EQ(result.singular.nondifferentiable + result.singular.unresolved, 0) << step;
    EXPECT_LT((x.positions - y.positions).cwiseAbs().maxCoeff(), 1e-9 * rough->length()) << step;
    moved = std::max(moved, (x.positions - rough->start_positions()).cwiseAbs().maxCoeff());
  }
  EXPECT_GE(resolved, rough->element_count()) << "every element is singular at the start";
  EXPECT_GT(moved, 0.01) << "nothing moved";
}

// The minimum of a step may lie on the kinks of some elements, where no derivative vanishes: Newton's method comes as near as
// the jump of the slope, 8 k, over the stiffness.
TEST(SingularElements, AKinkTakesTheMeanAndIsCounted) {
  const Singular singular;
  const ElasticScene elastic(scene(singular.body(60, 1.5e5, 4e4, 1, true)));
  const auto& model = elastic.model;
  NewtonOptions options;
  options.tolerance = 1e-4;
  ImplicitEuler integrator(elastic, options);
  ElasticState state = initial_state(*model);
  for (int step = 0; step < 5; ++step) {
    const ElasticStepResult result = integrator.step(state);
    ASSERT_EQ(result.newton.status, NewtonStatus::converged) << step << ": " << result.newton.diagnosis;
    EXPECT_EQ(result.singular.unresolved + result.singular.resolved, 0);
    if (step == 0) {
      EXPECT_GE(result.singular.nondifferentiable, model->element_count());
    }
  }
}

TEST(SingularElements, AKinkEndsTheRunWhereTheExperimentAsksForIt) {
  const Singular singular;
  ElasticSceneDefinition definition = scene(singular.body(60, 1.5e5, 4e4, 10, true));
  definition.singular_choice = SingularChoice::throw_error;
  try {
    const ElasticScene elastic(definition);
    const auto& model = elastic.model;
    ImplicitEuler integrator(elastic);
    ElasticState state = initial_state(*model);
    integrator.step(state);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_NE(std::string(error.what()).find("body 'body', element "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("differentiation.singular may be mean, right or left"), std::string::npos);
  }
}

// |sin(4 (J-1))| has the slopes -4 and 4 at rest.
TEST(SingularElements, OneSideOfAKinkCanBeChosen) {
  const Singular singular;
  for (const auto& [choice, slope] :
       {std::pair(SingularChoice::mean, 0.0), std::pair(SingularChoice::right, 4.0), std::pair(SingularChoice::left, -4.0)}) {
    ElasticSceneDefinition definition = scene(singular.body(10, 1.7, 1, 1, true));
    definition.singular_choice = choice;
    const ElasticScene elastic(definition);
    const auto& model = elastic.model;
    ElementBatch batch;
    for (std::size_t k = 0; k < 9 * W; ++k) batch.deformation[k] = (k / W) % 4 == 0 ? 1.0 : 0.0;
    run_operation(*model, ElementOperation::stress, model->bodies()[0], 0, 1, batch.deformation, batch.stress);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(batch.stress[k * int(W)], k % 4 == 0 ? slope : 0.0, 1e-13);
  }
}

// The plugin's Hessian, projected as a material with an operation of its own does it.
void project_its_own(const holo_batch* batch) {
  static const Singular singular;
  singular.host.get<MaterialPlugin>("singular")->abi().operations[HOLO_MATERIAL_HESSIAN](batch);
  project_hessians(batch->output, batch->deformation_gradient, batch->block_count, batch->projected);
}

// Not convex: the wave sin^2 turns downwards. At half of the elements nothing is finite, det F being 1.
TEST(SingularElements, AreProjectedWhereTheMaterialProjectsTheOthers) {
  const Singular singular;
  ElasticBodyDefinition projecting = singular.body(30, 1.7, 1, 1, false);
  holo_material own = projecting.plugin->abi();
  own.operations[HOLO_MATERIAL_PROJECTED_HESSIAN] = project_its_own;
  projecting.material = std::make_shared<const holo_material>(own);
  const auto model = build(scene(projecting)), plain = build(scene(singular.body(30, 1.7, 1, 1, false)));
  ElementBatch batch, expected;
  for (std::size_t k = 0; k < 9 * W; ++k)
    batch.deformation[k] = (k / W) % 4 != 0               ? 0.0
                           : k / W == 0 && k % W % 2 == 0 ? 1.5
                           : k / W == 4                   ? 0.5
                           : k / W == 8                   ? 2.0
                                                          : 1.0;
  SingularElementCounts counts, plain_counts;
  const std::size_t found =
      run_projected_hessian(*model, model->bodies()[0], 0, 1, batch.deformation, batch.hessian, batch.projected, &counts);
  EXPECT_EQ(found, run_projected_hessian(*plain, plain->bodies()[0], 0, 1, batch.deformation, expected.hessian,
                                         expected.projected, &plain_counts));
  EXPECT_EQ(counts.resolved, static_cast<int>(W / 2));
  EXPECT_EQ(counts.resolved, plain_counts.resolved);
  EXPECT_GT(found, W / 2);
  for (std::size_t lane = 0; lane < W; ++lane) EXPECT_EQ(batch.projected[lane], expected.projected[lane]);
  for (std::size_t k = 0; k < 45 * W; ++k) {
    ASSERT_TRUE(std::isfinite(expected.hessian[k]));
    EXPECT_NEAR(batch.hessian[k], expected.hessian[k], 1e-11);
  }
}

TEST(SingularElements, TheSecondLibraryIsLoadedForSingularElementsOnly) {
  const Singular singular;
  ElasticBodyDefinition body = simplified_body(60, 1.5e5, 4e4, 1e4);
  body.reference = singular.body(1, 1, 1, 1, false).reference;
  const ElasticScene elastic(scene(body));
  const auto& model = elastic.model;
  ImplicitEuler integrator(elastic);
  ElasticState state = initial_state(*model);
  const ElasticStepResult result = integrator.step(state);
  EXPECT_EQ(result.newton.status, NewtonStatus::converged);
  EXPECT_EQ(result.singular.total(), 0);
  EXPECT_EQ(*singular.loads, 0);
}

TEST(SingularElements, CountsAndBitsDoNotDependOnThreads) {
  const Singular singular;
  const ElasticScene elastic(scene(singular.body(3000, 1.5e5, 4e4, 1e4, false)));
  const auto& model = elastic.model;
  const ElasticState state = initial_state(*model);
  auto run = [&](int threads, Eigen::VectorXd& gradient, SparseMatrix& hessian) {
    ThreadLimit limit(threads);
    IncrementalPotential potential(model, implicit_euler_terms(elastic));
    potential.begin_step(elastic.step_from(state), elastic.schedule);
    potential.derivatives(state.positions, Curvature::projected, gradient, hessian);
    return potential.elasticity().singular_counts().resolved;
  };
  Eigen::VectorXd a, b;
  SparseMatrix A, B;
  const auto one = run(1, a, A), two = run(2, b, B);
  EXPECT_GE(one, model->element_count() / 4) << "elements whose det F is 1 to the last bit";
  EXPECT_EQ(one, two);
  EXPECT_EQ(a, b);
  EXPECT_EQ((A - B).norm(), 0);
  EXPECT_TRUE(a.allFinite());
}

TEST(SingularElementsBadInput, WithoutASecondLibraryTheStepSaysWhatIsMissing) {
  const Singular singular;
  ElasticBodyDefinition body = singular.body(60, 1.5e5, 4e4, 1e4, false);
  body.reference = []() -> std::shared_ptr<const MaterialReference> {
    throw Error(Failure::input, "there is no singular.reference.so");
  };
  const ElasticScene elastic(scene(body));
  const auto& model = elastic.model;
  ImplicitEuler integrator(elastic);
  ElasticState state = initial_state(*model);
  const ElasticStepResult result = integrator.step(state);
  EXPECT_EQ(result.newton.status, NewtonStatus::not_finite);
  EXPECT_GT(result.singular.unresolved, 0);
  EXPECT_NE(result.newton.diagnosis.find("elements of 'body' at singular points were not evaluated in one-sided series: there "
                                         "is no singular.reference.so"),
            std::string::npos)
      << result.newton.diagnosis;
}

}  // namespace
}  // namespace holo
