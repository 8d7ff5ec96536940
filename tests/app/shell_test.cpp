// The program in shells and scripts: JSON lines, silence, colors, the list of runs, completion.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments.h"
#include "process.h"

namespace holo_test {
namespace shell_test {

class Shell : public testing::Test {
 protected:
  Shell() {
    write_file(folder_ / "small.yaml", small_experiment);
    write_file(folder_ / "strict.yaml", changed("inverted_elements, at_most: 0", "inverted_elements, at_least: 1"));
    write_file(folder_ / "stuck.yaml", changed("max_iterations: 50", "max_iterations: 1"));
  }
  ProcessResult in_folder(const std::vector<std::string>& arguments) { return holo(arguments, options_); }

  // Each line of the standard output is an object.
  std::vector<nlohmann::json> objects(const std::vector<std::string>& arguments, int exit_code = 0) {
    const ProcessResult result = in_folder(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    std::vector<nlohmann::json> found;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      found.push_back(nlohmann::json::parse(line, nullptr, false));
      EXPECT_TRUE(found.back().is_object()) << line;
    }
    EXPECT_FALSE(found.empty());
    return found;
  }

  TemporaryFolder folder_;
  ProcessOptions options_{.folder = folder_.path()};
};

TEST_F(Shell, EveryCommandPrintsObjects) {
  const nlohmann::json run = objects({"run", "small.yaml", "--out", "a", "--json"}).front();
  EXPECT_EQ(run["exit_code"], 0);
  EXPECT_EQ(run["run"], (folder_ / "a").string());
  EXPECT_EQ(run["result"]["metrics"]["inverted_elements"], 0);
  EXPECT_EQ(objects({"resume", "a", "--json"}).front()["result"], run["result"]);
  EXPECT_TRUE(contains(objects({"check", "small.yaml", "--json"}).front()["description"], "body 'bar'"));
  EXPECT_EQ(objects({"compare", "a", "a", "--json"}).front()["same"], true);
  EXPECT_EQ(objects({"export", "a", "--json"}).front()["file"].get<std::string>().rfind((folder_ / "a").string(), 0), 0u);
  const auto materials = objects({"list", "materials", "--json"});
  EXPECT_TRUE(std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m["name"] == "neo_hookean"; }));
  const nlohmann::json material = objects({"describe", "neo_hookean", "--json"}).front();
  EXPECT_EQ(material["kind"], "material");
  EXPECT_EQ(material["parameters"][0]["path"], "youngs_modulus");
  EXPECT_EQ(material["parameters"][0]["unit"], "Pa");
  EXPECT_TRUE(material["operations"].contains("stress"));
  EXPECT_EQ(objects({"describe", "quasi_statics", "--json"}).front()["metrics"].count("failed_runs"), 1u);
  EXPECT_EQ(objects({"describe", "universal", "--json"}).front()["coordinates"].size(), 2u);
  EXPECT_TRUE(objects({"schema", "--json"}).front().contains("properties"));
  EXPECT_EQ(objects({"plugin", "new", "loss", "mine", "--out", "mine", "--json"}).size(), 2u);
}

TEST_F(Shell, ErrorsAreObjectsToo) {
  const nlohmann::json missed = objects({"run", "strict.yaml", "--out", "a", "--json"}, 3).front();
  EXPECT_EQ(missed["exit_code"], 3);
  const nlohmann::json absent = objects({"run", "absent.yaml", "--json"}, 2).front();
  EXPECT_EQ(absent["exit_code"], 2);
  EXPECT_TRUE(contains(absent["error"], "absent.yaml"));
  EXPECT_EQ(objects({"run", "small.yaml", "--jsn", "--json"}, 2).front()["exit_code"], 2);
}

TEST_F(Shell, QuietRunsPrintNothing) {
  const ProcessResult good = in_folder({"run", "small.yaml", "--out", "a", "--quiet"});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out + good.err, "");
  const ProcessResult missed = in_folder({"run", "strict.yaml", "--out", "b", "--quiet"});
  EXPECT_EQ(missed.exit_code, 3);
  EXPECT_EQ(missed.out + missed.err, "");
  const ProcessResult stuck = in_folder({"run", "stuck.yaml", "--out", "c", "--quiet"});
  EXPECT_EQ(stuck.exit_code, 4);
  EXPECT_EQ(stuck.out, "");
  EXPECT_TRUE(contains(stuck.err, "iteration"));
}

