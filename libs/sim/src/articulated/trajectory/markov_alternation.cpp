#include "holo/sim/articulated/trajectory/markov_alternation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr double range_factor = 3;          // of repeated states over the largest of the motion, beyond which they are lost
constexpr double first_output_size = 1e-2;  // of the last layer's first weights over those of the others

// First weights with which the network predicts the present state, or at rest: nearly no output, but a gradient by all layers.
VectorXd first_network(const NetworkShape& shape, std::uint64_t seed) {
  VectorXd weights = initial_weights(shape, 1 / std::sqrt(double(shape.widths[1])), seed);
  const Eigen::Index last = shape.outputs() * (shape.widths[std::size_t(shape.layers() - 1)] + 1);
  weights.tail(last) *= first_output_size;
  return weights;
}

double largest_repeated(const MatrixXd& states) { return 10 + range_factor * states.cwiseAbs().maxCoeff(); }

}  // namespace

MarkovAlternation::MarkovAlternation(const TrajectoryModel& model, const MarkovOptions& options)
    : model_(model),
      options_(options),
      problem_(std::make_unique<TrajectoryProblem>(
          model, TrajectoryBasis::spline(model.steps(), options.segment_length, options.end), options.linear_algebra)) {
  TrustRegionSqpOptions solver = options_.solver;
  solver.max_iterations = most_iterations();
  if (options_.loss != MarkovLoss::none) {
    const int points = problem_->basis().point_count() - 1;
    if (points < 2)
      throw Error(Failure::input,
                  "a Markovian regularization needs two points after the start; give the trajectory more time steps or shorter "
                  "segments.");
    recurrence_.emplace(model, options_.frame);
    shape_.widths = {recurrence_->feature_count()};
    shape_.widths.insert(shape_.widths.end(), options_.hidden.begin(), options_.hidden.end());
    shape_.widths.push_back(recurrence_->state_size());
    term_ = std::make_unique<MarkovTerm>(*recurrence_, shape_, points, options_.weight / (points - 1));
    problem_->set_transition_term(term_.get());
  }
  solver_ = std::make_unique<TrustRegionSqp>(*problem_, solver);
}

MarkovAlternation::~MarkovAlternation() = default;

// Of all rounds.
int MarkovAlternation::most_iterations() const {
  return int(
      std::min(std::int64_t(options_.rounds) * options_.trajectory_iterations, std::int64_t(std::numeric_limits<int>::max())));
}

MarkovState MarkovAlternation::begin() {
  MarkovState state;
  state.point = problem_->point();
  problem_->scale_losses(state.point);
  state.loss_scale = problem_->loss_scale();
  if (term_) state.network = first_network(shape_, options_.seed);
  state.solver = solver_->begin();
  return state;
}

bool MarkovAlternation::fits(const MarkovState& state) const {
  return state.point.size() == problem_->unknown_count() && state.network.size() == (term_ ? shape_.weight_count() : 0);
}

MatrixXd MarkovAlternation::states(const VectorXd& point) const {
  return recurrence_->normalized(problem_->transition_points(point));
}

bool MarkovAlternation::advance(MarkovState& state) {
  if (state.is_finished) return false;
  problem_->set_loss_scale(state.loss_scale);
  if (term_) term_->set_network(state.network);
  if (state.network_is_next)
    advance_network(state);
  else
    advance_trajectory(state);
  if (!state.network_is_next) end_round(state);
  return !state.is_finished;
}

// From a feasible motion only one counts that is feasible, too, and whose total is not larger. The first motion is at rest: it
// has no other to compare with, and neither has the next one while no round has ended feasible.
void MarkovAlternation::advance_trajectory(MarkovState& state) {
  const double tolerance = options_.solver.constraint_tolerance;
  const bool was_feasible = !state.rounds.empty() && state.rounds.back().violation <= tolerance;
  const VectorXd start = state.point;
  const double total_at_start = problem_->values(start).total();
  const int iterations_before = state.solver.iteration;
  const double radius = state.solver.radius;
  const TrustRegionSqpResult solved = solver_->advance(state.point, state.solver, options_.trajectory_iterations);
  // What a stalled radius is too small for may be possible with another network.
  if (solved.status == TrustRegionSqpStatus::stalled) state.solver.radius = options_.solver.initial_radius;
  TrajectoryValues values = problem_->values(state.point);
  if (!(values.reduced_violation <= tolerance)) {
    restore(state.point);
    values = problem_->values(state.point);
  }
  state.round = {};
  state.round.status = to_string(solved.status);
  state.round.diagnosis = solved.diagnosis;
  state.round.trajectory_iterations = state.solver.iteration - iterations_before;
  state.round.is_accepted = !was_feasible || (values.reduced_violation <= tolerance && values.total() <= total_at_start);
  if (!state.round.is_accepted) {
    state.point = start;
    state.solver.radius = radius / 4;  // the next round takes a shorter way
    values = problem_->values(start);
  }
  state.round.objective = values.objective();
  state.round.transitions = values.transitions;
  state.round.total_before_network = values.total();
  state.round.violation = values.reduced_violation;
  state.network_is_next = term_ != nullptr;
}

