// Each kind of bad input ends with exit code 2, one message that tells place, found and allowed, and nothing written.

#include <gtest/gtest.h>

#include <cstring>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

class ExperimentBadInput : public testing::Test {
 protected:
  // Runs `text` as an experiment; the message must hold all of `parts`, and nothing may have been written.
  void refused(const std::string& text, const std::vector<std::string>& parts, ProcessOptions options = {}) {
    write_file(folder_ / "bad.yaml", text);
    refused_file("bad.yaml", parts, options);
  }

  void refused_file(const std::string& file, const std::vector<std::string>& parts, ProcessOptions options = {}) {
    options.folder = folder_.path();
    std::vector<std::string> before = files_below(folder_.path());
    ProcessResult result = holo({"run", file}, options);
    EXPECT_EQ(result.exit_code, 2) << result.err << result.out;
    for (const std::string& part : parts) EXPECT_TRUE(contains(result.err, part)) << "no '" << part << "' in\n" << result.err;
    EXPECT_LT(result.err.size(), 4000u);
    EXPECT_EQ(files_below(folder_.path()), before);
    EXPECT_FALSE(fs::exists(folder_ / "runs"));
    EXPECT_EQ(holo({"check", file}, options).exit_code, 2);
  }

  TemporaryFolder folder_;
};

