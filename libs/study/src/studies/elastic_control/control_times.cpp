// The study `control_times`: what controlled motions cost per frame, stage by stage, as [Shen2024] Table 2.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/study/quantity_table.h"
#include "studies/inner_experiment.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

// Values of named columns, summed over the frames of a motion in which surfaces touch.
class FrameSums {
 public:
  FrameSums(const std::vector<Quantity>& columns, const std::vector<Quantity>& timing_columns)
      : columns_(columns), timing_columns_(timing_columns), sums_(columns.size()), timing_sums_(timing_columns.size()) {}

  // Of a frame: its row, then its times.
  void add_row(const std::vector<double>& row) {
    touches_ = row[place(columns_, "touching_vertices")] > 0;
    frames_ += touches_;
    add(row, sums_);
  }
  void add_times(const std::vector<double>& times) { add(times, timing_sums_); }

  double frames() const { return frames_; }
  double sum(const char* column) const { return sums_[place(columns_, column)]; }
  double time(const char* column) const { return timing_sums_[place(timing_columns_, column)]; }

 private:
  static std::size_t place(const std::vector<Quantity>& columns, const char* name) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Quantity& each) { return each.name == name; });
    if (found == columns.end()) throw Error(Failure::internal, fmt::format("elastic_control has no column '{}'", name));
    return static_cast<std::size_t>(found - columns.begin());
  }
  void add(const std::vector<double>& values, std::vector<double>& sums) const {
    if (!touches_) return;
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
  }

  std::vector<Quantity> columns_, timing_columns_;
  std::vector<double> sums_, timing_sums_;
  double frames_ = 0;
  bool touches_ = false;
};

// What is measured of one motion.
struct MotionTimes {
  const FrameSums& frames;
  const std::vector<Metric>& metrics;  // of the motion

  double metric(const char* name) const {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& each) { return each.name == name; });
    return found == metrics.end() ? std::nan("") : found->value;
  }
};

const QuantityTable<MotionTimes>& motion_times() {
  using M = const MotionTimes&;
  static const QuantityTable<MotionTimes> table{
      {{"elements", "1", "tetrahedra of all bodies"}, [](M m) { return m.metric("elements"); }},
      {{"activations", "1", "muscle segments"}, [](M m) { return m.metric("activations"); }},
      {{"contact_frames", "1", "frames at whose end surfaces touch; all else is a mean over these"},
       [](M m) { return m.frames.frames(); }},
      {{"contacts", "1", "vertices that are repelled"},
       [](M m) { return m.frames.sum("touching_vertices") / m.frames.frames(); }},
      {{"iterations", "1", "of the minimizations of a frame, without the warm start"},
       [](M m) { return m.frames.sum("inverse_iterations") / m.frames.frames(); }},
      {{"simulation_time", "s", "of a forward solve, with the deep ones of derivatives", true},
       [](M m) { return m.frames.time("forward_time") / m.frames.sum("forward_solves"); }},
      {{"gradient_time", "s", "of a gradient in the activations, beyond the solve", true},
       [](M m) { return m.frames.time("gradient_time") / m.frames.sum("gradients"); }},
      {{"hessian_time", "s", "of a reduced Hessian, beyond solve and gradient", true},
       [](M m) { return m.frames.time("hessian_time") / m.frames.sum("hessians"); }},
      {{"solve_time", "s", "of all of a frame", true}, [](M m) { return m.frames.time("wall_time") / m.frames.frames(); }}};
  return table;
}

// The motion's rows and times are summed.
class SummingOutput final : public InnerOutput {
 public:
  SummingOutput(StudyOutput& outer, FrameSums& sums) : InnerOutput(outer), sums_(sums) {}
  void log(const std::string& event, const LogFields& fields) override {
    if (event != "inverse_iteration") InnerOutput::log(event, fields);
  }
  void row(const std::vector<double>& values) override { sums_.add_row(values); }
  void timings(const std::vector<double>& values) override { sums_.add_times(values); }

 private:
  FrameSums& sums_;
};

// One step is one motion.
class ControlTimes final : public Study {
 public:
  explicit ControlTimes(std::vector<InnerExperiment> motions) : motions_(std::move(motions)) {}

