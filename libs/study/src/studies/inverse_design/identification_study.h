#pragma once
// The study `inverse_design` with `response: equilibrium`: parameters of a material from a recorded equilibrium, or for the
// least losses of one.

#include <memory>

#include "holo/sim/control/equilibrium_losses.h"
#include "holo/sim/control/recorded_positions.h"
#include "studies/inverse_design/equilibrium_search.h"
#include "studies/inverse_design/identification_plan.h"

namespace holo {

class Identification final : public Study {
 public:
  // Throws Error(input), with the place in the file, where the scene, the recorded material or file, or a loss is refused, or
  // where the recorded deformation has no equilibrium.
  Identification(IdentificationPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<ColumnPlot> plots() const override { return EquilibriumSearch::plots(); }
  const Scene* scene() const override { return frames_per_second_ > 0 ? &drawing_ : nullptr; }
  std::vector<std::string> contents() const override;
  std::int64_t total_steps() const override { return 1; }
  std::int64_t steps_done() const override { return search_.steps_done; }
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override { return search_.serialize(kind); }
  void deserialize(std::string_view bytes) override { search_.deserialize(kind, bytes); }
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  static constexpr std::string_view kind = "inverse_design of an equilibrium";

  std::unique_ptr<StepLoss> make_loss() const;
  bool is_recorded() const { return plan_.losses.losses.empty(); }
  void make_drawing();
  void write_frame(StudyOutput& output, int step, const Eigen::VectorXd& positions);

  IdentificationPlan plan_;
  double frames_per_second_;
  SignalStore signals_;  // that handles, muscles and losses follow
  ElasticScene scene_;
  std::unique_ptr<MaterialParameters> material_;
  Eigen::VectorXd recorded_;  // positions [3 * vertex] [m]; empty: losses are minimized
  std::unique_ptr<StepLoss> loss_;
  Scene drawing_;

  EquilibriumSearch search_;  // the state of a checkpoint
};

std::vector<Quantity> identification_metrics(const IdentificationPlan& plan);

}  // namespace holo
