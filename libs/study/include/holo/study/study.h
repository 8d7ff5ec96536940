#pragma once
// A kind of experiment: how its parameters are read, and the study that is built from them and goes on step by step. Between
// two steps the study's whole future is a checkpoint.
//
//   read        all parameters, into definitions that keep their places in the file. Nothing is computed, with one exception:
//               a mechanism is read with the files of its robot, its loops closed and its joints frozen, merged and prescribed,
//               since controls, signals and losses of the same file name its bodies, joints and design parameters. Formulas are
//               parsed. Problems are reported through the
//               configuration file
//   build       the values of signals, meshes, models, memory: the last part that may refuse the input, before anything is
//               written. Its errors have the place in the file, too
//   preview     instead of a study: what an experiment is made of before its first step, for `holo report --preview`; not all
//               kinds of study have it
//   step        to the next state that can be checkpointed
//   serialize   that state, and back, bit for bit
//   finish      the metrics that acceptance and the paper's values are compared with
//
// The runner does the rest: folder, log, tables, frames, checkpoints, report.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/log.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/core/registry.h"
#include "holo/study/scene.h"
#include "holo/study/table.h"

namespace holo {

struct ParameterModel;  // parameter_model.h

// A named quantity: a column of a table, a metric.
struct Quantity {
  std::string name;           // snake_case
  std::string unit;           // SI; "1" without dimension
  std::string documentation;  // one line
  bool by_clock = false;      // a metric that is a time measured by a clock, or made of such: it differs from run to run
};

// Methods of differentiation: values of the experiment's `differentiation`; empty for a study without derivatives of elements.
struct Differentiation {
  std::string elements;     // of element energies: compiled, csfd, ...
  std::string sensitivity;  // through the simulation: none, implicit_lagrangian, ...
};

// Context of a study besides its own parameters.
struct StudyContext {
  const PluginHost* plugins = nullptr;
  Differentiation differentiation;
  std::uint64_t seed = 0;         // of every random choice
  double frames_per_second = 30;  // of simulated time [1/s]
};

// Output of a study. Resuming truncates the runner's files to the last checkpoint, so a step
// that is done again writes the same lines again.
class StudyOutput {
 public:
  virtual ~StudyOutput() = default;
  virtual void log(const std::string& event, const LogFields& fields) = 0;  // log.jsonl
  virtual void row(const std::vector<double>& values) = 0;                  // metrics.csv: one value for each of columns()
  virtual void timings(const std::vector<double>& values) = 0;              // timings.csv: one for each of timing_columns()
  virtual void frame(const SceneFrame& frame) = 0;
  // tables/NAME.csv, whole: a table for other programs, which `holo export` copies.
  virtual void table(const std::string& name, const std::string& csv) = 0;
  // model.json: a body that the reader of the report changes by sliders.
  virtual void model(const ParameterModel& model) = 0;
  // robot/NAME, whole: a file of the robot that the study designed, for other programs, which `holo export` copies.
  virtual void robot(const std::string& name, const std::string& text) = 0;
};

// A diagram of the report: columns of metrics.csv (or of timings.csv) over another column.
struct ColumnPlot {
  std::string title;
  std::string x;                            // column
  std::vector<std::string> y;               // columns of one unit
  bool logarithmic = false;                 // y axis
  bool counts = false;                      // of each step: drawn as steps
  bool logarithmic_x = false;               // x axis
  bool timings = false;                     // the columns are those of timings.csv
  bool points = false;                      // drawn as points, as a column that does not grow has to be
  std::string label = {};                   // of the y axis; "": the column's name where there is one
  std::vector<std::string> reference = {};  // those of `y` with which ours are compared: drawn dashed
  bool own_names = false;                   // the columns hold names of the experiment's own: shown letter by letter
  // A column of whole numbers 0, 1, ... that splits the rows into series, each with an x of its own; "": all rows are those of
  // one series. Then `y` is one column, and `names` are those of the series.
  std::string series_column = {};
  std::vector<std::string> names = {};
};

struct StepResult {
  bool failed = false;
  std::string diagnosis;  // of a failure: the equation that was not solved, the dominant term, a remedy
};

// One metric's value at the end.
struct Metric {
  std::string name;
  double value = 0;
};

// A remark on a finished run, besides its metrics: on the terminal, in result.json and in the report.
struct Diagnosis {
  std::string text;            // event, place and remedy
  bool denies_result = false;  // the run did not reach its aim: exit code 3
};

// A plugin that a study uses, for provenance.
struct UsedPlugin {
  template <class Plugin>
  UsedPlugin(const std::shared_ptr<const Plugin>& plugin)  // of any kind
      : name(plugin->name()), path(plugin->path()), content_hash([plugin] { return plugin->content_hash(); }) {}
  std::string name;
  std::filesystem::path path;
  std::function<std::string()> content_hash;
};

// Numbers of a study's state that a caller may read and change between two steps.
struct StateArray {
  std::string name;  // snake_case: "positions"
  std::string unit;
  std::string documentation;        // one line
  std::vector<std::int64_t> shape;  // of `values`, by rows
  double* values = nullptr;         // of the study, at the same address as long as it lives
};

class Study {
 public:
  virtual ~Study() = default;

