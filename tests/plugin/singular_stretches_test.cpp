// Energies of principal stretches at points where plain derivatives are not finite: in one-sided series of the stretches.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/diff/solid/tetrahedron_chain.h"
#include "holo/plugin/detail/material_one_sided.h"
#include "holo/plugin/isotropic_moduli.h"

namespace holo {
namespace {

// Roots of |J - 1| and the like; all of them divide 0 by 0 at J = 1, the first at J = -1 too.
enum class Root { smooth, kink, one_sided, infinite };

template <Root root>
struct RootOfStretches : LameMaterial {
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c) {
    const S J = s1 * s2 * s3, e = J - 1, smooth = c.mu / 2 * (s1 * s1 + s2 * s2 + s3 * s3 - 3) + c.lambda / 2 * e * e;
    if constexpr (root == Root::smooth) {
      const S q = (J * J - 1) * (J * J - 1);
      return smooth + sqrt(q * q);
    } else if constexpr (root == Root::kink) {
      return smooth + sqrt(e * e);
    } else if constexpr (root == Root::one_sided) {
      return smooth + e * sqrt(e);
    } else {
      return smooth + sqrt(sqrt(e * e));
    }
  }
};

constexpr double lambda = 1.7, mu = 1.1, coefficients[] = {lambda, mu};

struct Found {
  std::uint32_t status = 99;
  double entries[45];
};
template <Root root>
Found one_sided(const Matrix3<double>& F, std::uint32_t order, std::uint32_t choice = HOLO_ONE_SIDED_MEAN) {
  Found found;
  found.status = plugin::OneSidedOperation<RootOfStretches<root>>::run(F.entries, coefficients, order, choice, found.entries);
  return found;
}

// d2J/dF_ij dF_kl.
double second_of_determinant(const Matrix3<double>& F, int a, int b) {
  Matrix3<double> direction{};
  direction[b] = 1;
  return cofactor_differential(F, direction)[a];
}

// With the root taken: mu/2 (F:F - 3) + w(J), from w' and w''.
double stress(const Matrix3<double>& F, double slope, int a) { return mu * F[a] + slope * cofactor(F)[a]; }
double hessian(const Matrix3<double>& F, double slope, double curvature, int a, int b) {
  const Matrix3<double> C = cofactor(F);
  return mu * (a == b) + curvature * C[a] * C[b] + slope * second_of_determinant(F, a, b);
}

const Matrix3<double> rest = identity3<double>();
const Matrix3<double> turned{0, -1, 0, 1, 0, 0, 0, 0, 1};  // to the last bit a rotation
// At rest, where all stretches are equal; two equal ones; none; turned; reflected, so that stretches are opposite to others.
const Matrix3<double> at_the_root[] = {rest,
                                       turned,
                                       diagonal(Vector3<double>{0.5, 2, 1}),
                                       diagonal(Vector3<double>{2, 2, 0.25}),
                                       turned* diagonal(Vector3<double>{4, 0.5, 0.5}),
                                       diagonal(Vector3<double>{1, 1, -1}),
                                       turned* diagonal(Vector3<double>{-1, 1, 1}),
                                       diagonal(Vector3<double>{0.5, -4, 0.5})};

// (J^2 - 1)^2 has the second derivative 8 at J = 1 and -1.
TEST(SingularStretches, AreResolvedWhereTheRootIsSmooth) {
  for (const Matrix3<double>& F : at_the_root) {
    const double J = determinant(F), slope = lambda * (J - 1), curvature = lambda + 8, size = squared_norm(F);
    ASSERT_EQ(std::abs(J), 1);
    const Found psi = one_sided<Root::smooth>(F, 0), P = one_sided<Root::smooth>(F, 1), H = one_sided<Root::smooth>(F, 2);
    for (const Found& found : {psi, P, H}) EXPECT_EQ(found.status, HOLO_ONE_SIDED_RESOLVED);
    EXPECT_NEAR(psi.entries[0], mu / 2 * (size - 3) + lambda / 2 * (J - 1) * (J - 1), 1e-13 * size);
    for (int a = 0; a < 9; ++a) {
      EXPECT_NEAR(P.entries[a], stress(F, slope, a), 1e-13 * size);
      for (int b = a; b < 9; ++b)
        EXPECT_NEAR(H.entries[upper_index<9>(a, b)], hessian(F, slope, curvature, a, b), 1e-12 * size * size) << a << ' ' << b;
    }
  }
}

// |J - 1| has the slopes -1 and 1; without second derivatives from either side.
TEST(SingularStretches, TakeTheSideOfAKinkThatIsChosen) {
  for (const Matrix3<double>& F : at_the_root) {
    if (determinant(F) < 0) continue;
    for (const auto& [choice, slope] :
         {std::pair(HOLO_ONE_SIDED_MEAN, 0.0), std::pair(HOLO_ONE_SIDED_RIGHT, 1.0), std::pair(HOLO_ONE_SIDED_LEFT, -1.0)}) {
      const Found P = one_sided<Root::kink>(F, 1, choice), H = one_sided<Root::kink>(F, 2, choice);
      EXPECT_EQ(P.status, HOLO_ONE_SIDED_NONDIFFERENTIABLE);
      EXPECT_EQ(H.status, HOLO_ONE_SIDED_NONDIFFERENTIABLE);
      for (int a = 0; a < 9; ++a) EXPECT_NEAR(P.entries[a], stress(F, slope, a), 1e-13 * squared_norm(F));
      if (choice != HOLO_ONE_SIDED_MEAN) continue;
      for (int a = 0; a < 9; ++a)
        EXPECT_NEAR(H.entries[upper_index<9>(a, a)], hessian(F, 0, lambda, a, a), 1e-12 * squared_norm(F) * squared_norm(F));
    }
  }
}

TEST(SingularStretches, OfAnEnergyWithOneRealSideHaveTheStressOfThatSide) {
  const Found P = one_sided<Root::one_sided>(diagonal(Vector3<double>{0.5, 2, 1}), 1);
  EXPECT_EQ(P.status, HOLO_ONE_SIDED_ONE_SIDE);
  for (int a = 0; a < 9; ++a) EXPECT_NEAR(P.entries[a], stress(diagonal(Vector3<double>{0.5, 2, 1}), 0, a), 1e-13);
}

TEST(SingularStretchesBadInput, AnInfiniteSlopeIsReported) {
  EXPECT_EQ(one_sided<Root::infinite>(rest, 1).status, HOLO_ONE_SIDED_NOT_FINITE);
}

// Corotational elasticity: its stress is linear in the stretches, and at s_i = -s_j the rotation is not unique.
struct LinearInStretches : LameMaterial {
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c) {
    const S trace = s1 + s2 + s3 - 3;
    return c.mu * ((s1 - 1) * (s1 - 1) + (s2 - 1) * (s2 - 1) + (s3 - 1) * (s3 - 1)) + c.lambda / 2 * trace * trace;
  }
};

