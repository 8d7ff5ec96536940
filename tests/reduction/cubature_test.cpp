// Reduced elastic energies of all elements against the full potential, and cubatures against these.
#include "holo/sim/reduction/cubature.h"

#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/reduction/linear_modes.h"
#include "reduced_bodies.h"

namespace holo::test {
namespace {

// Amplitudes of at most a twentieth of the body's length.
struct ReducedBar {
  explicit ReducedBar(const char* material, int elements = 600)
      : model(box_model(material, {1.0, 0.2, 0.25}, elements)),
        basis(linear_modes(clamped(model), 5).shapes),
        size(0.05 * model->length() / basis.cwiseAbs().maxCoeff()) {}

  Eigen::MatrixXd samples(int count, unsigned seed) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Eigen::MatrixXd result(basis.cols(), count);
    for (Eigen::Index k = 0; k < result.size(); ++k) result.data()[k] = size * uniform(random);
    return result;
  }

  std::shared_ptr<const ElasticModel> model;
  Eigen::MatrixXd basis;
  double size;
};

TEST(ReducedElasticity, OfAllElementsIsTheFullPotential) {
  for (const char* material : {"neo_hookean", "ogden"}) {
    const ReducedBar bar(material);
    const ReducedElasticity reduced(bar.model, bar.model->start_positions(), bar.basis);
    EXPECT_EQ(reduced.element_count(), bar.model->element_count());
    const Eigen::VectorXd q = bar.samples(1, 7).col(0), x = bar.model->start_positions() + bar.basis * q;
    ElasticTerm term(bar.model);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
    term.add_gradient(x, gradient);
    const Eigen::VectorXd projected = bar.basis.transpose() * gradient;
    const Eigen::MatrixXd hessian = bar.basis.transpose() * dense_stiffness(bar.model, x) * bar.basis;
    EXPECT_NEAR(reduced.energy(q), term.energy(x), 1e-12 * term.energy(x));
    EXPECT_LE((reduced.gradient(q) - projected).norm(), 1e-12 * projected.norm());
    EXPECT_LE((reduced.hessian(q) - hessian).norm(), 1e-12 * hessian.norm());
  }
}

TEST(ReducedElasticity, CubatureOfAllElementsIsExact) {
  const ReducedBar bar("neo_hookean");
  Cubature all;
  for (std::size_t place = 0; place < bar.model->packed_elements().size(); ++place)
    if (bar.model->packed_elements()[place] >= 0) all.elements.push_back(static_cast<int>(place));
  all.weights = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(all.elements.size()));
  const Eigen::VectorXd q = bar.samples(1, 7).col(0), x = bar.model->start_positions();
  const ReducedElasticity full(bar.model, x, bar.basis), reduced(bar.model, x, bar.basis, all);
  EXPECT_EQ(full.energy(q), reduced.energy(q));
  EXPECT_EQ(full.gradient(q), reduced.gradient(q));
}

// The gradient of a cubature is that of its energy, the Hessian that of its gradient: differences of sixth order.
TEST(ReducedElasticity, DerivativesOfACubatureAreThoseOfItsEnergy) {
  const ReducedBar bar("stvk");
  const Eigen::VectorXd x = bar.model->start_positions();
  const Cubature some{{3, 17, 18, 200}, Eigen::Vector4d(10, 3, 0.5, 80), 0};
  const ReducedElasticity reduced(bar.model, x, bar.basis, some);
  const Eigen::VectorXd q = bar.samples(1, 3).col(0), direction = bar.samples(1, 4).col(0), g = reduced.gradient(q);
  const Eigen::VectorXd product = reduced.hessian(q) * direction;
  const double h = 0.01;
  double slope = 0;
  Eigen::VectorXd change = Eigen::VectorXd::Zero(q.size());
  const double factors[] = {0.75, -0.15, 1.0 / 60};
  for (int n = 1; n <= 3; ++n) {
    const Eigen::VectorXd up = q + n * h * direction, down = q - n * h * direction;
    slope += factors[n - 1] * (reduced.energy(up) - reduced.energy(down)) / h;
    change += factors[n - 1] * (reduced.gradient(up) - reduced.gradient(down)) / h;
  }
  EXPECT_NEAR(slope, g.dot(direction), 1e-9 * g.norm() * direction.norm());
  EXPECT_LE((change - product).norm(), 1e-9 * product.norm());
}

