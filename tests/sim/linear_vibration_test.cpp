// Frequencies of linear bodies by their shape and material: derivatives against differences and against elimination in dense
// nilpotent matrices, beam theory, one factorization, inverted elements.
#include "holo/sim/design/linear_vibration.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "../refusal_message.h"

namespace holo::test {
namespace linear_vibration_tests {

VibratingBody bridge(int elements) {
  VibratingBody body;
  body.family = shape_family("bridge");
  body.elements = elements;
  body.parameters = {10, 2, 2, 1.2, 2e7, 0.3, 900};
  body.acceleration = {0.3, 2, -1};
  body.profile = [](const std::array<double, 3>& unit) { return 0.3 + unit[0] * (2 - unit[0]) + 0.2 * unit[1] * unit[2]; };
  return body;
}

// By length, width, arch height and Young's modulus.
const std::vector<int> chosen = {0, 1, 3, 4};
const Eigen::Vector4d chosen_values(10, 2, 1.2, 2e7);

// Central differences of fourth order of omega^2 and of its gradient, with steps of a thousandth: the rounding of omega^2,
// 1e-13 relative by the condition of K, over the step, and the step's fourth power stay below 1e-8.
TEST(LinearVibration, DerivativesAreThoseOfFourthOrderDifferences) {
  LinearVibration vibration(bridge(240), chosen);
  DesignDerivatives exact;
  ASSERT_TRUE(vibration.evaluate(chosen_values, exact)) << vibration.problem();
  for (Eigen::Index k = 0; k < 4; ++k) {
    const double h = 1e-3 * chosen_values[k];
    const auto at = [&](double step) {
      Eigen::Vector4d values = chosen_values;
      values[k] += step * h;
      DesignDerivatives moved;
      EXPECT_TRUE(vibration.evaluate(values, moved));
      return moved;
    };
    const DesignDerivatives a = at(-2), b = at(-1), c = at(1), d = at(2);
    const double slope = (a.value - 8 * b.value + 8 * c.value - d.value) / (12 * h);
    EXPECT_NEAR(exact.gradient[k], slope, 1e-8 * exact.value / chosen_values[k]) << k;
    const Eigen::VectorXd curvature = (a.gradient - 8 * b.gradient + 8 * c.gradient - d.gradient) / (12 * h);
    for (Eigen::Index i = 0; i < 4; ++i)
      EXPECT_NEAR(exact.hessian(i, k), curvature[i], 1e-8 * exact.value / (chosen_values[i] * chosen_values[k])) << i << k;
  }
}

// The same quotient from K as strain matrices B^T D B with D of Voigt's notation, and by Gauss's elimination, all in dense
// nilpotent numbers.
class DenseElimination {
 public:
  DenseElimination(const VibratingBody& body, const TetrahedralMesh& reference, const std::vector<DesignScalar>& parameters)
      : X_(body.family->positions(reference.vertices, parameters)),
        E_(parameters[parameters.size() - 3]),
        nu_(parameters[parameters.size() - 2]),
        rho_(parameters.back()),
        K_(3 * X_.size(), std::vector<DesignScalar>(3 * X_.size())),
        m_(X_.size()) {
    for (const auto& vertices : reference.tetrahedra) add(vertices);
    for (std::size_t v = 0; v < X_.size(); ++v)
      if (reference.vertices[v][0] > 1e-9 && reference.vertices[v][0] < 1 - 1e-9)
        for (std::size_t i = 0; i < 3; ++i) free_.push_back(3 * v + i);
    b_.resize(free_.size());
    for (std::size_t k = 0; k < free_.size(); ++k)
      b_[k] = m_[free_[k] / 3] * (body.acceleration[free_[k] % 3] * body.profile(reference.vertices[free_[k] / 3]));
  }
  DesignScalar omega_squared() {
    const std::vector<DesignScalar> u = eliminated();
    DesignScalar numerator, denominator;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      numerator += b_[k] * u[k];
      denominator += m_[free_[k] / 3] * u[k] * u[k];
    }
    return numerator / denominator;
  }

