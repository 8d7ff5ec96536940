// The study `contact_baseline`: single frames of controlled motions by complementarity of a few contacts, as [Tan2012] solves
// them, over the number of contacts, beside the motions' own frames. [Shen2024] Section 7.2.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/study/quantity_table.h"
#include "studies/elastic_control/complementarity_reader.h"
#include "studies/elastic_control/motion_frames.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct ContactBaselinePlan {
  std::vector<MotionFrame> frames;
  std::vector<int> contacts;  // ascending
  ComplementarityOptions options;
  double least_gain = 0;  // of a usable result
};

// One frame with one number of contacts.
struct BaselineRow {
  const ContactComparison& frame;
  const ComplementarityFrame& found;
  const ComplementarityOptions& options;

  // The decrease of the objective to `value`, over that by our frame.
  double gain_to(double value) const { return (frame.start_objective - value) / (frame.start_objective - frame.objective); }
};

const QuantityTable<BaselineRow>& deterministic_quantities() {
  using R = const BaselineRow&;
  static const QuantityTable<BaselineRow> table{
      {{"contacts", "1", "at most those asked for"}, [](R r) { return r.found.contacts; }},
      {{"sweeps", "1", "of Gauss-Seidel, for the forces at the activations of the frame before"},
       [](R r) { return r.found.forces.sweeps; }},
      {{"forces_residual", "m", "of the laws of contact, after these sweeps"}, [](R r) { return r.found.forces.residual; }},
      {{"pivots", "1", "to a branch of the contacts that contains these forces"}, [](R r) { return r.found.search.pivots; }},
      {{"branches", "1", "quadratic programs, each on one branch"}, [](R r) { return r.found.search.branches; }},
      {{"is_solved", "1", "1: the laws of contact are solved, and no branch beside is better; 0: a limit was met"},
       [](R r) { return is_solved(r.found, r.options); }},
      {{"residual", "m", "of the laws of contact, of the result"}, [](R r) { return r.found.residual; }},
      {{"penetration", "m", "of the lowest vertex, as its linear model ends"}, [](R r) { return r.found.penetration; }},
      {{"predicted_gain", "1", "decrease of the objective that its linear model predicts, over that by our frame"},
       [](R r) { return r.gain_to(r.found.search.objective); }},
      {{"gain", "1", "decrease of the objective in our step by its activations, over that by ours"},
       [](R r) { return r.gain_to(r.found.objective); }}};
  return table;
}

const QuantityTable<BaselineRow>& timed_quantities() {
  using R = const BaselineRow&;
  static const QuantityTable<BaselineRow> table{
      {{"linearization_time", "s", "derivatives, factorization, back-substitutions"},
       [](R r) { return r.found.linearization_time; }},
      {{"forces_time", "s", "of Gauss-Seidel"}, [](R r) { return r.found.forces_time; }},
      {{"search_time", "s", "of the branches"}, [](R r) { return r.found.search_time; }},
      {{"time", "s", "of these"}, [](R r) { return r.found.time(); }},
      {{"all_branches_time", "s", "of 10^contacts branches, as long as those that the search looked at"},
       [](R r) { return r.found.search_time / r.found.search.branches * std::pow(10, r.found.contacts); }}};
  return table;
}

struct OurFrame {
  const ContactComparison& frame;
};

const QuantityTable<OurFrame>& our_quantities() {
  using F = const OurFrame&;
  static const QuantityTable<OurFrame> table{
      {{"our_contacts", "1", "vertices that are repelled at the end of our frame"}, [](F f) { return f.frame.contacts; }},
      {{"our_iterations", "1", "of its minimizations, without the warm start"},
       [](F f) { return f.frame.frame.minimizer_iterations; }},
      {{"our_start_objective", "1", "with the activations of the frame before"}, [](F f) { return f.frame.start_objective; }},
      {{"our_objective", "1", "of our frame"}, [](F f) { return f.frame.objective; }},
      {{"our_time", "s", "of all of our frame", true}, [](F f) { return f.frame.time; }}};
  return table;
}

std::vector<Quantity> quantities_of_rows() {
  std::vector<Quantity> result = quantities_of(deterministic_quantities());
  for (const Quantity& each : quantities_of(timed_quantities())) result.push_back(each);
  return result;
}

std::size_t row_place_of(const char* name) {
  const std::vector<Quantity> all = quantities_of_rows();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const Quantity& each) { return each.name == name; }) - all.begin());
}

// One step is one frame: the motion until it, then the frame in both ways.
class ContactBaseline final : public Study {
 public:
  explicit ContactBaseline(ContactBaselinePlan plan) : plan_(std::move(plan)) {}

