#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "holo/comparison/element_kernels.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo::comparison {
namespace {

constexpr std::size_t count = 64;

std::vector<double> coefficients(const MaterialPlugin& material) {
  return material.coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}});
}

std::vector<double> results(const Kernel& kernel, DerivativeKind quantity, const std::vector<ElementRecord>& elements) {
  const std::size_t size = elements.size() * std::size_t(entries_of(quantity));
  const AlignedDoubles output = aligned_doubles(size);
  kernel(elements, output.get());
  return {output.get(), output.get() + size};
}

// Relative to the largest entry of each element; both are closed forms of some hundred operations, of terms that are up to
// a thousand times the result.
void expect_the_plugins_results(const std::string& name, const std::vector<ElementRecord>& elements, double tolerance) {
  const auto material = PluginHost().get<MaterialPlugin>(name);
  const std::vector<double> c = coefficients(*material);
  for (DerivativeKind quantity : derivative_kinds) {
    const int operation = quantity == DerivativeKind::gradient ? HOLO_MATERIAL_STRESS : HOLO_MATERIAL_HESSIAN;
    const std::vector<double> expected =
        results(plugin_kernel(material->abi().operations[operation], quantity, c), quantity, elements);
    std::vector<NamedKernel> kernels = hand_written_kernels(name, quantity, c);
    EXPECT_GE(kernels.size(), 2u) << name;
    for (NamedKernel& kernel : hand_written_lane_kernels(name, quantity, c)) kernels.push_back(std::move(kernel));
    kernels.push_back({"plugin, as simulations take it", plugin_kernel(material->abi(), quantity, c)});
    const std::size_t entries = std::size_t(entries_of(quantity));
    for (const NamedKernel& kernel : kernels) {
      const std::vector<double> found = results(kernel.run, quantity, elements);
      for (std::size_t e = 0; e < elements.size(); ++e) {
        double size = 0, error = 0;
        for (std::size_t k = e * entries; k < (e + 1) * entries; ++k) {
          size = std::max(size, std::abs(expected[k]));
          ASSERT_TRUE(std::isfinite(found[k])) << name << ", " << kernel.name << ", element " << e;
          error = std::max(error, std::abs(found[k] - expected[k]));
        }
        ASSERT_LE(error, tolerance * size) << name << ", " << kernel.name << ", quantity " << int(quantity) << ", element "
                                           << e;
      }
    }
  }
}

TEST(HandWrittenKernels, InLanesExistForTwoMaterials) {
  for (const char* name : {"neo_hookean", "stable_neo_hookean"})
    for (DerivativeKind quantity : derivative_kinds)
      EXPECT_EQ(1u, hand_written_lane_kernels(name, quantity, {1, 1}).size()) << name;
  EXPECT_TRUE(hand_written_lane_kernels("stvk", DerivativeKind::gradient, {1, 1}).empty());
  EXPECT_TRUE(hand_written_lane_kernels("neo_hookean", DerivativeKind::gradient, {1}).empty());
}

TEST(HandWrittenKernels, ComputeWhatThePluginsDo) {
  for (const std::string& name : PluginHost().names<MaterialPlugin>())
    if (name != "singular") expect_the_plugins_results(name, random_elements(count, 0.15), 1e-13);
}

// Where stretches meet, and differ by all powers of ten.
std::vector<ElementRecord> nearly_equal_stretches() {
  std::vector<ElementRecord> elements = random_elements(count, 0);
  for (std::size_t e = 0; e < count; ++e) {
    double* x = elements[e].vertices;
    const double scale[3] = {1.05, 1.05 + (e % 16 == 0 ? 0 : std::pow(10.0, -double(e % 16))), 0.9};
    for (int k = 0; k < 12; ++k) x[k] *= scale[k % 3];
  }
  return elements;
}

TEST(HandWrittenKernels, OfStretchesLoseNoDigitsWhereStretchesMeet) {
  for (const char* name : {"ogden", "stvk_invertible", "corotational"})
    expect_the_plugins_results(name, nearly_equal_stretches(), 1e-13);
}

// Some or all stretches below 0.6.
TEST(HandWrittenKernels, OfInvertibleMaterialFollowItsExtension) {
  std::vector<ElementRecord> elements = random_elements(count, 0.1);
  for (std::size_t e = 0; e < count; ++e)
    for (int k = 0; k < 12; ++k) elements[e].vertices[k] *= k % 3 < int(e % 4) ? 0.4 : 1.0;
  expect_the_plugins_results("stvk_invertible", elements, 1e-12);
}

TEST(HandWrittenKernelsBadInput, OtherMaterialsAndNumbersOfCoefficientsHaveNone) {
  EXPECT_TRUE(hand_written_kernels("granite", DerivativeKind::gradient, {1, 1}).empty());
  EXPECT_TRUE(hand_written_kernels("stvk", DerivativeKind::gradient, {1, 1, 1}).empty());
}

}  // namespace
}  // namespace holo::comparison
