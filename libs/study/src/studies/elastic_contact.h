#pragma once
// Columns, metrics and obstacles of contact that `elastic_dynamics` reports, for scenes in which something collides.

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/study/quantity_table.h"
#include "holo/study/scene.h"

namespace holo {

// Extremes over the steps so far, and the last step.
struct ContactTotals {
  double smallest_gap = std::numeric_limits<double>::max();  // [m]
  double largest_force = 0, last_force = 0;                  // [N]
  double last_touching = 0;                                  // vertices that are repelled
};

const QuantityTable<ContactTotals>& contact_metrics();

class ElasticContact {
 public:
  explicit ElasticContact(const SceneContact& contact) : contact_(contact) {}

  std::vector<Quantity> columns() const;  // empty without contact, as the following
  std::vector<ColumnPlot> plots() const;
  // Appends the columns' values at a state. States come one time step after the other.
  void observe(const ElasticState& state, std::vector<double>& row);
  std::vector<Metric> metrics() const;
  // The obstacles as they are drawn: rigid bodies, around the bodies of the model; and their poses at a time [s], [body][7].
  std::vector<SceneBody> drawn_obstacles(const ElasticModel& model) const;
  std::vector<double> poses(double time) const;

  void visit(Archive& archive);

 private:
  bool has_contact() const { return contact_.surface != nullptr; }

  const SceneContact& contact_;  // of the study's scene
  ContactTotals totals_;
};

}  // namespace holo
