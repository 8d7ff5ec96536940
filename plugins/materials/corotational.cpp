// Psi(F) = mu sum_i (s_i - 1)^2 + lambda/2 (sum_i s_i - 3)^2 = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2   [J/m^3]
// with the signed principal stretches s_i and the rotation R of F. Linear elasticity in the turned frame, for every F; two
// stretches s_i = -s_j, which only inversion reaches, are a kink.
#include <holo/plugin/material.h>

struct Corotational : LameMaterial {
  static constexpr bool is_calibrated = true;
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c) {
    const S a = s1 - 1, b = s2 - 1, d = s3 - 1;
    return c.mu * (a * a + b * b + d * d) + c.lambda / 2 * (a + b + d) * (a + b + d);
  }
};
HOLO_MATERIAL(Corotational, "corotational", "linear elasticity in the frame that turns with the material")
