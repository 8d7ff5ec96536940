// The tests that come free with every material.
//
// Errors are relative to the largest entry of a result and its conditioning: what a rounding of the input would change. The
// tests against 100 digits stand in material_references_test.cpp.

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "algebra/symmetric.h"
#include "material_fixture.h"

namespace holo {
namespace {

// By the plugin's own operation, else by the host's, as a simulation does it.
TEST_P(Materials, ProjectedHessianHasTheNegativeEigenvaluesSetToZero) {
  int indefinite = 0;
  const auto found = projected_hessians();
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const vector<double> H = reference_hessian(elements_[e], elements_[e].coefficients);
    Eigen::MatrixXd full(9, 9);
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) full(i, j) = H[upper_index<9>(i, j)];
    indefinite += test::symmetric_eigenvalues(full)[0] < -1e-3 * largest(H);
    const Eigen::MatrixXd projected = test::positive_part(full);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j)
        expect_agreement(HOLO_MATERIAL_PROJECTED_HESSIAN, elements_[e], std::size_t(upper_index<9>(i, j)), projected(i, j),
                         found[e][upper_index<9>(i, j)], 100 * tolerance() * largest(H),
                         "of 100-digit arithmetic, its negative eigenvalues set to 0");
  }
  EXPECT_GT(indefinite, 0) << "nothing was projected";
}

// What is not finite there comes from one-sided series, as in a simulation.
TEST_P(Materials, EnergyAndStressVanishAtRest) {
  const Element rest{identity3<double>(), elements_[0].coefficients, {}, {}, elements_[0].parameters};
  const auto at_rest = [&](holo_material_operation operation, std::uint32_t order) {
    vector<double> result = run(material(), operation, {rest}, true)[0];
    if (std::all_of(result.begin(), result.end(), [](double x) { return std::isfinite(x); })) return result;
    EXPECT_LT(reference().one_sided(rest.F.entries, rest.coefficients.data(), order, HOLO_ONE_SIDED_MEAN, result.data()),
              HOLO_ONE_SIDED_NOT_FINITE);
    return result;
  };
  const double scale = largest(at_rest(HOLO_MATERIAL_HESSIAN, 2));
  ASSERT_GT(scale, 0);
  const char* meaning = "as the undeformed body stores no energy and has no stress";
  expect_agreement(HOLO_MATERIAL_ENERGY, rest, 0, 0, at_rest(HOLO_MATERIAL_ENERGY, 0)[0], tolerance() * scale, meaning);
  const vector<double> P = at_rest(HOLO_MATERIAL_STRESS, 1);
  for (std::size_t k = 0; k < 9; ++k)
    if (!expect_agreement(HOLO_MATERIAL_STRESS, rest, k, 0, P[k], tolerance() * scale, meaning)) return;
}

TEST_P(Materials, OneSidedDerivativesAreThePlainOnesWhereTheseAreFinite) {
  for (std::size_t e = 0; e < elements_.size(); e += 5) {
    const vector<double>& c = elements_[e].coefficients;
    const vector<double> expected[] = {{reference().energy(elements_[e].F.entries, c.data())},
                                       reference_stress(elements_[e], c),
                                       reference_hessian(elements_[e], c)};
    const double scale = largest(expected[0]) + largest(expected[1]) + largest(expected[2]);
    for (std::uint32_t order = 0; order < 3; ++order) {
      vector<double> found(expected[order].size());
      const std::uint32_t status =
          reference().one_sided(elements_[e].F.entries, c.data(), order, HOLO_ONE_SIDED_MEAN, found.data());
      if (status == HOLO_ONE_SIDED_UNREPRESENTABLE) GTEST_SKIP() << "its energy cannot be evaluated in series";
      EXPECT_EQ(status, HOLO_ONE_SIDED_RESOLVED);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], expected[order][k], 100 * tolerance() * scale) << "order " << order << ", entry " << k;
    }
  }
}

