#include "holo/sim/elastic/material_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elastic/element/material_at_rest.h"

namespace holo {
std::vector<double> MaterialFields::coefficients(const TetrahedralMesh& mesh) const {
  const std::size_t width = plugin_->abi().coefficient_count, count = mesh.tetrahedra.size();
  std::vector<std::vector<double>> columns;
  for (const Source& source : sources_) {
    try {
      columns.push_back(source.values(mesh));
    } catch (const Error& error) {
      throw_input_error(source.location, error.what());
    }
  }
  // Elements with the same values share their coefficients: groups have few of them.
  std::map<std::vector<double>, std::vector<double>> known;
  std::vector<double> result(count * width), values(columns.size());
  for (std::size_t element = 0; element < count; ++element) {
    std::transform(columns.begin(), columns.end(), values.begin(), [&](const auto& column) { return column[element]; });
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
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    for (auto& [name, value] : all)
      if (name == sources_[i].parameter) value = values[i];
    given += fmt::format("{}{} = {:.6g} ({})", i == 0 ? "" : ", ", sources_[i].parameter, values[i], sources_[i].text);
  }
  const std::string where = fmt::format("element {} of {} has {}: ", element_number(mesh, element), mesh.source, given);
  const auto place = [&](const std::string& what) {  // of the parameter that the plugin names, if it names one
    for (const Source& source : sources_)
      if (what.find("'" + source.parameter + "'") != std::string::npos) return source.location;
    return sources_.front().location;
  };
  std::vector<double> coefficients;
  try {
    coefficients = plugin_->coefficients(all);
  } catch (const Error& error) {
    throw_input_error(place(error.what()), where + error.what());
  }
  if (const std::string defect = defect_at_rest(plugin_->abi(), coefficients, reference_); !defect.empty())
    throw_input_error(location_, where + defect);
  return coefficients;
}

}  // namespace holo
