#pragma once
// Values of the file's nodes, and the words in which messages state the expected value.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "configuration/number.h"
#include "configuration/tree.h"
#include "holo/core/configuration.h"

namespace holo {

inline std::string with_article(const std::string& kind, const std::string& range, const std::string& unit) {
  const std::string of_unit = unit.empty() || unit == "1" ? "" : range.empty() ? " in " + unit : " " + unit;
  const std::string interval = range.empty() ? "" : range[0] == '(' || range[0] == '[' ? " in " + range : " " + range;
  return kind + interval + of_unit;
}

inline std::string expected_number(const NumberSpec& spec) {
  return with_article("a number", range_text(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded),
                      spec.unit);
}

inline bool allows(const NumberSpec& spec, double value) {
  return (spec.minimum_excluded ? value > spec.minimum : value >= spec.minimum) &&
         (spec.maximum_excluded ? value < spec.maximum : value <= spec.maximum);
}

inline double stand_in(const NumberSpec& spec) {
  return spec.default_value ? *spec.default_value
                            : holo::stand_in(spec.minimum, spec.maximum, spec.minimum_excluded, spec.maximum_excluded);
}

inline bool is_plain_scalar(const Node& node) { return node.kind == NodeKind::scalar && !node.quoted; }

inline std::optional<double> number_of(const Node& node) {
  return is_plain_scalar(node) ? to_number(node.text) : std::optional<double>();
}

// " Write 1000." of a number with separators of digits, or in quotes; else "".
inline std::string number_hint(const Node& node) {
  if (node.kind != NodeKind::scalar) return "";
  std::string digits;
  std::copy_if(node.text.begin(), node.text.end(), std::back_inserter(digits), [](char c) { return c != '_' && c != '\''; });
  return to_number(digits) && (node.quoted || digits != node.text) ? " Write " + digits + "." : "";
}

inline bool is_text(const Node& node) { return node.kind == NodeKind::scalar && (node.quoted || !is_boolean(node.text)); }

inline bool is_text_of(const Node& node, const TextSpec& spec) {
  const bool is_choice =
      spec.choices.empty() || std::find(spec.choices.begin(), spec.choices.end(), node.text) != spec.choices.end();
  return is_text(node) && is_choice && !node.silent;
}

}  // namespace holo
