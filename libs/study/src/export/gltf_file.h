#pragma once
// A glTF 2.0 file in its binary form, .glb [Khronos glTF 2.0]: nodes, meshes, materials and one animation, with their numbers
// in one buffer.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace holo {

class GltfFile {
 public:
  GltfFile();

  // A material of this color, "#rrggbb", as the screen has it.
  int material(const std::string& color);
  // A mesh of triangles. `points` [vertex][3]; each target has the displacements of all vertices from these.
  int mesh(const std::string& name, const std::vector<float>& points, const std::vector<std::uint32_t>& triangles, int material,
           const std::vector<std::vector<float>>& targets = {});
  int node(const nlohmann::json& node, int parent);  // a parent of -1: the scene

  // Numbers of `width` components for the samplers of the animation; with `bounds` the smallest and largest are stated.
  int numbers(const std::vector<float>& values, int width, bool bounds = false);
  // Moves the node's `path` ("translation", "rotation", "scale" or "weights") through values at times, linearly.
  void animate(int node, const char* path, int times, int values);

  std::string bytes() const;

 private:
  int view(const void* data, std::size_t size, int target);
  int accessor(const nlohmann::json& accessor);

  nlohmann::json text_;
  std::string buffer_;
};

}  // namespace holo
