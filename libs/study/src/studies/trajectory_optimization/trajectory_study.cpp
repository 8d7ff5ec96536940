#include "studies/trajectory_optimization/trajectory_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "holo/core/numerics/stopwatch.h"
#include "holo/study/table.h"

namespace holo {

using articulated::TouchingPoint, articulated::TrajectoryModel, articulated::TrajectoryStageResult,
    articulated::TrajectoryStates;

namespace {

std::vector<TouchingPoint> contacts_of(const TrajectoryModel& model, const TrajectoryStates& states, int step) {
  std::vector<TouchingPoint> contacts;
  articulated::find_contacts(model.character(), model.step(), states.step_states(step), contacts);
  return contacts;
}

// Touchdowns of the parts of a character that carry a hundredth of its weight or more.
class Footfalls {
 public:
  explicit Footfalls(const TrajectoryModel& model)
      : model_(model),
        counts_(std::size_t(model.character().dof_count())),
        loaded_(counts_.size()),
        at_start_(counts_.size()) {}

  void add(int step, const std::vector<TouchingPoint>& contacts) {
    std::vector<bool> now(loaded_.size());
    for (const TouchingPoint& contact : contacts)
      if (contact.normal_force > 0.01 * model_.weight())
        now[std::size_t(model_.character().contact_points()[std::size_t(contact.point)].dof)] = true;
    if (step == 1) at_start_ = now;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (step > 1 && now[k] && !loaded_[k]) ++counts_[k];
    loaded_ = now;
  }
  // Of those that stand at the start.
  int fewest() const {
    int fewest = -1;
    for (std::size_t k = 0; k < counts_.size(); ++k)
      if (at_start_[k] && (fewest < 0 || counts_[k] < fewest)) fewest = counts_[k];
    return std::max(fewest, 0);
  }

 private:
  const TrajectoryModel& model_;
  std::vector<int> counts_;
  std::vector<bool> loaded_, at_start_;
};

// Deviation of the center of mass from free fall in flights: position and velocity of the parabola are those with which a
// flight begins.
class Flights {
 public:
  Flights(double time_step, const Vector3<double>& gravity)
      : fall_(time_step * time_step * Eigen::Vector3d(gravity[0], gravity[1], gravity[2])) {}

  // The center of mass of each state, and whether nothing touched in the step that led to it.
  void add(const Eigen::Vector3d& center, bool is_airborne) {
    const Eigen::Vector3d expected = is_flying_ ? Eigen::Vector3d(2 * at_ - before_ + fall_) : center;
    if (is_airborne && has_two_) error_ = std::max(error_, (expected - center).norm());
    before_ = is_airborne && is_flying_ ? at_ : last_;
    at_ = is_airborne && is_flying_ ? expected : center;
    is_flying_ = is_airborne;
    has_two_ = true;
    last_ = center;
  }
  double error() const { return error_; }