// In double precision, for the comparison of modes.
TEST_P(Materials, ModesThatAreComparedAreDerivativesOfEnergy) {
  using Mode = void (*)(const double*, const double*, double*);
  for (std::size_t e = 0; e < elements_.size(); e += 5) {
    const vector<double>& c = elements_[e].coefficients;
    const vector<double> P = reference_stress(elements_[e], c), H = reference_hessian(elements_[e], c);
    const double scale = largest(P) + largest(H) + largest(reference_directional(elements_[e], c, elements_[e].F));
    for (const Mode mode : {reference().complex_step_stress, reference().accelerated_stress}) {
      ASSERT_NE(nullptr, mode);
      vector<double> found(9);
      mode(elements_[e].F.entries, c.data(), found.data());
      for (int k = 0; k < 9; ++k) EXPECT_NEAR(P[k], found[k], 10 * tolerance() * scale) << "element " << e << ", entry " << k;
    }
    for (const Mode mode : {reference().multicomplex_step_hessian, reference().accelerated_hessian}) {
      ASSERT_NE(nullptr, mode);
      vector<double> found(45);
      mode(elements_[e].F.entries, c.data(), found.data());
      for (int k = 0; k < 45; ++k) EXPECT_NEAR(H[k], found[k], 10 * tolerance() * scale) << "element " << e << ", entry " << k;
    }
  }
}

TEST_P(Materials, EnergyAndStressTurnWithTheBody) {
  vector<Element> turned = elements_;
  for (Element& element : turned) element.F = some_rotation * element.F;
  const auto energy = run(material(), HOLO_MATERIAL_ENERGY, elements_, false);
  const auto turned_energy = run(material(), HOLO_MATERIAL_ENERGY, turned, false);
  const auto stress = run(material(), HOLO_MATERIAL_STRESS, elements_, false);
  const auto turned_stress = run(material(), HOLO_MATERIAL_STRESS, turned, false);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const double scale = largest(stress[e]) + largest(reference_hessian(elements_[e], elements_[e].coefficients));
    const char* meaning = "as before the body was turned";
    expect_agreement(HOLO_MATERIAL_ENERGY, turned[e], 0, energy[e][0], turned_energy[e][0], 10 * tolerance() * scale, meaning);
    Matrix3<double> P{};
    std::copy(stress[e].begin(), stress[e].end(), P.entries);
    const Matrix3<double> expected = some_rotation * P;
    for (int k = 0; k < 9; ++k)
      expect_agreement(HOLO_MATERIAL_STRESS, turned[e], std::size_t(k), expected[k], turned_stress[e][k],
                       10 * tolerance() * scale, meaning);
  }
}

// C_ijkl = lambda d_ij d_kl + mu (d_ik d_jl + d_il d_jk)
void expect_moduli(const holo_material& material, const vector<double>& coefficients, double lambda, double mu) {
  const vector<double> H = run(material, HOLO_MATERIAL_HESSIAN, {{identity3<double>(), coefficients, {}, {}}}, true)[0];
  for (int row = 0; row < 9; ++row)
    for (int column = row; column < 9; ++column) {
      const int i = row / 3, j = row % 3, k = column / 3, l = column % 3;
      const double expected = lambda * (i == j && k == l) + mu * ((i == k && j == l) + (i == l && j == k));
      EXPECT_NEAR(expected, H[upper_index<9>(row, column)], tolerance() * (lambda + 2 * mu)) << row << " " << column;
    }
}

TEST_P(Materials, SmallStrainModuliAreTheParameters) {
  if (!material().is_calibrated) GTEST_SKIP() << "the plugin does not say that its moduli are those of small strains";
  SampleReader reader(0.8);
  const vector<double> coefficients = read_coefficients(material(), reader);
  const double E = reader.value("youngs_modulus"), nu = reader.value("poissons_ratio");
  ASSERT_TRUE(std::isfinite(E + nu)) << "a calibrated material has the parameters youngs_modulus and poissons_ratio";
  expect_moduli(material(), coefficients, E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu)));
}

// And infinite outside of its declared domain.
TEST_P(Materials, EnergyIsFiniteForEveryDeformationUnlessItsDomainIsDeclared) {
  vector<Element> inverted = elements_;
  for (Element& element : inverted)
    if (determinant(element.F) > 0) element.F = element.F * diagonal(Vector3<double>{-1, 1, 1});
  for (const auto& energy : run(material(), HOLO_MATERIAL_ENERGY, inverted, false)) {
    if (material().domain == HOLO_DOMAIN_ALL) {
      EXPECT_TRUE(std::isfinite(energy[0])) << "declare `static constexpr auto domain = Domain::positive_determinant;`";
    } else {
      EXPECT_EQ(std::numeric_limits<double>::infinity(), energy[0]);
    }
  }
}

