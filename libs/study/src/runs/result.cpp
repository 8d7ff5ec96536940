#include "holo/study/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"
#include "report/table_json.h"

namespace holo {

namespace {

using json = nlohmann::ordered_json;  // metrics stay in their order

std::optional<double> value_of(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return metric.value;
  return {};
}

std::string bound_text(const Acceptance& condition) {
  std::vector<std::string> parts;
  if (condition.at_least) parts.push_back(fmt::format("at least {}", *condition.at_least));
  if (condition.at_most) parts.push_back(fmt::format("at most {}", *condition.at_most));
  if (condition.equals && condition.tolerance > 0)
    parts.push_back(fmt::format("{} within {}", *condition.equals, condition.tolerance));
  if (condition.equals && condition.tolerance == 0) parts.push_back(fmt::format("exactly {}", *condition.equals));
  return joined(parts);
}

AcceptanceResult judge(const Acceptance& condition, const std::vector<Metric>& metrics) {
  AcceptanceResult result{condition.metric, bound_text(condition), std::nan(""), false, condition.section};
  result.value = value_of(metrics, condition.metric).value_or(std::nan(""));
  // Written so that NaN fails each of them.
  result.holds = !std::isnan(result.value) && (!condition.at_most || result.value <= *condition.at_most) &&
                 (!condition.at_least || result.value >= *condition.at_least) &&
                 (!condition.equals || std::abs(result.value - *condition.equals) <= condition.tolerance);
  return result;
}

PaperResult judge(const PaperValue& value, const std::vector<Metric>& metrics) {
  PaperResult result{value.name, value.value, value_of(metrics, value.name), PaperVerdict::not_attempted, value.cause, {}};
  if (!result.ours) return result;
  double difference = std::abs(*result.ours - value.value);
  if (difference <= value.within * std::abs(value.value)) {
    result.verdict = PaperVerdict::reproduced;
    result.cause.clear();
    return result;
  }
  result.verdict = PaperVerdict::differs;
  std::string measured = value.value != 0 ? fmt::format("ours is {:.4g} times the paper's", *result.ours / value.value)
                                          : fmt::format("ours is {:.4g} away from the paper's", difference);
  result.cause = value.cause.empty() ? measured : measured + ": " + value.cause;
  return result;
}

PaperResult judge(const PaperClaim& claim, const std::vector<Metric>& metrics) {
  AcceptanceResult held = judge(claim.condition, metrics);
  if (!value_of(metrics, claim.condition.metric))  // not measured in this run
    return {claim.text, std::nan(""), {}, PaperVerdict::not_attempted, "", held.metric + " " + held.bound};
  PaperVerdict verdict = held.holds ? PaperVerdict::reproduced : PaperVerdict::differs;
  return {claim.text, std::nan(""), held.value, verdict, held.holds ? "" : claim.cause, held.metric + " " + held.bound};
}

std::string paper_source(const PaperReference& paper) {
  std::string text = paper.source;
  if (!paper.figure.empty()) text += ", Fig " + paper.figure;
  if (!paper.table.empty()) text += ", Table " + paper.table;
  return text;
}

// The entries of all results, finished or not.
RunResult start(const Experiment& experiment, std::int64_t steps) {
  RunResult result;
  result.name = experiment.name;
  result.study = experiment.study;
  result.attempt = experiment.attempt;
  result.steps = steps;
  if (experiment.paper) result.paper_source = paper_source(*experiment.paper);
  return result;
}

template <class Enum>
Enum from_text(const std::string& text, std::initializer_list<Enum> values) {
  for (Enum value : values)
    if (to_string(value) == text) return value;
  throw Error(Failure::input, fmt::format("'{}' is not a status", text));
}

RunResult read(const json& text) {
  RunResult result;
  result.name = text.at("name");
  result.study = text.at("study");
  result.status = from_text(text.at("status"), {RunStatus::finished, RunStatus::failed, RunStatus::interrupted});
  result.message = text.at("message");
  result.attempt = text.at("attempt");
  result.steps = text.at("steps");
  for (const auto& [name, value] : text.at("metrics").items()) result.metrics.push_back({name, number_from_json(value)});
  for (const json& row : text.at("acceptance"))
    result.acceptance.push_back(
        {row.at("metric"), row.at("bound"), number_from_json(row.at("value")), row.at("holds"), row.at("section")});
  result.paper_source = text.at("paper_source");
  for (const json& row : text.at("paper")) {
    PaperResult paper{row.at("name"), number_from_json(row.at("paper")), {}, {}, row.at("cause"), row.at("bound")};
    paper.verdict =
        from_text(row.at("verdict"), {PaperVerdict::reproduced, PaperVerdict::differs, PaperVerdict::not_attempted});
    if (!row.at("ours").is_null()) paper.ours = number_from_json(row.at("ours"));
    result.paper.push_back(paper);
  }
  for (const json& table : text.at("tables")) result.tables.push_back(table_from_json(table));
  for (const json& row : text.at("diagnoses")) result.diagnoses.push_back({row.at("text"), row.at("denies_result")});
  return result;
}

}  // namespace

std::string to_string(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "";
}

std::string to_string(PaperVerdict verdict) {
  switch (verdict) {
    case PaperVerdict::reproduced:
      return "reproduced";
    case PaperVerdict::differs:
      return "differs";
    case PaperVerdict::not_attempted:
      return "not_attempted";
  }
  return "";
}

std::string PaperResult::stated() const { return bound.empty() ? fmt::format("{:.6g}", paper) : bound; }

bool RunResult::accepted() const {
  return status == RunStatus::finished &&
         std::all_of(acceptance.begin(), acceptance.end(), [](const AcceptanceResult& row) { return row.holds; }) &&
         std::none_of(diagnoses.begin(), diagnoses.end(), [](const Diagnosis& diagnosis) { return diagnosis.denies_result; });
}

ExitCode RunResult::exit_code() const {
  if (status != RunStatus::finished) return ExitCode::not_finished;
  return accepted() ? ExitCode::done : ExitCode::acceptance_missed;
}

RunResult judge(const Experiment& experiment, std::int64_t steps, const std::vector<Metric>& metrics) {
  RunResult result = start(experiment, steps);
  result.message = fmt::format("finished after {} steps", steps);
  result.metrics = metrics;
  for (const Acceptance& condition : experiment.acceptance) result.acceptance.push_back(judge(condition, metrics));
  if (experiment.paper)
    for (const PaperValue& value : experiment.paper->values) result.paper.push_back(judge(value, metrics));
  if (experiment.paper)
    for (const PaperClaim& claim : experiment.paper->claims) result.paper.push_back(judge(claim, metrics));
  return result;
}

RunResult unfinished(const Experiment& experiment, std::int64_t steps, RunStatus status, const std::string& message) {
  RunResult result = start(experiment, steps);
  result.status = status;
  result.message = message;
  return result;
}

std::string result_to_json(const RunResult& result) {
  json text{{"name", result.name},
            {"study", result.study},
            {"status", to_string(result.status)},
            {"message", result.message},
            {"attempt", result.attempt},
            {"steps", result.steps},
            {"accepted", result.accepted()},
            {"exit_code", static_cast<int>(result.exit_code())}};
  text["metrics"] = json::object();
  for (const Metric& metric : result.metrics) text["metrics"][metric.name] = number_to_json(metric.value);
  text["acceptance"] = json::array();
  for (const AcceptanceResult& row : result.acceptance)
    text["acceptance"].push_back({{"metric", row.metric},
                                  {"bound", row.bound},
                                  {"value", number_to_json(row.value)},
                                  {"holds", row.holds},
                                  {"section", row.section}});
  text["paper_source"] = result.paper_source;
  text["paper"] = json::array();
  for (const PaperResult& row : result.paper)
    text["paper"].push_back({{"name", row.name},
                             {"paper", number_to_json(row.paper)},
                             {"ours", row.ours ? json(number_to_json(*row.ours)) : json()},
                             {"verdict", to_string(row.verdict)},
                             {"cause", row.cause},
                             {"bound", row.bound}});
  text["tables"] = json::array();
  for (const Table& table : result.tables) text["tables"].push_back(json(table_to_json(table)));
  text["diagnoses"] = json::array();
  for (const Diagnosis& row : result.diagnoses)
    text["diagnoses"].push_back({{"text", row.text}, {"denies_result", row.denies_result}});
  return text.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

RunResult result_from_json(const std::filesystem::path& path) {
  try {
    return read(json::parse(read_whole_file(path)));
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: not the result of a run ({})", path.string(), error.what()));
  }
}

std::string summary(const RunResult& result) {
  const bool failed = result.status == RunStatus::failed;
  std::string text =
      fmt::format("{}: {}\n", result.name, failed ? fmt::format("failed after {} steps", result.steps) : result.message);
  std::size_t width = 0;
  for (const Metric& metric : result.metrics) width = std::max(width, metric.name.size());
  for (const Metric& metric : result.metrics) text += fmt::format("  {:<{}}  {:.6g}\n", metric.name, width, metric.value);
  for (const Diagnosis& row : result.diagnoses)
    text += fmt::format("{}: {}\n", row.denies_result ? "FAILED" : "note", row.text);
  if (!result.attempt.empty()) text += "an attempt: " + result.attempt + "\n";
  if (!result.acceptance.empty()) text += "acceptance\n";
  for (const AcceptanceResult& row : result.acceptance)
    text += fmt::format("  {:<6}  {} = {:.6g}, {}{}\n", row.holds ? "holds" : "MISSED", row.metric, row.value, row.bound,
                        row.section.empty() ? "" : " (" + row.section + ")");
  if (!result.paper.empty()) text += result.paper_source + "\n";
  for (const PaperResult& row : result.paper)
    text += fmt::format("  {}  {}: the paper's {}, ours {}{}\n", to_string(row.verdict), row.name, row.stated(),
                        row.ours ? fmt::format("{:.6g}", *row.ours) : "-", row.cause.empty() ? "" : "; " + row.cause);
  return text;
}

}  // namespace holo
