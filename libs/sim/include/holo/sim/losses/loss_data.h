#pragma once
// Data of losses besides a simulation's unknowns: signals, initial controls and parameters, time step, tasks.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/plugins/loss_plugin.h"

namespace holo {

struct NamedLoss {
  std::string name;  // for reports and errors: "track_position.hand"
  std::shared_ptr<const LossInstance> instance;
  Location location = {};  // in the experiment, for errors; empty where there is none
};

// Throws Error(input): the location, "the loss NAME", the reason.
[[noreturn]] void refuse_loss(const NamedLoss& loss, const std::string& reason);

struct LossData {
  // Values of the simulation's signals, each [component][knot], or [component][1] if constant. At a NaN the signal has no
  // value, and a loss that reads it has no term.
  std::vector<Eigen::MatrixXd> signals;
  Eigen::MatrixXd initial_controls = {};    // of the initial motion, SI: [control][knot], dependent ones too
  Eigen::VectorXd initial_parameters = {};  // of the initial design, SI: [parameter_count]
  double time_step = 0;                     // [s]
  std::vector<int> task_beginnings = {};    // first knots of the tasks but the first (motion/motion_tasks.h)

  double signal(std::uint32_t number, std::uint32_t component, int knot) const;
  // The datum of a loss at a knot.
  double value(const holo_datum& wanted, int knot) const;
  // True if all signals that a loss reads have values at the knot.
  bool has_signals(const holo_loss_description& loss, int knot) const;
};

}  // namespace holo
