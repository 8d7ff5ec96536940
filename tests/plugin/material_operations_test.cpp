#include "holo/plugin/detail/material_operations.h"

#include <gtest/gtest.h>

#include "holo/plugin/material.h"
#include "material_batch.h"

namespace {

struct Fiber {
  template <class S>
  struct Coefficients {
    S mu;
    Vector3<S> fiber;
    S stiffness;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa"), p.direction("fiber"), p.positive("fiber_stiffness", "Pa")};
  }
  // The fiber resists stretch alone: a branch, guarded.
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S stretch = squared_norm(F * c.fiber) - 1;
    const S pulled = select(stretch > 0, stretch, S(0));
    return c.mu / 2 * (squared_norm(F) - 3 - 2 * log(determinant(F))) + c.stiffness * pulled * pulled * pulled;
  }
};

struct Opaque : Fiber {
  template <class S>
  static S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    static int calls = 0;
    ++calls;
    return Fiber::energy_density(F, c);
  }
};

struct Cramped : Fiber {
  static constexpr int graph_capacity = 300;
};

template <class M>
holo_material make() {
  return holo::plugin::make_material<M>("test", "test");
}

TEST(MaterialFallback, IsNamedWhereTheEnergyIsNotConstexpr) {
  const holo_material opaque = make<Opaque>();
  EXPECT_EQ(0u, std::string(opaque.kernels[HOLO_MATERIAL_HESSIAN]).find("run-time graph, "))
      << opaque.kernels[HOLO_MATERIAL_HESSIAN];
}

TEST(MaterialFallbackBadInput, OnlyTheOperationsThatAreTooLargeAreInterpreted) {
  const holo_material cramped = make<Cramped>();
  EXPECT_EQ(0u, std::string(cramped.kernels[HOLO_MATERIAL_ENERGY]).find("compile-time graph, "));
  EXPECT_EQ(0u, std::string(cramped.kernels[HOLO_MATERIAL_DIRECTIONAL_HESSIAN]).find("run-time graph, "));
}

TEST(MaterialFallback, GivesWhatTheCompiledGraphGives) {
  const holo_material compiled = make<Fiber>(), opaque = make<Opaque>();
  Sequence sequence;
  std::vector<Element> elements;
  for (unsigned e = 0; e < HOLO_LANE_WIDTH + 3; ++e) {
    Element element = {identity3<double>(), {}, {}, {}};
    SampleReader reader(sequence.next());
    element.coefficients = read_coefficients(compiled, reader);
    for (int k = 0; k < 9; ++k) {
      element.F[k] += 0.4 * (sequence.next() - 0.5);
      element.direction1[k] = sequence.next();
      element.direction2[k] = sequence.next();
      element.direction3[k] = sequence.next();
    }
    elements.push_back(element);
  }
  for (int k = 0; k < HOLO_MATERIAL_OPERATION_COUNT; ++k) {
    if (compiled.operations[k] == nullptr) continue;
    const auto fast = run(compiled, holo_material_operation(k), elements, false);
    const auto slow = run(opaque, holo_material_operation(k), elements, false);
    double size = 0;
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t i = 0; i < fast[e].size(); ++i) {
        size = std::max(size, std::abs(fast[e][i]));
        EXPECT_NEAR(fast[e][i], slow[e][i], 1e-12 * (1 + std::abs(fast[e][i]))) << "operation " << k;
      }
    EXPECT_GT(size, 0) << "operation " << k;
  }
}

TEST(MaterialCoefficients, OfAVectorAreItsEntriesInOrder) {
  EXPECT_EQ(5, holo::plugin::coefficient_count<Fiber>());
  const double values[] = {1, 2, 3, 4, 5};
  const auto c = holo::plugin::coefficients_of<Fiber, double>(values);
  EXPECT_EQ(3, c.fiber[1]);
  EXPECT_EQ(5, c.stiffness);
}

}  // namespace
