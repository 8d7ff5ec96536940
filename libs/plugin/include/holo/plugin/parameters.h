#pragma once
// How a plugin reads its parameters. `read` runs against whatever reader the host brings: an experiment file, a recorder that
// writes down schema and documentation, values that a study varies. P is double, or a number that carries a derivative.

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

struct ParameterOptions {
  const char* documentation = "";            // one sentence; a literal, as all strings here
  std::optional<double> default_value = {};  // none: the parameter is required
  bool include_minimum = false;              // in_range(): the ends belong to the range
  bool include_maximum = false;
};

// P: double, or Nilpotent<1> for a derivative along the host's current direction in the parameters.
template <class P>
class ParameterReader {
 public:
  explicit ParameterReader(const holo_parameter_reader* reader) : reader_(reader) {}

  P number(const char* name, const char* unit, const ParameterOptions& options = {}) const {
    return in_range(name, unit, -infinity, infinity, options);
  }
  // > 0
  P positive(const char* name, const char* unit, const ParameterOptions& options = {}) const {
    return in_range(name, unit, 0.0, infinity, options);
  }
  // >= 0
  P non_negative(const char* name, const char* unit, ParameterOptions options = {}) const {
    options.include_minimum = true;
    return in_range(name, unit, 0.0, infinity, options);
  }
  // Between minimum and maximum, both excluded unless the options include them.
  P in_range(const char* name, const char* unit, double minimum, double maximum, const ParameterOptions& options = {}) const {
    holo_parameter request = make_request(HOLO_PARAMETER_NUMBER, name, unit, options.documentation);
    request.minimum = minimum;
    request.maximum = maximum;
    request.minimum_excluded = !options.include_minimum && minimum > -infinity;
    request.maximum_excluded = !options.include_maximum && maximum < infinity;
    request.has_default = options.default_value.has_value();
    request.default_value[0] = options.default_value.value_or(0.0);
    return ask<1>(request)[0];
  }

  bool flag(const char* name, std::optional<bool> default_value = {}, const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_BOOLEAN, name, "1", documentation);
    request.has_default = default_value.has_value();
    request.default_value[0] = default_value.value_or(false);
    return plain_value(request) != 0.0;
  }

  // The index of the choice.
  int choice(const char* name, std::initializer_list<const char*> choices, std::optional<int> default_index = {},
             const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_CHOICE, name, "1", documentation);
    request.choices = choices.begin();
    request.choice_count = static_cast<std::uint32_t>(choices.size());
    request.has_default = default_index.has_value();
    request.default_value[0] = default_index.value_or(0);
    return static_cast<int>(plain_value(request));
  }

  // Three entries.
  Vector3<P> vector3(const char* name, const char* unit, std::optional<Vector3<double>> default_value = {},
                     const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_VECTOR3, name, unit, documentation);
    request.has_default = default_value.has_value();
    for (int i = 0; default_value && i < 3; ++i) request.default_value[i] = (*default_value)[i];
    return ask<3>(request);
  }

  // A vector of length 1; the file's is scaled to it. A derivative type carries the scaling along.
  Vector3<P> direction(const char* name, std::optional<Vector3<double>> default_value = {},
                       const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_DIRECTION, name, "1", documentation);
    request.has_default = default_value.has_value();
    for (int i = 0; default_value && i < 3; ++i) request.default_value[i] = (*default_value)[i];
    const Vector3<P> vector = ask<3>(request);
    return vector / norm(vector);
  }

  // The host's number of something in the simulation that the file names.
  int subject(const char* name, holo_subject kind, const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_SUBJECT, name, "1", documentation);
    request.subject = std::uint32_t(kind);
    return int(plain_value(request));
  }
  // The host's number of a quantity of `components` numbers, none below the minimum, that may vary in time; with a default, all
  // of them that.
  int signal(const char* name, const char* unit, int components, double minimum = -infinity,
             std::optional<double> default_value = {}, const char* documentation = "") const {
    holo_parameter request = make_request(HOLO_PARAMETER_SIGNAL, name, unit, documentation);
    request.minimum = minimum;
    request.component_count = std::uint32_t(components);
    request.has_default = default_value.has_value();
    request.default_value[0] = default_value.value_or(0.0);
    return int(plain_value(request));
  }

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

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

  // Of what has no derivative.
  double plain_value(const holo_parameter& request) const {
    double values[3] = {};
    reader_->read(reader_->self, &request, values, nullptr);
    return values[0];
  }

  const holo_parameter_reader* reader_;
};

}  // namespace holo