TEST(SingularStretches, OppositeOnesAreAKinkUnlessTheSlopesAreOpposite) {
  const Matrix3<double> F = diagonal(Vector3<double>{1.5, 0.5, -0.5});
  double P[9], H[45];
  using Operation = plugin::OneSidedOperation<LinearInStretches>;
  EXPECT_EQ(Operation::run(F.entries, coefficients, 1, HOLO_ONE_SIDED_MEAN, P), HOLO_ONE_SIDED_NONDIFFERENTIABLE);
  EXPECT_EQ(Operation::run(F.entries, coefficients, 2, HOLO_ONE_SIDED_MEAN, H), HOLO_ONE_SIDED_NONDIFFERENTIABLE);
  // Along (u_2 v_3 - u_3 v_2)/sqrt 2 both stretches change by |t|/sqrt 2: the second derivative from either side.
  const int a = 5, b = 7;  // entries 12 and 21
  const double skew = 0.5 * (H[upper_index<9>(a, a)] + H[upper_index<9>(b, b)]) + H[upper_index<9>(a, b)];
  const double symmetric = 0.5 * (H[upper_index<9>(a, a)] + H[upper_index<9>(b, b)]) - H[upper_index<9>(a, b)];
  EXPECT_NEAR(std::max(skew, symmetric), 2 * mu + 2 * lambda, 1e-12);
  EXPECT_NEAR(std::min(skew, symmetric), 2 * mu, 1e-12);
}

}  // namespace
}  // namespace holo
