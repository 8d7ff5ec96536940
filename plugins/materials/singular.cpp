// Psi(F) = lambda (J - 1)^2 + mu (J^(-2/3) tr F^T F - 3) + k sqrt(g(J)^2),  J = det F > 0   [J/m^3]   [Luo2019] Eq 39
// with g = cos^2(4 (J - 1)) - 1, or with g^2 replaced by |g|. As printed, the root is of a negative number; the square under it
// was lost. The smooth variant is k sin^2(4 (J - 1)) in disguise: every derivative divides 0 by 0 at rest, and exists. The
// other one, k |sin(4 (J - 1))|, has a kink there; `simplified` is k sin^2(4 (J - 1)) itself. Written with -sin^2 for
// cos^2 - 1, which loses no digits near rest.
#include <holo/plugin/material.h>

struct Singular {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr const char* documentation =
      "Its derivatives are 0/0 at rest: they come from one-sided series there (differentiation.singular).";
  static constexpr const char* coefficient_names[] = {"lambda", "mu", "k", "kink"};
  template <class S>
  struct Coefficients {
    S lambda, mu, k;  // Pa
    S kink;           // 0: smooth, 1: kink, 2: simplified
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P k = p.positive("singular_stiffness", "Pa", {.default_value = 1.0, .documentation = "Of the singular term"});
    const int variant =
        p.choice("variant", {"smooth", "kink", "simplified"},
                 {.default_value = 0, .documentation = "sqrt(g^2), sqrt(|g|), or |g|, of g = cos^2(4 (J - 1)) - 1"});
    return {moduli.lambda, moduli.mu, k, P(double(variant))};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    const S s = sin(4 * (J - 1)), g = -s * s;
    const S root = select(c.kink > 1.5, -g, select(c.kink > 0.5, sqrt(-g), sqrt(g * g)));
    return c.lambda * (J - 1) * (J - 1) + c.mu * (pow(J, -2.0 / 3) * I1 - 3) + c.k * root;
  }
};
HOLO_MATERIAL(Singular, "singular", "neo-Hookean solid with a term whose derivatives are 0/0 at rest, [Luo2019] Eq 39")
