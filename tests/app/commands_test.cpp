// The commands that list and describe, and those that begin a plugin.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace holo_test {
namespace {

TEST(Help, NamesEveryCommandAndExitCode) {
  ProcessResult result = holo({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word : {"run FILE", "check FILE", "list", "describe NAME", "schema", "resume RUN", "report RUN",
                           "compare RUN_A RUN_B", "reproduce SUITE", "plugin new KIND NAME", "exit codes"})
    EXPECT_TRUE(contains(result.out, word)) << word;
  EXPECT_TRUE(contains(holo({"run", "--help"}).out, "--variant"));
  EXPECT_TRUE(contains(holo({"--version"}).out, "holo 0."));
  EXPECT_TRUE(contains(holo({"--version"}).out, "CUDA"));  // the build has it or not
}

TEST(List, NamesPluginsOfEachKindStudiesShapesExperiments) {
  ProcessResult result = holo({"list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word :
       {"neo_hookean_paper", "elastic_dynamics", "composition", "csfd/fig08_dragged_body", "track_position", "universal"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
  EXPECT_FALSE(contains(holo({"list", "materials"}).out, "elastic_dynamics"));
  EXPECT_FALSE(contains(holo({"list", "materials"}).out, "universal"));
  EXPECT_TRUE(contains(holo({"list", "joints"}).out, "universal"));
  EXPECT_FALSE(contains(holo({"list", "joints"}).out, "track_position"));
  EXPECT_TRUE(contains(holo({"list", "losses"}).out, "track_position"));
  EXPECT_TRUE(contains(holo({"list", "body_energies"}).out, "example_based"));
}

TEST(Describe, JointHasCoordinatesAndConstraintEquations) {
  ProcessResult result = holo({"describe", "universal"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"joint universal", "first_angle, angle [rad]", "second_angle", "4 passive equations", "Jacobian",
                           "compile-time graph", "parameters: none"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
}

TEST(Describe, ShowsABodyEnergysParameters) {
  const ProcessResult result = holo({"describe", "example_based"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word : {"body energy example_based", "stiffness", "full_angle", "`subsets`", "`targets`"})
    EXPECT_TRUE(contains(result.out, word)) << word;
}

TEST(Describe, LossHasItsParameters) {
  ProcessResult result = holo({"describe", "control_limit"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"loss control_limit", "control ", "text or list", "`all`", "minimum", "margin", "weight"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
}

TEST(Describe, MaterialHasFormulaParametersUnitsAndRanges) {
  ProcessResult result = holo({"describe", "neo_hookean_paper"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"energy density", "youngs_modulus", "Pa", "poissons_ratio", "0.5", "stress"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
}

TEST(Describe, MaterialHasTheModesOfItsDerivatives) {
  ProcessResult result = holo({"describe", "neo_hookean_paper"});
  const std::size_t at = result.out.find("differentiation.elements\n");
  ASSERT_NE(at, std::string::npos) << result.out;
  for (const char* mode : {"compiled ", "csfd ", "forward_difference ", "central_difference ", "analytic "})
    EXPECT_TRUE(contains(result.out.substr(at), mode)) << mode << " is not in\n" << result.out;
  // The slow ones stand there too: as modes, or with the command that builds their library.
  for (const char* mode : {"mcsfd_full", "complex_step", "cr_form", "reverse_ad"})
    EXPECT_TRUE(contains(result.out.substr(at), mode)) << mode << " is not in\n" << result.out;
  EXPECT_FALSE(contains(holo({"describe", "neo_hookean_log"}).out, "analytic ")) << "its author gave no derivatives";
  EXPECT_FALSE(contains(holo({"describe", "robot_design"}).out, "differentiation.elements"));
}

TEST(Describe, StudyHasMetricsAndParameters) {
  ProcessResult result = holo({"describe", "elastic_dynamics"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"newton_iterations_mean", "scene.time_step", "compiled, csfd, mcsfd_full", "solver.tolerance"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
}

TEST(Describe, ShapeHasParameters) {
  ProcessResult result = holo({"describe", "capsule"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "radius")) << result.out;
  EXPECT_TRUE(contains(holo({"describe", "box"}).out, "elements")) << "which is required";
}

// The line of `describe` that begins with the key.
std::string line_of(const std::string& text, const std::string& key) {
  const std::size_t begin = text.find("\n  " + key + " ");
  return begin == std::string::npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

TEST(Describe, StudyTellsOptionalKeysAndLeavesPluginsToTheirPages) {
  const std::string elastic = holo({"describe", "elastic_dynamics"}).out, robot = holo({"describe", "robot_design"}).out;
  EXPECT_FALSE(contains(elastic + robot, "with with"));
  EXPECT_FALSE(contains(elastic, "youngs_modulus")) << elastic;
  EXPECT_TRUE(contains(line_of(elastic, "scene.bodies[].material.type"), "`holo describe`")) << elastic;
  EXPECT_FALSE(contains(elastic, "material.type: ")) << elastic;
  EXPECT_FALSE(contains(robot, "joints[].type: ") || contains(robot, "objectives[].type: ")) << robot;
  EXPECT_TRUE(contains(line_of(elastic, "scene.bodies[].density"), "required")) << elastic;
  EXPECT_TRUE(contains(line_of(elastic, "scene.bodies[].mesh.file"), "(with scene.bodies[].mesh.file)")) << elastic;
  for (const char* key : {"motion.rate_limit", "robot.ground", "robot.keyframe"}) {
    EXPECT_TRUE(contains(line_of(robot, key), "optional")) << line_of(robot, key);
    EXPECT_FALSE(contains(line_of(robot, key), "required")) << line_of(robot, key);
  }
  EXPECT_TRUE(contains(line_of(elastic, "nondifferentiable_elements"), "  ")) << "names and texts stand apart";
}

TEST(Describe, MeshFileHasItsQualityGroupsAndFields) {
  const std::string folder = std::string(HOLO_SOURCE_DIR) + "/tests/sim/fixtures/meshes/";
  ProcessResult result = holo({"describe", folder + "legacy_30_ascii.vtk"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"elements  12\n", "volume    0.46875 m^3", "quality   worst ",
                           "region 1 (tetrahedra): ", "6 elements", "region (on elements): 1 component, 1 to 2\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in\n" << result.out;
  result = holo({"describe", std::string(HOLO_SOURCE_DIR) + "/examples/out_of_tree_plugin/fiber_block.msh"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"vertices  12\n", "elements  12\n", "volume    2 m^3", "[0, 2] x [0, 1] x [0, 1] m",
                           "along (tetrahedra): 8 vertices, 6 elements",
                           "across (tetrahedra): ", "fibers (on elements): 3 components, 0 to 3; 0 to 2; 0 to 0\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in\n" << result.out;
  result = holo({"describe", folder + "../quadratic_meshes/gmsh_41_binary.msh"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"elements  6 (quadratic)\n", "volume    0.1875 m^3", "triangles 9 (triangles): 6 vertices, 4 triangles"})
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in\n" << result.out;
  result = holo({"describe", folder + "nothing.msh"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "nothing.msh: there is no such file")) << result.err;
}

TEST(Check, TellsSizesAndMassesOfBodiesSubsetsAndHandles) {
  TemporaryFolder folder;
  const std::string mesh = std::string(HOLO_SOURCE_DIR) + "/examples/out_of_tree_plugin/fiber_block.msh";
  write_file(
      folder.path() / "block.yaml",
      "name: block\nstudy: elastic_dynamics\nscene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - name: block\n"
      "      mesh: {file: " +
          mesh +
          "}\n      density: {groups: {along: 1000, across: 500}}\n"
          "      material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}\n"
          "      subsets: {far half: {group: across, of: elements}}\n      handles: [{subset: {box: {max: [0, 9, 9]}}}]\n");
  const ProcessResult result = holo({"check", "block.yaml"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"body 'block': 12 vertices, 12 elements, 2 m^3, 1500 kg; the worst element is ",
        "body 'block', subset 'far half': 8 vertices of 6 elements\n", "body 'block', handle 0: 4 vertices\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << " is not in\n" << result.out;
}

TEST(Describe, ExperimentHasItsCommentAndVariants) {
  ProcessResult result = holo({"describe", "csfd/fig08_dragged_body"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"experiment fig08_dragged_body", "elastic_dynamics", "Fig 8", "variants: ", "quick"})
    EXPECT_TRUE(contains(result.out, word)) << word << " is not in\n" << result.out;
}

TEST(Names, OfExperimentsServeAsFiles) {
  TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  ProcessResult result = holo({"check", "csfd/fig03_root"}, here);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  result = holo({"run", "csfd/fig10_volume_penalties", "--out", "out"}, here);
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
}

TEST(NamesBadInput, UnknownExperimentsNameTheNearest) {
  for (const char* name : {"quickstrat", "fig03_root", "csfd/fig03_roots"}) {
    ProcessResult result = holo({"run", name}, {.folder = "/"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.err, "Did you mean '")) << result.err;
  }
}

TEST(Options, AreNamedAsTheyWereTyped) {
  EXPECT_TRUE(contains(holo({"run", "quickstart", "-q"}).err, "no option '-q'")) << holo({"run", "quickstart", "-q"}).err;
  EXPECT_TRUE(contains(holo({"run", "quickstart", "--thread", "1"}).err, "no option '--thread'. Did you mean '--threads'?"));
}

TEST(Schema, IsJsonThatKnowsTheStudy) {
  ProcessResult result = holo({"schema"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  nlohmann::json schema = nlohmann::json::parse(result.out);
  EXPECT_TRUE(contains(schema.dump(), "elastic_dynamics"));
  EXPECT_TRUE(schema["properties"].contains("acceptance"));
}

TEST(Output, ClosedOrFullStandardOutputIsOneClearLine) {
  Process closed({"sh", "-c", program() + " schema | true"});
  ProcessResult result = closed.wait();
  EXPECT_FALSE(contains(result.err, "internal failure")) << result.err;
  ProcessResult full = Process({"sh", "-c", program() + " schema > /dev/full"}).wait();
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_TRUE(contains(full.err, "standard output")) << full.err;
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << full.err;
}

TEST(Check, WritesNothing) {
  TemporaryFolder folder;
  ProcessResult result =
      holo({"check", std::string(HOLO_SOURCE_DIR) + "/experiments/quickstart.yaml"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, " kg; the worst element is ")) << result.out;
  EXPECT_TRUE(contains(result.out, ", handle 0: ")) << result.out;
  EXPECT_TRUE(files_below(folder.path()).empty());
}

TEST(Quickstart, QuickVariantIsAccepted) {
  TemporaryFolder folder;
  ProcessResult result = holo({"run", std::string(HOLO_SOURCE_DIR) + "/experiments/quickstart.yaml", "--variant", "quick"},
                              {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// A folder of copies of experiments.
fs::path suite_of(const TemporaryFolder& folder, const std::vector<std::string>& experiments) {
  const fs::path suite = folder / "my_suite";
  fs::create_directories(suite);
  for (const std::string& name : experiments)
    fs::copy_file(fs::path(HOLO_SOURCE_DIR) / "experiments/csfd" / (name + ".yaml"), suite / (name + ".yaml"));
  return suite;
}

TEST(Reproduce, RunsAFolderOfExperimentsAndPrintsOneTable) {
  TemporaryFolder folder;
  const std::string suite = suite_of(folder, {"fig02_first_derivative", "fig03_root"}).string();
  ProcessResult result = holo({"reproduce", suite + "/", "--variant", "quick"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* row : {"| fig02_first_derivative | Luo2019, Fig 2 |", "| fig03_root | Luo2019, Fig 3 |"})
    EXPECT_TRUE(contains(result.out, row)) << row << "\n" << result.out;
  EXPECT_TRUE(fs::exists(folder / "runs/my_suite-quick-001/fig03_root/result.json"));
  EXPECT_EQ(read_file(folder / "runs/my_suite-quick-001/table.md"), result.out.substr(0, result.out.find("\nruns: ")));
}

// An attempt that misses its acceptance is a row of the table and exits with 0 in a suite, with 3 alone.
TEST(Reproduce, AnAttemptIsReportedAndDoesNotDecideTheExit) {
  TemporaryFolder folder;
  const fs::path suite = suite_of(folder, {"fig03_root"});
  const auto write = [&](const std::string& attempt) {
    const std::string text = read_file(fs::path(HOLO_SOURCE_DIR) / "experiments/csfd/fig02_first_derivative.yaml");
    const std::size_t begin = text.find("\nacceptance:");
    ASSERT_NE(begin, std::string::npos);
    write_file(suite / "tried.yaml", text.substr(0, begin + 1) + attempt + "acceptance: [{metric: csfd_error, at_most: 0}]\n");
  };
  write("");
  ProcessResult judged = holo({"reproduce", suite.string(), "--out", "judged"}, {.folder = folder.path()});
  EXPECT_EQ(judged.exit_code, 3) << judged.out << judged.err;
  write("attempt: the second half was never seen to hold\n");
  ProcessResult tried = holo({"reproduce", suite.string(), "--out", "tried"}, {.folder = folder.path()});
  EXPECT_EQ(tried.exit_code, 0) << tried.out << tried.err;
  for (const char* text :
       {"| MISSED, an attempt |", "tried is an attempt, which decides nothing: the second half was never seen"})
    EXPECT_TRUE(contains(tried.out, text)) << text << "\n" << tried.out;
  ProcessResult alone = holo({"run", (suite / "tried.yaml").string(), "--out", "alone"}, {.folder = folder.path()});
  EXPECT_EQ(alone.exit_code, 3) << alone.out << alone.err;
}

TEST(ReproduceBadInput, NamesTheNearestSuite) {
  ProcessResult result = holo({"reproduce", "csdf"});
  EXPECT_EQ(result.exit_code, 2);
  for (const char* word : {"no suite 'csdf' in ", "and no folder of that name", "csfd"})
    EXPECT_TRUE(contains(result.err, word)) << word << " is not in\n" << result.err;
}

// A plugin folder in which no reference is.
TEST(Reproduce, ReferencesThatAreNotBuiltAreOneRowAndOneMessage) {
  TemporaryFolder folder;
  fs::create_directories(folder / "plugins");
  for (const fs::directory_entry& entry : fs::directory_iterator(HOLO_BINARY_DIR "/plugins"))
    if (entry.path().extension() == ".so" && entry.path().stem().extension() != ".reference")
      fs::create_symlink(entry.path(), folder / "plugins" / entry.path().filename().string());
  const std::string plugins = (folder / "plugins").string();
  const ProcessOptions here{.folder = folder.path()};
  ProcessResult one = holo({"run", "csfd/fig11_material_modes", "--plugin-path", plugins}, here);
  EXPECT_EQ(one.exit_code, 5) << one.err;
  EXPECT_EQ(std::count(one.err.begin(), one.err.end(), '\n'), 1) << one.err;
  for (const char* word : {"stvk, neo_hookean, ", "100-digit references", "--target plugin_references"})
    EXPECT_TRUE(contains(one.err, word)) << word << " is not in\n" << one.err;
  EXPECT_TRUE(files_below(folder / "runs").empty());
  const std::string experiments = suite_of(folder, {"fig03_root", "fig11_material_modes"}).string();
  ProcessResult suite =
      holo({"reproduce", experiments, "--variant", "quick", "--out", "suite", "--plugin-path", plugins}, here);
  EXPECT_EQ(suite.exit_code, 5) << suite.out << suite.err;
  EXPECT_TRUE(contains(suite.out, "| fig11_material_modes |  |  |  |  | not_attempted | not run: references not built |"))
      << suite.out;
  EXPECT_TRUE(fs::exists(folder / "suite/fig03_root/result.json"));

  // Nor is a run that was made with them, and is not finished yet, a bad one without them.
  ASSERT_EQ(holo({"run", "csfd/fig11_material_modes", "--variant", "quick", "--out", "whole"}, here).exit_code, 0);
  fs::remove(folder / "whole/result.json");
  ProcessResult resumed = holo({"resume", "whole", "--plugin-path", plugins}, here);
  EXPECT_EQ(resumed.exit_code, 5) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "whole/experiment.yaml: needs the 100-digit references")) << resumed.err;
}

TEST(PluginNew, WritesAFolderOutsideTheSourceTree) {
  TemporaryFolder folder;
  ProcessResult result = holo({"plugin", "new", "material", "my_rubber"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"my_rubber/CMakeLists.txt", "my_rubber/my_rubber.cpp"}));
  EXPECT_TRUE(contains(read_file(folder / "my_rubber/my_rubber.cpp"), "HOLO_MATERIAL(MyRubber, \"my_rubber\""));
  EXPECT_TRUE(contains(read_file(folder / "my_rubber/CMakeLists.txt"), "holo_add_plugin(my_rubber my_rubber.cpp)"));
}

TEST(PluginNew, WritesOneFileInTheSourceTree) {
  TemporaryFolder folder;
  write_file(folder / "libs/plugin/include/holo/plugin/material.h", "");
  fs::create_directories(folder / "plugins");
  fs::create_directories(folder / "docs");
  EXPECT_EQ(holo({"plugin", "new", "material", "gent"}, {.folder = folder / "docs"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder / "plugins/materials/gent.cpp"));
  EXPECT_EQ(holo({"plugin", "new", "joint", "screw"}, {.folder = folder / "docs"}).exit_code, 0);
  EXPECT_TRUE(contains(read_file(folder / "plugins/joints/screw.cpp"), "HOLO_JOINT(Screw, \"screw\""));
  EXPECT_EQ(holo({"plugin", "new", "loss", "keep_low"}, {.folder = folder / "docs"}).exit_code, 0);
  EXPECT_TRUE(contains(read_file(folder / "plugins/losses/keep_low.cpp"), "HOLO_LOSS(KeepLow, \"keep_low\""));
  EXPECT_EQ(holo({"plugin", "new", "body_energy", "pull"}, {.folder = folder / "docs"}).exit_code, 0);
  EXPECT_TRUE(contains(read_file(folder / "plugins/body_energies/pull.cpp"), "HOLO_BODY_ENERGY(Pull, \"pull\""));
}

TEST(PluginNewBadInput, RefusesBadNamesAndExistingFiles) {
  TemporaryFolder folder;
  for (const char* name : {"", "Gent", "9lives", "my-rubber", "../escape", "template", "holo", "a__b", "rubber_", "and"}) {
    ProcessResult result = holo({"plugin", "new", "material", name}, {.folder = folder.path()});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_TRUE(contains(result.err, "cannot be a plugin's name")) << result.err;
  }
  EXPECT_TRUE(files_below(folder.path()).empty());
  write_file(folder / "gent/CMakeLists.txt", "mine");
  ProcessResult result = holo({"plugin", "new", "material", "gent"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "exists already")) << result.err;
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"gent/CMakeLists.txt"});
  EXPECT_EQ(read_file(folder / "gent/CMakeLists.txt"), "mine");
}

TEST(PluginNewBadInput, OtherKindsAreNamed) {
  ProcessResult result = holo({"plugin", "new", "joins", "gent"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "material, joint, loss, body_energy. Did you mean 'joint'?")) << result.err;
}

}  // namespace
}  // namespace holo_test
