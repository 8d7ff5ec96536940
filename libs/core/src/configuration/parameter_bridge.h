#pragma once
// The host's side of a plugin's `read`: answers its requests from an experiment file, or from values given by name. Nothing is
// thrown across the plugin ABI: what went wrong inside is kept, and thrown on by rethrow().

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/configuration.h"

namespace holo {

// A request's unit, range, default and documentation.
NumberSpec number_spec(const holo_parameter& request);
VectorSpec vector_spec(const holo_parameter& request);  // of a vector or direction

class ParameterBridge {
 public:
  virtual ~ParameterBridge() = default;
  ParameterBridge() = default;
  ParameterBridge(const ParameterBridge&) = delete;
  ParameterBridge& operator=(const ParameterBridge&) = delete;

  holo_parameter_reader reader();
  void rethrow() const;  // Error(input), when a request was malformed or could not be answered

 protected:
  // Sets values and tangents [1 or 3], which are 0. May throw.
  virtual void answer(const holo_parameter& request, double* values, double* tangents) = 0;

 private:
  static void read(void* self, const holo_parameter* request, double* values, double* tangents) noexcept;
  std::exception_ptr failure_;
};

// Reads from a mapping of an experiment file. Problems are reported through the configuration file.
class ParametersBridge : public ParameterBridge {
 public:
  explicit ParametersBridge(Configuration& parameters) : parameters_(parameters) {}

 protected:
  void answer(const holo_parameter& request, double* values, double* tangents) override;

 private:
  void answer_vector(const holo_parameter& request, double* values);

 protected:
  Configuration& parameters_;
};

// Reads values given by name (a vector's entries as "name.0", "name.1", "name.2"); a missing one takes its default. Tangents
// are those of the direction in which the value number `direction` grows by 1.
class ValuesBridge : public ParameterBridge {
 public:
  using Values = std::vector<std::pair<std::string, double>>;
  explicit ValuesBridge(const Values& values, std::size_t direction = static_cast<std::size_t>(-1))
      : values_(values), direction_(direction), used_(values.size(), false) {}

  // Throws Error(input) for a value that nothing asked for.
  void require_all_used() const;

 protected:
  void answer(const holo_parameter& request, double* values, double* tangents) override;
  // The number of the value of this name, which counts as used; none where no such value was given.
  std::optional<std::size_t> find(const std::string& name);
  double value(std::size_t number) const { return values_[number].second; }

 private:
  const Values& values_;
  std::size_t direction_;
  std::vector<bool> used_;
  std::vector<std::string> asked_;
};

}  // namespace holo
