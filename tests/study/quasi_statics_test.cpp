// The study `quasi_statics`: materials and tests side by side, resumption, failures, refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace quasi_statics_study {

constexpr const char* pulled = R"(name: small
study: quasi_statics
scene:
  time_step: 0.25
  duration: 1
  gravity: [0, 0, 0]
  bodies:
    - name: bar
      mesh: {shape: box, size: [1, 0.5, 0.5], elements: 48}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      subsets: {left: {box: {max: [1.0e-6, 9, 9]}}, right: {box: {min: [0.999999, -9, -9]}}}
)";

std::string gallery() {
  return std::string(pulled) + R"(materials: [stvk, ogden]
tests:
  - name: stretch
    handles: [{subset: {name: left}}, {subset: {name: right}, motion: {type: linear, displacement: [0.5, 0, 0], duration: 1}}]
  - name: tiny
    handles: [{subset: {name: left}}, {subset: {name: right}, motion: {type: linear, displacement: [0.001, 0, 0], duration: 1}}]
)";
}

// One motion by itself, whose handles are the scene's.
std::string alone(const std::string& displacement) {
  return std::string(pulled) +
         R"(      handles: [{subset: {name: left}}, {subset: {name: right}, motion: {type: linear, displacement: )" +
         displacement + ", duration: 1}}]\n";
}

class QuasiStaticStudies : public SmallRuns {
 protected:
  nlohmann::json result_of(const std::string& yaml) {
    write(yaml);
    run("out");
    return nlohmann::json::parse(file("out", "result.json"));
  }
};

TEST_F(QuasiStaticStudies, RunEachMaterialInEachTest) {
  const nlohmann::json metrics = result_of(gallery())["metrics"];
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  EXPECT_EQ(value("runs"), 4);
  EXPECT_EQ(value("failed_runs"), 0);
  EXPECT_EQ(value("runs_with_decreases"), 0);
  EXPECT_LT(value("tiny_energy_spread"), 0.005);
  EXPECT_GT(value("stretch_energy_spread"), 0.05);
  // Half of a force that grows with the way, up to the square of the strain.
  EXPECT_NEAR(value("stvk_tiny_elastic_energy"), value("stvk_tiny_reaction_force") * 0.001 / 2,
              2e-3 * value("stvk_tiny_elastic_energy"));
  EXPECT_FALSE(metrics.contains("ogden_stretch_time"));
}

TEST_F(QuasiStaticStudies, RunEachMaterialThatIsFound) {
  write(replaced(gallery(), "materials: [stvk, ogden]", "materials: all"));
  const nlohmann::json metrics = result_of(replaced(gallery(), "materials: [stvk, ogden]", "materials: all"))["metrics"];
  const holo::PluginHost host;
  EXPECT_GE(host.names<holo::MaterialPlugin>().size(), 16u);
  for (const std::string& name : host.names<holo::MaterialPlugin>())
    EXPECT_EQ(metrics.value(name + "_tiny_failed", -1.0), 0) << name;
  EXPECT_LT(metrics.at("tiny_energy_spread").get<double>(), 0.005);
}

TEST_F(QuasiStaticStudies, RunASceneByItself) {
  const nlohmann::json metrics = result_of(alone("[0.3, 0, 0]"))["metrics"];
  EXPECT_EQ(metrics.at("failed").get<double>(), 0);
  EXPECT_EQ(metrics.at("increments").get<double>(), 4);
  EXPECT_GT(metrics.at("reaction_force").get<double>(), 0);
  EXPECT_FALSE(metrics.contains("runs"));
}