 private:
  Eigen::Vector3d fall_, before_ = Eigen::Vector3d::Zero(), at_ = before_, last_ = before_;
  bool is_flying_ = false, has_two_ = false;
  double error_ = 0;
};

Eigen::Vector3d center_at(const TrajectoryModel& model, const TrajectoryStates& states, int step) {
  return articulated::measure(model.character(), model.step(), states.step_states(step)).center_of_mass;
}

}  // namespace

MotionMeasures measure_motion(const TrajectoryModel& model, const TrajectoryStates& states, const Eigen::MatrixXd& residuals) {
  MotionMeasures result;
  Footfalls footfalls(model);
  Flights flights(model.step().time_step, model.step().gravity);
  const Eigen::Vector3d start = center_at(model, states, 1);
  Eigen::Vector3d before = start;
  double force = 0;
  for (int step = 1; step <= states.steps(); ++step) {
    const std::vector<TouchingPoint> contacts = contacts_of(model, states, step);
    footfalls.add(step, contacts);
    if (contacts.empty()) ++result.airborne_steps;
    for (const TouchingPoint& contact : contacts) {
      force += contact.normal_force;
      result.mean_penetration += contact.normal_force * contact.depth;
      // friction = w_t v d^2
      const double resistance = model.step().tangential_weight * contact.depth * contact.depth;
      if (resistance > 0) result.mean_slip_speed += contact.normal_force * contact.friction_force / resistance;
      result.largest_penetration = std::max(result.largest_penetration, contact.depth);
      if (contact.normal_force > 0.01 * model.weight())
        result.largest_friction_ratio = std::max(result.largest_friction_ratio, contact.friction_force / contact.normal_force);
    }
    for (const int dof : model.character().actuated())
      result.largest_control = std::max(result.largest_control, std::abs(residuals(dof, step - 1)));
    const Eigen::Vector3d center = center_at(model, states, step);
    flights.add(center, contacts.empty());
    result.largest_height = std::max(result.largest_height, center.z() - start.z());
    result.path_length += (center - before).head<2>().norm();
    result.final_speed = (center - before).norm() / model.step().time_step;
    before = center;
  }
  for (double* mean : {&result.mean_penetration, &result.mean_slip_speed}) *mean = force > 0 ? *mean / force : 0;
  result.displacement = before - start;
  result.footfalls = footfalls.fewest();
  result.ballistic_error = flights.error();
  return result;
}

TrajectoryOptimization::TrajectoryOptimization(TrajectoryPlan plan, double frames_per_second)
    : plan_(std::move(plan)),
      obstacles_(plan_.scene.obstacles, largest_contact_radius(*plan_.scene.character.model)),
      frames_per_second_(frames_per_second) {
  ComputedSignals signals = compute_signals(plan_.signals, plan_.scene.time_step);
  signals.store.require_bounds();
  model_ = make_trajectory_model(plan_, obstacles_, signals.store.values());
  stages_ = std::make_unique<articulated::TrajectoryStages>(*model_, plan_.stages);
  try {
    state_ = stages_->begin();
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    throw_input_error(plan_.where, error.what());
  }
  if (frames_per_second_ > 0) {
    const double duration = plan_.scene.time_step * plan_.scene.step_count;
    drawing_ = std::make_unique<CharacterDrawing>(model_->character(), obstacles_, model_->definition().start, model_->weight(),
                                                  2 + duration);
  }
}

std::vector<Quantity> TrajectoryOptimization::timing_columns() const {
  return {{"iteration", "1", "of all stages"}, {"time", "s", "of an iteration, mean over a step"}};
}

std::vector<ColumnPlot> TrajectoryOptimization::plots() const {
  ColumnPlot objective{"Objective", "iteration", {"objective"}, true};
  ColumnPlot violation{"Violated equations of motion", "iteration", {"violation"}, true};
  ColumnPlot stationarity{"Stationarity", "iteration", {"stationarity"}, true};
  ColumnPlot steps{"Trust region", "iteration", {"radius", "step_norm"}, true};
  return {objective, violation, stationarity, steps};
}

std::vector<std::string> TrajectoryOptimization::kernels() const {
  return {fmt::format("block-tridiagonal systems: {}", to_string(plan_.stages.linear_algebra.method))};
}

std::vector<std::string> TrajectoryOptimization::contents() const {
  const articulated::CharacterModel& character = model_->character();
  return {fmt::format("{}: {} degrees of freedom, {} of them actuated, {} contact points, {:.4g} kg", character.name(),
                      character.dof_count(), character.actuated().size(), character.contact_points().size(),
                      character.total_mass()),
          fmt::format("{} time steps of {:g} s", model_->steps(), model_->step().time_step)};
}

StepResult TrajectoryOptimization::step(StudyOutput& output) {
  Stopwatch watch;
  const int stage = state_.stage;
  stages_->advance(state_, plan_.iterations_per_step);
  ++steps_;
  const std::size_t count = state_.iterations.size();
  for (const TrustRegionSqpIteration& iteration : state_.iterations)
    output.row(row_of(trajectory_columns(), {++iterations_, stage, iteration}));
  if (count > 0) output.timings({double(iterations_), watch.lap() / double(count)});
  if (state_.stage != stage) log_stage(output);
  if (state_.stage == int(stages_->stages().size())) write_motion(output);
  return {};
}

void TrajectoryOptimization::log_stage(StudyOutput& output) const {
  const TrajectoryStageResult& result = state_.results.back();
  output.log("stage", {{"stage", to_string(result.stage)},
                       {"status", result.status},
                       {"iterations", std::int64_t(result.iterations)},
                       {"objective", result.values.objective()},
                       {"reduced_violation", result.values.reduced_violation},
                       {"full_violation", result.values.full_violation},
                       {"stationarity", result.stationarity},
                       {"diagnosis", result.diagnosis}});
}

void TrajectoryOptimization::write_motion(StudyOutput& output) {
  output.table("motion", motion_table());
  if (!drawing_) return;
  const TrajectoryStates& states = stages_->problem(state_).states(state_.point);
  const double time_step = plan_.scene.time_step;
  const int stride = std::max(1, int(std::lround(1 / (frames_per_second_ * time_step))));
  for (int step = 0; step <= states.steps(); step += stride) {
    SceneFrame frame;
    frame.step = step;
    frame.time = step * time_step;
    drawing_->draw(states.pose(step), step > 0 ? contacts_of(*model_, states, step) : std::vector<TouchingPoint>(), frame);
    output.frame(frame);
  }
}

// Time, center of mass, coordinates and controls of each state.
std::string TrajectoryOptimization::motion_table() {
  articulated::TrajectoryProblem& problem = stages_->problem(state_);
  const TrajectoryStates& states = problem.states(state_.point);
  const Eigen::MatrixXd& residuals = problem.residuals(state_.point);
  const articulated::CharacterModel& character = model_->character();
  std::string csv = "time [s],center_x [m],center_y [m],center_z [m]";
  for (int j = 0; j < character.dof_count(); ++j) csv += "," + character.dof_name(j);
  for (const int dof : character.actuated()) csv += ",control_" + character.dof_name(dof);
  csv += "\n";
  for (int step = 1; step <= states.steps(); ++step) {
    const Eigen::Vector3d center = center_at(*model_, states, step);
    csv += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g}", step * plan_.scene.time_step, center.x(), center.y(), center.z());
    for (int j = 0; j < character.dof_count(); ++j) csv += fmt::format(",{:.17g}", states.coordinates(step)[j]);
    for (const int dof : character.actuated()) csv += fmt::format(",{:.17g}", residuals(dof, step - 1));
    csv += "\n";
  }
  return csv;
}

