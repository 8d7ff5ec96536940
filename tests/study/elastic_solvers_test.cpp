// The study `elastic_solvers`, and the section `solver` of experiments with elastic bodies.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "small_runs.h"

namespace holo_test {
namespace elastic_solvers {

constexpr double infinity = std::numeric_limits<double>::infinity();

const std::string scene = R"(scene:
  time_step: 0.01
  duration: 0.08
  bodies:
    - name: block
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 100}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      placement: {translate: [0, 0, 0.03]}
      initial: {velocity: [0, 0, -1]}
  contact: {activation_distance: 0.003, stiffness: 1.0e6}
  obstacles: [{name: rod, type: capsule, start: [0.08, -1, -0.02], end: [0.08, 1, -0.02], radius: 0.02}]
)";

const std::string comparison = "name: comparison\nstudy: elastic_solvers\n" + scene + R"(runs:
  - {name: newton, elements: analytic}
  - {name: again, elements: analytic}
  - {name: accelerated, elements: csfd, solver: {tolerance: 1.0e-8, linear_solver: factorize}}
  - {name: pcg, elements: csfd, solver: {type: newton_pcg, linear_tolerance: 1.0e-7}}
  - {name: descent, solver: {type: gradient_descent, max_iterations: 15, at_iteration_limit: accept}}
  - {name: limited, solver: {type: gradient_descent, max_iterations: 2}}
output: {frames_per_second: 50}
)";

std::string dynamics(const std::string& solver, const std::string& mode = "csfd") {
  return "name: dynamics\nstudy: elastic_dynamics\ndifferentiation: {elements: " + mode + "}\n" + scene + "solver: " + solver +
         "\noutput: {frames_per_second: 0}\n";
}

class ElasticSolvers : public SmallRuns {
 protected:
  static KeptOutput output_of(holo::Study& study) {
    KeptOutput output;
    study.begin(output);
    while (study.steps_done() < study.total_steps()) {
      const holo::StepResult result = study.step(output);
      if (result.failed) throw std::runtime_error(result.diagnosis);
    }
    return output;
  }
  static std::map<std::string, double> metrics_of(holo::Study& study) {
    std::map<std::string, double> metrics;
    for (const holo::Metric& metric : study.finish()) metrics[metric.name] = metric.value;
    return metrics;
  }
  static std::vector<double> column(const holo::Study& study, const KeptOutput& output, const std::string& name) {
    const std::vector<holo::Quantity> columns = study.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& each) { return each.name == name; });
    if (found == columns.end()) throw std::runtime_error("no column " + name);
    std::vector<double> values;
    for (const std::vector<double>& row : output.rows) values.push_back(row[std::size_t(found - columns.begin())]);
    return values;
  }
};
class ElasticSolversBadInput : public ElasticSolvers {};

TEST_F(ElasticSolvers, CompareEachRunWithTheFirst) {
  const std::unique_ptr<holo::Study> study = built(comparison);
  const KeptOutput output = output_of(*study);
  ASSERT_EQ(output.rows.size(), 8u);
  ASSERT_EQ(output.times.size(), 8u);
  for (const std::vector<double>& row : output.rows) ASSERT_EQ(row.size(), study->columns().size());
  for (const std::vector<double>& times : output.times) ASSERT_EQ(times.size(), study->timing_columns().size());
  std::map<std::string, double> metrics = metrics_of(*study);
  const double contact_step = metrics.at("contact_step");
  EXPECT_GT(contact_step, 1);
  EXPECT_LE(contact_step, 8);
  // The same minimizer is the same to the last bit, and another mode of the same derivatives is to rounding.
  EXPECT_EQ(metrics.at("again_difference_before_contact"), 0);
  EXPECT_EQ(metrics.at("again_difference_after_contact"), 0);
  EXPECT_EQ(metrics.at("again_residual_ratio"), 1);
  EXPECT_EQ(metrics.at("again_different_iterations"), 0);
  EXPECT_LT(metrics.at("accelerated_difference_before_contact"), 1e-9);
  EXPECT_LT(metrics.at("pcg_difference_before_contact"), 1e-7);
  EXPECT_LT(metrics.at("pcg_product_error"), 1e-13);
  EXPECT_TRUE(std::isnan(metrics.at("newton_product_error")));
  EXPECT_GT(metrics.at("pcg_products_mean"), 1);
  EXPECT_EQ(metrics.at("newton_products_mean"), 0);
  EXPECT_GT(metrics.at("descent_residual_ratio"), 10);
  EXPECT_EQ(metrics.at("newton_time_ratio"), 1);
  EXPECT_EQ(metrics.at("newton_failed_step"), infinity);
}

