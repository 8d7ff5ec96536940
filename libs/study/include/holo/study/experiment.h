#pragma once
// An experiment file: the grammar that all kinds of study share.
//
//   name: fig08_dragged_body
//   study: elastic_dynamics
//   seed: 1
//   differentiation: {elements: compiled, sensitivity: none}
//   ...                                  the study's own sections
//   output: {frames_per_second: 30, checkpoint_every: 0}
//   acceptance: [{metric: inverted_elements, at_most: 0}]
//   paper: {source: Luo2019, figure: 8, values: {elements: 69074}, claims: [{claim: stays whole, metric: inverted_elements,
//   at_most: 0}]} variants: {quick: {scene.duration: 0.2}}

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/study/study.h"
#include "holo/study/sweep_definition.h"

namespace holo {

// The values of differentiation.elements and .sensitivity that any study may use.
const std::vector<std::string>& element_differentiations();
const std::vector<std::string>& sensitivity_differentiations();

// One condition on a metric; all of those given must hold.
struct Acceptance {
  std::string metric;
  std::optional<double> at_most, at_least, equals;  // in the metric's unit
  double tolerance = 0;                             // of equals, absolute
  std::string section;                              // docs/PAGE.md#SECTION that derives the bound; may be empty
};

// A number that the paper states.
struct PaperValue {
  std::string name;  // of one of the study's metrics, or of a quantity that the study does not compute
  double value = 0;
  double within = 0;  // relative difference up to which it counts as reproduced
  std::string cause;  // measured reason of a difference; may be empty
};

// A statement of the paper, as a condition on one of the study's metrics; reproduced if it holds.
struct PaperClaim {
  std::string text;
  Acceptance condition;
  std::string cause;  // measured reason why it does not hold; may be empty
};

// A position on an axis of the report's plots that the paper names.
struct PaperMark {
  std::string column;  // the axis: plots over this column show it
  double at = 0;       // in the column's unit
  std::string label;
};

struct PaperReference {
  std::string source;         // as listed in docs/papers.md
  std::string figure, table;  // may be empty
  std::string claim;          // what the figure shows, in words; may be empty
  std::vector<PaperValue> values;
  std::vector<PaperClaim> claims = {};
  std::vector<PaperMark> marks = {};
};

struct Experiment {
  std::string name;
  std::string study;
  StudyContext context;
  std::int64_t checkpoint_every = 0;  // steps; 0: after every two seconds of work
  std::string attempt;                // why it may miss its acceptance in a suite; "": it may not
  std::vector<Acceptance> acceptance;
  std::optional<PaperReference> paper;
  std::optional<SweepDefinition> sweep;  // of a file with a `sweep` section
  StudyPlan plan;
};

// Reads the whole grammar; problems are reported through the configuration file. Works on a recording stand-in, too.
Experiment read_experiment(Configuration& root, const StudyRegistry& studies, const PluginHost& plugins);

// Reads and checks a file completely: throws one Error(input) with all its problems.
Experiment load_experiment(ConfigurationFile& file, const StudyRegistry& studies, const PluginHost& plugins);

// The JSON schema of experiment files.
std::string experiment_schema(const StudyRegistry& studies, const PluginHost& plugins);

// The keys of one kind of study, without the sections that all share.
std::vector<ParameterDescription> study_parameters(const StudyKind& kind, const PluginHost& plugins);
// Its metrics, for acceptance.
std::vector<Quantity> study_metrics(const StudyKind& kind, const PluginHost& plugins);
// Whether its experiments can be drawn before they run (StudyPlan::preview).
bool study_has_preview(const StudyKind& kind, const PluginHost& plugins);

}  // namespace holo