TEST_F(ExperimentBadInput, TheSmallExperimentItselfIsGood) {
  write_file(folder_ / "good.yaml", small_experiment);
  ProcessResult result = holo({"check", "good.yaml"}, {.folder = folder_.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(files_below(folder_.path()).size(), 1u);
}

TEST_F(ExperimentBadInput, UnknownKeyNamesTheNearest) {
  refused(changed("  duration:", "  duratoin:"), {"bad.yaml:8:3", "duratoin", "duration"});
}

TEST_F(ExperimentBadInput, AllProblemsAreListedAtOnce) {
  refused(changed("density: 1000", "density: -1", changed("  time_step: 0.01", "  time_step: fast")),
          {"bad.yaml:7:14", "fast", "bad.yaml:13:16", "-1", "> 0"});
}

TEST_F(ExperimentBadInput, WrongType) { refused(changed("time_step: 0.01", "time_step: [1, 2]"), {"bad.yaml:7:14", "number"}); }

TEST_F(ExperimentBadInput, OutOfRange) {
  refused(changed("poissons_ratio: 0.4", "poissons_ratio: 0.7"), {"bad.yaml:14:", "0.7", "0.5"});
}

TEST_F(ExperimentBadInput, MaterialWithStressAtRestIsToldWithItsPlaceAndFormula) {
  refused(changed("neo_hookean_paper", "integer_exponent"),
          {"bad.yaml:14:",
           "where nothing is deformed (F = I) the material 'integer_exponent' has the energy 0 J/m^3 and the stress",
           "Its energy: "},
          {.environment = {{"HOLO_PLUGIN_PATH", HOLO_TEST_PLUGIN_FOLDER}}});
}

TEST_F(ExperimentBadInput, MissingKey) { refused(changed("  duration: 0.1\n", ""), {"bad.yaml:", "duration"}); }

TEST_F(ExperimentBadInput, MissingExperimentFile) { refused_file("nowhere.yaml", {"nowhere.yaml"}); }

TEST_F(ExperimentBadInput, ExperimentIsADirectory) {
  fs::create_directory(folder_ / "folder.yaml");
  refused_file("folder.yaml", {"folder.yaml", "directory"});
}

TEST_F(ExperimentBadInput, MissingMeshFile) {
  refused(changed("{shape: box, size: [0.4, 0.1, 0.1], elements: 100}", "{file: nowhere.msh}"),
          {"bad.yaml:12:", "nowhere.msh"});
}

TEST_F(ExperimentBadInput, UnsetDataFolderIsNamed) {
  refused(changed("{shape: box, size: [0.4, 0.1, 0.1], elements: 100}", "{file: \"${HOLO_DATA_DIR}/x.msh\"}"),
          {"bad.yaml:12:", "HOLO_DATA_DIR", "docs/data.md"}, {.environment = {{"HOLO_DATA_DIR", ""}}});
}

TEST_F(ExperimentBadInput, UnknownPluginNamesPathAndNearest) {
  refused(changed("type: neo_hookean_paper", "type: neo_hokean_paper"),
          {"bad.yaml:14:", "neo_hokean_paper", "neo_hookean_paper", "/somewhere/plugins"},
          {.environment = {{"HOLO_PLUGIN_PATH", "/somewhere/plugins"}}});
}

TEST_F(ExperimentBadInput, UnknownStudy) {
  refused(changed("study: elastic_dynamics", "study: elastic_dynamcs"),
          {"bad.yaml:3:8", "elastic_dynamcs", "elastic_dynamics"});
}

TEST_F(ExperimentBadInput, ModeOfDifferentiationThatDoesNotExist) {
  refused(changed("elements: compiled", "elements: autodiff"), {"bad.yaml:5:", "autodiff", "compiled, csfd, mcsfd_full"});
}

TEST_F(ExperimentBadInput, ModeOfDifferentiationThatTheMaterialLacks) {
  refused(changed("neo_hookean_paper", "neo_hookean_log", changed("elements: compiled", "elements: analytic")),
          {"bad.yaml:14:",
           "differentiation.elements is analytic, but the material 'neo_hookean_log' lacks it; it has: compiled, csfd"});
}

// Where only the plugin itself is built, a mode of the second library is refused with the command that builds it.
TEST_F(ExperimentBadInput, ModeOfDifferentiationWhoseLibraryIsNotBuilt) {
  refused(changed("neo_hookean_paper", "spoiled_analytic", changed("elements: compiled", "elements: mcsfd_full")),
          {"bad.yaml:14:", "spoiled_analytic.reference.so", "--target spoiled_analytic_reference",
           "the material has: compiled, csfd"},
          {.environment = {{"HOLO_PLUGIN_PATH", HOLO_TEST_PLUGIN_FOLDER}}});
}

TEST_F(ExperimentBadInput, UnknownMetricListsTheMetrics) {
  refused(changed("metric: inverted_elements", "metric: inverted_element"),
          {"bad.yaml:19:", "inverted_element", "Did you mean 'inverted_elements'?", "newton_iterations_mean"});
}

TEST_F(ExperimentBadInput, ConditionWithoutBound) {
  refused(changed("inverted_elements, at_most: 0", "inverted_elements"), {"bad.yaml:19:", "at_most, at_least, equals"});
}

TEST_F(ExperimentBadInput, EveryLineBeginsWithItsPlace) {
  const std::string bad = changed("density: 1000", "density: -1", changed("  time_step: 0.01", "  time_step: fast"));
  write_file(folder_ / "bad.yaml", bad);
  ProcessResult result = holo({"run", "bad.yaml"}, {.folder = folder_.path()});
  EXPECT_EQ(result.err.rfind("bad.yaml:7:14: ", 0), 0u) << result.err;
  EXPECT_TRUE(contains(result.err, "\nbad.yaml:13:16: ")) << result.err;
}

TEST_F(ExperimentBadInput, OneMistakeIsOneLine) {
  const auto one_line = [&](const std::string& from, const std::string& to, const std::vector<std::string>& parts) {
    refused(changed(from, to), parts);
    const std::string said = holo({"run", "bad.yaml"}, {.folder = folder_.path()}).err;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  };
  const std::string material = "material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}";
  one_line(material, "material: neo_hookean", {"bad.yaml:14:17", "must be a mapping", "{type: NAME, ...}", "'neo_hookean'"});
  one_line("type: neo_hookean_paper", "tpye: neo_hookean_paper", {"bad.yaml:14:18", "Did you mean 'type', which is missing?"});
  one_line("{box: {max: [0.001, 9, 9]}}", "{all: yes}", {"'yes'", "true or false"});
  one_line("subset: {box: {max: [0.001, 9, 9]}}, ", "", {"'scene.bodies.0.handles.0.subset' is missing", "{all: true}"});
  one_line("density: 1000", "density: 1_000", {"bad.yaml:13:16", "Write 1000."});
  one_line("inverted_elements, at_most: 0", "inverted_elements", {"the condition on 'inverted_elements' needs one of"});
}

TEST_F(ExperimentBadInput, MetricsAreNotJudgedWhereTheirObjectivesDidNotRead) {
  const std::string fourbar = read_file(HOLO_SOURCE_DIR "/experiments/robot_design/fourbar_coupler.yaml");
  ASSERT_TRUE(contains(fourbar, "metric: position_error"));
  refused(changed("type: track_position", "type: track_postion", fourbar), {"Did you mean 'track_position'?"});
  EXPECT_FALSE(contains(holo({"run", "bad.yaml"}, {.folder = folder_.path()}).err, "no metric"));
}

TEST_F(ExperimentBadInput, VariantsAreCheckedToTheirLastPart) {
  const std::string text = changed("long: {scene.duration: 0.6}", "long: {scene.durations: 0.6}");
  write_file(folder_ / "variant.yaml", text);
  const ProcessOptions here{.folder = folder_.path()};
  ProcessResult result = holo({"check", "variant.yaml"}, here);
  EXPECT_EQ(result.exit_code, 2);
  for (const char* part : {"variant.yaml:21:", "'scene.durations'", "Did you mean 'duration'?", "(in the variant 'long')"})
    EXPECT_TRUE(contains(result.err, part)) << part << " is not in\n" << result.err;
  EXPECT_EQ(holo({"run", "variant.yaml", "--variant", "long"}, here).exit_code, 2);
  write_file(folder_ / "good.yaml", small_experiment);
  result = holo({"check", "good.yaml"}, here);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "variant long: good")) << result.out;
}

