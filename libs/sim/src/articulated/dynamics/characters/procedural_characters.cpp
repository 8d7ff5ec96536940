#include "holo/sim/articulated/dynamics/procedural_characters.h"

#include <fmt/format.h>

#include "articulated/dynamics/characters/recipes.h"
#include "holo/core/error.h"

namespace holo::articulated {

namespace {

struct NamedRecipe {
  const char* name;
  void (*add)(CharacterBuilder&, const CharacterOptions&);
  bool has_free_base;  // with the chart of the options
};
constexpr NamedRecipe named_recipes[] = {
    {"pendulum1", recipes::pendulum1, false}, {"pendulum2", recipes::pendulum2, false}, {"acrobot", recipes::acrobot, false},
    {"block2", recipes::block2, false},       {"rotor3", recipes::rotor3, false},       {"hopper6", recipes::hopper6, false},
    {"chain", recipes::chain, true},          {"chain5", recipes::chain5, true},        {"mammal18", recipes::mammal18, true},
    {"spider18", recipes::spider18, true},    {"biped14", recipes::biped14, true},      {"bird2", recipes::bird2, true},
    {"humanoid", recipes::humanoid, true},    {"humanoid29", recipes::humanoid29, true}};

const NamedRecipe& recipe_named(const std::string& name) {
  for (const NamedRecipe& recipe : named_recipes)
    if (name == recipe.name) return recipe;
  const std::vector<std::string> names = procedural_character_names();
  throw Error(Failure::input, fmt::format("there is no procedural character '{}'; there are {}.{}", name,
                                          fmt::join(names, ", "), suggestion(name, names)));
}

}  // namespace

std::vector<std::string> procedural_character_names() {
  std::vector<std::string> names;
  for (const NamedRecipe& recipe : named_recipes) names.emplace_back(recipe.name);
  return names;
}

bool has_free_base(const std::string& name) { return recipe_named(name).has_free_base; }

CharacterModel procedural_character(const std::string& name, const CharacterOptions& options) {
  const NamedRecipe& recipe = recipe_named(name);
  CharacterBuilder builder(name);
  for (const auto& [joint, replacement] : options.joints) builder.replace_joint(joint, replacement);
  recipe.add(builder, options);
  builder.add_springs(options.stiffness, options.damping);
  if (options.adjust) options.adjust(builder);
  return builder.build(options.self_collision);
}

}  // namespace holo::articulated
