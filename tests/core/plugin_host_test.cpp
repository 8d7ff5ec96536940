// Plugins are found, loaded, read and unloaded.
#include <algorithm>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "plugin_refusals.h"

namespace holo {
namespace {

using namespace plugin_refusals;

TEST(PluginHost, LoadsAMaterialWithItsOperations) {
  const auto material = host().get<MaterialPlugin>("right_material");
  EXPECT_EQ(material->name(), "right_material");
  EXPECT_EQ(material->summary(), "a material of the tests");
  EXPECT_EQ(material->path(), bad_plugins / "right_material.so");
  EXPECT_EQ(material->formula(), "stiffness/2 |F - I|^2");
  EXPECT_EQ(material->abi().operations[HOLO_MATERIAL_ANALYTIC_STRESS], nullptr);
  std::vector<double> output(2 * HOLO_LANE_WIDTH, -1.0);
  holo_batch batch{};
  batch.size = sizeof batch;
  batch.block_count = 2;
  batch.output = output.data();
  material->abi().operations[HOLO_MATERIAL_ENERGY](&batch);
  EXPECT_EQ(output, std::vector<double>(output.size(), 1.0));
}

TEST(PluginHost, LibraryIsUnloadedAfterTheLastObjectAndNotBefore) {
  const fs::path path = bad_plugins / "right_material.so";
  ASSERT_FALSE(is_loaded(path));
  unsetenv("HOLO_TEST_UNLOADED");
  std::shared_ptr<const MaterialPlugin> kept;
  {
    const PluginHost other = host();
    auto first = other.get<MaterialPlugin>("right_material");
    auto second = other.get<MaterialPlugin>("right_material");
    kept = second;
    first.reset();
  }
  EXPECT_TRUE(is_loaded(path));
  EXPECT_EQ(std::getenv("HOLO_TEST_UNLOADED"), nullptr);
  EXPECT_EQ(kept->formula(), "stiffness/2 |F - I|^2");
  kept.reset();
  EXPECT_FALSE(is_loaded(path));
  EXPECT_NE(std::getenv("HOLO_TEST_UNLOADED"), nullptr);
}

TEST(PluginHost, PluginsOfTheProjectAreUnloadedToo) {
  const PluginHost own({fs::path(HOLO_BINARY_DIR) / "plugins"});
  const auto expect_unloaded = [](auto plugin) {
    const fs::path path = plugin->path();
    EXPECT_TRUE(is_loaded(path));
    plugin.reset();
    EXPECT_FALSE(is_loaded(path)) << path;
  };
  if (own.names<MaterialPlugin>().empty() && own.names<JointPlugin>().empty()) GTEST_SKIP() << "no plugins are built";
  for (const std::string& name : own.names<MaterialPlugin>()) expect_unloaded(own.get<MaterialPlugin>(name));
  for (const std::string& name : own.names<JointPlugin>()) expect_unloaded(own.get<JointPlugin>(name));
  for (const std::string& name : own.names<LossPlugin>()) expect_unloaded(own.get<LossPlugin>(name));
}

TEST(PluginHost, ReferenceIsLoadedFromBesideThePlugin) {
  const fs::path path = bad_plugins / "right_material.reference.so";
  {
    const auto reference = host().get_reference<MaterialPlugin>("right_material");
    EXPECT_EQ(reference->abi().energy(nullptr, nullptr), 7.5);
    EXPECT_TRUE(is_loaded(path));
    EXPECT_FALSE(is_loaded(bad_plugins / "right_material.so"));
  }
  EXPECT_FALSE(is_loaded(path));
}

TEST(PluginHost, SearchesTheGivenFoldersThenTheEnvironmentsThenTheProgramsOwn) {
  TemporaryFolder given, from_environment;
  const EnvironmentVariable variable("HOLO_PLUGIN_PATH", ":" + from_environment.path().string() + "::");
  const PluginHost host({given.path()});
  const auto& path = host.search_path();
  ASSERT_GE(path.size(), 2u);
  EXPECT_EQ(path[0], given.path());
  EXPECT_EQ(path[1], from_environment.path());
  if (const fs::path own = fs::path(HOLO_BINARY_DIR) / "plugins"; fs::is_directory(own)) {
    ASSERT_EQ(path.size(), 3u);
    EXPECT_TRUE(fs::equivalent(path[2], own));
  }
  fs::copy_file(bad_plugins / "right_material.so", from_environment / "right_material.so");
  EXPECT_EQ(host.get<MaterialPlugin>("right_material")->path(), from_environment / "right_material.so");
  fs::copy_file(bad_plugins / "right_material.so", given / "right_material.so");
  EXPECT_EQ(host.get<MaterialPlugin>("right_material")->path(), given / "right_material.so");
}

TEST(PluginHost, ListsMaterialsAndWhyOthersWereRefused) {
  TemporaryFolder folder;
  for (const char* name : {"right_material.so", "right_material.reference.so", "wrong_name.so"})
    fs::copy_file(bad_plugins / name, folder / name);
  put(folder / "notes.txt", "no plugin");
  put(folder / "text.so", "no plugin either");
  std::vector<PluginProblem> problems;
  const PluginHost host({folder.path(), folder / "nowhere"});
  const std::vector<std::string> names = host.names<MaterialPlugin>(&problems);
  EXPECT_NE(std::find(names.begin(), names.end(), "right_material"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "wrong_name"), names.end());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(host.names<MaterialPlugin>(), names);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].path, folder / "text.so");
  expect_parts(problems[0].reason, {"not a shared library"});
  EXPECT_EQ(problems[1].path, folder / "wrong_name.so");
}

