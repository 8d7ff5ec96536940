// Every derivative of every material against central differences of its energy in 100 digits (its twin, NAME.reference.so).
#include <iostream>

#include "material_fixture.h"

namespace holo {
namespace {

TEST_P(Materials, EnergyIsThatOfHundredDigits) {
  expect_reference(HOLO_MATERIAL_ENERGY, [this](const Element& e, const vector<double>& c) {
    const double energy = reference().energy(&e.F.entries[0], c.data());
    return std::pair(vector<double>{energy}, std::abs(energy) + largest(reference_stress(e, c)));
  });
}

TEST_P(Materials, StressIsDerivativeOfEnergy) { expect_stress(HOLO_MATERIAL_STRESS); }

TEST_P(Materials, HessianIsSecondDerivativeOfEnergy) { expect_hessian(HOLO_MATERIAL_HESSIAN); }

TEST_P(Materials, HandWrittenStressIsDerivativeOfEnergy) {
  if (material().operations[HOLO_MATERIAL_ANALYTIC_STRESS] == nullptr) GTEST_SKIP() << "its author gave none";
  expect_stress(HOLO_MATERIAL_ANALYTIC_STRESS);
}

TEST_P(Materials, HandWrittenStressDifferentialIsSecondDerivativeOfEnergy) {
  if (material().operations[HOLO_MATERIAL_ANALYTIC_HESSIAN] == nullptr) GTEST_SKIP() << "its author gave none";
  expect_hessian(HOLO_MATERIAL_ANALYTIC_HESSIAN);
}

// H : D of the Hessian in 100 digits. The conditioning is that of the Hessian, for directions of entries of order one.
TEST_P(Materials, StressDifferentialsAreTheHessianAlongADirection) {
  for (const auto operation : {HOLO_MATERIAL_STRESS_DIFFERENTIAL, HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL,
                               HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL}) {
    if (material().operations[operation] == nullptr) {
      EXPECT_EQ(operation, HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL);
      EXPECT_EQ(nullptr, material().operations[HOLO_MATERIAL_ANALYTIC_HESSIAN]);
      continue;
    }
    expect_reference(
        operation,
        [this](const Element& e, const vector<double>& c) {
          const vector<double> H = reference_hessian(e, c);
          vector<double> dP(9, 0.0);
          for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j)
              dP[std::size_t(i)] += H[std::size_t(upper_index<9>(std::min(i, j), std::max(i, j)))] * e.direction1[j];
          return std::pair(dP, 3 * (largest(H) + largest(reference_directional(e, c, e.F))));
        },
        sparse(5));
  }
}

// The conditioning of third derivatives is taken from the sizes of the second and third ones along F.
TEST_P(Materials, DirectionalHessianIsThirdDerivativeOfEnergy) {
  expect_reference(
      HOLO_MATERIAL_DIRECTIONAL_HESSIAN,
      [this](const Element& e, const vector<double>& c) {
        const vector<double> dH = reference_directional(e, c, e.direction1);
        return std::pair(dH, 3 * largest(dH) + largest(reference_hessian(e, c)));
      },
      sparse(7));
}

TEST_P(Materials, ThirdOrderContractionIsThirdDerivativeOfEnergy) {
  expect_reference(
      HOLO_MATERIAL_THIRD_ORDER_CONTRACTION,
      [this](const Element& e, const vector<double>& c) {
        const vector<double> T = reference_third_order(e, c);
        return std::pair(T, 3 * largest(T) + largest(reference_hessian(e, c)));
      },
      sparse(5));
}

// The conditioning of a fourth derivative is taken from its size and that of the third one: a step more than above.
TEST_P(Materials, FourthOrderContractionIsFourthDerivativeOfEnergy) {
  expect_reference(
      HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION,
      [this](const Element& e, const vector<double>& c) {
        const vector<double> Q = reference_fourth_order(e, c);
        return std::pair(Q, 10 * (largest(Q) + largest(reference_third_order(e, c))) + largest(reference_hessian(e, c)));
      },
      sparse(5));
}

TEST_P(Materials, CoefficientGradientIsDerivativeOfEnergy) {
  expect_reference(
      HOLO_MATERIAL_COEFFICIENT_GRADIENT,
      [this](const Element& e, const vector<double>& c) {
        vector<double> g(c.size()), dP(9 * c.size());
        reference().coefficient_gradient(&e.F.entries[0], c.data(), g.data());
        reference().coefficient_stress(&e.F.entries[0], c.data(), dP.data());
        return std::pair(g, largest(g) + largest(dP));
      },
      sparse(3));
}

TEST_P(Materials, CoefficientStressIsDerivativeOfStress) {
  expect_reference(
      HOLO_MATERIAL_COEFFICIENT_STRESS,
      [this](const Element& e, const vector<double>& c) {
        vector<double> dP(9 * c.size());
        reference().coefficient_stress(&e.F.entries[0], c.data(), dP.data());
        double per_coefficient = 1;  // coefficients have units
        for (double value : c) per_coefficient = std::max(per_coefficient, 1 / std::max(std::abs(value), 1e-300));
        return std::pair(dP, largest(dP) + largest(reference_hessian(e, c)) * per_coefficient);
      },
      sparse(3));
}

// Small differences of stretches are where spectral derivatives lose digits: at rest all three are equal.
TEST_P(Materials, DerivativesAreThoseOfHundredDigitsWhereStretchesAreNearlyEqual) {
  vector<Element> usable;
  for (const double gap : {0.0, 1e-12, 1e-8, 1e-5, 1e-3, 0.03, 0.06}) {
    const Vector3<double> three{1.1, 1.1 * (1 + gap), 1.1 * (1 - 0.7 * gap)}, two{0.9, 1.05, 1.05 * (1 + gap)};
    for (Vector3<double> s : {three, two}) {
      Element e = elements_[1];
      e.coefficients = elements_[0].coefficients, e.parameters = elements_[0].parameters;
      e.F = some_rotation * diagonal(s) * some_rotation;
      if (!has_energy(e, e.coefficients)) continue;
      if (is_at_kink(e)) {  // beside it then, where two stretches are still as near
        s[2] *= 1.07;
        std::cout << GetParam() << ": the energy has a kink " << where(e) << "\nand is tested beside it.\n";
        e.F = some_rotation * diagonal(s) * some_rotation;
        if (!has_energy(e, e.coefficients) || is_at_kink(e)) continue;
      }
      usable.push_back(e);
    }
  }
  if (usable.empty()) FAIL() << GetParam() << ": the energy has kinks, or is not finite, wherever stretches are nearly equal";
  const auto hessian = run(material(), HOLO_MATERIAL_HESSIAN, usable, true);
  const auto third = run(material(), HOLO_MATERIAL_THIRD_ORDER_CONTRACTION, usable, true);
  const auto fourth = run(material(), HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION, usable, true);
  for (std::size_t e = 0; e < usable.size(); ++e) {
    const vector<double>& c = usable[e].coefficients;
    const vector<double> H = reference_hessian(usable[e], c), T = reference_third_order(usable[e], c);
    for (std::size_t k = 0; k < 45; ++k)
      if (!expect_agreement(HOLO_MATERIAL_HESSIAN, usable[e], k, H[k], hessian[e][k], 4 * tolerance() * largest(H))) return;
    for (std::size_t k = 0; k < 9; ++k)
      if (!expect_agreement(HOLO_MATERIAL_THIRD_ORDER_CONTRACTION, usable[e], k, T[k], third[e][k],
                            4 * tolerance() * (3 * largest(T) + largest(H))))
        return;
    const vector<double> Q = reference_fourth_order(usable[e], c);
    for (std::size_t k = 0; k < 9; ++k)
      if (!expect_agreement(HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION, usable[e], k, Q[k], fourth[e][k],
                            4 * tolerance() * (10 * (largest(Q) + largest(T)) + largest(H))))
        return;
  }
}

}  // namespace
}  // namespace holo
