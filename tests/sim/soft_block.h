#pragma once
// Blocks of a plugin's material, for scenes in which bodies touch each other.

#include <memory>

#include "holo/core/plugins/plugin_host.h"
#include "scenes.h"

namespace holo::test {

inline ElasticBodyDefinition soft_block(const char* name, const Vector3d& size, int elements, double youngs_modulus) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = name;
  body.mesh = box_source(size, elements);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", 0.4}});
  return body;
}

}  // namespace holo::test
