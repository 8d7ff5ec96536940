#include <cmath>
#include <map>

#include "holo/study/study.h"
#include "small_runs.h"

namespace holo_test {
namespace {

const std::string curves_yaml = R"(name: small
study: material_test
stretches: {first: 0.8, last: 1.2, count: 5}
materials:
  - {name: green, material: {type: stvk, youngs_modulus: 1000, poissons_ratio: 0.25}}
  - {name: rubber, material: {type: neo_hookean, youngs_modulus: 1000, poissons_ratio: 0.4}}
  - {name: bounded, material: {type: volume_preserving, youngs_modulus: 1000, poissons_ratio: 0.4}}
tests: [uniaxial, biaxial, simple_shear]
acceptance:
  - {metric: rubber_uniaxial_initial_modulus_error, at_most: 1.0e-8}
)";

class MaterialCurves : public SmallRuns {
 protected:
  // The columns of metrics.csv of a study that ran to its end.
  static std::map<std::string, std::vector<double>> columns(const std::string& experiment) {
    const std::unique_ptr<holo::Study> study = built(experiment);
    KeptOutput output;
    while (study->steps_done() < study->total_steps()) study->step(output);
    std::map<std::string, std::vector<double>> result;
    const std::vector<holo::Quantity> names = study->columns();
    for (const std::vector<double>& row : output.rows)
      for (std::size_t i = 0; i < names.size(); ++i) result[names[i].name].push_back(row[i]);
    return result;
  }
};
class MaterialCurvesBadInput : public SmallRuns {};

// lambda = mu = 400 Pa. F = diag(s, 1, 1) has the Green strain e = (s^2 - 1)/2 alone: psi = (mu + lambda/2) e^2.
TEST_F(MaterialCurves, StressAndEnergyOfSaintVenantKirchhoffAreTheClosedForm) {
  auto curves = columns(curves_yaml);
  ASSERT_EQ(curves["stretch"].size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const double s = curves["stretch"][i], e = (s * s - 1) / 2;
    EXPECT_NEAR(curves["green_uniaxial_energy"][i], 600 * e * e, 1e-12 * 600);
    EXPECT_NEAR(curves["green_uniaxial_stress"][i], 1200 * s * e, 1e-12 * 1200);
  }
}

// d psi(F(s)) / ds = P : dF/ds: once P11, twice P11, P12 and three times P11. A central difference with the step 5e-6 errs by
// its square times psi''' over 6, and by rounding over the step.
TEST_F(MaterialCurves, TheStressIsTheSlopeOfTheEnergy) {
  auto curves =
      columns(replaced(replaced(curves_yaml, "first: 0.8, last: 1.2, count: 5", "first: 1.099995, last: 1.100005, count: 3"),
                       "tests: [uniaxial, biaxial, simple_shear]\n", ""));
  for (const std::string material : {"green", "rubber", "bounded"})
    for (const auto& [test, factor] :
         std::map<std::string, double>{{"_uniaxial", 1}, {"_biaxial", 2}, {"_simple_shear", 1}, {"_volumetric", 3}}) {
      const std::vector<double>&energy = curves[material + test + "_energy"], &s = curves["stretch"];
      EXPECT_NEAR((energy[2] - energy[0]) / (s[2] - s[0]), factor * curves[material + test + "_stress"][1], 1e-3)
          << material << test;
    }
}

TEST_F(MaterialCurves, InitialModuliAreThoseOfLinearElasticity) {
  write(curves_yaml);
  const holo::RunOutcome outcome = run("a");
  EXPECT_TRUE(outcome.result.accepted());
  std::map<std::string, double> metrics;
  for (const holo::Metric& metric : outcome.result.metrics) metrics[metric.name] = metric.value;
  EXPECT_NEAR(metrics["green_uniaxial_initial_modulus"], 1200, 1e-5);
  EXPECT_NEAR(metrics["green_biaxial_initial_modulus"], 1600, 1e-5);
  EXPECT_NEAR(metrics["green_simple_shear_initial_modulus"], 400, 1e-5);
  for (const std::string name : {"green_uniaxial", "green_biaxial", "green_simple_shear", "rubber_biaxial"})
    EXPECT_LE(metrics.at(name + "_initial_modulus_error"), 1e-8) << name;
  EXPECT_EQ(metrics.count("bounded_uniaxial_initial_modulus_error"), 0u) << "its parameters are not the moduli at rest";
}

TEST_F(MaterialCurves, ResumesToTheSameRows) { expect_resumes_to_the_same(curves_yaml, 2); }

TEST_F(MaterialCurvesBadInput, StretchesThatDoNotGrowAreRefused) {
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "first: 0.8", "first: 1.3")), "small.yaml:3:");
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "first: 0.8", "first: 0")), "small.yaml:3:");
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "count: 5", "count: 1")), "small.yaml:3:");
}

TEST_F(MaterialCurvesBadInput, StretchesOutsideOfTheEnergysDomainAreRefused) {
  const std::string message = refusal(replaced(curves_yaml, "last: 1.2", "last: 1.3"));
  EXPECT_HOLDS(message, "small.yaml:7:");
  EXPECT_HOLDS(message, "'volume_preserving' is defined for 0.5 < det F < 1.5; in the test 'biaxial' det F is 1.69");
}

TEST_F(MaterialCurvesBadInput, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "[uniaxial", "[uniaxal")), "uniaxial");
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "type: stvk", "type: stkv")), "Did you mean 'stvk'?");
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "name: rubber", "name: green")), "two materials are named 'green'");
  EXPECT_HOLDS(
      refusal(replaced(curves_yaml, "youngs_modulus: 1000, poissons_ratio: 0.25", "youngs_modulus: -1, poissons_ratio: 0.25")),
      "small.yaml:5:");
  EXPECT_HOLDS(refusal(replaced(curves_yaml, "rubber_uniaxial_initial", "bounded_uniaxial_initial")), "small.yaml:10:");
}

}  // namespace
}  // namespace holo_test
