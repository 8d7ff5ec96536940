// Studies that compare contact of controlled motions with complementarity.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lifted_bar.h"

namespace holo_test {
namespace contact_studies {

const std::string baseline = R"yaml(name: baseline
study: contact_baseline
contacts: [4, 20]
frames:
  - {name: first, file: bar.yaml, frame: 1}
  - {name: third, file: bar.yaml, frame: 3}
)yaml";

const std::string motions = R"yaml(name: motions
study: contact_motions
contacts: [20]
motions:
  - {name: bar, file: bar.yaml}
)yaml";

class ContactStudies : public LiftedBarRuns {};
class ContactStudiesBadInput : public ContactStudies {};

// The bar stands still but for its tip: its linear model is close to the nonlinear step, and its activations gain as much as
// ours. Contacts beyond those that carry change nothing.
TEST_F(ContactStudies, GainInSmallMotionsAsMuchAsOurs) {
  const std::unique_ptr<holo::Study> study = built(with_paths(baseline));
  const KeptOutput output = output_of(*study);
  ASSERT_EQ(output.rows.size(), 2u);
  ASSERT_EQ(output.times.size(), 2u);
  std::map<std::string, double> metrics = metrics_of(*study);
  for (const std::string name : {"first_", "third_"}) {
    EXPECT_GT(metrics.at(name + "our_start_objective"), metrics.at(name + "our_objective"));
    EXPECT_GT(metrics.at(name + "our_contacts"), 0);
    EXPECT_EQ(metrics.at(name + "first_unsolved"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(metrics.at(name + "gain"), column(*study, output, name + "gain").back());
    EXPECT_EQ(metrics.at(name + "penetration_of_fewest"), column(*study, output, name + "penetration").front());
    for (const double residual : column(*study, output, name + "residual")) EXPECT_LE(residual, 1e-9);
    for (const double branches : column(*study, output, name + "branches")) EXPECT_GE(branches, 1);
    EXPECT_NEAR(metrics.at(name + "gain"), 1, 0.1) << name;
  }
}

// The first frame that fails to be usable is the first one below the least gain, which may be asked for.
TEST_F(ContactStudies, CallsUselessWhatGainsLessThanIsAskedFor) {
  const std::unique_ptr<holo::Study> study =
      built(with_paths(replaced(baseline, "contacts: [4, 20]", "contacts: [1, 20]\nleast_gain: 1")));
  const KeptOutput output = output_of(*study);
  const std::vector<double> gains = column(*study, output, "first_gain");
  double expected = std::numeric_limits<double>::infinity();
  for (std::size_t i = gains.size(); i-- > 0;)
    if (!(gains[i] >= 1)) expected = column(*study, output, "first_contacts").at(i);
  EXPECT_EQ(metrics_of(*study).at("first_first_useless"), expected);
}

TEST_F(ContactStudies, CallUnsolvedWhatMeetsALimit) {
  const std::string limited = replaced(baseline, "contacts: [4, 20]", "contacts: [20]\nsweeps: 1\nbranches: 1");
  const std::unique_ptr<holo::Study> study = built(with_paths(limited));
  output_of(*study);
  EXPECT_EQ(metrics_of(*study).at("first_first_unsolved"), 20);
}

// Ours is the motion of the file; that of complementarity has as many frames, and is close where the linear model is. Changes
// of activations cost, so that each frame depends on the activations of the frame before.
TEST_F(ContactStudies, FollowTheMotionInBothWays) {
  const std::string slow =
      replaced(lifted_bar, "lag_passes: 1", "lag_passes: 1, regularization: {magnitude: 1.0e-2, change: 1}");
  std::ofstream(folder_ / "bar.yaml") << slow;
  const std::unique_ptr<holo::Study> motion = built(slow), study = built(with_paths(motions));
  const KeptOutput rows = output_of(*motion), output = output_of(*study);
  const std::vector<double> heights = column(*motion, rows, "center_of_mass_z"), ours = column(*study, output, "bar_rise"),
                            theirs = column(*study, output, "bar_with_20_rise");
  ASSERT_EQ(ours.size(), heights.size() - 1);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_DOUBLE_EQ(ours[i], heights[i + 1] - heights[0]);
    EXPECT_NEAR(theirs[i], ours[i], 0.2 * std::abs(ours.back())) << i;
  }
  std::map<std::string, double> metrics = metrics_of(*study);
  EXPECT_EQ(metrics.at("bar_with_20_frames"), 4);
  EXPECT_EQ(metrics.at("bar_with_20_unsolved"), 0);
  EXPECT_LT(metrics.at("bar_with_20_penetration"), 1e-4);
}

TEST_F(ContactStudies, ResumeToTheSame) {
  expect_resumes_to_the_same(with_paths(baseline), 1, false);
  expect_resumes_to_the_same(with_paths(motions), 1, false);
}

TEST_F(ContactStudiesBadInput, MotionsWithoutALinearModelAreRefusedWithTheirPlace) {
  std::ofstream(folder_ / "smooth.yaml") << replaced(lifted_bar, "friction: 0.5", "friction: 0");
  EXPECT_HOLDS(refusal(replaced(baseline, "third, file: bar", "third, file: smooth")), "smooth.yaml: a plane has no friction");
  EXPECT_HOLDS(refusal(replaced(motions, "file: bar", "file: smooth")), "smooth.yaml: a plane has no friction");
  EXPECT_HOLDS(refusal(replaced(baseline, "[4, 20]", "[20, 4]")), "must ascend");
  EXPECT_HOLDS(refusal(replaced(motions, "[20]", "[20, 20]")), "must ascend");
  EXPECT_HOLDS(refusal(replaced(baseline, "frame: 3", "frame: 5")), "found the frame 5, but bar.yaml has 4 frames");
}

}  // namespace contact_studies
}  // namespace holo_test
