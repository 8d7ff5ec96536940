// Reads body energies from an experiment, and evaluates their targets on a mesh.
#include "holo/sim/elastic/body_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/sim/elastic/element_values.h"
#include "holo/sim/motion/formula.h"

namespace holo {
namespace {

const std::vector<std::string> position_variables = {"x", "y", "z"};
// Of xx, yy, zz, xy, xz, yz in a 3x3 matrix by rows.
constexpr std::array<std::array<std::size_t, 2>, 6> voigt_entries = {{{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}}};

// Empty after a problem of the experiment.
std::vector<Formula> read_formula_list(Configuration& parameters, const char* key, std::size_t count,
                                       const char* documentation) {
  const std::size_t problems = parameters.problem_count();
  const std::vector<std::string> texts = parameters.texts(key, count, count, {.documentation = documentation});
  std::vector<Formula> formulas;
  if (parameters.recording() || parameters.problem_count() != problems) return formulas;
  for (const std::string& text : texts) {
    try {
      formulas.emplace_back(text, position_variables, parameters.location(key));
    } catch (const Error& error) {
      parameters.problem(parameters.location(key),
                         fmt::format("'{}.{}': {}", parameters.path(key), formulas.size(), error.what()));
      return {};
    }
  }
  return formulas;
}

// [element][9] of [element][6].
std::vector<double> full_strains(const std::vector<double>& voigt) {
  std::vector<double> strains(voigt.size() / 6 * 9);
  for (std::size_t e = 0; e < voigt.size() / 6; ++e)
    for (std::size_t k = 0; k < 6; ++k)
      for (const std::size_t entry : voigt_entries[k]) strains[9 * e + entry] = voigt[6 * e + k];
  return strains;
}

std::vector<double> strains_of_formulas(const TetrahedralMesh& mesh, const std::vector<Formula>& formulas) {
  return full_strains(values_at_centroids(mesh, formulas));
}

std::vector<double> strains_of_field(const TetrahedralMesh& mesh, const std::string& name) {
  const MeshField& field = find_element_field(mesh, name);
  if (field.components != 6 && field.components != 9)
    throw Error(Failure::input,
                fmt::format("the field '{}' of {} has {} components; a strain has 6 (xx, yy, zz, xy, xz, yz) or "
                            "9, row by row",
                            name, mesh.source, field.components));
  return field.components == 9 ? field.values : full_strains(field.values);
}

void require_strains(const TetrahedralMesh& mesh, const std::vector<double>& strains) {
  if (strains.size() != 9 * mesh.tetrahedra.size())
    throw Error(Failure::input, fmt::format("{} values for the strains of {} elements of {}; {} are needed", strains.size(),
                                            mesh.tetrahedra.size(), mesh.source, 9 * mesh.tetrahedra.size()));
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const double* E = strains.data() + 9 * e;
    const bool is_finite = std::all_of(E, E + 9, [](double entry) { return std::isfinite(entry); });
    if (!is_finite || E[1] != E[3] || E[2] != E[6] || E[5] != E[7])
      throw Error(Failure::input, fmt::format("element {} of {} has a strain that is not {}", element_number(mesh, e),
                                              mesh.source, is_finite ? "symmetric" : "finite"));
  }
}

void require_no_inversion(const TetrahedralMesh& mesh, const std::vector<double>& positions) {
  TetrahedralMesh deformed;
  deformed.tetrahedra = mesh.tetrahedra;
  deformed.edge_vertices = mesh.edge_vertices;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    deformed.vertices.push_back({positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]});
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    if (const double volume = signed_volume(deformed, int(e)); !(volume > 0))
      throw Error(Failure::input, fmt::format("element {} of {} has the volume {:.3g} m^3 in this shape; allowed: > 0",
                                              element_number(mesh, e), mesh.source, volume));
}

StrainTargetDefinition read_target(const std::string& name, Configuration& parameters) {
  StrainTargetDefinition target{name, parameters.location(), {}, {}};
  parameters.branch_on_key(
      {{"shape", "that of the deformed mesh",
        [&](Configuration& p) {
          const auto formulas =
              read_formula_list(p, "shape", 3, "where the point x, y, z of the mesh goes [m]: three formulas");
          if (formulas.empty()) return;
          target.shape = [formulas](const std::array<double, 3>& at) {
            return std::array<double, 3>{formulas[0](at), formulas[1](at), formulas[2](at)};
          };
        }},
       {"strain", "formulas",
        [&](Configuration& p) {
          const auto formulas = read_formula_list(
              p, "strain", 6, "xx, yy, zz, xy, xz, yz of the Green strain [1]: formulas of an element's centroid");
          if (formulas.empty()) return;
          target.strain = [formulas](const TetrahedralMesh& mesh) { return strains_of_formulas(mesh, formulas); };
        }},
       {"field", "a field of the mesh",
        [&](Configuration& p) {
          const std::string field =
              p.text("field", {.documentation = "on elements of the mesh's file, of 6 or 9 components [1]"});
          target.strain = [field](const TetrahedralMesh& mesh) { return strains_of_field(mesh, field); };
        }}},
      "source of the Green strain");
  return target;
}

