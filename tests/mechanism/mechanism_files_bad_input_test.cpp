// Whatever stands in a robot's file, reading it ends in a mechanism or in Error(input) that says what is wrong, where, and what
// to do.
#include "holo/core/error.h"
#include "mechanism_files_tools.h"

namespace holo::mechanism_files_tests {

using namespace mechanism_files_tools;

namespace {

std::string refusal(const std::string& name, const std::string& text, const MechanismFileOptions& options = {},
                    const std::string& loops = "") {
  try {
    read_text(name, text, options, loops);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "read without an error:\n" << text;
  return "";
}
std::string mjcf_refusal(const std::string& worldbody, const std::string& other = "",
                         const MechanismFileOptions& options = {}) {
  return refusal("r.xml", mjcf(worldbody, other), options);
}
std::string urdf_refusal(const std::string& content, const MechanismFileOptions& options = {}, const std::string& loops = "") {
  return refusal("r.urdf", urdf(content), options, loops);
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << "found: " << (message)

const std::string two_links = "<link name='a'/>\n<link name='b'/>\n";
std::string joint_text(const std::string& inside = "", const std::string& type = "revolute", const std::string& child = "b") {
  return "<joint name='j' type='" + type + "'><parent link='a'/><child link='" + child + "'/>" + inside + "</joint>\n";
}

// ---- the file
TEST(MechanismFileBadInput, WhatIsNoRobotIsRefused) {
  EXPECT_SAYS(refusal("r.sdf", "<sdf/>"), "robots are read from *.xml, *.mjcf (MuJoCo) and *.urdf, not from '*.sdf'");
  EXPECT_SAYS(refusal("r.xml", "<sdf/>"), "r.xml:1:1: <sdf>: the root element is neither 'mujoco' (MJCF) nor 'robot' (URDF)");
  EXPECT_SAYS(refusal("r.xml", ""), "not well-formed XML");
  EXPECT_SAYS(refusal("r.xml",
                      "\x7f"
                      "ELF\x01"),
              "not well-formed XML");
  EXPECT_SAYS(refusal("r.xml", "<mujoco>\n<worldbody>\n<body></worldbody></mujoco>"), "r.xml:3:9: not well-formed XML");
  const Folder folder;
  EXPECT_THROW(read_mechanism(folder.path() / "none.urdf", plugins()), Error);
  EXPECT_THROW(read_mechanism(folder.path(), plugins()), Error);
  std::filesystem::create_directory(folder.path() / "d.xml");
  EXPECT_THROW(read_mechanism(folder.path() / "d.xml", plugins()), Error);
}

TEST(MechanismFileBadInput, IncludesMustExistOnce) {
  EXPECT_SAYS(mjcf_refusal("<body name='a'>\n<include file='parts.xml'/></body>"), "r.xml:5:1: there is no file '");
  EXPECT_SAYS(mjcf_refusal("<body name='a'><include/></body>"), "<include>: the attribute 'file' is missing");
  EXPECT_SAYS(mjcf_refusal("<include file='r.xml'/>"), "is included twice, or includes itself");
}

TEST(MechanismFileBadInput, ErrorsInAnIncludedFileNameItsLine) {
  const Folder folder;
  folder.write("parts.xml", "<mujoco>\n<body name='a'>\n<joint axis='0 0 zero'/></body></mujoco>");
  const auto path = folder.write("r.xml", mjcf("<include file='parts.xml'/>"));
  try {
    read_mechanism(path, plugins());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_SAYS(std::string(error.what()), "parts.xml:3:1: <joint>: 'axis' contains 'zero', which is no finite number");
  }
}

TEST(MechanismFileBadInput, NestingIsBounded) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<body>";
  for (int i = 0; i < 5000; ++i) deep += "</body>";
  EXPECT_SAYS(mjcf_refusal(deep), "nested over 200 deep");
  std::string classes = "<default>";
  for (int i = 0; i < 5000; ++i) classes += "<default class='c" + std::to_string(i) + "'>";
  for (int i = 0; i < 5001; ++i) classes += "</default>";
  EXPECT_SAYS(mjcf_refusal("<body/>", classes), "nested over 100 deep");
}

// ---- MJCF
TEST(MechanismFileBadInput, MjcfNumbersAreChecked) {
  EXPECT_SAYS(mjcf_refusal("<body name='a' pos='1 2'/>"), "r.xml:4:1: <body name='a'>: 'pos' has 2 numbers; 3 are allowed");
  EXPECT_SAYS(mjcf_refusal("<body pos='1 2 0x3'/>"), "'pos' contains '0x3', which is no finite number");
  EXPECT_SAYS(mjcf_refusal("<body pos='1 nan 3'/>"), "'pos' contains 'nan'");
  EXPECT_SAYS(mjcf_refusal("<body pos='1 1e999 3'/>"), "'pos' contains '1e999'");
  EXPECT_SAYS(mjcf_refusal("<body quat='0 0 0 0'/>"), "'quat' has a quaternion of length 0");
  EXPECT_SAYS(mjcf_refusal("<body quat='1 0 0 0' euler='0 0 0'/>"), "both 'quat' and 'euler' give an orientation");
  EXPECT_SAYS(mjcf_refusal("<body xyaxes='1 0 0 2 0 0'/>"), "'xyaxes' has a direction of length 0");
  EXPECT_SAYS(mjcf_refusal("<body name='a'><joint name='j' axis='0 0 0'/></body>"),
              "<joint name='j'>: the joint's axis has the length 0");
  EXPECT_SAYS(mjcf_refusal("<body><joint/></body>", "<default>\n<joint axis='0 0 0'/></default>"),
              "r.xml:3:1: <joint>: the joint's axis");
}

TEST(MechanismFileBadInput, MjcfSettingsAreChecked) {
  EXPECT_SAYS(mjcf_refusal("<body/>", "<compiler angle='grad'/>"), "'angle' is 'grad'; allowed are degree, radian");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<compiler eulerseq='xyw'/>"), "'eulerseq' is 'xyw'; three of x, y, z");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<compiler coordinate='global'/>"), "only 'local' is read");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<compiler angel='radian'/>"), "the attribute 'angel' is unknown. Did you mean 'angle'?");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<default><default/></default>"), "<default>: the attribute 'class' is missing");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<default><default class='x'/><default class='x'/></default>"), "a second class 'x'");
}

