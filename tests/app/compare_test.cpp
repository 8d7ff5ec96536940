// The derived and the hand-written derivatives must lead to the same motion by the same iterations; a wrong one must be found.

#include <gtest/gtest.h>

#include <cmath>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

class Compare : public testing::Test {
 protected:
  Compare() { write_file(folder_ / "small.yaml", small_experiment); }
  void run(const std::string& out, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "small.yaml", "--out", out, "--plugin-path", HOLO_TEST_PLUGIN_FOLDER});
    ProcessResult result = holo(more, {.folder = folder_.path()});
    ASSERT_TRUE(result.exit_code == 0 || result.exit_code == 4) << result.err;
  }
  ProcessResult compare(const std::string& a, const std::string& b) {
    return holo({"compare", a, b}, {.folder = folder_.path()});
  }
  static std::vector<std::string> set(const std::string& material, const std::string& elements) {
    return {"--set", "scene.bodies.0.material.type=" + material, "--set", "differentiation.elements=" + elements};
  }

  TemporaryFolder folder_;
};

TEST_F(Compare, DerivedAndAnalyticDerivativesGiveTheSameMotion) {
  for (const std::string mode : {"compiled", "csfd", "analytic"}) run(mode, set("neo_hookean_paper", mode));
  for (const std::string mode : {"csfd", "analytic"}) {
    ProcessResult result = compare("compiled", mode);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
  for (const std::string mode : {"compiled", "csfd", "analytic"})
    EXPECT_TRUE(contains(read_file(folder_ / (mode + "/log.jsonl")), "elements " + mode + ", stress: ")) << mode;
}

TEST_F(Compare, SpoiledAnalyticDerivativeIsFound) {
  run("compiled", set("spoiled_analytic", "compiled"));
  run("analytic", set("spoiled_analytic", "analytic"));
  ProcessResult result = compare("compiled", "analytic");
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "DIFFERENT")) << result.out;
}

// The dragged body of [Luo2019] Fig 8 in every mode of its material, over the folder of its run.
class DraggedBody : public Compare {
 protected:
  void drag(const std::string& mode) {
    const std::string file = HOLO_SOURCE_DIR "/experiments/csfd/fig08_dragged_body.yaml";
    ProcessResult result = holo({"run", file, "--variant", "quick", "--set", "differentiation.elements=" + mode, "--out", mode},
                                {.folder = folder_.path()});
    ASSERT_EQ(result.exit_code, 0) << mode << ": " << result.err;
    EXPECT_TRUE(contains(read_file(folder_ / (mode + "/log.jsonl")), "elements " + mode + ", stress: ")) << mode;
  }
  // Of positions, over the bounding box.
  double largest_difference(const std::string& mode) {
    const std::string text = compare("compiled", mode).out, before = "positions: at most ";
    const std::size_t at = text.find(before);
    return at == std::string::npos ? INFINITY : std::stod(text.substr(at + before.size()));
  }
};

TEST_F(DraggedBody, MovesTheSameInEveryExactMode) {
  drag("compiled");
  for (const std::string mode : {"csfd", "mcsfd_full", "complex_step", "cr_form", "reverse_ad", "analytic"}) {
    drag(mode);
    ProcessResult result = compare("compiled", mode);  // the same iterations, positions within 1e-9 of the box
    EXPECT_EQ(result.exit_code, 0) << mode << ": " << result.out << result.err;
  }
}

// An error of the stress, relative to the moduli, is a strain that is not there. Such a strain e moves the end of a body of
// length L and height H by e L^2/H, here 3 L, and twice that in dynamics; derivatives of the energy are some 10 moduli at the
// strains that occur.
TEST_F(DraggedBody, MovesByDifferencesUpToTheirError) {
  constexpr double rounding = 0x1p-53, moves = 2 * 3 * 10;
  drag("compiled");
  drag("forward_difference");
  drag("central_difference");
  EXPECT_LE(largest_difference("forward_difference"), moves * (0x1p-26 + rounding * 0x1p27));
  EXPECT_LE(largest_difference("central_difference"), moves * (0x1p-34 + rounding * 0x1p17));
  EXPECT_GT(largest_difference("forward_difference"), 0);
}

#ifdef HOLO_DATA_DIR
TEST_F(Compare, ScannedAndModeledBodiesMoveTheSameWithBothDerivatives) {
  ProcessOptions options{.folder = folder_.path(), .environment = {{"HOLO_DATA_DIR", HOLO_DATA_DIR}}};
  std::string file = HOLO_SOURCE_DIR "/experiments/csfd/fig08_dragged_body.yaml";
  for (const char* variant : {"scan", "dinosaur"}) {
    std::string folder = variant;
    for (const char* elements : {"csfd", "compiled", "analytic"})
      ASSERT_EQ(holo({"run", file, "--variant", variant, "--set", "scene.duration=0.02", "--set",
                      std::string("differentiation.elements=") + elements, "--out", folder + "-" + elements},
                     options)
                    .exit_code,
                0);
    for (const char* exact : {"-compiled", "-analytic"}) {
      ProcessResult result = compare(folder + "-csfd", folder + exact);
      EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    }
  }
}
#endif

TEST_F(Compare, AnotherStiffnessIsAnotherMotion) {
  run("soft", {});
  run("stiff", {"--set", "scene.bodies.0.material.youngs_modulus=1.0001e5"});
  EXPECT_EQ(compare("soft", "stiff").exit_code, 3);
  EXPECT_EQ(compare("soft", "soft").exit_code, 0);
}

TEST_F(Compare, AnotherMeshCannotBeCompared) {
  run("coarse", {});
  run("fine", {"--set", "scene.bodies.0.mesh.elements=300"});
  ProcessResult result = compare("coarse", "fine");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "vertices")) << result.err;
}

}  // namespace
}  // namespace holo_test
