// The state of a study `markov_regularization` between two steps as bytes, and back.
#include "studies/markov_regularization/markov_study.h"
#include "studies/trajectory_optimization/solver_checkpoint.h"

namespace holo {

namespace {

constexpr std::string_view markov_kind = "markov_regularization";
constexpr double most_of_markov = 1e12;

void visit_markov_round(Archive& archive, articulated::MarkovRound& round) {
  for (double* value : {&round.objective, &round.transitions, &round.rollout, &round.total_before_network, &round.violation})
    archive.visit(*value);
  archive.visit(round.trajectory_iterations, 1e9);
  archive.visit(round.network_iterations, 1e9);
  archive.visit(round.is_accepted, 1);
  archive.visit(round.status, 1000);
  archive.visit(round.diagnosis, 1e5);
}

void visit_markov_state(Archive& archive, articulated::MarkovState& state) {
  archive.visit_sized(state.point);
  archive.visit_sized(state.network);
  archive.visit(state.loss_scale);
  visit_solver(archive, state.solver);
  archive.visit(state.network_is_next, 1);
  archive.visit(state.is_finished, 1);
  visit_markov_round(archive, state.round);
  std::size_t rounds = state.rounds.size();
  archive.visit_length(rounds);
  state.rounds.resize(rounds);
  for (articulated::MarkovRound& round : state.rounds) visit_markov_round(archive, round);
}

void visit_markov_outcome(Archive& archive, MarkovOutcome& outcome) {
  visit_markov_state(archive, outcome.state);
  articulated::TrajectoryValues& values = outcome.values;
  for (double* value : {&outcome.trajectory_time, &outcome.network_time, &outcome.distances[0], &outcome.distances[1],
                        &outcome.distances[2], &values.losses, &values.effort, &values.transitions, &values.reduced_violation,
                        &values.full_violation, &outcome.motion.displacement.x(), &outcome.motion.displacement.y()})
    archive.visit(*value);
  archive.visit(outcome.strides.lengths);
}

}  // namespace

std::string MarkovRegularization::serialize() const {
  Archive archive(markov_kind, 1);
  std::int64_t steps = steps_;
  bool has_begun = has_begun_;
  archive.visit(steps, most_of_markov);
  archive.visit(has_begun, 1);
  std::size_t count = outcomes_.size();
  archive.visit(count, double(plan_.runs.size()));
  for (MarkovOutcome outcome : outcomes_) visit_markov_outcome(archive, outcome);
  return archive.take_bytes();
}

void MarkovRegularization::deserialize(std::string_view bytes) {
  Archive archive(markov_kind, 1, bytes);
  archive.visit(steps_, most_of_markov);
  archive.visit(has_begun_, 1);
  std::size_t count = 0;
  archive.visit(count, double(plan_.runs.size()));
  outcomes_.assign(count, {});
  for (MarkovOutcome& outcome : outcomes_) visit_markov_outcome(archive, outcome);
  archive.require_end();
  if (has_begun_ && count == 0) Archive::refuse("a run has begun and has no state");
  for (std::size_t i = 0; i < count; ++i)
    if (!make_alternation(plan_.runs[i])->fits(outcomes_[i].state))
      Archive::refuse("its trajectory or network has another size");
  alternation_.reset();
}

}  // namespace holo
