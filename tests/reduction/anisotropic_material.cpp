#include "anisotropic_material.h"

#include "holo/plugin/detail/material_entry.h"

namespace holo::test {
namespace {

struct Anisotropic {
  static constexpr auto domain = Domain::positive_determinant;
  template <class S>
  struct Coefficients {
    S mu, lambda, k;
    Vector3<S> fiber;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("mu", "Pa"), p.positive("lambda", "Pa"), p.positive("k", "Pa"), p.direction("fiber")};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S log_J = log(determinant(F)), stretch = squared_norm(F * c.fiber) - 1;
    return c.mu / 2 * (squared_norm(F) - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J + c.k / 4 * stretch * stretch;
  }
};

// No compiler evaluates it.
struct Interpreted : Anisotropic {
  template <class S>
  static S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    static int calls = 0;
    ++calls;
    return Anisotropic::energy_density(F, c);
  }
};

}  // namespace

const holo_material& anisotropic_material() {
  static const holo_material material = plugin::make_material<Anisotropic>("anisotropic", "of a test");
  return material;
}
const holo_material& interpreted_anisotropic_material() {
  static const holo_material material = plugin::make_material<Interpreted>("interpreted", "of a test");
  return material;
}

}  // namespace holo::test
