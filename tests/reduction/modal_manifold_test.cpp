// The certificate of modal derivatives, samples of deformations, and equilibria among reduced displacements.
#include "holo/sim/reduction/modal_manifold.h"

#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/sim/dynamics/quasi_statics.h"
#include "holo/sim/reduction/reduced_elasticity.h"
#include "holo/sim/reduction/reduced_equilibrium.h"
#include "reduced_bodies.h"

namespace holo::test {
namespace {

struct CheckedBar {
  explicit CheckedBar(const char* material, bool is_free = false)
      : model(box_model(material, {1.0, 0.2, 0.25}, 150)),
        system(is_free ? ModalSystem(model, model->start_positions(), {{}, true}) : clamped(model)),
        modes(linear_modes(system, 3)),
        derivatives(modal_derivatives(system, modes.shapes, 2)) {}
  std::shared_ptr<const ElasticModel> model;
  ModalSystem system;
  LinearModes modes;
  ModalDerivatives derivatives;
};

// 2^p for derivatives that are right, of held and of free bodies; other ones leave residuals of a lower order.
TEST(ModalManifold, QuotientsTellRightDerivativesFromWrongOnes) {
  for (const bool is_free : {false, true}) {
    CheckedBar bar("neo_hookean", is_free);
    const ManifoldQuotients right = manifold_quotients(bar.system, bar.modes, bar.derivatives, 0.005);
    for (int order = 1; order <= 3; ++order)
      EXPECT_NEAR(right.of_order[std::size_t(order - 1)], std::pow(2, order), 0.1 * std::pow(2, order)) << is_free;
    EXPECT_LE(right.largest_deviation(), 0.1);
    bar.derivatives.second.col(0) *= 3;
    EXPECT_GT(manifold_quotients(bar.system, bar.modes, bar.derivatives, 0.005).largest_deviation(), 0.3) << is_free;
    bar.derivatives.first.col(0) *= 1.5;
    EXPECT_GT(manifold_quotients(bar.system, bar.modes, bar.derivatives, 0.005).largest_deviation(), 0.4) << is_free;
  }
}

TEST(ModalManifold, SamplesAreFiniteAndTheSameForOneSeed) {
  const CheckedBar bar("neo_hookean");
  const double amplitude = amplitude_of(bar.system, bar.modes, 0.3);
  EXPECT_NEAR(
      Eigen::Map<const Eigen::Matrix3Xd>(bar.modes.shapes.col(0).data(), 3, bar.system.size() / 3).colwise().norm().maxCoeff() *
          amplitude,
      0.3 * bar.model->length(), 1e-12);
  const auto samples = [&](std::uint64_t seed) {
    return deformation_samples(bar.system, bar.modes, bar.derivatives, bar.modes.shapes, amplitude, 20, seed);
  };
  const Eigen::MatrixXd first = samples(1);
  EXPECT_EQ(first, samples(1));
  EXPECT_NE(first, samples(2));
  const ReducedElasticity elasticity(bar.model, bar.system.positions(), bar.modes.shapes);
  for (Eigen::Index n = 0; n < first.cols(); ++n) EXPECT_TRUE(std::isfinite(elasticity.energy(first.col(n)))) << n;
  // The first half keeps to its width along the first mode; both have one mean energy where they are linear, but for the luck
  // of ten draws and for what is not.
  EXPECT_LE(first.leftCols(10).row(0).cwiseAbs().maxCoeff(), 1.1 * amplitude);
  const auto mean_energy = [&](Eigen::Index begin) {
    return (bar.modes.frequencies.asDiagonal() * first.middleCols(begin, 10)).squaredNorm() / 20;
  };
  EXPECT_GT(mean_energy(10), 0.3 * mean_energy(0));
  EXPECT_LT(mean_energy(10), 3 * mean_energy(0));
}

TEST(ModalManifoldBadInput, WhatDoesNotFitIsRefused) {
  CheckedBar bar("neo_hookean");
  const auto expect = [](const std::function<void()>& call, const std::string& part) {
    try {
      call();
      ADD_FAILURE() << "nothing was refused: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const auto sample = [&](int count) {
    deformation_samples(bar.system, bar.modes, bar.derivatives, bar.modes.shapes, 1, count, 1);
  };
  expect([&] { sample(1); }, "1 samples are wanted");
  expect([&] { manifold_quotients(bar.system, bar.modes, bar.derivatives, 50); }, "forces are not finite");
  ModalDerivatives first = bar.derivatives;
  first.second.resize(bar.system.size(), 0);
  expect([&] { manifold_quotients(bar.system, bar.modes, first, 0.01); }, "need derivatives of second order");
  first.mode_count = 2;
  expect([&] { manifold_quotients(bar.system, bar.modes, first, 0.01); }, "3 modes and derivatives of 2");
}

// A bar that is bent by its weight. In a basis of all free coordinates the reduced equilibrium is the full one; in fewer
// columns its reduced forces vanish and its potential is larger.
TEST(ReducedEquilibrium, IsTheFullOneInACompleteBasisAndNearItInASmallOne) {
  const auto plugin = material_host().get<MaterialPlugin>("neo_hookean");
  ElasticSceneDefinition definition;
  definition.time_step = 1, definition.duration = 1;
  definition.gravity = {0, 0, -3};
  ElasticBodyDefinition& body = definition.bodies.emplace_back();
  body.name = "bar";
  body.mesh = [] { return box_mesh({1.0, 0.25, 0.25}, 40); };
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.3}});
  HandleDefinition& handle = body.handles.emplace_back();
  handle.subset.kind = SubsetDefinition::Kind::box;
  handle.subset.minimum = {-9, -9, -9}, handle.subset.maximum = {1e-6, 9, 9};
  const ElasticScene scene(definition);
  QuasiStatics statics(scene);
  ElasticState state = initial_state(*scene.model);
  NewtonWorkspace workspace;
  ASSERT_EQ(statics.step(state, workspace).newton.status, NewtonStatus::converged);
  statics.hold(state);
  const Eigen::VectorXd& start = scene.model->start_positions();
  const ModalSystem system = clamped(scene.model);
  double before = INFINITY;
  for (const int columns : {2, 8, int(system.degrees_of_freedom())}) {
    const Eigen::MatrixXd basis = linear_modes(system, columns).shapes;
    ReducedEquilibrium reduced(statics.potential(), start, basis);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(columns), gradient;
    ASSERT_TRUE(reduced.find(q).converged());
    const Eigen::VectorXd x = reduced.positions(q);
    statics.potential().gradient(x, gradient);
    EXPECT_LE((basis.transpose() * gradient).cwiseAbs().maxCoeff(), 1e-6 * gradient.norm() + 1e-7) << columns;
    EXPECT_LT(statics.potential().energy(x), before);
    before = statics.potential().energy(x);
    const double distance = (x - state.positions).norm() / (state.positions - start).norm();
    EXPECT_LE(distance, columns > 8 ? 1e-6 : 1);
  }
  const Eigen::MatrixXd short_basis = Eigen::MatrixXd::Ones(3, 1);
  EXPECT_THROW(ReducedEquilibrium(statics.potential(), start, short_basis), Error);
}

}  // namespace
}  // namespace holo::test
