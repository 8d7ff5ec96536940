#include "holo/plugin/parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "holo/plugin/observer.h"

namespace holo {
namespace {

// Keeps each request, and answers with 3, 4, 0 moving along x.
struct Recorder {
  std::vector<holo_parameter> requests;
  std::vector<std::string> choices;
  holo_parameter_reader abi = {sizeof(holo_parameter_reader), this,
                               [](void* self, const holo_parameter* request, double* values, double* tangents) {
                                 Recorder& recorder = *static_cast<Recorder*>(self);
                                 recorder.requests.push_back(*request);
                                 for (unsigned i = 0; i < request->choice_count; ++i)
                                   recorder.choices.push_back(request->choices[i]);
                                 const bool vector = request->kind == HOLO_PARAMETER_DIRECTION;
                                 values[0] = request->kind == HOLO_PARAMETER_CHOICE ? 1 : 3;
                                 if (tangents != nullptr) tangents[0] = 1;
                                 if (vector) values[1] = 4, values[2] = 0;
                               }};
};

TEST(ParameterReader, StatesRangeAndDefault) {
  Recorder recorder;
  const ParameterReader<double> p(&recorder.abi);
  EXPECT_EQ(3, p.positive("a", "Pa", {.default_value = 1e5, .documentation = "stiffness"}));
  p.non_negative("b", "s");
  p.in_range("c", "1", -1, 0.5);
  p.in_range("d", "1", 0, 1, {.include_minimum = true, .include_maximum = true});
  p.number("e", "K");
  const auto& r = recorder.requests;
  ASSERT_EQ(5u, r.size());
  EXPECT_STREQ("a", r[0].name);
  EXPECT_STREQ("Pa", r[0].unit);
  EXPECT_STREQ("stiffness", r[0].documentation);
  EXPECT_EQ(1u, r[0].has_default);
  EXPECT_EQ(1e5, r[0].default_value[0]);
  EXPECT_EQ(0, r[0].minimum);
  EXPECT_EQ(1u, r[0].minimum_excluded);
  EXPECT_EQ(0u, r[0].maximum_excluded);  // there is none
  EXPECT_EQ(0u, r[1].minimum_excluded);
  EXPECT_EQ(0u, r[1].has_default);
  EXPECT_EQ(1u, r[2].minimum_excluded);
  EXPECT_EQ(0.5, r[2].maximum);
  EXPECT_EQ(1u, r[2].maximum_excluded);
  EXPECT_EQ(0u, r[3].minimum_excluded + r[3].maximum_excluded);
  EXPECT_TRUE(std::isinf(r[4].minimum) && std::isinf(r[4].maximum));
}

TEST(ParameterReader, AsksForFlagsAndChoices) {
  Recorder recorder;
  const ParameterReader<double> p(&recorder.abi);
  EXPECT_TRUE(p.flag("regularized", {.default_value = false, .documentation = "for modal analysis"}));
  EXPECT_EQ(1, p.choice("variant", {"smooth", "kink"}, {.default_value = 0}));
  EXPECT_EQ(unsigned(HOLO_PARAMETER_BOOLEAN), recorder.requests[0].kind);
  EXPECT_EQ((std::vector<std::string>{"smooth", "kink"}), recorder.choices);
}

TEST(ParameterReader, EveryKindHandsOnItsDefaultAndDocumentation) {
  Recorder recorder;
  const LossReader p(&recorder.abi);
  p.number("number", "1", {.default_value = 7, .documentation = "number"});
  p.positive("positive", "1", {.default_value = 7, .documentation = "positive"});
  p.non_negative("non_negative", "1", {.default_value = 7, .documentation = "non_negative"});
  p.in_range("range", "1", 0, 9, {.default_value = 7, .documentation = "range"});
  p.flag("flag", {.default_value = true, .documentation = "flag"});
  p.choice("choice", {"smooth", "kink"}, {.default_value = 1, .documentation = "choice"});
  p.vector3("vector", "m", {.default_value = Vector3<double>{1, 2, 3}, .documentation = "vector"});
  p.direction("direction", {.default_value = Vector3<double>{1, 2, 3}, .documentation = "direction"});
  p.signal<2>("signal", "m", {.default_value = 7, .documentation = "signal"});
  p.weight("weight", "1", {.default_value = 7, .documentation = "weight"});
  const double expected[] = {7, 7, 7, 7, 1, 1, 1, 1, 7, 7};
  ASSERT_EQ(std::size(expected), recorder.requests.size());
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const holo_parameter& request = recorder.requests[i];
    EXPECT_STREQ(request.name, request.documentation);
    EXPECT_EQ(1u, request.has_default) << request.name;
    EXPECT_EQ(expected[i], request.default_value[0]) << request.name;
    const bool vector = request.kind == HOLO_PARAMETER_VECTOR3 || request.kind == HOLO_PARAMETER_DIRECTION;
    EXPECT_EQ(vector ? 3 : 0, request.default_value[2]) << request.name;
  }
}

TEST(ParameterReader, SubjectsHandOnTheirDocumentationAndClass) {
  Recorder recorder;
  const LossReader p(&recorder.abi);
  p.body("body", {.documentation = "body"});
  p.control("control", {.documentation = "control"});
  p.design_parameter("parameter", {.documentation = "parameter"});
  p.muscle("muscle", {.documentation = "muscle"});
  ASSERT_EQ(4u, recorder.requests.size());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_STREQ(recorder.requests[i].name, recorder.requests[i].documentation);
    EXPECT_EQ(0u, recorder.requests[i].has_default);
    EXPECT_EQ(i, recorder.requests[i].subject);  // in the order of holo_subject
  }
}

TEST(ParameterReader, DirectionsHaveLengthOneAndTurnWithTheirTangent) {
  Recorder recorder;
  const Vector3<double> plain =
      ParameterReader<double>(&recorder.abi).direction("fiber", {.default_value = Vector3<double>{0, 0, 1}});
  EXPECT_DOUBLE_EQ(0.6, plain[0]);
  EXPECT_DOUBLE_EQ(0.8, plain[1]);
  EXPECT_EQ(1, recorder.requests[0].default_value[2]);
  // d/dx (x, y) / r = (y^2, -x y) / r^3
  const Vector3<Nilpotent<1>> moving = ParameterReader<Nilpotent<1>>(&recorder.abi).direction("fiber");
  EXPECT_DOUBLE_EQ(16.0 / 125, moving[0].coefficient(1));
  EXPECT_DOUBLE_EQ(-12.0 / 125, moving[1].coefficient(1));
  EXPECT_EQ(0, moving[2].coefficient(1));
}

TEST(ParameterReader, CarriesTangents) {
  Recorder recorder;
  const Nilpotent<1> x = ParameterReader<Nilpotent<1>>(&recorder.abi).positive("x", "m");
  EXPECT_EQ(3, x.value());
  EXPECT_EQ(1, x.coefficient(1));
}

}  // namespace
}  // namespace holo
