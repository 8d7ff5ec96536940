// Values that may be written in several ways: one or a list of them, a number or a name.

#include "configuration/document.h"
#include "configuration/value.h"
#include "holo/core/name_list.h"

namespace holo {

Configuration::TextOrTexts Configuration::text_or_texts(std::string_view key, const TextSpec& spec) {
  if (document_->record) {
    document_->record->add(node_, key, record_text_or_texts(spec));
    return {};
  }
  const std::string one = spec.choices.empty() ? "text" : "one of: " + joined(spec.choices),
                    expected = one + ", or a list of such";
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    document_->report_missing(node_, key, expected);
    return {};
  }
  const Node& node = document_->tree.nodes[value];
  if (is_text_of(node, spec)) return {{node.text}, false};
  if (node.kind != NodeKind::sequence || node.children.empty()) {
    document_->report_wrong(node_, key, value, expected, is_text(node) ? suggestion(node.text, spec.choices) : "");
    return {};
  }
  TextOrTexts result{{}, true};
  bool good = true;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& entry = document_->tree.nodes[node.children[i]];
    result.entries.push_back(entry.text);
    if (is_text_of(entry, spec)) continue;
    good = false;
    document_->report_wrong(value, std::to_string(i), node.children[i], one,
                            is_text(entry) ? suggestion(entry.text, spec.choices) : "");
  }
  if (!good) result.entries.clear();
  return result;
}

Configuration::NumbersOrName Configuration::numbers_or_name(std::string_view key, std::size_t size, const std::string& what,
                                                            const NumberSpec& spec) {
  if (document_->record) {
    document_->record->add(node_, key, record_numbers_or_name(size, what, spec));
    return {};
  }
  const std::string list = size == 1 ? "" : ", a list of " + std::to_string(size) + " such",
                    expected = expected_number(spec) + list + ", or the name of " + what;
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (spec.default_value) return {{*spec.default_value}, ""};
    document_->report_missing(node_, key, expected);
    return {};
  }
  const Node& node = document_->tree.nodes[value];
  if (const std::optional<double> found = number_of(node); found && allows(spec, *found)) return {{*found}, ""};
  if (node.kind == NodeKind::scalar && is_text(node) && !number_of(node) && !node.silent && !node.text.empty())
    return {{}, node.text};
  if (node.kind != NodeKind::sequence || node.children.size() != size) {
    document_->report_wrong(node_, key, value, expected);
    return {};
  }
  NumbersOrName result;
  for (std::size_t i = 0; i < size; ++i) {
    const std::optional<double> found = number_of(document_->tree.nodes[node.children[i]]);
    if (found && allows(spec, *found)) {
      result.numbers.push_back(*found);
      continue;
    }
    document_->report_wrong(value, std::to_string(i), node.children[i], expected_number(spec));
  }
  if (result.numbers.size() < size) result.numbers.clear();
  return result;
}

void Configuration::record_per_element(std::string_view key, const NumberSpec& spec) {
  document_->record->add(node_, key, holo::record_per_element(record_number(spec)));
}

void Configuration::record_per_element(std::string_view key, const VectorSpec& spec) {
  document_->record->add(node_, key, holo::record_per_element(record_vector3(spec)));
}

}  // namespace holo
