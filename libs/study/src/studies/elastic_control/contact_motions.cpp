// The study `contact_motions`: whole controlled motions by complementarity of a few contacts, each frame of which ends where
// its linear model predicts, as [Tan2012] simulates and controls; beside the motions as their experiments find them. [Shen2024]
// Figs 7 and 13.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/elastic_control/complementarity_reader.h"
#include "studies/elastic_control/control_study.h"
#include "studies/elastic_control/frame_clock.h"
#include "studies/inner_experiment.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

struct MotionsPlan {
  std::vector<InnerExperiment> motions;
  std::vector<Location> places;  // [motion]
  std::vector<int> contacts;
  ComplementarityOptions options;

  std::size_t ways() const { return 1 + contacts.size(); }  // ours first
  std::string name(std::size_t motion, std::size_t way) const {
    return motions[motion].name + (way == 0 ? "" : fmt::format("_with_{}", contacts[way - 1]));
  }
};

// One motion in one way. Frames are counted until an element is inverted, or no frame is found.
struct MotionTrace {
  std::vector<double> advance, rise;                             // of the center of mass after each frame [m]
  double branches = 0, unsolved = 0, penetration = 0, time = 0;  // sum; frames; largest [m]; sum [s]

  double frames() const { return static_cast<double>(advance.size()); }
  double last_advance() const { return advance.empty() ? 0 : advance.back(); }
  double largest_rise() const { return rise.empty() ? 0 : *std::max_element(rise.begin(), rise.end()); }
};

const QuantityTable<MotionTrace>& trace_quantities() {
  using T = const MotionTrace&;
  static const QuantityTable<MotionTrace> table{
      {{"frames", "1", "until an element is inverted or no frame is found"}, [](T t) { return t.frames(); }},
      {{"advance", "m", "of the center of mass along x, after these frames"}, [](T t) { return t.last_advance(); }},
      {{"rise", "m", "of the center of mass, at most"}, [](T t) { return t.largest_rise(); }},
      {{"penetration", "m", "of the lowest vertex, at the worst frame"}, [](T t) { return t.penetration; }},
      {{"unsolved", "1", "frames whose laws of contact are not solved, or whose search met its limit"},
       [](T t) { return t.unsolved; }},
      {{"branches", "1", "quadratic programs of a frame, on average"}, [](T t) { return t.branches / t.frames(); }},
      {{"frame_time", "s", "of a frame, on average", true}, [](T t) { return t.time / t.frames(); }}};
  return table;
}

// One step is one motion in one way.
class ContactMotions final : public Study {
 public:
  explicit ContactMotions(MotionsPlan plan) : plan_(std::move(plan)) {}

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"frame", "1", "of each motion, from 1"}};
    each_way([&](const std::string& name) {
      result.push_back({name + "_advance", "m", "of the center of mass along x"});
      result.push_back({name + "_rise", "m", "of the center of mass"});
    });
    return result;
  }
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(plan_.motions.size() * plan_.ways()); }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(traces_.size()); }
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view state) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  template <class Visit>
  void each_way(Visit visit) const {
    for (std::size_t motion = 0; motion < plan_.motions.size(); ++motion)
      for (std::size_t way = 0; way < plan_.ways(); ++way) visit(plan_.name(motion, way));
  }
  MotionTrace follow(std::size_t motion, std::size_t way, StudyOutput& output, StepResult& result) const;
  void write_rows(StudyOutput& output) const;

  MotionsPlan plan_;
  std::vector<MotionTrace> traces_;  // [motion * ways + way]
};

std::vector<ColumnPlot> ContactMotions::plots() const {
  std::vector<ColumnPlot> plots;
  for (const char* quantity : {"advance", "rise"})
    for (std::size_t motion = 0; motion < plan_.motions.size(); ++motion) {
      ColumnPlot& plot = plots.emplace_back();
      plot.title = fmt::format("Center of mass of {}", plan_.motions[motion].name);
      plot.x = "frame";
      for (std::size_t way = 0; way < plan_.ways(); ++way) plot.y.push_back(plan_.name(motion, way) + "_" + quantity);
      plot.label = quantity;
    }
  return plots;
}

// Ours fails where its experiment does; that of complementarity ends.
MotionTrace ContactMotions::follow(std::size_t motion, std::size_t way, StudyOutput& output, StepResult& result) const {
  const std::unique_ptr<Study> study = plan_.motions[motion].plan.build();
  auto& control = dynamic_cast<ElasticControl&>(*study);  // the reader refuses others
  InnerOutput inner(output);
  control.begin(inner);
  MotionTrace trace;
  const Vector3d start = center_of_mass(control.model(), control.state());
  const FrameClock clock;
  while (control.steps_done() < control.total_steps()) {
    if (way == 0) {
      if (result = control.step(inner); result.failed) break;
    } else {
      const ComplementarityFrame found = control.step_by_complementarity(plan_.contacts[way - 1], plan_.options);
      if (found.end.size() == 0 || !found.end.allFinite()) break;
      trace.branches += found.search.branches;
      trace.penetration = std::max(trace.penetration, found.penetration);
      trace.unsolved += !is_solved(found, plan_.options);
    }
    if (determinants(control.model(), control.state().positions).inverted_elements > 0) break;
    const Vector3d center = center_of_mass(control.model(), control.state());
    trace.advance.push_back(center[0] - start[0]);
    trace.rise.push_back(center[2] - start[2]);
  }
  trace.time = clock.seconds();
  return trace;
}