TEST_P(Materials, EnergyIsInfiniteBeyondItsIntervalOfDeterminants) {
  if (material().domain != HOLO_DOMAIN_DETERMINANT_INTERVAL) GTEST_SKIP() << "the plugin declares no interval";
  const double lowest = material().determinant_minimum, highest = material().determinant_maximum;
  for (const double J : {lowest - 0.01, lowest, lowest + 0.01, highest - 0.01, highest, highest + 0.01}) {
    const vector<Element> element = {{diagonal(Vector3<double>{J, 1, 1}), elements_[0].coefficients, {}, {}}};
    const double energy = run(material(), HOLO_MATERIAL_ENERGY, element, true)[0][0];
    if (J > lowest && J < highest) {
      EXPECT_TRUE(std::isfinite(energy)) << GetParam() << ": the energy is " << energy
                                         << " inside its domain, at det F = " << J;
    } else {
      EXPECT_EQ(std::numeric_limits<double>::infinity(), energy)
          << GetParam() << ": the energy must be +infinity outside its domain, at det F = " << J;
    }
  }
}

TEST_P(Materials, EnergyAndStressDoNotSeeTheMaterialTurnedWhereItIsIsotropic) {
  if (!material().is_isotropic) GTEST_SKIP() << "the plugin does not say that it is isotropic";
  vector<Element> turned = elements_;
  for (Element& element : turned) element.F = element.F * some_rotation;
  const auto energy = run(material(), HOLO_MATERIAL_ENERGY, elements_, false);
  const auto turned_energy = run(material(), HOLO_MATERIAL_ENERGY, turned, false);
  const auto stress = run(material(), HOLO_MATERIAL_STRESS, elements_, false);
  const auto turned_stress = run(material(), HOLO_MATERIAL_STRESS, turned, false);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const double scale = largest(stress[e]) + largest(reference_hessian(elements_[e], elements_[e].coefficients));
    const char* meaning = "as before the isotropic material was turned";
    expect_agreement(HOLO_MATERIAL_ENERGY, turned[e], 0, energy[e][0], turned_energy[e][0], 10 * tolerance() * scale, meaning);
    Matrix3<double> P{};
    std::copy(stress[e].begin(), stress[e].end(), P.entries);
    const Matrix3<double> expected = P * some_rotation;
    for (int k = 0; k < 9; ++k)
      expect_agreement(HOLO_MATERIAL_STRESS, turned[e], std::size_t(k), expected[k], turned_stress[e][k],
                       10 * tolerance() * scale, meaning);
  }
}

// Of P(exp(t W) F) = exp(t W) P(F): H [W F] = W P.
TEST_P(Materials, HessianAgreesWithTheTurningOfTheStress) {
  const Matrix3<double> W{0, -0.7, 0.4, 0.7, 0, 0.9, -0.4, -0.9, 0};
  const auto stress = run(material(), HOLO_MATERIAL_STRESS, elements_, false);
  const auto hessian = run(material(), HOLO_MATERIAL_HESSIAN, elements_, false);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    Matrix3<double> P{};
    std::copy(stress[e].begin(), stress[e].end(), P.entries);
    const Matrix3<double> expected = W * P, direction = W * elements_[e].F;
    const double scale = largest(stress[e]) + 9 * largest(hessian[e]);
    for (int i = 0; i < 9; ++i) {
      double found = 0;
      for (int j = 0; j < 9; ++j) found += hessian[e][upper_index<9>(i, j)] * direction[j];
      EXPECT_NEAR(expected[i], found, 10 * tolerance() * scale);
    }
  }
}

// d3psi[D1, D2, D] from the directional Hessian along either direction, and from the contraction.
TEST_P(Materials, ThirdDerivativeIsSymmetricInItsDirections) {
  vector<Element> exchanged = elements_;
  for (Element& element : exchanged) std::swap(element.direction1, element.direction2);
  const auto along = run(material(), HOLO_MATERIAL_DIRECTIONAL_HESSIAN, elements_, false);
  const auto along_other = run(material(), HOLO_MATERIAL_DIRECTIONAL_HESSIAN, exchanged, false);
  const auto contraction = run(material(), HOLO_MATERIAL_THIRD_ORDER_CONTRACTION, elements_, false);
  const auto hessian = run(material(), HOLO_MATERIAL_HESSIAN, elements_, false);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const double scale = 9 * (largest(along[e]) + largest(along_other[e]) + largest(hessian[e]));
    for (int i = 0; i < 9; ++i) {
      double first = 0, second = 0;
      for (int j = 0; j < 9; ++j) {
        first += along[e][upper_index<9>(i, j)] * elements_[e].direction2[j];
        second += along_other[e][upper_index<9>(i, j)] * elements_[e].direction1[j];
      }
      EXPECT_NEAR(first, second, 10 * tolerance() * scale);
      EXPECT_NEAR(first, contraction[e][i], 10 * tolerance() * scale);
    }
  }
}

