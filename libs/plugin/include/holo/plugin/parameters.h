#pragma once
// The reader of a plugin's parameters. `read` runs with a reader of the host: of an experiment, of the recorder that collects
// schema and documentation, or of values that a study varies.

#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "holo/core/abi.h"
#include "holo/diff/matrix.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {

// The optional last argument of every parameter: {.default_value = 30, .documentation = "..."}.
template <class Value>
struct ParameterOptions {
  std::optional<Value> default_value = {};  // none: the parameter is required
  const char* documentation = "";           // one sentence; a literal, as all strings here
};

// The same for a number between two ends.
struct RangeOptions {
  std::optional<double> default_value = {};
  const char* documentation = "";
  bool include_minimum = false, include_maximum = false;  // the ends belong to the range
};

// P: double, or Nilpotent<1> for a derivative along the host's current direction in the parameters. `name` is the key in the
// experiment, in snake_case; `unit` is "1" for numbers without dimension.
template <class P>
class ParameterReader {
 public:
  explicit ParameterReader(const holo_parameter_reader* reader) : reader_(reader) {}

  // Any finite number.
  P number(const char* name, const char* unit, const ParameterOptions<double>& options = {}) const {
    return in_range(name, unit, -infinity, infinity, {options.default_value, options.documentation});
  }
  // > 0
  P positive(const char* name, const char* unit, const ParameterOptions<double>& options = {}) const {
    return in_range(name, unit, 0.0, infinity, {options.default_value, options.documentation});
  }
  // >= 0
  P non_negative(const char* name, const char* unit, const ParameterOptions<double>& options = {}) const {
    return in_range(name, unit, 0.0, infinity, {options.default_value, options.documentation, true});
  }
  // Between minimum and maximum, both excluded unless the options include them.
  P in_range(const char* name, const char* unit, double minimum, double maximum, const RangeOptions& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_NUMBER, name, unit, options.documentation);
    request.minimum = minimum;
    request.maximum = maximum;
    request.minimum_excluded = !options.include_minimum && minimum > -infinity;
    request.maximum_excluded = !options.include_maximum && maximum < infinity;
    set_default(request, options.default_value);
    return ask<1>(request)[0];
  }

  bool flag(const char* name, const ParameterOptions<bool>& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_BOOLEAN, name, "1", options.documentation);
    set_default(request, options.default_value);
    return plain_value(request) != 0.0;
  }

  // One of the texts. Returns its index, as the default value is one.
  int choice(const char* name, std::initializer_list<const char*> choices, const ParameterOptions<int>& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_CHOICE, name, "1", options.documentation);
    request.choices = choices.begin();
    request.choice_count = static_cast<std::uint32_t>(choices.size());
    set_default(request, options.default_value);
    return static_cast<int>(plain_value(request));
  }

  Vector3<P> vector3(const char* name, const char* unit, const ParameterOptions<Vector3<double>>& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_VECTOR3, name, unit, options.documentation);
    set_default(request, options.default_value);
    return ask<3>(request);
  }

  // A vector of length 1: the experiment's vector of any length but 0, scaled. A derivative type carries the scaling along.
  Vector3<P> direction(const char* name, const ParameterOptions<Vector3<double>>& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_DIRECTION, name, "1", options.documentation);
    set_default(request, options.default_value);
    const Vector3<P> vector = ask<3>(request);
    return vector / norm(vector);
  }

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // The host's number of something in the simulation that the file names.
  int subject(const char* name, holo_subject kind, const char* documentation) const {
    holo_parameter request = make_request(HOLO_PARAMETER_SUBJECT, name, "1", documentation);
    request.subject = std::uint32_t(kind);
    return int(plain_value(request));
  }
  // The host's number of a quantity of `components` numbers, none below the minimum, that may vary in time. The default value
  // is that of each component at all times.
  int signal(const char* name, const char* unit, int components, double minimum,
             const ParameterOptions<double>& options) const {
    holo_parameter request = make_request(HOLO_PARAMETER_SIGNAL, name, unit, options.documentation);
    request.minimum = minimum;
    request.component_count = std::uint32_t(components);
    set_default(request, options.default_value);
    return int(plain_value(request));
  }

 private:
  static holo_parameter make_request(holo_parameter_kind kind, const char* name, const char* unit, const char* documentation) {
    holo_parameter request = {};
    request.size = sizeof(request);
    request.kind = kind;
    request.name = name;
    request.unit = unit;
    request.documentation = documentation;
    request.minimum = -infinity;
    request.maximum = infinity;
    return request;
  }

  template <class Value>
  static void set_default(holo_parameter& request, const std::optional<Value>& value) {
    request.has_default = value.has_value();
    if (!value) return;
    if constexpr (std::is_same_v<Value, Vector3<double>>) {
      for (int i = 0; i < 3; ++i) request.default_value[i] = (*value)[i];
    } else {
      request.default_value[0] = *value;
    }
  }

  template <int N>
  Vector<P, N> ask(const holo_parameter& request) const {
    double values[3] = {}, tangents[3] = {};
    constexpr bool plain = std::is_same_v<P, double>;
    reader_->read(reader_->self, &request, values, plain ? nullptr : tangents);
    Vector<P, N> result{};
    for (int i = 0; i < N; ++i) {
      if constexpr (plain) {
        result[i] = values[i];
      } else {
        result[i] = P::seed(values[i], {tangents[i]});
      }
    }
    return result;
  }

  // The value of a parameter that has no derivative.
  double plain_value(const holo_parameter& request) const {
    double values[3] = {};
    reader_->read(reader_->self, &request, values, nullptr);
    return values[0];
  }

  const holo_parameter_reader* reader_;
};

}  // namespace holo
