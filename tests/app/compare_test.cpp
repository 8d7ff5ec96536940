// The derived and the hand-written derivatives must lead to the same motion by the same iterations; a wrong one must be found.

#include <gtest/gtest.h>

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
  run("csfd", set("neo_hookean_paper", "csfd"));
  run("analytic", set("neo_hookean_paper", "analytic"));
  ProcessResult result = compare("csfd", "analytic");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(read_file(folder_ / "csfd/log.jsonl"), "csfd"));
  EXPECT_TRUE(contains(read_file(folder_ / "analytic/log.jsonl"), "analytic"));
}

TEST_F(Compare, SpoiledAnalyticDerivativeIsFound) {
  run("csfd", set("spoiled_analytic", "csfd"));
  run("analytic", set("spoiled_analytic", "analytic"));
  ProcessResult result = compare("csfd", "analytic");
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "DIFFERENT")) << result.out;
}

#ifdef HOLO_DATA_DIR
TEST_F(Compare, ScannedAndModelledBodiesMoveTheSameWithBothDerivatives) {
  ProcessOptions options{.folder = folder_.path(), .environment = {{"HOLO_DATA_DIR", HOLO_DATA_DIR}}};
  std::string file = HOLO_SOURCE_DIR "/experiments/csfd/fig08_dragged_body.yaml";
  for (const char* variant : {"scan", "dinosaur"}) {
    std::string folder = variant;
    for (const char* elements : {"csfd", "analytic"})
      ASSERT_EQ(holo({"run", file, "--variant", variant, "--set", "scene.duration=0.02", "--set",
                      std::string("differentiation.elements=") + elements, "--out", folder + "-" + elements},
                     options)
                    .exit_code,
                0);
    ProcessResult result = compare(folder + "-csfd", folder + "-analytic");
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
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
