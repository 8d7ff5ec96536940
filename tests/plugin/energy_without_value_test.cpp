// Energies that do not exist at a deformation, though nothing declares it: accurate lanes must not make up a number.
#include <gtest/gtest.h>
#include <holo/plugin/material.h>

#include <cmath>

#include "plugin_batch.h"

namespace holo {
namespace {

struct ByInvariants : LameMaterial {
  static constexpr auto domain = Domain::all;
  template <class S>
  static constexpr S energy_of_invariants(const S&, const S&, const S& J, const Coefficients<S>& c) {
    return c.lambda * max(S(0.0), log(J));
  }
};
struct ByInterpretedGraph : LameMaterial {
  static constexpr auto domain = Domain::all;
  template <class S>
  static S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {  // not constexpr
    return c.lambda * max(S(0.0), log(determinant(F)));
  }
};

template <class M>
void expect_no_energy_of_a_reflection() {
  const std::size_t count = 2 * Blocks::width + 1;
  const auto is_reflected = [](std::size_t e) { return e % 2 == 1; };
  Blocks F(count, 9, [&](std::size_t e, std::size_t k) { return k % 4 != 0 ? 0.0 : k == 0 && is_reflected(e) ? -1.2 : 1.2; });
  Blocks coefficients(1, 2, [](std::size_t, std::size_t) { return 2.0; });
  Blocks energies(count, 1);
  holo_batch batch = {};
  batch.size = sizeof(holo_batch);
  batch.block_count = F.block_count();
  batch.deformation_gradient = F.data();
  batch.coefficients = coefficients.data();
  batch.output = energies.data();
  plugin::run_energy<M>(&batch);
  for (std::size_t e = 0; e < count; ++e)
    if (is_reflected(e))
      EXPECT_FALSE(std::isfinite(energies.at(e, 0))) << e;
    else
      EXPECT_NEAR(energies.at(e, 0), 6 * std::log(1.2), 1e-15) << e;
}

TEST(EnergyWithoutValue, IsNotMadeUpByTheInvariants) { expect_no_energy_of_a_reflection<ByInvariants>(); }
TEST(EnergyWithoutValue, IsNotMadeUpByAnInterpretedGraph) { expect_no_energy_of_a_reflection<ByInterpretedGraph>(); }

}  // namespace
}  // namespace holo
