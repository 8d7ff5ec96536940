#include "configuration/record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "configuration/number.h"
#include "holo/core/name_list.h"

namespace holo {

RecordedParameter& ParameterRecord::add(std::size_t mapping, std::string_view key, RecordedParameter parameter) {
  RecordedMapping& record = mappings_[mapping];
  for (auto& [name, existing] : record.parameters)
    if (name == key) return existing;
  if (record.asked_for.count(std::string(key)) != 0) parameter.required = false;
  return record.parameters.emplace_back(std::string(key), std::move(parameter)).second;
}

std::size_t ParameterRecord::add_mapping() {
  mappings_.emplace_back();
  return mappings_.size() - 1;
}

std::size_t ParameterRecord::add_mapping(std::size_t mapping, std::string_view key, RecordedParameter parameter) {
  RecordedParameter& added = add(mapping, key, std::move(parameter));
  if (!added.mapping) {
    added.mapping = mappings_.size();
    mappings_.emplace_back();
  }
  return *added.mapping;
}

namespace {

using Json = nlohmann::ordered_json;

// The documentation with its unit, as an editor shows it.
void describe(const std::string& unit, std::string_view documentation, Json* schema) {
  std::string text(documentation);
  if (unit != "1" && !unit.empty()) text += (text.empty() ? "[" : " [") + unit + "]";
  if (!text.empty()) (*schema)["description"] = text;
}

Json bounded(double minimum, double maximum, bool minimum_excluded, bool maximum_excluded) {
  Json schema = {{"type", "number"}};
  if (!std::isinf(minimum)) schema[minimum_excluded ? "exclusiveMinimum" : "minimum"] = minimum;
  if (!std::isinf(maximum)) schema[maximum_excluded ? "exclusiveMaximum" : "maximum"] = maximum;
  return schema;
}

RecordedParameter recorded(std::string kind, std::string_view documentation, bool required) {
  RecordedParameter parameter;
  parameter.kind = std::move(kind);
  parameter.documentation = std::string(documentation);
  parameter.required = required;
  return parameter;
}

}  // namespace

RecordedParameter record_number(const NumberSpec& spec) {
  RecordedParameter parameter = recorded("number", spec.documentation, !spec.default_value);
  parameter.unit = spec.unit;
  parameter.range = range_text(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded);
  parameter.schema = bounded(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded);
  if (spec.default_value) {
    parameter.default_value = format_number(*spec.default_value);
    parameter.schema["default"] = *spec.default_value;
  }
  describe(spec.unit, spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_integer(const IntegerSpec& spec) {
  RecordedParameter parameter = recorded("integer", spec.documentation, !spec.default_value);
  parameter.range = range_text(spec.minimum, spec.maximum);
  parameter.schema = {{"type", "integer"}};
  if (spec.minimum != std::numeric_limits<std::int64_t>::min()) parameter.schema["minimum"] = spec.minimum;
  if (spec.maximum != std::numeric_limits<std::int64_t>::max()) parameter.schema["maximum"] = spec.maximum;
  if (spec.default_value) {
    parameter.default_value = std::to_string(*spec.default_value);
    parameter.schema["default"] = *spec.default_value;
  }
  describe("1", spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_boolean(std::optional<bool> default_value, std::string_view documentation) {
  RecordedParameter parameter = recorded("boolean", documentation, !default_value);
  parameter.schema = {{"type", "boolean"}};
  if (default_value) {
    parameter.default_value = *default_value ? "true" : "false";
    parameter.schema["default"] = *default_value;
  }
  describe("1", documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_text(const TextSpec& spec) {
  RecordedParameter parameter = recorded("text", spec.documentation, !spec.default_value);
  if (!spec.choices.empty()) {
    parameter.range = "one of: " + joined(spec.choices);
    parameter.schema = {{"enum", spec.choices}};
  } else {
    parameter.schema = {{"type", {"string", "number"}}};  // 'figure: 8' is text too
  }
  if (spec.default_value) {
    parameter.default_value = *spec.default_value;
    parameter.schema["default"] = *spec.default_value;
  }
  describe("1", spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_vector3(const VectorSpec& spec) {
  RecordedParameter parameter = recorded("vector3", spec.documentation, !spec.default_value);
  parameter.unit = spec.unit;
  parameter.range = range_text(spec.minimum, spec.maximum, false, false);
  parameter.schema = {
      {"type", "array"}, {"items", bounded(spec.minimum, spec.maximum, false, false)}, {"minItems", 3}, {"maxItems", 3}};
  if (spec.default_value) {
    const auto& v = *spec.default_value;
    parameter.default_value = "[" + format_number(v[0]) + ", " + format_number(v[1]) + ", " + format_number(v[2]) + "]";
    parameter.schema["default"] = v;
  }
  describe(spec.unit, spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_numbers(std::size_t minimum_size, std::size_t maximum_size, const NumberSpec& spec) {
  RecordedParameter parameter = recorded("list", spec.documentation, !spec.default_value);
  parameter.unit = spec.unit;
  parameter.is_list = true;
  const std::string range = range_text(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded);
  parameter.range = size_text(minimum_size, maximum_size) + (range.empty() ? "" : ", each " + range);
  parameter.schema = {{"type", "array"},
                      {"items", bounded(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded)},
                      {"minItems", minimum_size}};
  if (maximum_size != static_cast<std::size_t>(-1)) parameter.schema["maxItems"] = maximum_size;
  if (spec.default_value) {
    const std::vector<double> values(minimum_size, *spec.default_value);
    parameter.schema["default"] = values;
    parameter.default_value = std::to_string(minimum_size) + " times " + format_number(*spec.default_value);
  }
  describe(spec.unit, spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_texts(std::size_t minimum_size, std::size_t maximum_size, const TextSpec& spec) {
  RecordedParameter parameter = recorded("list", spec.documentation, minimum_size > 0);
  parameter.is_list = true;
  RecordedParameter each = record_text(spec);
  each.schema.erase("default");
  each.schema.erase("description");
  parameter.range = size_text(minimum_size, maximum_size) + (each.range.empty() ? "" : ", each " + each.range);
  parameter.schema = {{"type", "array"}, {"items", each.schema}, {"minItems", minimum_size}};
  if (maximum_size != static_cast<std::size_t>(-1)) parameter.schema["maxItems"] = maximum_size;
  describe("1", spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_text_or_texts(const TextSpec& spec) {
  RecordedParameter parameter = record_text({spec.choices, {}, {}});
  parameter.kind = "text or list";
  parameter.documentation = spec.documentation;
  const Json one = parameter.schema;
  parameter.schema = {{"anyOf", Json::array({one, {{"type", "array"}, {"items", one}, {"minItems", 1}}})}};
  describe("1", spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_numbers_or_name(std::size_t size, const std::string& what, const NumberSpec& spec) {
  RecordedParameter parameter = record_number(spec);
  parameter.kind = "number or name";
  const std::string list = size == 1 ? "" : ", a list of " + std::to_string(size);
  parameter.range += (parameter.range.empty() ? "a number" : ", a number") + list + ", or the name of " + what;
  const Json one = bounded(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded);
  const Json list_of = {{"type", "array"}, {"items", one}, {"minItems", size}, {"maxItems", size}};
  parameter.schema = {{"anyOf", Json::array({one, list_of, {{"type", "string"}, {"minLength", 1}}})}};
  if (spec.default_value) parameter.schema["default"] = *spec.default_value;
  describe(spec.unit, spec.documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_per_element(RecordedParameter parameter) {
  parameter.kind += ", or per element";
  const Json formula = {{"type", "string"}, {"minLength", 1}}, source = {{"type", "object"}};
  Json one = parameter.schema;
  parameter.schema = Json::object();
  for (const char* key : {"default", "description"}) {
    if (!one.contains(key)) continue;
    parameter.schema[key] = one[key];
    one.erase(key);
  }
  if (one.contains("items")) {
    one["items"] = {{"anyOf", Json::array({one["items"], formula})}};
    parameter.schema["anyOf"] = Json::array({one, source});
  } else {
    parameter.schema["anyOf"] = Json::array({one, formula, source});
  }
  return parameter;
}

RecordedParameter record_file(std::string_view documentation) {
  RecordedParameter parameter = recorded("file", documentation, true);
  parameter.schema = {{"type", "string"}, {"minLength", 1}};
  describe("1", documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_section(std::string_view documentation, bool required) {
  RecordedParameter parameter = recorded("section", documentation, required);
  describe("1", documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_list(std::string_view documentation, std::size_t minimum_size) {
  RecordedParameter parameter = recorded("list", documentation, minimum_size > 0);
  parameter.is_list = true;
  if (minimum_size > 0) parameter.range = size_text(minimum_size, static_cast<std::size_t>(-1));
  parameter.schema = {{"type", "array"}, {"minItems", minimum_size}};
  describe("1", documentation, &parameter.schema);
  return parameter;
}

RecordedParameter record_free(std::string_view documentation, bool required) {
  RecordedParameter parameter = recorded("section", documentation, required);
  parameter.range = "free form";
  parameter.schema = Json::object();
  describe("1", documentation, &parameter.schema);
  return parameter;
}

}  // namespace holo
