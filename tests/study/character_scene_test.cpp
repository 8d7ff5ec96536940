// Scenes with a character: what the sections `character`, `obstacles` and `contact` give, and their messages.
#include "characters/character_scene.h"

#include <fstream>

#include "expect_holds.h"
#include "holo/sim/articulated/dynamics/obstacle_distance.h"
#include "temporary_folder.h"

namespace holo_test {
namespace character_scene {

using namespace holo;
using namespace holo::articulated;

CharacterScene scene_of(const std::string& yaml) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, "small.yaml");
  Configuration root = file.root();
  std::vector<UsedPlugin> plugins;
  CharacterScene scene = read_character_scene(root, PluginHost(), plugins);
  file.finish();
  return scene;
}

// The scene with other lines in its section.
std::string with(const std::string& lines) { return "scene:\n  time_step: 0.01\n  duration: 0.5\n" + lines; }

std::string refusal(const std::string& lines) {
  try {
    scene_of(with(lines));
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "not refused:\n" << lines;
  return {};
}

class CharacterScenes : public testing::Test {
 protected:
  // A trunk and a leg, of which `extra` stands in the world's body, `root` in the trunk, `knee` in the hinge.
  std::string robot(const std::string& extra = "", const std::string& root = "", const std::string& after = "",
                    const std::string& knee = "") {
    const std::string path = (folder_ / "robot.xml").string();
    std::ofstream(path) << "<mujoco>\n<worldbody>\n"
                        << extra << "<body name='trunk' pos='0 0 1'>" << root
                        << "<geom name='belly' type='box' size='0.2 0.1 0.1'/>\n"
                           "<body name='leg'><joint name='knee' axis='0 1 0' "
                        << knee << "/><geom name='shin' type='capsule' size='0.03' fromto='0 0 0 0 0 -0.4'/></body>\n"
                        << "</body>\n</worldbody>\n"
                        << after << "</mujoco>\n";
    return path;
  }
  std::string character(const std::string& path, const std::string& more = "") {
    return "  character: {file: " + path + more + "}\n";
  }
  TemporaryFolder folder_;
};

class CharacterScenesBadInput : public CharacterScenes {};

TEST_F(CharacterScenes, StartWhereTheFileSaysAndHaveTheSpringsOfTheirJoints) {
  const CharacterScene scene =
      scene_of(with("  gravity: [0, 0, -2]\n  inertia: mid\n"
                    "  character:\n    type: hopper6\n    limit_weight: 20\n    springs: {stiffness: 30, damping: 2}\n"
                    "    joints: [{joint: knee, stiffness: 5, rest: 0.1, armature: 0.2}]\n"
                    "    pose: {base_z: 0.9, hip: -0.3}\n    velocity: {base_x: 1.5, knee: -2}\n"));
  const CharacterModel& model = *scene.character.model;
  const auto dof = [&](const char* name) { return model.dofs()[std::size_t(model.dof(name))]; };
  EXPECT_EQ(scene.step_count, 50);
  EXPECT_EQ(scene.gravity[2], -2);
  EXPECT_EQ(scene.inertia, InertiaRule::mid);
  EXPECT_EQ(dof("hip").stiffness, 30);
  EXPECT_EQ(dof("hip").spring_reference, -0.3);  // about the start
  EXPECT_EQ(dof("hip").limit_weight, 20);
  EXPECT_EQ(dof("ankle").spring_reference, -0.4);
  EXPECT_EQ(dof("ankle").damping, 2);
  EXPECT_EQ(dof("knee").stiffness, 5);
  EXPECT_EQ(dof("knee").spring_reference, 0.1);
  EXPECT_EQ(dof("knee").damping, 2);
  EXPECT_EQ(dof("knee").armature, 0.2);
  const CharacterStart& start = scene.character.start;
  const CharacterPose before = start.before(0.01);
  const auto at = [&](const CharacterPose& pose, const char* name) { return pose.coordinates[std::size_t(model.dof(name))]; };
  EXPECT_EQ(at(start.pose, "base_z"), 0.9);
  EXPECT_EQ(at(start.pose, "knee"), 0.8);
  EXPECT_DOUBLE_EQ(at(before, "base_x"), -0.015);
  EXPECT_DOUBLE_EQ(at(before, "knee"), 0.82);
}

TEST_F(CharacterScenes, HaveChainsWithTheirNumberOfLinks) {
  EXPECT_EQ(scene_of(with("  character: {type: chain}\n")).character.model->dof_count(), 14);
  const CharacterScene scene = scene_of(with("  character: {type: chain, link_count: 3, base: {rotation: euler}}\n"));
  EXPECT_EQ(scene.character.model->dof_count(), 10);
  EXPECT_EQ(scene.character.model->contact_points().size(), 6u);
}

TEST_F(CharacterScenes, AddAFreeBaseToAFixedRoot) {
  const std::string path = robot();
  const CharacterScene fixed = scene_of(with(character(path)));
  EXPECT_EQ(fixed.character.model->dof_count(), 1);
  const CharacterScene free = scene_of(with(character(path, ", base: {add: true, rotation: euler, order: xyz}")));
  ASSERT_EQ(free.character.model->dof_count(), 7);
  EXPECT_EQ(free.character.model->dof_name(3), "base_roll");
  EXPECT_EQ(free.character.start.pose.coordinates[2], 1);
  EXPECT_GT(free.character.model->total_mass(), fixed.character.model->total_mass());
  const CharacterScene planar = scene_of(with(character(path, ", base: {add: true, rotation: planar}")));
  EXPECT_EQ(planar.character.model->dof_count(), 4);
}

// The parallel spring of two springs: their force is the sum of both.
TEST_F(CharacterScenes, AddSpringsBesideThoseOfTheFile) {
  const std::string path = robot("", "", "", "stiffness='3' springref='0.5' damping='1'");
  const CharacterScene scene = scene_of(with(character(path, ", springs: {stiffness: 2, damping: 4}, pose: {knee: 0.1}")));
  const DegreeOfFreedom& knee = scene.character.model->dofs()[0];
  EXPECT_EQ(knee.damping, 5);
  const double reference = 0.5 * M_PI / 180;  // degrees are MJCF's default
  for (const double q : {-0.4, 0.2})
    EXPECT_NEAR(knee.stiffness * (q - knee.spring_reference), 3 * (q - reference) + 2 * (q - 0.1), 1e-14);
}

TEST_F(CharacterScenes, LeaveOutWhatIsIgnored) {
  const std::string after =
      "<tendon><fixed name='string'><joint joint='knee' coef='1'/></fixed></tendon>"
      "<equality><connect name='bar' body1='leg' body2='trunk' anchor='0 0 0'/></equality>";
  const std::string path = robot("<geom name='floor' type='plane' size='0 0 1'/>\n", "", after, "frictionloss='0.2'");
  const CharacterScene scene = scene_of(with(character(path, ", ignore: [tendon, floor, loop, friction]")));
  EXPECT_EQ(scene.character.model->dof_count(), 1);
}

TEST_F(CharacterScenes, HaveObstaclesWhereTheyAreGiven) {
  const CharacterScene scene = scene_of(
      with("  character: {type: block2}\n  obstacles:\n"
           "    - {name: wall, type: plane, point: [1, 0, 0], normal: [-2, 0, 0]}\n"
           "    - {name: crate, type: box, size: [2, 0.4, 0.6], position: [0, 0, 5], rotation: [0, 0, 1.5707963267948966]}\n"
           "    - {name: ball, type: sphere, center: [0, 3, 0], radius: 0.5}\n"
           "    - {name: hills, type: height_field, position: [1, 2, 3], columns: 9, rows: 7, spacing: 0.5,"
           " formula: \"0.2*x + 0.1*sin(3*y)\"}\n"
           "    - {name: list, type: height_field, columns: 2, rows: 3, spacing: 1, heights: [0, 1, 2, 3, 4, 6]}\n"));
  const CharacterObstacles obstacles(scene.obstacles);
  const auto distance = [&](int number, const Vector3<double>& point) {
    return obstacle_distance(obstacles.list()[std::size_t(number)], point).distance;
  };
  EXPECT_EQ(obstacles.names(), (std::vector<std::string>{"wall", "crate", "ball", "hills", "list"}));
  EXPECT_NEAR(distance(0, {0.25, 3, 4}), 0.75, 1e-15);
  EXPECT_NEAR(distance(1, {0, 1.5, 5}), 0.5, 1e-9);  // its long edges lie along y
  EXPECT_NEAR(distance(1, {0.7, 0, 5}), 0.5, 1e-9);
  EXPECT_NEAR(distance(2, {0, 3, 2}), 1.5, 1e-15);
  // Fields pass through their heights.
  for (const int column : {0, 3, 8})
    for (const int row : {0, 2, 6}) {
      const double x = 0.5 * column, y = 0.5 * row;
      EXPECT_NEAR(distance(3, {1 + x, 2 + y, 3 + 0.2 * x + 0.1 * std::sin(3 * y)}), 0, 1e-14);
    }
  EXPECT_NEAR(distance(4, {1, 2, 6}), 0, 1e-14);
  EXPECT_NEAR(distance(4, {0, 1, 2}), 0, 1e-14);
}

// Four feet carry the mammal; a depth of 2 cm is the default.
TEST_F(CharacterScenes, FindTheWeightsOfContactFromThePointsThatStand) {
  const std::string mammal = "  character: {type: mammal18}\n  obstacles: [{name: floor, type: plane}]\n";
  const auto standing = [&](const std::string& contact) {
    const CharacterScene scene = scene_of(with(mammal + contact));
    return standing_contact(scene, *scene.character.model);
  };
  const double weight = 16.4 * 9.81;
  const StandingContact standard = standing(""), soft = standing("  contact: {penetration: 0.05, slip_ratio: 3, points: 2}\n"),
                        raw = standing("  contact: {normal_weight: 3.0e3, tangential_weight: 7}\n");
  EXPECT_EQ(standard.points, 4);
  const CharacterScene one_raised =
      scene_of(with("  character: {type: mammal18, pose: {hind_left_knee: 1.2}}\n  obstacles: [{name: floor, type: plane}]\n"));
  EXPECT_EQ(standing_contact(one_raised, *one_raised.character.model).points, 3);
  EXPECT_NEAR(standard.weights.normal, weight / (4 * 0.02 * 0.02), 1e-7);
  EXPECT_NEAR(standard.weights.tangential, 10 * standard.weights.normal, 1e-6);
  EXPECT_NEAR(soft.weights.normal, weight / (2 * 0.05 * 0.05), 1e-8);
  EXPECT_NEAR(soft.penetration, 0.05, 1e-15);
  EXPECT_EQ(raw.weights.normal, 3000);
  EXPECT_EQ(raw.weights.tangential, 7);
  EXPECT_NEAR(raw.penetration, std::sqrt(weight / 12000), 1e-15);
}

TEST_F(CharacterScenesBadInput, NamesTheNearestCharacterJointAndChart) {
  EXPECT_HOLDS(refusal("  character: {type: mammal}\n"), "small.yaml:4:21: ");
  EXPECT_HOLDS(refusal("  character: {type: mammal}\n"), "mammal18");
  const std::string joints = refusal(
      "  character:\n    type: hopper6\n    pose: {kne: 0.1}\n    velocity: {hipp: 1}\n    joints: [{joint: ankel, damping: "
      "1}]\n");
  EXPECT_HOLDS(joints, "small.yaml:6:17: the character 'hopper6' has no degree of freedom 'kne'. Did you mean 'knee'?");
  EXPECT_HOLDS(joints, "small.yaml:7:22: the character 'hopper6' has no degree of freedom 'hipp'. Did you mean 'hip'?");
  EXPECT_HOLDS(joints, "'ankel'. Did you mean 'ankle'?");
  EXPECT_HOLDS(refusal("  character: {type: hopper6, pose: {knee: bent}}\n"), "'knee' is 'bent'; a number is needed");
  EXPECT_HOLDS(refusal("  character: {type: mammal18, base: {rotation: quaternion}}\n"), "rotation_vector");
  EXPECT_HOLDS(refusal("  character: {type: mammal18, base: {rotation: euler, order: zyz}}\n"),
               "the order is 'zyz'; each of x, y and z is needed once, such as zyx");
  EXPECT_HOLDS(refusal("  character: {type: hopper6, base: {rotation: euler}}\n"), "has no free base");
}

TEST_F(CharacterScenesBadInput, RefusesLinksOfWhatIsNoChainAndTooFew) {
  EXPECT_HOLDS(refusal("  character: {type: chain, link_count: 0}\n"), "small.yaml:4:40: ");
  EXPECT_HOLDS(refusal("  character: {type: chain, link_count: 2.5}\n"), "integer");
  EXPECT_HOLDS(refusal("  character: {type: chain5, link_count: 7}\n"), "link_count");
}

TEST_F(CharacterScenesBadInput, RefusesAStartBeyondLimits) {
  EXPECT_HOLDS(
      refusal("  character:\n    type: hopper6\n    pose: {hip: -1.5}\n"),
      "small.yaml:6:17: the joint 'hip' starts at -1.5, outside of its limits -1.4 and 1.4; give it another coordinate "
      "under `pose`");
  const std::string path = robot("", "", "", "limited='true' range='10 20'");
  EXPECT_HOLDS(refusal(character(path)), "the joint 'knee' starts at 0, outside of its limits 0.174533 and 0.349066");
  EXPECT_EQ(scene_of(with(character(path, ", pose: {knee: 0.2}"))).character.start.pose.coordinates[0], 0.2);
  const std::string ball = robot("", "<joint name='neck' type='ball' limited='true' range='0 60'/>");
  EXPECT_HOLDS(refusal(character(ball, ", pose: {neck_x: 0.8, neck_y: 0.8, knee: 0}")),
               "the joint 'neck_x' starts at 1.13137, outside of its limits 0 and 1.0472 of the length of its rotation vector");
}

TEST_F(CharacterScenesBadInput, NamesElementsThatWouldBeMissing) {
  const std::string after = "<tendon><fixed name='string'><joint joint='knee' coef='1'/></fixed></tendon>\n";
  const std::string path = robot("<geom name='floor' type='plane' size='0 0 1'/>\n", "", after, "frictionloss='0.2'");
  const std::string message = refusal(character(path));
  EXPECT_HOLDS(message, "small.yaml:4:21: " + path +
                            ":8:1: <tendon> is not read. To simulate without it, list 'tendon' under "
                            "`ignore`");
  EXPECT_HOLDS(message, path +
                            ":3:1: <geom name='floor'>: it does not move, so it is no part of the character; give it as an "
                            "obstacle. To simulate without it, list 'floor' under `ignore`");
  EXPECT_HOLDS(message, "its dry friction is not modeled. To simulate without it, list 'knee' under `ignore`");
  const std::string unknown = refusal(character(path, ", ignore: [tendn, shape, friction]"));
  EXPECT_HOLDS(unknown,
               "the file has nothing to ignore that is named 'tendn'. Did you mean 'tendon'? There are: tendon, "
               "friction, knee, shape, floor");
  EXPECT_HOLDS(refusal(character(robot("", "",
                                       "<equality><connect name='loop' body1='leg' body2='trunk' "
                                       "anchor='0 0 0'/></equality>\n"))),
               "it closes a loop, and a character is a tree. To simulate without it, list 'loop' under `ignore`");
}

TEST_F(CharacterScenesBadInput, RefusesInertiaThatNoBodyHas) {
  const std::string path = robot("", "<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>");
  EXPECT_HOLDS(refusal(character(path, ", base: {add: true}")), "none may exceed the sum of the other two");
}

TEST_F(CharacterScenesBadInput, RefusesABaseThatCannotBeAdded) {
  const std::string sliding = robot("", "<joint name='rail' type='slide' axis='1 0 0'/>"), free = robot("", "<freejoint/>");
  EXPECT_HOLDS(refusal(character(free, ", base: {add: true}")),
               "has a joint of type 'free' at its root 'trunk' already; only a root that is fixed to the world can get a free "
               "base");
  robot("", "<joint name='rail' type='slide' axis='1 0 0'/>");
  EXPECT_HOLDS(refusal(character(sliding, ", base: {add: true}")), "has a joint of type 'prismatic' at its root");
  robot("<body name='post'><geom type='box' size='1 1 1'/></body>\n");
  EXPECT_HOLDS(refusal(character(sliding, ", base: {add: true}, ignore: [shape]")),
               "has 2 bodies on the world; a free base needs one");
  robot();
  EXPECT_HOLDS(refusal(character(sliding, ", base: {rotation: euler}")), "its file fixes the root; `add: true` adds one");
}

TEST_F(CharacterScenesBadInput, NamesObstaclesThatCannotBe) {
  const auto obstacle = [&](const std::string& text) {
    return refusal("  character: {type: block2}\n  obstacles:\n    - {name: a, " + text + "}\n");
  };
  EXPECT_HOLDS(obstacle("type: cone"), "plane, box, sphere, height_field");
  EXPECT_HOLDS(obstacle("type: plane, normal: [0, 0, 0]"), "the normal is [0, 0, 0]; a direction is needed");
  EXPECT_HOLDS(obstacle("type: box, size: [1, 0, 1]"), "a box needs three lengths above 0 m");
  EXPECT_HOLDS(obstacle("type: sphere, radius: -1"), "radius");
  EXPECT_HOLDS(obstacle("type: height_field, columns: 2, rows: 2, spacing: 1, formula: \"z + 1\""), "small.yaml:6:");
  EXPECT_HOLDS(obstacle("type: height_field, columns: 2, rows: 2, spacing: 1, heights: [1, 2, 3]"), "heights");
  EXPECT_HOLDS(
      refusal("  character: {type: block2}\n  obstacles:\n    - {name: a, type: plane}\n    - {name: a, type: plane}\n"),
      "two obstacles are named 'a'; names must differ");
  // Found when the heights are computed.
  const CharacterScene scene =
      scene_of(with("  character: {type: block2}\n  obstacles:\n"
                    "    - {name: a, type: height_field, columns: 2, rows: 2, spacing: 1, formula: \"1/x\"}\n"));
  try {
    CharacterObstacles{scene.obstacles};
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_HOLDS(std::string(error.what()), "small.yaml:6:79: ");
  }
}

TEST_F(CharacterScenesBadInput, NamesContactAndTimeThatCannotBe) {
  const std::string floor = "  character: {type: block2}\n  obstacles: [{name: floor, type: plane}]\n";
  EXPECT_HOLDS(refusal(floor + "  contact: {penetration: 0}\n"), "penetration");
  EXPECT_HOLDS(refusal(floor + "  contact: {penetration: 0.1, normal_weight: 3, tangential_weight: 1}\n"), "normal_weight");
  EXPECT_HOLDS(refusal(floor + "  contact: {normal_weight: 3}\n"), "tangential_weight");
  EXPECT_HOLDS(refusal("  gravity: [0, 0, 0]\n" + floor), "without gravity no weights of contact follow from a penetration");
  EXPECT_HOLDS(refusal(floor + "  inertia: middle\n"), "end, mid");
  const std::string slow = "scene:\n  time_step: 1\n  duration: 0.1\n" + floor;
  try {
    scene_of(slow);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_HOLDS(std::string(error.what()), "small.yaml:3:13: duration 0.1 s is 0.1 time steps of 1 s; 1 to 1e7 are allowed");
  }
}

#ifdef HOLO_DATA_DIR
TEST_F(CharacterScenes, ReadThePublicAntAndHumanoid) {
  const std::string robots = std::string(HOLO_DATA_DIR) + "/robots/mjcf/";
  const CharacterScene ant = scene_of(with(character(robots + "ant.xml", ", base: {add: true}")));
  EXPECT_EQ(ant.character.model->dof_count(), 14);
  EXPECT_EQ(ant.character.model->actuated().size(), 8u);
  const CharacterScene humanoid =
      scene_of(with(character(robots + "humanoid.xml", ", ignore: [tendon, floor], keyframe: squat, base: {rotation: euler}")));
  EXPECT_EQ(humanoid.character.model->dof_count(), 27);
  EXPECT_EQ(humanoid.character.start.pose.coordinates[2], 0.596);
}
#endif

}  // namespace character_scene
}  // namespace holo_test
