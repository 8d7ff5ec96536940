// Energies of the first invariant and the volume.

#include "elements/hand_written_materials.h"
#include "elements/of_invariants.h"

namespace holo::comparison {
namespace {

// lambda-like a (J-1)^2/2 + b (J^(-2/3) I1 - 3)/2
struct NeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double bulk, shear;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double power = std::pow(J, -2.0 / 3), inverse = 1 / J, slope = -shear / 3 * power * inverse;
    return {shear / 2 * power, bulk * (J - 1) + slope * I1, slope, bulk - 5.0 / 3 * slope * inverse * I1};
  }
};
// mu/2 (I1 - 3) - mu (J-1) + lambda_s/2 (J-1)^2
struct StableNeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double lambda_s, mu;
  HOLO_INLINE InvariantSlopes slopes(double, double J) const { return {mu / 2, lambda_s * (J - 1) - mu, 0, lambda_s}; }
};

// mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2
struct LogNeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double lambda, mu;
  HOLO_INLINE InvariantSlopes slopes(double, double J) const {
    const double log_J = std::log(J), inverse = 1 / J, slope = (lambda * log_J - mu) * inverse;
    return {mu / 2, slope, 0, (lambda * inverse - slope) * inverse};
  }
};
// m/2 (I1 - 3) - 3m/4 (J - 1) + l/2 (J - 1)^2 - m/2 ln((I1 + 1)/4)
struct SmithNeoHookeanSlopes {
  static constexpr bool has_psi_11 = true;
  double l, m;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double inverse = 1 / (I1 + 1), half = m / 2 * inverse;
    return {m / 2 - half, l * (J - 1) - 0.75 * m, 0, l, half * inverse};
  }
};

// The slopes of W(b) + U(J), b = J^(-2/3) I1, from W', W'', U' and U''; a = J^(-2/3).
HOLO_INLINE InvariantSlopes of_shape_and_volume(double a, double I1, double J, double W1, double W2, double U1, double U2) {
  const double inverse = 1 / J, third = 2.0 / 3 * inverse, b_J = -a * I1 * third, b_JJ = -b_J * (third + inverse);
  return {W1 * a, W1 * b_J + U1, W2 * a * b_J - W1 * a * third, W2 * b_J * b_J + W1 * b_JJ + U2, W2 * a * a};
}

// W = mu/(2 b) (exp(b (x - 3)) - 1), U = kappa/2 (J - 1)^2
struct FungSlopes {
  static constexpr bool has_psi_11 = true;
  double kappa, mu, b;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double a = std::pow(J, -2.0 / 3), growth = mu / 2 * std::exp(b * (a * I1 - 3));
    return of_shape_and_volume(a, I1, J, growth, b * growth, kappa * (J - 1), kappa);
  }
};
// W' = sum_i w_i b^i with w_i = mu_A c_i (i+1)/N^i of the five terms, U = kappa/2 (J - 1)^2
struct ArrudaBoyceSlopes {
  static constexpr bool has_psi_11 = true;
  double kappa, w[5];
  ArrudaBoyceSlopes(double bulk, double mu_A, double N) : kappa(bulk) {
    constexpr double c[] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
    for (int i = 0; i < 5; ++i, mu_A /= N) w[i] = mu_A * c[i] * (i + 1);
  }
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double a = std::pow(J, -2.0 / 3), b = a * I1;
    const double W1 = w[0] + b * (w[1] + b * (w[2] + b * (w[3] + b * w[4])));
    const double W2 = w[1] + b * (2 * w[2] + b * (3 * w[3] + b * (4 * w[4])));
    return of_shape_and_volume(a, I1, J, W1, W2, kappa * (J - 1), kappa);
  }
};
// W = C1 p + C2 p^2 + C3 p^3 with p = b - 3, U = kappa/2 (J - 1)^2 + kappa_2 (J - 1)^4
struct YeohSlopes {
  static constexpr bool has_psi_11 = true;
  double C1, C2, C3, kappa, kappa_2;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double a = std::pow(J, -2.0 / 3), p = a * I1 - 3, e = J - 1, e2 = kappa_2 * e * e;
    return of_shape_and_volume(a, I1, J, C1 + p * (2 * C2 + 3 * C3 * p), 2 * C2 + 6 * C3 * p, e * (kappa + 4 * e2),
                               kappa + 12 * e2);
  }
};
// W = mu (b - 3), U = lambda/2 B^2 + kappa_0/2 e^2 with B = ln(1 - 4 e^2), e = J - 1
struct VolumePreservingSlopes {
  static constexpr bool has_psi_11 = false;
  double lambda, mu, kappa_0;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double e = J - 1, square = 4 * e * e, inverse = 1 / (1 - square), B = std::log1p(-square), B1 = -8 * e * inverse,
                 B2 = -8 * (1 + square) * inverse * inverse;
    return of_shape_and_volume(std::pow(J, -2.0 / 3), I1, J, mu, 0, lambda * B * B1 + kappa_0 * e,
                               lambda * (B1 * B1 + B * B2) + kappa_0);
  }
};

template <class Slopes>
std::vector<NamedKernel> of(const Slopes& slopes, DerivativeKind quantity) {
  return codings(OfInvariants<Slopes>{slopes}, quantity);
}

}  // namespace

std::vector<NamedKernel> hand_written_neo_hookean(DerivativeKind quantity, const std::vector<double>& c) {
  return of(NeoHookeanSlopes{c[0], c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_neo_hookean_paper(DerivativeKind quantity, const std::vector<double>& c) {
  return of(NeoHookeanSlopes{2 * c[0], 2 * c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_neo_hookean_log(DerivativeKind quantity, const std::vector<double>& c) {
  return of(LogNeoHookeanSlopes{c[0], c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_stable_neo_hookean(DerivativeKind quantity, const std::vector<double>& c) {
  return of(StableNeoHookeanSlopes{c[0], c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_stable_neo_hookean_smith(DerivativeKind quantity, const std::vector<double>& c) {
  return of(SmithNeoHookeanSlopes{c[0], c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_fung(DerivativeKind quantity, const std::vector<double>& c) {
  return of(FungSlopes{c[0], c[1], c[2]}, quantity);
}
std::vector<NamedKernel> hand_written_arruda_boyce(DerivativeKind quantity, const std::vector<double>& c) {
  return of(ArrudaBoyceSlopes(c[0], c[1], c[2]), quantity);
}
std::vector<NamedKernel> hand_written_yeoh(DerivativeKind quantity, const std::vector<double>& c) {
  return of(YeohSlopes{c[0], c[1], c[2], c[3], c[4]}, quantity);
}
std::vector<NamedKernel> hand_written_volume_preserving(DerivativeKind quantity, const std::vector<double>& c) {
  return of(VolumePreservingSlopes{c[0], c[1], c[2]}, quantity);
}

}  // namespace holo::comparison