  std::vector<Quantity> columns() const override { return named_columns(quantities_of(deterministic_quantities())); }
  std::vector<Quantity> timing_columns() const override { return named_columns(quantities_of(timed_quantities())); }
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(plan_.frames.size()); }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(values_.size()); }
  StepResult step(StudyOutput& output) override;

  // One column for each frame; those of frames that are still to come are empty.
  std::string serialize() const override {
    std::vector<std::vector<double>> all = values_;
    all.resize(plan_.frames.size());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    values_.assign(plan_.frames.size(), {});
    deserialize_columns(state, values_);
    while (!values_.empty() && values_.back().empty()) values_.pop_back();
    for (const std::vector<double>& values : values_)
      if (values.size() != our_quantities().size() + plan_.contacts.size() * quantities_of_rows().size())
        throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  std::vector<Quantity> named_columns(const std::vector<Quantity>& quantities) const {
    std::vector<Quantity> result{{"asked_contacts", "1", "number of contacts that complementarity is to decide"}};
    for (const MotionFrame& frame : plan_.frames)
      for (const Quantity& each : quantities)
        result.push_back({frame.motion.name + "_" + each.name, each.unit, each.documentation, each.by_clock});
    return result;
  }
  // The values of a frame with one number of contacts, in the order of quantities_of_rows().
  const double* row(std::size_t frame, std::size_t number) const {
    return values_[frame].data() + our_quantities().size() + number * quantities_of_rows().size();
  }
  double value(std::size_t frame, std::size_t number, const char* name) const { return row(frame, number)[row_place_of(name)]; }
  double ours(std::size_t frame, std::size_t quantity) const { return values_[frame][quantity]; }
  // The smallest number of contacts for which something holds; infinity: there is none.
  template <class Predicate>
  double first(std::size_t frame, Predicate holds) const {
    for (std::size_t i = 0; i < plan_.contacts.size(); ++i)
      if (holds(i)) return value(frame, i, "contacts");
    return never;
  }
  void write_rows(StudyOutput& output) const;

  ContactBaselinePlan plan_;
  std::vector<std::vector<double>> values_;  // [frame]: our_quantities(), then quantities_of_rows() for each number of contacts
};

std::vector<ColumnPlot> ContactBaseline::plots() const {
  const auto plot = [&](const char* title, const char* quantity, bool is_timing) {
    ColumnPlot result;
    result.title = title;
    result.x = "asked_contacts";
    for (const MotionFrame& frame : plan_.frames) result.y.push_back(frame.motion.name + "_" + quantity);
    result.points = true;
    result.timings = is_timing;
    result.label = quantity;
    return result;
  };
  return {plot("Branches that are looked at", "branches", false), plot("Gain over that of our frame", "gain", false),
          plot("Penetration of what is no contact", "penetration", false), plot("Time of a frame", "time", true)};
}

StepResult ContactBaseline::step(StudyOutput& output) {
  const MotionFrame& frame = plan_.frames[static_cast<std::size_t>(steps_done())];
  std::string diagnosis;
  const std::unique_ptr<ElasticControl> control = run_until(frame, output, diagnosis);
  if (!control) return {true, diagnosis};
  const std::optional<ContactComparison> found = control->compare_contacts(plan_.contacts, plan_.options);
  if (!found) return {true, no_activations(frame)};
  std::vector<double>& values = values_.emplace_back(row_of(our_quantities(), OurFrame{*found}));
  for (const ComplementarityFrame& each : found->complementarity) {
    const BaselineRow source{*found, each, plan_.options};
    for (const auto* table : {&deterministic_quantities(), &timed_quantities()})
      for (const double value : row_of(*table, source)) values.push_back(value);
  }
  if (steps_done() == total_steps()) write_rows(output);
  return {};
}

void ContactBaseline::write_rows(StudyOutput& output) const {
  const std::size_t deterministic = deterministic_quantities().size(), all = quantities_of_rows().size();
  for (std::size_t i = 0; i < plan_.contacts.size(); ++i) {
    std::vector<double> values{static_cast<double>(plan_.contacts[i])}, times = values;
    for (std::size_t frame = 0; frame < values_.size(); ++frame) {
      values.insert(values.end(), row(frame, i), row(frame, i) + deterministic);
      times.insert(times.end(), row(frame, i) + deterministic, row(frame, i) + all);
    }
    output.row(values);
    output.timings(times);
  }
}

