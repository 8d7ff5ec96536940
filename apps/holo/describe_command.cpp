#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/elastic/element_differentiation.h"
#include "holo/sim/mesh/mesh_description.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/study/experiment.h"
#include "holo/study/reproduce.h"
#include "parameter_list.h"

namespace holo {

namespace {

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "  " + line + "\n";
  return result;
}

std::string domain_of(const holo_material& material) {
  if (material.domain == HOLO_DOMAIN_POSITIVE_DETERMINANT) return "det F > 0";
  if (material.domain == HOLO_DOMAIN_DETERMINANT_INTERVAL)
    return fmt::format("{} < det F < {}", material.determinant_minimum, material.determinant_maximum);
  return "every F";
}

// The values of `differentiation.elements` that this material allows; the slow modes are known once its second library is
// built.
void print_modes(const MaterialPlugin& material, const PluginHost& host) {
  std::string missing;
  const auto reference = [&]() -> std::shared_ptr<const MaterialReference> {
    try {
      return host.get_reference<MaterialPlugin>(material.name());
    } catch (const Error& error) {
      missing = error.what();
      throw;
    }
  };
  const std::vector<std::string> there = modes_of(material.abi(), reference);
  fmt::print("\ndifferentiation.elements\n");
  for (const ElementMode& mode : element_modes())
    if (std::find(there.begin(), there.end(), mode.name) != there.end()) fmt::print("  {:<24} {}\n", mode.name, mode.summary);
  if (missing.empty()) return;
  std::vector<std::string> slow;
  for (const ElementMode& mode : element_modes())
    if (mode.in_reference) slow.emplace_back(mode.name);
  fmt::print(
      "  {} run in the material's second library: {}. Build it with `cmake --build BUILD_FOLDER --target {}_reference`.\n",
      fmt::join(slow, ", "), missing, material.name());
}

void describe(const MaterialPlugin& material, const PluginHost& host) {
  static constexpr const char* operations[] = {"energy",
                                               "stress",
                                               "Hessian",
                                               "projected Hessian",
                                               "directional Hessian",
                                               "third-order contraction",
                                               "fourth-order contraction",
                                               "coefficient gradient",
                                               "coefficient stress",
                                               "analytic stress",
                                               "analytic Hessian",
                                               "csfd stress",
                                               "csfd Hessian",
                                               "slopes in the invariants",
                                               "stress differential",
                                               "analytic differential",
                                               "csfd differential"};
  static_assert(std::size(operations) == HOLO_MATERIAL_OPERATION_COUNT);
  const holo_material& abi = material.abi();
  fmt::print("material {}: {}\n", material.name(), material.summary());
  if (abi.documentation && *abi.documentation) fmt::print("{}\n", abi.documentation);
  fmt::print("\nenergy density [J/m^3]\n{}", indented(material.formula()));
  fmt::print("defined for {}\n", domain_of(abi));
  print_parameters(material.parameters());
  fmt::print("\noperations\n");
  for (std::size_t i = 0; i < HOLO_MATERIAL_OPERATION_COUNT; ++i)
    if (abi.operations[i]) fmt::print("  {:<24} {}\n", operations[i], abi.kernels[i] ? abi.kernels[i] : "");
  print_modes(material, host);
  fmt::print("\n{}\n", material.path().string());
}

std::string coordinate_of(const holo_joint_coordinate& coordinate) {
  static constexpr const char* kinds[] = {"length [m]", "angle [rad]", "quaternion (w, x, y, z)"};
  return fmt::format("{}, {}", coordinate.name, kinds[coordinate.kind]);
}

void describe(const JointPlugin& joint) {
  static constexpr const char* operations[] = {"constraint equations", "Jacobian",         "Hessian",    "motion",
                                               "motion's Jacobian",    "motion's Hessian", "coordinates"};
  static_assert(std::size(operations) == HOLO_JOINT_OPERATION_COUNT);
  const holo_joint& abi = joint.abi();
  fmt::print("joint {}: {}\n", joint.name(), joint.summary());
  if (*abi.documentation) fmt::print("{}\n", abi.documentation);
  fmt::print("\ncoordinates{}\n", abi.coordinate_count == 0 ? ": none" : "");
  for (std::uint32_t i = 0; i < abi.coordinate_count; i += abi.coordinates[i].kind == HOLO_COORDINATE_QUATERNION ? 4 : 1)
    fmt::print("  {}\n", coordinate_of(abi.coordinates[i]));
  if (abi.passive_equation_count == 0)
    fmt::print("six constraint equations, which all contain the coordinates\n");
  else
    fmt::print("{} passive equations, without the coordinates; six constraint equations where it is driven\n",
               abi.passive_equation_count);
  print_parameters(joint.parameters());
  fmt::print("\noperations\n");
  for (std::size_t i = 0; i < HOLO_JOINT_OPERATION_COUNT; ++i)
    if (abi.operations[i]) fmt::print("  {:<24} {}\n", operations[i], abi.kernels[i]);
  fmt::print("\n{}\n", joint.path().string());
}

void describe(const LossPlugin& loss) {
  fmt::print("loss {}: {}\n", loss.name(), loss.summary());
  if (*loss.abi().documentation) fmt::print("{}\n", loss.abi().documentation);
  print_parameters(loss.parameters());
  fmt::print("\n{}\n", loss.path().string());
}

void describe(const BodyEnergyPlugin& energy) {
  fmt::print("body energy {}: {}\n", energy.name(), energy.summary());
  if (*energy.abi().documentation) fmt::print("{}\n", energy.abi().documentation);
  print_parameters(energy.parameters());
  fmt::print("\n{}\n", energy.path().string());
}

std::optional<ShapeDescription> find_shape(const std::string& name) {
  for (const ShapeDescription& shape : shape_descriptions())
    if (shape.name == name) return shape;
  return {};
}

// Plugins and shapes: their parameters stand on pages of their own.
std::vector<std::string> names_with_pages(const PluginHost& host) {
  std::vector<std::string> names = host.names<MaterialPlugin>();
  for (const std::vector<std::string>& more :
       {host.names<JointPlugin>(), host.names<LossPlugin>(), host.names<BodyEnergyPlugin>()})
    names.insert(names.end(), more.begin(), more.end());
  for (const ShapeDescription& shape : shape_descriptions()) names.push_back(shape.name);
  return names;
}

void describe(const std::string& name, const StudyKind& kind, const PluginHost& host) {
  fmt::print("study {}: {}\n{}\n", name, kind.summary, kind.documentation);
  if (kind.takes_element_derivatives())
    fmt::print("\ndifferentiation.elements: {}\ndifferentiation.sensitivity: {}\n", fmt::join(kind.elements, ", "),
               fmt::join(kind.sensitivities, ", "));
  const std::vector<Quantity> metrics = study_metrics(kind, host);
  std::size_t width = 0;
  for (const Quantity& metric : metrics) width = std::max(width, metric.name.size());
  fmt::print("\nmetrics\n");
  for (const Quantity& metric : metrics)
    fmt::print("  {:<{}}  {}{}\n", metric.name, width, metric.unit == "1" ? "" : "[" + metric.unit + "] ",
               metric.documentation);
  print_parameters(study_parameters(kind, host), names_with_pages(host));
}

bool is_mesh_file(const std::filesystem::path& path) {
  return contains({".msh", ".mesh", ".vtk", ".vtu", ".node", ".ele"}, path.extension().string());
}

// For a plugin that is refused, with the reason.
void throw_if_refused(const PluginHost& host, const std::string& name) {
  std::vector<PluginProblem> refused;
  host.names<MaterialPlugin>(&refused);
  for (const PluginProblem& problem : refused)
    if (problem.path.stem() == name) host.get<MaterialPlugin>(name);  // of whatever kind: throws the reason
}

}  // namespace