TEST(PluginHost, ContentHashIsThatOfTheFile) {
  TemporaryFolder folder;
  fs::copy_file(bad_plugins / "right_material.so", folder / "right_material.so");
  const std::string before = host().get<MaterialPlugin>("right_material")->content_hash();
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(PluginHost({folder.path()}).get<MaterialPlugin>("right_material")->content_hash(), before);
  put(folder / "right_material.so", content(bad_plugins / "right_material.so") + "one byte more");
  EXPECT_NE(PluginHost({folder.path()}).get<MaterialPlugin>("right_material")->content_hash(), before);
}

// --- reading parameters

TEST(PluginHost, ReadsParametersOfEveryKind) {
  EXPECT_EQ(read(all_given), (std::vector<double>{90, 5, 1, 2, 3, 0, 2, 0}));
  EXPECT_EQ(read("stiffness: 3"), (std::vector<double>{9, 2, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(read("stiffness: 3\nactive: false"), (std::vector<double>{0, 2, 0, 0, 0, 0, 0, 1}));
}

TEST(PluginHost, RecordsWhatReadAsksFor) {
  const std::vector<ParameterDescription> parameters = host().get<MaterialPlugin>("right_material")->parameters();
  ASSERT_EQ(parameters.size(), 6u);
  EXPECT_EQ(parameters[0].path, "stiffness");
  EXPECT_EQ(parameters[0].kind, "number");
  EXPECT_EQ(parameters[0].unit, "Pa");
  EXPECT_EQ(parameters[0].range, "> 0");
  EXPECT_EQ(parameters[0].default_value, "");
  EXPECT_EQ(parameters[0].documentation, "of the test");
  EXPECT_EQ(parameters[1].kind, "integer");
  EXPECT_EQ(parameters[1].range, "[1, 8]");
  EXPECT_EQ(parameters[1].default_value, "2");
  EXPECT_EQ(parameters[2].kind, "boolean");
  EXPECT_EQ(parameters[2].default_value, "true");
  EXPECT_EQ(parameters[3].range, "one of: soft, hard");
  EXPECT_EQ(parameters[3].default_value, "soft");
  EXPECT_EQ(parameters[4].kind, "vector3");
  EXPECT_EQ(parameters[5].kind, "vector3");
}

TEST(PluginHost, CoefficientsAndTheirJacobianFollowFromValuesByName) {
  const auto material = host().get<MaterialPlugin>("right_material");
  const std::vector<std::pair<std::string, double>> values = {{"offset.1", 4}, {"stiffness", 3}, {"mode", 1}, {"order", 5}};
  EXPECT_EQ(material->coefficients(values), (std::vector<double>{90, 5, 0, 4, 0, 0, 0, 1}));
  const std::vector<double> jacobian = material->coefficient_jacobian(values);
  ASSERT_EQ(jacobian.size(), 8u * 4u);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const double expected = i == 3 && j == 0 ? 1 : i == 0 && j == 1 ? 60 : 0;  // an integer and a choice have no derivative
      EXPECT_EQ(jacobian[4 * i + j], expected) << i << ", " << j;
    }
}

TEST(PluginBadInput, EveryProblemOfTheParametersIsListedWithItsPlace) {
  const std::string text = message_of(
      [] { read("stiffness: -3\norder: 9\nactive: 1\nmode: hrad\noffset: [1, 2]\nfiber: [0, 0, 0]\nstifness: 1\n"); });
  expect_parts(text, {"scene.yaml:1:12", "> 0", "scene.yaml:2:8", "[1, 8]", "scene.yaml:3:9", "true or false", "scene.yaml:4:7",
                      "soft, hard", "Did you mean 'hard'?", "scene.yaml:5:9", "3 entries", "scene.yaml:6:8",
                      "a direction needs an entry that is not 0", "scene.yaml:7", "stifness", "stiffness"});
}

TEST(PluginBadInput, MalformedDirectionIsOneProblem) {
  const std::string text = message_of([] { read("stiffness: 1\nfiber: up\n"); });
  EXPECT_EQ(text.find("a direction needs"), std::string::npos) << text;
  expect_parts(text, {"scene.yaml:2:8"});
}

TEST(PluginBadInput, ValuesByNameAreChecked) {
  const auto material = host().get<MaterialPlugin>("right_material");
  expect_parts(message_of([&] { material->coefficients({{"order", 2}}); }), {"right_material", "'stiffness' has no default"});
  expect_parts(message_of([&] { material->coefficients({{"stiffness", -2}}); }), {"'stiffness' is -2; allowed: > 0"});
  expect_parts(message_of([&] {
                 material->coefficients({{"stiffness", 2}, {"odrer", 2}});
               }),
               {"'odrer'", "Did you mean 'order'?"});
}

TEST(PluginBadInput, UnknownNameGivesTheSearchPathAndTheNearestName) {
  TemporaryFolder folder;
  const std::string text = message_of([&] {
    PluginHost({folder.path(), folder / "nowhere", bad_plugins}).get<MaterialPlugin>("right_materiel");
  });
  expect_parts(text, {"no material plugin 'right_materiel'", "Did you mean 'right_material'?", folder.path().string(),
                      (folder / "nowhere").string() + " (no such folder)", bad_plugins.string(), "HOLO_PLUGIN_PATH"});
}

TEST(PluginBadInput, NamesThatArePathsAreNotSearchedFor) {
  for (const std::string name : {"../bad_plugins/right_material", "", "Right", "a.b", "/etc/passwd", "right_material.so"})
    expect_parts(refusal(name), {"no material plugin '" + name + "'"});
}

}  // namespace
}  // namespace holo
