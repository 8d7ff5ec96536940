// Models behind the sliders of a report: exact for polynomials of the parameters, reduced bases, files.
#include "holo/study/parameter_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "../refusal_message.h"
#include "temporary_folder.h"

namespace holo_test {
namespace parameter_models {

double quantity(double a, double b) { return std::exp(0.3 * a * a - b + 0.5 * a * b); }

// Two vertices, whose positions are quadratic.
std::vector<double> positions(double a, double b) { return {a, b, 1, a * b, a * a, -b}; }

holo::ParameterModel quadratic_model() {
  holo::ParameterModel model;
  model.points = 3;
  model.parameters = {{"a", "m", -1, 2, 0}, {"b", "1", 3, 4, 3.5}};
  model.quantities = {{"frequency", "Hz", {}, 0, 0}};
  std::vector<std::vector<double>> fields;
  for (std::size_t n = 0; n < model.node_count(); ++n) {
    const std::vector<double> at = model.node(n);
    model.quantities[0].values.push_back(quantity(at[0], at[1]));
    fields.push_back(positions(at[0], at[1]));
  }
  model.triangles = {{0, 1, 0}};
  model.positions = model.displacements = holo::reduced(fields, 6, 1e-12);
  return model;
}

TEST(ParameterModels, AreExactForPolynomialsOfTheirDegree) {
  const holo::ParameterModel model = quadratic_model();
  EXPECT_LE(model.positions.basis.size(), 6u);
  for (const double a : {-1.0, 0.3, 2.0})
    for (const double b : {3.0, 3.77}) {
      const std::vector<double> weights = holo::node_weights(model, {a, b});
      EXPECT_NEAR(holo::interpolated(model.quantities[0], weights), quantity(a, b), 1e-12 * quantity(a, b));
      const std::vector<double> found = holo::interpolated(model.positions, weights), exact = positions(a, b);
      // The basis comes from products of the fields, so that its small terms are known to 1e-8 of the largest.
      for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i], 1e-7) << i;
    }
}

TEST(ParameterModels, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  const holo::ParameterModel model = quadratic_model();
  std::ofstream(folder / "model.json") << holo::model_to_json(model);
  const holo::ParameterModel read = holo::read_model(folder / "model.json");
  EXPECT_EQ(holo::model_to_json(read), holo::model_to_json(model));
  EXPECT_EQ(read.node(5), model.node(5));
}

TEST(ParameterModelsBadInput, NamesTheFaultOfADamagedFile) {
  const TemporaryFolder folder;
  const std::string good = holo::model_to_json(quadratic_model());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    std::ofstream(folder / "model.json") << text.replace(at, from.size(), to);
    return holo::test::message([&] { holo::read_model(folder / "model.json"); });
  };
  const auto names = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(names, refusal("\"points\":3", "\"points\":2"), "'frequency' has 9 values for 4 nodes");
  EXPECT_PRED2(names, refusal("\"points\":3", "\"points\":0"), "0 points");
  EXPECT_PRED2(names, refusal("[[0,1,0]]", "[[0,2,0]]"), "a triangle names vertex 2");
  EXPECT_PRED2(names, refusal("\"minimum\":-1.0", "\"minimum\":2.0"), "'a' is between 2 and 2");
  EXPECT_PRED2(names, refusal("\"caption\"", "\"kaption\""), "no model of parameters");
  EXPECT_PRED2(names, refusal("{", ""), "no model of parameters");
}

}  // namespace parameter_models
}  // namespace holo_test
