// Scenes of characters: bodies, obstacles and arrows of forces are where the motion has them.
#include <map>
#include <numbers>

#include "characters/solid_mesh.h"
#include "holo/study/frames_file.h"
#include "small_runs.h"

namespace holo_test {
namespace character_drawing {

using namespace holo;
using Eigen::Vector3d;
using Kind = CollisionShape::Kind;

class CharacterDrawings : public SmallRuns {};

// The volume of a closed mesh, whose edges must each have two triangles in opposite directions.
double volume_of(const SceneBody& body) {
  std::map<std::pair<int, int>, int> edges;
  std::map<std::array<double, 3>, int> places;  // corners of flat faces stand more than once
  double volume = 0;
  const auto place = [&](int corner) {
    return places.emplace(body.points[std::size_t(corner)], int(places.size())).first->second;
  };
  for (const std::array<int, 3>& triangle : body.triangles) {
    Vector3d x[3];
    for (int i = 0; i < 3; ++i) x[i] = Vector3d(body.points[std::size_t(triangle[std::size_t(i)])].data());
    volume += x[0].dot(x[1].cross(x[2])) / 6;
    for (int i = 0; i < 3; ++i) ++edges[{place(triangle[std::size_t(i)]), place(triangle[std::size_t((i + 1) % 3)])}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  return volume;
}

TEST_F(CharacterDrawings, SolidsAreClosedAndHaveTheirVolume) {
  const double pi = std::numbers::pi;
  const Eigen::Isometry3d pose = Eigen::Translation3d(1, 2, 3) * Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized());
  const std::vector<std::tuple<Kind, Vector3d, double>> solids = {
      {Kind::sphere, {0.5, 0, 0}, 4 * pi / 3 * 0.125},
      {Kind::capsule, {0.2, 0.6, 0}, 4 * pi / 3 * 0.008 + pi * 0.04 * 1.2},
      {Kind::cylinder, {0.3, 0.4, 0}, pi * 0.09 * 0.8},
      {Kind::ellipsoid, {0.2, 0.3, 0.5}, 4 * pi / 3 * 0.03},
      {Kind::box, {0.2, 0.3, 0.5}, 8 * 0.03}};
  for (const auto& [kind, size, volume] : solids) {
    SceneBody body;
    add_solid_mesh(kind, pose, size, body);
    EXPECT_EQ(body.vertex_count, std::int64_t(body.points.size()));
    const double found = volume_of(body);
    EXPECT_GT(found, (kind == Kind::box ? 1 - 1e-12 : 0.93) * volume) << int(kind);
    EXPECT_LT(found, (1 + 1e-12) * volume) << int(kind);
  }
}

const std::string standing_mammal =
    "name: small\nstudy: articulated_dynamics\nscene:\n  time_step: 0.01\n  duration: 3\n"
    "  character: {type: mammal18, springs: {stiffness: 300, damping: 20}, pose: {base_z: 0.6}}\n"
    "  obstacles:\n    - {name: floor, type: plane}\n    - {name: crate, type: box, size: [1, 1, 1], position: [4, 0, 0.5]}\n";

struct DrawnFrame {
  std::map<std::string, std::vector<Vector3d>> bodies;
  std::vector<Vector3d> points;  // of glyphs
};
DrawnFrame drawn(const Scene& scene, const SceneFrame& frame) {
  const std::vector<double> places = places_of(scene, frame);
  DrawnFrame result;
  std::size_t at = 0;
  const auto next = [&] { return Vector3d(places.data() + 3 * at++); };
  for (const SceneBody& body : scene.bodies)
    for (std::size_t i = 0; i < body.points.size(); ++i) result.bodies[body.name].push_back(next());
  while (3 * at < places.size()) result.points.push_back(next());
  return result;
}

double lowest(const std::vector<Vector3d>& points) {
  double z = 1e300;
  for (const Vector3d& point : points) z = std::min(z, point.z());
  return z;
}

TEST_F(CharacterDrawings, HaveBodiesObstaclesAndForcesOfTheRun) {
  write(standing_mammal);
  run("a");
  const FramesFile frames(folder_ / "a" / "frames.bin");
  const Scene& scene = frames.scene();
  ASSERT_EQ(frames.size(), 91u);
  const DrawnFrame first = drawn(scene, frames.read(0)), last = drawn(scene, frames.read(frames.size() - 1));
  // The feet are the lowest points: 0.6 m - the legs' height above the floor at first, 2 cm below it in the end.
  double before = 1e300, after = 1e300;
  for (const char* leg : {"front_left", "front_right", "hind_left", "hind_right"}) {
    const std::string shank = std::string(leg) + "_knee";
    before = std::min(before, lowest(first.bodies.at(shank)));
    after = std::min(after, lowest(last.bodies.at(shank)));
  }
  EXPECT_NEAR(before, 0.6 - 0.5 * std::cos(0.4) - 0.03, 2e-3);
  EXPECT_NEAR(after, -0.02, 5e-3);
  EXPECT_NEAR(lowest(first.bodies.at("floor")), 0, 1e-12);
  EXPECT_EQ(lowest(first.bodies.at("crate")), lowest(last.bodies.at("crate")));
  EXPECT_NEAR(lowest(first.bodies.at("crate")), 0, 1e-12);
  // The center of mass, and an arrow for each of the four feet: none in the air, in the end together the weight's.
  ASSERT_EQ(first.points.size(), 9u);
  double arrows = 0;
  for (std::size_t foot = 0; foot < 4; ++foot) {
    EXPECT_EQ(first.points[1 + 2 * foot], first.points[2 + 2 * foot]);
    arrows += (last.points[2 + 2 * foot] - last.points[1 + 2 * foot]).z();
    EXPECT_NEAR(last.points[1 + 2 * foot].z(), -0.02, 5e-3);
  }
  EXPECT_NEAR(arrows, 0.8 * scene.length, 1e-2 * scene.length);
  EXPECT_HOLDS(scene.glyphs[1].kind, "contact force: 161 N is ");
}

TEST_F(CharacterDrawings, PreviewIsTheStart) {
  static const PluginHost plugins;
  static const StudyRegistry studies = built_in_studies();
  ConfigurationFile file = ConfigurationFile::parse(standing_mammal, "small.yaml");
  const StudyPreview preview = load_experiment(file, studies, plugins).plan.preview();
  EXPECT_EQ(misfit_of(preview.scene, preview.frame), "");
  EXPECT_EQ(preview.frame.time, 0);
  write(standing_mammal);
  run("a");
  const FramesFile frames(folder_ / "a" / "frames.bin");
  EXPECT_EQ(places_of(preview.scene, preview.frame), places_of(frames.scene(), frames.read(0)));
  ASSERT_EQ(preview.tables.size(), 3u);
  EXPECT_EQ(preview.tables[0].rows.size(), 3u);
  EXPECT_EQ(preview.tables[1].rows.size(), 15u);
}

// A body without shapes is drawn as the box of its moments: here of the box that its inertia is.
TEST_F(CharacterDrawings, BodiesWithoutShapesAreTheBoxesOfTheirMoments) {
  const std::string path = (folder_ / "robot.urdf").string();
  std::ofstream(path)
      << "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='0.5 0 0'/><mass value='12'/>"
         "<inertia ixx='0.13' iyy='4.09' izz='4.04' ixy='0' ixz='0' iyz='0'/></inertial></link>"
         "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
         "</joint></robot>";
  write("name: small\nstudy: articulated_dynamics\nscene:\n  time_step: 0.01\n  duration: 0.01\n  character: {file: " + path +
        "}\n");
  run("a");
  const FramesFile frames(folder_ / "a" / "frames.bin");
  ASSERT_EQ(frames.scene().bodies.size(), 1u);
  const DrawnFrame first = drawn(frames.scene(), frames.read(0));
  // 12/12 (y^2 + z^2) = 0.13, (x^2 + z^2) = 4.09, (x^2 + y^2) = 4.04: edges 2, 0.2 and 0.3 m around (0.5, 0, 0).
  Vector3d least = first.bodies.at("arm")[0], most = least;
  for (const Vector3d& x : first.bodies.at("arm")) {
    least = least.cwiseMin(x);
    most = most.cwiseMax(x);
  }
  EXPECT_LT((least - Vector3d(-0.5, -0.1, -0.15)).norm(), 1e-6);
  EXPECT_LT((most - Vector3d(1.5, 0.1, 0.15)).norm(), 1e-6);
}

}  // namespace character_drawing
}  // namespace holo_test
