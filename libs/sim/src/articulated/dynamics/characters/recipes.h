#pragma once
// Recipes of the procedural characters: each adds a character's degrees of freedom, masses, contact points and pose at rest to
// a builder. docs/articulated-dynamics.md#characters describes them.

#include "holo/sim/articulated/dynamics/procedural_characters.h"

namespace holo::articulated::recipes {

// minimal_characters.cpp
void pendulum1(CharacterBuilder& builder, const CharacterOptions& options);
void pendulum2(CharacterBuilder& builder, const CharacterOptions& options);
void acrobot(CharacterBuilder& builder, const CharacterOptions& options);
void block2(CharacterBuilder& builder, const CharacterOptions& options);
void rotor3(CharacterBuilder& builder, const CharacterOptions& options);
void hopper6(CharacterBuilder& builder, const CharacterOptions& options);
void chain(CharacterBuilder& builder, const CharacterOptions& options);
void chain5(CharacterBuilder& builder, const CharacterOptions& options);

// legged_characters.cpp
void mammal18(CharacterBuilder& builder, const CharacterOptions& options);
void spider18(CharacterBuilder& builder, const CharacterOptions& options);
void biped14(CharacterBuilder& builder, const CharacterOptions& options);
void bird2(CharacterBuilder& builder, const CharacterOptions& options);

// humanoid.cpp
void humanoid(CharacterBuilder& builder, const CharacterOptions& options);
void humanoid29(CharacterBuilder& builder, const CharacterOptions& options);

}  // namespace holo::articulated::recipes
