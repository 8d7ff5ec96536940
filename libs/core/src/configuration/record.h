#pragma once
// The record of all keys that a reader asks for, from which `holo describe` and the JSON schema are made.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"

namespace holo {

// One key of a mapping.
struct RecordedParameter {  // NOLINT(bugprone-exception-escape): a JSON value is null by default, which cannot throw
  std::string kind;
  std::string unit;
  std::string range;
  std::string default_value;
  std::string documentation;
  bool required = true;
  nlohmann::ordered_json schema;            // of this key alone, without the keys of its mapping
  std::optional<std::size_t> mapping = {};  // the mapping of a section, or of each entry of a list
  bool is_list = false;
};

struct RecordedAlternative {
  std::string name;
  std::string documentation;
  std::size_t mapping;  // the keys that this alternative adds beside the deciding one
};

// A choice between alternatives: by the text of `key`, or, if `key` is empty, by which of the alternatives' keys is present.
struct RecordedChoice {
  std::string key;
  std::optional<std::string> default_name;
  std::vector<RecordedAlternative> alternatives;
};

struct RecordedMapping {
  std::vector<std::pair<std::string, RecordedParameter>> parameters;
  std::vector<RecordedChoice> choices;
  std::set<std::string> asked_for;  // keys of has(), which are optional
};

class ParameterRecord {
 public:
  ParameterRecord() : mappings_(1) {}  // mapping 0 is the root

  // A second record of a key is ignored, so that two readers may share a mapping. Returns the first record.
  RecordedParameter& add(std::size_t mapping, std::string_view key, RecordedParameter parameter);
  std::size_t add_mapping(std::size_t mapping, std::string_view key, RecordedParameter parameter);
  std::size_t add_mapping();  // of an alternative
  void ask(std::size_t mapping, std::string_view key) { mappings_[mapping].asked_for.emplace(key); }
  void add_choice(std::size_t mapping, RecordedChoice choice) { mappings_[mapping].choices.push_back(std::move(choice)); }

  std::vector<ParameterDescription> descriptions() const;
  nlohmann::ordered_json schema() const;

 private:
  using Json = nlohmann::ordered_json;
  using Names = std::vector<std::string>;
  using Mappings = std::vector<std::size_t>;

  void describe(std::size_t mapping, const std::string& path, const std::string& condition,
                std::vector<ParameterDescription>* out) const;
  // `extensions`: mappings of the same path in alternatives further in; their keys are allowed here too.
  // `enclosing`: mappings of the same path further out.
  Json schema(std::size_t mapping, bool closed, const Mappings& extensions, const Mappings& enclosing) const;
  Json parameter_schema(const RecordedParameter& parameter, const Mappings& extensions, const Mappings& enclosing) const;
  void add_choice_schema(std::size_t mapping, const RecordedChoice& choice, Mappings enclosing, Json* out) const;
  void collect_keys(std::size_t mapping, Names* names) const;
  void collect_extensions(std::size_t mapping, const std::string& key, Mappings* out) const;
  Mappings sections(const Mappings& mappings, const std::string& key) const;

  std::vector<RecordedMapping> mappings_;
};

// Descriptions of the values as they are recorded.
RecordedParameter record_number(const NumberSpec& spec);
RecordedParameter record_integer(const IntegerSpec& spec);
RecordedParameter record_boolean(std::optional<bool> default_value, std::string_view documentation);
RecordedParameter record_text(const TextSpec& spec);
RecordedParameter record_vector3(const VectorSpec& spec);
RecordedParameter record_numbers(std::size_t minimum_size, std::size_t maximum_size, const NumberSpec& spec);
RecordedParameter record_texts(std::size_t minimum_size, std::size_t maximum_size, const TextSpec& spec);
RecordedParameter record_text_or_texts(const TextSpec& spec);
RecordedParameter record_numbers_or_name(std::size_t size, const std::string& what, const NumberSpec& spec);
// Of a number or vector3: a number also as a formula, a vector also with formulas, both also as a mapping.
RecordedParameter record_per_element(RecordedParameter parameter);
RecordedParameter record_file(std::string_view documentation);
RecordedParameter record_section(std::string_view documentation, bool required);
RecordedParameter record_list(std::string_view documentation, std::size_t minimum_size);
RecordedParameter record_free(std::string_view documentation, bool required);

}  // namespace holo
