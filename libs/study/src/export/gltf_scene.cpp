#include "export/gltf_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "export/gltf_file.h"
#include "export/glyph_meshes.h"

namespace holo {

using nlohmann::json;

namespace {

constexpr std::size_t most_shapes = 60;

// As in viewer/src/style.css.
std::string color_of(Hue hue) {
  switch (hue) {
    case Hue::gray:
      return "#8a93a1";
    case Hue::green:
      return "#2c9e4b";
    case Hue::red:
      return "#d3362f";
    case Hue::blue:
      return "#2c6fd6";
    case Hue::amber:
      return "#e8a013";
    case Hue::violet:
      return "#9a52c7";
    case Hue::teal:
      return "#12a0a3";
    case Hue::pink:
      return "#d8559f";
  }
  return "#8a93a1";
}
constexpr const char* body_colors[] = {"#6d9dc9", "#e0a458", "#79b791", "#c98bb9", "#d9776d", "#a3a5ad"};

// A moving node: translations, rotations and scales of all frames.
struct NodeMotion {
  std::vector<float> translations, rotations, scales;

  void add(const Eigen::Vector3d& translation, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& scale) {
    for (const double value : translation) translations.push_back(static_cast<float>(value));
    const Eigen::Vector4d unit = rotation.normalized().coeffs();  // x, y, z, w
    for (const double value : unit) rotations.push_back(static_cast<float>(value));
    for (const double value : scale) scales.push_back(static_cast<float>(value));
  }
};

// A deformable body's surface: the vertices that triangles use, and their positions in the chosen frames.
struct MovingSurface {
  std::vector<std::size_t> vertices;  // among those of all deformable bodies
  std::vector<std::uint32_t> triangles;
  std::vector<std::vector<float>> shapes;  // [chosen frame][vertex][3]
  std::string name;
  int group = -1;

  MovingSurface(const SceneBody& body, std::size_t first_vertex) : name(body.name), group(body.group) {
    std::map<int, std::uint32_t> numbers;
    for (const auto& corners : body.triangles)
      for (const int vertex : corners) {
        const auto [place, is_new] = numbers.try_emplace(vertex, static_cast<std::uint32_t>(vertices.size()));
        if (is_new) vertices.push_back(first_vertex + std::size_t(vertex));
        triangles.push_back(place->second);
      }
  }
  void add_shape(const SceneFrame& frame) {
    std::vector<float>& shape = shapes.emplace_back();
    for (const std::size_t vertex : vertices)
      for (std::size_t axis = 0; axis < 3; ++axis) shape.push_back(static_cast<float>(frame.positions[3 * vertex + axis]));
  }
};

class GltfScene {
 public:
  explicit GltfScene(const RunFrames& frames) : frames_(frames), scene_(frames.scene()) {
    std::size_t first = 0;
    for (const SceneBody& body : scene_.bodies) {
      if (body.is_rigid()) continue;
      if (!body.triangles.empty()) surfaces_.emplace_back(body, first);
      first += std::size_t(body.vertex_count);
    }
    rigid_.resize(scene_.rigid_count());
    glyphs_.resize(scene_.glyphs.size());
  }

  std::string bytes() {
    read_frames();
    // z upwards becomes y upwards.
    const int root = file_.node({{"name", "run"}, {"rotation", {-std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)}}}, -1);
    groups_.push_back(root);
    for (const SceneGroup& group : scene_.groups)
      groups_.push_back(file_.node({{"name", group.name}, {"translation", group.beside}}, root));
    if (frames_.numbers.size() > 1) time_numbers_ = file_.numbers(times_, 1, true);
    add_surfaces();
    add_rigid_bodies();
    add_glyphs();
    return file_.bytes();
  }

 private:
  // Whether the frame is among those of the shapes: the first and last are.
  bool has_shape(std::size_t i) const {
    const std::size_t count = frames_.numbers.size(), shapes = std::min(count, most_shapes);
    return count == shapes || i == 0 || i * (shapes - 1) / (count - 1) != (i - 1) * (shapes - 1) / (count - 1);
  }

  void read_frames() {
    double start = 0;
    for (std::size_t i = 0; i < frames_.numbers.size(); ++i) {
      const SceneFrame frame = frames_.file.read(frames_.numbers[i]);
      if (i == 0) start = frame.time;
      times_.push_back(static_cast<float>(frame.time - start));
      if (has_shape(i) && !surfaces_.empty()) {
        shape_times_.push_back(times_.back());
        for (MovingSurface& surface : surfaces_) surface.add_shape(frame);
      }
      for (std::size_t b = 0; b < rigid_.size(); ++b) {
        const double* pose = frame.poses.data() + 7 * b;
        rigid_[b].add({pose[0], pose[1], pose[2]}, {pose[3], pose[4], pose[5], pose[6]}, Eigen::Vector3d::Ones());
      }
      add_signs(frame);
    }
  }