std::vector<Metric> TrajectoryOptimization::finish() {
  articulated::TrajectoryProblem& problem = stages_->problem(state_);
  const MotionMeasures motion = measure_motion(*model_, problem.states(state_.point), problem.residuals(state_.point));
  return metrics_of(trajectory_metrics(stages_->stages()), {*model_, state_.results, motion, state_.recenterings});
}

std::vector<Table> TrajectoryOptimization::tables() {
  Table table{
      "Stages", "E, the largest constraint, the largest violated equation of motion of a step, and the KKT residual", {}, {}};
  table.columns = {{"stage"},       {"status"},           {"iterations"},  {"E"},
                   {"C", "N, N m"}, {"C_full", "N, N m"}, {"over weight"}, {"KKT residual"}};
  for (const TrajectoryStageResult& result : state_.results)
    table.rows.push_back({to_string(result.stage), result.status, double(result.iterations), result.values.objective(),
                          result.values.reduced_violation, result.values.full_violation,
                          result.values.full_violation / model_->weight(), result.stationarity});
  return {table};
}

std::vector<Diagnosis> TrajectoryOptimization::diagnoses() const {
  std::vector<Diagnosis> diagnoses;
  for (const TrajectoryStageResult& result : state_.results)
    if (!result.is_converged)
      diagnoses.push_back(
          {fmt::format("the stage {} ended with {}: {}", to_string(result.stage), result.status, result.diagnosis)});
  return diagnoses;
}

}  // namespace holo
