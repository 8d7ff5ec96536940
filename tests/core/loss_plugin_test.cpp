#include "holo/core/plugins/loss_plugin.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "holo/core/plugins/joint_plugin.h"
#include "plugin_refusals.h"

namespace holo {
namespace {

using namespace plugin_refusals;

// Three bodies, two controls, two signals; no muscles.
class Machine : public SimulationNames, public SignalNames {
 public:
  std::vector<std::vector<double>> constants;

  std::string kind() const override { return "a machine"; }
  bool has(holo_observable_kind kind, int step) const override {
    return step == 0 && (kind == HOLO_OBSERVABLE_POINT || (kind == HOLO_OBSERVABLE_CONTROL && has_controls));
  }
  std::vector<std::string> names(holo_subject subject) const override {
    if (subject == HOLO_SUBJECT_BODY) return {"foot", "shin", "pelvis"};
    if (subject == HOLO_SUBJECT_CONTROL) return {"hip", "knee"};
    return {};
  }
  std::vector<Signal> signals() const override { return {{"path", 3, 7}, {"effort", 1, 8}}; }
  int add_constant(const std::vector<double>& values) override {
    constants.push_back(values);
    return 99 + int(constants.size());
  }
  void add_bound(SignalBound bound) override { bounds.push_back(std::move(bound)); }
  bool has_controls = true;
  std::vector<SignalBound> bounds;
};

std::vector<LossInstance> make(const std::string& yaml, Machine& machine) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, "robot.yaml");
  Configuration root = file.root();
  std::vector<LossInstance> losses = create_losses(host().get<LossPlugin>("right_loss"), root, machine, machine);
  file.finish();
  for (const SignalBound& bound : machine.bounds)  // as a simulation once it knows the values: the least are -2 and -1
    bound.require(bound.signal == 7 ? "path" : "effort", bound.signal == 7 ? -2 : -1);
  return losses;
}

template <class M = Machine>
std::string refusal(const std::string& yaml) {
  return message_of([&] {
    M machine;
    make(yaml, machine);
  });
}

TEST(LossPlugin, ResolvesNamesSignalsAndNumbers) {
  Machine machine;
  const auto losses = make("{body: shin, control: knee, target: path, weight: 2, gain: 3}", machine);
  ASSERT_EQ(losses.size(), 1u);
  const holo_loss_description& d = losses[0].description();
  EXPECT_EQ(losses[0].subject(), "");
  EXPECT_EQ(d.observables[0].subject, 1u);
  EXPECT_EQ(d.observables[1].subject, 1u);
  EXPECT_EQ(d.data[0].subject, 7u);
  EXPECT_EQ(d.data[3].subject, 100u);
  EXPECT_EQ(machine.constants, (std::vector<std::vector<double>>{{2}}));
  EXPECT_EQ(losses[0].observable_size(), 4u);
  EXPECT_EQ(losses[0].output_size(HOLO_LOSS_VALUE), 1u);
  EXPECT_EQ(losses[0].output_size(HOLO_LOSS_GRADIENT), 4u);
  EXPECT_EQ(losses[0].output_size(HOLO_LOSS_HESSIAN), 10u);
  EXPECT_EQ(losses[0].output_size(HOLO_LOSS_MEASURES), 1u);
}

TEST(LossPlugin, OneNumberIsEachOfASignalsAndAListIsTaken) {
  Machine machine;
  make("{body: foot, control: hip, target: 0.5}", machine);
  make("{body: foot, control: hip, target: [1, 2, 3], weight: 4}", machine);
  EXPECT_EQ(machine.constants, (std::vector<std::vector<double>>{{0.5, 0.5, 0.5}, {0}, {1, 2, 3}, {4}}));
}

TEST(LossPlugin, MakesOneForEachNameOfAList) {
  Machine machine;
  const auto listed = make("{body: [pelvis, foot], control: hip, target: path}", machine);
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].subject(), "pelvis");
  EXPECT_EQ(listed[0].description().observables[0].subject, 2u);
  EXPECT_EQ(listed[1].subject(), "foot");
  EXPECT_EQ(listed[1].description().observables[0].subject, 0u);
  EXPECT_EQ(listed[1].description().observables[1].subject, 0u);
  EXPECT_EQ(machine.constants.size(), 1u) << "the weight is one signal for both";
  const auto all = make("{body: pelvis, control: all, target: path}", machine);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].subject(), "knee");
  EXPECT_EQ(all[1].description().observables[1].subject, 1u);
}

