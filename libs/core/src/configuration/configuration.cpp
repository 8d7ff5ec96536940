// Reading single values: type, range, default, and the account of it.

#include "holo/core/configuration.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "configuration/document.h"
#include "configuration/number.h"
#include "configuration/value.h"
#include "holo/core/name_list.h"

namespace holo {

Configuration::Configuration(std::shared_ptr<ConfigurationDocument> document, std::size_t node)
    : document_(std::move(document)), node_(node) {}

double Configuration::number(std::string_view key, const NumberSpec& spec) {
  if (document_->record) {
    document_->record->add(node_, key, record_number(spec));
    return stand_in(spec);
  }
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (!spec.default_value) document_->report_missing(node_, key, expected_number(spec));
    return stand_in(spec);
  }
  const std::optional<double> found = number_of(document_->tree.nodes[value]);
  if (found && allows(spec, *found)) return *found;
  document_->report_wrong(node_, key, value, expected_number(spec), number_hint(document_->tree.nodes[value]));
  return stand_in(spec);
}

std::int64_t Configuration::integer(std::string_view key, const IntegerSpec& spec) {
  const std::int64_t instead = spec.default_value.value_or(holo::stand_in(spec.minimum, spec.maximum));
  if (document_->record) {
    document_->record->add(node_, key, record_integer(spec));
    return instead;
  }
  const std::string expected = with_article("an integer", range_text(spec.minimum, spec.maximum), "1");
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (!spec.default_value) document_->report_missing(node_, key, expected);
    return instead;
  }
  const Node& node = document_->tree.nodes[value];
  const std::optional<std::int64_t> found = is_plain_scalar(node) ? to_integer(node.text) : std::optional<std::int64_t>();
  if (found && *found >= spec.minimum && *found <= spec.maximum) return *found;
  document_->report_wrong(node_, key, value, expected, number_hint(node));
  return instead;
}

bool Configuration::boolean(std::string_view key, std::optional<bool> default_value, std::string_view documentation) {
  if (document_->record) {
    document_->record->add(node_, key, record_boolean(default_value, documentation));
    return default_value.value_or(false);
  }
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (!default_value) document_->report_missing(node_, key, "true or false");
    return default_value.value_or(false);
  }
  const Node& node = document_->tree.nodes[value];
  if (is_plain_scalar(node) && is_boolean(node.text)) return node.text == "true";
  document_->report_wrong(node_, key, value, "true or false");
  return default_value.value_or(false);
}

std::string Configuration::text(std::string_view key, const TextSpec& spec) {
  const std::string instead = spec.default_value ? *spec.default_value : spec.choices.empty() ? "text" : spec.choices.front();
  if (document_->record) {
    document_->record->add(node_, key, record_text(spec));
    return instead;
  }
  const std::string expected = spec.choices.empty() ? "text" : "one of: " + joined(spec.choices);
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (!spec.default_value) document_->report_missing(node_, key, expected);
    return instead;
  }
  const Node& node = document_->tree.nodes[value];
  if (is_text_of(node, spec)) return node.text;
  document_->report_wrong(node_, key, value, expected, is_text(node) ? suggestion(node.text, spec.choices) : "");
  return instead;
}

std::vector<std::string> Configuration::texts(std::string_view key, std::size_t minimum_size, std::size_t maximum_size,
                                              const TextSpec& spec) {
  const std::vector<std::string> instead(minimum_size, spec.choices.empty() ? "text" : spec.choices.front());
  if (document_->record) {
    document_->record->add(node_, key, record_texts(minimum_size, maximum_size, spec));
    return instead;
  }
  const std::string each = spec.choices.empty() ? "text" : "one of: " + joined(spec.choices);
  const std::string expected = "a list of " + size_text(minimum_size, maximum_size) + ", each " + each;
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (minimum_size > 0) document_->report_missing(node_, key, expected);
    return instead;
  }
  const Node& list = document_->tree.nodes[value];
  if (list.kind != NodeKind::sequence || list.children.size() < minimum_size || list.children.size() > maximum_size) {
    document_->report_wrong(node_, key, value, expected);
    return instead;
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const Node& node = document_->tree.nodes[list.children[i]];
    if (is_text_of(node, spec)) {
      result.push_back(node.text);
      continue;
    }
    document_->report_wrong(value, std::to_string(i), list.children[i], each,
                            is_text(node) ? suggestion(node.text, spec.choices) : "");
  }
  return result;
}

