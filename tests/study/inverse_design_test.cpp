// The study `inverse_design`: designed frequencies and rest shapes, materials from recorded deformations, resumption, refusals,
// frequencies that cannot be attained.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "holo/study/parameter_model.h"
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

constexpr const char* hanging_rod = R"(name: small
study: inverse_design
response: rest_shape
body:
  {shape: curved_bar, elements: 60, length: 1, width: 0.2, height: 0.2, rise: 0.1, density: 1000,
   material: {type: neo_hookean, youngs_modulus: 3.0e+5, poissons_ratio: 0.3}}
parameters:
  - {name: rise, minimum: -0.5, maximum: 1}
  - {name: taper, minimum: 0, maximum: 0.5}
target: {sagged: {rise: 0.3, taper: 0.2}}
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

// The model behind the sliders is exact at its nodes, and its errors between them are measured and written.
TEST_F(InverseDesigns, WriteAModelForTheSlidersOfTheReport) {
  const std::string text = replaced(
      short_bridge, "motion: {periods: 12, steps_per_period: 24}",
      "acceleration_profile: sin(pi*x)\nreduced_model: {points: 4, samples: 3}\nmotion: {periods: 2, steps_per_period: 24}");
  write(text);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  const holo::ParameterModel model = holo::read_model(folder_ / "out" / "model.json");
  EXPECT_EQ(model.node_count(), 16u);
  EXPECT_EQ(model.quantities[0].error, metrics.at("model_frequency_error").get<double>());
  EXPECT_LT(model.quantities[0].error, 0.02);
  EXPECT_LT(metrics.at("model_displacement_error").get<double>(), 0.02);
  const std::vector<double> designed = {model.parameters[0].value, model.parameters[1].value};
  EXPECT_NEAR(holo::interpolated(model.quantities[0], holo::node_weights(model, designed)),
              metrics.at("frequency").get<double>(), 0.02 * metrics.at("frequency").get<double>());
  expect_resumes_to_the_same(text, 1);
}

TEST_F(InverseDesigns, NameABodyThatTheModelOfTheSlidersCannotHave) {
  write(replaced(replaced(short_bridge, "maximum: 1.7", "maximum: 2.2"), "motion: {", "reduced_model: {points: 3}\nmotion: {"));
  const holo::RunOutcome outcome = run("out");
  EXPECT_EQ(outcome.result.status, holo::RunStatus::failed);
  EXPECT_SAYS(outcome.result.message, "has an inverted element");
  EXPECT_SAYS(outcome.result.message, "Narrow the bounds");
}

// Bounds that reach beyond the shapes there are: the message names what the search met there, and the last good design is kept.
TEST_F(InverseDesigns, NameTheElementThatTheSearchInverted) {
  std::string text = replaced(short_bridge, "  - {name: length, minimum: 7, maximum: 14}\n", "");
  text = replaced(text, "maximum: 1.7", "maximum: 6");
  write(replaced(text, "body: {shape: beam, elements: 200, length: 8, width: 1.6, height: 1.2, youngs_modulus: 2.0e+7}",
                 "frequency: 100"));
  const holo::RunOutcome outcome = run("out");
  EXPECT_EQ(outcome.result.status, holo::RunStatus::failed);
  EXPECT_SAYS(outcome.result.message, "arch_height = ");
  EXPECT_SAYS(outcome.result.message, "has an inverted element: element ");
  EXPECT_SAYS(outcome.result.message, "the nearest is");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "checkpoint"));
  EXPECT_FALSE(file("out", "metrics.csv").empty());
}

TEST_F(InverseDesigns, FindTheRestShapeThatSagsIntoAGivenOne) {
  write(hanging_rod);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_LT(metrics.at("rise_error").get<double>(), 1e-6);
  EXPECT_LT(metrics.at("taper_error").get<double>(), 1e-6);
  EXPECT_LT(metrics.at("hessian_difference").get<double>(), 1e-7);
  EXPECT_LT(metrics.at("distance").get<double>(), 1e-9);
}