TEST(MechanismFileBadInput, MjcfNamesAreChecked) {
  EXPECT_SAYS(mjcf_refusal("<body name='a'/><body name='a'/>"), "<body name='a'>: a second body of this name");
  EXPECT_SAYS(mjcf_refusal("<body name=''/>"), "the attribute 'name' is empty");
  EXPECT_SAYS(mjcf_refusal("<body name='world'/>"), "the name 'world' is the world's");
  EXPECT_SAYS(mjcf_refusal("<body name='a'><joint name='j'/><joint name='j'/></body>"), "a second joint of this name");
  EXPECT_SAYS(mjcf_refusal("<body><joint class='kne'/></body>", "<default><default class='knee'/></default>"),
              "there is no class of defaults 'kne'. Did you mean 'knee'?");
  EXPECT_SAYS(mjcf_refusal("<body childclass='kne'/>"), "there is no class of defaults 'kne'.");
}

TEST(MechanismFileBadInput, MjcfElementsThatMatterAreKnown) {
  EXPECT_SAYS(mjcf_refusal(""), "the file has no body");
  EXPECT_SAYS(mjcf_refusal("<body/>", "<actuators/>"), "unknown section. Did you mean 'actuator'?");
  EXPECT_SAYS(mjcf_refusal("<body><composite type='cable'/></body>"), "this element is not read: it makes bodies");
  EXPECT_SAYS(mjcf_refusal("<body><jiont/></body>"), "Did you mean 'joint'?");
  EXPECT_SAYS(mjcf_refusal("<joint/>"), "the world has no joints");
  EXPECT_SAYS(mjcf_refusal("<body><joint axs='1 0 0'/></body>"), "the attribute 'axs' is unknown. Did you mean 'axis'?");
  EXPECT_SAYS(mjcf_refusal("<body><joint type='screw'/></body>"), "'type' is 'screw'; allowed are free, ball, slide, hinge");
  EXPECT_SAYS(mjcf_refusal("<body mocap='true'/>"), "a 'mocap' body moves as another program says");
  EXPECT_SAYS(mjcf_refusal("<body><body><freejoint/></body></body>"), "must be the only joint of a body right below the world");
  EXPECT_SAYS(mjcf_refusal("<body><freejoint/><joint/></body>"), "must be the only joint");
}