std::vector<double> Configuration::numbers(std::string_view key, std::size_t minimum_size, std::size_t maximum_size,
                                           const NumberSpec& spec) {
  const std::vector<double> instead(minimum_size, stand_in(spec));
  if (document_->record) {
    document_->record->add(node_, key, record_numbers(minimum_size, maximum_size, spec));
    return instead;
  }
  const std::string expected = "a list of " + size_text(minimum_size, maximum_size) + ", each " + expected_number(spec);
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    if (!spec.default_value) document_->report_missing(node_, key, expected);
    return instead;
  }
  const Node& list = document_->tree.nodes[value];
  if (list.kind != NodeKind::sequence || list.children.size() < minimum_size || list.children.size() > maximum_size) {
    document_->report_wrong(node_, key, value, expected);
    return instead;
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const std::optional<double> found = number_of(document_->tree.nodes[list.children[i]]);
    const bool good = found && allows(spec, *found);
    if (!good)
      document_->report_wrong(value, std::to_string(i), list.children[i], expected_number(spec),
                              number_hint(document_->tree.nodes[list.children[i]]));
    result.push_back(good ? *found : stand_in(spec));
  }
  return result;
}

std::array<double, 3> Configuration::vector3(std::string_view key, const VectorSpec& spec) {
  NumberSpec each;
  each.unit = spec.unit;
  each.minimum = spec.minimum;
  each.maximum = spec.maximum;
  if (document_->record) {
    document_->record->add(node_, key, record_vector3(spec));
    const double value = stand_in(each);
    return spec.default_value.value_or(std::array<double, 3>{value, value, value});
  }
  if (spec.default_value && document_->take(node_, key) == no_node) return *spec.default_value;
  const std::vector<double> values = numbers(key, 3, 3, each);
  return {values[0], values[1], values[2]};
}

namespace {

// ${NAME} replaced from the environment; `problem` tells what cannot be.
std::string expand(const std::string& text, std::string* problem) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "${") != 0) {
      result += text[i++];
      continue;
    }
    const std::size_t end = text.find('}', i);
    const std::string name = end == std::string::npos ? "" : text.substr(i + 2, end - i - 2);
    if (name.empty()) {
      *problem = "'${' without a name and '}' was found; write ${NAME}";
      return "";
    }
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') {
      *problem = "the environment variable " + name + " is not set";
      *problem += name == "HOLO_DATA_DIR" ? "; it names the folder of the data files, see docs/data.md"
                                          : "; set it, or write the path out";
      return "";
    }
    result += value;
    i = end + 1;
  }
  return result;
}

// Why `path` is no file to read, or "".
std::string file_problem(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return "'" + path.string() + "' is a directory; a file is asked for";
  if (!std::filesystem::exists(status)) {
    std::vector<std::string> names;
    std::filesystem::directory_iterator entries(path.parent_path(), error), end;
    for (; !error && entries != end && names.size() < 1000; entries.increment(error))
      names.push_back(entries->path().filename().string());
    std::sort(names.begin(), names.end());
    return "no file '" + path.string() + "'." + suggestion(path.filename().string(), names);
  }
  if (!std::filesystem::is_regular_file(status)) return "'" + path.string() + "' is not a regular file";
  if (!std::ifstream(path)) return "'" + path.string() + "' cannot be read; check its permissions";
  return "";
}

}  // namespace

std::filesystem::path Configuration::file(std::string_view key, std::string_view documentation) {
  if (document_->record) {
    document_->record->add(node_, key, record_file(documentation));
    return {};
  }
  const std::size_t value = document_->take(node_, key);
  if (value == no_node) {
    document_->report_missing(node_, key, "the name of a file");
    return {};
  }
  const Node& node = document_->tree.nodes[value];
  if (node.kind != NodeKind::scalar || node.text.empty() || node.text.find('\0') != std::string::npos) {
    document_->report_wrong(node_, key, value, "the name of a file");
    return {};
  }
  std::string problem;
  const std::string name = expand(node.text, &problem);
  const std::filesystem::path path = (document_->path.parent_path() / name).lexically_normal();
  if (problem.empty()) problem = file_problem(path);
  if (problem.empty()) {
    document_->add_file(path);
    return path;
  }
  document_->add_problem(location(key), "'" + this->path(key) + "': " + problem);
  return {};
}

}  // namespace holo
