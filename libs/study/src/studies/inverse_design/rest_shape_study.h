#pragma once
// The study `inverse_design` with `response: rest_shape`: the rest shape that sags under gravity into a given one.

#include <memory>

#include "holo/sim/control/recorded_positions.h"
#include "studies/inverse_design/equilibrium_search.h"
#include "studies/inverse_design/rest_shape_plan.h"

namespace holo {

class RestShape final : public Study {
 public:
  // Throws Error(input), with the place in the file, for a body with inverted elements or without an equilibrium, at the start
  // and of the target.
  RestShape(RestShapePlan plan, double frames_per_second);

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
  static constexpr std::string_view kind = "inverse_design of a rest shape";

  Eigen::VectorXd unknowns(const std::vector<double>& values) const;  // of the designed parameters
  Eigen::VectorXd target_positions() const;
  void make_drawing(const TetrahedralMesh& mesh);
  void write_frame(StudyOutput& output, int step, const Eigen::VectorXd& u, const Eigen::VectorXd& x);

  RestShapePlan plan_;
  double frames_per_second_;
  Eigen::VectorXd units_;   // of the unknowns: the ranges of the parameters
  Eigen::VectorXd target_;  // positions [3 * vertex] [m]
  double length_ = 1;       // diagonal of the body at the start [m]
  std::unique_ptr<RecordedPositions> loss_;
  std::unique_ptr<RestShapeDesign> design_;
  Scene drawing_;

  EquilibriumSearch search_;  // the state of a checkpoint
};

std::vector<Quantity> rest_shape_metrics(const RestShapePlan& plan);

}  // namespace holo