const std::string pair =
    "<body name='a'><joint name='ja'/><body name='b' pos='1 0 0'><joint name='jb'/><site name='s' pos='1 0 0'/></body>"
    "</body>\n<site name='t' pos='0 2 0'/>";
std::string equality_refusal(const std::string& equality) {
  return mjcf_refusal(pair, "<equality>\n" + equality + "</equality>");
}

TEST(MechanismFileBadInput, MjcfEqualitiesOfTendonsAreRefused) {
  EXPECT_SAYS(equality_refusal("<tendon tendon1='x'/>"),
              "the equality 'tendon' is not read; 'connect', 'weld' and 'joint' are");
  EXPECT_SAYS(equality_refusal("<tendon tendon1='x'/>"), "name 'tendon1' among the loops that are left out");
}

TEST(MechanismFileBadInput, MjcfEqualitiesMustNameWhatThereIs) {
  EXPECT_SAYS(equality_refusal("<connect body2='b' anchor='0 0 0'/>"), "the attribute 'body1' is missing");
  EXPECT_SAYS(equality_refusal("<connect body1='bb' anchor='0 0 0'/>"), "there is no body 'bb'.");
  EXPECT_SAYS(equality_refusal("<connect body1='b'/>"), "the attribute 'anchor' is missing");
  EXPECT_SAYS(equality_refusal("<connect site1='s'/>"), "the attribute 'site2' is missing");
  EXPECT_SAYS(equality_refusal("<connect site1='s' site2='x'/>"), "there is no site 'x'.");
  EXPECT_SAYS(equality_refusal("<connect site1='s' site2='t' body1='a'/>"), "both sites and 'body1'");
  EXPECT_SAYS(equality_refusal("<weld body1='b' body2='b'/>"), "it ties a body to itself");
  EXPECT_SAYS(equality_refusal("<weld body1='b' relpose='1 2 3'/>"), "'relpose' has 3 numbers; 7 are allowed");
  EXPECT_SAYS(equality_refusal("<weld body1='b' active='yes'/>"), "'active' is 'yes'; allowed are true, false");
}

TEST(MechanismFileBadInput, OpenLoopsAreNamedWithTheirGap) {
  const std::string open = equality_refusal("<connect name='strut' site1='s' site2='t'/>");  // (2, 0, 0) and (0, 2, 0)
  EXPECT_SAYS(open, "r.xml:3:1: loops are open at rest, allowed are 5e-06 m and 1e-05 rad:\n  'strut': 2.83 m and 0 rad");
  EXPECT_SAYS(open, "Let the reader close them (its option 'close_loops')");
  EXPECT_SAYS(equality_refusal("<weld body1='a' body2='b' relpose='1 0 0 1 0 0 0.001'/>"), "'weld1': 0 m and 0.002 rad");
  const std::string far = "<equality><connect name='strut' site1='s' site2='far'/></equality>";
  const std::string unreachable = mjcf_refusal(pair + "<site name='far' pos='0 3 0'/>", far, {.close_loops = true});
  EXPECT_SAYS(unreachable, "'strut': 1 m and 0 rad (in the file 3.61 m and 0 rad)");
  EXPECT_SAYS(unreachable, "start nearer to a closed pose");
}

TEST(MechanismFileBadInput, MjcfActuatorsMustDriveJoints) {
  const auto with = [](const std::string& actuator) { return mjcf_refusal(pair, "<actuator>" + actuator + "</actuator>"); };
  EXPECT_SAYS(with("<motor name='m' joint='jc'/>"), "there is no joint 'jc'. Did you mean");
  EXPECT_SAYS(with("<muscle name='m' tendon='t'/>"), "<muscle name='m'>: it drives something other than a joint");
  EXPECT_SAYS(with("<muscle name='m' tendon='t'/>"), "name the driven joints in the reader's option 'actuators'");
  EXPECT_SAYS(mjcf_refusal("<body name='a'><joint name='j' type='ball'/></body>", "<actuator><motor joint='j'/></actuator>"),
              "the joint 'j' has 1 actuators for its 3 degrees of freedom");
}

