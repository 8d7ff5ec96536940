#include "holo/study/experiment.h"

#include <gtest/gtest.h>

namespace holo {
namespace {

// A kind of study that has nothing to do with the built-in ones: the grammar must suit kinds that come later.
class Counting final : public Study {
 public:
  explicit Counting(std::int64_t steps) : steps_(steps) {}
  std::vector<Quantity> columns() const override { return {{"step", "1", ""}}; }
  std::int64_t total_steps() const override { return steps_; }
  std::int64_t steps_done() const override { return done_; }
  StepResult step(StudyOutput& output) override {
    output.row({static_cast<double>(++done_)});
    return {};
  }
  std::string serialize() const override { return std::to_string(done_); }
  void deserialize(std::string_view state) override { done_ = std::stoll(std::string(state)); }
  std::vector<Metric> finish() override { return {{"count", static_cast<double>(done_)}}; }

 private:
  std::int64_t steps_, done_ = 0;
};

StudyPlan plan(std::int64_t steps) {
  StudyPlan result;
  result.metrics = {{"count", "1", "steps done"}};
  result.build = [steps] { return std::make_unique<Counting>(steps); };
  return result;
}

StudyRegistry studies() {
  StudyRegistry registry("kinds of study");
  registry.add("counting", {"counts", "", {"csfd", "complex_step"}, {"none"}, [](Configuration& p, const StudyContext&) {
                              std::int64_t steps = p.section("counting").integer("steps", {.minimum = 1});
                              return plan(steps);
                            }});
  registry.add("plain",
               {"counts without derivatives", "", {}, {}, [](Configuration&, const StudyContext&) { return plan(1); }});
  return registry;
}

std::string text(const std::string& more, const std::string& head = "name: test\nstudy: counting\ncounting: {steps: 3}\n") {
  return head + more;
}

class ExperimentTest : public testing::Test {
 protected:
  Experiment load(const std::string& yaml) {
    ConfigurationFile file = ConfigurationFile::parse(yaml, "test.yaml");
    return load_experiment(file, studies(), plugins_);
  }
  std::string refusal(const std::string& yaml) {
    try {
      load(yaml);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      return error.what();
    }
    return "";
  }
  void expect_refusal(const std::string& yaml, const std::vector<std::string>& parts) {
    std::string message = refusal(yaml);
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in: " << message;
  }

