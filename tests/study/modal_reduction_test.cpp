// The study `modal_reduction`: falling and bent bodies in reduced bases, resumption, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "holo/study/quantity_table.h"
#include "small_runs.h"

namespace holo_test {
namespace modal_reduction_study {

constexpr const char* falling = R"(name: small
study: modal_reduction
scene:
  time_step: 0.02
  duration: 0.12
  contact: {activation_distance: 0.01, between_bodies: false}
  obstacles: [{name: ground, type: plane, friction: 0.3}]
  bodies:
    - name: one
      mesh: {shape: box, size: [0.5, 0.2, 0.1], elements: 60}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      placement: {translate: [0, 0, 0.05]}
      initial: {velocity: [0, 0, -1], angular_velocity: [1, 2, 0]}
    - name: two
      mesh: {shape: box, size: [0.5, 0.2, 0.1], elements: 60}
      density: 1000
      material: {type: stvk, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      placement: {translate: [1, 0, 0.1]}
reduction:
  modes: 3
  columns: 6
  shown_modes: 2
  cubature: {elements: 60, tolerance: 0.02, samples: 20}
)";

constexpr const char* bent = R"(name: small
study: modal_reduction
response: equilibrium
scene:
  time_step: 0.5
  duration: 1
  gravity: [0, 0, 0]
  bodies:
    - name: bar
      mesh: {shape: box, size: [1, 0.1, 0.1], elements: 60}
      density: 1000
      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      subsets: {root: {box: {max: [1.0e-6, 9, 9]}}, tip: {box: {min: [0.999999, -9, -9]}}}
      handles: [{subset: {name: root}}]
      loads: [{type: circular, moment: [0, 1, 0], center: [0.5, 0.05, 0.05], on: {all: true}, ramp: 1}]
tip: tip
reduction: {modes: 3, columns: 6}
)";

class ModalReductionStudies : public SmallRuns {
 protected:
  nlohmann::json result_of(const std::string& yaml) {
    write(yaml);
    run("out");
    return nlohmann::json::parse(file("out", "result.json"));
  }
};

// A bound on the largest value of some runs must not hold because one of them has none.
TEST(QuantityTables, TheLargestValueIsNoneWhereAnItemHasNone) {
  const auto itself = [](double value) { return value; };
  EXPECT_EQ(holo::largest_value(std::vector<double>{-3, -1, -2}, itself), -1);
  EXPECT_TRUE(std::isnan(holo::largest_value(std::vector<double>{1, NAN, 2}, itself)));
  EXPECT_TRUE(std::isnan(holo::largest_value(std::vector<double>{}, itself)));
}

// A run is not resumed with another plugin than it began with: also those of `materials` and of tests are recorded.
TEST_F(ModalReductionStudies, RecordThePluginsOfAllRuns) {
  const auto recorded = [&](const std::string& yaml) {
    result_of(yaml);
    std::vector<std::string> names;
    const nlohmann::json provenance = nlohmann::json::parse(file("out", "provenance.json"));
    for (const auto& plugin : provenance["plugins"]) names.push_back(plugin["name"]);
    std::filesystem::remove_all(folder_ / "out");
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(recorded(std::string(bent) + "materials: [stvk, neo_hookean]\n"), (Names{"neo_hookean", "stvk"}));
  EXPECT_EQ(
      recorded(std::string(bent) + "tests:\n  - {name: own}\n"
                                   "  - {name: other, material: {type: stvk, youngs_modulus: 1.0e5, poissons_ratio: 0.3}}\n"),
      (Names{"neo_hookean", "stvk"}));
}

TEST_F(ModalReductionStudies, LetBodiesFall) {
  const nlohmann::json result = result_of(falling), metrics = result["metrics"];
  const auto value = [&](const std::string& name) { return metrics.at(name).get<double>(); };
  EXPECT_EQ(result["status"], "finished");
  EXPECT_EQ(value("bodies"), 2);
  EXPECT_EQ(value("materials_with_quotients"), 2);
  EXPECT_EQ(value("factorizations"), 1);
  EXPECT_LE(value("training_error"), 0.02);
  EXPECT_LT(value("test_error"), 0.3);
  EXPECT_GT(value("smallest_gap"), 0);
  EXPECT_LT(value("smallest_gap"), 0.01);  // one of them touches the ground
  EXPECT_GT(value("one_largest_deformation"), 1e-3);
  EXPECT_NEAR(value("two_residual_quotient_3"), 8, 1);
  EXPECT_GT(value("steps_per_second"), 0);
}

// With all elements in the place of a cubature.
TEST_F(ModalReductionStudies, EvaluateAllElementsWhereTheyAreAskedTo) {
  const std::string all = replaced(falling, "{elements: 60, tolerance: 0.02, samples: 20}", "{all_elements: true}");
  const nlohmann::json metrics = result_of(all)["metrics"];
  EXPECT_EQ(metrics.at("evaluated_elements"), metrics.at("elements"));
  EXPECT_EQ(metrics.at("training_error").get<double>(), 0);
}

TEST_F(ModalReductionStudies, CompareBasesWithTheFullBody) {
  const nlohmann::json metrics = result_of(bent)["metrics"];
  const auto value = [&](const std::string& name) { return metrics.at(name).get<double>(); };
  EXPECT_EQ(value("failed_runs") + value("reduced_failures") + value("unordered_loads"), 0);
  EXPECT_EQ(value("factorizations"), 1);
  EXPECT_EQ(value("runs_with_quotients"), 1);
  EXPECT_GT(value("linear_error"), 2 * value("order_1_error"));
  EXPECT_GT(value("order_1_error"), value("order_2_error"));
  EXPECT_GT(value("tip_displacement"), 0.05);
}

TEST_F(ModalReductionStudies, BendTheBodyOfEachTest) {
  const std::string tests = std::string(bent) +
                            "tests:\n  - {name: soft, material: {type: ogden, youngs_modulus: 9.0e4, poissons_ratio: 0.3}}\n"
                            "  - {name: hard, material: {type: stvk, youngs_modulus: 2.0e5, poissons_ratio: 0.3}}\n";
  const nlohmann::json metrics = result_of(tests)["metrics"];
  EXPECT_EQ(metrics.at("runs"), 2);
  EXPECT_GT(metrics.at("soft_tip_displacement").get<double>(), 1.5 * metrics.at("hard_tip_displacement").get<double>());
}

// Times are not those of another run.
TEST_F(ModalReductionStudies, ContinueFromEachStep) {
  for (const int steps : {1, 2, 5}) expect_resumes_to_the_same(falling, steps, false);
  for (const int steps : {1, 2}) expect_resumes_to_the_same(bent, steps);
}

class ModalReductionStudiesBadInput : public SmallRuns {};

TEST_F(ModalReductionStudiesBadInput, NamesFallingBodiesThatDoNotFit) {
  const auto changed = [](const std::string& from, const std::string& to) { return replaced(falling, from, to); };
  EXPECT_SAYS(refusal(changed("modes: 3", "modes: 0")), "modes");
  EXPECT_SAYS(refusal(changed("columns: 6", "columns: 10")),
              "10 columns are more than the 9 modes and derivatives up to order 1");
  EXPECT_SAYS(refusal(replaced(changed("size: [0.5, 0.2, 0.1], elements: 60", "size: [1, 1, 1], elements: 6"), "modes: 3",
                               "modes: 19")),
              "19 modes are wanted, and the body 'one' has 18 degrees of freedom");
  EXPECT_SAYS(refusal(changed("      initial:", "      handles: [{subset: {all: true}}]\n      initial:")),
              "'one' has handles");
  EXPECT_SAYS(refusal(changed("      initial:", "      deformation: affine\n      initial:")),
              "'one' deforms by one affine map");
  EXPECT_SAYS(
      refusal(changed("      initial:", "      loads: [{type: pressure, pressure: 1, on: {all: true}}]\n      initial:")),
      "'one' has loads");
  EXPECT_SAYS(refusal(changed("between_bodies: false", "between_bodies: true")), "planes alone");
  EXPECT_SAYS(refusal(changed("friction: 0.3}", "motion: {type: linear, displacement: [0, 0, 1], duration: 1}}")),
              "'ground' moves");
  EXPECT_SAYS(refusal(changed("type: stvk, youngs_modulus: 1.0e5", "type: singular, youngs_modulus: 1.0e5")),
              "the body 'two' cannot be reduced");
  EXPECT_SAYS(refusal(changed("shown_modes: 2", "shown_modes: 4")), "4 modes are to be shown, and there are 3");
  EXPECT_SAYS(refusal(changed("samples: 20", "samples: 1")), "samples");
  EXPECT_SAYS(refusal(changed("duration: 0.12", "duration: 0.12\n  integrator: bdf2")), "leave out `integrator`");
  EXPECT_SAYS(refusal(std::string(falling) + "response: sideways\n"), "sideways");
}

TEST_F(ModalReductionStudiesBadInput, NamesBentBodiesThatDoNotFit) {
  const auto changed = [](const std::string& from, const std::string& to) { return replaced(bent, from, to); };
  EXPECT_SAYS(refusal(changed("tip: tip", "tip: tpi")), "the body 'bar' has no subset 'tpi'");
  EXPECT_SAYS(refusal(changed("      handles: [{subset: {name: root}}]\n", "")), "nothing holds the body 'bar'");
  EXPECT_SAYS(refusal(changed("{subset: {name: root}}", "{subset: {name: root}, along: [x]}")), "hold it in place");
  EXPECT_SAYS(refusal(changed("{subset: {name: root}}",
                              "{subset: {name: root}, motion: {type: linear, displacement: [0, 0, 1], duration: 1}}")),
              "hold it in place");
  EXPECT_SAYS(refusal(changed("columns: 6", "columns: 60")), "60 columns are more than the 9");
  EXPECT_SAYS(refusal(replaced(changed("size: [1, 0.1, 0.1], elements: 60", "size: [1, 1, 1], elements: 6"),
                               "modes: 3, columns: 6", "modes: 13, columns: 13")),
              "13 modes are wanted, and the body 'bar' has 12 degrees of freedom");
  EXPECT_SAYS(refusal(changed("moment: [0, 1, 0]", "moment: [0, 0, 0]")), "a moment of 0 has no axis");
  EXPECT_SAYS(refusal(changed("type: neo_hookean", "type: singular")), "cannot be reduced");
}

}  // namespace modal_reduction_study
}  // namespace holo_test
