// Which rows are eliminated where there is a choice: by name, at poses of lower rank, and by the paper's rule.
#include <gtest/gtest.h>

#include "holo/sim/mechanism/constraints/row_selection.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace row_selection_choices {

using oracle::Oracle;

RowSelectionResult select_at_rest(const Oracle& mechanism, const RowSelectionOptions& options) {
  const Eigen::MatrixXd state = mechanism.layout->rest_state(), controls = mechanism.layout->rest_controls(),
                        none = mechanism.nothing_prescribed(1);
  const Eigen::VectorXd parameters = mechanism.layout->rest_parameters();
  return select_rows(*mechanism.rows, {state, controls, parameters, none}, options);
}

TEST(RowSelectionChoices, ActuatorsThatAreNamedAreTheSurplusOnes) {
  const Oracle legs(oracle::paper_robot("legs"));
  const std::vector<std::string>& names = legs.layout->control_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    RowSelectionOptions options;
    options.drop_first = {names[i]};
    const RowSelectionResult found = select_at_rest(legs, options);
    ASSERT_EQ(found.active_dropped, 2);
    const std::string& first = found.dropped[std::size_t(found.passive_dropped)].name;
    EXPECT_EQ(first.substr(0, first.find(',')), names[i]);
  }
}

// A parallelogram on its hinges: laid flat it could also fold the other way.
TEST(RowSelectionChoices, APoseOfLowerRankIsLeftOut) {
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
  const MechanismInstants poses{states, controls, parameters, none};
  Eigen::MatrixXd residual(Eigen::Index(mechanism.layout->rows().size()), 3);
  mechanism.rows->all_rows(poses, residual);
  ASSERT_LT(residual.cwiseAbs().maxCoeff(), 1e-14);
  const RowSelectionResult found = select_rows(*mechanism.rows, poses);
  EXPECT_EQ(found.singular_poses, std::vector<int>{1});
  EXPECT_EQ(found.mobility, 1);
  EXPECT_GT(found.poses[0].smallest_kept, 1e-2);
  EXPECT_GT(found.poses[2].smallest_kept, 1e-2);
}

// The paper's rule drops rows that the null vectors weigh much too, at the one pose that it looks at.
TEST(RowSelectionChoices, ThePapersRuleKeepsRegularRowsAtItsPose) {
  for (const Oracle& mechanism : {Oracle(oracle::four_bar()), Oracle(oracle::bennett()), Oracle(oracle::watt())}) {
    RowSelectionOptions options;
    const RowSelectionResult pivoted = select_at_rest(mechanism, options);
    options.method = RowSelectionOptions::Method::paper;
    const RowSelectionResult paper = select_at_rest(mechanism, options);
    EXPECT_EQ(paper.selection.dropped.size(), pivoted.selection.dropped.size());
    EXPECT_GT(paper.poses[0].smallest_kept, 0.2 * pivoted.poses[0].smallest_kept);
  }
}

}  // namespace row_selection_choices
}  // namespace holo
