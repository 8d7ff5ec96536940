// The mass-weighted principal components of modes and derivatives.
#include "holo/sim/reduction/reduced_basis.h"

#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "reduced_bodies.h"

namespace holo::test {
namespace {

struct Case {
  std::shared_ptr<const ElasticModel> model = box_model("neo_hookean", {1.0, 0.3, 0.25}, 300);
  ModalSystem system = clamped(model);
  LinearModes modes = linear_modes(system, 3);
  ModalDerivatives derivatives = modal_derivatives(system, modes.shapes, 2);
};

TEST(ReducedBasis, IsOrthonormalInTheMasses) {
  const Case c;
  const ReducedBasis basis = reduced_basis(c.system, c.modes, c.derivatives, 10);
  const Eigen::MatrixXd product = basis.columns.transpose() * c.system.masses().asDiagonal() * basis.columns;
  EXPECT_LE((product - Eigen::MatrixXd::Identity(10, 10)).cwiseAbs().maxCoeff(), 1e-11);
  for (Eigen::Index k = 0; k < c.system.size(); ++k)
    if (c.system.is_prescribed(k)) {
      EXPECT_LE(basis.columns.row(k).cwiseAbs().maxCoeff(), 1e-12);
    }
}

// Against the eigenvectors of the candidates' Gram matrix in M, which are weighed here by hand.
TEST(ReducedBasis, LeavesOutTheLeastOfTheScaledDisplacements) {
  const Case c;
  const double amplitude = 0.02;
  const Eigen::VectorXd& w = c.modes.frequencies;
  Eigen::MatrixXd candidates(c.system.size(), 3 + 6 + 10);
  Eigen::Index n = 0;
  for (int i = 0; i < 3; ++i) candidates.col(n++) = w[0] / w[i] * c.modes.shapes.col(i);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      candidates.col(n++) = amplitude * w[0] * w[0] / (w[i] * w[j]) * c.derivatives.first.col(c.derivatives.pair(i, j));
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = j; k < 3; ++k)
        candidates.col(n++) = amplitude * amplitude * std::pow(w[0], 3) / (w[i] * w[j] * w[k]) *
                              c.derivatives.second.col(c.derivatives.triple(i, j, k));
  const Eigen::MatrixXd gram = candidates.transpose() * c.system.masses().asDiagonal() * candidates;
  const Eigen::VectorXd expected = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues().reverse();
  const ReducedBasis basis = reduced_basis(c.system, c.modes, c.derivatives, 5, amplitude);
  for (int i = 0; i < 19; ++i)
    EXPECT_NEAR(basis.singular_values[i] * basis.singular_values[i], expected[i], 1e-12 * expected[0]);
  const Eigen::MatrixXd left =
      candidates - basis.columns * (basis.columns.transpose() * c.system.masses().asDiagonal() * candidates);
  const double remainder = (left.transpose() * c.system.masses().asDiagonal() * left).trace() / gram.trace();
  EXPECT_NEAR(basis.relative_remainder, remainder, 1e-12);
  EXPECT_NEAR(remainder, expected.tail(14).sum() / expected.sum(), 1e-12);
}

TEST(ReducedBasis, OfAllCandidatesSpansThem) {
  const Case c;
  ModalDerivatives first = c.derivatives;
  first.second.resize(c.system.size(), 0);
  const ReducedBasis basis = reduced_basis(c.system, c.modes, first, 9);
  EXPECT_LE(basis.relative_remainder, 1e-28);
  const Eigen::MatrixXd left =
      first.first - basis.columns * (basis.columns.transpose() * c.system.masses().asDiagonal() * first.first);
  EXPECT_LE(left.norm(), 1e-9 * first.first.norm());
}

TEST(ReducedBasisBadInput, CountsAndMatricesThatDoNotFitAreRefused) {
  const Case c;
  const auto refusal = [&](const LinearModes& modes, const ModalDerivatives& derivatives, int count, double amplitude) {
    try {
      reduced_basis(c.system, modes, derivatives, count, amplitude);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_NE(refusal(c.modes, c.derivatives, 20, 1).find("19 displacements, of which"), std::string::npos);
  EXPECT_NE(refusal(c.modes, c.derivatives, 0, 1).find("0 columns is wanted"), std::string::npos);
  EXPECT_NE(refusal(c.modes, c.derivatives, 3, 0).find("above 0"), std::string::npos);
  LinearModes fewer = c.modes;
  fewer.shapes.conservativeResize(Eigen::NoChange, 2);
  EXPECT_NE(refusal(fewer, c.derivatives, 3, 1).find("got 2 modes and derivatives of 3"), std::string::npos);
}

}  // namespace
}  // namespace holo::test
