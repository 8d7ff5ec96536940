// What a recorded reader says of itself: descriptions, and a JSON schema that accepts what the reader accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "holo/core/configuration.h"

namespace holo {
namespace {

using Json = nlohmann::ordered_json;

void read_mesh(Configuration& mesh) {
  const auto elements = [](Configuration& p) {
    p.integer("elements", {.minimum = 1, .maximum = 1'000'000, .documentation = "tetrahedra"});
  };
  mesh.branch_on_key({{"file", "a mesh file",
                       [](Configuration& p) {
                         p.file("file");
                         p.number("scale", {.unit = "m", .minimum = 0, .minimum_excluded = true, .default_value = 1});
                       }},
                      {"shape", "a procedural shape", [&](Configuration& p) {
                         p.branch("shape", {{"box", "",
                                             [&](Configuration& q) {
                                               q.vector3("size", {.unit = "m", .minimum = 0});
                                               elements(q);
                                             }},
                                            {"sphere", "", [&](Configuration& q) {
                                               q.number("radius", {.unit = "m", .minimum = 0, .minimum_excluded = true});
                                               elements(q);
                                             }}});
                       }}});
}

void read_body(Configuration& body) {
  body.text("name");
  Configuration mesh = body.section("mesh");
  read_mesh(mesh);
  body.number("density", {.unit = "kg/m^3", .minimum = 0, .minimum_excluded = true, .documentation = "mass per rest volume"});
  Configuration material = body.section("material", "constitutive law");
  const NumberSpec ratio{.minimum = -1, .maximum = 0.5, .minimum_excluded = true, .maximum_excluded = true};
  material.branch("type",
                  {{"stvk", "", [&](Configuration& p) { p.number("poissons_ratio", ratio); }},
                   {"raw", "", [](Configuration& p) { p.numbers("lame", 2, 2, {.unit = "Pa"}); }}},
                  "stvk");
}

// The shape of a real reader: keys of the root beside those that a study adds, to the root and to a section of both.
void read_root(Configuration& root) {
  root.text("name");
  root.integer("seed", {.minimum = 0, .default_value = 1});
  root.section("scene").number("time_step",
                               {.unit = "s", .minimum = 0, .minimum_excluded = true, .documentation = "of the integrator"});
  root.branch("study", {{"elastic_dynamics", "motion",
                         [](Configuration& p) {
                           Configuration scene = p.section("scene");
                           scene.each("bodies", read_body, "what moves", 1);
                           scene.vector3("gravity", {.unit = "m/s^2", .default_value = {{0, 0, -9.81}}});
                           p.section("solver", "", false).integer("max_iterations", {.minimum = 1, .default_value = 100});
                         }},
                        {"error_curves", "accuracy", [](Configuration& p) {
                           p.section("scene").numbers("steps", 1, 20, {.minimum = 0, .minimum_excluded = true});
                           p.boolean("logarithmic", true);
                         }}});
  if (root.has("paper")) root.section("paper").entries("values");
}

constexpr const char* kValid = R"({
  "name": "drop", "study": "elastic_dynamics",
  "scene": {
    "time_step": 0.01,
    "bodies": [
      {"name": "a", "mesh": {"shape": "box", "size": [1, 2, 3], "elements": 600}, "density": 1000,
       "material": {"type": "raw", "lame": [1e5, 2e5]}},
      {"name": "b", "mesh": {"file": "x.msh"}, "density": 1, "material": {"poissons_ratio": 0.45}}]
  },
  "solver": {"max_iterations": 5}, "paper": {"values": {"anything": [1, {"b": "c"}]}},
  "variants": {"quick": {"scene.time_step": 1}}
})";

struct Change {
  const char* name;
  bool valid;
  const char* patch;  // JSON Patch
};