// A mesh of its own is compared by displacements and energies, not vertex by vertex.
TEST_F(QuasiStaticStudies, CompareLinearWithQuadraticElements) {
  const nlohmann::json metrics = result_of(std::string(pulled) + R"(      handles: [{subset: {name: left}}]
tests:
  - {name: linear, loads: [{type: force, force: [0, 0, -50], on: {name: right}, ramp: 1}]}
  - name: quadratic
    reference: linear
    mesh: {shape: box, size: [1, 0.5, 0.5], elements: 48, order: 2}
    loads: [{type: force, force: [0, 0, -50], on: {name: right}, ramp: 1}]
  - {name: again, reference: linear, loads: [{type: force, force: [0, 0, -50], on: {name: right}, ramp: 1}]}
)")["metrics"];
  EXPECT_EQ(metrics.at("failed_runs").get<double>(), 0);
  EXPECT_GT(metrics.at("quadratic_displacement_ratio").get<double>(), 1.2);
  EXPECT_FALSE(metrics.contains("quadratic_distance"));
  EXPECT_EQ(metrics.at("again_distance").get<double>(), 0);
  EXPECT_EQ(metrics.at("again_displacement_ratio").get<double>(), 1);
}

TEST_F(QuasiStaticStudies, ContinueFromEachStep) {
  for (const int steps : {1, 3}) expect_resumes_to_the_same(gallery(), steps);
}

// Handles through each other, by a body whose material cannot be turned inside out: the last equilibrium is kept.
TEST_F(QuasiStaticStudies, EndWithTheLastEquilibriumWhereThereIsNoOther) {
  write(alone("[-1.5, 0, 0]"));
  const holo::RunOutcome outcome = run("out");
  EXPECT_EQ(outcome.result.status, holo::RunStatus::failed);
  const nlohmann::json result = nlohmann::json::parse(file("out", "result.json"));
  EXPECT_SAYS(result.dump(), "no equilibrium after the one at");
}

// Of several motions the others go on.
TEST_F(QuasiStaticStudies, GoOnWithOthersWhereOneFails) {
  const std::string yaml =
      replaced(replaced(gallery(), "displacement: [0.5, 0, 0]", "displacement: [-1.5, 0, 0]"), "[stvk, ogden]", "[ogden]");
  const nlohmann::json metrics = result_of(yaml)["metrics"];
  EXPECT_EQ(metrics.at("failed_runs").get<double>(), 1);
  EXPECT_EQ(metrics.at("ogden_stretch_failed").get<double>(), 1);
  EXPECT_EQ(metrics.at("ogden_tiny_failed").get<double>(), 0);
}

class QuasiStaticStudiesBadInput : public SmallRuns {};

TEST_F(QuasiStaticStudiesBadInput, NamesWhatDoesNotFit) {
  EXPECT_SAYS(refusal(replaced(gallery(), "[stvk, ogden]", "[stvk, ogdne]")), "ogden");
  EXPECT_SAYS(refusal(replaced(gallery(), "[stvk, ogden]", "[stvk, stvk]")), "named twice");
  EXPECT_SAYS(refusal(replaced(gallery(), "[stvk, ogden]", "[revolute]")), "joint");
  EXPECT_SAYS(refusal(replaced(gallery(), "name: tiny", "name: stretch")), "two tests are named 'stretch'");
  EXPECT_SAYS(refusal(pulled), "nothing holds the body 'bar'");
  EXPECT_SAYS(refusal(std::string(pulled) + "tests: [{name: nothing}]\n"), "in the test 'nothing'");
  EXPECT_SAYS(refusal(replaced(gallery(), "duration: 1\n", "duration: 1\n  integrator: bdf2\n")), "has no `integrator`");
  EXPECT_SAYS(refusal(gallery() + "solver: {smallest_increment: 0}\n"), "smallest_increment");
  EXPECT_SAYS(refusal(gallery() + "solver: {max_iterations: 0}\n"), "max_iterations");
  EXPECT_SAYS(refusal(replaced(gallery(), "{name: left}}, {subset: {name: right}, motion: {type: linear, displacement: [0.5",
                               "{name: left}, along: [w]}, {subset: {name: right}, motion: {type: linear, displacement: [0.5")),
              "along");
  EXPECT_SAYS(refusal(replaced(gallery(), "{subset: {name: right}, motion: {type: linear, displacement: [0.5",
                               "{subset: {all: true}, motion: {type: linear, displacement: [0.5")),
              "is in two handles");
}

}  // namespace quasi_statics_study
}  // namespace holo_test
