#include "holo/study/result.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "holo/core/runs/run_folder.h"
#include "temporary_folder.h"

namespace holo {
namespace {

const double nan = std::nan("");

Experiment experiment(Acceptance condition) {
  Experiment result;
  result.name = "test";
  result.study = "counting";
  result.acceptance = {std::move(condition)};
  return result;
}

bool holds(const Acceptance& condition, double value) {
  RunResult result = judge(experiment(condition), 1, {{"metric", value}});
  EXPECT_EQ(result.exit_code(), result.accepted() ? ExitCode::done : ExitCode::acceptance_missed);
  return result.accepted();
}

TEST(Acceptance, BoundsIncludeTheirEnds) {
  EXPECT_TRUE(holds({"metric", 8.0, {}, {}, 0, ""}, 8));
  EXPECT_FALSE(holds({"metric", 8.0, {}, {}, 0, ""}, 8.0000001));
  EXPECT_TRUE(holds({"metric", {}, 8.0, {}, 0, ""}, 8));
  EXPECT_FALSE(holds({"metric", {}, 8.0, {}, 0, ""}, 7.9999999));
}

TEST(Acceptance, EqualsWithinItsTolerance) {
  EXPECT_TRUE(holds({"metric", {}, {}, 3.0, 0, ""}, 3));
  EXPECT_FALSE(holds({"metric", {}, {}, 3.0, 0, ""}, 3.1));
  EXPECT_TRUE(holds({"metric", {}, {}, 3.0, 0.25, ""}, 3.25));
  EXPECT_FALSE(holds({"metric", {}, {}, 3.0, 0.25, ""}, 2.5));
}

TEST(Acceptance, AllBoundsOfACondition) { EXPECT_FALSE(holds({"metric", 8.0, 2.0, {}, 0, ""}, 1)); }

TEST(Acceptance, NotANumberNeverHolds) {
  EXPECT_FALSE(holds({"metric", 8.0, {}, {}, 0, ""}, nan));
  EXPECT_FALSE(holds({"metric", {}, -1e300, {}, 0, ""}, nan));
  EXPECT_FALSE(holds({"metric", {}, {}, 0.0, 1e300, ""}, nan));
  EXPECT_FALSE(judge(experiment({"absent", 8.0, {}, {}, 0, ""}), 1, {{"metric", 1}}).accepted());
}

TEST(Paper, VerdictsFollowTheRelativeDifference) {
  Experiment paper = experiment({"metric", 100.0, {}, {}, 0, ""});
  paper.paper = PaperReference{"Luo2019", "8", "", "", {{"metric", 10, 0.05, "why"}, {"other", 3, 0.05, ""}}};
  RunResult near = judge(paper, 1, {{"metric", 10.4}});
  EXPECT_EQ(near.paper_source, "Luo2019, Fig 8");
  EXPECT_EQ(near.paper[0].verdict, PaperVerdict::reproduced);
  EXPECT_EQ(near.paper[0].cause, "");
  EXPECT_EQ(near.paper[1].verdict, PaperVerdict::not_attempted);
  RunResult far = judge(paper, 1, {{"metric", 12}});
  EXPECT_EQ(far.paper[0].verdict, PaperVerdict::differs);
  EXPECT_EQ(far.paper[0].cause, "ours is 1.2 times the paper's: why");
  EXPECT_EQ(far.exit_code(), ExitCode::done) << "a paper's value decided the exit code";
}

// A metric that a run does not measure says nothing of a claim; one that is not a number does not hold it.
TEST(Paper, ClaimsOnWhatWasNotMeasuredAreNotAttempted) {
  Experiment paper = experiment({"metric", 100.0, {}, {}, 0, ""});
  paper.paper = PaperReference{"Luo2019", "", "3", "", {}};
  paper.paper->claims = {{"as fast", {"ratio", 1.05, {}, {}, 0, ""}, ""}};
  EXPECT_EQ(judge(paper, 1, {{"metric", 1}}).paper[0].verdict, PaperVerdict::not_attempted);
  EXPECT_EQ(judge(paper, 1, {{"metric", 1}, {"ratio", nan}}).paper[0].verdict, PaperVerdict::differs);
  EXPECT_EQ(judge(paper, 1, {{"metric", 1}, {"ratio", 0.9}}).paper[0].verdict, PaperVerdict::reproduced);
}

TEST(Result, UnfinishedRunsAreNotAccepted) {
  for (RunStatus status : {RunStatus::failed, RunStatus::interrupted}) {
    RunResult result = unfinished(experiment({"metric", 8.0, {}, {}, 0, ""}), 3, status, "why");
    EXPECT_FALSE(result.accepted());
    EXPECT_EQ(result.exit_code(), ExitCode::not_finished);
  }
}

TEST(Result, JsonRoundTripKeepsEverything) {
  Experiment source = experiment({"metric", 8.0, {}, {}, 0, "docs/acceptance.md#volume-penalties"});
  source.paper = PaperReference{"Luo2019", "", "3", "", {{"metric", 10, 0.05, "\"quoted\" </script>"}, {"other", 3, 0, ""}}};
  double infinity = std::numeric_limits<double>::infinity();
  source.attempt = "may sink";
  RunResult result = judge(source, 12, {{"metric", 0.1}, {"bad", nan}, {"large", -infinity}});
  holo_test::TemporaryFolder folder;
  write_whole_file(folder / "result.json", result_to_json(result));
  RunResult read = result_from_json(folder / "result.json");
  EXPECT_EQ(result_to_json(read), result_to_json(result));
  EXPECT_EQ(read.metrics[0].value, 0.1);
  EXPECT_TRUE(std::isnan(read.metrics[1].value));
  EXPECT_EQ(read.metrics[2].value, -infinity);
  EXPECT_EQ(read.acceptance[0].section, "docs/acceptance.md#volume-penalties");
  EXPECT_FALSE(read.paper[1].ours.has_value());
  EXPECT_EQ(read.paper_source, "Luo2019, Table 3");
  EXPECT_EQ(read.attempt, "may sink");
}

TEST(ResultBadInput, OtherFilesAreRefusedByName) {
  holo_test::TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"name\": 3}", "{\"name\": \"a\", \"study\": \"b\", \"status\": \"lost\"}"}) {
    write_whole_file(folder / "result.json", text);
    try {
      result_from_json(folder / "result.json");
      FAIL() << "'" << text << "' was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find("result.json"), std::string::npos);
    }
  }
}