TEST_F(ExperimentBadInput, VariantsThatNeedAbsentDataAreToldAndDoNoHarm) {
  write_file(folder_ / "good.yaml",
             changed("long: {scene.duration: 0.6}", "scan: {scene.bodies.0.mesh: {file: \"${HOLO_DATA_DIR}/meshes/x.msh\"}}"));
  ProcessResult result = holo({"check", "good.yaml"}, {.folder = folder_.path(), .environment = {{"HOLO_DATA_DIR", ""}}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "variant scan: not checked to its end, HOLO_DATA_DIR not set")) << result.out;
}

TEST_F(ExperimentBadInput, DuplicateKey) { refused(changed("seed: 1\n", "seed: 1\nseed: 2\n"), {"bad.yaml:5:1", "seed"}); }

TEST_F(ExperimentBadInput, EmptyFile) {
  refused("", {"bad.yaml:1:1: the file is empty"});
  refused("# nothing but words\n", {"bad.yaml:1:1: the file is empty"});
}

TEST_F(ExperimentBadInput, BodyThatStartsTooFarAway) {
  refused(changed("density: 1000", "density: 1000\n      placement: {translate: [0, 1e20, 0]}"),
          {"bad.yaml:14:34", "1e20", "1e+07"});
}

TEST_F(ExperimentBadInput, NotYaml) { refused("name: [1, 2\nstudy: }", {"bad.yaml:2:"}); }

TEST_F(ExperimentBadInput, BinaryFile) {
  refused(std::string("\x7f"
                      "ELF\0\0\1\2",
                      8),
          {"bad.yaml"});
}

TEST_F(ExperimentBadInput, AHundredMegabytes) {
  write_file(folder_ / "big.yaml", small_experiment + "\n# ");
  fs::resize_file(folder_ / "big.yaml", 100'000'000);
  refused_file("big.yaml", {"big.yaml", "100000000"}, {.address_space_limit = RLIM_INFINITY});
}

