// Every kind of bad value, variant and override, and what is said about it.
#include "bad_experiments.h"

namespace holo {
namespace {

using namespace bad_experiments;

TEST_F(ConfigurationBadInput, UnknownKeyNamesTheNearestAndTheAllowed) {
  const std::string said = message("body:\n  desnity: 3\n  density: 2\n", [](Configuration& p) {
    Configuration body = p.section("body");
    body.number("density");
    body.text("name", {.default_value = "x"});
  });
  EXPECT_EQ(said, "x.yaml:2:3: unknown key 'body.desnity'. Did you mean 'density'? Allowed here: density, name.");
}

TEST_F(ConfigurationBadInput, WrongTypeShowsWhatWasFound) {
  EXPECT_EQ(message("v: fast\n", number({.unit = "s"})),
            "x.yaml:1:4: 'v' must be a number in s, but the text 'fast' was found.");
  EXPECT_SAYS(message("v: [1, 2]\n", number({})), "'v' must be a number, but a list of 2 entries was found.");
  EXPECT_SAYS(message("v: {a: 1}\n", number({})), "but a mapping of 1 entry was found.");
  EXPECT_SAYS(message("u:\n  v:\nw: 1\n",
                      [](Configuration& p) {
                        p.section("u").number("v");
                        p.number("w");
                      }),
              "x.yaml:2:3: 'u.v' must be a number, but nothing was found.");
  EXPECT_SAYS(message("v: true\n", number({})), "but true was found.");
  EXPECT_SAYS(message("v: \"3\"\n", number({})), "but the text '3' was found.");
  EXPECT_SAYS(message("v: 1\n", [](Configuration& p) { p.boolean("v", false); }),
              "'v' must be true or false, but 1 was found.");
  EXPECT_SAYS(message("v: yes\n", [](Configuration& p) { p.boolean("v", false); }), "but the text 'yes' was found.");
  EXPECT_SAYS(message("v: true\n", [](Configuration& p) { p.text("v"); }), "'v' must be text, but true was found.");
  EXPECT_SAYS(message("v: 1\n", [](Configuration& p) { p.section("v").number("w"); }),
              "'v' must be a mapping, but 1 was found.");
  EXPECT_SAYS(message("v: {}\n", [](Configuration& p) { p.each("v", [](Configuration&) {}); }),
              "'v' must be a list of mappings, but");
  EXPECT_SAYS(message("v: [{}, 3]\n", [](Configuration& p) { p.each("v", [](Configuration&) {}); }),
              "x.yaml:1:9: 'v.1' must be a mapping, but 3 was found.");
  EXPECT_SAYS(message("v: 1\n", [](Configuration& p) { p.entries("v"); }), "'v' must be a mapping, but 1 was found.");
}

TEST_F(ConfigurationBadInput, WhatOnlyLooksLikeANumberIsText) {
  for (const char* text : {"1_000", "0x10", "1,5", "1.5.2", "1e", "e5", "nan", "inf", "--1", "1 2", "."})
    EXPECT_SAYS(message(std::string("v: ") + text + "\n", number({})), std::string("but the text '") + text + "' was found.");
}

TEST_F(ConfigurationBadInput, IntegerMustBeOne) {
  const Read read = [](Configuration& p) { p.integer("v", {.minimum = 1, .maximum = 10}); };
  EXPECT_EQ(message("v: 3.5\n", read), "x.yaml:1:4: 'v' must be an integer in [1, 10], but 3.5 was found.");
  EXPECT_SAYS(message("v: 11\n", read), "but 11 was found.");
  EXPECT_SAYS(message("v: 99999999999999999999\n", [](Configuration& p) { p.integer("v"); }),
              "'v' must be an integer, but 9999");
}

TEST_F(ConfigurationBadInput, RangeIsShownWithItsUnit) {
  EXPECT_EQ(message("v: 0\n", number({.unit = "s", .minimum = 0, .minimum_excluded = true})),
            "x.yaml:1:4: 'v' must be a number > 0 s, but 0 was found.");
  EXPECT_SAYS(message("v: 0.5\n", number({.minimum = -1, .maximum = 0.5, .minimum_excluded = true, .maximum_excluded = true})),
              "'v' must be a number in (-1, 0.5), but 0.5 was found.");
  EXPECT_SAYS(message("v: 2\n", number({.unit = "Pa", .maximum = 1})), "must be a number <= 1 Pa, but 2 was found.");
  EXPECT_SAYS(message("v: [0, 0, 9]\n", [](Configuration& p) { p.vector3("v", {.unit = "m", .minimum = 0, .maximum = 8}); }),
              "x.yaml:1:11: 'v.2' must be a number in [0, 8] m, but 9 was found.");
}

TEST_F(ConfigurationBadInput, StandInsLieInsideTheRange) {
  ConfigurationFile file = ConfigurationFile::parse("v: text\n", "x.yaml");
  Configuration root = file.root();
  for (const NumberSpec& spec :
       std::vector<NumberSpec>{{.minimum = 5, .minimum_excluded = true},
                               {.maximum = -5, .maximum_excluded = true},
                               {.minimum = -1, .maximum = 0.5, .minimum_excluded = true, .maximum_excluded = true},
                               {.minimum = 1e300, .maximum = 1.5e308, .minimum_excluded = true},
                               {.minimum = -3, .maximum = -3}}) {
    const double value = root.number("v", spec);
    EXPECT_TRUE(spec.minimum_excluded ? value > spec.minimum : value >= spec.minimum) << value;
    EXPECT_TRUE(spec.maximum_excluded ? value < spec.maximum : value <= spec.maximum) << value;
  }
  EXPECT_EQ(root.integer("v", {.minimum = 4}), 4);
  EXPECT_EQ(root.integer("v", {.maximum = -4}), -4);
  EXPECT_TRUE(root.has_problems());
}

TEST_F(ConfigurationBadInput, ListsMustHaveTheirLength) {
  EXPECT_EQ(message("v: [1, 2]\n", [](Configuration& p) { p.vector3("v", {.unit = "m"}); }),
            "x.yaml:1:4: 'v' must be a list of 3 entries, each a number in m, but a list of 2 entries was found.");
  EXPECT_SAYS(message("v: [1, a, 3]\n", [](Configuration& p) { p.vector3("v"); }),
              "x.yaml:1:8: 'v.1' must be a number, but the text 'a'");
  EXPECT_SAYS(message("v: []\n", [](Configuration& p) { p.numbers("v", 1, 4); }), "'v' must be a list of 1 to 4 entries");
  EXPECT_SAYS(message("v: []\n",
                      [](Configuration& p) {
                        p.each(
                            "v", [](Configuration&) {}, "", 1);
                      }),
              "'v' must be a list of mappings, at least 1 entry, but a list of 0 entries was found.");
}

TEST_F(ConfigurationBadInput, ListsOfTextsNameTheWrongEntryAndTheNearestChoice) {
  const auto read = [](Configuration& p) { p.texts("v", 1, 2, {.choices = {"csfd", "analytic"}}); };
  EXPECT_EQ(message("v: [csfd, analitic]\n", read),
            "x.yaml:1:11: 'v.1' must be one of: csfd, analytic, but the text 'analitic' was found. Did you mean 'analytic'?");
  EXPECT_SAYS(message("v: []\n", read), "'v' must be a list of 1 to 2 entries, each one of: csfd, analytic");
  EXPECT_SAYS(message("v: csfd\n", read), "'v' must be a list");
  EXPECT_SAYS(message("a: 1\n", [&](Configuration& p) { p.number("a"), read(p); }), "'v' is missing");
}

TEST_F(ConfigurationBadInput, MisspelledKeyThatMustBeThereIsOneMistake) {
  const auto read = [](Configuration& p) {
    p.each("joints",
           [](Configuration& joint) { joint.vector3("point", {.unit = "m"}), joint.number("angle", {.default_value = 0}); });
  };
  EXPECT_EQ(
      message("joints:\n  - {poinnt: [1, 2, 3]}\n  - {poinnt: [1, 2, 3], angel: 4}\n", read),
      "x.yaml:2:6: unknown key 'joints.0.poinnt'. Did you mean 'point', which is missing? It must be a list of 3 entries, each "
      "a number in m.\n"
      "x.yaml:3:6: unknown key 'joints.1.poinnt'. Did you mean 'point', which is missing? It must be a list of 3 entries, each "
      "a number in m.\n"
      "x.yaml:3:25: unknown key 'joints.1.angel'. Did you mean 'angle'? Allowed here: point, angle.");
}

TEST_F(ConfigurationBadInput, NumbersWithSeparatorsOrInQuotesAreWrittenOut) {
  const auto read = [](Configuration& p) { p.number("v", {.unit = "Pa"}); };
  EXPECT_EQ(message("v: 1_000\n", read), "x.yaml:1:4: 'v' must be a number in Pa, but the text '1_000' was found. Write 1000.");
  EXPECT_SAYS(message("v: \"3e4\"\n", read), "was found. Write 3e4.");
  EXPECT_EQ(message("v: fast\n", read), "x.yaml:1:4: 'v' must be a number in Pa, but the text 'fast' was found.");
}

TEST_F(ConfigurationBadInput, SectionsSayWhatTheyAreFor) {
  const auto read = [](Configuration& p) { p.section("subset", "which vertices"); };
  EXPECT_EQ(message("a: 1\nsubset: all\n", [&](Configuration& p) { p.number("a"), read(p); }),
            "x.yaml:2:9: 'subset' must be a mapping (which vertices), but the text 'all' was found.");
}

TEST_F(ConfigurationBadInput, KeysThatBelongToNothingAreToldInPlainWords) {
  const std::string said = message("scene:\n    a: 1\n  b: 2\n");
  EXPECT_SAYS(said, "x.yaml:3:3: not YAML: this text belongs to no list or mapping above");
  EXPECT_EQ(said.find("end of map"), std::string::npos) << said;
}

TEST_F(ConfigurationBadInput, KeyWithoutAColonIsPlacedAtItsOwnLine) {
  EXPECT_EQ(message("scene:\n  time_step 0.01\n\n  # s\n  duration: 0.1\n"),
            "x.yaml:2:3: not YAML: this line may lack a ':' after its key, since line 5 does not continue it");
  EXPECT_SAYS(message("a: 1\nscene\n  b: 0.01\n"),
              "x.yaml:2:1: not YAML: this line may lack a ':' after its key, since line 3");
  EXPECT_SAYS(message("a:\n  - x\n b: 1\n"), "x.yaml:3:2: not YAML: this text belongs to no list or mapping above");
  EXPECT_SAYS(message("a: b: c\n"), "x.yaml:1:5: not YAML: a ':' too many");
}

TEST_F(ConfigurationBadInput, MissingKeyIsPlacedAtItsMapping) {
  const std::string said = message("a: 1\nscene:\n  b: 2\n", [](Configuration& p) {
    p.number("a");
    Configuration scene = p.section("scene");
    scene.number("b");
    scene.number("time_step", {.unit = "s", .minimum = 0});
    p.section("solver").number("tolerance");  // is not reported apart from its section
  });
  EXPECT_EQ(said,
            "x.yaml:1:1: 'solver' is missing; it must be a mapping\n"
            "x.yaml:3:3: 'scene.time_step' is missing; it must be a number >= 0 s");
}

TEST_F(ConfigurationBadInput, MissingKeyInsideAnAbsentOptionalSectionIsReported) {
  EXPECT_EQ(message("a: 1\n",
                    [](Configuration& p) {
                      p.number("a");
                      p.section("b", "", false).number("c");
                    }),
            "x.yaml:1:1: 'b.c' is missing; it must be a number");
}

TEST_F(ConfigurationBadInput, ChoiceNamesTheNearest) {
  const Read read = [](Configuration& p) { p.text("v", {.choices = {"newton", "gradient_descent"}}); };
  EXPECT_EQ(
      message("v: nweton\n", read),
      "x.yaml:1:4: 'v' must be one of: newton, gradient_descent, but the text 'nweton' was found. Did you mean 'newton'?");
}

TEST_F(ConfigurationBadInput, UnknownBranchIsOneProblem) {
  const Read read = [](Configuration& p) {
    p.branch("type", {{"box", "", [](Configuration& q) { q.number("size"); }},
                      {"sphere", "", [](Configuration& q) { q.number("radius"); }}});
  };
  EXPECT_EQ(message("type: shpere\nradius: 3\n", read),
            "x.yaml:1:7: 'type' must be one of: box, sphere, but the text 'shpere' was found. Did you mean 'sphere'?");
  EXPECT_EQ(message("radius: 3\n", read), "x.yaml:1:1: 'type' is missing; it must be one of: box, sphere");
  EXPECT_EQ(message("type: sphere\nradius: 3\nsize: 1\n", read), "x.yaml:3:1: unknown key 'size'. Allowed here: type, radius.");
}

TEST_F(ConfigurationBadInput, BranchOnKeyWantsExactlyOne) {
  const Read read = [](Configuration& p) {
    Configuration mesh = p.section("mesh");
    mesh.branch_on_key(
        {{"file", "", [](Configuration& q) { q.text("file"); }}, {"shape", "", [](Configuration& q) { q.text("shape"); }}});
  };
  EXPECT_EQ(message("mesh: {file: a, shape: b}\n", read),
            "x.yaml:1:17: 'mesh.shape' and 'mesh.file' exclude each other; give one of: file, shape");
  EXPECT_EQ(message("mesh: {shpae: b}\n", read),
            "x.yaml:1:7: 'mesh' needs one of the keys: file, shape. Did you mean 'shape'?");
}

TEST_F(ConfigurationBadInput, AllProblemsStandInTheFilesOrder) {
  const std::string said = message("z: 1\na: text\nb: {c: -1, c: 2, e: 1}\nd: .nan\n", [](Configuration& p) {
    p.number("d");
    p.section("b").number("c", {.minimum = 0});
    p.number("a");
    p.number("a");
    p.problem(p.location("d"), "a reader's own problem");
  });
  EXPECT_EQ(said,
            "x.yaml:1:1: unknown key 'z'. Allowed here: d, b, a.\n"
            "x.yaml:2:4: 'a' must be a number, but the text 'text' was found.\n"
            "x.yaml:3:8: 'b.c' must be a number >= 0, but -1 was found.\n"
            "x.yaml:3:12: duplicate key 'c'; it was given first at line 3, column 5\n"
            "x.yaml:3:18: unknown key 'b.e'. Allowed here: c.\n"
            "x.yaml:4:4: found .nan; a number must be finite, between -1.7e308 and 1.7e308\n"
            "x.yaml:4:4: a reader's own problem");
}

TEST_F(ConfigurationBadInput, MillionsOfProblemsStayAMessage) {
  std::string yaml;
  for (int i = 0; i < 300'000; ++i) yaml += "key" + std::to_string(i) + ": 1\n";
  const std::string said = message(yaml, [](Configuration& p) { p.number("key7"); });
  EXPECT_SAYS(said, "x.yaml:1:1: unknown key 'key0'. Did you mean 'key7'?");
  EXPECT_SAYS(said, "and further problems; these are the first ");
  EXPECT_LT(said.size(), 8'000u) << "a message that somebody reads";
}

constexpr const char* kVariants =
    "scene:\n  bodies: [{mesh: {elements: 5}}]\nvariants:\n  quick: {scene.bodies.0.mesh.elements: few}\n  full: "
    "{scene.duration: 9}\n";

void read_elements(Configuration& root) {
  Configuration scene = root.section("scene");
  scene.each("bodies", [](Configuration& body) { body.section("mesh").integer("elements", {.minimum = 1}); });
  scene.number("duration", {.maximum = 8, .default_value = 1});
}

TEST_F(ConfigurationBadInput, UnknownVariantNamesTheNearest) {
  EXPECT_EQ(message(kVariants, read_elements, {.variant = "quikc"}),
            "x.yaml:4:3: no variant 'quikc'; there are: quick, full. Did you mean 'quick'?");
  EXPECT_SAYS(message("a: 1\n", read_all, {.variant = "quick"}), "x.yaml: no variant 'quick'; the experiment has none.");
}

TEST_F(ConfigurationBadInput, ValuesOfAVariantKeepTheirPlace) {
  EXPECT_EQ(message(kVariants, read_elements), "");
  EXPECT_EQ(message(kVariants, read_elements, {.variant = "quick"}),
            "x.yaml:4:41: 'scene.bodies.0.mesh.elements' must be an integer >= 1, but the text 'few' was found.");
  EXPECT_EQ(message(kVariants, read_elements, {.variant = "full"}),
            "x.yaml:5:26: 'scene.duration' must be a number <= 8, but 9 was found.");
}

TEST_F(ConfigurationBadInput, EveryVariantIsChecked) {
  EXPECT_EQ(
      message("scene: {a: 1}\nvariants:\n  one: {scnee.a: 2}\n  two: 3\n  three: {scene..a: 1, scene.b: {}, scene.b.c: 4}\n"),
      "x.yaml:3:9: no 'scnee' in the experiment for the path 'scnee.a'. Did you mean 'scene'?\n"
      "x.yaml:4:8: a variant must be a mapping {path: value}, but 3 was found.\n"
      "x.yaml:5:11: 'scene..a' is not a path; write the keys with one dot between them, as in scene.bodies.0.density");
  EXPECT_SAYS(message("a: 1\nvariants: [b]\n"), "x.yaml:2:11: 'variants' must be a mapping");
}

TEST_F(ConfigurationBadInput, SectionsThatTheFileLacksAreBegun) {
  const auto read = [](Configuration& p) {
    p.number("a");
    p.section("solver", "", false).section("limits", "", false).integer("iterations", {.minimum = 1, .default_value = 5});
  };
  const std::string variants = "a: 1\nvariants: {quick: {solver.limits.iterations: 0}, other: {a: 2}}\n";
  EXPECT_EQ(message("a: 1\n", read, {.overrides = {{"solver.limits.iterations", "3"}}}), "");
  EXPECT_EQ(message(variants, read), "");
  EXPECT_EQ(message(variants, read, {.variant = "other"}), "");
  EXPECT_EQ(message(variants, read, {.variant = "quick"}),
            "x.yaml:2:46: 'solver.limits.iterations' must be an integer >= 1, but 0 was found.");
  EXPECT_EQ(message("a: 1\n", read, {.overrides = {{"sovler.limits.iterations", "3"}}}),
            "--set sovler.limits.iterations=3: unknown key 'sovler'. Did you mean 'solver'? Allowed here: a, solver.");
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".b";
  EXPECT_SAYS(message("c: 1\n", read, {.overrides = {{deep, "3"}}}), "would be nested over 64 deep");
}

TEST_F(ConfigurationBadInput, OverrideOfWhatIsNotThereNamesTheNearest) {
  const auto override_message = [](const std::string& path, const std::string& value) {
    return message(kVariants, read_elements, {.overrides = {{path, value}}});
  };
  EXPECT_EQ(override_message("scene.boides.0.mesh.elements", "3"),
            "--set scene.boides.0.mesh.elements=3: no 'boides' in 'scene' for the path 'scene.boides.0.mesh.elements'. Did you "
            "mean 'bodies'?");
  EXPECT_SAYS(override_message("scene.bodies.1.mesh", "3"), "no entry '1' in 'scene.bodies', a list of 1 entry, for the path");
  EXPECT_SAYS(override_message("scene.bodies.first", "3"), "entries count from 0");
  EXPECT_SAYS(override_message("scene.bodies.0.mesh.elements.x", "3"),
              "nothing lies below 'scene.bodies.0.mesh.elements', which is 5");
  EXPECT_SAYS(override_message("", "3"), "is not a path");
  EXPECT_SAYS(override_message("variants.quick.x", "3"), "no 'variants' in the experiment");
}

TEST_F(ConfigurationBadInput, ValuesOfAnOverrideAreCheckedLikeTheFiles) {
  const auto override_message = [](const std::string& path, const std::string& value) {
    return message(kVariants, read_elements, {.overrides = {{path, value}}});
  };
  EXPECT_EQ(override_message("scene.duration", "fast"),
            "--set scene.duration=fast: 'scene.duration' must be a number <= 8, but the text 'fast' was found.");
  EXPECT_SAYS(override_message("scene.duration", ""),
              "--set scene.duration=: 'scene.duration' must be a number <= 8, but nothing was found.");
  EXPECT_SAYS(override_message("scene.durtaion", "1"),
              "--set scene.durtaion=1: unknown key 'scene.durtaion'. Did you mean 'duration'?");
  EXPECT_SAYS(override_message("scene.duration", "[1"), "--set scene.duration=[1: not YAML: ");
  EXPECT_SAYS(override_message("scene.duration", "&a 1"), "an anchor or alias");
}

TEST_F(ConfigurationBadInput, FileThatIsNotThereNamesTheNearest) {
  write("armadillo.msh", "x");
  const auto read = [](ConfigurationFile& file) {
    file.root().file("mesh");
    try {
      file.finish();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto said = [&](const std::string& value) {
    ConfigurationFile file = ConfigurationFile::load(write("a.yaml", "mesh: " + value + "\n"));
    return read(file);
  };
  EXPECT_EQ(said("armadilo.msh"), (folder_ / "a.yaml").string() + ":1:7: 'mesh': no file '" +
                                      (folder_ / "armadilo.msh").string() + "'. Did you mean 'armadillo.msh'?");
  EXPECT_SAYS(said("."), "is a directory; a file is asked for");
  EXPECT_SAYS(said("[]"), "'mesh' must be the name of a file, but a list of 0 entries was found.");
  EXPECT_SAYS(said("\"${HOLO_TEST\""), "'${' without a name and '}' was found");
  unsetenv("HOLO_TEST_UNSET");
  EXPECT_SAYS(said("\"${HOLO_TEST_UNSET}/a\""),
              ":1:7: 'mesh': the environment variable HOLO_TEST_UNSET is not set; set it, or write the path out");
  EXPECT_SAYS(said("\"a\\0b\""), "'mesh' must be the name of a file");
}

TEST_F(ConfigurationBadInput, UnsetDataFolderNamesItsPage) {
  const char* before = std::getenv("HOLO_DATA_DIR");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("HOLO_DATA_DIR");
  EXPECT_EQ(message("mesh: \"${HOLO_DATA_DIR}/x.msh\"\n", [](Configuration& p) { p.file("mesh"); }),
            "x.yaml:1:7: 'mesh': the environment variable HOLO_DATA_DIR is not set; it names the folder of the data files, see "
            "docs/data.md");
  EXPECT_EQ(message("mesh: \"${HOLO_DATA_DIR}/x.msh\"\n"), "");  // only its use needs it
  if (before != nullptr) setenv("HOLO_DATA_DIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace holo
