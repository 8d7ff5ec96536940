#pragma once
// Weights of the smooth contact model from lengths and speeds instead of stiffnesses.

namespace holo::articulated {

struct ContactWeights {
  double normal;      // w_n [N/m^2]
  double tangential;  // w_t [N s/m^3]
};

// Weights for which `points` points, which carry `weight` [N] in equal shares, stand `penetration` [m] deep, and a slope of the
// angle t makes them slide at tan(t) / `slip_ratio`, slip_ratio = w_t / w_n [s/m].
constexpr ContactWeights contact_weights(double weight, int points, double penetration = 0.02, double slip_ratio = 10) {
  const double normal = weight / (points * penetration * penetration);
  return {normal, slip_ratio * normal};
}

}  // namespace holo::articulated