 private:
  void add(const std::array<int, 4>& vertices) {
    // Gradients of the barycentric coordinates by Cramer's rule in the matrix [1 x y z].
    DesignScalar A[4][4];
    for (std::size_t a = 0; a < 4; ++a) {
      A[a][0] = DesignScalar(1.0);
      for (int i = 0; i < 3; ++i) A[a][std::size_t(i) + 1] = X_[std::size_t(vertices[a])][i];
    }
    const auto minor = [&](std::size_t row, std::size_t column) {
      DesignScalar M[3][3];
      for (std::size_t r = 0, i = 0; r < 4; ++r) {
        if (r == row) continue;
        for (std::size_t c = 0, j = 0; c < 4; ++c)
          if (c != column) M[i][j++] = A[r][c];
        ++i;
      }
      const DesignScalar det = M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
                               M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
                               M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
      return (row + column) % 2 == 0 ? det : DesignScalar(0.0) - det;
    };
    DesignScalar six_volumes;
    for (std::size_t c = 0; c < 4; ++c) six_volumes += A[0][c] * minor(0, c);
    const DesignScalar volume = six_volumes / 6.0;
    DesignScalar B[6][12] = {};
    for (std::size_t a = 0; a < 4; ++a) {
      DesignScalar g[3];
      for (std::size_t k = 0; k < 3; ++k) g[k] = minor(a, k + 1) / six_volumes;
      for (std::size_t k = 0; k < 3; ++k) B[k][3 * a + k] = g[k];
      B[3][3 * a] = g[1], B[3][3 * a + 1] = g[0];
      B[4][3 * a + 1] = g[2], B[4][3 * a + 2] = g[1];
      B[5][3 * a] = g[2], B[5][3 * a + 2] = g[0];
      m_[std::size_t(vertices[a])] += rho_ * volume / 4.0;
    }
    const DesignScalar c = E_ / ((1.0 + nu_) * (1.0 - 2.0 * nu_)), shear = c * (0.5 - nu_);
    for (std::size_t p = 0; p < 12; ++p)
      for (std::size_t q = 0; q < 12; ++q) {
        DesignScalar sum;
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) sum += B[i][p] * (i == j ? c * (1.0 - nu_) : c * nu_) * B[j][q];
          sum += B[i + 3][p] * shear * B[i + 3][q];
        }
        K_[3 * std::size_t(vertices[p / 3]) + p % 3][3 * std::size_t(vertices[q / 3]) + q % 3] += volume * sum;
      }
  }
  std::vector<DesignScalar> eliminated() const {
    const std::size_t n = free_.size();
    std::vector<std::vector<DesignScalar>> A(n, std::vector<DesignScalar>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) A[i][j] = K_[free_[i]][free_[j]];
      A[i][n] = b_[i];
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < n; ++i) {
        const DesignScalar factor = A[i][k] / A[k][k];
        for (std::size_t j = k; j <= n; ++j) A[i][j] -= factor * A[k][j];
      }
    std::vector<DesignScalar> u(n);
    for (std::size_t i = n; i-- > 0;) {
      DesignScalar sum = A[i][n];
      for (std::size_t j = i + 1; j < n; ++j) sum -= A[i][j] * u[j];
      u[i] = sum / A[i][i];
    }
    return u;
  }

  std::vector<Vector3<DesignScalar>> X_;
  DesignScalar E_, nu_, rho_;
  std::vector<std::vector<DesignScalar>> K_;
  std::vector<DesignScalar> m_, b_;
  std::vector<std::size_t> free_;
};

TEST(LinearVibration, DerivativesAreThoseOfDenseElimination) {
  const VibratingBody body = bridge(24);
  LinearVibration vibration(body, chosen);
  DesignDerivatives exact;
  ASSERT_TRUE(vibration.evaluate(chosen_values, exact)) << vibration.problem();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      std::vector<DesignScalar> parameters(body.parameters.begin(), body.parameters.end());
      parameters[std::size_t(chosen[i])].set_coefficient<1>(1.0);
      parameters[std::size_t(chosen[j])].set_coefficient<2>(1.0);
      const DesignScalar dense = DenseElimination(body, vibration.reference(), parameters).omega_squared();
      const auto unit_i = chosen_values[Eigen::Index(i)], unit_j = chosen_values[Eigen::Index(j)];
      EXPECT_NEAR(exact.value, dense.value(), 1e-11 * exact.value);
      EXPECT_NEAR(exact.gradient[Eigen::Index(i)], dense.coefficient(1), 1e-10 * exact.value / unit_i) << i;
      EXPECT_NEAR(exact.hessian(Eigen::Index(i), Eigen::Index(j)), dense.coefficient(3),
                  1e-10 * exact.value / (unit_i * unit_j))
          << i << j;
    }
}