// As the relative error of all reduced forces at the samples, each divided by its size.
double error_of(const ReducedBar& bar, const Cubature& cubature, const Eigen::MatrixXd& samples) {
  const Eigen::VectorXd x = bar.model->start_positions();
  const ReducedElasticity full(bar.model, x, bar.basis), reduced(bar.model, x, bar.basis, cubature);
  double sum = 0;
  for (Eigen::Index n = 0; n < samples.cols(); ++n) {
    const Eigen::VectorXd expected = full.gradient(samples.col(n));
    sum += (reduced.gradient(samples.col(n)) - expected).squaredNorm() / expected.squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(samples.cols()));
}

TEST(Cubature, ErrorIsThatOfTheReducedForcesAndFallsWithMoreElements) {
  const ReducedBar bar("neo_hookean");
  const Eigen::MatrixXd samples = bar.samples(20, 1), others = bar.samples(20, 2);
  double before = 1;
  for (const int elements : {5, 20, 60}) {
    const Cubature cubature =
        train_cubature(bar.model, bar.model->start_positions(), bar.basis, samples, {.max_elements = elements, .tolerance = 0});
    EXPECT_LE(cubature.elements.size(), std::size_t(elements));
    EXPECT_GT(cubature.weights.minCoeff(), 0);
    EXPECT_TRUE(std::is_sorted(cubature.elements.begin(), cubature.elements.end()));
    EXPECT_NEAR(cubature.training_error, error_of(bar, cubature, samples), 1e-9);
    EXPECT_LT(cubature.training_error, before);
    before = cubature.training_error;
  }
  EXPECT_LT(before, 0.05);
  const Cubature enough = train_cubature(bar.model, bar.model->start_positions(), bar.basis, samples, {.tolerance = 0.05});
  EXPECT_LE(enough.training_error, 0.05);
  EXPECT_LT(enough.elements.size(), 100u);
  EXPECT_LT(error_of(bar, enough, others), 0.25);  // of samples that it was not trained on
}

TEST(Cubature, DoesNotDependOnThreads) {
  const ReducedBar bar("neo_hookean");
  const Eigen::MatrixXd samples = bar.samples(10, 1);
  const auto train = [&] { return train_cubature(bar.model, bar.model->start_positions(), bar.basis, samples); };
  Cubature one;
  {
    const ThreadLimit limit(1);
    one = train();
  }
  const Cubature many = train();
  EXPECT_EQ(one.elements, many.elements);
  EXPECT_EQ(one.weights, many.weights);
}

TEST(CubatureBadInput, WhatDoesNotFitIsRefused) {
  const ReducedBar bar("neo_hookean", 60);
  const Eigen::VectorXd x = bar.model->start_positions();
  const Eigen::MatrixXd samples = bar.samples(3, 1);
  const auto expect = [](const std::function<void()>& call, const std::string& part) {
    try {
      call();
      ADD_FAILURE() << "nothing was refused: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const auto train = [&](const Eigen::MatrixXd& at, const CubatureOptions& options) {
    return [&bar, &x, at, options] { train_cubature(bar.model, x, bar.basis, at, options); };
  };
  expect(train(samples, {.max_elements = 0}), "max_elements 0");
  expect(train(samples, {.candidates = 0}), "candidates 0");
  expect(train(samples, {.tolerance = -1}), "the tolerance -1");
  expect(train(samples.topRows(2), {}), "3 samples of 2 amplitudes");
  expect(train(samples.leftCols(0), {}), "0 samples");
  Eigen::MatrixXd resting = samples, far = samples;
  resting.col(1).setZero();
  far.col(2) *= 1e200;
  expect(train(resting, {}), "the sample 1 of a cubature has");
  expect(train(far, {}), "the sample 2 of a cubature has forces that are not finite");
  const auto reduce = [&](const Cubature& cubature) {
    return [&, cubature] { ReducedElasticity(bar.model, x, bar.basis, cubature); };
  };
  expect(reduce({}), "0 elements and 0 weights");
  expect(reduce({{1, 1}, Eigen::Vector2d(1, 1), 0}), "must ascend; 1 follows 1");
  expect(reduce({{-1}, Eigen::VectorXd::Ones(1), 0}), "the element -1");
  expect(reduce({{1 << 30}, Eigen::VectorXd::Ones(1), 0}), "which the model has not");
  expect(reduce({{1}, Eigen::VectorXd::Zero(1), 0}), "the weight 0");
  expect([&] { ReducedElasticity(bar.model, x.head(3), bar.basis); }, "got 3 coordinates");
  expect([&] { ReducedElasticity(bar.model, x, bar.basis.leftCols(0)); }, "0 columns");
}

}  // namespace
}  // namespace holo::test
