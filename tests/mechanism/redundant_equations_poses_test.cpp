// Equations that are selected at one pose may determine a mechanism badly at another, those selected over several poses do not.
// Smallest singular values over 73 poses of a full turn, to a tenth of those in
// docs/robot-design-derivations.md#choice-of-independent-equations.
#include <gtest/gtest.h>

#include <numeric>

#include "holo/core/numerics/singular_values.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace redundant_equations_poses {

using oracle::Oracle;

// Of the independent equations over all poses, where they are selected at `sampled` poses; or of all equations.
struct Turn {
  Oracle mechanism;
  Eigen::MatrixXd states, controls, prescribed;

  explicit Turn(MechanismModel model) : mechanism(std::move(model)) {
    controls = mechanism.first_control(2 * oracle::pi, 73);
    const Kinematics motion = mechanism.follow(controls);
    EXPECT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
    states = motion.states;
    prescribed = mechanism.nothing_prescribed(73);
  }
  // In meters, as the table is: the layout's unit is the mechanism's own length.
  double smallest(const std::vector<int>& equations) const {
    const MechanismLayout& layout = *mechanism.layout;
    const Eigen::VectorXd parameters;
    double result = 1;
    for (int k = 0; k < 73; ++k) {
      Eigen::MatrixXd jacobian =
          mechanism.equations->dense_jacobian({states, controls, parameters, prescribed}, k).leftCols(layout.state_count());
      for (int s = 0; s < layout.state_count(); ++s) jacobian.col(s) /= layout.state_scale(s);
      const Eigen::MatrixXd chosen = jacobian(equations, Eigen::all).rowwise().normalized();
      result = std::min(result, singular_values(chosen).minCoeff());
    }
    return result;
  }
  double of_all() const {
    std::vector<int> all(mechanism.layout->equations().size());
    std::iota(all.begin(), all.end(), 0);
    return smallest(all);
  }
  double of_kept(int sampled) const {
    const Eigen::MatrixXd s = states.leftCols(sampled), u = controls.leftCols(sampled), none = prescribed.leftCols(sampled);
    const Eigen::VectorXd parameters;
    const EliminationResult found = eliminate_redundant_equations(*mechanism.equations, {s, u, parameters, none});
    return smallest(MechanismLayout(mechanism.model, found.elimination).independent_equations());
  }
};

void expect_near(double found, double expected) { EXPECT_NEAR(found, expected, 0.1 * expected); }

TEST(RedundantEquationsOverPoses, ValuesAreThoseOfTheTable) {
  const Turn slider_crank(oracle::slider_crank());
  expect_near(slider_crank.of_all(), 8.7e-2);
  expect_near(slider_crank.of_kept(73), 7.7e-2);
  const Turn four_bar(oracle::four_bar());  // the value itself depends on where the bodies have their origins
  expect_near(four_bar.of_kept(73) / four_bar.of_all(), 1);
  const Turn bennett(oracle::bennett());
  expect_near(bennett.of_all(), 3.5e-2);
  expect_near(bennett.of_kept(73), 3.1e-2);
  EXPECT_LT(bennett.of_kept(1), 0.5 * bennett.of_kept(73));
}

}  // namespace redundant_equations_poses
}  // namespace holo
