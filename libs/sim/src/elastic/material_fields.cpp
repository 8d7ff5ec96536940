#include "holo/sim/elastic/material_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "elastic/element/material_at_rest.h"

namespace holo {
namespace {

// "0.3" of a number, "[1, 0, 0]" of a vector.
std::string text_of(std::span<const double> value) {
  if (value.size() == 1) return fmt::format("{:.6g}", value[0]);
  return fmt::format("[{:.6g}]", fmt::join(value, ", "));
}

// Of a vector's entry, as plugins call it.
std::string entry_name(const MaterialFields::Source& source, std::size_t entry) {
  return source.given.components == 1 ? source.parameter : fmt::format("{}.{}", source.parameter, entry);
}

// None where the plugin refuses stand-ins: its parameters are read as those of the body then.
std::vector<ParameterDescription> parameters_of(const MaterialPlugin& plugin) {
  try {
    return plugin.parameters();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::vector<double> MaterialFields::coefficients(const TetrahedralMesh& mesh) const {
  const std::size_t width = plugin_->abi().coefficient_count, count = mesh.tetrahedra.size();
  std::vector<std::vector<double>> given;
  for (const Source& source : sources_) given.push_back(source.given.of(mesh));
  // Elements with the same values share their coefficients: groups have few of them.
  std::map<std::vector<double>, std::vector<double>> known;
  std::vector<double> result(count * width), values;
  for (std::size_t element = 0; element < count; ++element) {
    values.clear();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const auto components = static_cast<std::size_t>(sources_[i].given.components);
      const auto first = given[i].begin() + static_cast<std::ptrdiff_t>(element * components);
      values.insert(values.end(), first, first + sources_[i].given.components);
    }
    auto found = known.find(values);
    if (found == known.end()) found = known.emplace(values, coefficients_of_element(mesh, element, values)).first;
    std::copy(found->second.begin(), found->second.end(), result.begin() + static_cast<std::ptrdiff_t>(element * width));
  }
  return result;
}

std::vector<double> MaterialFields::coefficients_of_element(const TetrahedralMesh& mesh, std::size_t element,
                                                            const std::vector<double>& values) const {
  MaterialValues all = values_;
  std::string given;
  std::span<const double> rest(values);
  for (const Source& source : sources_) {
    const auto value = rest.first(static_cast<std::size_t>(source.given.components));
    rest = rest.subspan(value.size());
    for (std::size_t entry = 0; entry < value.size(); ++entry)
      for (auto& [name, number] : all)
        if (name == entry_name(source, entry)) number = value[entry];
    given += fmt::format("{}{} = {} ({})", given.empty() ? "" : ", ", source.parameter, text_of(value), source.given.text);
  }
  const std::string where = fmt::format("element {} of {} has {}: ", element_number(mesh, element), mesh.source, given);
  std::vector<double> coefficients;
  try {
    coefficients = plugin_->coefficients(all);
  } catch (const Error& error) {
    throw_input_error(location_of(error.what()), where + error.what());
  }
  if (const std::string defect = defect_at_rest(plugin_->abi(), coefficients, reference_); !defect.empty())
    throw_input_error(location_, where + defect);
  return coefficients;
}

const Location& MaterialFields::location_of(const std::string& error) const {
  for (const Source& source : sources_)
    for (const char* end : {"'", "."})
      if (error.find("'" + source.parameter + end) != std::string::npos) return source.given.location;
  return sources_.front().given.location;
}

std::shared_ptr<MaterialFields> read_material_fields(Configuration& material,
                                                     const std::shared_ptr<const MaterialPlugin>& plugin,
                                                     const Location& location) {
  std::vector<MaterialFields::Source> sources;
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : parameters_of(*plugin)) {
    if (parameter.kind != "number" && parameter.kind != "vector3") continue;
    const int components = parameter.kind == "number" ? 1 : 3;
    if (!has_element_values(material, parameter.path, components)) continue;
    names.push_back(parameter.path);
    MaterialFields::Source source{parameter.path, read_element_values(material, parameter.path, components)};
    if (source.given.values) sources.push_back(std::move(source));  // else a problem has been recorded
  }
  if (names.empty()) return nullptr;
  MaterialValues values = read_material_values(*plugin, material, names);
  return std::make_shared<MaterialFields>(plugin, std::move(values), std::move(sources), location);
}

}  // namespace holo