TEST_F(ExperimentBadInput, NestingTwentyThousandDeep) {
  refused("name: " + std::string(20000, '[') + std::string(20000, ']'), {"bad.yaml:1:", "64"});
}

TEST_F(ExperimentBadInput, NestingTwentyThousandDeepInBlocks) {
  std::string text;
  for (int depth = 0; depth < 20000; ++depth) text += std::string("- ");
  refused("name:\n " + text, {"bad.yaml:2:", "64"});
}

TEST_F(ExperimentBadInput, NotANumber) { refused(changed("density: 1000", "density: .nan"), {"bad.yaml:13:16", "nan"}); }

TEST_F(ExperimentBadInput, Infinity) { refused(changed("duration: 0.1", "duration: .inf"), {"bad.yaml:8:13", "inf"}); }

TEST_F(ExperimentBadInput, HandleWithoutVertices) {
  refused(changed("max: [0.001, 9, 9]", "max: [-1, 9, 9]"), {"bad.yaml:15:"});
}

TEST_F(ExperimentBadInput, UnknownVariant) {
  write_file(folder_ / "good.yaml", small_experiment);
  ProcessResult result = holo({"run", "good.yaml", "--variant", "lang"}, {.folder = folder_.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "lang") && contains(result.err, "long")) << result.err;
}

TEST_F(ExperimentBadInput, OverrideOfAPathThatIsNotThere) {
  write_file(folder_ / "good.yaml", small_experiment);
  ProcessResult result = holo({"run", "good.yaml", "--set", "scene.bodies.3.density=5"}, {.folder = folder_.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "scene.bodies.3")) << result.err;
  EXPECT_EQ(files_below(folder_.path()).size(), 1u);
}

// Two tetrahedra in gmsh's format; the first vertices in the order that is given.
std::string gmsh(const std::string& first_element, const std::string& apex = "0 0 1") {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 " + apex +
         "\n5 0 0 -1\n$EndNodes\n$Elements\n2\n11 4 2 0 1 " + first_element + "\n12 4 2 0 1 1 3 2 5\n$EndElements\n";
}

const std::string box_mesh = "{shape: box, size: [0.4, 0.1, 0.1], elements: 100}";

TEST_F(ExperimentBadInput, InvertedMeshNamesTheElement) {
  write_file(folder_ / "inverted.msh", gmsh("1 3 2 4"));
  refused(changed(box_mesh, "{file: inverted.msh}"), {"inverted.msh", "11", "inverted"});
}

TEST_F(ExperimentBadInput, DegenerateMeshNamesTheElement) {
  write_file(folder_ / "flat.msh", gmsh("1 2 3 4", "0.5 0.5 0"));
  refused(changed(box_mesh, "{file: flat.msh}"), {"flat.msh", "11"});
}

TEST_F(ExperimentBadInput, TruncatedBinaryMesh) {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  int one = 1;
  bytes.append(reinterpret_cast<const char*>(&one), 4);
  bytes += "\n$EndMeshFormat\n$Nodes\n5\n";
  bytes.append(40, '\0');
  write_file(folder_ / "cut.msh", bytes);
  refused(changed(box_mesh, "{file: cut.msh}"), {"cut.msh"});
}

TEST_F(ExperimentBadInput, OutputFolderIsNotEmpty) {
  write_file(folder_ / "good.yaml", small_experiment);
  write_file(folder_ / "full/letter.txt", "mine");
  ProcessResult result = holo({"run", "good.yaml", "--out", "full"}, {.folder = folder_.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "full")) << result.err;
  EXPECT_EQ(files_below(folder_ / "full"), std::vector<std::string>{"letter.txt"});
}

class PluginBadInput : public ExperimentBadInput {
 protected:
  // The material is looked for among the plugins that are built wrong on purpose, and in the test's own folder.
  void refused_plugin(const std::string& material, const std::vector<std::string>& parts) {
    std::string text = changed("type: neo_hookean_paper", "type: " + material);
    refused(text, parts,
            {.environment = {{"HOLO_PLUGIN_PATH", folder_.path().string() + ":" + HOLO_BINARY_DIR + "/tests/bad_plugins"}}});
  }
};