  std::vector<Quantity> columns() const override { return {{"motion", "1", "its number in the file, from 0"}}; }
  std::vector<Quantity> timing_columns() const override {
    std::vector<Quantity> columns = this->columns();
    for (const Quantity& each : quantities_of(motion_times())) columns.push_back(each);
    return columns;
  }
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(motions_.size()); }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(values_.size()); }
  StepResult step(StudyOutput& output) override;

  // One column for each motion; those that have not run are empty.
  std::string serialize() const override {
    std::vector<std::vector<double>> all = values_;
    all.resize(motions_.size());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    values_.assign(motions_.size(), {});
    deserialize_columns(state, values_);
    while (!values_.empty() && values_.back().empty()) values_.pop_back();
    for (const std::vector<double>& values : values_)
      if (values.size() != motion_times().size()) throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override {
    std::vector<Metric> metrics;
    for (std::size_t i = 0; i < values_.size(); ++i)
      for (std::size_t j = 0; j < values_[i].size(); ++j)
        metrics.push_back({motions_[i].name + "_" + motion_times()[j].quantity.name, values_[i][j]});
    return metrics;
  }

  std::vector<Table> tables() override {
    Table table{"Means over the frames with contact", "", {{"motion", ""}, {"experiment", ""}}, {}};
    for (const Quantity& each : quantities_of(motion_times()))
      table.columns.push_back({each.name, each.unit == "1" ? "" : each.unit});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      table.rows.push_back({motions_[i].name, motions_[i].label});
      table.rows.back().insert(table.rows.back().end(), values_[i].begin(), values_[i].end());
    }
    return {table};
  }

 private:
  std::vector<InnerExperiment> motions_;
  std::vector<std::vector<double>> values_;  // [motion][quantity]
};

StepResult ControlTimes::step(StudyOutput& output) {
  const InnerExperiment& motion = motions_[values_.size()];
  output.log("motion", {{"name", motion.name}, {"file", motion.label}});
  const std::unique_ptr<Study> study = motion.plan.build();
  FrameSums sums(study->columns(), study->timing_columns());
  InnerOutput start(output);  // the first row is no frame's
  study->begin(start);
  SummingOutput frames(output, sums);
  while (study->steps_done() < study->total_steps())
    if (const StepResult result = study->step(frames); result.failed) return {true, motion.name + ": " + result.diagnosis};
  const std::vector<Metric> metrics = study->finish();
  const double number = static_cast<double>(values_.size());
  values_.push_back(row_of(motion_times(), MotionTimes{sums, metrics}));
  output.row({number});
  std::vector<double> times{number};
  times.insert(times.end(), values_.back().begin(), values_.back().end());
  output.timings(times);
  return {};
}

std::string objection_to_motion(const std::string& study) {
  return study == "elastic_control" ? "" : fmt::format("is of the study '{}'; it must be of elastic_control", study);
}

bool has_gaps(const Quantity& metric) { return metric.name == "smallest_gap"; }

StudyPlan read_control_times(Configuration& experiment, const StudyContext& context) {
  StudyPlan plan;
  std::vector<InnerExperiment> motions;
  const std::size_t problems = experiment.problem_count();
  experiment.each(
      "motions",
      [&](Configuration& entry) {
        std::vector<std::string> others;
        others.reserve(motions.size());
        for (const InnerExperiment& other : motions) others.push_back(other.name);
        const std::optional<InnerExperiment> motion =
            read_inner_experiment(entry, context, others, objection_to_motion, plan.plugins);
        if (!motion) return;
        if (const auto& known = motion->plan.metrics; std::none_of(known.begin(), known.end(), has_gaps))
          entry.problem(entry.location("file"), motion->label + " has no contact; times are those of frames with contact");
        for (const Quantity& each : quantities_of(motion_times()))
          plan.metrics.push_back({motion->name + "_" + each.name, each.unit, motion->label + ": " + each.documentation});
        motions.push_back(*motion);
      },
      "experiments of the study elastic_control, with obstacles, that are run one after another", 1);
  plan.metrics_are_known = experiment.problem_count() == problems;
  plan.build = [motions]() -> std::unique_ptr<Study> { return std::make_unique<ControlTimes>(motions); };
  return plan;
}

}  // namespace

StudyKind control_times() {
  return {"times of controlled elastic motions per frame, stage by stage",
          "Each motion is run as its file states, or in one of its variants, without pictures. "
          "Metrics are NAME_QUANTITY: means over the frames with contact.",
          {},
          {},
          read_control_times};
}

}  // namespace holo
