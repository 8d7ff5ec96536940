#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "answer.h"
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

// What a command line describes: text for people, made of the same parts as the object for programs.
class Page {
 public:
  Page(const std::string& kind, const std::string& name, const std::string& summary, const std::string& documentation)
      : text_(fmt::format("{} {}: {}\n", kind, name, summary)), object_{{"kind", kind}, {"name", name}, {"summary", summary}} {
    if (!documentation.empty()) text_ += documentation + "\n";
    object_["documentation"] = documentation;
  }

  void add_text(const std::string& text) { text_ += text; }
  void add(const std::string& key, const AnswerObject& value) { object_[key] = value; }
  // Rows of a name and its text, below a title that is the object's key with "_" for " ".
  void add_rows(const std::string& title, const std::vector<std::pair<std::string, std::string>>& rows) {
    text_ += fmt::format("\n{}{}\n", title, rows.empty() ? ": none" : "");
    std::size_t width = 24;
    for (const auto& [name, value] : rows) width = std::max(width, name.size());
    std::string key = title;
    std::replace(key.begin(), key.end(), ' ', '_');
    object_[key] = AnswerObject::object();
    for (const auto& [name, value] : rows) {
      text_ += fmt::format("  {:<{}} {}\n", name, width, value);
      object_[key][name] = value;
    }
  }
  void add_parameters(const std::vector<ParameterDescription>& parameters, const std::vector<std::string>& elsewhere = {}) {
    text_ += parameter_list(parameters, elsewhere);
    object_["parameters"] = AnswerObject::array();
    for (const ParameterDescription& p : parameters)
      object_["parameters"].push_back({{"path", p.path},
                                       {"kind", p.kind},
                                       {"unit", p.unit},
                                       {"range", p.range},
                                       {"default", p.default_value},
                                       {"required", p.required},
                                       {"condition", p.condition},
                                       {"documentation", p.documentation}});
  }
  void add_path(const std::filesystem::path& path) {
    text_ += fmt::format("\n{}\n", path.string());
    object_["path"] = path.string();
  }
  void print(const CommandLine& line) const { answer(line, text_, object_); }

 private:
  std::string text_;
  AnswerObject object_;
};

std::string domain_of(const holo_material& material) {
  if (material.domain == HOLO_DOMAIN_POSITIVE_DETERMINANT) return "det F > 0";
  if (material.domain == HOLO_DOMAIN_DETERMINANT_INTERVAL)
    return fmt::format("{} < det F < {}", material.determinant_minimum, material.determinant_maximum);
  return "every F";
}

// The values of `differentiation.elements` that this material allows; the slow modes are known once its second library is
// built.
void add_modes(Page& page, const MaterialPlugin& material, const PluginHost& host) {
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
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ElementMode& mode : element_modes())
    if (std::find(there.begin(), there.end(), mode.name) != there.end()) rows.emplace_back(mode.name, mode.summary);
  page.add_rows("differentiation.elements", rows);
  if (missing.empty()) return;
  std::vector<std::string> slow;
  for (const ElementMode& mode : element_modes())
    if (mode.in_reference) slow.emplace_back(mode.name);
  page.add_text(fmt::format(
      "  {} run in the material's second library: {}. Build it with `cmake --build BUILD_FOLDER --target {}_reference`.\n",
      fmt::join(slow, ", "), missing, material.name()));
}

// Those that a plugin has, with the kernels that compute them.
template <class Abi, std::size_t count>
std::vector<std::pair<std::string, std::string>> operation_rows(const Abi& abi, const char* const (&names)[count]) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (std::size_t i = 0; i < count; ++i)
    if (abi.operations[i]) rows.emplace_back(names[i], abi.kernels[i] ? abi.kernels[i] : "");
  return rows;
}

std::string text_or_none(const char* text) { return text != nullptr ? text : ""; }

Page describe(const MaterialPlugin& material, const PluginHost& host) {
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
  Page page("material", material.name(), material.summary(), text_or_none(abi.documentation));
  page.add_text("\nenergy density [J/m^3]\n" + indented(material.formula()));
  page.add("energy_density", material.formula());
  page.add_text(fmt::format("defined for {}\n", domain_of(abi)));
  page.add("domain", domain_of(abi));
  page.add_parameters(material.parameters());
  page.add_rows("operations", operation_rows(abi, operations));
  add_modes(page, material, host);
  page.add_path(material.path());
  return page;
}

