// Characters whose links are meshes, obstacles that are meshes, and joints of plugins: what sections give, and their messages.
#include <cmath>
#include <fstream>
#include <map>

#include "characters/character_scene.h"
#include "holo/sim/articulated/dynamics/obstacle_distance.h"
#include "holo/sim/articulated/dynamics/step_memory.h"
#include "small_runs.h"

namespace holo_test {
namespace character_meshes {

using namespace holo;
using namespace holo::articulated;

CharacterScene read_scene(const std::string& lines) {
  ConfigurationFile file = ConfigurationFile::parse("scene:\n  time_step: 0.01\n  duration: 0.5\n" + lines, "small.yaml");
  Configuration root = file.root();
  std::vector<UsedPlugin> plugins;
  CharacterScene scene = read_character_scene(root, PluginHost(), plugins);
  file.finish();
  return scene;
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}
std::string message_of_scene(const std::string& lines) {
  return message_of([&] { read_scene(lines); });
}

class CharacterMeshes : public SmallRuns {
 protected:
  // The unit cube as an OBJ file, without its first triangles where some are left out.
  std::string cube(std::size_t left_out = 0) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";
    const std::vector<std::string> faces = {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"};
    for (std::size_t i = left_out; i < faces.size(); ++i) text += "f " + faces[i] + "\n";
    const std::filesystem::path path = folder_ / "cube.obj";
    std::ofstream(path) << text;
    return path.string();
  }
};
class CharacterMeshesBadInput : public CharacterMeshes {};

constexpr const char* box_link =
    "    links:\n      - {name: trunk, mesh: {shape: box, size: [0.4, 0.2, 0.1], elements: 24}, density: 500";

// A trunk with a tail at a hinge and a shaft at a plugin's screw.
std::string links(const std::string& file, const std::string& more = "") {
  return std::string("  character:\n    name: beast\n    base: {rotation: euler}\n") + more + box_link +
         ", position: [1, 2, 3]}\n"
         "      - name: tail\n        parent: trunk\n        mesh: {file: " +
         file +
         ", scale: 0.1}\n        density: 1000\n        position: [1.4, 2.05, 3]\n        contact: all_vertices\n"
         "        joint: {type: hinge, point: [1.4, 2.1, 3.05], axis: [0, 2, 0], limits: [-1, 0.5]}\n"
         "      - name: shaft\n        parent: tail\n        mesh: {file: " +
         file +
         ", scale: 0.1}\n        density: 1000\n        position: [1.5, 2.05, 3]\n        contact: none\n"
         "        joint: {type: slide, name: extension, point: [1.5, 2.1, 3.05], axis: [1, 0, 0], actuated: false}\n";
}

TEST_F(CharacterMeshes, OfLinksHaveTheirMassesJointsAndContactPoints) {
  const CharacterScene scene = read_scene(links(cube()));
  const CharacterModel& model = *scene.character.model;
  EXPECT_EQ(model.name(), "beast");
  EXPECT_EQ(model.dof_names(), (std::vector<std::string>{"base_x", "base_y", "base_z", "base_yaw", "base_pitch", "base_roll",
                                                         "tail", "extension"}));
  EXPECT_NEAR(model.total_mass(), 0.008 * 500 + 2 * 0.001 * 1000, 1e-12);
  std::vector<int> points(8);  // of degrees of freedom
  for (const ContactPoint& point : model.contact_points()) ++points[std::size_t(point.dof)];
  EXPECT_GE(points[5], 8);  // the corners of the trunk
  EXPECT_EQ(points[6], 8);
  EXPECT_EQ(points[7], 0);
  EXPECT_EQ(model.actuated(), std::vector<int>{6});
  EXPECT_EQ(model.dofs()[6].lower, -1);
  EXPECT_EQ(model.dofs()[6].upper, 0.5);
  EXPECT_NEAR(model.rest().coordinates[0], 1.2, 1e-15);  // the center of mass of the trunk
  EXPECT_EQ(model.shapes().size(), 3u);
  // At rest all meshes are where they are given, and a turn of the hinge moves what is behind it about its point.
  StateMemory<double> state(model);
  CharacterPose pose = model.rest();
  for (const double angle : {0.0, 0.3}) {
    pose.coordinates[6] = angle;
    state.set(model, pose);
    const CharacterShape& shaft = model.shapes()[2];
    const Eigen::Vector3d corner = shaft.pose * Eigen::Vector3d(0.1, 0, 0);  // [1.6, 2.05, 3] in the world
    const Vector3<double> place = state.frames[7] * Vector3<double>{corner[0], corner[1], corner[2]};
    EXPECT_NEAR(place[0], 1.4 + 0.2 * std::cos(angle) - 0.05 * std::sin(angle), 1e-12);
    EXPECT_NEAR(place[1], 2.05, 1e-12);
    EXPECT_NEAR(place[2], 3.05 - 0.2 * std::sin(angle) - 0.05 * std::cos(angle), 1e-12);
  }
}

TEST_F(CharacterMeshes, OfLinksTakeJointsOfPlugins) {
  ConfigurationFile file = ConfigurationFile::parse("scene:\n  time_step: 0.01\n  duration: 0.5\n" +
                                                        links(cube(), "    plugin_joints: [{joint: tail, type: revolute}]\n") +
                                                        "    joints: [{joint: tail, damping: 3}]\n    pose: {tail: 0.2}\n",
                                                    "small.yaml");
  Configuration root = file.root();
  std::vector<UsedPlugin> plugins;
  const CharacterScene scene = read_character_scene(root, PluginHost(), plugins);
  file.finish();
  ASSERT_EQ(plugins.size(), 1u);
  EXPECT_EQ(plugins[0].name, "revolute");
  const CharacterScene hinged = read_scene(links(cube()));
  const CharacterModel &model = *scene.character.model, &hinge = *hinged.character.model;
  EXPECT_EQ(model.dof_names(), hinge.dof_names());
  ASSERT_EQ(model.plugin_joints().size(), 1u);
  EXPECT_EQ(model.dofs()[6].damping, 3);
  EXPECT_EQ(model.dofs()[6].upper, 0.5);
  EXPECT_EQ(scene.character.start.pose.coordinates[6], 0.2);
}

TEST_F(CharacterMeshes, AsObstaclesHaveTheDistanceOfTheirSurface) {
  const CharacterScene scene = read_scene(
      "  character: {type: block2}\n  obstacles:\n"
      "    - {name: cube, type: mesh, mesh: {file: " +
      cube() +
      "}, spacing: 0.05, position: [0, 0, 5]}\n"
      "    - {name: ball, type: mesh, mesh: {shape: sphere, radius: 0.5, elements: 4000}, spacing: 0.05}\n"
      "    - {name: ring, type: distance_grid, formula: \"sqrt((sqrt(x*x + y*y) - 0.5)^2 + z*z) - 0.2\", minimum: [-0.75, "
      "-0.75,"
      " -0.25], maximum: [0.75, 0.75, 0.25], spacing: 0.05, rotation: [1.5707963267948966, 0, 0]}\n");
  const CharacterObstacles obstacles(scene.obstacles, largest_contact_radius(*scene.character.model));
  const auto distance = [&](std::size_t number, const Vector3<double>& point) {
    return obstacle_distance(obstacles.list()[number], point).distance;
  };
  EXPECT_NEAR(distance(0, {0.5, 0.5, 6.02}), 0.02, 1e-9);
  EXPECT_NEAR(distance(0, {1.02, 0.5, 5.5}), 0.02, 1e-9);
  EXPECT_NEAR(distance(1, {0, 0.52, 0}), 0.02, 0.01);  // facets lie within the ball
  EXPECT_NEAR(distance(2, {0, 0, 0.72}), 0.02, 1e-3);  // the ring stands upright
  EXPECT_NEAR(distance(2, {0.5, 0.19, 0}), -0.01, 1e-3);
  // What is drawn lies where the distances vanish.
  for (std::size_t number = 0; number < 3; ++number) {
    ASSERT_FALSE(obstacles.surface(number).triangles.empty());
    const Obstacle& obstacle = obstacles.list()[number];
    for (const std::array<double, 3>& vertex : obstacles.surface(number).vertices)
      EXPECT_NEAR(obstacle_distance(obstacle, obstacle.frame * Vector3<double>{vertex[0], vertex[1], vertex[2]}).distance, 0,
                  number == 0 ? 0.02 : 0.01);
  }
}

// A cube falls on a cube and stays there; both are drawn.
TEST_F(CharacterMeshes, FallOnMeshes) {
  std::unique_ptr<Study> study = built(
      "name: small\nstudy: articulated_dynamics\nscene:\n  time_step: 0.01\n  duration: 1\n  character:\n    links:\n"
      "      - {name: cube, mesh: {file: " +
      cube() +
      ", scale: 0.2}, density: 1000, position: [0.4, 0.4, 1.01]}\n"
      "  obstacles: [{name: rock, type: mesh, mesh: {file: " +
      cube() + "}, spacing: 0.1}]\n  contact: {penetration: 0.01}\n");
  KeptOutput output;
  while (study->steps_done() < study->total_steps()) ASSERT_FALSE(study->step(output).failed);
  std::map<std::string, double> last;
  const std::vector<Quantity> columns = study->columns();
  for (std::size_t c = 0; c < columns.size(); ++c) last[columns[c].name] = output.rows.back()[c];
  EXPECT_NEAR(last.at("coordinate.base_z"), 1.1 - 0.01, 2e-3);
  EXPECT_NEAR(last.at("normal_force"), 8 * 9.81, 0.5);
  const Scene* scene = study->scene();
  ASSERT_NE(scene, nullptr);
  ASSERT_EQ(scene->bodies.size(), 2u);
  for (const SceneBody& body : scene->bodies) EXPECT_EQ(body.triangles.size(), 12u);
  EXPECT_EQ(scene->bodies[1].points[7][2], 1);
}

TEST_F(CharacterMeshesBadInput, NamesTheFileAndThePlace) {
  const auto linked = [&](const std::string& change_from, const std::string& change_to) {
    return message_of_scene(replaced(links(cube()), change_from, change_to));
  };
  EXPECT_HOLDS(linked("density: 1000", "density: -1"), "density");
  EXPECT_HOLDS(linked("parent: trunk", "parent: trunc"), "there is no link 'trunc' before this one. Did you mean 'trunk'?");
  EXPECT_HOLDS(linked("        parent: trunk\n", ""), "has a joint and no parent");
  EXPECT_HOLDS(linked("name: shaft", "name: tail"), "a second link is named 'tail'");
  EXPECT_HOLDS(linked("axis: [0, 2, 0]", "axis: [0, 0, 0]"), "the axis is [0, 0, 0]; a direction is needed");
  EXPECT_HOLDS(linked("limits: [-1, 0.5]", "limits: [1, 0.5]"), "the limits are 1 and 0.5; the lower one must come first");
  EXPECT_HOLDS(linked("limits: [-1, 0.5]", "limits: [0.1, 0.5]"), "the joint 'tail' starts at 0, outside of its limits");
  EXPECT_HOLDS(linked("type: hinge", "type: screw"), "hinge, slide, ball, fixed");
  EXPECT_HOLDS(message_of_scene("  character:\n" + std::string(box_link) + ", parent: world, joint: {type: fixed}}\n"),
               "the link is fixed to the world, so that it is no part of a motion; make it an obstacle of type `mesh`");
  const std::string missing = message_of_scene(links("missing.obj"));
  EXPECT_HOLDS(missing, "missing.obj");
  EXPECT_HOLDS(missing, "small.yaml:11:");
  const std::string open = message_of_scene(links(cube(1)));
  EXPECT_HOLDS(open, "cube.obj");
  EXPECT_HOLDS(open, "small.yaml:11:");
  EXPECT_HOLDS(open, "edge");
}

TEST_F(CharacterMeshesBadInput, NamesObstaclesThatCannotBe) {
  const auto built_obstacles = [&](const std::string& text) {
    return message_of([&] {
      CharacterObstacles{read_scene("  character: {type: block2}\n  obstacles:\n    - {name: a, " + text + "}\n").obstacles};
    });
  };
  const std::string whole = "type: mesh, mesh: {file: " + cube() + "}, ";
  EXPECT_HOLDS(built_obstacles(whole + "spacing: 0"), "spacing");
  EXPECT_HOLDS(built_obstacles(whole + "spacing: 0.6"), "choose a spacing of at most 0.5 m");
  EXPECT_HOLDS(built_obstacles(whole + "spacing: 1.0e-4"), "choose a larger spacing");
  EXPECT_HOLDS(built_obstacles("type: mesh, mesh: {file: nowhere.obj}, spacing: 0.1"), "nowhere.obj");
  const std::string ring = "type: distance_grid, minimum: [-1, -1, -1], maximum: [1, 1, 1], spacing: 0.1, formula: ";
  EXPECT_HOLDS(built_obstacles(ring + "\"t + x\""), "small.yaml:6:");
  EXPECT_HOLDS(built_obstacles(ring + "\"sqrt(x*x + y*y + z*z) - 1.3\""), "the solid reaches beyond the grid");
  EXPECT_HOLDS(built_obstacles(ring + "\"1/x\""), "small.yaml:6:");
  const std::string open = "type: mesh, mesh: {file: " + cube(2) + "}, spacing: 0.1";
  EXPECT_HOLDS(built_obstacles(open), "small.yaml:6:35: ");
  EXPECT_HOLDS(built_obstacles(open), "cube.obj");
}

TEST_F(CharacterMeshesBadInput, NamesJointsOfPluginsThatDoNotFit) {
  const auto replacing = [](const std::string& joints) {
    return message_of_scene("  character:\n    type: hopper6\n    plugin_joints:\n" + joints);
  };
  EXPECT_HOLDS(replacing("      - {joint: knee, type: revolut}\n"), "revolute");
  EXPECT_HOLDS(replacing("      - {joint: kne, type: revolute}\n"), "small.yaml:7:17: ");
  EXPECT_HOLDS(replacing("      - {joint: kne, type: revolute}\n"), "Did you mean 'knee'?");
  EXPECT_HOLDS(replacing("      - {joint: knee, type: universal}\n"), "'universal' has 2 numbers");
  EXPECT_HOLDS(replacing("      - {joint: knee, type: revolute}\n      - {joint: knee, type: revolute}\n"), "replaced twice");
  EXPECT_HOLDS(replacing("      - {joint: knee, type: revolute, lead: 1}\n"), "lead");
}

}  // namespace character_meshes
}  // namespace holo_test
