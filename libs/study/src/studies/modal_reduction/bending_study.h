#pragma once
// The study `modal_reduction`, response `equilibrium`: a held body under growing loads, of all its unknowns and in three
// reduced bases of equal size.

#include <array>
#include <memory>
#include <vector>

#include "holo/core/numerics/workspace_pool.h"
#include "holo/sim/elastic/element_fields.h"
#include "holo/sim/reduction/reduced_equilibrium.h"
#include "studies/modal_reduction/reduced_body.h"
#include "studies/quasi_statics/static_state.h"

namespace holo {

inline constexpr std::size_t basis_count = 3;  // linear modes, with derivatives of first, and of second order, too
inline constexpr std::array<const char*, basis_count> basis_names = {"linear", "order_1", "order_2"};

// One basis: its equilibria, compared with those of the full body.
struct BentBasis {
  Eigen::MatrixXd columns = {};     // [3 * vertex][column]
  Eigen::VectorXd amplitudes = {};  // of the last equilibrium
  double tip_error = 0;             // distance of the tip's mean displacement from the full one, over its length
  double error = 0;                 // of all displacements, in the norm of M
  std::int64_t iterations = 0;      // of all loads
  std::int64_t failures = 0;        // loads without an equilibrium
};

// What a checkpoint keeps of a run beside its full motion.
struct BendingRecord {
  bool is_reduced = false;
  ReductionNumbers numbers;
  std::array<BentBasis, basis_count> bases;
  std::int64_t loads = 0, unordered_loads = 0;  // the latter: at which errors do not fall from basis to basis
  double tip_displacement = 0;                  // of the full body, over its length

  void visit(Archive& archive);
};

struct BendingRun : BendingRecord {
  StaticRun run;
  std::string title;
  std::unique_ptr<StaticMotion> motion;   // of the full body
  std::unique_ptr<QuasiStatics> statics;  // whose potential the bases minimize
  std::vector<int> tip;                   // vertices
  double mass_norm(const Eigen::VectorXd& u) const;
};

class BendingBases final : public Study {
 public:
  // Throws Error(input), with the place in the file, for bodies that cannot be reduced.
  BendingBases(BendingPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override;
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override;
  std::int64_t total_steps() const override { return std::int64_t(runs_.size()) + plan_.statics.scene.step_count(); }
  std::int64_t steps_done() const override { return steps_done_; }

  void begin(StudyOutput& output) override { write_frame(output); }
  StepResult step(StudyOutput& output) override;  // reduces the body of a run; then a load of all
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  std::int64_t loads_done() const { return std::max<std::int64_t>(0, steps_done_ - std::int64_t(runs_.size())); }
  StepResult reduce(BendingRun& run, StudyOutput& output);
  void load(BendingRun& run);
  void compare(BendingRun& run, BentBasis& basis);
  void make_scene();
  void write_frame(StudyOutput& output);

  BendingPlan plan_;
  double frames_per_second_;
  std::vector<BendingRun> runs_;
  std::int64_t steps_done_ = 0;
  WorkspacePool<NewtonWorkspace> workspaces_;
  Scene scene_;
};

// Of a plan's runs.
std::vector<Quantity> bending_metrics(const BendingPlan& plan);
std::vector<Metric> bending_results(const std::vector<BendingRun>& runs);
std::vector<Table> bending_tables(const std::vector<BendingRun>& runs);
std::vector<Quantity> bending_columns();
std::vector<double> bending_row(std::size_t number, const BendingRun& run);

}  // namespace holo
