// Psi = W(c) + dW/ds(c) . d + k/2 |d|^2 + lambda sum_(i<j) c_i d_i c_j d_j   [J/m^3]
// W(s) = mu/4 sum q_i^2 + lambda/8 (sum q_i)^2,  q_i = s_i^2 - 1, of the signed principal stretches s_i, with c_i = max(s_i,
// 0.6), d_i = s_i - c_i, k = lambda/2 + mu   after [Irving2004] Saint Venant-Kirchhoff that goes on quadratically below the
// stretch 0.6, before its stress turns at 1/sqrt 3, so that even inverted material is pushed back. The mixed terms, d^2W/ds_i
// ds_j, keep the stress continuous where one stretch passes 0.6 while another is below it; the tangent jumps there.
#include <holo/plugin/material.h>

struct InvertibleSaintVenantKirchhoff : LameMaterial {
  static constexpr bool is_calibrated = true;
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& k) {
    const S s[] = {s1, s2, s3};
    S c[3]{}, q[3]{}, trace = 0;
    for (int i = 0; i < 3; ++i) {
      c[i] = max(s[i], S(0.6));
      q[i] = c[i] * c[i] - 1;
      trace += q[i];
    }
    S psi = k.lambda / 8 * trace * trace, sum = 0;
    for (int i = 0; i < 3; ++i) {
      const S d = s[i] - c[i], slope = (k.mu * q[i] + k.lambda / 2 * trace) * c[i];
      psi += k.mu / 4 * q[i] * q[i] + slope * d + (k.lambda / 4 + k.mu / 2) * d * d + k.lambda * sum * c[i] * d;
      sum += c[i] * d;
    }
    return psi;
  }
};
HOLO_MATERIAL(InvertibleSaintVenantKirchhoff, "stvk_invertible", "Saint Venant-Kirchhoff solid that survives inversion")
