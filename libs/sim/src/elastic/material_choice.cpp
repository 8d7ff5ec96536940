#include "holo/sim/elastic/material_choice.h"

#include "holo/core/plugins/material_values.h"

namespace holo {

MaterialChoice read_material_choice(Configuration& parent, const PluginHost& host,
                                    const std::function<void(const MaterialPlugin&)>& check, MaterialValuesPer per) {
  const std::size_t problems = parent.problem_count();
  Configuration material = parent.section("material", "a material plugin and its parameters: {type: NAME, ...}");
  // A recording asks for the parameters of every plugin: it gives the schema and the documentation.
  if (material.recording()) {
    std::vector<Configuration::Branch> branches;
    for (const std::string& name : host.names<MaterialPlugin>()) {
      auto plugin = host.get<MaterialPlugin>(name);
      branches.push_back({name, plugin->summary(), [plugin, per](Configuration& p) {
                            if (per == MaterialValuesPer::element)
                              read_material_values(*plugin, p, {});
                            else
                              plugin->read_coefficients(p);
                          }});
    }
    material.branch("type", branches, {}, "the plugin's name");
    return {};
  }
  const std::string name = material.text("type", {.documentation = "the plugin's name"});
  const auto skip = [&] {
    for (const std::string& key : material.keys())  // they cannot be judged without the plugin
      if (nearest_name(key, {"type"}).empty()) material.raw(key);
  };
  if (name.empty() || material.problem_count() != problems) {
    skip();
    return {};
  }
  MaterialChoice choice;
  choice.location = material.location("type");
  try {
    choice.plugin = host.get<MaterialPlugin>(name);
    if (per == MaterialValuesPer::element) choice.fields = read_material_fields(material, choice.plugin, choice.location);
    if (!choice.fields) choice.coefficients = choice.plugin->read_coefficients(material);
    if (check) check(*choice.plugin);
    return choice;
  } catch (const Error& error) {
    skip();
    material.problem(material.location("type"), error.what());
    return {};
  }
}

}  // namespace holo
