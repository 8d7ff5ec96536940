// What becomes of graphs that are too large for the compiler, of two materials.
#include <gtest/gtest.h>

#include "graph_functions.h"

namespace holo::graph {
namespace {

// -mu Jm/2 log(1 - (b1 - 3)/Jm) + kappa/2 (J - 1)^2, b1 = J^(-2/3) I1.
struct Gent {
  static constexpr int input_count = 9, parameter_count = 3, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S* p, S* y) {
    const Matrix3<S> F{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
    const S J = determinant(F), b1 = pow(J, -2.0 / 3) * squared_norm(F);
    y[0] = -p[0] * p[1] / 2 * log(1 - (b1 - 3) / p[1]) + p[2] / 2 * (J - 1) * (J - 1);
  }
};

// Fibers with dispersion d: E = d (b1 - 3) + (1 - 3 d)(b4 - 1), b4 = J^(-2/3) |F a|^2, which resist stretch alone.
struct GasserOgdenHolzapfel {
  static constexpr int input_count = 9, parameter_count = 8, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S* p, S* y) {
    const Matrix3<S> F{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
    const Vector3<S> a{p[5], p[6], p[7]};
    const S J = determinant(F), scale = pow(J, -2.0 / 3), b1 = scale * squared_norm(F), b4 = scale * squared_norm(F * a);
    const S pulled = max(p[4] * (b1 - 3) + (1 - 3 * p[4]) * (b4 - 1), S(0));
    y[0] = p[0] / 2 * (b1 - 3) + p[1] / 2 * ((J * J - 1) / 2 - log(J)) + p[2] / (2 * p[3]) * (exp(p[3] * pulled * pulled) - 1);
  }
};

// As the compiler does it, at run time: every capacity either suffices, and then the graph is the whole graph, or is exceeded
// and told; making the graph ends in both cases.
template <class Function>
void expect_whole_or_overflowed(Derivative derivative) {
  std::vector<int> whole(output_count<Function>(derivative)), outputs(whole.size());
  Graph large(Leaves<Function>::count, 1 << 20);
  differentiate<Function>(large, derivative, whole.data());
  ASSERT_FALSE(large.overflowed());
  int sufficient = 0;
  for (int capacity = 16; capacity <= 4096; ++capacity) {
    Graph g(Leaves<Function>::count, capacity);
    differentiate<Function>(g, derivative, outputs.data());
    ASSERT_EQ(g.overflowed(), capacity < large.size()) << capacity;
    ASSERT_LE(g.size(), capacity);
    if (g.overflowed()) continue;
    ASSERT_EQ(outputs, whole) << capacity;
    ++sufficient;
  }
  EXPECT_EQ(sufficient, std::max(0, 4096 - large.size() + 1));
}

TEST(GraphCapacity, EveryOneOfGentsMaterialSufficesOrIsToldToBeExceeded) {
  for (const Derivative derivative : {Derivative::value, Derivative::jacobian, Derivative::hessian,
                                      Derivative::directional_hessian, Derivative::third_order_contraction})
    expect_whole_or_overflowed<Gent>(derivative);
}

TEST(GraphCapacity, EveryOneOfAFiberReinforcedMaterialSufficesOrIsToldToBeExceeded) {
  for (const Derivative derivative : {Derivative::value, Derivative::jacobian, Derivative::hessian,
                                      Derivative::directional_hessian, Derivative::third_order_contraction})
    expect_whole_or_overflowed<GasserOgdenHolzapfel>(derivative);
}

TEST(GraphCapacity, OfAFiberReinforcedMaterialWithDispersionIsTheDefaultOne) {
  EXPECT_TRUE((Compiled<GasserOgdenHolzapfel, Derivative::hessian>::compiled));
  EXPECT_TRUE((Compiled<GasserOgdenHolzapfel, Derivative::directional_hessian>::compiled));
}

// Capacities at which a constant was multiplied with the last node for ever.
template <int capacity>
struct CrampedGent : Gent {
  static constexpr int graph_capacity = capacity;
};
template <int... capacities>
void expect_decided_by_the_compiler() {
  EXPECT_FALSE((Compiled<CrampedGent<capacities>, Derivative::hessian>::compiled || ...));
}
TEST(GraphCapacity, ThatIsTooSmallIsNoErrorOfTheCompiler) { expect_decided_by_the_compiler<16, 40, 75, 100>(); }

// Constants whose products overflow or vanish are not folded.
struct LargeConstants {
  static constexpr int input_count = 1, parameter_count = 0, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S*, S* y) {
    y[0] = atan2(x[0], S(1e200)) + hypot(x[0], S(1e200)) / S(1e200) + (1e200 * x[0]) * (1e200 * x[0]);
  }
};
struct SmallConstants {
  static constexpr int input_count = 1, parameter_count = 0, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S*, S* y) {
    y[0] = (1e-200 * x[0]) * (1e-200 * x[0]);
  }
};

TEST(GraphConstants, WhoseProductsLeaveTheRangeOfNumbersAreLeftToTheProgram) {
  EXPECT_TRUE((Compiled<LargeConstants, Derivative::hessian>::compiled));
  const std::vector<double> at{1e-180, 1, 1};
  EXPECT_DOUBLE_EQ((compiled<LargeConstants, Derivative::value>(at)[0]), 1e40);
  EXPECT_DOUBLE_EQ((compiled<LargeConstants, Derivative::jacobian>(at)[0]), 2e220);
  const std::vector<double> large{1e190, 1, 1};
  EXPECT_DOUBLE_EQ((compiled<SmallConstants, Derivative::value>(large)[0]), 1e-20);
  EXPECT_DOUBLE_EQ((compiled<SmallConstants, Derivative::jacobian>(large)[0]), 2e-210);
}

}  // namespace
}  // namespace holo::graph
