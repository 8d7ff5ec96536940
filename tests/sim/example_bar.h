#pragma once
// A bar whose end slab turns, with the body energy of examples.

#include <string>

#include "holo/core/plugins/plugin_host.h"
#include "scenes.h"

namespace holo::test {
namespace body_energy_tests {

// A bar along x, whose end slab turns about z; the bumps of its targets are at its two sides.
inline const char* const example_text = R"(
subsets:
  inner: {box: {min: [0.7, -9, -9], max: [0.8, 9, 9]}}
  outer: {box: {min: [0.99, -9, -9]}}
body_energies:
  - type: example_based
    stiffness: 3.0e4
    full_angle: 0.3
    normal: [0, 0, 1]
    inner: inner
    outer: outer
    positive: POSITIVE
    negative: NEGATIVE
    targets:
      up: {shape: [x, y, z*(1 + 0.2*exp(-((x - 0.3)/0.2)^2 - ((y - 0.2)/0.1)^2))]}
      down: {shape: [x, y, z*(1 - 0.1*exp(-((x - 0.6)/0.2)^2 - (y/0.2)^2))]}
      up_mirrored: {shape: [x, y, z*(1 + 0.2*exp(-((x - 0.3)/0.2)^2 - ((y - 0.1)/0.1)^2))]}
      down_mirrored: {shape: [x, y, z*(1 - 0.1*exp(-((x - 0.6)/0.2)^2 - ((y - 0.3)/0.2)^2))]}
      strains: {strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]}
)";

inline std::string example(const std::string& positive = "up", const std::string& negative = "down") {
  std::string text = example_text;
  text.replace(text.find("POSITIVE"), 8, positive);
  text.replace(text.find("NEGATIVE"), 8, negative);
  return text;
}

inline void read_into(const std::string& yaml, ElasticBodyDefinition& body) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  body.subsets = read_named_subsets(root);
  body.energies = read_body_energies(root, host, body.subsets);
  file.finish();
}

inline TetrahedralMesh mirrored(TetrahedralMesh mesh) {
  for (auto& vertex : mesh.vertices) vertex[1] = 0.3 - vertex[1];
  for (auto& tetrahedron : mesh.tetrahedra) std::swap(tetrahedron[2], tetrahedron[3]);
  return mesh;
}

inline ElasticSceneDefinition bar(const std::string& yaml, bool is_mirrored = false) {
  ElasticSceneDefinition scene;
  scene.gravity = {};
  scene.bodies = {hand_body(HandEnergy::stable, [is_mirrored] {
    const TetrahedralMesh mesh = box_mesh({1, 0.3, 0.2}, 120);
    return is_mirrored ? mirrored(mesh) : mesh;
  })};
  read_into(yaml, scene.bodies[0]);
  return scene;
}

}  // namespace body_energy_tests
}  // namespace holo::test