  virtual std::vector<Quantity> columns() const = 0;                   // of metrics.csv; deterministic values only
  virtual std::vector<Quantity> timing_columns() const { return {}; }  // of timings.csv
  virtual std::vector<ColumnPlot> plots() const { return {}; }
  virtual const Scene* scene() const { return nullptr; }            // none: no frames
  virtual std::vector<std::string> kernels() const { return {}; }   // the kernels that compute, for the log and provenance
  virtual std::vector<UsedPlugin> plugins() const { return {}; }    // found while building, besides those of the plan
  virtual std::vector<std::string> contents() const { return {}; }  // sizes and masses, for `holo check`
  virtual std::vector<std::string> notes() const { return {}; }     // notes for the user before the run

  virtual std::int64_t total_steps() const = 0;
  virtual std::int64_t steps_done() const = 0;
  virtual void begin(StudyOutput&) {}  // called for a new run, not for a resumed one: writes the first row and frame
  // Computes a step. After a failure the state is the last good one.
  virtual StepResult step(StudyOutput& output) = 0;
  virtual std::string serialize() const = 0;
  virtual void deserialize(std::string_view state) = 0;  // of the same experiment; throws Error(input) where it is not
  virtual std::vector<Metric> finish() = 0;              // a value for each of StudyPlan::metrics
  virtual std::vector<Table> tables() { return {}; }     // of the report, once it is finished
  virtual std::vector<Diagnosis> diagnoses() const { return {}; }  // of the report, once it is finished
  // The state's arrays, of those kinds of study that offer them. A changed state is that of another motion: what was summed
  // over the steps before, such as metrics, keeps its values.
  virtual std::vector<StateArray> state_arrays() { return {}; }
};

// An experiment before its first step: its scene with the one frame of its start, and tables of its parts. A name in a table
// that an object of the scene has, too, marks it in the page.
struct StudyPreview {
  Scene scene = {};
  SceneFrame frame = {};
  std::vector<Table> tables = {};
  std::vector<std::string> notes = {};  // for the user, as Study::notes
};

// Result of reading the parameters.
struct StudyPlan {
  std::vector<UsedPlugin> plugins;                // that the experiment names
  std::vector<Quantity> metrics;                  // metrics that acceptance may use
  bool metrics_are_known = true;                  // false after problems that hide some metrics
  std::vector<std::string> missing_references;    // plugins whose 100-digit references it needs, and which are not built
  std::function<std::unique_ptr<Study>()> build;  // called once the whole file is known to be good; may throw Error(input)
  std::function<StudyPreview()> preview = {};     // called as `build` is; null: this kind of study has no preview
};

struct StudyKind {
  std::string summary;  // one line
  std::string documentation;
  // The values of differentiation.elements that it can use; the first is the default. Without any the study takes no
  // derivatives of elements, and the section `differentiation` is not read.
  std::vector<std::string> elements;
  std::vector<std::string> sensitivities;  // the values of differentiation.sensitivity that it can use
  std::function<StudyPlan(Configuration& experiment, const StudyContext& context)> read;

  bool takes_element_derivatives() const { return !elements.empty(); }
};

using StudyRegistry = Registry<StudyKind>;

// The kinds of this build.
StudyRegistry built_in_studies();

}  // namespace holo