// The columns are what the metrics are made of.
TEST_F(ElasticSolvers, MetricsFollowFromTheColumns) {
  const std::unique_ptr<holo::Study> study = built(comparison);
  const KeptOutput output = output_of(*study);
  std::map<std::string, double> metrics = metrics_of(*study);
  const std::vector<double> touching = column(*study, output, "touching_vertices"),
                            difference = column(*study, output, "descent_difference"),
                            residual = column(*study, output, "descent_residual"),
                            reference = column(*study, output, "newton_residual"),
                            iterations = column(*study, output, "descent_iterations");
  const auto contact_step = static_cast<std::size_t>(metrics.at("contact_step"));
  EXPECT_EQ(metrics.at("descent_difference_before_contact"),
            *std::max_element(difference.begin(), difference.begin() + std::ptrdiff_t(contact_step) - 1));
  EXPECT_EQ(metrics.at("descent_difference_after_contact"),
            *std::max_element(difference.begin() + std::ptrdiff_t(contact_step) - 1, difference.end()));
  EXPECT_EQ(metrics.at("descent_residual_max"), *std::max_element(residual.begin(), residual.end()));
  std::size_t stagnated = 0;
  while (stagnated < residual.size() && residual[stagnated] <= 1000 * reference[stagnated]) ++stagnated;
  EXPECT_EQ(metrics.at("descent_stagnated_step"), stagnated == residual.size() ? infinity : double(stagnated + 1));
  EXPECT_EQ(*std::max_element(iterations.begin(), iterations.end()), 15);
  for (std::size_t step = 0; step + 1 < contact_step; ++step) EXPECT_EQ(touching[step], 0);
  EXPECT_GT(*std::max_element(touching.begin(), touching.end()), 0);
}

// It says so, and has no values from then on; the others go on.
TEST_F(ElasticSolvers, ARunThatFailsStopsThere) {
  const std::unique_ptr<holo::Study> study = built(comparison);
  const KeptOutput output = output_of(*study);
  const std::vector<double> limited = column(*study, output, "limited_residual");
  EXPECT_EQ(metrics_of(*study).at("limited_failed_step"), 1);
  EXPECT_EQ(metrics_of(*study).at("limited_steps"), 0);
  for (const double value : limited) EXPECT_TRUE(std::isnan(value));
  ASSERT_EQ(study->diagnoses().size(), 1u);
  EXPECT_EQ(study->diagnoses()[0].text.find("run 'limited' ended in step 1: iteration_limit: gradient descent: after 2"), 0u)
      << study->diagnoses()[0].text;
  EXPECT_FALSE(study->diagnoses()[0].denies_result);
}

TEST_F(ElasticSolvers, TheFirstRunThatFailsEndsTheStudy) {
  const std::unique_ptr<holo::Study> study = built(replaced(comparison, "{name: newton, elements: analytic}",
                                                            "{name: newton, elements: analytic, solver: {max_iterations: 1}}"));
  KeptOutput output;
  study->begin(output);
  const holo::StepResult result = study->step(output);
  EXPECT_TRUE(result.failed);
  EXPECT_EQ(study->steps_done(), 0);
  EXPECT_NE(result.diagnosis.find("the first run, 'newton'"), std::string::npos) << result.diagnosis;
}

TEST_F(ElasticSolvers, ResumeToTheSame) {
  expect_resumes_to_the_same(comparison, 3, false);
  expect_resumes_to_the_same(comparison, 6, false);
}

// Frames and report are those of all runs.
TEST_F(ElasticSolvers, AreDrawnSideBySide) {
  write(comparison);
  const holo::RunOutcome outcome = run("drawn");
  EXPECT_GT(file("drawn", "frames.bin").size(), 1000u);
  if (outcome.report.empty()) GTEST_SKIP() << "the build has no template of reports";
  const std::string report = text_of(outcome.report);
  for (const char* text : {"newton: block", "pcg: block", "descent: rod", "Residual at the end of a step"})
    EXPECT_NE(report.find(text), std::string::npos) << text;
}

