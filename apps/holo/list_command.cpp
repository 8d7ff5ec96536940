#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <set>

#include "answer.h"
#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/study/experiment.h"
#include "holo/study/reproduce.h"
#include "standard_streams.h"

namespace holo {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // name, summary

// Every list of plugins meets those that are refused; they are told once.
void tell(const std::vector<PluginProblem>& problems) {
  static std::set<std::string> told;
  for (const PluginProblem& problem : problems)
    if (told.insert(problem.path.string()).second)
      print_error(fmt::format("{} was refused: {}", problem.path.string(), problem.reason));
}

template <class Kind>
Lines plugins(const CommandLine& line) {
  PluginHost host(line.plugin_path);
  std::vector<PluginProblem> problems;
  Lines lines;
  for (const std::string& name : host.names<Kind>(&problems)) lines.emplace_back(name, host.get<Kind>(name)->summary());
  tell(problems);
  return lines;
}

Lines studies(const CommandLine&) {
  StudyRegistry registry = built_in_studies();
  Lines lines;
  for (const std::string& name : registry.names()) lines.emplace_back(name, registry.get(name).summary);
  return lines;
}

Lines experiments(const CommandLine&) {
  Lines lines;
  for (const std::string& name : experiment_names()) {
    ConfigurationFile file = ConfigurationFile::load(experiments_folder() / (name + ".yaml"));
    std::vector<std::string> variants = file.variants();
    lines.emplace_back(name, variants.empty() ? "" : fmt::format("variants: {}", fmt::join(variants, ", ")));
  }
  return lines;
}

Lines shapes(const CommandLine&) {
  Lines lines;
  for (const ShapeDescription& shape : shape_descriptions()) lines.emplace_back(shape.name, shape.documentation);
  return lines;
}

struct Category {
  std::string name;
  std::function<Lines(const CommandLine&)> list;
};

const std::vector<Category>& categories() {
  static const std::vector<Category> all{{"materials", plugins<MaterialPlugin>},
                                         {"losses", plugins<LossPlugin>},
                                         {"joints", plugins<JointPlugin>},
                                         {"body_energies", plugins<BodyEnergyPlugin>},
                                         {"studies", studies},
                                         {"experiments", experiments},
                                         {"shapes", shapes}};
  return all;
}

void print(const Category& category, const CommandLine& line) {
  Lines lines = category.list(line);
  std::size_t width = 0;
  for (const auto& [name, summary] : lines) width = std::max(width, name.size());
  if (!line.json) fmt::print("{}{}\n", category.name, lines.empty() ? ": none" : "");
  for (const auto& [name, summary] : lines)
    answer(line, fmt::format("  {:<{}}  {}\n", name, width, summary),
           {{"list", category.name}, {"name", name}, {"summary", summary}});
}

}  // namespace

ExitCode list_command(const CommandLine& line) {
  std::string wanted = line.arguments.empty() ? std::string() : line.arguments.front();
  std::vector<std::string> names;
  bool found = wanted.empty();
  for (const Category& category : categories()) {
    names.push_back(category.name);
    found = found || category.name == wanted;
  }
  if (!found)
    throw Error(Failure::input,
                fmt::format("holo list: no '{}'.{} There are: {}", wanted, suggestion(wanted, names), fmt::join(names, ", ")));
  for (const Category& category : categories())
    if (wanted.empty() || wanted == category.name) print(category, line);
  return ExitCode::done;
}

ExitCode schema_command(const CommandLine& line) {
  PluginHost host(line.plugin_path);
  const std::string schema = experiment_schema(built_in_studies(), host);
  answer(line, schema + "\n", line.json ? AnswerObject::parse(schema) : AnswerObject());
  return ExitCode::done;
}

}  // namespace holo