// Leaves the point where that does not succeed: its objective would be lost for nothing.
void MarkovAlternation::restore(VectorXd& point) {
  VectorXd restored = point;
  if (restore_constraints(*problem_, restored, options_.restoration).status == RestorationStatus::converged) point = restored;
}

int MarkovAlternation::minimize(SmoothFunction& loss, VectorXd& network) const {
  LbfgsOptions options;
  options.max_iterations = options_.network_iterations;
  options.stationarity_tolerance = 1e-9;
  return int(Lbfgs(loss, options).solve(network).iterations.size());
}

void MarkovAlternation::advance_network(MarkovState& state) {
  const MatrixXd motion = states(state.point);
  const Eigen::Index transitions = motion.cols() - 1;
  MatrixXd inputs(shape_.inputs(), transitions), targets(shape_.outputs(), transitions);
  for (Eigen::Index z = 0; z < transitions; ++z) {
    recurrence_->features(motion.col(z), inputs.col(z));
    recurrence_->output_between(motion.col(z), motion.col(z + 1), targets.col(z));
  }
  TransitionLoss single(shape_, inputs, targets);
  RolloutLoss repeated(shape_, motion, *recurrence_, largest_repeated(motion));
  // A network whose motion leaves the range has no gradient; one that knows single transitions is a better start.
  if (options_.loss == MarkovLoss::transitions || !std::isfinite(repeated.value(state.network)))
    state.round.network_iterations += minimize(single, state.network);
  if (options_.loss == MarkovLoss::rollout) state.round.network_iterations += minimize(repeated, state.network);
  term_->set_network(state.network);
  state.round.transitions = term_->weight() * single.value(state.network);
  state.round.rollout = term_->weight() * repeated.value(state.network);
  state.network_is_next = false;
}

void MarkovAlternation::end_round(MarkovState& state) const {
  const MarkovRound& round = state.round;
  const double before = state.rounds.empty() ? no_limit : state.rounds.back().total();
  const bool counts = round.is_accepted && round.violation <= options_.solver.constraint_tolerance;
  state.rounds.push_back(round);
  state.is_finished = int(state.rounds.size()) >= options_.rounds || state.solver.iteration >= most_iterations() ||
                      (counts && std::abs(before - round.total()) <= options_.tolerance * round.total());
}

MatrixXd MarkovAlternation::repeat(const VectorXd& network, const VectorXd& first, int count) const {
  MatrixXd repeated(first.size(), count);
  repeated.col(0) = first;
  NetworkBatch batch(shape_, 1);
  for (int k = 1; k < count; ++k) {
    recurrence_->features(repeated.col(k - 1), batch.inputs().col(0));
    evaluate(shape_, network, batch, 0, 1);
    recurrence_->next(repeated.col(k - 1), batch.outputs().col(0), repeated.col(k));
    if (repeated.col(k).allFinite()) continue;
    repeated.rightCols(count - k).setConstant(no_limit);
    break;
  }
  return repeated;
}

double distance_from_motion(const PointRecurrence& recurrence, const MatrixXd& repeated, const MatrixXd& motion) {
  const auto features_of = [&](const MatrixXd& states) {
    MatrixXd features(recurrence.feature_count(), states.cols());
    for (Eigen::Index k = 0; k < states.cols(); ++k) recurrence.features(states.col(k), features.col(k));
    return features;
  };
  if (!repeated.allFinite()) return no_limit;
  const MatrixXd of_motion = features_of(motion), of_repeated = features_of(repeated);
  double sum = 0;
  for (Eigen::Index k = 0; k < of_repeated.cols(); ++k)
    sum += (of_motion.colwise() - of_repeated.col(k)).colwise().squaredNorm().minCoeff();
  return std::sqrt(sum / double(of_repeated.cols() * of_repeated.rows()));
}

}  // namespace holo::articulated