TEST_F(ElasticSolvers, ElasticDynamicsTakesEachOfTheMinimizers) {
  const std::string newton = dynamics("{type: newton, tolerance: 1.0e-9}"),
                    pcg = dynamics("{type: newton_pcg, tolerance: 1.0e-9, linear_tolerance: 1.0e-8}"),
                    descent = dynamics("{type: gradient_descent, max_iterations: 15, at_iteration_limit: accept}");
  std::map<std::string, std::vector<double>> heights;
  for (const std::string& yaml : {newton, pcg, descent}) {
    const std::unique_ptr<holo::Study> study = built(yaml);
    const KeptOutput output = output_of(*study);
    heights[yaml] = column(*study, output, "center_of_mass_z");
    std::map<std::string, double> metrics = metrics_of(*study);
    EXPECT_EQ(metrics.at("products") > 0, yaml == pcg);
    EXPECT_EQ(metrics.at("factorizations") > 0, yaml == newton);
    const std::vector<double> residuals = column(*study, output, "residual");
    EXPECT_EQ(metrics.at("residual_max"), *std::max_element(residuals.begin(), residuals.end()));
    EXPECT_GT(metrics.at("residual_max"), 0);
    expect_resumes_to_the_same(yaml, 4);
  }
  for (std::size_t i = 0; i < heights[newton].size(); ++i) EXPECT_NEAR(heights[pcg][i], heights[newton][i], 1e-8) << i;
  EXPECT_GT(std::abs(heights[descent].back() - heights[newton].back()), 1e-8);
}

TEST_F(ElasticSolversBadInput, ALimitThatIsNotAcceptedEndsTheRun) {
  const std::unique_ptr<holo::Study> study = built(dynamics("{type: gradient_descent, max_iterations: 2}"));
  KeptOutput output;
  study->begin(output);
  const holo::StepResult result = study->step(output);
  EXPECT_TRUE(result.failed);
  EXPECT_NE(result.diagnosis.find("iteration_limit: gradient descent: after 2 iterations"), std::string::npos)
      << result.diagnosis;
}

TEST_F(ElasticSolversBadInput, ModesWithoutProductsAreRefusedByName) {
  const std::string message = refusal(dynamics("{type: newton_pcg}", "reverse_ad"));
  for (const char* part :
       {"newton_pcg needs products", "neo_hookean_paper", "'block'", "reverse_ad", "compiled, csfd, analytic"})
    EXPECT_HOLDS(message, part);
  EXPECT_HOLDS(refusal(replaced(comparison, "{name: pcg, elements: csfd,", "{name: pcg, elements: forward_difference,")),
               "in the mode forward_difference");
}

TEST_F(ElasticSolversBadInput, EachKeyOfASolverIsChecked) {
  EXPECT_HOLDS(refusal(dynamics("{type: bfgs}")), "newton_pcg");
  EXPECT_HOLDS(refusal(dynamics("{type: newton_pcg, linear_tolerance: 1}")), "linear_tolerance");
  EXPECT_HOLDS(refusal(dynamics("{type: newton_pcg, linear_tolerance: 0}")), "linear_tolerance");
  EXPECT_HOLDS(refusal(dynamics("{type: newton_pcg, max_linear_iterations: 0}")), "max_linear_iterations");
  EXPECT_HOLDS(refusal(dynamics("{type: newton_pcg, linear_solver: reuse}")), "linear_solver");
  EXPECT_HOLDS(refusal(dynamics("{type: newton, linear_tolerance: 0.1}")), "linear_tolerance");
  EXPECT_HOLDS(refusal(dynamics("{type: gradient_descent, linear_tolerance: 0.1}")), "linear_tolerance");
  EXPECT_HOLDS(refusal(dynamics("{type: gradient_descent, at_iteration_limit: go_on}")), "accept");
  EXPECT_HOLDS(refusal(dynamics("{tolerance: 0}")), "tolerance");
  EXPECT_HOLDS(refusal(dynamics("{max_iterations: 0}")), "max_iterations");
}

TEST_F(ElasticSolversBadInput, EachKeyOfARunIsChecked) {
  EXPECT_HOLDS(refusal(replaced(comparison, "name: again", "name: newton")), "two runs are named 'newton'");
  EXPECT_HOLDS(refusal(replaced(comparison, "name: again, elements: analytic", "name: again, elements: exact")), "mcsfd_full");
  EXPECT_HOLDS(refusal(replaced(comparison, "{name: again, elements: analytic}", "{elements: analytic}")), "name");
  EXPECT_HOLDS(refusal(replaced(comparison, "runs:\n", "stagnation: 0.5\nruns:\n")), "stagnation");
  EXPECT_HOLDS(refusal("name: none\nstudy: elastic_solvers\n" + scene + "runs: [{name: alone}]\n"), "runs");
  EXPECT_HOLDS(refusal(comparison + "differentiation: {elements: csfd}\n"), "differentiation");
}

// A material whose author wrote no derivatives has no mode `analytic`.
TEST_F(ElasticSolversBadInput, AModeThatTheMaterialLacksIsRefusedWithItsPlace) {
  const std::string message =
      refusal(replaced(comparison, "type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4",
                       "type: corotational, youngs_modulus: 1.0e5, poissons_ratio: 0.4"));
  EXPECT_HOLDS(message, "body 'block'");
  EXPECT_HOLDS(message, "'corotational' lacks it");
}

}  // namespace elastic_solvers
}  // namespace holo_test
