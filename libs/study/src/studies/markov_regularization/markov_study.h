#pragma once
// The study `markov_regularization`: one motion of a character without and with a network that has to predict it.
//
//   regularization: {weight: 1.0e-2, rounds: 25}
//   runs:
//     - {name: plain, network: none}
//     - {name: transitions, network: transitions, reference: plain}

#include <memory>
#include <string>
#include <vector>

#include "characters/character_drawing.h"
#include "holo/sim/articulated/trajectory/markov_alternation.h"
#include "studies/trajectory_optimization/strides.h"
#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

struct MarkovRun {
  std::string name;
  articulated::MarkovLoss loss = articulated::MarkovLoss::none;
  int hidden_units = 128;  // of each of the network's three hidden layers
  std::string reference;   // name of an earlier one; "": none

  bool has_network() const { return loss != articulated::MarkovLoss::none; }
};

struct MarkovPlan {
  TrajectoryPlan trajectory;
  articulated::MarkovOptions options = {};  // but for the loss and the hidden layers
  std::vector<MarkovRun> runs;
};

// Of one run.
struct MarkovOutcome {
  articulated::MarkovState state;
  double trajectory_time = 0, network_time = 0;  // [s]
  // Measures of the result, of a run that has ended.
  articulated::TrajectoryValues values;
  MotionMeasures motion;
  Strides strides;
  double distances[3] = {0, 0, 0};  // of the network's motion from the trajectory, in the horizons of repeated_horizons
};
// In the last of so many horizons of the trajectory the distance of the network's motion is taken.
inline constexpr int repeated_horizons[3] = {1, 3, 10};

class MarkovRegularization final : public Study {
 public:
  // Throws Error(input) as TrajectoryOptimization and articulated::MarkovAlternation do.
  MarkovRegularization(MarkovPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return drawing_ ? &drawing_->scene() : nullptr; }
  // A step is a part of a round. The total is an estimate: runs may end before their last round.
  std::int64_t total_steps() const override;
  std::int64_t steps_done() const override { return steps_; }
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  std::unique_ptr<articulated::MarkovAlternation> make_alternation(const MarkovRun& run) const;
  void begin_run();
  void end_run(StudyOutput& output);
  void log_round(StudyOutput& output) const;
  void write_rows(StudyOutput& output) const;
  void write_motion(StudyOutput& output);
  const MarkovOutcome* outcome_of(const std::string& name) const;
  int parts_of(const MarkovRun& run) const { return run.has_network() ? 2 : 1; }

  MarkovPlan plan_;
  CharacterObstacles obstacles_;
  std::unique_ptr<articulated::TrajectoryModel> model_;
  std::unique_ptr<articulated::MarkovAlternation> alternation_;  // of the present run
  std::unique_ptr<CharacterDrawing> drawing_;
  double frames_per_second_;

  // A checkpoint's state.
  std::int64_t steps_ = 0;
  bool has_begun_ = false;               // the last outcome is that of the present run
  std::vector<MarkovOutcome> outcomes_;  // of the runs until now
};

MarkovPlan read_markov_plan(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);
std::vector<Quantity> markov_metrics(const std::vector<MarkovRun>& runs);

}  // namespace holo