TEST_F(PluginBadInput, NotASharedLibrary) {
  write_file(folder_ / "rubbish.so", "this is no library");
  refused_plugin("rubbish", {"rubbish.so"});
}

TEST_F(PluginBadInput, LibraryWithoutEntry) { refused_plugin("missing_entry", {"missing_entry.so", "holo_plugin"}); }

TEST_F(PluginBadInput, WrongStampPrintsBoth) { refused_plugin("wrong_abi_version", {"wrong_abi_version.so", "ABI 6"}); }

TEST_F(PluginBadInput, MissingOperationIsNamed) {
  refused_plugin("missing_operation", {"missing_operation.so", "required operation"});
}

TEST_F(PluginBadInput, ExceptionInReadIsReportedWithTheNameAtOnePlace) {
  refused_plugin("read_throws", {"bad.yaml:14:24: the plugin 'read_throws'", "exception"});
}

struct CommandLineBadInput : testing::Test {
  void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    ProcessResult result = holo(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    for (const std::string& part : parts) EXPECT_TRUE(contains(result.err, part)) << "no '" << part << "' in\n" << result.err;
  }
};

TEST_F(CommandLineBadInput, UnknownCommandNamesTheNearest) { refused({"rum", "x.yaml"}, {"rum", "Did you mean 'run'?"}); }
TEST_F(CommandLineBadInput, UnknownOptionNamesTheNearest) {
  refused({"run", "x.yaml", "--thread", "2"}, {"--thread'", "Did you mean '--threads'?"});
}
TEST_F(CommandLineBadInput, OptionOfAnotherCommand) { refused({"report", "x", "--variant", "y"}, {"report", "--variant"}); }
TEST_F(CommandLineBadInput, MissingArgument) { refused({"run"}, {"usage: holo run FILE"}); }
TEST_F(CommandLineBadInput, SurplusArgument) { refused({"run", "a", "b"}, {"usage: holo run FILE"}); }
TEST_F(CommandLineBadInput, ThreadsOutOfRange) { refused({"run", "a", "--threads", "0"}, {"--threads 0", "4096"}); }
TEST_F(CommandLineBadInput, ThreadsNotANumber) { refused({"run", "a", "--threads", "two"}, {"two"}); }
TEST_F(CommandLineBadInput, OverrideWithoutValue) { refused({"run", "a", "--set", "seed"}, {"PATH=VALUE"}); }
TEST_F(CommandLineBadInput, ListOfSomethingUnknown) { refused({"list", "material"}, {"Did you mean 'materials'?"}); }
TEST_F(CommandLineBadInput, DescriptionOfARefusedPluginGivesTheReason) {
  const TemporaryFolder folder;
  write_file(folder / "rubber.so", "not a library");
  refused({"describe", "rubber", "--plugin-path", folder.path().string()}, {"rubber.so", "not a shared library"});
}

TEST_F(CommandLineBadInput, DescriptionOfSomethingUnknown) { refused({"describe", "stvkk"}, {"Did you mean 'stvk'?"}); }
TEST_F(CommandLineBadInput, SuiteThatIsNotThere) { refused({"reproduce", "csdf"}, {"Did you mean 'csfd'?"}); }
TEST_F(CommandLineBadInput, ResumeOfNoRun) { refused({"resume", "/nowhere/at/all"}, {"/nowhere/at/all"}); }
TEST_F(CommandLineBadInput, ReportOfNoRun) { refused({"report", "/nowhere/at/all"}, {"/nowhere/at/all"}); }
TEST_F(CommandLineBadInput, ComparisonOfNoRuns) { refused({"compare", "/nowhere", "/else"}, {"/nowhere"}); }

}  // namespace
}  // namespace holo_test