  PluginHost plugins_;
};

TEST_F(ExperimentTest, DefaultsAreThoseOfTheStudy) {
  Experiment experiment = load(text(""));
  EXPECT_EQ(experiment.name, "test");
  EXPECT_EQ(experiment.study, "counting");
  EXPECT_EQ(experiment.context.differentiation.elements, "csfd");
  EXPECT_EQ(experiment.context.differentiation.sensitivity, "none");
  EXPECT_EQ(experiment.context.seed, 1u);
  EXPECT_FALSE(experiment.paper.has_value());
  EXPECT_EQ(experiment.plan.build()->total_steps(), 3);
}

TEST_F(ExperimentTest, ReadsConditionsAndPaperValues) {
  Experiment experiment = load(text(R"(acceptance:
  - {metric: count, at_least: 1, at_most: 4, section: "docs/acceptance.md#volume-penalties"}
  - {metric: count, equals: 3, tolerance: 0.5}
paper: {source: Luo2019, figure: 8, within: 0.1, values: {count: 69074, other: 1.5e-3}, causes: {count: a smaller mesh}}
)"));
  ASSERT_EQ(experiment.acceptance.size(), 2u);
  EXPECT_EQ(experiment.acceptance[0].at_least, 1.0);
  EXPECT_EQ(experiment.acceptance[0].at_most, 4.0);
  EXPECT_FALSE(experiment.acceptance[0].equals.has_value());
  EXPECT_EQ(experiment.acceptance[1].tolerance, 0.5);
  ASSERT_TRUE(experiment.paper.has_value());
  EXPECT_EQ(experiment.paper->figure, "8");
  ASSERT_EQ(experiment.paper->values.size(), 2u);
  EXPECT_EQ(experiment.paper->values[0].value, 69074);
  EXPECT_EQ(experiment.paper->values[0].within, 0.1);
  EXPECT_EQ(experiment.paper->values[0].cause, "a smaller mesh");
  EXPECT_EQ(experiment.paper->values[1].value, 1.5e-3);
}

TEST_F(ExperimentTest, SchemaKnowsTheStudyAndTheSharedSections) {
  std::string schema = experiment_schema(studies(), plugins_);
  for (const char* word : {"counting", "acceptance", "paper", "differentiation", "variants", "steps"})
    EXPECT_NE(schema.find(word), std::string::npos) << word;
}

TEST_F(ExperimentTest, StudyDescribesItsParametersAndMetrics) {
  StudyRegistry registry = studies();
  EXPECT_EQ(study_metrics(registry.get("counting"), plugins_)[0].name, "count");
  bool found = false;
  for (const ParameterDescription& p : study_parameters(registry.get("counting"), plugins_))
    found = found || p.path == "counting.steps";
  EXPECT_TRUE(found);
}

TEST_F(ExperimentTest, BuiltInStudiesReadUnderRecording) {
  StudyRegistry registry = built_in_studies();
  for (const std::string& name : registry.names()) EXPECT_FALSE(study_parameters(registry.get(name), plugins_).empty()) << name;
}

using ExperimentBadInput = ExperimentTest;

TEST_F(ExperimentBadInput, UnknownStudyNamesThoseThereAre) {
  expect_refusal("name: test\nstudy: countin\n", {"test.yaml:2:8", "countin", "counting"});
}

TEST_F(ExperimentBadInput, UnknownMetricListsTheStudys) {
  expect_refusal(text("acceptance: [{metric: cuont, at_most: 1}]\n"),
                 {"test.yaml:4:", "cuont", "Did you mean 'count'?", "metrics: count"});
}

TEST_F(ExperimentBadInput, DifferentiationThatTheStudyCannotUseListsThoseItCan) {
  expect_refusal(text("differentiation: {elements: reverse_ad}\n"),
                 {"test.yaml:4:", "cannot use", "reverse_ad", "csfd, complex_step"});
  expect_refusal(text("differentiation: {sensitivity: unrolled}\n"), {"test.yaml:4:", "unrolled", "it can use none"});
  expect_refusal(text("differentiation: {singular: mean}\n"), {"test.yaml:4:", "unknown key 'differentiation.singular'"});
  expect_refusal(text("differentiation: {elements: csdf}\n"), {"test.yaml:4:", "csdf", "csfd"});
}

TEST_F(ExperimentBadInput, DifferentiationIsNoKeyOfAStudyThatTakesNoDerivativesOfElements) {
  const std::string head = "name: test\nstudy: plain\n";
  EXPECT_EQ(refusal(head), "");
  expect_refusal(head + "differentiation: {elements: csfd}\n", {"test.yaml:3:1", "unknown key 'differentiation'"});
}

TEST_F(ExperimentBadInput, ConditionNeedsABound) {
  expect_refusal(text("acceptance: [{metric: count}]\n"), {"test.yaml:4:", "at_most, at_least, equals"});
}

TEST_F(ExperimentBadInput, PaperValueMustBeANumber) {
  expect_refusal(text("paper: {source: Luo2019, values: {count: many}}\n"), {"test.yaml:4:", "many", "number"});
}

TEST_F(ExperimentBadInput, CauseNeedsItsValue) {
  expect_refusal(text("paper: {source: Luo2019, values: {count: 1}, causes: {cuont: x}}\n"), {"test.yaml:4:", "cuont"});
}

TEST_F(ExperimentBadInput, NameThatCannotNameAFolder) {
  expect_refusal("name: ../escape\nstudy: counting\ncounting: {steps: 3}\n", {"test.yaml:1:7", "../escape"});
}

TEST_F(ExperimentBadInput, UnreadKeyOfTheTopLevel) {
  expect_refusal(text("acceptence: []\n"), {"test.yaml:4:1", "acceptence", "acceptance"});
}

TEST_F(ExperimentBadInput, AllProblemsAtOnce) {
  expect_refusal(text("seed: -1\nacceptance: [{metric: cuont, at_most: 1}]\noutput: {frames_per_second: often}\n"),
                 {"test.yaml:4:", "test.yaml:5:", "test.yaml:6:"});
}

}  // namespace
}  // namespace holo