// Names and meanings of the metrics of a frame, beside those of our_quantities().
const std::vector<Quantity>& frame_metrics() {
  static const std::vector<Quantity> metrics{
      {"first_unsolved", "1",
       "contacts from which on the laws of contact are not solved or branches are left; infinity: never"},
      {"first_useless", "1", "contacts with which its activations first gain less than least_gain; infinity: never"},
      {"first_slow", "1", "contacts with which it first takes longer than our frame; infinity: never", true},
      {"first_endless", "1", "contacts with which all branches first take longer than our frame; infinity: never", true},
      {"branches", "1", "with the most contacts"},
      {"gain", "1", "with the most contacts"},
      {"time", "s", "with the most contacts", true},
      {"penetration_of_fewest", "m", "with the fewest contacts"}};
  return metrics;
}

std::vector<Metric> ContactBaseline::finish() {
  std::vector<Metric> metrics;
  const std::size_t last = plan_.contacts.size() - 1;
  for (std::size_t frame = 0; frame < values_.size(); ++frame) {
    const std::string name = plan_.frames[frame].motion.name + "_";
    for (std::size_t j = 0; j < our_quantities().size(); ++j)
      metrics.push_back({name + our_quantities()[j].quantity.name, ours(frame, j)});
    const double our_time = ours(frame, our_quantities().size() - 1);
    const double values[] = {first(frame, [&](std::size_t i) { return value(frame, i, "is_solved") == 0; }),
                             first(frame, [&](std::size_t i) { return !(value(frame, i, "gain") >= plan_.least_gain); }),
                             first(frame, [&](std::size_t i) { return value(frame, i, "time") > our_time; }),
                             first(frame, [&](std::size_t i) { return value(frame, i, "all_branches_time") > our_time; }),
                             value(frame, last, "branches"),
                             value(frame, last, "gain"),
                             value(frame, last, "time"),
                             value(frame, 0, "penetration")};
    for (std::size_t j = 0; j < frame_metrics().size(); ++j) metrics.push_back({name + frame_metrics()[j].name, values[j]});
  }
  return metrics;
}

std::vector<Table> ContactBaseline::tables() {
  Table rows{"Frames by complementarity of a number of contacts",
             "Gains are over that of our frame: 1 is as good, 0 no better than the activations of the frame before.",
             {{"frame", ""}, {"experiment", ""}},
             {}};
  for (const Quantity& each : quantities_of_rows()) rows.columns.push_back({each.name, each.unit == "1" ? "" : each.unit});
  Table frames{"Our frames", "", {{"frame", ""}, {"experiment", ""}}, {}};
  for (const Quantity& each : quantities_of(our_quantities()))
    frames.columns.push_back({each.name, each.unit == "1" ? "" : each.unit});
  for (std::size_t frame = 0; frame < values_.size(); ++frame) {
    const MotionFrame& source = plan_.frames[frame];
    const std::vector<Cell> title{fmt::format("{}, frame {}", source.motion.name, source.frame), source.motion.label};
    frames.rows.push_back(title);
    for (std::size_t j = 0; j < our_quantities().size(); ++j) frames.rows.back().push_back(ours(frame, j));
    for (std::size_t i = 0; i < plan_.contacts.size(); ++i) {
      rows.rows.push_back(title);
      rows.rows.back().insert(rows.rows.back().end(), row(frame, i), row(frame, i) + quantities_of_rows().size());
    }
  }
  return {frames, rows};
}

StudyPlan read_contact_baseline(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  ContactBaselinePlan plan;
  const std::size_t problems = experiment.problem_count();
  plan.options = read_complementarity(experiment);
  plan.contacts = read_contact_numbers(experiment);
  plan.least_gain = experiment.number("least_gain", {.minimum = 0,
                                                     .maximum = 1,
                                                     .default_value = 0.5,
                                                     .documentation = "of activations that are usable, over the gain of ours"});
  plan.frames = read_motion_frames(experiment, context, result.plugins);
  for (const MotionFrame& frame : plan.frames) {
    for (const Quantity& each : quantities_of(our_quantities()))
      result.metrics.push_back({frame.motion.name + "_" + each.name, each.unit, each.documentation, each.by_clock});
    for (const Quantity& each : frame_metrics())
      result.metrics.push_back({frame.motion.name + "_" + each.name, each.unit, each.documentation, each.by_clock});
  }
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> {
    require_frames(plan.frames);
    for (const MotionFrame& each : plan.frames) require_linear_contact(each.motion, each.place);
    return std::make_unique<ContactBaseline>(plan);
  };
  return result;
}

}  // namespace

StudyKind contact_baseline() {
  return {
      "single frames of controlled elastic motions by complementarity of a number of contacts",
      "Each motion runs until the frame before. Then the frame is solved as the motion solves it, and as a quadratic program "
      "with complementarity constraints: linear about its start, with a number of contacts and a pyramid of friction. The "
      "activations of both are judged in the nonlinear step with all contacts.",
      {},
      {},
      read_contact_baseline};
}

}  // namespace holo
