#pragma once
// What losses read besides a simulation's unknowns.

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
  // As the simulation numbered them: [component][knot], or [component][1] of a constant. Where a signal is NaN it has no value,
  // and a loss that reads it has no term.
  std::vector<Eigen::MatrixXd> signals;
  Eigen::MatrixXd initial_controls = {};    // of the initial guess, in SI units: [control][knot], dependent ones too
  Eigen::VectorXd initial_parameters = {};  // of the initial guess, in SI units
  double time_step = 0;                     // [s]
  std::vector<int> task_beginnings = {};    // motion/motion_tasks.h: there time starts anew

  double signal(std::uint32_t number, std::uint32_t component, int knot) const;
  // The number that a loss asks for, at a knot.
  double value(const holo_datum& wanted, int knot) const;
  // Whether all signals that a loss reads have values at the knot.
  bool has_signals(const holo_loss_description& loss, int knot) const;
};

}  // namespace holo