// A group stands for the list of its members, and its name is among those that a message lists.
class MachineWithLeg final : public Machine {
 public:
  std::vector<Group> groups(holo_subject subject) const override {
    return subject == HOLO_SUBJECT_BODY ? std::vector<Group>{{"leg", {1, 0}}} : std::vector<Group>{};
  }
};

TEST(LossPlugin, MakesOneForEachMemberOfAGroup) {
  MachineWithLeg machine;
  for (const char* body : {"leg", "[leg]", "[shin, foot]"}) {
    const auto losses = make("{body: " + std::string(body) + ", control: hip, target: path}", machine);
    ASSERT_EQ(losses.size(), 2u) << body;
    EXPECT_EQ(losses[0].subject(), "shin");
    EXPECT_EQ(losses[1].description().observables[0].subject, 0u);
  }
}

TEST(LossPluginBadInput, MembersThatStandTwiceAndUnknownNamesBesideGroups) {
  expect_parts(refusal<MachineWithLeg>("{body: [leg, foot], control: hip, target: path}"), {"'foot' stands twice in the list"});
  expect_parts(refusal<MachineWithLeg>("{body: legs, control: hip, target: path}"),
               {"no body 'legs'. Did you mean 'leg'? There are: leg, foot, shin, pelvis"});
}

TEST(LossPlugin, ValuesByNameMakeTheLossThatAFileMakes) {
  Machine machine;
  const auto read = make("{body: shin, control: knee, target: path, weight: 2, gain: 3}", machine);
  const LossInstance made = create_loss(host().get<LossPlugin>("right_loss"),
                                        {{"gain", 3}, {"body", 1}, {"control", 1}, {"target", 7}, {"weight", 100}});
  const holo_loss_description &d = made.description(), &expected = read[0].description();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(d.observables[i].subject, expected.observables[i].subject);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(d.data[i].subject, expected.data[i].subject);
  std::vector<double> output(HOLO_LANE_WIDTH, 0.0);
  made.run(HOLO_LOSS_VALUE, {sizeof(holo_loss_batch), 1, nullptr, nullptr, output.data()});
  EXPECT_EQ(output, std::vector<double>(output.size(), 3.0));
}

TEST(LossPlugin, RunsAndIsDestroyedOnce) {
  setenv("HOLO_TEST_DESTROYED", "0", 1);
  {
    Machine machine;
    std::vector<LossInstance> losses = make("{body: all, control: hip, target: path, gain: 3}", machine);
    std::vector<double> output(2 * HOLO_LANE_WIDTH, 0.0);
    const holo_loss_batch batch = {sizeof(holo_loss_batch), 2, nullptr, nullptr, output.data()};
    const LossInstance moved = std::move(losses[1]);
    moved.run(HOLO_LOSS_VALUE, batch);
    EXPECT_EQ(output, std::vector<double>(output.size(), 3.0));
  }
  EXPECT_STREQ("3", std::getenv("HOLO_TEST_DESTROYED"));
}

TEST(LossPlugin, RecordsNamesAsTextOrListAndSignalsAsNumbersOrName) {
  const auto parameters = host().get<LossPlugin>("right_loss")->parameters();
  ASSERT_EQ(parameters.size(), 6u);
  EXPECT_EQ(parameters[0].kind, "text or list");
  EXPECT_TRUE(parameters[0].required);
  expect_parts(parameters[1].documentation, {"a control", "`all`"});
  EXPECT_EQ(parameters[2].kind, "number or name");
  EXPECT_EQ(parameters[2].range, "a number, a list of 3, or the name of a signal");
  EXPECT_EQ(parameters[3].default_value, "0");
  EXPECT_EQ(parameters[4].kind, "number");
  const ParameterRecording recording([](Configuration& p) {
    Machine machine;
    EXPECT_TRUE(create_losses(host().get<LossPlugin>("right_loss"), p, machine, machine).empty());
  });
  EXPECT_EQ(recording.descriptions().size(), 6u);
  expect_parts(recording.json_schema("loss"), {"anyOf", "\"maxItems\": 3"});
}

