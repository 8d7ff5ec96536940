#pragma once
// What losses may call by name in a mechanism: bodies, controls, design parameters, and signals, which vary in time.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/kinematics/motion_tasks.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

class MechanismNames final : public SimulationNames {
 public:
  MechanismNames(std::shared_ptr<const MechanismLayout> layout, int instant_count);
  // One more task, behind those that there are (motion_tasks.h): signals have no values in it until they are given some.
  void add_task(int instant_count);
  const std::vector<MotionTask>& tasks() const { return tasks_; }

  // A signal [component][instant] of the first task that losses may name. Throws Error(input) for a name that there is already,
  // another number of instants, or a value that is not finite, with the place.
  void add_signal(const std::string& name, const Eigen::MatrixXd& values);
  // A signal whose values come later, when set_signal() gives them for a task; its number. Until then they are NaN.
  int add_signal(const std::string& name, std::size_t component_count);
  void set_signal(int number, const Eigen::MatrixXd& values, std::size_t task = 0);
  // All, those of constants too, by number; [component][instant of all tasks].
  const std::vector<Eigen::MatrixXd>& values() const { return values_; }

  std::string kind() const override { return "a mechanism"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;
  std::vector<Signal> signals() const override { return signals_; }
  int add_constant(const std::vector<double>& values) override;

 private:
  std::shared_ptr<const MechanismLayout> layout_;
  std::vector<MotionTask> tasks_;
  std::vector<Signal> signals_;
  std::vector<Eigen::MatrixXd> values_;
};

}  // namespace holo
