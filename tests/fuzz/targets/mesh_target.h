#pragma once
// A target that reads meshes of one format, from memory.

#include <string>
#include <vector>

#include "fuzz/target.h"
#include "holo/sim/mesh/mesh_description.h"

namespace holo::fuzz {

// The test files of an extension, of linear and then of quadratic tetrahedra.
inline std::vector<std::string> mesh_files(const std::string& extension) {
  std::vector<std::string> files = source_files("tests/sim/fixtures/meshes", {extension});
  const std::vector<std::string> quadratic = source_files("tests/sim/fixtures/quadratic_meshes", {extension});
  files.insert(files.end(), quadratic.begin(), quadratic.end());
  return files;
}

inline Target mesh_target(const std::string& name, const std::string& extension) {
  return {.name = name,
          .read = [=](std::string_view bytes) { describe_mesh(parse_tetrahedral_mesh("input" + extension, bytes)); },
          .seeds = [=] { return mesh_files(extension); },
          .places = {"input" + extension}};
}

}  // namespace holo::fuzz
