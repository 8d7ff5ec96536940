#include "configuration/parameter_bridge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "configuration/number.h"
#include "holo/core/error.h"

namespace holo {

namespace {

int size_of(const holo_parameter& request) {
  return request.kind == HOLO_PARAMETER_VECTOR3 || request.kind == HOLO_PARAMETER_DIRECTION ? 3 : 1;
}

void require(bool condition, const std::string& text) {
  if (!condition) throw Error(Failure::input, "its 'read' asks for a parameter wrongly: " + text);
}

void require_well_formed(const holo_parameter* request, const double* values) {
  require(request != nullptr && values != nullptr, "a null pointer");
  require(request->size == sizeof(holo_parameter),
          "a request of " + std::to_string(request->size) + " bytes, not " + std::to_string(sizeof(holo_parameter)));
  require(request->name != nullptr && request->unit != nullptr && request->documentation != nullptr,
          "its name, unit or documentation is a null pointer");
  const std::string name = request->name;
  require(request->kind <= HOLO_PARAMETER_SIGNAL, "'" + name + "' is of the unknown kind " + std::to_string(request->kind));
  require(!(request->minimum > request->maximum) && !std::isnan(request->minimum) && !std::isnan(request->maximum),
          "the range of '" + name + "' is empty");
  require(request->kind != HOLO_PARAMETER_SUBJECT || request->subject < HOLO_SUBJECT_COUNT,
          "'" + name + "' names something of the unknown class " + std::to_string(request->subject));
  require(request->kind != HOLO_PARAMETER_SIGNAL || (request->component_count > 0 && request->component_count <= 1000),
          "'" + name + "' is a signal of " + std::to_string(request->component_count) + " numbers; allowed are 1 to 1000");
  if (request->kind != HOLO_PARAMETER_CHOICE) return;
  require(request->choices != nullptr && request->choice_count > 0, "'" + name + "' has no choices");
  for (std::uint32_t i = 0; i < request->choice_count; ++i)
    require(request->choices[i] != nullptr, "a choice of '" + name + "' is a null pointer");
  require(!request->has_default || (request->default_value[0] >= 0 && request->default_value[0] < request->choice_count),
          "the default of '" + name + "' is none of its choices");
}

}  // namespace

NumberSpec number_spec(const holo_parameter& request) {
  NumberSpec spec;
  spec.unit = request.unit;
  spec.minimum = request.minimum;
  spec.maximum = request.maximum;
  spec.minimum_excluded = request.minimum_excluded != 0;
  spec.maximum_excluded = request.maximum_excluded != 0;
  if (request.has_default) spec.default_value = request.default_value[0];
  spec.documentation = request.documentation;
  return spec;
}

VectorSpec vector_spec(const holo_parameter& request) {
  VectorSpec spec;
  spec.unit = request.unit;
  spec.minimum = request.minimum;
  spec.maximum = request.maximum;
  if (request.has_default) spec.default_value = {request.default_value[0], request.default_value[1], request.default_value[2]};
  spec.documentation = request.documentation;
  return spec;
}

namespace {

// Bounds arrive as doubles: those beyond 2^53 mean none.
IntegerSpec integer_spec(const holo_parameter& request) {
  constexpr double exact = 9007199254740992.0;
  IntegerSpec spec;
  if (request.minimum > -exact)
    spec.minimum = static_cast<std::int64_t>(std::ceil(request.minimum)) +
                   (request.minimum_excluded && request.minimum == std::ceil(request.minimum) ? 1 : 0);
  if (request.maximum < exact)
    spec.maximum = static_cast<std::int64_t>(std::floor(request.maximum)) -
                   (request.maximum_excluded && request.maximum == std::floor(request.maximum) ? 1 : 0);
  if (request.has_default) spec.default_value = static_cast<std::int64_t>(request.default_value[0]);
  spec.documentation = request.documentation;
  return spec;
}

std::size_t index_of(const std::string& text, const std::vector<std::string>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  return found == choices.end() ? 0 : static_cast<std::size_t>(found - choices.begin());
}

// Only losses and body energies name things in a simulation; they have bridges of their own.
void require_plain(const holo_parameter& request) {
  require(request.kind != HOLO_PARAMETER_SUBJECT && request.kind != HOLO_PARAMETER_SIGNAL,
          "'" + std::string(request.name) + "' is something in a simulation, which only a loss or a body energy may ask for");
}

}  // namespace

holo_parameter_reader ParameterBridge::reader() { return {sizeof(holo_parameter_reader), this, &ParameterBridge::read}; }

void ParameterBridge::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

void ParameterBridge::read(void* self, const holo_parameter* request, double* values, double* tangents) noexcept {
  ParameterBridge& bridge = *static_cast<ParameterBridge*>(self);
  try {
    require_well_formed(request, values);
    std::fill_n(values, size_of(*request), 0.0);
    double unused[3] = {};
    if (tangents != nullptr) std::fill_n(tangents, size_of(*request), 0.0);
    bridge.answer(*request, values, tangents == nullptr ? unused : tangents);
  } catch (...) {
    if (!bridge.failure_) bridge.failure_ = std::current_exception();
  }
}

void ParametersBridge::answer(const holo_parameter& request, double* values, double*) {
  require_plain(request);
  const std::optional<double> first = request.has_default ? std::optional(request.default_value[0]) : std::nullopt;
  switch (request.kind) {
    case HOLO_PARAMETER_NUMBER:
      values[0] = parameters_.number(request.name, number_spec(request));
      break;
    case HOLO_PARAMETER_INTEGER:
      values[0] = static_cast<double>(parameters_.integer(request.name, integer_spec(request)));
      break;
    case HOLO_PARAMETER_BOOLEAN:
      values[0] = parameters_.boolean(request.name, first ? std::optional(*first != 0) : std::nullopt, request.documentation);
      break;
    case HOLO_PARAMETER_CHOICE: {
      TextSpec spec;
      spec.choices.assign(request.choices, request.choices + request.choice_count);
      if (first) spec.default_value = spec.choices[static_cast<std::size_t>(*first)];
      spec.documentation = request.documentation;
      values[0] = static_cast<double>(index_of(parameters_.text(request.name, spec), spec.choices));
      break;
    }
    default:
      answer_vector(request, values);
  }
}

void ParametersBridge::answer_vector(const holo_parameter& request, double* values) {
  const bool had_problems = parameters_.has_problems();
  const std::array<double, 3> vector = parameters_.vector3(request.name, vector_spec(request));
  std::copy(vector.begin(), vector.end(), values);
  if (request.kind != HOLO_PARAMETER_DIRECTION || vector != std::array<double, 3>{}) return;
  values[0] = 1;  // no direction: one that can be scaled to length 1, so that reading goes on
  const bool told = parameters_.has_problems() && !had_problems;  // what was found is no vector at all
  if (parameters_.recording() || told || !parameters_.has(request.name)) return;
  parameters_.problem(parameters_.location(request.name),
                      "'" + std::string(request.name) + "' is [0, 0, 0]; a direction needs an entry that is not 0");
}

void ValuesBridge::answer(const holo_parameter& request, double* values, double* tangents) {
  require_plain(request);
  const int size = size_of(request);
  const bool differentiable = request.kind == HOLO_PARAMETER_NUMBER || size == 3;
  const NumberSpec spec = number_spec(request);
  for (int i = 0; i < size; ++i) {
    const std::string name = size == 1 ? request.name : request.name + ("." + std::to_string(i));
    const std::optional<std::size_t> found = find(name);
    if (!found) {
      if (!request.has_default)
        throw Error(Failure::input, "its parameter '" + name + "' has no default, and no value was given");
      values[i] = request.default_value[i];
      continue;
    }
    values[i] = value(*found);
    if (differentiable && *found == direction_) tangents[i] = 1;
    const bool inside = (spec.minimum_excluded ? values[i] > spec.minimum : values[i] >= spec.minimum) &&
                        (spec.maximum_excluded ? values[i] < spec.maximum : values[i] <= spec.maximum);
    if (!inside)
      throw Error(Failure::input, "its parameter '" + name + "' is " + format_number(values[i]) + "; allowed: " +
                                      range_text(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded));
  }
  if (request.kind == HOLO_PARAMETER_DIRECTION && values[0] == 0 && values[1] == 0 && values[2] == 0)
    throw Error(Failure::input,
                "its parameter '" + std::string(request.name) + "' is [0, 0, 0]; a direction needs an entry that is not 0");
}

std::optional<std::size_t> ValuesBridge::find(const std::string& name) {
  asked_.push_back(name);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].first != name) continue;
    used_[i] = true;
    return i;
  }
  return {};
}

void ValuesBridge::require_all_used() const {
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (!used_[i])
      throw Error(Failure::input, "it has no parameter '" + values_[i].first + "'." + suggestion(values_[i].first, asked_));
}

}  // namespace holo
