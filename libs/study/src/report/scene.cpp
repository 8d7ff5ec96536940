#include "holo/study/scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <iterator>

#include "holo/core/error.h"

namespace holo {

namespace {
constexpr const char* hue_names[] = {"gray", "green", "red", "blue", "amber", "violet", "teal", "pink"};
}

std::string to_string(Hue hue) { return hue_names[static_cast<int>(hue)]; }

Hue hue_named(const std::string& name) {
  for (std::size_t i = 0; i < std::size(hue_names); ++i)
    if (name == hue_names[i]) return static_cast<Hue>(i);
  throw Error(Failure::input, fmt::format("no color is named '{}'; there are: {}", name, fmt::join(hue_names, ", ")));
}

std::int64_t Scene::vertex_count() const {
  std::int64_t count = 0;
  for (const SceneBody& body : bodies) count += body.is_rigid() ? 0 : body.vertex_count;
  return count;
}

std::size_t Scene::rigid_count() const {
  std::size_t count = 0;
  for (const SceneBody& body : bodies) count += body.is_rigid() ? 1 : 0;
  return count;
}

std::size_t Scene::point_count() const {
  std::size_t count = 0;
  for (const SceneGlyph& glyph : glyphs) count += glyph.point_count();
  return count;
}

std::string misfit_of(const Scene& scene, const SceneFrame& frame) {
  const auto vertices = static_cast<std::size_t>(scene.vertex_count());
  if (frame.positions.size() != 3 * vertices)
    return fmt::format("{} coordinates for the {} vertices of its deformable bodies", frame.positions.size(), vertices);
  if (frame.poses.size() != 7 * scene.rigid_count())
    return fmt::format("{} numbers for the poses of {} rigid bodies", frame.poses.size(), scene.rigid_count());
  if (frame.points.size() != 3 * scene.point_count())
    return fmt::format("{} coordinates for the {} points of its glyphs", frame.points.size(), scene.point_count());
  if (frame.fields.size() != scene.fields.size())
    return fmt::format("{} fields, the scene names {}", frame.fields.size(), scene.fields.size());
  for (std::size_t f = 0; f < frame.fields.size(); ++f)
    if (frame.fields[f].size() != vertices)
      return fmt::format("field '{}' has {} values for the {} vertices of its deformable bodies", scene.fields[f].name,
                         frame.fields[f].size(), vertices);
  if (frame.arrows.size() != scene.arrows.size())
    return fmt::format("{} lists of arrows, the scene names {}", frame.arrows.size(), scene.arrows.size());
  for (std::size_t i = 0; i < frame.arrows.size(); ++i)
    for (const VertexArrow& arrow : frame.arrows[i])
      if (arrow.vertex >= vertices)
        return fmt::format("an arrow of '{}' at vertex {}, the deformable bodies have {}", scene.arrows[i].name, arrow.vertex,
                           vertices);
  return "";
}

std::vector<double> places_of(const Scene& scene, const SceneFrame& frame) {
  std::vector<double> places = frame.positions;
  const double* pose = frame.poses.data();
  for (const SceneBody& body : scene.bodies) {
    if (!body.is_rigid()) continue;
    const Eigen::Map<const Eigen::Vector3d> position(pose);
    const Eigen::Quaterniond turn(pose[3], pose[4], pose[5], pose[6]);
    for (const std::array<double, 3>& point : body.points) {
      const Eigen::Vector3d place = position + turn * Eigen::Map<const Eigen::Vector3d>(point.data());
      places.insert(places.end(), place.data(), place.data() + 3);
    }
    pose += 7;
  }
  places.insert(places.end(), frame.points.begin(), frame.points.end());
  return places;
}

}  // namespace holo
