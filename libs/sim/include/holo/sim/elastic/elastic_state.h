#pragma once
// State of elastic bodies between time steps, and its exact bytes for checkpoints.

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>

namespace holo {

class ElasticModel;

// The complete state: with the model it determines all further steps.
struct ElasticState {
  std::int64_t step = 0;
  double time = 0;             // step * time_step [s]
  Eigen::VectorXd positions;   // [3 * vertex] [m]
  Eigen::VectorXd velocities;  // [3 * vertex] [m/s]
  // Positions and velocities one step earlier, for schemes that use them; empty at the start, and always for implicit Euler.
  Eigen::VectorXd previous_positions = {}, previous_velocities = {};
};

// The state at time 0: placed bodies with their initial velocities.
ElasticState initial_state(const ElasticModel& model);

// The state as bytes, exactly. `deserialize` throws Error(input) for bytes that are not a state of this model.
std::string serialize(const ElasticState& state);
ElasticState deserialize(const ElasticModel& model, std::string_view bytes);

}  // namespace holo
