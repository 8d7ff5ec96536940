// The study `trajectory_formulations`: its methods, its report, its resumption, its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "holo/comparison/ipopt_solver.h"
#include "holo/study/run_report.h"
#include "small_runs.h"

namespace holo_test {
namespace trajectory_formulations_study {

constexpr const char* compared = R"(name: small
study: trajectory_formulations
scene:
  time_step: 0.025
  duration: 0.5
  character: {type: hopper6}
  obstacles: [{name: floor, type: plane}]
losses:
  - {type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0]}
methods:
  - {name: hard, restoration: true, iterations: 40}
  - {name: soft, method: levenberg_marquardt, weight: 1.0e-3, iterations: 20, reference: hard}
  - {name: gradients, method: lbfgs, weight: 1.0e-3, iterations: 30, reference: soft}
  - {name: stiff, normal_weight: 2.0e+5, slip_ratio: 5, from: hard, iterations: 20}
  - {name: free_forces, method: contact_invariant_lm, weight: 1.0e-3, iterations: 40, reference: hard}
  - {name: free_gradients, method: contact_invariant_lbfgs, weight: 1.0e-3, iterations: 100, from: hard}
  - {name: polished, unknowns: states, restoration: true, from: hard, iterations: 40, reference: hard}
)";

class TrajectoryFormulations : public SmallRuns {
 protected:
  nlohmann::json metrics_of(const std::string& yaml) {
    write(yaml);
    run("out");
    return nlohmann::json::parse(file("out", "result.json"))["metrics"];
  }
};

TEST_F(TrajectoryFormulations, CompareMethodsAndStiffnesses) {
  const nlohmann::json metrics = metrics_of(compared);
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  EXPECT_LT(value("hard_objective"), 1);
  EXPECT_GT(value("soft_violation_ratio"), 1);
  EXPECT_GT(value("gradients_violation"), 0);
  EXPECT_LT(value("stiff_mean_penetration"), value("hard_mean_penetration"));
  EXPECT_LT(value("stiff_penetration_exponent"), -0.2);
  EXPECT_FALSE(metrics.contains("polished_penetration_exponent"));  // of the same stiffness
}

TEST_F(TrajectoryFormulations, RestoreTheEquationsThatTheirUnknownsHave) {
  const nlohmann::json metrics = metrics_of(compared);
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  EXPECT_LT(value("hard_violation"), 1e-7);
  EXPECT_GT(value("hard_full_violation"), 1);  // the spline tests fewer equations
  EXPECT_LT(value("polished_full_violation"), 1e-7);
  EXPECT_EQ(value("polished_violation"), value("polished_full_violation"));
  EXPECT_LT(value("polished_objective"), 1);
}

TEST_F(TrajectoryFormulations, StateBothViolationsOfContactInvariantMotions) {
  const nlohmann::json metrics = metrics_of(compared);
  const auto value = [&](const std::string& name) { return metrics.at(name).get<double>(); };
  for (const std::string method : {"free_forces", "free_gradients"}) {
    EXPECT_LT(value(method + "_objective"), 1) << method;
    EXPECT_GT(value(method + "_interactions"), 0) << method;
    EXPECT_LT(value(method + "_violation"), 0.5 * value(method + "_smooth_violation")) << method;
    EXPECT_LT(value(method + "_full_violation"), 0.5 * value(method + "_smooth_full_violation")) << method;
  }
  EXPECT_FALSE(metrics.contains("hard_smooth_violation"));
}

TEST_F(TrajectoryFormulations, ContinueWithTheNextMethod) {
  for (const int steps : {1, 5}) expect_resumes_to_the_same(compared, steps, false);  // times are among the metrics
}

TEST_F(TrajectoryFormulations, ShowTheHistoriesOfAllMethodsInOnePlot) {
  write(compared);
  run("out");
  const std::vector<holo::Plot> plots = holo::report_of_run(folder_ / "out").plots;
  ASSERT_EQ(plots.size(), 3u);
  EXPECT_EQ(plots[0].y.label, "objective");
  for (const holo::Plot& plot : plots) {
    ASSERT_EQ(plot.series.size(), 7u) << plot.title;
    for (const holo::Series& series : plot.series) {
      for (std::size_t i = 0; i < series.x.size(); ++i) EXPECT_EQ(series.x[i], double(i + 1)) << series.name;
      for (const double y : series.y) EXPECT_TRUE(std::isfinite(y)) << plot.title << " " << series.name;
    }
  }
  EXPECT_EQ(plots[0].series[1].name, "soft");
  EXPECT_EQ(plots[0].series[1].x.size(), 20u);
}

