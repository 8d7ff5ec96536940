// Reading what holds values: sections, lists, choices, free-form parts; and the handle's questions.

#include <algorithm>
#include <utility>

#include "configuration/document.h"
#include "configuration/number.h"

namespace holo {

Configuration Configuration::section(std::string_view key, std::string_view documentation, bool required) {
  if (document_->record)
    return Configuration(document_, document_->record->add_mapping(node_, key, record_section(documentation, required)));
  const std::string expected = documentation.empty() ? "a mapping" : "a mapping (" + std::string(documentation) + ")";
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (required) document_->report_missing(node_, key, expected);
    return Configuration(document_, document_->missing(node_, key, required));
  }
  if (document_->tree.nodes[value].kind != NodeKind::mapping) {
    document_->report_wrong(node_, key, value, expected);
    return Configuration(document_, document_->missing(node_, key, true));
  }
  document_->account(value);
  return Configuration(document_, value);
}

void Configuration::each(std::string_view key, const std::function<void(Configuration&)>& read, std::string_view documentation,
                         std::size_t minimum_size) {
  if (document_->record) {
    Configuration entry(document_, document_->record->add_mapping(node_, key, record_list(documentation, minimum_size)));
    return read(entry);
  }
  const std::string expected =
      minimum_size == 0 ? "a list of mappings" : "a list of mappings, " + size_text(minimum_size, no_node);
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (minimum_size > 0) document_->report_missing(node_, key, expected);
    return;
  }
  const std::vector<std::size_t> entries = document_->tree.nodes[value].children;
  if (document_->tree.nodes[value].kind != NodeKind::sequence || entries.size() < minimum_size)
    return document_->report_wrong(node_, key, value, expected);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (document_->tree.nodes[entries[i]].kind != NodeKind::mapping) {
      document_->report_wrong(value, std::to_string(i), entries[i], "a mapping");
      continue;
    }
    document_->account(entries[i]);
    Configuration entry(document_, entries[i]);
    read(entry);
  }
}

namespace {

TextSpec choice_of(const std::vector<Configuration::Branch>& branches, const std::optional<std::string>& default_name,
                   std::string_view documentation) {
  TextSpec spec;
  for (const Configuration::Branch& branch : branches) spec.choices.push_back(branch.name);
  spec.default_value = default_name;
  spec.documentation = std::string(documentation);
  return spec;
}

// Reads every branch into an alternative of its own.
void record_choice(const std::shared_ptr<ConfigurationDocument>& document, std::size_t node, RecordedChoice choice,
                   const std::vector<Configuration::Branch>& branches) {
  for (const Configuration::Branch& branch : branches) {
    const std::size_t mapping = document->record->add_mapping();
    choice.alternatives.push_back({branch.name, branch.documentation, mapping});
    Configuration alternative(document, mapping);
    branch.read(alternative);
    if (choice.key.empty()) document->record->add(mapping, branch.name, record_free(branch.documentation, true));
  }
  document->record->add_choice(node, std::move(choice));
}

}  // namespace

void Configuration::branch(std::string_view key, const std::vector<Branch>& branches, std::optional<std::string> default_name,
                           std::string_view documentation) {
  const TextSpec spec = choice_of(branches, default_name, documentation);
  if (document_->record) {
    document_->record->add(node_, key, record_text(spec));
    return record_choice(document_, node_, {std::string(key), std::move(default_name), {}}, branches);
  }
  const std::size_t value = document_->tree.child(node_, key);
  const Node* node = value == no_node ? nullptr : &document_->tree.nodes[value];
  const std::string name = node == nullptr ? default_name.value_or("") : node->kind == NodeKind::scalar ? node->text : "";
  text(key, spec);  // keeps the account and reports what is wrong
  for (const Branch& branch : branches)
    if (branch.name == name) return branch.read(*this);
  document_->account(node_).undecided = true;
}

void Configuration::branch_on_key(const std::vector<Branch>& branches, std::string_view documentation) {
  if (document_->record) return record_choice(document_, node_, {}, branches);
  const ConfigurationTree& tree = document_->tree;
  const Branch* chosen = nullptr;
  std::vector<std::string> names;
  std::string all;
  for (const Branch& branch : branches) {
    names.push_back(branch.name);
    all += (all.empty() ? "" : ", ") + branch.name;
    document_->know(node_, branch.name);
    const Key* key = tree.find_key(node_, branch.name);
    if (key == nullptr) continue;
    document_->take(node_, branch.name);
    if (chosen != nullptr)
      document_->add_problem(tree.location(key->mark), "'" + path(branch.name) + "' and '" + path(chosen->name) +
                                                           "' exclude each other; give one of: " + all);
    else
      chosen = &branch;
  }
  if (chosen != nullptr) return chosen->read(*this);
  document_->account(node_).undecided = true;
  if (tree.nodes[node_].silent) return;
  std::string hint;
  for (const Key& key : tree.nodes[node_].keys)
    if (hint.empty()) hint = suggestion(key.name, names);
  const std::string where = path().empty() ? "the experiment" : "'" + path() + "'";
  document_->add_problem(location(), where + " needs one of the keys: " + all +
                                         (documentation.empty() ? "" : " (" + std::string(documentation) + ")") + "." + hint);
}

