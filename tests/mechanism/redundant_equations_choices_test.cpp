// Which equations are eliminated where there is a choice: by name, at poses of lower rank, and by the paper's rule.
#include <gtest/gtest.h>

#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace redundant_equations_choices {

using oracle::Oracle;

EliminationResult select_at_rest(const Oracle& mechanism, const EliminationOptions& options) {
  const Eigen::MatrixXd state = mechanism.layout->rest_state(), controls = mechanism.layout->rest_controls(),
                        none = mechanism.nothing_prescribed(1);
  const Eigen::VectorXd parameters = mechanism.layout->rest_parameters();
  return eliminate_redundant_equations(*mechanism.equations, {state, controls, parameters, none}, options);
}

TEST(RedundantEquationsChoices, ActuatorsThatAreNamedAreTheSurplusOnes) {
  const Oracle legs(oracle::paper_robot("legs"));
  const std::vector<std::string>& names = legs.layout->control_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    EliminationOptions options;
    options.eliminate_first = {names[i]};
    const EliminationResult found = select_at_rest(legs, options);
    ASSERT_EQ(found.active_redundant, 2);
    const std::string& first = found.redundant[std::size_t(found.passive_redundant)].name;
    EXPECT_EQ(first.substr(0, first.find(',')), names[i]);
  }
}

// A parallelogram on its hinges: laid flat it could also fold the other way.
TEST(RedundantEquationsChoices, APoseOfLowerRankIsLeftOut) {
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("left", {0, 0, 0});
  builder.body("right", {2, 0, 0});
  builder.body("bar", {0, 1, 0});
  oracle::hinge(builder, "drive", "base", "left", {0, 0, 0}, oracle::along_z, JointRole::actuator);
  oracle::hinge(builder, "far", "base", "right", {2, 0, 0}, oracle::along_z);
  oracle::hinge(builder, "pin", "left", "bar", {0, 1, 0}, oracle::along_z);
  oracle::hinge(builder, "far_pin", "right", "bar", {2, 1, 0}, oracle::along_z);
  const Oracle mechanism(builder.build());
  const double angles[] = {0.3, -oracle::pi / 2, -0.5};  // the second is flat
  Eigen::MatrixXd states = mechanism.layout->rest_state().replicate(1, 3), controls(1, 3);
  for (int k = 0; k < 3; ++k) {
    const double a = angles[k], length = mechanism.model->length();
    for (const char* name : {"left", "right"})
      states.block<4, 1>(7 * mechanism.model->body(name) + 3, k) << std::cos(a / 2), 0, 0, std::sin(a / 2);
    states.block<3, 1>(7 * mechanism.model->body("bar"), k) << -std::sin(a) / length, std::cos(a) / length, 0;
    controls(0, k) = a;
  }
  const Eigen::VectorXd parameters;
  const Eigen::MatrixXd none = mechanism.nothing_prescribed(3);
  const MechanismUnknowns poses{states, controls, parameters, none};
  Eigen::MatrixXd residual(Eigen::Index(mechanism.layout->equations().size()), 3);
  mechanism.equations->all_equations(poses, residual);
  ASSERT_LT(residual.cwiseAbs().maxCoeff(), 1e-14);
  const EliminationResult found = eliminate_redundant_equations(*mechanism.equations, poses);
  EXPECT_EQ(found.singular_poses, std::vector<int>{1});
  EXPECT_EQ(found.mobility, 1);
  EXPECT_GT(found.poses[0].smallest_independent, 1e-2);
  EXPECT_GT(found.poses[2].smallest_independent, 1e-2);
}

// The paper's rule drops equations that the null vectors weigh much too, at the one pose that it looks at.
TEST(RedundantEquationsChoices, ThePapersRuleKeepsRegularRowsAtItsPose) {
  for (const Oracle& mechanism : {Oracle(oracle::four_bar()), Oracle(oracle::bennett()), Oracle(oracle::watt())}) {
    EliminationOptions options;
    const EliminationResult pivoted = select_at_rest(mechanism, options);
    options.method = EliminationOptions::Method::paper;
    const EliminationResult paper = select_at_rest(mechanism, options);
    EXPECT_EQ(paper.elimination.redundant.size(), pivoted.elimination.redundant.size());
    EXPECT_GT(paper.poses[0].smallest_independent, 0.2 * pivoted.poses[0].smallest_independent);
  }
}

}  // namespace redundant_equations_choices
}  // namespace holo
