// The record as descriptions and as JSON Schema, draft 7.
//
// A choice adds keys beside the deciding one. Draft 7 cannot close a mapping after its if/then parts, so every mapping allows
// the keys of all its alternatives, and each alternative forbids those that only the others have.

#include <algorithm>

#include "configuration/record.h"
#include "holo/core/name_list.h"

namespace holo {

void ParameterRecord::collect_keys(std::size_t mapping, Names* names) const {
  for (const auto& [key, parameter] : mappings_[mapping].parameters)
    if (!contains(*names, key)) names->push_back(key);
  for (const RecordedChoice& choice : mappings_[mapping].choices)
    for (const RecordedAlternative& alternative : choice.alternatives) collect_keys(alternative.mapping, names);
}

// Mappings that alternatives of `mapping` read under `key`, beside what `mapping` itself reads there.
void ParameterRecord::collect_extensions(std::size_t mapping, const std::string& key, Mappings* out) const {
  for (const RecordedChoice& choice : mappings_[mapping].choices)
    for (const RecordedAlternative& alternative : choice.alternatives) {
      for (const auto& [name, parameter] : mappings_[alternative.mapping].parameters)
        if (name == key && parameter.mapping) out->push_back(*parameter.mapping);
      collect_extensions(alternative.mapping, key, out);
    }
}

ParameterRecord::Mappings ParameterRecord::sections(const Mappings& mappings, const std::string& key) const {
  Mappings found;
  for (std::size_t mapping : mappings)
    for (const auto& [name, parameter] : mappings_[mapping].parameters)
      if (name == key && parameter.mapping) found.push_back(*parameter.mapping);
  return found;
}

ParameterRecord::Json ParameterRecord::schema() const { return schema(0, true, {}, {}); }

ParameterRecord::Json ParameterRecord::schema(std::size_t mapping, bool closed, const Mappings& extensions,
                                              const Mappings& enclosing) const {
  const RecordedMapping& record = mappings_[mapping];
  Json out = {{"type", "object"}, {"properties", Json::object()}};
  Names required;
  for (const auto& [key, parameter] : record.parameters) {
    Mappings below = sections(extensions, key);
    for (std::size_t extension : extensions) collect_extensions(extension, key, &below);
    collect_extensions(mapping, key, &below);
    out["properties"][key] = parameter_schema(parameter, below, sections(enclosing, key));
    if (parameter.required) required.push_back(key);
  }
  if (closed) {
    Names allowed;
    collect_keys(mapping, &allowed);
    for (std::size_t extension : extensions) collect_keys(extension, &allowed);
    for (const std::string& key : allowed)
      if (!out["properties"].contains(key)) out["properties"][key] = true;
    out["additionalProperties"] = false;
  }
  if (!required.empty()) out["required"] = required;
  for (const RecordedChoice& choice : record.choices) add_choice_schema(mapping, choice, enclosing, &out);
  return out;
}

ParameterRecord::Json ParameterRecord::parameter_schema(const RecordedParameter& parameter, const Mappings& extensions,
                                                        const Mappings& enclosing) const {
  Json out = parameter.schema.is_null() ? Json::object() : parameter.schema;
  if (!parameter.mapping) return out;
  // If several parts of the record describe the same mapping, the enclosing one closes it to further keys.
  Json below = schema(*parameter.mapping, enclosing.empty(), extensions, enclosing);
  if (parameter.is_list)
    out["items"] = std::move(below);
  else
    out.update(below);
  return out;
}

void ParameterRecord::add_choice_schema(std::size_t mapping, const RecordedChoice& choice, Mappings enclosing,
                                        Json* out) const {
  Names everywhere, of_choice;
  for (const auto& [key, parameter] : mappings_[mapping].parameters) everywhere.push_back(key);
  enclosing.push_back(mapping);
  for (const RecordedChoice& other : mappings_[mapping].choices)
    for (const RecordedAlternative& alternative : other.alternatives) {
      collect_keys(alternative.mapping, &other == &choice ? &of_choice : &everywhere);
      if (&other != &choice) enclosing.push_back(alternative.mapping);
    }
  Json any = Json::array();
  for (const RecordedAlternative& alternative : choice.alternatives) {
    Json condition = Json::object();
    const bool by_value = !choice.key.empty();
    if (by_value) condition["properties"][choice.key]["const"] = alternative.name;
    if (!by_value || choice.default_name != alternative.name)
      condition["required"] = {by_value ? choice.key : alternative.name};
    if (!by_value) any.push_back({{"required", {alternative.name}}});
    Json then = schema(alternative.mapping, false, {}, enclosing);
    then.erase("type");
    Names own;
    collect_keys(alternative.mapping, &own);
    for (const std::string& key : of_choice)
      if (!contains(own, key) && !contains(everywhere, key)) then["properties"][key] = false;
    if (!alternative.documentation.empty()) then["description"] = alternative.documentation;
    (*out)["allOf"].push_back({{"if", condition}, {"then", then}});
  }
  if (!any.empty()) (*out)["allOf"].push_back({{"oneOf", any}});
}

std::vector<ParameterDescription> ParameterRecord::descriptions() const {
  std::vector<ParameterDescription> out;
  describe(0, "", "", &out);
  return out;
}

void ParameterRecord::describe(std::size_t mapping, const std::string& path, const std::string& condition,
                               std::vector<ParameterDescription>* out) const {
  const RecordedMapping& record = mappings_[mapping];
  for (const auto& [key, parameter] : record.parameters) {
    const std::string here = path + key;
    out->push_back({here, parameter.kind, parameter.unit, parameter.range, parameter.default_value, parameter.documentation,
                    condition, parameter.required});
    if (parameter.mapping) describe(*parameter.mapping, here + (parameter.is_list ? "[]." : "."), condition, out);
  }
  for (const RecordedChoice& choice : record.choices)
    for (const RecordedAlternative& alternative : choice.alternatives) {
      std::string conditions = condition.empty() ? "" : condition + ", ";
      conditions += choice.key.empty() ? path + alternative.name : path + choice.key + ": " + alternative.name;
      describe(alternative.mapping, path, conditions, out);
    }
}

}  // namespace holo
