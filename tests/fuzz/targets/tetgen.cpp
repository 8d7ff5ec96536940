// Meshes of TetGen: a file of points and one of tetrahedra.
#include "fuzz/targets/mesh_target.h"

namespace holo::fuzz {

namespace {

void read_tetgen_pair(std::string_view bytes) {
  const auto parts = parts_of(bytes);
  for (const char* name : {"pair.node", "pair.ele"}) {
    const auto part = parts.find(name);
    put(name, part == parts.end() ? "" : part->second);
  }
  describe_mesh(read_tetrahedral_mesh(scratch() / "pair.node"));
}

std::vector<std::string> tetgen_pairs() {
  const std::vector<std::string> nodes = mesh_files(".node"), elements = mesh_files(".ele");
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    pairs.push_back(joined({{"pair.node", nodes[i]}, {"pair.ele", elements.at(i)}}));
  return pairs;
}

}  // namespace

const Registration tetgen(Target{
    .name = "tetgen", .read = read_tetgen_pair, .seeds = tetgen_pairs, .places = {scratch().string()}});

}  // namespace holo::fuzz
