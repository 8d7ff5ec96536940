// `holo schema` accepts every experiment of the project, with each of its variants, and refuses what the program refuses.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "configuration/number.h"
#include "configuration/tree.h"
#include "experiments.h"
#include "holo/core/configuration.h"
#include "process.h"

namespace holo_test {
namespace {

using Json = nlohmann::ordered_json;

Json scalar(const holo::Node& node) {
  if (node.kind != holo::NodeKind::scalar) return nullptr;
  if (!node.quoted && holo::is_boolean(node.text)) return node.text == "true";
  if (!node.quoted)
    if (const auto number = holo::to_number(node.text)) return *number;
  return node.text;
}

Json to_json(const holo::ConfigurationTree& tree, std::size_t index) {
  const holo::Node& node = tree.nodes[index];
  if (node.kind != holo::NodeKind::mapping && node.kind != holo::NodeKind::sequence) return scalar(node);
  const bool is_mapping = node.kind == holo::NodeKind::mapping;
  Json result = is_mapping ? Json::object() : Json::array();
  for (std::size_t i = 0; i < node.children.size(); ++i)
    if (is_mapping)
      result[node.keys[i].name] = to_json(tree, node.children[i]);
    else
      result.push_back(to_json(tree, node.children[i]));
  return result;
}

Json to_json(const std::string& yaml) {
  holo::ConfigurationTree tree;
  tree.origins.push_back({"x.yaml", yaml});
  std::vector<holo::ConfigurationTree::Problem> problems;
  return to_json(tree, tree.parse(0, &problems));
}

Json schema() {
  ProcessResult result = holo({"schema"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

// The file as it is written, and with each of its variants.
void add_experiment(const fs::path& path, Json& cases) {
  const std::string name = path.filename().string();
  cases.push_back({{"name", name}, {"valid", true}, {"document", to_json(read_file(path))}});
  for (const std::string& variant : holo::ConfigurationFile::load(path).variants()) {
    const std::string resolved = holo::ConfigurationFile::load(path, {.variant = variant}).resolved();
    cases.push_back({{"name", name + ", " + variant}, {"valid", true}, {"document", to_json(resolved)}});
  }
}

TEST(Schema, HasAnIdentityOfItsOwn) {
  const Json all = schema();
  EXPECT_EQ(all.at("$schema"), "http://json-schema.org/draft-07/schema#");
  EXPECT_TRUE(contains(all.at("$id"), "urn:holomorph:")) << all.at("$id");
}

#ifdef HOLO_PYTHON_JSONSCHEMA
TEST(Schema, AcceptsEveryExperimentWithEachOfItsVariants) {
  Json cases = Json::array();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(HOLO_SOURCE_DIR "/experiments"))
    if (entry.path().extension() == ".yaml" && entry.path().parent_path().filename() != "robots")
      add_experiment(entry.path(), cases);
  ASSERT_GT(cases.size(), 25u);
  const auto refused = [&](const char* name, const std::string& text) {
    cases.push_back({{"name", name}, {"valid", false}, {"document", to_json(text)}});
  };
  refused("unknown key", changed("duration: 0.1", "duratoin: 0.1"));
  refused("material without a type", changed("type: neo_hookean_paper, ", ""));
  const std::string curves = read_file(HOLO_SOURCE_DIR "/experiments/csfd/fig10_volume_penalties.yaml");
  refused("ratio without its point", changed(", at: ", ", not_at: ", curves));
  TemporaryFolder folder;
  write_file(folder / "schema.json", schema().dump());
  write_file(folder / "documents.json", cases.dump());
  ProcessResult result = Process({HOLO_PYTHON_JSONSCHEMA, HOLO_SOURCE_DIR "/tests/core/configuration_schema.py",
                                  (folder / "schema.json").string(), (folder / "documents.json").string()})
                             .wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}
#endif

}  // namespace
}  // namespace holo_test