const Change kChanges[] = {
    {"unchanged", true, R"([])"},
    {"figure as number", true, R"([{"op":"replace","path":"/name","value":8}])"},
    {"default seed given", true, R"([{"op":"add","path":"/seed","value":3}])"},
    {"no paper", true, R"([{"op":"remove","path":"/paper"}])"},
    {"sphere", true, R"([{"op":"replace","path":"/scene/bodies/0/mesh","value":{"shape":"sphere","radius":1,"elements":5}}])"},
    {"gravity", true, R"([{"op":"add","path":"/scene/gravity","value":[0,0,0]}])"},
    {"other study", true,
     R"([{"op":"replace","path":"","value":{"name":"e","study":"error_curves","scene":{"time_step":1,"steps":[0.1]},"logarithmic":false}}])"},
    {"unknown key at the root", false, R"([{"op":"add","path":"/naem","value":"x"}])"},
    {"unknown key in a section", false, R"([{"op":"add","path":"/scene/tmie_step","value":1}])"},
    {"unknown key in an entry", false, R"([{"op":"add","path":"/scene/bodies/0/desnity","value":1}])"},
    {"unknown key in a section of a branch", false, R"([{"op":"add","path":"/solver/tolerance","value":1}])"},
    {"key of another branch", false, R"([{"op":"add","path":"/scene/bodies/0/mesh/radius","value":1}])"},
    {"key of another material", false, R"([{"op":"add","path":"/scene/bodies/1/material/lame","value":[1,2]}])"},
    {"key of another study", false, R"([{"op":"add","path":"/logarithmic","value":true}])"},
    {"both keys of a choice", false, R"([{"op":"add","path":"/scene/bodies/0/mesh/file","value":"x"}])"},
    {"no key of a choice", false, R"([{"op":"remove","path":"/scene/bodies/1/mesh/file"}])"},
    {"unknown branch", false, R"([{"op":"replace","path":"/study","value":"elastic"}])"},
    {"missing discriminator", false, R"([{"op":"remove","path":"/study"}])"},
    {"missing key", false, R"([{"op":"remove","path":"/scene/time_step"}])"},
    {"missing key of a branch", false, R"([{"op":"remove","path":"/scene/bodies/0/mesh/size"}])"},
    {"missing key of the default branch", false, R"([{"op":"remove","path":"/scene/bodies/1/material/poissons_ratio"}])"},
    {"excluded bound", false, R"([{"op":"replace","path":"/scene/time_step","value":0}])"},
    {"outside a two-sided range", false, R"([{"op":"replace","path":"/scene/bodies/1/material/poissons_ratio","value":0.5}])"},
    {"number as text", false, R"([{"op":"replace","path":"/scene/bodies/0/density","value":"1000"}])"},
    {"fractional integer", false, R"([{"op":"replace","path":"/solver/max_iterations","value":1.5}])"},
    {"short vector", false, R"([{"op":"replace","path":"/scene/bodies/0/mesh/size","value":[1,2]}])"},
    {"long list", false, R"([{"op":"replace","path":"/scene/bodies/0/material/lame","value":[1,2,3]}])"},
    {"too short a list of mappings", false, R"([{"op":"replace","path":"/scene/bodies","value":[]}])"},
    {"list for a section", false, R"([{"op":"replace","path":"/solver","value":[]}])"},
    {"boolean as text", false, R"([{"op":"replace","path":"/name","value":true}])"},
    {"variant that is no mapping", false, R"([{"op":"replace","path":"/variants/quick","value":3}])"},
};

Json changed(const Change& change) { return Json(nlohmann::json::parse(kValid).patch(nlohmann::json::parse(change.patch))); }

TEST(ConfigurationSchema, ReaderJudgesTheDocumentsAlike) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "holo_schema_reader_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "x.msh") << "x";
  for (const Change& change : kChanges) {
    bool valid = true;
    std::string what;
    try {
      ConfigurationFile file = ConfigurationFile::parse(changed(change).dump(), (folder / "x.yaml").string());
      Configuration root = file.root();
      read_root(root);
      file.finish();
    } catch (const Error& error) {
      valid = false;
      what = error.what();
    }
    EXPECT_EQ(valid, change.valid) << change.name << ": " << what;
  }
  std::filesystem::remove_all(folder);
}