  // The poses of the glyphs, as viewer/src/glyph_view.js has them.
  void add_signs(const SceneFrame& frame) {
    std::size_t first = 0;
    for (std::size_t g = 0; g < glyphs_.size(); ++g) {
      const SceneGlyph& glyph = scene_.glyphs[g];
      const Eigen::Map<const Eigen::Vector3d> from(frame.points.data() + 3 * first);
      first += glyph.point_count();
      if (glyph.shape == GlyphShape::marker) {
        glyphs_[g].add(from, Eigen::Quaterniond::Identity(), Eigen::Vector3d::Ones());
        continue;
      }
      const Eigen::Vector3d way = Eigen::Map<const Eigen::Vector3d>(frame.points.data() + 3 * (first - 1)) - from;
      const bool is_ring = glyph.shape == GlyphShape::ring;
      const Eigen::Vector3d axis = is_ring ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
      const Eigen::Quaterniond turn =
          way.norm() > 0 ? Eigen::Quaterniond::FromTwoVectors(axis, way) : Eigen::Quaterniond::Identity();
      glyphs_[g].add(from, turn, is_ring ? Eigen::Vector3d::Constant(way.norm()) : Eigen::Vector3d(1, way.norm(), 1));
    }
  }

  void add_surfaces() {
    int shape_times = -1, color = 0;
    for (const MovingSurface& surface : surfaces_) {
      std::vector<std::vector<float>> targets(surface.shapes.begin() + 1, surface.shapes.end());
      for (std::vector<float>& target : targets)
        for (std::size_t i = 0; i < target.size(); ++i) target[i] -= surface.shapes[0][i];
      const int material = file_.material(body_colors[std::size_t(color++) % std::size(body_colors)]);
      const int mesh = file_.mesh(surface.name, surface.shapes[0], surface.triangles, material, targets);
      const int node = file_.node({{"name", surface.name}, {"mesh", mesh}}, group(surface.group));
      if (targets.empty()) continue;
      if (shape_times < 0) shape_times = file_.numbers(shape_times_, 1, true);
      // The first frame has no target; each other one has weight 1 at its time.
      const std::size_t count = targets.size();
      std::vector<float> weights((count + 1) * count, 0);
      for (std::size_t i = 0; i < count; ++i) weights[(i + 1) * count + i] = 1;
      file_.animate(node, "weights", shape_times, file_.numbers(weights, 1));
    }
  }

  void add_rigid_bodies() {
    std::size_t number = 0;
    for (const SceneBody& body : scene_.bodies) {
      if (!body.is_rigid()) continue;
      const NodeMotion& motion = rigid_[number++];
      if (body.triangles.empty()) continue;
      GlyphMesh mesh;
      for (const auto& point : body.points)
        for (const double value : point) mesh.points.push_back(static_cast<float>(value));
      for (const auto& corners : body.triangles)
        for (const int vertex : corners) mesh.triangles.push_back(static_cast<std::uint32_t>(vertex));
      add_moving(body.name, file_.mesh(body.name, mesh.points, mesh.triangles, file_.material(color_of(body.hue))), body.group,
                 motion);
    }
  }

  void add_glyphs() {
    for (std::size_t g = 0; g < glyphs_.size(); ++g) {
      const SceneGlyph& glyph = scene_.glyphs[g];
      if (!(glyph.size > 0)) continue;  // a thin line, or the point of a path
      const GlyphMesh mesh = glyph_mesh(glyph.shape, glyph.size);
      add_moving(glyph.name, file_.mesh(glyph.name, mesh.points, mesh.triangles, file_.material(color_of(glyph.hue))),
                 glyph.group, glyphs_[g]);
    }
  }

  void add_moving(const std::string& name, int mesh, int group_number, const NodeMotion& motion) {
    const auto first = [](const std::vector<float>& values, std::ptrdiff_t width) {
      return std::vector<float>(values.begin(), values.begin() + width);
    };
    const auto varies = [&](const std::vector<float>& values, std::ptrdiff_t width) {
      return !std::equal(values.begin() + width, values.end(), values.begin());
    };
    const int node = file_.node({{"name", name},
                                 {"mesh", mesh},
                                 {"translation", first(motion.translations, 3)},
                                 {"rotation", first(motion.rotations, 4)},
                                 {"scale", first(motion.scales, 3)}},
                                group(group_number));
    if (varies(motion.translations, 3))
      file_.animate(node, "translation", time_numbers_, file_.numbers(motion.translations, 3));
    if (varies(motion.rotations, 4)) file_.animate(node, "rotation", time_numbers_, file_.numbers(motion.rotations, 4));
    if (varies(motion.scales, 3)) file_.animate(node, "scale", time_numbers_, file_.numbers(motion.scales, 3));
  }

  int group(int number) const { return groups_[std::size_t(number + 1)]; }

  const RunFrames& frames_;
  const Scene& scene_;
  GltfFile file_;
  std::vector<MovingSurface> surfaces_;
  std::vector<NodeMotion> rigid_, glyphs_;
  std::vector<float> times_, shape_times_;  // [s] from the first frame
  std::vector<int> groups_;                 // nodes: the root, then the groups
  int time_numbers_ = -1;
};

}  // namespace

void write_gltf(const RunFrames& frames, ExportFolder& folder) { folder.write("scene.glb", GltfScene(frames).bytes()); }

}  // namespace holo
