#pragma once
// Runs all experiments of a suite, and tabulates the papers' values and the results.

#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/runner.h"

namespace holo {

// The folder of the experiments of this build or installation. Throws Error(environment) when it does not exist.
std::filesystem::path experiments_folder();
// The names of all experiments, sorted: paths relative to that folder without ".yaml", such as "csfd/fig08_dragged_body".
std::vector<std::string> experiment_names();

// The file of an experiment: a path, or one of experiment_names(). Throws Error(input) with the nearest name where it is
// neither.
std::filesystem::path find_experiment(const std::string& path_or_name);

// The experiment's first comment, its study and its variants. Throws Error(input) for a file that is no experiment.
std::string describe_experiment(const std::filesystem::path& file);

struct ReproduceRequest {
  std::string suite;          // the name of a folder in experiments/, or the path of a folder of experiments
  std::string variant;        // experiments that lack it run as they are
  std::filesystem::path out;  // new or empty; "": runs/SUITE[-VARIANT]-NNN
  RunOptions options;
};

struct ReproducedExperiment {
  std::string name;
  bool has_variant = true;
  std::string error;         // reason why it could not be run; then there is no outcome
  std::string not_run = {};  // short reason if a requirement is missing: "references not built"
  ExitCode exit_code = ExitCode::done;
  RunOutcome outcome;

  // False of an attempt whose run came to an end, good or bad (Experiment::attempt).
  bool decides() const;
};

struct Reproduction {
  std::filesystem::path folder;
  std::vector<ReproducedExperiment> experiments;
  bool stopped = false;  // by a signal, before all had run to their ends

  // The first of: an internal failure, a bad experiment, one that did not finish, one that missed its acceptance, one that
  // needs what is not there; else done. Of the experiments that decide.
  ExitCode exit_code() const;
};

// Reads and checks all of them before the first one runs. Throws Error(input) for an unknown suite, with the nearest one, and
// with the problems of all experiments where some are bad: nothing runs then. One that needs what is not there (references that
// are not built, data) is a row of the table, and does not keep the others from running; nor does one that cannot be built.
// Writes the table to FOLDER/table.md.
Reproduction reproduce(const ReproduceRequest& request);

// One row for each value of a paper: experiment, figure, quantity, the paper's value, ours, verdict, acceptance.
std::string table(const Reproduction& reproduction);

}  // namespace holo
