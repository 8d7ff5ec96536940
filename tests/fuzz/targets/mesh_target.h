#pragma once
// A target that reads meshes of one format, from memory.

#include <string>

#include "fuzz/target.h"
#include "holo/sim/mesh/mesh_description.h"

namespace holo::fuzz {

inline constexpr const char* mesh_folder = "tests/sim/fixtures/meshes";

inline Target mesh_target(const std::string& name, const std::string& extension) {
  return {.name = name,
          .read = [=](std::string_view bytes) { describe_mesh(parse_tetrahedral_mesh("input" + extension, bytes)); },
          .seeds = [=] { return source_files(mesh_folder, {extension}); },
          .places = {"input" + extension}};
}

}  // namespace holo::fuzz
