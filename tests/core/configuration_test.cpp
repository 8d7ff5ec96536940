#include "holo/core/configuration.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>

namespace holo {
namespace {

constexpr const char* kExperiment = R"(# a comment
name: drop
seed: 7
scene:
  time_step: 0.01            # s
  gravity: [0, 0, -9.81]
  bodies:
    - name: body
      mesh: {shape: box, elements: 30000}
      density: 1.0e3
    - name: other
      mesh: {shape: sphere, elements: 1e3}
paper:
  values: {elements: 69074, method: "newton, full"}
variants:
  quick: {scene.bodies.0.mesh.elements: 600, scene.duration: 0.2}
  wrong: {scene.time_step: -1}
  other: {scene.bodies.1.mesh: {shape: capsule, elements: 5}, scene.bodies.1.mesh.radius: 2}
)";

std::string problems_of(ConfigurationFile& file) {
  try {
    file.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

ConfigurationFile parse(const std::string& yaml, const ConfigurationFileOptions& options = {}) {
  return ConfigurationFile::parse(yaml, "x.yaml", options);
}

TEST(Configuration, ReadValuesOfEveryKind) {
  ConfigurationFile file = parse(
      "number: -2.5e-3\ninteger: 12\nyes: true\ntext: some words\nvector: [1, 2.5, -3]\nlist: [1, 2]\nwords: [a, 3, 'b c']\n");
  Configuration root = file.root();
  EXPECT_EQ(root.number("number"), -2.5e-3);
  EXPECT_EQ(root.integer("integer"), 12);
  EXPECT_TRUE(root.boolean("yes", {}));
  EXPECT_EQ(root.text("text"), "some words");
  EXPECT_EQ(root.vector3("vector"), (std::array<double, 3>{1, 2.5, -3}));
  EXPECT_EQ(root.numbers("list", 1, 3), (std::vector<double>{1, 2}));
  EXPECT_EQ(root.texts("words", 1, 3), (std::vector<std::string>{"a", "3", "b c"}));
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, DefaultsStandForMissingKeys) {
  ConfigurationFile file = parse("name: x\n");
  Configuration root = file.root();
  root.text("name");
  EXPECT_EQ(root.number("a", {.default_value = 2.5}), 2.5);
  EXPECT_EQ(root.integer("b", {.default_value = 3}), 3);
  EXPECT_FALSE(root.boolean("c", false));
  EXPECT_EQ(root.text("d", {.default_value = "e"}), "e");
  EXPECT_EQ(root.vector3("f", {.default_value = {{1, 2, 3}}}), (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(root.numbers("g", 2, 4, {.default_value = 5.0}), (std::vector<double>{5, 5}));
  EXPECT_EQ(root.texts("words", 0, 4), std::vector<std::string>());
  EXPECT_EQ(root.section("h", "", false).number("i", {.default_value = 6}), 6);
  EXPECT_EQ(root.raw("j"), "");
  root.each("k", [](Configuration&) { ADD_FAILURE(); });
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, NumbersKeepEveryBit) {
  for (double value : {0.1, 1e-8, 1.0 / 3, 5e-324, -1.7976931348623157e308, 123456789.123456789}) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    ConfigurationFile file = parse(std::string("v: ") + text + "\n");
    EXPECT_EQ(file.root().number("v"), value) << text;
    EXPECT_EQ(parse(file.resolved()).root().number("v"), value) << text;
  }
}

TEST(Configuration, IntegersMayBeWrittenAsNumbers) {
  ConfigurationFile file = parse("a: 1e3\nb: 3.0\nc: 9223372036854775807\nd: +4\n");
  Configuration root = file.root();
  EXPECT_EQ(root.integer("a"), 1000);
  EXPECT_EQ(root.integer("b"), 3);
  EXPECT_EQ(root.integer("c"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(root.integer("d"), 4);
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, TextKeepsWhatWasWritten) {
  ConfigurationFile file = parse("a: 8.10\nb: \"true\"\nc: it's 5 o'clock\nd: |\n  [[[ {{{ \"\n  two\nquoted: '#1'\n");
  Configuration root = file.root();
  EXPECT_EQ(root.text("a"), "8.10");
  EXPECT_EQ(root.text("b"), "true");
  EXPECT_EQ(root.text("c"), "it's 5 o'clock");
  EXPECT_EQ(root.text("d"), "[[[ {{{ \"\ntwo\n");
  EXPECT_EQ(root.text("quoted"), "#1");
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, TextMayGoOnOverLines) {
  ConfigurationFile file = parse(
      "a: it\n  'tis [fine\nb:\n  - x\n   'y\n  - - one\n     \"two\n  - c: d\n     {e\nf: |-\n  'g\nh: ['i', j\n  'k]\n");
  Configuration root = file.root();
  EXPECT_EQ(root.text("a"), "it 'tis [fine");
  EXPECT_EQ(root.raw("b"), "[\"x 'y\", [\"one \\\"two\"], {c: \"d {e\"}]");
  EXPECT_EQ(root.text("f"), "'g");
  EXPECT_EQ(root.raw("h"), "[i, \"j 'k\"]");
}

TEST(Configuration, EachReadsTheEntriesInOrder) {
  ConfigurationFile file = parse(kExperiment);
  std::vector<std::string> names;
  file.root().section("scene").each("bodies", [&](Configuration& body) { names.push_back(body.text("name")); });
  EXPECT_EQ(names, (std::vector<std::string>{"body", "other"}));
}

TEST(Configuration, BranchReadsTheChosenOneAtItsOwnLevel) {
  ConfigurationFile file = parse("type: b\ny: 2\n");
  double read = 0;
  file.root().branch("type", {{"a", "", [&](Configuration& p) { read = p.number("x"); }},
                              {"b", "", [&](Configuration& p) { read = p.number("y"); }}});
  EXPECT_EQ(read, 2);
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, BranchFallsBackToItsDefault) {
  ConfigurationFile file = parse("x: 2\n");
  double read = 0;
  file.root().branch("type", {{"a", "", [&](Configuration& p) { read = p.number("x"); }}}, "a");
  EXPECT_EQ(read, 2);
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, BranchOnKeyReadsTheOneThatIsThere) {
  ConfigurationFile file = parse("shape: box\n");
  std::string read;
  file.root().branch_on_key(
      {{"file", "", [&](Configuration&) { ADD_FAILURE(); }}, {"shape", "", [&](Configuration& p) { read = p.text("shape"); }}});
  EXPECT_EQ(read, "box");
  EXPECT_EQ(problems_of(file), "");
}

TEST(Configuration, FreeFormPartsReadWhole) {
  ConfigurationFile file = parse(kExperiment);
  Configuration paper = file.root().section("paper");
  EXPECT_EQ(paper.raw("values"), "{elements: 69074, method: \"newton, full\"}");
  const auto entries = paper.entries("values");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "elements");
  EXPECT_EQ(entries[0].number, 69074);
  EXPECT_EQ(to_string(entries[0].location), "x.yaml:14:22");
  EXPECT_EQ(entries[1].text, "newton, full");
  EXPECT_FALSE(entries[1].number);
}

TEST(Configuration, ListEntriesKeepTheirTextForOverrides) {
  ConfigurationFile file = parse("values: [1.0e5, newton, '3', [0, 0, -9.81], {type: stvk}, true]\nempty: []\n");
  Configuration root = file.root();
  std::vector<std::string> texts;
  for (const Configuration::Entry& entry : root.list_entries("values")) texts.push_back(entry.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"1.0e5", "newton", "\"3\"", "[0, 0, -9.81]", "{type: stvk}", "true"}));
  EXPECT_EQ(root.list_entries("values")[0].number, 1e5);
  EXPECT_FALSE(root.list_entries("values")[2].number);
  EXPECT_EQ(to_string(root.list_entries("values")[1].location), "x.yaml:1:17");
  EXPECT_TRUE(root.list_entries("empty").empty());
  EXPECT_TRUE(root.list_entries("missing").empty());
  EXPECT_EQ(problems_of(file),
            "x.yaml:1:1: 'missing' is missing; it must be a list of one or more values\n"
            "x.yaml:2:8: 'empty' must be a list of one or more values, but a list of 0 entries was found.");
}

// Problems with a placed override are reported at its place, and it may set what stands in no file.
TEST(Configuration, PlacedOverridesFollowWhatIsTakenOut) {
  const Location place{"sweep.yaml", 4, 9};
  ConfigurationFile file = parse(kExperiment, {.overrides = {{"seed", "8"}},
                                               .without = {"paper", "nothing"},
                                               .placed_overrides = {{"seed", "many", place}, {"scene.duration", "2", place}}});
  Configuration root = file.root();
  EXPECT_FALSE(root.has("paper"));
  EXPECT_EQ(root.section("scene").number("duration"), 2);
  root.integer("seed", {});
  EXPECT_NE(problems_of(file).find("sweep.yaml:4:9: 'seed' must be"), std::string::npos);
  EXPECT_EQ(file.resolved().find("paper"), std::string::npos);
}

TEST(Configuration, KeysAndPathsTellWhereOneStands) {
  ConfigurationFile file = parse(kExperiment);
  Configuration root = file.root();
  EXPECT_EQ(root.keys(), (std::vector<std::string>{"name", "seed", "scene", "paper"}));
  EXPECT_TRUE(root.has("scene"));
  EXPECT_FALSE(root.has("solver"));
  std::vector<std::string> paths;
  root.section("scene").each("bodies", [&](Configuration& body) { paths.push_back(body.section("mesh").path("shape")); });
  EXPECT_EQ(paths, (std::vector<std::string>{"scene.bodies.0.mesh.shape", "scene.bodies.1.mesh.shape"}));
  EXPECT_EQ(to_string(root.section("scene").location("gravity")), "x.yaml:6:12");
}

TEST(Configuration, VariantSetsAndAddsValues) {
  ConfigurationFile file = parse(kExperiment, {.variant = "quick"});
  Configuration scene = file.root().section("scene");
  EXPECT_EQ(scene.number("duration"), 0.2);
  std::vector<std::int64_t> elements;
  scene.each("bodies", [&](Configuration& body) { elements.push_back(body.section("mesh").integer("elements")); });
  EXPECT_EQ(elements, (std::vector<std::int64_t>{600, 1000}));
  EXPECT_EQ(file.variants(), (std::vector<std::string>{"quick", "wrong", "other"}));
}

TEST(Configuration, VariantMaySetBelowWhatItSet) {
  ConfigurationFile file = parse(kExperiment, {.variant = "other"});
  std::vector<std::string> meshes;
  file.root().section("scene").each("bodies", [&](Configuration& body) { meshes.push_back(body.raw("mesh")); });
  EXPECT_EQ(meshes[1], "{shape: capsule, elements: 5, radius: 2}");
}

TEST(Configuration, OverridesFollowTheVariant) {
  ConfigurationFile file = parse(kExperiment, {.variant = "quick",
                                               .overrides = {{"scene.bodies.0.mesh.elements", "50"},
                                                             {"scene.gravity", "[0, 0, 0]"},
                                                             {"solver", "{type: newton}"},
                                                             {"solver.tolerance", "1e-6"}}});
  Configuration root = file.root();
  Configuration scene = root.section("scene");
  EXPECT_EQ(scene.vector3("gravity"), (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(scene.number("duration"), 0.2);
  EXPECT_EQ(root.section("solver").number("tolerance"), 1e-6);
  std::vector<std::string> meshes;
  scene.each("bodies", [&](Configuration& body) { meshes.push_back(body.raw("mesh")); });
  EXPECT_EQ(meshes[0], "{shape: box, elements: 50}");
}

TEST(Configuration, ResolvedReadsBackAsItself) {
  const std::string yaml =
      "name: \"a: b\"\nnothing:\nempty: {}\nnone: []\nquoted number: \"12\"\nnumber: 12\n\"true\": 'null'\nfile: ${DIR}/x.msh\n"
      "list: [1, [2, 3], {a: b}]\nnested:\n  - - 1\n    - 2\n  - a: 1\n    b: {c: [d, 'e, f'], g: \"tab\\there\\u00e9 \\\\ "
      "\\\"\"}\n"
      "lines: |\n  one\n   two\n\n" +
      std::string(kExperiment).substr(std::string(kExperiment).find("scene:"));
  const std::string once = parse(yaml, {.variant = "quick"}).resolved();
  ConfigurationFile again = parse(once);
  EXPECT_EQ(again.resolved(), once);
  EXPECT_EQ(once.find("variants"), std::string::npos);
  EXPECT_NE(once.find("${DIR}/x.msh"), std::string::npos);
  ConfigurationFile first = parse(yaml, {.variant = "quick"});
  ASSERT_EQ(first.root().keys(), again.root().keys());
  for (const std::string& key : first.root().keys()) EXPECT_EQ(first.root().raw(key), again.root().raw(key)) << key;
  EXPECT_EQ(again.root().text("quoted number"), "12");
  EXPECT_EQ(again.root().text("lines"), "one\n two\n");
}

TEST(Configuration, FileIsRelativeToTheExperiment) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "holo_parameters_test";
  std::filesystem::create_directories(folder / "meshes");
  std::ofstream(folder / "meshes/box.msh") << "x";
  std::ofstream(folder / "a.yaml") << "mesh: meshes/box.msh\nfrom_variable: ${HOLO_TEST_DIR}/meshes/box.msh\n";
  setenv("HOLO_TEST_DIR", folder.c_str(), 1);
  ConfigurationFile file = ConfigurationFile::load(folder / "a.yaml");
  EXPECT_EQ(file.root().file("mesh"), folder / "meshes/box.msh");
  EXPECT_EQ(file.root().file("from_variable"), folder / "meshes/box.msh");
  EXPECT_EQ(problems_of(file), "");
  EXPECT_NE(file.resolved().find("${HOLO_TEST_DIR}"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace holo