TEST(Result, CellsOfEveryKindComeBack) {
  RunResult result = unfinished(experiment({"metric", 8.0, {}, {}, 0, ""}), 1, RunStatus::finished, "finished");
  const std::vector<Cell> row{std::string("link"), 1.5, Verdict::missed, PageLink{"0003", "runs/0003/report.html"}};
  result.tables = {{"runs", "", {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}, {row}}};
  holo_test::TemporaryFolder folder;
  write_whole_file(folder / "result.json", result_to_json(result));
  EXPECT_EQ(result_from_json(folder / "result.json").tables.at(0).rows, (std::vector<std::vector<Cell>>{row}));
}

TEST(ResultBadInput, ARowOfAnotherWidthThanItsTableIsRefused) {
  RunResult result = unfinished(experiment({"metric", 8.0, {}, {}, 0, ""}), 1, RunStatus::finished, "finished");
  result.tables = {{"bodies", "", {{"name", ""}, {"mass", "kg"}}, {{std::string("left"), 1.5}, {std::string("right"), 2.5}}}};
  nlohmann::json text = nlohmann::json::parse(result_to_json(result));
  text["tables"][0]["rows"][1].erase(1);
  holo_test::TemporaryFolder folder;
  write_whole_file(folder / "result.json", text.dump());
  try {
    result_from_json(folder / "result.json");
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind((folder / "result.json").string(), 0), 0u) << text;
    EXPECT_NE(text.find("the table 'bodies' has a row of 1 cells for its 2 columns"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace holo
