// Curves of the project's own materials against formulas of one variable, written down apart from their plugins.

#include <functional>

#include "material_fixture.h"

namespace holo {
namespace {

struct Curve {
  const char* material;
  // dpsi/ds of F = diag(s, 1, 1), from Lame's lambda and mu, kappa = lambda + 2/3 mu, and s; default parameters.
  std::function<double(double lambda, double mu, double s)> stress;
};

// b1 = s^(4/3) + 2 s^(-2/3) and b2 = 2 s^(2/3) + s^(-4/3) with their slopes.
double b1(double s) { return std::pow(s, 4.0 / 3) + 2 * std::pow(s, -2.0 / 3); }
double b1_slope(double s) { return 4.0 / 3 * (std::cbrt(s) - std::pow(s, -5.0 / 3)); }
double b2(double s) { return 2 * std::pow(s, 2.0 / 3) + std::pow(s, -4.0 / 3); }
double b2_slope(double s) { return 4.0 / 3 * (1 / std::cbrt(s) - std::pow(s, -7.0 / 3)); }
double bulk(double lambda, double mu, double s) { return (lambda + 2.0 / 3 * mu) * (s - 1); }

double arruda_boyce(double lambda, double mu, double s) {
  const double c[] = {0.5, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750}, N = 5, b = b1(s);
  double at_rest = 0, here = 0;
  for (int i = 1; i <= 5; ++i) {
    at_rest += 2 * i * c[i - 1] * std::pow(3 / N, i - 1);
    here += i * c[i - 1] * std::pow(b / N, i - 1);
  }
  return mu / at_rest * here * b1_slope(s) + bulk(lambda, mu, s);
}

double ogden(double lambda, double mu, double s) {
  const double a[] = {1.3, 5, -2}, share[] = {0.819 / 0.845, 0.006 / 0.845, 0.02 / 0.845};
  double sum = 0;  // of mu_p (2/3 s^(2a/3 - 1) - 2/3 s^(-a/3 - 1))
  for (int p = 0; p < 3; ++p)
    sum += 2 * mu * share[p] / a[p] * 2.0 / 3 * (std::pow(s, 2 * a[p] / 3 - 1) - std::pow(s, -a[p] / 3 - 1));
  return sum + bulk(lambda, mu, s);
}

// Beyond 0.6 the tangent of there.
double stvk_invertible(double lambda, double mu, double s) {
  const double k = lambda / 2 + mu, c = std::max(s, 0.6);
  return k * (c * c - 1) * c + k * (s - c);
}

double polynomial(double lambda, double mu, double s) {
  const double p = b1(s) - 3, q = b2(s) - 3, kappa = lambda + 2.0 / 3 * mu;
  return mu * ((0.3 + 0.2 * p + 0.05 * q) * b1_slope(s) + (0.2 + 0.05 * p + 0.1 * q) * b2_slope(s)) + kappa * (s - 1) +
         kappa * std::pow(s - 1, 3);
}

double yeoh(double lambda, double mu, double s) {
  const double p = b1(s) - 3, kappa = lambda + 2.0 / 3 * mu;
  return mu * (0.5 - 0.1 * p + 0.03 * p * p) * b1_slope(s) + kappa * (s - 1) + 0.4 * kappa * std::pow(s - 1, 3);
}

double smith(double lambda, double mu, double s) {
  const double m = 4 * mu / 3, l = lambda + 5 * mu / 6, alpha = 1 + m / l - m / (4 * l);
  return m * s + l * (s - alpha) - m * s / (s * s + 3);
}

double volume_preserving(double lambda, double mu, double s) {
  const double e = s - 1, inside = 1 - 4 * e * e;
  return mu * b1_slope(s) + lambda * std::log(inside) * -8 * e / inside;
}

const Curve curves[] = {
    {"stvk", [](double lambda, double mu, double s) { return (lambda / 2 + mu) * (s * s - 1) * s; }},
    {"stvk_invertible", stvk_invertible},
    {"corotational", [](double lambda, double mu, double s) { return (lambda + 2 * mu) * (s - 1); }},
    {"neo_hookean", [](double lambda, double mu, double s) { return mu / 2 * b1_slope(s) + bulk(lambda, mu, s); }},
    {"neo_hookean_paper", [](double lambda, double mu, double s) { return 2 * lambda * (s - 1) + mu * b1_slope(s); }},
    {"neo_hookean_log", [](double lambda, double mu, double s) { return mu * (s - 1 / s) + lambda * std::log(s) / s; }},
    {"stable_neo_hookean", [](double lambda, double mu, double s) { return mu * s - mu + (lambda + mu) * (s - 1); }},
    {"stable_neo_hookean_smith", smith},
    {"arruda_boyce", arruda_boyce},
    {"fung",
     [](double lambda, double mu, double s) { return mu / 2 * std::exp(2 * (b1(s) - 3)) * b1_slope(s) + bulk(lambda, mu, s); }},
    {"mooney_rivlin", [](double lambda, double mu,
                         double s) { return 0.35 * mu * b1_slope(s) + 0.15 * mu * b2_slope(s) + bulk(lambda, mu, s); }},
    {"ogden", ogden},
    {"polynomial", polynomial},
    {"yeoh", yeoh},
    {"volume_preserving", volume_preserving},
};

constexpr double youngs_modulus = 1e5, poissons_ratio = 0.45;
constexpr double lambda = youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
constexpr double mu = youngs_modulus / (2 * (1 + poissons_ratio));

vector<double> default_coefficients(const MaterialPlugin& plugin) {
  return plugin.coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", poissons_ratio}});
}

TEST(MaterialCurves, StressOfAxialStrainIsThatOfTheFormulaInOneVariable) {
  for (const Curve& curve : curves) {
    const auto plugin = host().get<MaterialPlugin>(curve.material);
    const vector<double> c = default_coefficients(*plugin);
    for (const double s : {0.55, 0.7, 0.9, 1.1, 1.3, 1.45}) {
      const vector<Element> element = {{diagonal(Vector3<double>{s, 1, 1}), c, {}, {}}};
      const double expected = curve.stress(lambda, mu, s);
      EXPECT_NEAR(expected, run(plugin->abi(), HOLO_MATERIAL_STRESS, element, true)[0][0],
                  1e-13 * (std::abs(expected) + lambda + 2 * mu))
          << curve.material << " at " << s;
    }
  }
}

TEST(MaterialCurves, EveryMaterialOfTheProjectHasOne) {
  for (const std::string& name : host().names<MaterialPlugin>())
    EXPECT_TRUE(std::any_of(std::begin(curves), std::end(curves), [&](const Curve& c) { return name == c.material; }) ||
                name == "singular")  // has its own test
        << name;
}

TEST(MaterialCurves, YeohStiffensMonotonicallyWithItsDefaultParameters) {
  double last = -1e300;
  for (double s = 0.5; s < 3; s += 0.01) {
    const double stress = yeoh(lambda, mu, s);
    EXPECT_GT(stress, last) << s;
    last = stress;
  }
}

TEST(MaterialCurves, RegularizedVolumePreservationResistsDilatationAtRest) {
  const auto plugin = host().get<MaterialPlugin>("volume_preserving");
  for (const bool regularized : {false, true}) {
    SampleReader reader(0.8);
    if (regularized) reader.replace("regularized", 1);
    const vector<double> c = read_coefficients(plugin->abi(), reader);
    const vector<double> H = run(plugin->abi(), HOLO_MATERIAL_HESSIAN, {{identity3<double>(), c, {}, {}}}, true)[0];
    double bulk_modulus = 0;  // I : H : I / 9
    for (int i : {0, 4, 8})
      for (int j : {0, 4, 8}) bulk_modulus += H[upper_index<9>(i, j)] / 9;
    EXPECT_NEAR(regularized ? 1e-3 * c[1] : 0, bulk_modulus, 1e-14 * largest(H));
  }
}

// With the other stretches below the threshold too, where the extension has mixed terms.
TEST(MaterialCurves, StressOfTheInvertibleMaterialIsContinuousAtItsThreshold) {
  const auto plugin = host().get<MaterialPlugin>("stvk_invertible");
  const vector<double> c = default_coefficients(*plugin);
  constexpr double step = 1e-9;
  for (const double second : {-0.7, 0.3, 0.9})
    for (const double third : {-0.2, 0.5, 1.2}) {
      const auto at = [&](double first) { return Element{Matrix3<double>{first, 0, 0, 0, second, 0, 0, 0, third}, c, {}, {}}; };
      const auto stress = run(plugin->abi(), HOLO_MATERIAL_STRESS, {at(0.6 - step), at(0.6 + step)}, true);
      for (int k = 0; k < 9; ++k)
        EXPECT_NEAR(stress[0][k], stress[1][k], 20 * (lambda + 2 * mu) * step) << second << ' ' << third;
    }
}

// Down the stress, from inverted deformations: to a rotation, where the energy vanishes.
TEST(MaterialCurves, InvertedElementsOfTheInvertibleMaterialRecover) {
  const auto plugin = host().get<MaterialPlugin>("stvk_invertible");
  const vector<double> c = default_coefficients(*plugin);
  Sequence sequence;
  vector<Element> elements;
  while (elements.size() < 2 * HOLO_LANE_WIDTH) {
    Matrix3<double> F{};
    for (int k = 0; k < 9; ++k) F[k] = 1.5 * (2 * sequence.next() - 1);
    if (determinant(F) < -0.05) elements.push_back({F, c, {}, {}});
  }
  for (int step = 0; step < 4000; ++step) {
    const auto stress = run(plugin->abi(), HOLO_MATERIAL_STRESS, elements, true);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (int k = 0; k < 9; ++k) elements[e].F[k] -= 0.05 / (lambda + 2 * mu) * stress[e][k];
  }
  for (const auto& energy : run(plugin->abi(), HOLO_MATERIAL_ENERGY, elements, true)) EXPECT_LE(energy[0], 1e-12 * mu);
  for (const Element& element : elements) EXPECT_NEAR(determinant(element.F), 1, 1e-6);
}

}  // namespace
}  // namespace holo
