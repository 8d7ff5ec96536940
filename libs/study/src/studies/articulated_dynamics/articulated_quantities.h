#pragma once
// The columns and the metrics of the study `articulated_dynamics`.

#include "holo/study/quantity_table.h"
#include "studies/articulated_dynamics/articulated_steps.h"

namespace holo {

// Source of a row of metrics.csv.
struct ArticulatedRow {
  std::int64_t step;
  double time;  // [s]
  const articulated::CharacterMeasures& measures;
  const ContactTally& contacts;
  const articulated::StepResult& result;
};

// Source of the metrics, at the end.
struct ArticulatedOutcome {
  std::int64_t step;
  double mass;  // [kg]
  const articulated::CharacterMeasures& measures;
  const ContactTally& contacts;
  const StandingContact& standing;
  const ArticulatedTotals& totals;
};

double total_energy(const articulated::CharacterMeasures& measures, const ContactTally& contacts);

const QuantityTable<ArticulatedRow>& articulated_columns();
const QuantityTable<ArticulatedOutcome>& articulated_metrics();

}  // namespace holo
