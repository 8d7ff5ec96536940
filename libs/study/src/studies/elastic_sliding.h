#pragma once
// Sliding and sticking of surfaces with friction, as `elastic_dynamics` reports it for scenes in which something collides.

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/sliding_speed.h"
#include "holo/study/quantity_table.h"

namespace holo {

// The steps at the end of a motion in which no two surfaces slid faster than the stick speed.
struct StickingTotals {
  double time = 0;   // [s]
  double drift = 0;  // sum of the sliding speed times the time step [m]
};

const QuantityTable<StickingTotals>& sticking_metrics();

class ElasticSliding {
 public:
  // The scene lives longer.
  explicit ElasticSliding(const ElasticScene& scene) : scene_(scene), speed_(scene) {}

  std::vector<Quantity> columns() const;  // empty without contact, as the following
  std::vector<ColumnPlot> plots() const;
  // Appends the column's value after a time step. Null: it is the start of the motion, at which nothing slides.
  void observe(const ElasticState* before, const ElasticState& state, std::vector<double>& row);
  std::vector<Metric> metrics() const;

  void save(Archive& archive) const;
  void load(Archive& archive);

 private:
  bool has_contact() const { return scene_.contact.surface != nullptr; }

  const ElasticScene& scene_;
  SlidingSpeed speed_;
  StickingTotals totals_;
};

}  // namespace holo
