#pragma once
// The columns and the metrics of the study `elastic_control`.

#include <cstdint>

#include "holo/sim/control/derivative_certificate.h"
#include "holo/sim/control/frame_control.h"
#include "holo/sim/elastic/elastic_observations.h"
#include "holo/study/quantity_table.h"

namespace holo {

// Source of a row of metrics.csv: the state after a frame, and how its activations were found.
struct ControlRow {
  const ElasticState& state;
  std::int64_t phase = 0;  // of the frame, from 0
  FrameResult frame = {};
  double regularization = 0;
  double largest_activation = 0;  // over the shear modulus of its body
  ElasticEnergies energies = {};
  ElasticDeterminants determinants = {};
  Vector3d center_of_mass = {};   // [m]
  InverseStepCounts counts = {};  // of this frame
  std::int64_t intersections = 0;
  double stiffening = 1;  // of contact, over the scene's stiffness
};

// Sums and extremes over the frames so far; part of a checkpoint.
struct ControlTotals {
  std::int64_t passes = 0, iterations = 0, iterations_maximum = 0;  // of minimizations; the last one in a pass
  std::int64_t fallbacks = 0, unconverged = 0, branch_jumps = 0, crushed_points = 0, failed_solves = 0;
  std::int64_t restarts = 0, substepped_frames = 0;
  std::int64_t forward_solves = 0, newton_iterations = 0, factorizations = 0, back_substitutions = 0, hessians = 0;
  std::int64_t inverted_elements = 0, intersections = 0;    // at the worst frame
  std::int64_t airborne_frames = 0, touching_vertices = 0;  // the latter at the frame with the most
  std::int64_t last_frame = -1;                             // step
  double minimum_determinant = 1, largest_activation = 0;
  double start_height = 0, largest_height = 0;  // of the center of mass [m]
  double lag_change_sum = 0;
  double largest_stiffening = 1;
};

// Source of the metrics.
struct ControlOutcome {
  const ElasticModel& model;
  const ElasticState& state;
  const ControlTotals& totals;
  std::int64_t activations = 0, phases_begun = 0;
  Vector3d displacement = {};  // of the center of mass [m]
  DerivativeCertificate certificate = {};
};

const QuantityTable<ControlRow>& control_columns();
const QuantityTable<ControlOutcome>& control_metrics();
// Those of the certificate, which is taken only where the experiment asks for it.
const QuantityTable<ControlOutcome>& certificate_metrics();

}  // namespace holo