TEST(LossPluginBadInput, UnknownNamesGiveTheNearestAndAllThereAre) {
  expect_parts(refusal("body: shim\ncontrol: hip\ntarget: path"),
               {"robot.yaml:1:7", "no body 'shim'", "Did you mean 'shin'?", "foot, shin, pelvis"});
  expect_parts(refusal("body: foot\ncontrol: [hip, knie]\ntarget: path"), {"robot.yaml:2:10", "no control 'knie'", "'knee'"});
  expect_parts(refusal("body: foot\ncontrol: hip\ntarget: paht"),
               {"robot.yaml:3:9", "no signal 'paht'", "'path'", "path, effort"});
}

TEST(LossPluginBadInput, EveryProblemIsListedAtOnce) {
  expect_parts(refusal("body: shim\ncontrol: [hip, hip]\ntarget: [1, 2]\nweight: -1\ngian: 2"),
               {"robot.yaml:1", "robot.yaml:2", "'hip' stands twice", "robot.yaml:3", "a list of 3", "robot.yaml:4", ">= 0",
                "robot.yaml:5", "Did you mean 'gain'?"});
  expect_parts(refusal("body: [1.5, true]\ncontrol: {}\ntarget: true"), {"robot.yaml:1", "robot.yaml:2", "robot.yaml:3"});
  expect_parts(refusal("gain: 1"), {"body", "control", "target"});
}

TEST(LossPluginBadInput, SignalOfAnotherLengthOrBelowItsRange) {
  expect_parts(refusal("body: foot\ncontrol: hip\ntarget: effort"), {"robot.yaml:3:9", "'effort' has 1 numbers; 3 are needed"});
  expect_parts(refusal("body: foot\ncontrol: hip\ntarget: path\nweight: effort"),
               {"robot.yaml:4:9", "'effort' gets down to -1", ">= 0"});
}

TEST(LossPluginBadInput, ValuesByNameAreRefusedWithThePluginsName) {
  const auto refused = [](const std::vector<std::pair<std::string, double>>& values) {
    return message_of([&] { create_loss(host().get<LossPlugin>("right_loss"), values); });
  };
  expect_parts(refused({{"body", 1}, {"control", 1}, {"weight", 0}}), {"'right_loss'", "'target'", "none was given"});
  expect_parts(refused({{"body", 1}, {"control", 1}, {"target", 7}, {"weight", 0}, {"gian", 2}}),
               {"'right_loss'", "no parameter 'gian'", "Did you mean 'gain'?"});
  setenv("HOLO_TEST_DESTROYED", "0", 1);
  expect_parts(refused({{"body", 1}, {"control", 1}, {"target", 7}, {"weight", 0}, {"gain", 2}, {"more", 2}}), {"'more'"});
  EXPECT_STREQ("1", std::getenv("HOLO_TEST_DESTROYED")) << "the instance that was made before";
  expect_parts(refused({{"body", 1}, {"control", 1}, {"target", 7}, {"weight", 0}, {"gain", -1}}),
               {"the loss 'right_loss' refuses", "a gain below 0 makes no sense"});
}

TEST(LossPluginBadInput, TwoListsInOneLoss) {
  expect_parts(refusal("body: [foot, shin]\ncontrol: all\ntarget: path"),
               {"robot.yaml:2:10", "'body' is a list already", "one list only"});
}

TEST(LossPluginBadInput, PluginRefusesItsParameters) {
  expect_parts(refusal("body: foot\ncontrol: hip\ntarget: path\ngain: -1"),
               {"robot.yaml:1", "the loss 'right_loss' refuses", "a gain below 0 makes no sense"});
  // What it says of stand-ins for wrong values is no news.
  const std::string text = refusal("body: shim\ncontrol: hip\ntarget: path\ngain: -1");
  EXPECT_EQ(text.find("makes no sense"), std::string::npos) << text;
}

TEST(LossPluginBadInput, ObservableThatTheSimulationLacks) {
  Machine machine;
  machine.has_controls = false;
  expect_parts(message_of([&] { make("{body: foot, control: hip, target: path}", machine); }),
               {"'right_loss' observes the control, which a machine does not have", "It has: point"});
  expect_parts(refusal("{body: foot, control: hip, target: path, step: -1}"), {"observes the point of step -1"});
}

TEST(LossPluginBadInput, ObservableAtAStepToCome) {
  expect_parts(refusal("{body: foot, control: hip, target: path, step: 1}"),
               {"'right_loss'", "asked for at step 1; allowed are 0 (this one), -1 and -2"});
}