bool Configuration::has(std::string_view key) const {
  if (document_->record) {
    document_->record->ask(node_, key);
    return true;
  }
  document_->know(node_, key);
  return document_->tree.child(node_, key) != no_node;
}

bool Configuration::recording() const { return document_->record.has_value(); }

std::vector<std::string> Configuration::keys() const {
  return document_->record ? std::vector<std::string>() : document_->tree.key_names(node_);
}

std::string Configuration::raw(std::string_view key, std::string_view documentation, bool required) {
  if (document_->record) {
    document_->record->add(node_, key, record_free(documentation, required));
    return "";
  }
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (required) document_->report_missing(node_, key, "given");
    return "";
  }
  return document_->tree.flow_yaml(value);
}

std::vector<Configuration::Entry> Configuration::entries(std::string_view key, std::string_view documentation, bool required) {
  std::vector<Entry> result;
  if (document_->record) {
    RecordedParameter& added = document_->record->add(node_, key, record_free(documentation, required));
    added.schema["type"] = "object";
    return result;
  }
  const ConfigurationTree& tree = document_->tree;
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (required) document_->report_missing(node_, key, "a mapping");
    return result;
  }
  const Node& mapping = tree.nodes[value];
  if (mapping.kind != NodeKind::mapping) {
    document_->report_wrong(node_, key, value, "a mapping");
    return result;
  }
  for (std::size_t i = 0; i < mapping.children.size(); ++i) {
    const Node& node = tree.nodes[mapping.children[i]];
    const bool scalar = node.kind == NodeKind::scalar;
    result.push_back({mapping.keys[i].name, scalar ? node.text : tree.flow_yaml(mapping.children[i]),
                      scalar && !node.quoted ? to_number(node.text) : std::optional<double>(),
                      tree.location(mapping.children[i])});
  }
  return result;
}

std::vector<Configuration::Entry> Configuration::list_entries(std::string_view key, std::string_view documentation) {
  std::vector<Entry> result;
  if (document_->record) {
    RecordedParameter& added = document_->record->add(node_, key, record_free(documentation, true));
    added.schema["type"] = "array";
    added.schema["minItems"] = 1;
    return result;
  }
  const ConfigurationTree& tree = document_->tree;
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    document_->report_missing(node_, key, "a list of one or more values");
    return result;
  }
  const Node& list = tree.nodes[value];
  if (list.kind != NodeKind::sequence || list.children.empty()) {
    document_->report_wrong(node_, key, value, "a list of one or more values");
    return result;
  }
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const Node& node = tree.nodes[list.children[i]];
    result.push_back({std::to_string(i), tree.flow_yaml(list.children[i]),
                      node.kind == NodeKind::scalar && !node.quoted ? to_number(node.text) : std::optional<double>(),
                      tree.location(list.children[i])});
  }
  return result;
}

std::string Configuration::path(std::string_view key) const {
  if (document_->record) return std::string(key);
  return key.empty() ? document_->tree.path(node_) : document_->tree.path(node_, key);
}

Location Configuration::location() const { return document_->record ? Location() : document_->tree.location(node_); }

Location Configuration::location(std::string_view key) const {
  return document_->record ? Location() : document_->location(node_, key);
}

void Configuration::problem(const Location& location, const std::string& text) {
  if (!document_->record) document_->add_problem(location, text);
}

bool Configuration::has_problems() const { return document_->has_problems(); }
std::size_t Configuration::problem_count() const { return document_->problem_count(); }

ParameterRecording::ParameterRecording(const std::function<void(Configuration&)>& read)
    : document_(std::make_shared<ConfigurationDocument>()) {
  document_->record.emplace();
  Configuration root(document_, 0);
  read(root);
}

std::vector<ParameterDescription> ParameterRecording::descriptions() const { return document_->record->descriptions(); }

std::string ParameterRecording::json_schema(const std::string& title) const {
  nlohmann::ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(document_->record->schema());
  schema["properties"]["variants"] = {
      {"type", "object"},
      {"description", "Named sets of changes, of which --variant applies one: paths and their values"},
      {"additionalProperties", {{"type", "object"}}}};
  return schema.dump(2) + "\n";
}

}  // namespace holo
