#pragma once
// What losses may call by name in a mechanism: bodies, controls, design parameters, and signals, which vary in time.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/loss_plugin.h"
#include "holo/sim/mechanism/mechanism_layout.h"

namespace holo {

class MechanismNames final : public SimulationNames {
 public:
  MechanismNames(std::shared_ptr<const MechanismLayout> layout, int instant_count);

  // A signal [component][instant] that losses may name. Throws Error(input) for a name that there is already, another number of
  // instants, or a value that is not finite, with the place.
  void add_signal(const std::string& name, Eigen::MatrixXd values);
  // A signal whose values come later, when set_signal() gives them; its number.
  int add_signal(const std::string& name, std::size_t component_count);
  void set_signal(int number, Eigen::MatrixXd values);
  // All, those of constants too, by number.
  const std::vector<Eigen::MatrixXd>& values() const { return values_; }

  std::string kind() const override { return "a mechanism"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;
  std::vector<Signal> signals() const override { return signals_; }
  int add_constant(const std::vector<double>& values) override;

 private:
  std::shared_ptr<const MechanismLayout> layout_;
  int instant_count_;
  std::vector<Signal> signals_;
  std::vector<Eigen::MatrixXd> values_;
};

}  // namespace holo
