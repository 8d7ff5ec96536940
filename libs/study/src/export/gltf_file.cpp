#include "export/gltf_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "holo/core/error.h"

namespace holo {

using nlohmann::json;

namespace {

constexpr int float_type = 5126, unsigned_type = 5125;      // of components
constexpr int vertex_buffer = 34962, index_buffer = 34963;  // uses of a view
constexpr std::uint32_t magic = 0x46546c67, json_chunk = 0x4e4f534a, binary_chunk = 0x004e4942;

void append_number(std::string& bytes, std::uint32_t value) {
  char raw[4];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof raw);
}

// glTF's colors are linear, those of pages are sRGB [IEC 61966-2-1].
double linear_of(const std::string& color, std::size_t channel) {
  const double value = std::stoi(color.substr(1 + 2 * channel, 2), nullptr, 16) / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

GltfFile::GltfFile() {
  text_ = {{"asset", {{"version", "2.0"}, {"generator", "Holomorph"}}},
           {"scene", 0},
           {"scenes", json::array({{{"nodes", json::array()}}})}};
}

int GltfFile::material(const std::string& color) {
  json& materials = text_["materials"];
  const json factor = {linear_of(color, 0), linear_of(color, 1), linear_of(color, 2), 1.0};
  for (std::size_t i = 0; i < materials.size(); ++i)
    if (materials[i]["pbrMetallicRoughness"]["baseColorFactor"] == factor) return int(i);
  materials.push_back(
      {{"doubleSided", true},
       {"pbrMetallicRoughness", {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.62}}}});
  return int(materials.size()) - 1;
}

int GltfFile::view(const void* data, std::size_t size, int target) {
  json& views = text_["bufferViews"];
  json view = {{"buffer", 0}, {"byteOffset", buffer_.size()}, {"byteLength", size}};
  if (target != 0) view["target"] = target;
  views.push_back(std::move(view));
  buffer_.append(static_cast<const char*>(data), size);  // a multiple of four bytes
  return int(views.size()) - 1;
}

int GltfFile::accessor(const json& accessor) {
  text_["accessors"].push_back(accessor);
  return int(text_["accessors"].size()) - 1;
}

int GltfFile::numbers(const std::vector<float>& values, int width, bool bounds) {
  static constexpr const char* types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  json described = {
      {"bufferView", view(values.data(), values.size() * sizeof(float), width == 3 && bounds ? vertex_buffer : 0)},
      {"componentType", float_type},
      {"count", values.size() / std::size_t(width)},
      {"type", types[width]}};
  if (bounds)
    for (int k = 0; k < width; ++k) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (std::size_t i = std::size_t(k); i < values.size(); i += std::size_t(width)) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      described["min"].push_back(low);
      described["max"].push_back(high);
    }
  return accessor(described);
}

int GltfFile::mesh(const std::string& name, const std::vector<float>& points, const std::vector<std::uint32_t>& triangles,
                   int material, const std::vector<std::vector<float>>& targets) {
  json primitive = {{"attributes", {{"POSITION", numbers(points, 3, true)}}}, {"material", material}};
  primitive["indices"] =
      accessor({{"bufferView", view(triangles.data(), triangles.size() * sizeof(std::uint32_t), index_buffer)},
                {"componentType", unsigned_type},
                {"count", triangles.size()},
                {"type", "SCALAR"}});
  for (const std::vector<float>& target : targets) primitive["targets"].push_back({{"POSITION", numbers(target, 3, true)}});
  json described = {{"name", name}, {"primitives", json::array({primitive})}};
  if (!targets.empty()) described["weights"] = std::vector<float>(targets.size(), 0);
  text_["meshes"].push_back(std::move(described));
  return int(text_["meshes"].size()) - 1;
}

int GltfFile::node(const json& node, int parent) {
  json& nodes = text_["nodes"];
  const int number = int(nodes.size());
  nodes.push_back(node);
  if (parent < 0)
    text_["scenes"][0]["nodes"].push_back(number);
  else
    nodes[std::size_t(parent)]["children"].push_back(number);
  return number;
}

void GltfFile::animate(int node, const char* path, int times, int values) {
  json& animation = text_["animations"][0];
  animation["samplers"].push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

std::string GltfFile::bytes() const {
  json whole = text_;
  whole["buffers"] = json::array({{{"byteLength", buffer_.size()}}});
  // Names are a user's, in any encoding.
  std::string head = whole.dump(-1, ' ', false, json::error_handler_t::replace);
  head.append((4 - head.size() % 4) % 4, ' ');
  const std::size_t size = 12 + 8 + head.size() + 8 + buffer_.size();
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw Error(Failure::input, "--format gltf: the file would be over 4 GB; name fewer frames by --frame");
  std::string file;
  for (const std::size_t number : {std::size_t(magic), std::size_t(2), size, head.size(), std::size_t(json_chunk)})
    append_number(file, static_cast<std::uint32_t>(number));
  file += head;
  append_number(file, static_cast<std::uint32_t>(buffer_.size()));
  append_number(file, binary_chunk);
  return file + buffer_;
}

}  // namespace holo
