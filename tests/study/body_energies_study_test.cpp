// Body energies in studies: equilibria and motions, metrics of quantities and patterns, provenance, refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace body_energies_study {

// A bar whose end turns about z; `positive` draws a bump out of its top, `negative` the strain at rest.
constexpr const char* turned = R"(name: small
study: quasi_statics
scene:
  time_step: 0.5
  duration: 1
  gravity: [0, 0, 0]
  bodies:
    - name: bar
      mesh: {shape: box, size: [1, 0.4, 0.2], elements: 240}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      subsets:
        left: {box: {max: [1.0e-6, 9, 9]}}
        right: {box: {min: [0.999999, -9, -9]}}
        inner: {box: {min: [0.7, -9, -9], max: [0.9, 9, 9]}}
        top: {box: {min: [-9, -9, 0.199999]}}
      handles:
        - {subset: {name: left}}
        - {subset: {name: right}, motion: {type: rotation, angle: 0.5, axis: [0, 0, 1], center: [0.5, 0.2, 0.1], duration: 1}}
      body_energies:
        - type: example_based
          stiffness: 2.0e5
          normal: [0, 0, 1]
          inner: inner
          outer: right
          positive: bump
          negative: rest
          targets:
            bump: {shape: [x, y, z*(1 + 0.1*exp(-((x - 0.4)/0.15)^2))]
}
            rest: {strain: [0, 0, 0, 0, 0, 0]}
patterns:
  - {name: bump, subset: top, direction: [0, 0, 2], formula: exp(-((x - 0.4)/0.15)^2)}
)";

class BodyEnergyStudies : public SmallRuns {
 protected:
  nlohmann::json result_of(const std::string& yaml) {
    write(yaml);
    run("out");
    return nlohmann::json::parse(file("out", "result.json"));
  }
};

TEST_F(BodyEnergyStudies, BendingDrawsABodyToItsTarget) {
  const nlohmann::json metrics = result_of(turned)["metrics"];
  EXPECT_EQ(metrics.at("failed").get<double>(), 0);
  EXPECT_LT(metrics.at("residual_at_start").get<double>(), 1e-9);
  EXPECT_GT(metrics.at("bump_correlation").get<double>(), 0.8);
  EXPECT_GT(metrics.at("bar_bending_angle").get<double>(), 0.2);
  const nlohmann::json opposite = nlohmann::json::parse([&] {
    write(replaced(turned, "angle: 0.5", "angle: -0.5"));
    run("opposite");
    return file("opposite", "result.json");
  }())["metrics"];
  EXPECT_LT(opposite.at("bump_correlation").get<double>(), 0.3);
  EXPECT_NEAR(opposite.at("bar_bending_angle").get<double>(), -metrics.at("bar_bending_angle").get<double>(), 0.1);
}

// The run names the plugin.
TEST_F(BodyEnergyStudies, MotionsTakeThem) {
  std::string yaml = replaced(turned, "study: quasi_statics", "study: elastic_dynamics");
  yaml = replaced(yaml, "time_step: 0.5\n  duration: 1", "time_step: 0.1\n  duration: 0.3");
  yaml.resize(yaml.find("patterns:"));
  const nlohmann::json result = result_of(yaml);
  EXPECT_EQ(result.at("status").get<std::string>(), "finished") << result.dump();
  EXPECT_SAYS(file("out", "provenance.json"), "example_based");
}

TEST_F(BodyEnergyStudies, ContinueFromEachStep) { expect_resumes_to_the_same(turned, 1); }

class BodyEnergyStudiesBadInput : public SmallRuns {};

TEST_F(BodyEnergyStudiesBadInput, PatternsThatDoNotFit) {
  EXPECT_SAYS(refusal(replaced(turned, "subset: top, direction", "subset: tip, direction")), "no subset 'tip'");
  EXPECT_SAYS(refusal(replaced(turned, "direction: [0, 0, 2]", "direction: [0, 0, 0]")), "a direction is needed");
  EXPECT_SAYS(refusal(replaced(turned, "formula: exp(", "formula: expo(")), "expo");
}

TEST_F(BodyEnergyStudiesBadInput, OtherStudiesRefuseThem) {
  std::string solvers = replaced(turned, "study: quasi_statics", "study: elastic_solvers");
  solvers.resize(solvers.find("patterns:"));
  solvers += "runs: [{name: newton}, {name: other}]\n";
  EXPECT_SAYS(refusal(solvers), "this study takes no `body_energies`");
  std::string control = replaced(turned, "study: quasi_statics", "study: elastic_control");
  control.resize(control.find("patterns:"));
  EXPECT_SAYS(refusal(control), "this study takes no `body_energies`: it needs third derivatives");
  std::string reduced = replaced(turned, "study: quasi_statics", "study: modal_reduction\nresponse: equilibrium\ntip: right");
  EXPECT_SAYS(refusal(reduced), "compares displacements of its bases, and no patterns");
  reduced.resize(reduced.find("patterns:"));
  EXPECT_SAYS(refusal(reduced), "this study takes no `body_energies`: it takes modes");
  std::string falling = replaced(turned, "study: quasi_statics", "study: modal_reduction");
  falling.resize(falling.find("patterns:"));
  EXPECT_SAYS(refusal(falling), "this study takes no `body_energies`: it takes modes");
}

// An angle between subsets in one place, and a formula without a value: known before the first step, with their places.
TEST_F(BodyEnergyStudiesBadInput, QuantitiesAndPatternsWithoutValues) {
  EXPECT_SAYS(refusal(replaced(turned, "outer: right", "outer: inner")), "inner and outer are one subset");
  EXPECT_SAYS(refusal(replaced(turned, "formula: exp(-((x - 0.4)/0.15)^2)", "formula: log(x)")), ":33:");
}

}  // namespace body_energies_study
}  // namespace holo_test