// A level bar is none that a bar of this family sags into; it comes nearer than the bar that is level at rest does.
TEST_F(InverseDesigns, ComeNearAShapeThatIsGiven) {
  const auto distance = [&](const char* name, const std::string& text) {
    write(text);
    run(name);
    return nlohmann::json::parse(file(name, "result.json"))["metrics"].at("distance").get<double>();
  };
  const std::string level = replaced(hanging_rod, "sagged: {rise: 0.3, taper: 0.2}", "shape: {rise: 0, taper: 0}");
  const double designed = distance("designed", level);
  const double narrow = distance("narrow", replaced(replaced(level, "rise: 0.1", "rise: 0"), "minimum: -0.5, maximum: 1",
                                                    "minimum: -1.0e-6, maximum: 1.0e-6"));
  EXPECT_LT(designed, 0.5 * narrow);
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

constexpr const char* recorded_values = "recorded: {youngs_modulus: 8.7e+4, poissons_ratio: 0.38}\n";

// The hanging bar with the wanted numbers, as the study of equilibria runs it: its last frame is the record.
std::string true_bar() {
  const std::string text =
      replaced(replaced(hanging_bar, "study: inverse_design\nresponse: equilibrium", "study: quasi_statics"),
               "youngs_modulus: 6.0e+4, poissons_ratio: 0.25", "youngs_modulus: 8.7e+4, poissons_ratio: 0.38");
  return text.substr(0, text.find("parameters:"));
}

// The file's numbers are those of the equilibrium in full, so that only the equilibria's own errors remain.
TEST_F(InverseDesigns, FindTheMaterialOfADeformationInAFile) {
  write(true_bar());
  run("truth");
  write(replaced(hanging_bar, recorded_values, "recorded_file: truth/frames/step_0000002.vtu\n"));
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_NEAR(metrics.at("youngs_modulus").get<double>(), 8.7e4, 1e-6 * 8.7e4);
  EXPECT_NEAR(metrics.at("poissons_ratio").get<double>(), 0.38, 1e-6);
  EXPECT_LT(metrics.at("distance").get<double>(), 1e-9);
  EXPECT_FALSE(metrics.contains("youngs_modulus_error"));
}

// Frames of quadratic bodies have the linear cells of their elements.
TEST_F(InverseDesigns, FindTheMaterialOfQuadraticElementsInAFrame) {
  const auto quadratic = [](const std::string& text) { return replaced(text, "elements: 48}", "elements: 12, order: 2}"); };
  write(quadratic(true_bar()));
  run("truth");
  write(quadratic(replaced(hanging_bar, recorded_values, "recorded_file: truth/frames/step_0000002.vtu\n")));
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_NEAR(metrics.at("youngs_modulus").get<double>(), 8.7e4, 1e-6 * 8.7e4);
  EXPECT_NEAR(metrics.at("poissons_ratio").get<double>(), 0.38, 1e-6);
}

// One number is free: the stiffness for which the bar's center hangs at a given height.
TEST_F(InverseDesigns, FindTheMaterialOfTheLeastLosses) {
  std::string text =
      replaced(hanging_bar, recorded_values,
               "losses:\n  - {type: track_center_of_mass, body: bar, target: [0, 0, 0.15], weight: [0, 0, 1]}\n");
  text = replaced(text, "  - {name: poissons_ratio, minimum: 0.05, maximum: 0.48}\n", "");
  write(text);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_LT(metrics.at("objective").get<double>(), 1e-20);
  EXPECT_LT(metrics.at("hessian_difference").get<double>(), 1e-7);
  EXPECT_GT(metrics.at("youngs_modulus").get<double>(), 2e4);
  EXPECT_FALSE(metrics.contains("distance"));
}

class InverseDesignsBadInput : public SmallRuns {};

TEST_F(InverseDesignsBadInput, NamesWhatARecordedFileLacks) {
  write(true_bar());
  run("truth");
  const std::string good = file("truth", "frames/step_0000002.vtu");
  const auto refusal_of = [&](const std::string& mesh, const char* name = "record.vtk") {
    std::ofstream(folder_ / "record.vtk") << mesh;
    return refusal(replaced(hanging_bar, recorded_values, std::string("recorded_file: ") + name + "\n"));
  };
  const std::string one =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
      "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
  EXPECT_SAYS(refusal_of(one), "record.vtk: 1 tetrahedra are recorded; the bodies of the scene have ");
  EXPECT_SAYS(refusal_of(replaced(one, "0 0 1\nCELLS", "0 0 nan\nCELLS")), "record.vtk");
  EXPECT_SAYS(refusal_of(replaced(one, "0 0 1\nCELLS", "0 0 -1\nCELLS")), "record.vtk");
  EXPECT_SAYS(refusal_of(good.substr(0, good.size() / 2)), "record.vtk");
  EXPECT_SAYS(refusal_of(one, "absent.vtk"), "absent.vtk");
  EXPECT_SAYS(refusal(std::string(hanging_bar) + "recorded_file: record.vtk\n"),
              "one of `recorded`, `recorded_file` and `losses`");
  EXPECT_SAYS(refusal(replaced(hanging_bar, recorded_values, "")), "found: none");
  EXPECT_SAYS(refusal(replaced(hanging_bar, recorded_values,
                               "losses:\n  - {type: track_elastic_energy_rate, body: bar, target: 0, scale: 1}\n")),
              "which an equilibrium does not have");
}

TEST_F(InverseDesignsBadInput, NamesWhatARestShapeLacks) {
  EXPECT_SAYS(refusal(replaced(hanging_rod, "name: taper", "name: tapper")), "Did you mean 'taper'?");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "rise: 0.3, ", "")), "`sagged` needs a number for 'rise'");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "rise: 0.3, ", "rise: 0.3, curl: 1, ")), "more entries");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "sagged", "hung")), "sagged");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "taper: 0.2}}", "taper: 1.5}}")), "taper = 1.5 1 has an inverted element");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "rise: 0.1,", "rise: 0.1, taper: 1.5,")), "outside of the bounds");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "rise: 0.1,", "rise: 2,")), "outside of the bounds");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "maximum: 0.5", "maximum: 0")), "the bounds of a designed parameter differ");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "neo_hookean", "neo_hooke")), "neo_hookean");
  EXPECT_SAYS(refusal(replaced(hanging_rod, "3.0e+5", "1.0e5*(1+x)")), "the same material everywhere");
}

TEST_F(InverseDesignsBadInput, NamesWhatAModelOfSlidersCannotBe) {
  const auto with = [](const char* line) { return replaced(short_bridge, "motion: {", std::string(line) + "\nmotion: {"); };
  EXPECT_SAYS(refusal(with("reduced_model: {points: 1}")), "points");
  EXPECT_SAYS(refusal(replaced(with("reduced_model: {points: 30}"), "parameters:\n",
                               "parameters:\n  - {name: width, minimum: 1, maximum: 3}\n")),
              "30 points of 3 parameters are 27000 bodies");
  EXPECT_SAYS(refusal(with("acceleration_profile: sin(pi*q)")), "q");
  EXPECT_SAYS(refusal(with("acceleration_profile: x*(1-x)*0")), "nothing oscillates");
}

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
