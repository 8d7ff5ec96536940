#pragma once
// The host's side of a loss's `create`: reads its numbers, its subjects (bodies, controls, ...) and its signals.

#include <map>
#include <string>
#include <vector>

#include "configuration/parameter_bridge.h"
#include "holo/core/plugins/loss_plugin.h"

namespace holo {

// The subjects and signals of one section of the file, stored while an instance is made for each name of its list.
struct LossReading {
  std::map<std::string, std::vector<int>> subjects;  // numbers, by key
  std::map<std::string, int> signals;
  std::string list_key;             // the key of the subject that is a list or `all`; "" without one
  std::vector<std::string> listed;  // the names in it

  std::size_t instance_count() const { return list_key.empty() ? 1 : listed.size(); }
};

class LossBridge : public ParametersBridge {
 public:
  // `names` and `signals` are null while a schema is recorded. The instance is the one of the list's `index`-th name.
  LossBridge(Configuration& parameters, const SimulationNames* names, SignalNames* signals, LossReading& reading,
             std::size_t index)
      : ParametersBridge(parameters), names_(names), signals_(signals), reading_(reading), index_(index) {}

 protected:
  void answer(const holo_parameter& request, double* values, double* tangents) override;

 private:
  int subject(const holo_parameter& request);
  std::vector<int> read_subjects(const holo_parameter& request);
  Configuration::TextOrTexts expanded(const holo_parameter& request, const Configuration::TextOrTexts& text,
                                      const std::vector<std::string>& there, const std::vector<SimulationNames::Group>& groups);
  int signal(const holo_parameter& request);
  int read_signal(const holo_parameter& request);
  void normalize_orientation(const holo_parameter& request, std::vector<double>& quaternion);
  int named_signal(const holo_parameter& request, const std::string& name);
  void problem(const char* key, const std::string& text);

  const SimulationNames* names_;
  SignalNames* signals_;
  LossReading& reading_;
  std::size_t index_;
};

// The same from values by name: things in the simulation and signals are given by their numbers.
class LossValuesBridge : public ValuesBridge {
 public:
  using ValuesBridge::ValuesBridge;

 protected:
  void answer(const holo_parameter& request, double* values, double* tangents) override;
};

}  // namespace holo
