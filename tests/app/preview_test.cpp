// `holo report --preview`: the page of an experiment before it runs.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace {

using Json = nlohmann::json;

struct Preview : testing::Test {
  ProcessResult preview(const std::string& text, std::vector<std::string> options = {}) {
    write_file(folder_ / "small.yaml", text);
    std::vector<std::string> words = {"report", "--preview", "small.yaml"};
    words.insert(words.end(), options.begin(), options.end());
    return holo(words, {.folder = folder_.path()});
  }

  // The data of a page.
  Json data(const std::string& page) {
    const std::string text = read_file(folder_ / page), head = "id=\"report-data\"";
    const std::size_t begin = text.find('>', text.find(head)) + 1;
    return Json::parse(text.substr(begin, text.find("</script", begin) - begin));
  }

  TemporaryFolder folder_;
};

TEST_F(Preview, DrawsTheStartAndWritesNothingElse) {
  const ProcessResult result = preview(small_experiment, {"-o", "drawn"});
  if (contains(result.err, "npm")) GTEST_SKIP() << "this build has no report page (npm was missing)";
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "preview: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "drawn/small.html")) << result.out;
  EXPECT_EQ(files_below(folder_.path()), (std::vector<std::string>{"drawn/small.html", "small.yaml"}));
  const Json page = data("drawn/small.html");
  EXPECT_EQ(page["title"], "small");
  EXPECT_EQ(page["verdict"], "none");
  EXPECT_TRUE(contains(page["description"], "A bar is shaken at one end.")) << page["description"];
  ASSERT_EQ(page["scenes"].size(), 1u);
  EXPECT_EQ(page["scenes"][0]["times"], Json::array({0.0}));
  EXPECT_EQ(page["scenes"][0]["bodies"][0]["name"], "bar");
  EXPECT_EQ(page["scenes"][0]["bodies"][0]["sets"][0]["kind"], "moved handle");
  EXPECT_EQ(page["tables"][0]["title"], "Bodies");
}

// The page of a changed experiment takes the place of the one before, and that of a variant stands beside it.
TEST_F(Preview, IsDrawnAnewInItsPlace) {
  const ProcessResult first = preview(small_experiment);
  if (contains(first.err, "npm")) GTEST_SKIP() << "this build has no report page (npm was missing)";
  ASSERT_EQ(first.exit_code, 0) << first.err;
  ASSERT_EQ(preview(changed("name: bar", "name: rod")).exit_code, 0);
  EXPECT_EQ(data("previews/small.html")["scenes"][0]["bodies"][0]["name"], "rod");
  EXPECT_EQ(preview(small_experiment, {"--variant", "long", "--set", "scene.bodies.0.name=pole"}).exit_code, 0);
  EXPECT_EQ(data("previews/small-long.html")["scenes"][0]["bodies"][0]["name"], "pole");
  EXPECT_EQ(data("previews/small.html")["scenes"][0]["bodies"][0]["name"], "rod");
}

struct PreviewBadInput : Preview {
  void refused(const ProcessResult& result, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    for (const std::string& part : parts) EXPECT_TRUE(contains(result.err, part)) << "no '" << part << "' in\n" << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "previews"));
  }
};

TEST_F(PreviewBadInput, StudyWithoutADrawingNamesThoseThatHaveOne) {
  const std::string file = HOLO_SOURCE_DIR "/experiments/csfd/fig03_root.yaml";
  refused(holo({"report", "--preview", file}, {.folder = folder_.path()}),
          {"fig03_root.yaml", "has no preview", "elastic_control, elastic_dynamics."});
}

TEST_F(PreviewBadInput, ProblemsOfTheExperimentAreListedWithTheirPlaces) {
  refused(preview(changed("density: 1000", "density: -1", changed("  time_step: 0.01", "  time_step: fast"))),
          {"small.yaml:7:14", "small.yaml:13:16"});
}

TEST_F(PreviewBadInput, MeshThatCannotBeBuiltIsToldAtItsPlace) {
  refused(preview(changed("{box: {max: [0.001, 9, 9]}}", "{box: {max: [-1, 9, 9]}}")), {"small.yaml:15:"});
}

TEST_F(PreviewBadInput, FileThatIsNotThere) {
  refused(holo({"report", "--preview", "nowhere.yaml"}, {.folder = folder_.path()}), {"nowhere.yaml"});
}

TEST_F(PreviewBadInput, OptionsOfAPreviewAreNoneOfAReport) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--out", "x"}, {"-o", "x"}, {"--variant", "long"}, {"--set", "seed=2"}}) {
    std::vector<std::string> words = {"report", "run"};
    words.insert(words.end(), option.begin(), option.end());
    refused(holo(words, {.folder = folder_.path()}), {"report --preview FILE"});
  }
}

TEST_F(PreviewBadInput, FolderThatIsAFileIsAFailureOfTheMachine) {
  write_file(folder_ / "taken", "");
  const ProcessResult result = preview(small_experiment, {"-o", "taken"});
  if (contains(result.err, "npm")) GTEST_SKIP() << "this build has no report page (npm was missing)";
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(contains(result.err, "taken: ")) << result.err;
}

}  // namespace
}  // namespace holo_test