ExitCode describe_command(const CommandLine& line) {
  const std::string& name = line.arguments.at(0);
  PluginHost host(line.plugin_path);
  StudyRegistry studies = built_in_studies();
  std::vector<std::string> known;
  const auto knows = [&](const std::vector<std::string>& names) {
    known.insert(known.end(), names.begin(), names.end());
    return contains(names, name);
  };
  if (knows(host.names<MaterialPlugin>())) {
    describe(*host.get<MaterialPlugin>(name), host);
  } else if (knows(host.names<JointPlugin>())) {
    describe(*host.get<JointPlugin>(name));
  } else if (knows(host.names<LossPlugin>())) {
    describe(*host.get<LossPlugin>(name));
  } else if (knows(host.names<BodyEnergyPlugin>())) {
    describe(*host.get<BodyEnergyPlugin>(name));
  } else if (knows(studies.names())) {
    describe(name, studies.get(name), host);
  } else if (const auto shape = find_shape(name)) {
    fmt::print("shape {}: {}\n", shape->name, shape->documentation);
    print_parameters(shape->parameters);
  } else if (is_mesh_file(name)) {
    fmt::print("{}", describe_mesh(read_tetrahedral_mesh(name)));
  } else if (knows(experiment_names()) || std::filesystem::is_regular_file(name)) {
    fmt::print("{}", describe_experiment(find_experiment(name)));
  } else {
    throw_if_refused(host, name);
    for (const ShapeDescription& each : shape_descriptions()) known.push_back(each.name);
    throw Error(Failure::input,
                fmt::format("nothing named '{}'.{} `holo list` prints the names.", name, suggestion(name, known)));
  }
  return ExitCode::done;
}

}  // namespace holo