#ifdef HOLO_PYTHON_JSONSCHEMA
TEST(ConfigurationSchema, SchemaAcceptsValidAndRejectsInvalidDocuments) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "holo_schema_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "schema.json") << ParameterRecording(read_root).json_schema("Experiment");
  Json cases = Json::array();
  for (const Change& change : kChanges)
    cases.push_back({{"name", change.name}, {"valid", change.valid}, {"document", changed(change)}});
  std::ofstream(folder / "documents.json") << cases;
  const std::string command = std::string(HOLO_PYTHON_JSONSCHEMA) + " " + HOLO_SOURCE_DIR +
                              "/tests/core/configuration_schema.py '" + (folder / "schema.json").string() + "' '" +
                              (folder / "documents.json").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  if (!HasFailure()) std::filesystem::remove_all(folder);
}
#endif

TEST(ConfigurationSchema, UnitsAndDefaultsStandInTheSchema) {
  const Json schema = Json::parse(ParameterRecording(read_root).json_schema("Experiment"));
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["title"], "Experiment");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], (Json{"name", "scene", "study"}));
  const Json& time_step = schema["properties"]["scene"]["properties"]["time_step"];
  EXPECT_EQ(time_step["description"], "of the integrator [s]");
  EXPECT_EQ(time_step["exclusiveMinimum"], 0);
  EXPECT_EQ(schema["properties"]["seed"]["default"], 1);
  EXPECT_EQ(schema["properties"]["study"]["enum"], (Json{"elastic_dynamics", "error_curves"}));
}

TEST(ConfigurationSchema, DescriptionsNamePathUnitRangeAndCondition) {
  const std::vector<ParameterDescription> all = ParameterRecording(read_root).descriptions();
  const auto find = [&](const std::string& path) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const ParameterDescription& d) { return d.path == path; });
    return found == all.end() ? ParameterDescription{} : *found;
  };
  EXPECT_EQ(all.front().path, "name");
  const ParameterDescription density = find("scene.bodies[].density");
  EXPECT_EQ(density.kind, "number");
  EXPECT_EQ(density.unit, "kg/m^3");
  EXPECT_EQ(density.range, "> 0");
  EXPECT_EQ(density.documentation, "mass per rest volume");
  EXPECT_EQ(density.condition, "study: elastic_dynamics");
  EXPECT_TRUE(density.required);
  EXPECT_EQ(find("scene.bodies[].mesh.radius").condition,
            "study: elastic_dynamics, scene.bodies[].mesh.shape, scene.bodies[].mesh.shape: sphere");
  EXPECT_EQ(find("scene.bodies[].material.poissons_ratio").range, "(-1, 0.5)");
  EXPECT_EQ(find("scene.bodies[].material.lame").range, "2 entries");
  EXPECT_EQ(find("scene.gravity").default_value, "[0, 0, -9.81]");
  EXPECT_EQ(find("study").range, "one of: elastic_dynamics, error_curves");
  EXPECT_EQ(find("seed").default_value, "1");
  EXPECT_FALSE(find("paper").required);
  EXPECT_EQ(find("scene").kind, "section");
}

TEST(ConfigurationSchema, RecordingReadsNothing) {
  bool recorded = false;
  ParameterRecording recording([&](Configuration& root) {
    recorded = root.recording();
    EXPECT_TRUE(root.has("anything"));
    EXPECT_TRUE(root.keys().empty());
    EXPECT_TRUE(root.file("mesh").empty());
    EXPECT_GT(root.number("v", {.minimum = 3, .minimum_excluded = true}), 3);
    EXPECT_EQ(root.text("choice", {.choices = {"a", "b"}}), "a");
    root.problem(root.location(), "not heard while recording");
    EXPECT_FALSE(root.has_problems());
  });
  EXPECT_TRUE(recorded);
}

}  // namespace
}  // namespace holo