TEST(LossPluginBadInput, FailureWhileItRunsIsAnError) {
  Machine machine;
  const auto losses = make("{body: foot, control: hip, target: path, gain: 13}", machine);
  std::vector<double> output(HOLO_LANE_WIDTH);
  const holo_loss_batch batch = {sizeof(holo_loss_batch), 1, nullptr, nullptr, output.data()};
  expect_parts(message_of([&] { losses[0].run(HOLO_LOSS_VALUE, batch); }, Failure::environment),
               {"'right_loss'", "out of memory"});
}

// --- plugins of the other kinds

TEST(PluginHost, LoadsJointsAndListsEachKindByItself) {
  const auto joint = host().get<JointPlugin>("right_joint");
  EXPECT_EQ(joint->summary(), "a joint of the tests");
  EXPECT_EQ(joint->content_hash().size(), 16u);
  EXPECT_EQ(joint->constants({{"offset", 0.5}}), std::vector<double>{5});
  ConfigurationFile file = ConfigurationFile::parse("offset: 0.25", "robot.yaml");
  Configuration root = file.root();
  EXPECT_EQ(joint->read_constants(root), std::vector<double>{2.5});
  EXPECT_EQ(joint->parameters().at(0).range, "[-1, 1]");
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<PluginProblem> problems;
  EXPECT_TRUE(has(host().names<JointPlugin>(&problems), "right_joint"));
  EXPECT_FALSE(has(host().names<JointPlugin>(), "right_material"));
  EXPECT_FALSE(has(host().names<MaterialPlugin>(), "right_joint"));
  EXPECT_TRUE(has(host().names<LossPlugin>(), "right_loss"));
  EXPECT_FALSE(problems.empty());
  for (const PluginProblem& problem : problems)
    EXPECT_EQ(problem.path.stem().string().find("right_"), std::string::npos) << problem.path;
}

TEST(PluginBadInput, PluginOfAnotherKindSaysWhatItIs) {
  expect_parts(message_of([] { host().get<JointPlugin>("right_material"); }),
               {"'right_material' is a material, not a joint", "right_joint"});
  expect_parts(message_of([] { host().get<MaterialPlugin>("right_loss"); }), {"'right_loss' is a loss, not a material"});
  expect_parts(message_of([] { host().get<LossPlugin>("right_joint"); }), {"'right_joint' is a joint, not a loss"});
  expect_parts(message_of([] { host().get_reference<JointPlugin>("right_material"); }),
               {"'right_material' is a material, not a joint"});
}

TEST(PluginBadInput, UnknownJointGivesTheNearestJoint) {
  const std::string text = message_of([] { host().get<JointPlugin>("right_joins"); });
  expect_parts(text, {"no joint plugin 'right_joins'", "Did you mean 'right_joint'?"});
  EXPECT_EQ(text.find("right_material"), std::string::npos) << text;
}

TEST(PluginBadInput, SpoiledJointsAndLossesAreRefused) {
  expect_parts(message_of([] { host().get<JointPlugin>("joint_missing_operation"); }),
               {"joint_missing_operation.so", "is refused", "required operation 'motion_hessian' is missing"});
  expect_parts(message_of([] { host().get<LossPlugin>("loss_missing_run"); }),
               {"is refused", "required function 'run' is missing"});
  expect_parts(message_of([] { host().get<JointPlugin>("two_kinds"); }), {"registers a material, a joint named 'two_kinds'"});
  expect_parts(message_of([] { host().get<MaterialPlugin>("missing_operation"); }), {"is refused"});
}

TEST(PluginBadInput, JointsParametersAreChecked) {
  const auto joint = host().get<JointPlugin>("right_joint");
  expect_parts(message_of([&] { joint->constants({{"offset", 2}}); }), {"'offset' is 2; allowed: [-1, 1]"});
  expect_parts(message_of([&] { joint->constants({}); }), {"'offset' has no default"});
}

TEST(PluginBadInput, OnlyALossNamesThingsInASimulation) {
  expect_parts(
      message_of([] { host().get<MaterialPlugin>("material_asks_for_a_body")->parameters(); }),
      {"material_asks_for_a_body.so", "'body' is something in a simulation, which only a loss or a body energy may ask for"});
}

}  // namespace
}  // namespace holo
