#include "studies/markov_regularization/markov_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/stopwatch.h"

namespace holo {

using articulated::MarkovAlternation, articulated::MarkovRound;

MarkovRegularization::MarkovRegularization(MarkovPlan plan, double frames_per_second)
    : plan_(std::move(plan)),
      obstacles_(plan_.trajectory.scene.obstacles, largest_contact_radius(*plan_.trajectory.scene.character.model)),
      frames_per_second_(frames_per_second) {
  const CharacterScene& scene = plan_.trajectory.scene;
  ComputedSignals signals = compute_signals(plan_.trajectory.signals, scene.time_step);
  signals.store.require_bounds();
  model_ = make_trajectory_model(plan_.trajectory, obstacles_, signals.store.values());
  for (const MarkovRun& run : plan_.runs) make_alternation(run);
  if (frames_per_second_ > 0)
    drawing_ = std::make_unique<CharacterDrawing>(model_->character(), obstacles_, model_->definition().start, model_->weight(),
                                                  2 + scene.time_step * scene.step_count);
}

std::unique_ptr<MarkovAlternation> MarkovRegularization::make_alternation(const MarkovRun& run) const {
  articulated::MarkovOptions options = plan_.options;
  options.loss = run.loss;
  options.hidden.assign(3, run.hidden_units);
  try {
    return std::make_unique<MarkovAlternation>(*model_, options);
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    throw_input_error(plan_.trajectory.where, error.what());
  }
}

std::int64_t MarkovRegularization::total_steps() const {
  std::int64_t left = 0;
  for (std::size_t i = outcomes_.size(); i < plan_.runs.size(); ++i) left += parts_of(plan_.runs[i]) * plan_.options.rounds;
  if (has_begun_) {
    const articulated::MarkovState& state = outcomes_.back().state;
    left += parts_of(plan_.runs[outcomes_.size() - 1]) * (plan_.options.rounds - int(state.rounds.size())) -
            (state.network_is_next ? 1 : 0);
  }
  return steps_ + left;
}

void MarkovRegularization::begin_run() {
  alternation_ = make_alternation(plan_.runs[outcomes_.size()]);
  outcomes_.emplace_back();
  outcomes_.back().state = alternation_->begin();
  has_begun_ = true;
}

StepResult MarkovRegularization::step(StudyOutput& output) {
  if (!has_begun_) begin_run();
  MarkovOutcome& outcome = outcomes_.back();
  if (!alternation_) alternation_ = make_alternation(plan_.runs[outcomes_.size() - 1]);
  const bool is_of_network = outcome.state.network_is_next;
  const std::size_t rounds = outcome.state.rounds.size();
  Stopwatch watch;
  alternation_->advance(outcome.state);
  const double time = watch.lap();
  (is_of_network ? outcome.network_time : outcome.trajectory_time) += time;
  output.timings({double(outcomes_.size() - 1), double(is_of_network), time});
  ++steps_;
  if (outcome.state.rounds.size() != rounds) log_round(output);
  if (outcome.state.is_finished) end_run(output);
  return {};
}

void MarkovRegularization::log_round(StudyOutput& output) const {
  const MarkovOutcome& outcome = outcomes_.back();
  const MarkovRound& round = outcome.state.rounds.back();
  output.log("round", {{"run", plan_.runs[outcomes_.size() - 1].name},
                       {"round", std::int64_t(outcome.state.rounds.size())},
                       {"objective", round.objective},
                       {"transitions", round.transitions},
                       {"rollout", round.rollout},
                       {"violation", round.violation},
                       {"status", round.status},
                       {"diagnosis", round.diagnosis},
                       {"trajectory_iterations", std::int64_t(round.trajectory_iterations)},
                       {"network_iterations", std::int64_t(round.network_iterations)},
                       {"is_accepted", round.is_accepted}});
}

void MarkovRegularization::end_run(StudyOutput& output) {
  MarkovOutcome& outcome = outcomes_.back();
  articulated::TrajectoryProblem& problem = alternation_->problem();
  const Eigen::VectorXd& point = outcome.state.point;
  outcome.values = problem.values(point);
  outcome.motion = measure_motion(*model_, problem.states(point), problem.residuals(point));
  outcome.strides = measure_strides(*model_, problem.states(point));
  if (alternation_->recurrence() != nullptr) {
    const Eigen::MatrixXd motion = alternation_->states(point);
    const int transitions = int(motion.cols()) - 1;
    const Eigen::MatrixXd repeated =
        alternation_->repeat(outcome.state.network, motion.col(0), 1 + repeated_horizons[2] * transitions);
    for (int k = 0; k < 3; ++k)
      outcome.distances[k] = articulated::distance_from_motion(
          *alternation_->recurrence(), repeated.middleCols(1 + (repeated_horizons[k] - 1) * transitions, transitions), motion);
  }
  has_begun_ = false;
  if (outcomes_.size() == plan_.runs.size()) {
    write_rows(output);
    if (drawing_) write_motion(output);
  }
  alternation_.reset();
}

// A run that has ended keeps its last values.
void MarkovRegularization::write_rows(StudyOutput& output) const {
  std::size_t rounds = 0;
  for (const MarkovOutcome& outcome : outcomes_) rounds = std::max(rounds, outcome.state.rounds.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    std::vector<double> row = {double(i + 1)};
    for (std::size_t k = 0; k < outcomes_.size(); ++k) {
      const std::vector<MarkovRound>& of_run = outcomes_[k].state.rounds;
      const MarkovRound& round = of_run[std::min(i, of_run.size() - 1)];
      row.insert(row.end(), {round.objective, round.violation});
      if (plan_.runs[k].has_network()) row.insert(row.end(), {round.total(), round.transitions, round.rollout});
    }
    output.row(row);
  }
}

// The frames of the last run.
void MarkovRegularization::write_motion(StudyOutput& output) {
  const articulated::TrajectoryStates& states = alternation_->problem().states(outcomes_.back().state.point);
  const double time_step = model_->step().time_step;
  const int stride = std::max(1, int(std::lround(1 / (frames_per_second_ * time_step))));
  std::vector<articulated::TouchingPoint> contacts;
  for (int step = 0; step <= states.steps(); step += stride) {
    SceneFrame frame;
    frame.step = step;
    frame.time = step * time_step;
    contacts.clear();
    if (step > 0) articulated::find_contacts(model_->character(), model_->step(), states.step_states(step), contacts);
    drawing_->draw(states.pose(step), contacts, frame);
    output.frame(frame);
  }
}

const MarkovOutcome* MarkovRegularization::outcome_of(const std::string& name) const {
  for (std::size_t i = 0; i < outcomes_.size(); ++i)
    if (plan_.runs[i].name == name) return &outcomes_[i];
  return nullptr;
}

std::vector<Diagnosis> MarkovRegularization::diagnoses() const {
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const std::vector<MarkovRound>& rounds = outcomes_[i].state.rounds;
    const auto refused = std::count_if(rounds.begin(), rounds.end(), [](const MarkovRound& r) { return !r.is_accepted; });
    if (refused > 0)
      diagnoses.push_back({"the run '" + plan_.runs[i].name + "': " + std::to_string(refused) + " of " +
                           std::to_string(rounds.size()) +
                           " rounds were undone, since they ended with a larger objective or violated equations of motion"});
    const MarkovRound& last = rounds.back();
    if (!last.diagnosis.empty())
      diagnoses.push_back({"the run '" + plan_.runs[i].name + "': in its last round the trajectory's solver ended with " +
                           last.status + ": " + last.diagnosis});
    if (!(last.violation <= plan_.options.solver.constraint_tolerance))
      diagnoses.push_back(
          {fmt::format("the run '{}' violates the equations of motion by {:.3g}, more than {:.3g}; allow more "
                       "rounds or iterations",
                       plan_.runs[i].name, last.violation, plan_.options.solver.constraint_tolerance)});
  }
  return diagnoses;
}

}  // namespace holo