std::string coordinate_of(const holo_joint_coordinate& coordinate) {
  static constexpr const char* kinds[] = {"length [m]", "angle [rad]", "quaternion (w, x, y, z)"};
  return fmt::format("{}, {}", coordinate.name, kinds[coordinate.kind]);
}

Page describe(const JointPlugin& joint) {
  static constexpr const char* operations[] = {"constraint equations", "Jacobian",         "Hessian",    "motion",
                                               "motion's Jacobian",    "motion's Hessian", "coordinates"};
  static_assert(std::size(operations) == HOLO_JOINT_OPERATION_COUNT);
  const holo_joint& abi = joint.abi();
  Page page("joint", joint.name(), joint.summary(), text_or_none(abi.documentation));
  std::vector<std::string> coordinates;
  for (std::uint32_t i = 0; i < abi.coordinate_count; i += abi.coordinates[i].kind == HOLO_COORDINATE_QUATERNION ? 4 : 1)
    coordinates.push_back(coordinate_of(abi.coordinates[i]));
  page.add_text(fmt::format("\ncoordinates{}\n", coordinates.empty() ? ": none" : ""));
  for (const std::string& coordinate : coordinates) page.add_text("  " + coordinate + "\n");
  page.add("coordinates", coordinates);
  if (abi.passive_equation_count == 0)
    page.add_text("six constraint equations, which all contain the coordinates\n");
  else
    page.add_text(fmt::format("{} passive equations, without the coordinates; six constraint equations where it is driven\n",
                              abi.passive_equation_count));
  page.add("passive_equations", abi.passive_equation_count);
  page.add_parameters(joint.parameters());
  page.add_rows("operations", operation_rows(abi, operations));
  page.add_path(joint.path());
  return page;
}

// A loss or a body energy.
template <class Plugin>
Page describe(const char* kind, const Plugin& plugin) {
  Page page(kind, plugin.name(), plugin.summary(), text_or_none(plugin.abi().documentation));
  page.add_parameters(plugin.parameters());
  page.add_path(plugin.path());
  return page;
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

Page describe(const std::string& name, const StudyKind& kind, const PluginHost& host) {
  Page page("study", name, kind.summary, kind.documentation);
  if (kind.takes_element_derivatives())
    page.add_text(fmt::format("\ndifferentiation.elements: {}\ndifferentiation.sensitivity: {}\n",
                              fmt::join(kind.elements, ", "), fmt::join(kind.sensitivities, ", ")));
  page.add("differentiation", {{"elements", kind.elements}, {"sensitivities", kind.sensitivities}});
  std::vector<std::pair<std::string, std::string>> metrics;
  for (const Quantity& metric : study_metrics(kind, host))
    metrics.emplace_back(metric.name, (metric.unit == "1" ? "" : "[" + metric.unit + "] ") + metric.documentation);
  page.add_rows("metrics", metrics);
  page.add_parameters(study_parameters(kind, host), names_with_pages(host));
  return page;
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
    describe(*host.get<MaterialPlugin>(name), host).print(line);
  } else if (knows(host.names<JointPlugin>())) {
    describe(*host.get<JointPlugin>(name)).print(line);
  } else if (knows(host.names<LossPlugin>())) {
    describe("loss", *host.get<LossPlugin>(name)).print(line);
  } else if (knows(host.names<BodyEnergyPlugin>())) {
    describe("body energy", *host.get<BodyEnergyPlugin>(name)).print(line);
  } else if (knows(studies.names())) {
    describe(name, studies.get(name), host).print(line);
  } else if (const auto shape = find_shape(name)) {
    Page page("shape", shape->name, shape->documentation, "");
    page.add_parameters(shape->parameters);
    page.print(line);
  } else if (is_mesh_file(name)) {
    const std::string mesh = describe_mesh(read_tetrahedral_mesh(name));
    answer(line, mesh, {{"kind", "mesh"}, {"name", name}, {"description", mesh}});
  } else if (knows(experiment_names()) || std::filesystem::is_regular_file(name)) {
    const std::string experiment = describe_experiment(find_experiment(name));
    answer(line, experiment, {{"kind", "experiment"}, {"name", name}, {"description", experiment}});
  } else {
    throw_if_refused(host, name);
    for (const ShapeDescription& each : shape_descriptions()) known.push_back(each.name);
    throw Error(Failure::input,
                fmt::format("nothing named '{}'.{} `holo list` prints the names.", name, suggestion(name, known)));
  }
  return ExitCode::done;
}

}  // namespace holo