TEST(MechanismFileBadInput, MjcfKeyframesMustFit) {
  const std::string keys = "<keyframe>\n<key name='up' qpos='1'/><key name='none'/></keyframe>";
  EXPECT_SAYS(mjcf_refusal(pair, keys, {.keyframe = "up"}), "r.xml:3:1: <key name='up'>: 'qpos' has 1 numbers; 2 are allowed");
  EXPECT_SAYS(mjcf_refusal(pair, keys, {.keyframe = "none"}), "the attribute 'qpos' is missing");
  EXPECT_SAYS(mjcf_refusal(pair, keys, {.keyframe = "upp"}), "there is no keyframe 'upp'. Did you mean 'up'?");
}

// ---- options
TEST(MechanismFileBadInput, OptionsMustNameWhatThereIs) {
  EXPECT_SAYS(mjcf_refusal(pair, "", {.ground = "c"}), "there is no body to be the ground 'c'.");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.actuators = std::vector<std::string>{"jc"}}), "there is no driven joint 'jc'.");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.configurable = {"jc"}}), "there is no configurable joint 'jc'.");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.actuators = std::vector<std::string>{"ja"}, .configurable = {"ja"}}),
              "the joint 'ja' is actuator and configurable; a joint has one role");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.positions = {{"jc", 1}}}), "there is no joint with a position 'jc'.");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.positions = {{"ja", 0.0 / 0.0}}}), "the position of 'ja' is not finite");
  EXPECT_SAYS(mjcf_refusal(pair, "", {.left_out = {"loop"}}), "there is no loop to be left out 'loop'.");
  EXPECT_SAYS(mjcf_refusal("<body name='a'/>", "", {.configurable = {"a_fixed"}}),
              "the joint 'a_fixed' is fixed: it has nothing to drive");
  EXPECT_SAYS(mjcf_refusal("<body name='a'><freejoint name='f'/></body>", "", {.configurable = {"f"}}),
              "a root that is fixed to the world: it has nothing to drive");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text(), {.keyframe = "up"}), "a URDF has no keyframes");
}

// ---- URDF
TEST(MechanismFileBadInput, UrdfNamesAreChecked) {
  EXPECT_SAYS(urdf_refusal(""), "the robot has no 'link'");
  EXPECT_SAYS(urdf_refusal("<link/>"), "r.urdf:2:1: <link>: the attribute 'name' is missing");
  EXPECT_SAYS(urdf_refusal("<link name='a'/><link name='a'/>"), "a second link of this name");
  EXPECT_SAYS(
      urdf_refusal("<link name='a'><collision><geometry><cylinder radius='.1' Length='.5'/></geometry></collision></link>"),
      "<cylinder>: the attribute 'length' is missing");
  EXPECT_SAYS(urdf_refusal(two_links + "<joint type='fixed'/>"), "<joint>: the attribute 'name' is missing");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text() + joint_text()), "a second joint of this name");
}

TEST(MechanismFileBadInput, UrdfJointsMustNameLinks) {
  EXPECT_SAYS(urdf_refusal(two_links + "<joint name='j' type='fixed'><child link='b'/></joint>"),
              "r.urdf:4:1: <joint name='j'>: the element 'parent' is missing; it names a link");
  EXPECT_SAYS(urdf_refusal(two_links + "<joint name='j' type='fixed'><parent link='a'/><child/></joint>"),
              "<child>: the attribute 'link' is missing");
  EXPECT_SAYS(urdf_refusal("<link name='a'/><link name='shank'/>" + joint_text("", "fixed", "shnak")),
              "there is no link 'shnak'. Did you mean 'shank'?");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("", "fixed", "a")), "parent and child are the same link 'a'");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<child link='a'/>")), "a second 'child' of one 'joint'");
}

TEST(MechanismFileBadInput, UrdfJointsAreChecked) {
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<axis xyz='0 0 0'/>")), "<axis>: the joint's axis has the length 0");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<origin xyz='0 0'/>")), "<origin>: 'xyz' has 2 numbers; 3 are allowed");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<origin rpy='0 0 1,5'/>")),
              "'rpy' contains '1,5', which is no finite number");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<orgin xyz='0 0 1'/>")),
              "<orgin>: unknown element of a joint. Did you mean 'origin'?");
  const std::string other = "<link name='c'/><joint name='k' type='revolute'><parent link='b'/><child link='c'/></joint>";
  EXPECT_SAYS(urdf_refusal(two_links + other + joint_text("<mimic joint='l'/>")), "there is no joint 'l'");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("<mimic joint='j'/>")), "the joint mimics itself");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("", "hinge")), "'type' is 'hinge'; allowed are revolute, continuous");
  EXPECT_SAYS(urdf_refusal(two_links + joint_text("", "planar")), "'planar' joints are not read; write two 'prismatic' ones");
}