constexpr const char* with_ipopt = "  - {name: reference, method: ipopt, from: hard, iterations: 100, reference: hard}\n";

TEST_F(TrajectoryFormulations, HaveIpoptsMinimumWhereItStartsFromOurs) {
  if (!holo::comparison::has_ipopt()) GTEST_SKIP() << holo::comparison::how_to_get_ipopt();
  const nlohmann::json metrics = metrics_of(replaced(compared, "iterations: 40}", "iterations: 1000}") + with_ipopt);
  EXPECT_NEAR(metrics.at("reference_objective_ratio").get<double>(), 1, 0.05);
  EXPECT_LT(metrics.at("reference_violation").get<double>(), 1e-5);
}

TEST_F(TrajectoryFormulations, LeaveOutAnOptionalIpoptThatIsMissing) {
  if (holo::comparison::has_ipopt()) GTEST_SKIP() << "this build has Ipopt";
  EXPECT_SAYS(refusal(std::string(compared) + with_ipopt), "this build has no Ipopt: install Ipopt");
  EXPECT_SAYS(refusal(std::string(compared) + with_ipopt), "optional: true");
  std::unique_ptr<holo::Study> study = built(compared + replaced(with_ipopt, "method: ipopt", "method: ipopt, optional: true"));
  EXPECT_EQ(study->total_steps(), 7);
  ASSERT_EQ(study->notes().size(), 1u);
  EXPECT_SAYS(study->notes()[0], "the method 'reference' is left out");
  const std::string claimed =
      compared + replaced(with_ipopt, "method: ipopt", "method: ipopt, optional: true") +
      "paper:\n  source: Pan2019\n  figure: 10\n"
      "  claims: [{claim: the same, metric: reference_objective_ratio, equals: 1, tolerance: 0.05, cause: \"\"}]\n";
  write(claimed);
  run("out");
  EXPECT_EQ(nlohmann::json::parse(file("out", "result.json"))["paper"][0]["verdict"], "not_attempted");
}

TEST_F(TrajectoryFormulations, RefuseMethodsThatDoNotFit) {
  EXPECT_SAYS(refusal(replaced(compared, "name: soft", "name: hard")), "a second method 'hard'");
  EXPECT_SAYS(refusal(replaced(compared, "reference: hard", "reference: hart")), "no method 'hart' before this one");
  EXPECT_SAYS(refusal(std::string(compared) + "  - {name: back, from: polished}\n"), "from which no spline starts");
  EXPECT_SAYS(refusal(replaced(compared, "method: lbfgs", "method: newton")), "contact_invariant_lbfgs");
  EXPECT_SAYS(refusal(replaced(compared, "restoration: true", "restoration: 3")), "restoration");
  EXPECT_SAYS(refusal(replaced(compared, "method: lbfgs", "method: lbfgs, restoration: true")), "unknown key");
  EXPECT_SAYS(refusal(replaced(compared, "method: lbfgs", "method: lbfgs, optional: true")), "unknown key");
  EXPECT_SAYS(refusal(replaced(compared, "restoration: true", "weight: 1")), "unknown key");
  EXPECT_SAYS(refusal(std::string(compared) + "trajectory: {polish: true}\n"), "each of `methods` has its `iterations`");
  EXPECT_SAYS(refusal(std::string(compared) + "trajectory: {recentering: 2}\n"), "keep the reference rotations");
  EXPECT_SAYS(refusal(std::string(compared) + "solver: {polish_iterations: 9}\n"), "'polish_iterations' has no effect");
  EXPECT_SAYS(refusal(std::string(compared) + replaced(with_ipopt, "method: ipopt", "method: ipopt, optional: maybe")),
              "optional");
}

TEST_F(TrajectoryFormulations, RefuseContactInvariantMethodsWithoutContact) {
  const std::string in_the_air = replaced(replaced(compared, "  obstacles: [{name: floor, type: plane}]\n", ""),
                                          "losses:", "trajectory: {start: as_given}\nlosses:");
  EXPECT_SAYS(refusal(in_the_air), "at least one of each");
}

}  // namespace trajectory_formulations_study
}  // namespace holo_test
