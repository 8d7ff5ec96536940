#pragma once
// Names and signals of a loss that is evaluated outside of a simulation: every name that its parameters contain exists, every
// observable does, and signals are constant.

#include <string>
#include <utility>
#include <vector>

#include "holo/core/plugins/loss_plugin.h"

namespace holo::python {

class FreeNames final : public SimulationNames {
 public:
  explicit FreeNames(std::vector<std::string> names) : names_(std::move(names)) {}
  std::string kind() const override { return "an evaluation outside of a simulation"; }
  bool has(holo_observable_kind, int) const override { return true; }
  std::vector<std::string> names(holo_subject) const override { return names_; }

 private:
  std::vector<std::string> names_;
};

class ConstantSignals final : public SignalNames {
 public:
  std::vector<Signal> signals() const override { return {}; }
  void add_bound(SignalBound bound) override { bounds_.push_back(std::move(bound)); }
  int add_constant(const std::vector<double>& values) override {
    values_.push_back(values);
    return static_cast<int>(values_.size()) - 1;
  }
  // Throws Error(input) where a value is below its bound.
  void require_bounds() const;
  const std::vector<double>& values(std::size_t signal) const { return values_.at(signal); }

 private:
  std::vector<SignalBound> bounds_;
  std::vector<std::vector<double>> values_;  // by number
};

}  // namespace holo::python
