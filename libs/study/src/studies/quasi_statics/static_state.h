#pragma once
// A run of the study `quasi_statics`: its state, and what is observed at each equilibrium.

#include <memory>
#include <string>

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/quasi_statics.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {

struct StaticObservation {
  double elastic_energy = 0, potential_energy = 0;  // [J]; the latter with gravity, loads and contact
  double volume_ratio = 1;                          // volume of all bodies over that at rest
  double minimum_determinant = 1;
  int inverted_elements = 0;
  double reaction_force = 0, reaction_moment = 0;  // the largest of a handle [N], [N m]; moments about its center
  double largest_displacement = 0;                 // of a vertex from where it is at the start [m]
  double residual = 0;                             // largest force on a vertex that is left along a free axis [N]
};

struct StaticTotals {
  std::int64_t iterations = 0, factorizations = 0, increments = 0, refused = 0, singular_points = 0, kinks = 0;
  std::int64_t inverted_elements = 0;  // at the worst step
  std::int64_t energy_decreases = 0;   // steps after which the elastic energy was smaller than before
  double minimum_determinant = 1;
  double distance = 0;  // largest distance of a vertex from where it is in the reference [m]
};

class StaticMotion {
 public:
  StaticMotion(const ElasticSceneDefinition& definition, const QuasiStaticOptions& options)
      : scene_(definition), statics_(scene_, options), state_(initial_state(*scene_.model)) {
    observe();
    residual_at_start_ = observation_.residual;
  }

  // The next step, unless the run has failed; a failure is kept, with its diagnosis.
  void step(NewtonWorkspace& workspace);
  // Another motion of the same mesh at the same step, with which this one is compared.
  void compare(const StaticMotion& reference);
  bool has_failed() const { return !diagnosis_.empty(); }
  const std::string& diagnosis() const { return diagnosis_; }

  const ElasticScene& scene() const { return scene_; }
  const ElasticModel& model() const { return *scene_.model; }
  const ElasticState& state() const { return state_; }
  const QuasiStaticResult& last() const { return last_; }
  const StaticObservation& observation() const { return observation_; }
  const StaticTotals& totals() const { return totals_; }
  double residual_at_start() const { return residual_at_start_; }  // StaticObservation::residual [N]

  void save(Archive& archive) const;
  void load(Archive& archive);

 private:
  void observe();
  void measure_reactions();

  ElasticScene scene_;
  QuasiStatics statics_;
  ElasticState state_;
  QuasiStaticResult last_;
  StaticObservation observation_;
  StaticTotals totals_;
  double residual_at_start_ = 0;
  std::string diagnosis_;
};

}  // namespace holo
