#include "holo/sim/elastic/positive_semidefinite.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "algebra/symmetric.h"
#include "elastic/element/element_pass.h"
#include "holo/core/plugins/plugin_host.h"
#include "scenes.h"

namespace holo::test {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

void put(AlignedArray& array, std::size_t index, const Matrix9& m) {
  for (int i = 0, k = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, ++k) array[(index / W * 45 + static_cast<std::size_t>(k)) * W + index % W] = m(i, j);
}

Matrix9 get(const AlignedArray& array, std::size_t index) {
  Matrix9 m;
  for (int i = 0, k = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, ++k) m(i, j) = m(j, i) = array[(index / W * 45 + static_cast<std::size_t>(k)) * W + index % W];
  return m;
}

Matrix9 random_rotation(std::size_t seed) {
  Matrix9 m;
  for (int i = 0; i < 81; ++i) m(i / 9, i % 9) = wiggle(seed * 100 + static_cast<std::size_t>(i));
  return Eigen::HouseholderQR<Matrix9>(m).householderQ();
}

Matrix9 with_eigenvalues(std::size_t seed, const Eigen::Matrix<double, 9, 1>& values) {
  const Matrix9 q = random_rotation(seed);
  const Matrix9 m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

TEST(PositiveSemidefinite, EqualsTheClampedEigenDecomposition) {
  constexpr std::size_t blocks = 40, matrix_count = blocks * W;
  AlignedArray matrices(blocks * 45 * W);
  std::vector<Matrix9> originals;
  for (std::size_t index = 0; index < matrix_count; ++index) {
    Eigen::Matrix<double, 9, 1> values;
    for (int i = 0; i < 9; ++i) values[i] = wiggle(index * 9 + static_cast<std::size_t>(i));
    if (index % 5 == 1) values = values.cwiseAbs();            // positive
    if (index % 5 == 2) values.head<4>().setConstant(-0.3);    // equal negative ones
    if (index % 5 == 3) values = values.array().pow(9) * 1e3;  // far apart
    if (index % 5 == 4) values.tail<3>() << 0, 1e-9, -1e-9;    // near zero
    originals.push_back(std::pow(10.0, static_cast<double>(index % 13) - 4) * with_eigenvalues(index, values));
    put(matrices, index, originals.back());
  }
  std::vector<std::uint8_t> projected(matrix_count);
  const std::size_t count = project_hessians(matrices.data(), nullptr, blocks, projected.data());
  std::size_t expected = 0, clear = 0;
  for (std::size_t index = 0; index < matrix_count; ++index) {
    const Matrix9 result = get(matrices, index);
    EXPECT_LT((result - positive_part(originals[index])).norm(), 1e-12 * originals[index].norm()) << index;
    const Eigen::VectorXd values = symmetric_eigenvalues(originals[index]);
    if (std::abs(values[0]) > 1e-11 * values[8]) {  // a clear case
      EXPECT_EQ(projected[index], values[0] < 0) << index;
      ++clear;
    }
    expected += projected[index];
    if (!projected[index]) {
      EXPECT_EQ(result, originals[index]);
    }
  }
  EXPECT_EQ(count, expected);
  EXPECT_GT(clear, matrix_count * 3 / 4);
}

TEST(PositiveSemidefinite, SpecialMatrices) {
  AlignedArray matrices(45 * W);
  std::vector<std::uint8_t> projected(W);
  const Matrix9 identity = Matrix9::Identity(), ones = Matrix9::Ones();
  for (const Matrix9& m : {Matrix9(Matrix9::Zero()), identity, Matrix9(-identity), Matrix9(ones - identity),
                           Matrix9(-1e-200 * identity), Matrix9(1e200 * (ones - 3 * identity))}) {
    for (std::size_t index = 0; index < W; ++index) put(matrices, index, m);
    project_hessians(matrices.data(), nullptr, 1, projected.data());
    for (std::size_t index = 0; index < W; ++index)
      EXPECT_LE((get(matrices, index) - positive_part(m)).cwiseAbs().maxCoeff(), 1e-13 * m.cwiseAbs().maxCoeff()) << m;
  }
}

TEST(PositiveSemidefinite, WhatIsNotFiniteStaysNotFinite) {
  for (double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    AlignedArray matrices(45 * W);
    std::vector<std::uint8_t> projected(W);
    Matrix9 m = Matrix9::Identity();
    m(2, 3) = m(3, 2) = bad;
    for (std::size_t index = 0; index < W; ++index) put(matrices, index, index == 1 ? m : Matrix9(Matrix9::Identity()));
    project_hessians(matrices.data(), nullptr, 1, projected.data());
    EXPECT_FALSE(get(matrices, 1).allFinite());
    EXPECT_EQ(get(matrices, 0), Matrix9::Identity());
  }
}

// Hessians of an isotropic energy at all kinds of F, and the same ones spoiled: both ways give the clamped decomposition.
TEST(PositiveSemidefinite, PrincipalAxesGiveTheSameWhateverTheDeformation) {
  constexpr std::size_t blocks = 30, matrix_count = blocks * W;
  AlignedArray F(blocks * 9 * W), hessian(blocks * 45 * W), coefficients(2 * W);
  std::fill_n(coefficients.data(), W, 1e5);
  std::fill_n(coefficients.data() + W, W, 1e6);
  for (std::size_t index = 0; index < matrix_count; ++index)
    for (std::size_t i = 0; i < 9; ++i) {
      double value = wiggle(index * 9 + i);                               // any, half of them inverted
      if (index % 6 == 1) value = i % 4 == 0 ? 0.6 : 0;                   // equal stretches
      if (index % 6 == 2) value = (i % 4 == 0 ? 0.7 : 0) + 1e-9 * value;  // nearly equal ones
      if (index % 6 == 3) value = (i % 4 == 0 ? 0.8 : 0) + 0.1 * value;   // compressed
      if (index % 6 == 4) value = i == 0 ? 1e-7 : i % 4 == 0 ? 0.9 : 0;   // nearly flat
      if (index % 6 == 5) value = i / 3 == 2 ? 0 : value;                 // without full rank
      F[(index / W * 9 + i) * W + index % W] = value;
    }
  holo_batch batch{};
  batch.size = sizeof(batch);
  batch.block_count = blocks;
  batch.deformation_gradient = F.data();
  batch.coefficients = coefficients.data();
  batch.output = hessian.data();
  for (bool isotropic : {true, false}) {
    HandMaterial<HandEnergy::stable>::hessian(&batch);
    std::vector<Matrix9> originals;
    for (std::size_t index = 0; index < matrix_count; ++index) {
      Matrix9 m = get(hessian, index);
      if (!isotropic) m(1, 5) += 1e-6 * m(4, 4), m(5, 1) = m(1, 5);
      put(hessian, index, m);
      originals.push_back(m);
    }
    std::vector<std::uint8_t> projected(matrix_count);
    EXPECT_GT(project_hessians(hessian.data(), F.data(), blocks, projected.data()), matrix_count / 2);
    for (std::size_t index = 0; index < matrix_count; ++index)
      EXPECT_LT((get(hessian, index) - positive_part(originals[index])).norm(), 1e-12 * originals[index].norm())
          << index << ' ' << isotropic;
  }
}

TEST(PositiveSemidefinite, ACompressedElementHasANegativeEigenvalueBeforeAndNoneAfter) {
  AlignedArray F(9 * W), hessian(45 * W), coefficients(2 * W);
  for (std::size_t lane = 0; lane < W; ++lane) {
    for (std::size_t i = 0; i < 9; ++i) F[i * W + lane] = (i % 4 == 0 ? 0.5 : 0) + 0.05 * wiggle(i + 9 * lane);
    coefficients[lane] = 1e5;
    coefficients[W + lane] = 1e6;
  }
  holo_batch batch{};
  batch.size = sizeof(batch);
  batch.block_count = 1;
  batch.deformation_gradient = F.data();
  batch.coefficients = coefficients.data();
  batch.output = hessian.data();
  HandMaterial<HandEnergy::stable>::hessian(&batch);
  auto smallest = [&](std::size_t lane) { return symmetric_eigenvalues(get(hessian, lane))[0]; };
  std::vector<std::uint8_t> projected(W);
  for (std::size_t lane = 0; lane < W; ++lane) EXPECT_LT(smallest(lane), -1e4);
  EXPECT_EQ(project_hessians(hessian.data(), F.data(), 1, projected.data()), W);
  for (std::size_t lane = 0; lane < W; ++lane) EXPECT_GT(smallest(lane), -1e-8);
}

// A body of one of the materials that project in their stretches.
std::shared_ptr<const ElasticModel> stretch_model(const std::string& material) {
  static const PluginHost host({std::string(HOLO_BINARY_DIR) + "/plugins"});
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = box_source({1, 0.5, 0.5}, 60);
  body.plugin = host.get<MaterialPlugin>(material);
  body.material = std::shared_ptr<const holo_material>(body.plugin, &body.plugin->abi());
  body.coefficients = {1.5e5, 4e4};
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.duration = 0.01;
  scene.bodies = {std::move(body)};
  return build(scene);
}

// Torn, crushed, reflected and at rest: as the general way gives it, and bit by bit the Hessian where nothing is negative.
TEST(PositiveSemidefinite, AMaterialProjectsItsOwnHessianInItsPrincipalAxes) {
  for (const char* material : {"corotational", "stvk_invertible"}) {
    const auto model = stretch_model(material);
    const ElasticBody& body = model->bodies()[0];
    ASSERT_NE(body.projected_hessian, nullptr);
    constexpr std::size_t count = 4;
    ElementBatch batch, general;
    for (std::size_t index = 0; index < count * W; ++index)
      for (std::size_t i = 0; i < 9; ++i) {
        const double size = index % 4 == 0 ? 0.0 : 0.3, diagonal = index % 4 == 1   ? 1.6
                                                                   : index % 4 == 2 ? 0.6
                                                                   : index % 4 == 3 ? -0.9
                                                                                    : 1;
        batch.deformation[(index / W * 9 + i) * W + index % W] = (i % 4 == 0 ? diagonal : 0) + size * wiggle(index * 9 + i);
      }
    run_operation(*model, ElementOperation::hessian, body, 0, count, batch.deformation, general.hessian);
    AlignedArray plain(count * 45 * W);
    std::copy_n(general.hessian, plain.size(), plain.data());
    const std::size_t expected = project_hessians(general.hessian, batch.deformation, count, general.projected);
    EXPECT_EQ(run_projected_hessian(*model, body, 0, count, batch.deformation, batch.hessian, batch.projected), expected);
    EXPECT_GT(expected, count * W / 4);
    EXPECT_LT(expected, count * W);
    AlignedArray found(plain.size()), other(plain.size());
    std::copy_n(batch.hessian, found.size(), found.data());
    std::copy_n(general.hessian, other.size(), other.data());
    for (std::size_t index = 0; index < count * W; ++index) {
      const Matrix9 H = get(plain, index), own = get(found, index);
      EXPECT_EQ(batch.projected[index], general.projected[index]) << material << ' ' << index;
      EXPECT_LT((own - get(other, index)).norm(), 1e-12 * H.norm()) << material << ' ' << index;
      EXPECT_LT((own - positive_part(H)).norm(), 1e-12 * H.norm()) << material << ' ' << index;
      EXPECT_GT(symmetric_eigenvalues(own)[0], -1e-13 * H.norm());
      if (index % 4 != 0 && !batch.projected[index]) {
        EXPECT_EQ(own, H) << material << ' ' << index;
      }
    }
  }
}

}  // namespace
}  // namespace holo::test
