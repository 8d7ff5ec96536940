#pragma once
// Store of named signals: targets, weights and motions that losses and handles read at the knots of a motion of one or several
// tasks (motion/motion_tasks.h).

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/motion/motion_tasks.h"

namespace holo {

class SignalStore : public SignalNames {
 public:
  explicit SignalStore(int knot_count) : tasks_{{0, knot_count}} {}
  // Appends a task, in which the signals have no values yet.
  void add_task(int knot_count);
  const std::vector<MotionTask>& tasks() const { return tasks_; }

  // Adds a signal [component][knot of the first task]. Throws Error(input) for a name that already exists,
  // another number of knots, or a value that is not finite, with the place.
  void add_signal(const std::string& name, const Eigen::MatrixXd& values);
  // Adds a signal without values (NaN) and returns its number; set_signal() sets its values for a task.
  int add_signal(const std::string& name, std::size_t component_count);
  void set_signal(int number, const Eigen::MatrixXd& values, std::size_t task = 0);
  // All signals by number: [component][knot of all tasks], of a constant [component][1].
  const std::vector<Eigen::MatrixXd>& values() const { return values_; }

  std::vector<Signal> signals() const override { return signals_; }
  int add_constant(const std::vector<double>& values) override;
  void add_bound(SignalBound bound) override { bounds_.push_back(std::move(bound)); }
  // Throws Error(input), with the loss's place, where a value is below a bound; values that are not given yet are not judged.
  void require_bounds() const;

 private:
  std::vector<MotionTask> tasks_;
  std::vector<Signal> signals_;
  std::vector<Eigen::MatrixXd> values_;
  std::vector<SignalBound> bounds_;
};

}  // namespace holo