TEST(MechanismFileBadInput, UrdfLinksMustFormATree) {
  const std::string back = "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>";
  EXPECT_SAYS(urdf_refusal(two_links + joint_text() + back), "the joints form a circle, and no link is the root");
  const std::string third = "<link name='c'/><joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>";
  EXPECT_SAYS(urdf_refusal(two_links + joint_text() + third),
              "<joint name='k'>: the link 'b' has a second parent 'c' beside 'a' (joint 'j')");
  EXPECT_SAYS(urdf_refusal(two_links),
              "r.urdf:3:1: <link name='b'>: no joint ties this link to the root 'a'; 2 links have no parent");
  EXPECT_SAYS(urdf_refusal("<link name='root'/>" + two_links + joint_text() + back),
              "the link 'b' does not hang on the root 'root'");
}

// ---- the loop file
TEST(MechanismFileBadInput, LoopFilesAreChecked) {
  const auto with = [](const std::string& loops) { return urdf_refusal(two_links + joint_text(), {}, loops); };
  EXPECT_SAYS(with("closed_loop: [[a, bb]]\ntype: [6d]"), "loops.yaml:1:14: there is no link or joint 'bb'.");
  EXPECT_SAYS(with("closed_loop: [[b, j]]\ntype: [6d]"), "the loop 'b_to_j' ties the link 'b' to itself");
  EXPECT_SAYS(with("closed_loop: [[a, b, j]]\ntype: [6d]"), "entry 1 of 'closed_loop' is no pair of two names");
  EXPECT_SAYS(with("closed_loop: [a, b]\ntype: [6d, 6d]"), "entry 1 of 'closed_loop' is no pair of two names");
  EXPECT_SAYS(with("closed_loop: a\ntype: []"), "'closed_loop' is no list of pairs");
  EXPECT_SAYS(with("closed_loop: [[a, b]]\ntype: []"), "'type' has 0 entries, 'closed_loop' 1; each loop has one type");
  EXPECT_SAYS(with("closed_loop: [[a, b]]\ntype: [5d]"), "6d");
  EXPECT_SAYS(with("type: []"), "closed_loop");
  EXPECT_SAYS(with("closed_loop: []\nmotors: [j]"), "motors");
  EXPECT_SAYS(with("closed_loop: []\nname_mot: [jj]"), "there is no driven joint 'jj'. Did you mean 'j'?");
  EXPECT_SAYS(with("closed_loop: []\njoint_name: [jj]\njoint_type: [SPHERICAL]"), "there is no joint 'jj'. Did you mean 'j'?");
  EXPECT_SAYS(with("closed_loop: []\njoint_name: [j]"), "'joint_type' has 0 entries, 'joint_name' 1");
  EXPECT_SAYS(with("closed_loop: []\njoint_name: [a_root]\njoint_type: [SPHERICAL]"),
              "the joint 'a_root' is free; 'joint_type' changes hinges");
  EXPECT_SAYS(with("[a"), "loops.yaml");
}

TEST(MechanismFileBadInput, AnOpenLoopOfALoopFileIsNamed) {
  const std::string message =
      urdf_refusal(two_links + joint_text("<origin xyz='1 0 0'/>"), {}, "closed_loop: [[a, b]]\ntype: [6d]");
  EXPECT_SAYS(message, "'a_to_b': 1 m and 0 rad");
}

// ---- any bytes
TEST(MechanismFileBadInput, CutAndChangedFilesEndInAModelOrAnError) {
  const std::string whole =
      mjcf(pair, "<default><joint axis='0 1 0'/></default><equality><connect body1='b' anchor='1 0 0'/></equality>");
  int read = 0, refused = 0;
  const Folder folder;
  const auto try_one = [&](const std::string& text) {
    try {
      read_mechanism(folder.write("r.xml", text), plugins());
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input) << text;
      ++refused;
    }
  };
  for (std::size_t length = 0; length < whole.size(); length += 7) try_one(whole.substr(0, length));
  for (std::size_t place = 0; place < whole.size(); place += 4)
    for (const char letter : {'<', '\'', '-', '\0'}) {
      std::string changed = whole;
      changed[place] = letter;
      try_one(changed);
    }
  EXPECT_GT(read, 10);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace holo::mechanism_files_tests