std::vector<StrainTargetDefinition> read_targets(Configuration& parameters) {
  const char* documentation =
      "target strains by name, each {shape: [x, y, z]}, {strain: [xx, yy, zz, xy, xz, yz]} or {field: NAME}";
  std::vector<StrainTargetDefinition> targets;
  if (parameters.recording()) {
    parameters.entries("targets", documentation);
    return targets;
  }
  Configuration section = parameters.section("targets", documentation, false);
  for (const std::string& name : section.keys()) {
    Configuration target = section.section(name);
    targets.push_back(read_target(name, target));
  }
  return targets;
}

// A recording asks for the parameters of every plugin: it gives the schema and the documentation.
void record_body_energies(Configuration& parameters, const PluginHost& host) {
  std::vector<Configuration::Branch> branches;
  for (const std::string& name : host.names<BodyEnergyPlugin>()) {
    auto plugin = host.get<BodyEnergyPlugin>(name);
    branches.push_back({name, plugin->summary(), [plugin](Configuration& p) { create_body_energy(plugin, p, {}); }});
  }
  parameters.branch("type", branches, {}, "the plugin's name");
}

BodyEnergyDefinition read_body_energy(Configuration& parameters, const PluginHost& host,
                                      const std::vector<NamedSubset>& subsets) {
  BodyEnergyDefinition energy;
  energy.location = parameters.location();
  energy.targets = read_targets(parameters);
  if (parameters.recording()) {
    record_body_energies(parameters, host);
    return energy;
  }
  const std::string type = parameters.text("type", {.documentation = "the plugin's name"});
  BodyEnergyNames names;
  for (const NamedSubset& subset : subsets) names.subsets.push_back(subset.name);
  for (const StrainTargetDefinition& target : energy.targets) names.targets.push_back(target.name);
  const auto skip = [&] {
    for (const std::string& key : parameters.keys())  // they cannot be judged without the plugin
      if (nearest_name(key, {"type", "targets"}).empty()) parameters.raw(key);
  };
  if (type.empty()) {
    skip();
    return energy;
  }
  try {
    energy.instance = create_body_energy(host.get<BodyEnergyPlugin>(type), parameters, names);
  } catch (const Error& error) {
    skip();
    parameters.problem(parameters.location("type"), error.what());
  }
  return energy;
}

StrainTarget make_target(const StrainTargetDefinition& definition, const TetrahedralMesh& rest) {
  StrainTarget target{definition.name, {}, {}};
  try {
    if (definition.strain) {
      target.strains = definition.strain(rest);
      require_strains(rest, target.strains);
      return target;
    }
    for (const std::array<double, 3>& vertex : rest.vertices) {
      const std::array<double, 3> moved = definition.shape(vertex);
      target.positions.insert(target.positions.end(), moved.begin(), moved.end());
    }
    require_no_inversion(rest, target.positions);
  } catch (const Error& error) {
    throw_input_error(definition.location, fmt::format("the target '{}': {}", definition.name, error.what()));
  }
  return target;
}

}  // namespace

std::vector<BodyEnergyDefinition> read_body_energies(Configuration& body, const PluginHost& host,
                                                     const std::vector<NamedSubset>& subsets) {
  std::vector<BodyEnergyDefinition> energies;
  body.each(
      "body_energies", [&](Configuration& p) { energies.push_back(read_body_energy(p, host, subsets)); },
      "energies of the whole body beside the material's");
  return energies;
}

BodyEnergy make_body_energy(const BodyEnergyDefinition& definition, const TetrahedralMesh& rest) {
  BodyEnergy energy{definition.instance, {}, definition.location};
  const holo_body_energy_description& description = definition.instance->description();
  for (std::uint32_t i = 0; i < description.target_count; ++i)
    energy.targets.push_back(make_target(definition.targets.at(description.targets[i]), rest));
  return energy;
}

}  // namespace holo