StepResult ContactMotions::step(StudyOutput& output) {
  const std::size_t motion = traces_.size() / plan_.ways(), way = traces_.size() % plan_.ways();
  output.log("motion", {{"name", plan_.name(motion, way)}, {"file", plan_.motions[motion].label}});
  StepResult result;
  MotionTrace trace = follow(motion, way, output, result);
  if (result.failed) return {true, plan_.motions[motion].name + ": " + result.diagnosis};
  traces_.push_back(std::move(trace));
  if (steps_done() == total_steps()) write_rows(output);
  return {};
}

// One row for each frame, with NaN where a motion has ended.
void ContactMotions::write_rows(StudyOutput& output) const {
  std::size_t longest = 0;
  for (const MotionTrace& trace : traces_) longest = std::max(longest, trace.advance.size());
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> row{static_cast<double>(i + 1)};
    for (const MotionTrace& trace : traces_) {
      const bool is_there = i < trace.advance.size();
      row.push_back(is_there ? trace.advance[i] : std::nan(""));
      row.push_back(is_there ? trace.rise[i] : std::nan(""));
    }
    output.row(row);
  }
}

// Three columns for each motion and way; those of motions that are still to come are empty.
std::string ContactMotions::serialize() const {
  std::vector<std::vector<double>> columns;
  for (const MotionTrace& trace : traces_) {
    columns.push_back(trace.advance);
    columns.push_back(trace.rise);
    columns.push_back({trace.branches, trace.unsolved, trace.penetration, trace.time});
  }
  columns.resize(static_cast<std::size_t>(3 * total_steps()));
  return serialize_columns(columns);
}

void ContactMotions::deserialize(std::string_view state) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(3 * total_steps()));
  deserialize_columns(state, columns);
  traces_.clear();
  for (std::size_t i = 0; i < columns.size() && !columns[i + 2].empty(); i += 3) {
    const std::vector<double>& sums = columns[i + 2];
    if (sums.size() != 4 || columns[i].size() != columns[i + 1].size())
      throw Error(Failure::input, "the checkpoint is not one of this experiment");
    traces_.push_back({columns[i], columns[i + 1], sums[0], sums[1], sums[2], sums[3]});
  }
}

std::vector<Metric> ContactMotions::finish() {
  std::vector<Metric> metrics;
  std::size_t number = 0;
  each_way([&](const std::string& name) {
    for (const Metric& each : metrics_of(trace_quantities(), traces_[number]))
      metrics.push_back({name + "_" + each.name, each.value});
    ++number;
  });
  return metrics;
}

std::vector<Table> ContactMotions::tables() {
  Table table{"Motions by ours and by complementarity of a number of contacts", "", {{"motion", ""}, {"experiment", ""}}, {}};
  for (const Quantity& each : quantities_of(trace_quantities()))
    table.columns.push_back({each.name, each.unit == "1" ? "" : each.unit});
  std::size_t number = 0;
  each_way([&](const std::string& name) {
    table.rows.push_back({name, plan_.motions[number / plan_.ways()].label});
    for (const double value : row_of(trace_quantities(), traces_[number])) table.rows.back().push_back(value);
    ++number;
  });
  return {table};
}

StudyPlan read_contact_motions(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  MotionsPlan plan;
  const std::size_t problems = experiment.problem_count();
  plan.options = read_complementarity(experiment);
  plan.contacts = read_contact_numbers(experiment);
  experiment.each(
      "motions",
      [&](Configuration& entry) {
        std::vector<std::string> others;
        for (const InnerExperiment& other : plan.motions) others.push_back(other.name);
        const std::optional<InnerExperiment> motion =
            read_inner_experiment(entry, context, others, objection_to_motion_kind, result.plugins);
        if (!motion) return;
        plan.motions.push_back(*motion);
        plan.places.push_back(entry.location("file"));
      },
      "experiments of the study elastic_control", 1);
  for (std::size_t motion = 0; motion < plan.motions.size(); ++motion)
    for (std::size_t way = 0; way < plan.ways(); ++way)
      for (const Quantity& each : quantities_of(trace_quantities()))
        result.metrics.push_back({plan.name(motion, way) + "_" + each.name, each.unit, each.documentation, each.by_clock});
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> {
    for (std::size_t i = 0; i < plan.motions.size(); ++i) require_linear_contact(plan.motions[i], plan.places[i]);
    return std::make_unique<ContactMotions>(plan);
  };
  return result;
}

}  // namespace

StudyKind contact_motions() {
  return {
      "controlled elastic motions by complementarity of a number of contacts",
      "Each motion runs as its file states, and then again with each number of contacts: every frame is a quadratic program "
      "with complementarity constraints, linear about its start, and ends where that predicts. A motion ends where an "
      "element is inverted.",
      {},
      {},
      read_contact_motions};
}

}  // namespace holo
