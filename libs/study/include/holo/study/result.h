#pragma once
// Result of a run, result.json: its metrics, compared with the experiment's conditions and the paper's values.

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "holo/study/experiment.h"

namespace holo {

// The exit codes of `holo`.
enum class ExitCode {
  done = 0,               // and accepted
  failure = 1,            // of the program or the machine: disk full, no permission
  bad_input = 2,          // a bad experiment, file or argument; nothing was computed, nothing written
  acceptance_missed = 3,  // finished
  not_finished = 4,       // the solver could not go on, or a signal stopped the run; the last good state is on disk
  // A good experiment needs references that are not built; in reproduce also environment variables that are not set. Nothing
  // was computed.
  not_available = 5
};

enum class RunStatus { finished, failed, interrupted };
std::string to_string(RunStatus status);

struct AcceptanceResult {
  std::string metric;
  std::string bound;  // "at most 8"
  double value = std::nan("");
  bool holds = false;
  std::string section;
};

enum class PaperVerdict { reproduced, differs, not_attempted };
std::string to_string(PaperVerdict verdict);

struct PaperResult {
  std::string name;  // of a value; of a claim its text
  double paper = 0;
  std::optional<double> ours;  // none: the study does not measure it, or did not come so far
  PaperVerdict verdict = PaperVerdict::not_attempted;
  std::string cause;  // of a difference: as measured
  std::string bound;  // of a claim: "at least 2"; empty of a value, and then `paper` is it

  std::string stated() const;  // what the paper states: bound or value
};

struct RunResult {
  std::string name, study;
  RunStatus status = RunStatus::finished;
  std::string message;       // one sentence; of a failure its diagnosis
  std::string attempt = {};  // Experiment::attempt
  std::int64_t steps = 0;
  std::vector<Metric> metrics;
  std::vector<AcceptanceResult> acceptance;
  std::string paper_source;  // "Luo2019, Fig 8", or empty
  std::vector<PaperResult> paper;
  std::vector<Table> tables;         // tables of the study
  std::vector<Diagnosis> diagnoses;  // of a finished run

  bool accepted() const;  // finished, every condition holds, and no diagnosis denies the result
  ExitCode exit_code() const;
};

// Compares the metrics of a finished run with the experiment's conditions and paper values. A NaN satisfies no condition.
RunResult judge(const Experiment& experiment, std::int64_t steps, const std::vector<Metric>& metrics);
// The result of a run that did not finish, without comparisons.
RunResult unfinished(const Experiment& experiment, std::int64_t steps, RunStatus status, const std::string& message);

std::string result_to_json(const RunResult& result);
RunResult result_from_json(const std::filesystem::path& path);  // throws Error(input) with the path and the reason

// Tables for the terminal. A failure's diagnosis is not among them: it is an error's message.
std::string summary(const RunResult& result);

}  // namespace holo
