// The study `inverse_design`: a designed frequency, resumption, refusals, frequencies that cannot be attained.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace inverse_design_study {

constexpr const char* short_bridge = R"(name: small
study: inverse_design
body: {shape: bridge, elements: 200, length: 10, width: 2, height: 2, arch_height: 1.2, youngs_modulus: 2.0e+7}
acceleration: [0, 0, -2]
parameters:
  - {name: length, minimum: 7, maximum: 14}
  - {name: arch_height, minimum: 0.6, maximum: 1.7}
target:
  body: {shape: beam, elements: 200, length: 8, width: 1.6, height: 1.2, youngs_modulus: 2.0e+7}
motion: {periods: 12, steps_per_period: 24}
)";

class InverseDesigns : public SmallRuns {};

TEST_F(InverseDesigns, FindTheFrequencyOfTheTarget) {
  write(short_bridge);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  EXPECT_LT(value("frequency_error"), 1e-10);
  EXPECT_LE(value("factorizations"), value("evaluations") + 1);
  EXPECT_LT(value("hessian_difference"), 1e-6);
  EXPECT_NE(value("length"), 10);
  EXPECT_NEAR(value("motion_frequency"), value("frequency"), 0.05 * value("frequency"));
  EXPECT_NEAR(value("target_motion_frequency"), value("target_frequency"), 0.05 * value("frequency"));
}

TEST_F(InverseDesigns, ContinueFromTheDesignAndFromAPeriod) {
  for (const int steps : {1, 4}) expect_resumes_to_the_same(short_bridge, steps);
}

TEST_F(InverseDesigns, StateTheNearestFrequencyWhereTheTargetIsOutOfReach) {
  write(replaced(short_bridge, "body: {shape: beam, elements: 200, length: 8, width: 1.6, height: 1.2, youngs_modulus: 2.0e+7}",
                 "frequency: 100"));
  const holo::RunOutcome outcome = run("out");
  EXPECT_EQ(outcome.result.status, holo::RunStatus::failed);
  const std::string result = file("out", "result.json");
  EXPECT_SAYS(result, "is not attained within the bounds: the nearest is");
  EXPECT_SAYS(result, "length = 7 m");
}

constexpr const char* hanging_bar = R"(name: small
study: inverse_design
response: equilibrium
scene:
  time_step: 0.5
  duration: 1
  gravity: [0, 0, -9.81]
  bodies:
    - name: bar
      mesh: {shape: box, size: [1, 0.4, 0.4], elements: 48}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 6.0e+4, poissons_ratio: 0.25}
      handles:
        - {subset: {box: {max: [1.0e-6, 9, 9]}}}
        - {subset: {box: {min: [0.999999, -9, 0.399999]}}, motion: {type: linear, displacement: [0, 0.1, 0], duration: 1}}
parameters:
  - {name: youngs_modulus, minimum: 2.0e+4, maximum: 2.0e+5}
  - {name: poissons_ratio, minimum: 0.05, maximum: 0.48}
recorded: {youngs_modulus: 8.7e+4, poissons_ratio: 0.38}
)";

TEST_F(InverseDesigns, FindTheMaterialOfARecordedDeformation) {
  write(hanging_bar);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_LT(metrics.at("youngs_modulus_error").get<double>(), 1e-6);
  EXPECT_LT(metrics.at("poissons_ratio_error").get<double>(), 1e-6);
  EXPECT_LT(metrics.at("hessian_difference").get<double>(), 1e-7);
  EXPECT_LT(metrics.at("distance").get<double>(), 1e-9);
}

class InverseDesignsBadInput : public SmallRuns {};

TEST_F(InverseDesignsBadInput, NamesWhatAMaterialDoesNotGive) {
  EXPECT_SAYS(refusal(replaced(hanging_bar, "response: equilibrium", "response: equlibrium")), "equilibrium");
  EXPECT_SAYS(refusal(replaced(hanging_bar, "name: poissons_ratio", "name: poisson_ratio")), "Did you mean 'poissons_ratio'?");
  EXPECT_SAYS(refusal(replaced(hanging_bar, "minimum: 0.05", "minimum: 0.3")), "outside of the bounds");
  EXPECT_SAYS(refusal(replaced(hanging_bar, "recorded: {youngs_modulus: 8.7e+4, ", "recorded: {")), "youngs_modulus");
  EXPECT_SAYS(refusal(replaced(hanging_bar, "poissons_ratio: 0.38}", "poissons_ratio: 0.7}")), "poissons_ratio");
  EXPECT_SAYS(refusal(replaced(hanging_bar, "poissons_ratio: 0.25}", "poissons_ratio: 0.7}")), "poissons_ratio");
}

TEST_F(InverseDesignsBadInput, NamesWhatDoesNotFit) {
  EXPECT_SAYS(refusal(replaced(short_bridge, "shape: bridge", "shape: bride")), "bridge");
  EXPECT_SAYS(refusal(replaced(short_bridge, "name: length", "name: lenght")), "Did you mean 'length'?");
  EXPECT_SAYS(refusal(replaced(short_bridge, "name: arch_height", "name: length")), "designed twice");
  EXPECT_SAYS(refusal(replaced(short_bridge, "minimum: 7", "minimum: 11")), "begins with length = 10 m, outside of the bounds");
  EXPECT_SAYS(refusal(replaced(short_bridge, "[0, 0, -2]", "[0, 0, 0]")), "nothing oscillates");
  EXPECT_SAYS(refusal(replaced(short_bridge, "height: 2, arch", "height: 1, arch")), "an inverted element");
  EXPECT_SAYS(refusal(replaced(short_bridge, "height: 1.2, youngs", "height: -1, youngs")), "height");
  EXPECT_SAYS(refusal(replaced(short_bridge, "length: 8,", "length: 8, poissons_ratio: 0.5,")), "poissons_ratio");
  EXPECT_SAYS(refusal(replaced(short_bridge, "steps_per_period: 24", "steps_per_period: 2")), "steps_per_period");
}

}  // namespace inverse_design_study
}  // namespace holo_test
