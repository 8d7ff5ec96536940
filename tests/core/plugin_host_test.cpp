#include "holo/core/plugin_host.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "temporary_folder.h"

namespace holo {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::put;
using test::TemporaryFolder;

const fs::path bad_plugins = fs::path(HOLO_BINARY_DIR) / "tests/bad_plugins";

PluginHost host() { return PluginHost({bad_plugins}); }

template <class Call>
std::string message_of(const Call& call, Failure failure = Failure::input) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), failure);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

std::string refusal(const std::string& name, const fs::path& folder = bad_plugins) {
  return message_of([&] { PluginHost({folder}).material(name); });
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

// The refusal names plugin and file, and gives the reason.
void expect_refused(const std::string& name, std::vector<std::string> parts) {
  parts.push_back("the plugin '" + name + "' (" + (bad_plugins / (name + ".so")).string() + ") is refused: ");
  expect_parts(refusal(name), parts);
}

bool is_loaded(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

TEST(PluginHost, LoadsAMaterialWithItsOperations) {
  const auto material = host().material("right_material");
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
    auto first = other.material("right_material");
    auto second = other.material("right_material");
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

TEST(PluginHost, MaterialsOfTheProjectAreUnloadedToo) {
  const PluginHost own({fs::path(HOLO_BINARY_DIR) / "plugins"});
  const std::vector<std::string> names = own.materials();
  if (names.empty()) GTEST_SKIP() << "no plugins are built";
  for (const std::string& name : names) {
    auto material = own.material(name);
    const fs::path path = material->path();
    EXPECT_TRUE(is_loaded(path));
    material.reset();
    EXPECT_FALSE(is_loaded(path)) << name;
  }
}

TEST(PluginHost, ReferenceIsLoadedFromBesideThePlugin) {
  const fs::path path = bad_plugins / "right_material.reference.so";
  {
    const auto reference = host().material_reference("right_material");
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
  EXPECT_EQ(host.material("right_material")->path(), from_environment / "right_material.so");
  fs::copy_file(bad_plugins / "right_material.so", given / "right_material.so");
  EXPECT_EQ(host.material("right_material")->path(), given / "right_material.so");
}

TEST(PluginHost, ListsMaterialsAndWhyOthersWereRefused) {
  TemporaryFolder folder;
  for (const char* name : {"right_material.so", "right_material.reference.so", "wrong_name.so"})
    fs::copy_file(bad_plugins / name, folder / name);
  put(folder / "notes.txt", "no plugin");
  put(folder / "text.so", "no plugin either");
  std::vector<PluginProblem> problems;
  const PluginHost host({folder.path(), folder / "nowhere"});
  const std::vector<std::string> names = host.materials(&problems);
  EXPECT_NE(std::find(names.begin(), names.end(), "right_material"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "wrong_name"), names.end());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(host.materials(), names);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].path, folder / "text.so");
  expect_parts(problems[0].reason, {"not a shared library"});
  EXPECT_EQ(problems[1].path, folder / "wrong_name.so");
}

TEST(PluginHost, ContentHashIsThatOfTheFile) {
  TemporaryFolder folder;
  fs::copy_file(bad_plugins / "right_material.so", folder / "right_material.so");
  const std::string before = host().material("right_material")->content_hash();
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(PluginHost({folder.path()}).material("right_material")->content_hash(), before);
  put(folder / "right_material.so", content(bad_plugins / "right_material.so") + "one byte more");
  EXPECT_NE(PluginHost({folder.path()}).material("right_material")->content_hash(), before);
}

// --- reading parameters

constexpr const char* all_given = "stiffness: 3\norder: 5\nactive: true\nmode: hard\noffset: [1, 2, 3]\nfibre: [0, 2, 0]\n";

std::vector<double> read(const std::string& yaml, const std::string& plugin = "right_material") {
  ParameterFile file = ParameterFile::parse(yaml, "scene.yaml");
  Parameters root = file.root();
  std::vector<double> coefficients = host().material(plugin)->read_coefficients(root);
  file.finish();
  return coefficients;
}

TEST(PluginHost, ReadsParametersOfEveryKind) {
  EXPECT_EQ(read(all_given), (std::vector<double>{90, 5, 1, 2, 3, 0, 2, 0}));
  EXPECT_EQ(read("stiffness: 3"), (std::vector<double>{9, 2, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(read("stiffness: 3\nactive: false"), (std::vector<double>{0, 2, 0, 0, 0, 0, 0, 1}));
}

TEST(PluginHost, RecordsWhatReadAsksFor) {
  const std::vector<ParameterDescription> parameters = host().material("right_material")->parameters();
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
  const auto material = host().material("right_material");
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
      [] { read("stiffness: -3\norder: 9\nactive: 1\nmode: hrad\noffset: [1, 2]\nfibre: [0, 0, 0]\nstifness: 1\n"); });
  expect_parts(text, {"scene.yaml:1:12", "> 0", "scene.yaml:2:8", "[1, 8]", "scene.yaml:3:9", "true or false", "scene.yaml:4:7",
                      "soft, hard", "Did you mean 'hard'?", "scene.yaml:5:9", "3 entries", "scene.yaml:6:8",
                      "a direction needs an entry that is not 0", "scene.yaml:7", "stifness", "stiffness"});
}

TEST(PluginBadInput, MalformedDirectionIsOneProblem) {
  const std::string text = message_of([] { read("stiffness: 1\nfibre: up\n"); });
  EXPECT_EQ(text.find("a direction needs"), std::string::npos) << text;
  expect_parts(text, {"scene.yaml:2:8"});
}

TEST(PluginBadInput, ValuesByNameAreChecked) {
  const auto material = host().material("right_material");
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
    PluginHost({folder.path(), folder / "nowhere", bad_plugins}).material("right_materiel");
  });
  expect_parts(text, {"no material plugin 'right_materiel'", "Did you mean 'right_material'?", folder.path().string(),
                      (folder / "nowhere").string() + " (no such folder)", bad_plugins.string(), "HOLO_PLUGIN_PATH"});
}

TEST(PluginBadInput, NamesThatArePathsAreNotSearchedFor) {
  for (const std::string name : {"../bad_plugins/right_material", "", "Right", "a.b", "/etc/passwd", "right_material.so"})
    expect_parts(refusal(name), {"no material plugin '" + name + "'"});
}

// --- libraries built wrong on purpose

TEST(PluginBadInput, WrongAbiVersion) { expect_refused("wrong_abi_version", {"another interface", "ABI 7", "ABI 1"}); }
TEST(PluginBadInput, WrongLaneWidth) {
  expect_refused("wrong_lane_width", {"another interface", "3 lanes", std::to_string(HOLO_LANE_WIDTH) + " lanes"});
}
TEST(PluginBadInput, WrongStructSize) {
  expect_refused("wrong_struct_size",
                 {"another interface", std::to_string(sizeof(holo_material) + 8), std::to_string(sizeof(holo_material)) + "/"});
}
TEST(PluginBadInput, WrongStampSize) {
  expect_refused("wrong_stamp_size", {"12 bytes", std::to_string(sizeof(holo_stamp)), "Build it anew"});
}
TEST(PluginBadInput, MissingOperation) { expect_refused("missing_operation", {"required operation 'hessian' is missing"}); }
TEST(PluginBadInput, MissingRead) { expect_refused("missing_read", {"required function 'read' is missing"}); }
TEST(PluginBadInput, MissingKernel) { expect_refused("missing_kernel", {"'stress'", "what runs"}); }
TEST(PluginBadInput, MissingSummary) { expect_refused("missing_summary", {"summary", "null pointer"}); }
TEST(PluginBadInput, Nameless) { expect_refused("nameless", {"no name"}); }
TEST(PluginBadInput, WrongName) { expect_refused("wrong_name", {"'some_other_name'", "'wrong_name'", "equal"}); }
TEST(PluginBadInput, WrongDomain) { expect_refused("wrong_domain", {"domain is 9"}); }
TEST(PluginBadInput, NullMaterial) { expect_refused("null_material", {"null pointer"}); }
TEST(PluginBadInput, RegistersNothing) { expect_refused("registers_nothing", {"registers no material"}); }
TEST(PluginBadInput, RegistersTwice) { expect_refused("registers_twice", {"registers 2 materials"}); }
TEST(PluginBadInput, GoesOnAfterItsRefusal) { expect_refused("ignores_refusal", {"required operation 'stress' is missing"}); }
TEST(PluginBadInput, ReferenceInThePlugin) { expect_refused("reference_in_plugin", {"reference_in_plugin.reference.so"}); }
TEST(PluginBadInput, EntryThrows) { expect_refused("entry_throws", {"exception", "entry", "the entry has had enough"}); }
TEST(PluginBadInput, EntryThrowsWhatIsNoStandardException) {
  expect_refused("entry_throws_number", {"not a std::exception", "entry"});
}
TEST(PluginBadInput, EntryFailsWithAnEndlessMessage) { expect_refused("entry_fails", {"no licence xxx"}); }
TEST(PluginBadInput, UndefinedSymbol) {
  expect_refused("undefined_symbol", {"uses 'elsewhere::defined_nowhere(int)'", "nor a library"});
}

TEST(PluginBadInput, MissingEntryAndNothingOfItIsExecuted) {
  unsetenv("HOLO_TEST_EXECUTED");
  expect_refused("missing_entry", {"does not export 'holo_plugin'"});
  EXPECT_EQ(std::getenv("HOLO_TEST_EXECUTED"), nullptr);
  // Not vacuous: loaded, it does tell.
  void* handle = dlopen((bad_plugins / "missing_entry.so").c_str(), RTLD_NOW);
  EXPECT_NE(std::getenv("HOLO_TEST_EXECUTED"), nullptr);
  dlclose(handle);
}

std::string failure_of_read(const std::string& plugin) {
  return message_of([&] { read("a:\n  stiffness: 1", plugin); });
}

TEST(PluginBadInput, ReadThrows) {
  expect_parts(failure_of_read("read_throws"), {"scene.yaml:1", "read_throws.so", "exception", "this read never works"});
}
TEST(PluginBadInput, ReadThrowsWhatIsNoStandardException) {
  expect_parts(failure_of_read("read_throws_number"), {"read_throws_number.so", "not a std::exception", "'read'"});
}
TEST(PluginBadInput, ReadFails) {
  expect_parts(failure_of_read("read_fails"), {"read_fails.so", "the moduli do not fit together"});
}
TEST(PluginBadInput, ReadAsksWrongly) {
  expect_parts(failure_of_read("read_asks_wrongly"), {"read_asks_wrongly.so", "'strange'", "unknown kind 77"});
}
TEST(PluginBadInput, ReadMakesNotANumber) {
  expect_parts(message_of([] { read("stiffness: 1", "read_makes_nan"); }), {"'order'", "not finite"});
}

// --- files that are no libraries

TEST(PluginBadInput, TextFile) {
  TemporaryFolder folder;
  put(folder / "text.so", "#!/bin/sh\necho executed\n");
  expect_parts(refusal("text", folder.path()), {(folder / "text.so").string(), "not a shared library"});
}

TEST(PluginBadInput, EmptyFile) {
  TemporaryFolder folder;
  put(folder / "empty.so", "");
  expect_parts(refusal("empty", folder.path()), {"not a shared library", "empty"});
}

TEST(PluginBadInput, TruncatedLibraryAtAnyPlace) {
  TemporaryFolder folder;
  const std::string whole = content(bad_plugins / "right_material.so");
  ASSERT_GT(whole.size(), 1000u);
  for (std::size_t size = 1; size < whole.size(); size += size < 200 ? 1 : (whole.size() - size + 19) / 20) {
    put(folder / "right_material.so", whole.substr(0, size));
    expect_parts(refusal("right_material", folder.path()), {"right_material.so"});
    EXPECT_FALSE(is_loaded(folder / "right_material.so"));
  }
}

TEST(PluginBadInput, LibraryWithDamagedHeadersIsReadWithinItsBounds) {
  TemporaryFolder folder;
  const std::string whole = content(bad_plugins / "missing_entry.so");
  for (std::size_t place = 0; place < 64; ++place) {  // the ELF header; the rest of the file has no entry, so nothing is loaded
    std::string spoiled = whole;
    spoiled[place] = static_cast<char>(0xff);
    put(folder / "missing_entry.so", spoiled);
    expect_parts(refusal("missing_entry", folder.path()), {"missing_entry.so"});
  }
}

TEST(PluginBadInput, ObjectFileOfAnotherKind) {
  TemporaryFolder folder;
  std::string object = content(bad_plugins / "right_material.so");
  object[16] = 1;  // e_type: relocatable
  put(folder / "object.so", object);
  expect_parts(refusal("object", folder.path()), {"not a shared library", "another kind of ELF file"});
  object[16] = 3;
  object[18] = 8;  // e_machine: MIPS
  put(folder / "object.so", object);
  expect_parts(refusal("object", folder.path()), {"another processor"});
}

TEST(PluginBadInput, FolderOfThatName) {
  TemporaryFolder folder;
  fs::create_directory(folder / "folder.so");
  expect_parts(refusal("folder", folder.path()), {(folder / "folder.so").string(), "it is a folder"});
}

TEST(PluginBadInput, UnreadableFile) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  fs::copy_file(bad_plugins / "right_material.so", folder / "right_material.so");
  fs::permissions(folder / "right_material.so", fs::perms::none);
  const test::WithoutRoot without_root;
  expect_parts(refusal("right_material", folder.path()), {(folder / "right_material.so").string(), "Permission denied"});
}

TEST(PluginBadInput, DanglingLink) {
  TemporaryFolder folder;
  fs::create_symlink("nowhere.so", folder / "dangling.so");
  expect_parts(refusal("dangling", folder.path()), {(folder / "dangling.so").string(), "No such file"});
}

TEST(PluginBadInput, MissingReference) {
  expect_parts(message_of([] { host().material_reference("wrong_name"); }), {"wrong_name", "wrong_name.reference.so"});
}

TEST(PluginBadInput, PluginInPlaceOfItsReference) {
  TemporaryFolder folder;
  for (const char* name : {"right_material.so", "right_material.reference.so"})
    fs::copy_file(bad_plugins / "right_material.so", folder / name);
  expect_parts(message_of([&] { PluginHost({folder.path()}).material_reference("right_material"); }),
               {"right_material.reference.so", "registers a material", "belongs into 'right_material.so'"});
}

TEST(PluginBadInput, RefusedLibraryDoesNotStayLoaded) {
  refusal("missing_operation");
  EXPECT_FALSE(is_loaded(bad_plugins / "missing_operation.so"));
}

}  // namespace
}  // namespace holo
