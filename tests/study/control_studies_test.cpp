// Studies that measure controlled motions: times of their frames, and the convergence of several methods.
#include <gtest/gtest.h>

#include <cmath>

#include "lifted_bar.h"

namespace holo_test {
namespace control_studies {

const std::string times = R"yaml(name: times
study: control_times
motions:
  - {name: once, file: bar.yaml}
  - {name: again, file: bar.yaml}
)yaml";

const std::string convergence = R"yaml(name: convergence
study: control_convergence
methods: [newton, l_bfgs, gradient_descent]
iterations: 60
frames:
  - {name: first, file: bar.yaml, frame: 1}
  - {name: third, file: bar.yaml, frame: 3}
)yaml";

class ControlStudies : public LiftedBarRuns {
 protected:
  // The motion without friction, which is then the one in the file, too.
  std::string smooth_bar() {
    const std::string smooth = replaced(lifted_bar, "friction: 0.5", "friction: 0");
    std::ofstream(folder_ / "bar.yaml") << smooth;
    return smooth;
  }
};

class ControlStudiesBadInput : public ControlStudies {};

// The same numbers follow from the rows of the motion itself.
TEST_F(ControlStudies, MeansAreThoseOfTheFramesInWhichTheMotionTouches) {
  const std::unique_ptr<holo::Study> motion = built(lifted_bar), study = built(with_paths(times));
  const KeptOutput rows = output_of(*motion);
  output_of(*study);
  std::map<std::string, double> metrics = metrics_of(*study);
  const std::vector<double> touching = column(*motion, rows, "touching_vertices"),
                            iterations = column(*motion, rows, "inverse_iterations");
  double frames = 0, sum = 0, all_iterations = 0;
  for (std::size_t i = 1; i < touching.size(); ++i)
    if (touching[i] > 0) {
      ++frames;
      sum += touching[i];
      all_iterations += iterations[i];
    }
  ASSERT_GT(frames, 1);
  for (const std::string name : {"once_", "again_"}) {
    EXPECT_EQ(metrics.at(name + "contact_frames"), frames);
    EXPECT_EQ(metrics.at(name + "contacts"), sum / frames);
    EXPECT_EQ(metrics.at(name + "iterations"), all_iterations / frames);
    EXPECT_EQ(metrics.at(name + "activations"), 4);
    EXPECT_GT(metrics.at(name + "hessian_time"), 0);
    EXPECT_GT(metrics.at(name + "simulation_time"), 0);
    EXPECT_GT(metrics.at(name + "solve_time"), metrics.at(name + "simulation_time"));
  }
}

TEST_F(ControlStudies, ResumeToTheSame) {
  expect_resumes_to_the_same(with_paths(times), 1, false);
  // One method and two equal frames: no row has NaN, which equals nothing.
  const std::string twice =
      replaced(replaced(convergence, "[newton, l_bfgs, gradient_descent]", "[newton]"), "frame: 3", "frame: 1");
  expect_resumes_to_the_same(with_paths(twice), 1);
}

// Without friction nothing is lagged, and the motion's own minimization of its first frame ends where Newton's method does.
TEST_F(ControlStudies, NewtonEndsAtTheObjectiveOfTheMotionsFrame) {
  const std::unique_ptr<holo::Study> motion = built(smooth_bar()), study = built(with_paths(convergence));
  const KeptOutput rows = output_of(*motion);
  output_of(*study);
  const holo::Table table = study->tables().at(0);
  const double end = std::get<double>(table.rows.at(0).back()), start = std::get<double>(table.rows.at(0).end()[-2]);
  EXPECT_LT(end, start);
  EXPECT_NEAR(end, column(*motion, rows, "objective").at(1), 1e-9 * start);
}

TEST_F(ControlStudies, AllMethodsBeginAlikeAndDescend) {
  smooth_bar();
  const std::unique_ptr<holo::Study> study = built(with_paths(convergence));
  const KeptOutput output = output_of(*study);
  for (const std::string name : {"first_newton", "first_l_bfgs", "first_gradient_descent", "third_newton"}) {
    const std::vector<double> excess = column(*study, output, name);
    EXPECT_EQ(excess.at(0), 1) << name;
    for (std::size_t i = 1; i < excess.size() && !std::isnan(excess[i]); ++i)
      EXPECT_LE(excess[i], excess[i - 1] + 1e-12) << name << " " << i;
  }
  std::map<std::string, double> metrics = metrics_of(*study);
  EXPECT_LE(metrics.at("first_newton_iterations"), 12);
  EXPECT_GT(metrics.at("first_gradient_descent_iterations"), metrics.at("first_newton_iterations"));
  EXPECT_EQ(metrics.at("newton_fast_frames"), 2);
}

TEST_F(ControlStudiesBadInput, MotionsThatCannotBeMeasuredAreRefusedWithTheirPlace) {
  std::ofstream(folder_ / "flying.yaml") << replaced(
      replaced(lifted_bar, "  obstacles: [{name: ground, type: plane, friction: 0.5}]\n", ""),
      "  contact: {activation_distance: 0.001, friction: {stick_speed: 0.01}}\n", "");
  std::ofstream(folder_ / "other.yaml") << convergence;
  EXPECT_HOLDS(refusal(replaced(times, "name: again, file: bar", "name: again, file: flying")), "flying.yaml has no contact");
  EXPECT_HOLDS(refusal(replaced(times, "name: again, file: bar", "name: again, file: other")),
               "is of the study 'control_convergence'; it must be of elastic_control");
  EXPECT_HOLDS(refusal(replaced(times, "name: again", "name: once")), "two experiments are named 'once'");
  EXPECT_HOLDS(refusal(replaced(times, "name: again, file: bar.yaml", "name: again, file: bar.yaml, variant: tiny")), "tiny");
}

TEST_F(ControlStudiesBadInput, FramesAndMethodsThatCannotBeComparedAreRefusedWithTheirPlace) {
  EXPECT_HOLDS(refusal(replaced(convergence, "frame: 3", "frame: 5")),
               "small.yaml:7:42: found the frame 5, but bar.yaml has 4 frames");
  EXPECT_HOLDS(refusal(replaced(convergence, "frame: 3", "frame: 0")), "small.yaml:7:42");
  EXPECT_HOLDS(refusal(replaced(convergence, "l_bfgs,", "newton,")), "'newton' is named twice");
  EXPECT_HOLDS(refusal(replaced(convergence, "l_bfgs,", "bfgs,")), "Did you mean 'l_bfgs'?");
}

}  // namespace control_studies
}  // namespace holo_test
