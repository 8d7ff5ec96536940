#include "holo/sim/articulated/dynamics/procedural_characters.h"

#include <fmt/format.h>

#include "articulated/dynamics/characters/recipes.h"
#include "holo/core/error.h"

namespace holo::articulated {

namespace {

struct NamedRecipe {
  const char* name;
  void (*add)(CharacterBuilder&, const CharacterOptions&);
};
constexpr NamedRecipe named_recipes[] = {
    {"pendulum1", recipes::pendulum1}, {"pendulum2", recipes::pendulum2},  {"acrobot", recipes::acrobot},
    {"block2", recipes::block2},       {"rotor3", recipes::rotor3},        {"hopper6", recipes::hopper6},
    {"chain", recipes::chain},         {"chain5", recipes::chain5},        {"mammal18", recipes::mammal18},
    {"spider18", recipes::spider18},   {"biped14", recipes::biped14},      {"bird2", recipes::bird2},
    {"humanoid", recipes::humanoid},   {"humanoid29", recipes::humanoid29}};

}  // namespace

std::vector<std::string> procedural_character_names() {
  std::vector<std::string> names;
  for (const NamedRecipe& recipe : named_recipes) names.emplace_back(recipe.name);
  return names;
}

CharacterModel procedural_character(const std::string& name, const CharacterOptions& options) {
  for (const NamedRecipe& recipe : named_recipes)
    if (name == recipe.name) {
      CharacterBuilder builder(name);
      recipe.add(builder, options);
      builder.add_springs(options.stiffness, options.damping);
      if (options.adjust) options.adjust(builder);
      return builder.build(options.self_collision);
    }
  const std::vector<std::string> names = procedural_character_names();
  throw Error(Failure::input, fmt::format("there is no procedural character '{}'; there are {}.{}", name,
                                          fmt::join(names, ", "), suggestion(name, names)));
}

}  // namespace holo::articulated
