#pragma once
// A time step of a model as one of the points of its embedding.

#include "holo/sim/dynamics/step_context.h"
#include "holo/sim/elastic/embedding.h"

namespace holo {

class EmbeddedStep {
 public:
  EmbeddedStep(const StepContext& of_vertices, const Embedding& embedding)
      : positions_(embedding.points(of_vertices.positions)),
        velocities_(embedding.points(of_vertices.velocities)),
        context_{positions_,           velocities_,        of_vertices.time_step, of_vertices.start_time,
                 of_vertices.end_time, of_vertices.formula} {
    if (!of_vertices.previous_positions) return;
    previous_positions_ = embedding.points(*of_vertices.previous_positions);
    previous_velocities_ = embedding.points(*of_vertices.previous_velocities);
    context_.previous_positions = &previous_positions_;
    context_.previous_velocities = &previous_velocities_;
  }
  EmbeddedStep(const EmbeddedStep&) = delete;
  EmbeddedStep& operator=(const EmbeddedStep&) = delete;

  // Of vectors [3 * point]; it lives as long as this.
  const StepContext& context() const { return context_; }

 private:
  Eigen::VectorXd positions_, velocities_, previous_positions_, previous_velocities_;
  StepContext context_;
};

}  // namespace holo