// `script` gives a terminal.
TEST_F(Shell, ColorsAreForTerminalsWithoutNoColor) {
  in_folder({"run", "strict.yaml", "--out", "a", "--quiet"});
  const auto on_terminal = [&](const char* no_color) {
    options_.environment = {{"NO_COLOR", no_color}, {"TERM", "xterm"}};
    return Process({"script", "-qec", program() + " resume a", "/dev/null"}, options_).wait().out;
  };
  EXPECT_TRUE(contains(on_terminal(""), "\x1b[1;31m  MISSED\x1b[0m"));
  EXPECT_FALSE(contains(on_terminal("1"), "\x1b[1;31m"));
  EXPECT_FALSE(contains(in_folder({"resume", "a"}).out, "\x1b"));
}

TEST_F(Shell, RunsAreListedWithTheirStates) {
  in_folder({"run", "small.yaml", "--out", "runs/good", "--quiet"});
  in_folder({"run", "strict.yaml", "--out", "runs/deep/strict", "--quiet"});
  in_folder({"run", "stuck.yaml", "--out", "runs/stuck", "--quiet"});
  in_folder({"run", "small.yaml", "--out", "runs/bad", "--quiet"});
  write_file(folder_ / "runs/bad/study.json", "{");
  fs::copy(folder_ / "runs/good", folder_ / "runs/killed", fs::copy_options::recursive);
  fs::remove(folder_ / "runs/killed/result.json");
  const auto runs = objects({"runs", "--json"});
  std::map<std::string, std::string> states;
  for (const auto& run : runs) states[fs::path(run["run"].get<std::string>()).filename()] = run["state"];
  const std::map<std::string, std::string> expected = {
      {"good", "accepted"}, {"strict", "MISSED"}, {"stuck", "failed"}, {"bad", "unreadable"}, {"killed", "interrupted"}};
  EXPECT_EQ(states, expected);
  EXPECT_TRUE(contains(in_folder({"runs"}).out, "accepted     runs/good"));
  const ProcessResult absent = in_folder({"runs", "absent"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_TRUE(contains(absent.err, "absent: no such folder"));
}

// What bash offers at the end of a line, as its words are split: also at each "=".
class Completion : public Shell {
 protected:
  std::vector<std::string> offered(const std::string& words) {
    const std::string text =
        "source <(" + program() + " completion bash); COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_WORDS=(" + program() + " " +
        words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _holo 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"";
    std::istringstream lines(Process({"bash", "-c", text}, options_).wait().out);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  }
  static bool has(const std::vector<std::string>& all, const std::string& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
  }
};

TEST_F(Completion, OffersCommandsNamesFilesVariantsAndKeys) {
  EXPECT_EQ(offered("re"), (std::vector<std::string>{"resume", "report", "reproduce"}));
  EXPECT_TRUE(has(offered("run ''"), "csfd/fig08_dragged_body"));
  EXPECT_TRUE(has(offered("run ''"), "small.yaml"));
  EXPECT_EQ(offered("run small.yaml --variant ''"), (std::vector<std::string>{"long"}));
  EXPECT_TRUE(has(offered("run small.yaml --s"), "--set"));
  EXPECT_TRUE(has(offered("run small.yaml --set scene.t"), "scene.time_step="));
  EXPECT_TRUE(has(offered("run small.yaml --set scene.bodies.0.dens"), "scene.bodies.0.density="));
  EXPECT_TRUE(has(offered("run small.yaml --set scene.integrator = ''"), "bdf2"));
  EXPECT_TRUE(has(offered("describe neo_hook"), "neo_hookean"));
  EXPECT_TRUE(has(offered("list ma"), "materials"));
  EXPECT_TRUE(has(offered("reproduce cs"), "csfd"));
  EXPECT_TRUE(has(offered("completion z"), "zsh"));
  EXPECT_TRUE(has(offered("export small --format g"), "gltf"));
}

TEST_F(Completion, IsSilentWhereThereIsNothingToOffer) {
  EXPECT_EQ(offered("run absent.yaml --set scene"), (std::vector<std::string>{""}));
  EXPECT_EQ(offered("nonsense ''"), (std::vector<std::string>{""}));
  const ProcessResult result = in_folder({"completion", "fish"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "there are bash and zsh"));
}

}  // namespace shell_test
}  // namespace holo_test