// d4psi[D1, D2, D3, D] with D1 and D exchanged.
TEST_P(Materials, FourthDerivativeIsSymmetricInItsDirections) {
  vector<Element> exchanged = elements_;
  for (Element& element : exchanged) element.direction1 = some_rotation;
  const auto contraction = run(material(), HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION, elements_, false);
  const auto other = run(material(), HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION, exchanged, false);
  const auto hessian = run(material(), HOLO_MATERIAL_HESSIAN, elements_, false);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    double first = 0, second = 0;
    for (int k = 0; k < 9; ++k) {
      first += contraction[e][k] * some_rotation[k];
      second += other[e][k] * elements_[e].direction1[k];
    }
    const double scale = 9 * (largest(contraction[e]) + largest(other[e]) + largest(hessian[e]));
    EXPECT_NEAR(first, second, 100 * tolerance() * scale);
  }
}

TEST_P(Materials, CoefficientTangentsAreDerivativesOfRead) {
  SampleReader reader(0.7);
  const vector<double> coefficients = read_coefficients(material(), reader);
  for (std::size_t k = 0; k < reader.requests().size(); ++k) {
    SampleReader with_tangent(0.7, int(k));
    vector<double> tangents;
    EXPECT_EQ(coefficients, read_coefficients(material(), with_tangent, &tangents));
    const auto [name, value] = reader.requests()[k];
    const double step = 1e-4 * std::max(std::abs(value), 1e-2);
    const auto moved = [&, &name = name, &value = value](double change) {
      SampleReader other(0.7);
      other.replace(name, value + change);
      return read_coefficients(material(), other);
    };
    if (largest(tangents) == 0) continue;  // a choice, a flag
    const vector<double> up = moved(step), down = moved(-step), up2 = moved(2 * step), down2 = moved(-2 * step);
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      const double difference = (8 * (up[i] - down[i]) - (up2[i] - down2[i])) / (12 * step);
      EXPECT_NEAR(difference, tangents[i], 1e-8 * (std::abs(tangents[i]) + std::abs(coefficients[i] / step) * 1e-3)) << name;
    }
  }
}

TEST_P(Materials, PluginAndReferenceAreOfOneKind) {
  EXPECT_EQ(GetParam(), material().name);
  EXPECT_EQ(GetParam(), reference().name);
  EXPECT_EQ(material().coefficient_count, reference().coefficient_count);
  EXPECT_NE("", plugin_->summary());
  EXPECT_NE(std::string::npos, plugin_->formula().find("psi = "));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Materials);
INSTANTIATE_TEST_SUITE_P(Every, Materials, testing::ValuesIn(chosen_names<MaterialPlugin>()), test_name);

TEST(MaterialFolder, HoldsNoPluginThatIsRefused) {
  vector<PluginProblem> problems;
  EXPECT_FALSE(host().names<MaterialPlugin>(&problems).empty());
  for (const PluginProblem& problem : problems) ADD_FAILURE() << problem.path << ": " << problem.reason;
}

// [Luo2019] Eq 36: the shear modulus of small strains is 2 mu, the bulk modulus 2 lambda.
TEST(NeoHookeanPaper, KeepsThePapersConstants) {
  const auto plugin = host().get<MaterialPlugin>("neo_hookean_paper");
  SampleReader reader(0.8);
  const vector<double> c = read_coefficients(plugin->abi(), reader);
  const double E = reader.value("youngs_modulus"), nu = reader.value("poissons_ratio");
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
  EXPECT_FALSE(plugin->abi().is_calibrated);
  expect_moduli(plugin->abi(), c, 2 * lambda - 2.0 / 3 * (2 * mu), 2 * mu);
}

}  // namespace
}  // namespace holo
