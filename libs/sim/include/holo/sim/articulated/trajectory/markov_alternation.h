#pragma once
// Trajectories with Markovian regularization [Pan2019, algorithm 2]: rounds of two parts, of which the first optimizes the
// trajectory for a fixed network, and the second the network for a fixed trajectory.
// docs/trajectory-optimization.md#repeatable-motions tells what is guaranteed.
//
//   MarkovAlternation alternation(model, options);
//   MarkovState state = alternation.begin();
//   while (alternation.advance(state)) log(state.rounds.back());

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/opt/trajectory/constraint_restoration.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "holo/sim/articulated/trajectory/markov_term.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

// What the network is fitted to: single transitions, the loss that the trajectory sees [Pan2019, Eq 14], or the whole motion
// that it repeats from the first point [Eq 16]. `none`: there is no network, and each round goes on with the trajectory alone.
enum class MarkovLoss { none, transitions, rollout };

struct MarkovOptions {
  MarkovLoss loss = MarkovLoss::transitions;
  PointFrame frame = PointFrame::heading;
  std::vector<int> hidden = {128, 128, 128};  // widths of the network's hidden layers
  double weight = 1e-2;                       // of the mean of |c_z+1 - next(c_z)|^2 over the transitions of normalized points
  int segment_length = 10;                    // L of the spline, >= 2
  TrajectoryEnd end = TrajectoryEnd::free;
  int rounds = 25, trajectory_iterations = 200, network_iterations = 1000;  // at most; iterations of each round
  double tolerance = 1e-4;  // relative change of the total in a round, below which the rounds end
  std::uint64_t seed = 0;   // of the network's first weights
  TrustRegionSqpOptions solver = {};
  RestorationOptions restoration = {};
  BlockTridiagonalOptions linear_algebra = {};
};

// At the end of a round.
struct MarkovRound {
  double objective = 0;    // E
  double transitions = 0;  // the weighted loss of transitions; E + transitions is the total
  double rollout = 0;      // the same weight times the loss of the repeated motion; infinite: it leaves the range of the motion
  double total_before_network = 0;  // with the network of the round before
  double violation = 0;             // C_red [N or N m]
  int trajectory_iterations = 0, network_iterations = 0;
  // False: the trajectory's part ended with a larger total or violated constraints, from a motion that satisfied them, and was
  // undone.
  bool is_accepted = true;
  std::string status, diagnosis;  // of the trajectory's solver; no diagnosis if it converged or goes on
  double total() const { return objective + transitions; }
};

// Between two parts: plain numbers for a checkpoint.
struct MarkovState {
  Eigen::VectorXd point, network;  // unknowns of the spline, weights
  double loss_scale = 1;
  TrustRegionSqpState solver;
  bool network_is_next = false;  // in the present round
  bool is_finished = false;
  MarkovRound round;  // the present one
  std::vector<MarkovRound> rounds;
};

class MarkovAlternation {
 public:
  // The model must outlive it. Throws Error(input) as PointRecurrence does and for a spline of fewer than two points after the
  // start.
  MarkovAlternation(const TrajectoryModel& model, const MarkovOptions& options);
  ~MarkovAlternation();

  // The character stays in the start, and so does the network's motion. Losses are scaled as TrajectoryStages does.
  MarkovState begin();
  // The next part of a round. False: it was the last one.
  bool advance(MarkovState& state);

  // Whether the state's sizes are those of this trajectory and network.
  bool fits(const MarkovState& state) const;

  TrajectoryProblem& problem() { return *problem_; }
  const PointRecurrence* recurrence() const { return recurrence_ ? &*recurrence_ : nullptr; }
  Eigen::MatrixXd states(const Eigen::VectorXd& point) const;  // normalized points 1 ... Z [2 dof][point]
  // The states that the network makes of the first one, which is the first column; infinite from where they are not finite.
  Eigen::MatrixXd repeat(const Eigen::VectorXd& network, const Eigen::VectorXd& first, int count) const;

 private:
  void advance_trajectory(MarkovState& state);
  void restore(Eigen::VectorXd& point);
  void advance_network(MarkovState& state);
  void end_round(MarkovState& state) const;
  int most_iterations() const;
  int minimize(SmoothFunction& loss, Eigen::VectorXd& network) const;

  const TrajectoryModel& model_;
  MarkovOptions options_;
  std::unique_ptr<TrajectoryProblem> problem_;
  std::optional<PointRecurrence> recurrence_;
  NetworkShape shape_;
  std::unique_ptr<MarkovTerm> term_;
  std::unique_ptr<TrustRegionSqp> solver_;
};

// How far repeated states are from those of a motion: the root of the mean over the states of the squared distance of their
// features from the nearest ones of the motion, over the root of the number of features. Infinite where one is not finite.
double distance_from_motion(const PointRecurrence& recurrence, const Eigen::MatrixXd& repeated, const Eigen::MatrixXd& motion);

}  // namespace holo::articulated