// A slender clamped beam bends by q x^2 (L - x)^2 / (24 E I), whose quotient is 504 E I/(rho A L^4). Linear elements are too
// stiff, by the square of their size: three meshes come down to the beam, and extrapolation to within what shear takes away.
TEST(LinearVibration, AClampedBeamHasTheFrequencyOfBeamTheory) {
  VibratingBody beam;
  beam.family = shape_family("beam");
  beam.parameters = {4, 0.2, 0.2, 1e7, 0, 1000};
  const double of_theory = 504 * (1e7 * std::pow(0.2, 4) / 12) / (1000 * 0.04 * std::pow(4.0, 4));
  double ratios[2];
  for (const int level : {0, 1}) {
    const int across = 3 << level;
    beam.elements = 6 * 20 * across * across * across;
    LinearVibration vibration(beam, {});
    double omega_squared = 0;
    ASSERT_TRUE(vibration.evaluate(Eigen::VectorXd(0), omega_squared)) << vibration.problem();
    ratios[level] = omega_squared / of_theory;
  }
  EXPECT_GT(ratios[0], ratios[1]);
  EXPECT_NEAR((4 * ratios[1] - ratios[0]) / 3, 1, 0.03);
}

// A field that is nearer to the lowest mode than a uniform one has the lower quotient: all are upper bounds of the lowest
// frequency, which the field K u/M of the mode itself would give. Of a slender clamped beam under half a sine it is 500.95 of E
// I, under a uniform field 504, of the mode 500.56.
TEST(LinearVibration, AFieldLikeTheModeHasTheLowerFrequency) {
  VibratingBody beam;
  beam.family = shape_family("beam");
  beam.parameters = {4, 0.2, 0.2, 1e7, 0, 1000};
  beam.elements = 6 * 20 * 27;
  double uniform = 0, sine = 0;
  ASSERT_TRUE(LinearVibration(beam, {}).evaluate(Eigen::VectorXd(0), uniform));
  beam.profile = [](const std::array<double, 3>& unit) { return std::sin(std::numbers::pi * unit[0]); };
  ASSERT_TRUE(LinearVibration(beam, {}).evaluate(Eigen::VectorXd(0), sine));
  EXPECT_LT(sine, uniform);
  EXPECT_NEAR(sine / uniform, 500.95 / 504, 2e-3);
}

TEST(LinearVibrationBadInput, RefusesAFieldThatIsZeroWhereTheBodyMoves) {
  VibratingBody body = bridge(240);
  body.profile = [](const std::array<double, 3>& unit) { return unit[0] > 0 && unit[0] < 1 ? 0.0 : 1.0; };
  EXPECT_NE(message([&] { LinearVibration built(body, {}); }).find("nothing oscillates"), std::string::npos);
}

TEST(LinearVibration, OneFactorizationGivesAllDerivatives) {
  LinearVibration vibration(bridge(240), chosen);
  DesignDerivatives result;
  ASSERT_TRUE(vibration.evaluate(chosen_values, result));
  EXPECT_EQ(vibration.factorizations(), 1);
  double value = 0;
  ASSERT_TRUE(vibration.evaluate(chosen_values, value));
  EXPECT_NEAR(value, result.value, 1e-12 * value);
  EXPECT_EQ(vibration.factorizations(), 1);
  ASSERT_TRUE(vibration.evaluate(1.01 * chosen_values, value));
  EXPECT_EQ(vibration.factorizations(), 2);
}

TEST(LinearVibrationBadInput, NamesTheElementThatAShapeInverts) {
  LinearVibration vibration(bridge(240), chosen);
  DesignDerivatives result;
  EXPECT_FALSE(vibration.evaluate(Eigen::Vector4d(10, 2, 2.5, 2e7), result));
  EXPECT_NE(vibration.problem().find("arch_height = 2.5 m has an inverted element: element "), std::string::npos)
      << vibration.problem();
  EXPECT_FALSE(vibration.evaluate(Eigen::Vector4d(10, 2, 1.2, -1), result));
  EXPECT_NE(vibration.problem().find("Young's modulus -1 Pa"), std::string::npos) << vibration.problem();
  VibratingBody upside_down = bridge(240);
  upside_down.parameters[2] = -1;
  EXPECT_NE(message([&] { LinearVibration built(upside_down, {}); }).find("the height of a bridge is -1 m"), std::string::npos);
  EXPECT_NE(message([] { shape_family("bride"); }).find("beam, bridge"), std::string::npos);
}

}  // namespace linear_vibration_tests
}  // namespace holo::test
