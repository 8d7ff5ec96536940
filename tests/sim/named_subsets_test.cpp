// Named subsets of a body, which handles, loads and losses call by name.
#include <gtest/gtest.h>

#include "dynamics/loads/loads.h"
#include "holo/sim/elastic/observables/elastic_observables.h"
#include "scenes.h"
#include "two_part_bar.h"

namespace holo::test {
namespace {

struct NamedReading {
  ElasticSceneDefinition scene;
  std::string problems;
};

// Lines 8 and on.
NamedReading read_bar(const std::string& subsets, const std::string& rest = "") {
  const std::string yaml =
      "time_step: 1\nduration: 1\nbodies:\n  - name: bar\n    mesh: {shape: box, size: [1, 1, 1], elements: 6}\n    density: "
      "1\n"
      "    material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}\n    subsets: " +
      subsets + "\n" + rest;
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  NamedReading reading{read_elastic_scene(root, PluginHost({HOLO_BINARY_DIR "/plugins"}), ElementDifferentiation::compiled),
                       ""};
  for (ElasticBodyDefinition& body : reading.scene.bodies) body.mesh = two_part_bar;
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

const std::string all_kinds =
    "{tip: {box: {min: [1, -9, -9]}}, soft part: {group: left, of: elements}, end: {box: {min: [1, -9, -9]}, of: surface}}";

TEST(NamedSubsets, AreThoseThatTheirDefinitionsSelect) {
  const NamedReading reading = read_bar(all_kinds);
  ASSERT_EQ(reading.problems, "");
  const auto model = build(reading.scene);
  const ElasticBody& bar = model->bodies()[0];
  ASSERT_EQ(bar.subsets.size(), 3u);
  EXPECT_EQ(bar.subsets[1].name, "soft part");
  EXPECT_EQ(bar.subsets[1].elements, two_part_bar().groups[0].elements);
  EXPECT_TRUE(bar.subsets[0].elements.empty() && bar.subsets[2].elements.empty());
  EXPECT_EQ(bar.subsets[0].vertices, bar.subsets[2].vertices) << "the corners of the triangles of a face";
  for (const int v : bar.subsets[0].vertices) EXPECT_EQ(model->start_positions()[3 * v], 1);
  for (const int v : bar.subsets[1].vertices) EXPECT_LE(model->start_positions()[3 * v], 0.5);
}

TEST(NamedSubsets, HandlesAndLoadsTakeThemByName) {
  const NamedReading named = read_bar(all_kinds,
                                      "    handles: [{subset: {name: soft part}}]\n"
                                      "    loads:\n      - {type: force, force: [1, 0, 0], on: {name: tip}}\n"
                                      "      - {type: traction, traction: [1, 0, 0], on: {name: end}}\n"
                                      "      - {type: pressure, pressure: 1, on: {name: soft part}}\n");
  ASSERT_EQ(named.problems, "");
  const ElasticScene scene(named.scene);
  const auto& model = scene.model;
  const ElasticBody& bar = model->bodies()[0];
  ASSERT_EQ(scene.schedule.handles().size(), 1u);
  EXPECT_EQ(scene.schedule.handles()[0].vertices, bar.subsets[1].vertices);
  EXPECT_EQ(loaded_triangles(bar, bar.loads[0]), loaded_triangles(bar, bar.loads[1]));
  // The left half has five of its six faces on the surface; x = 0.5 is inside of the body.
  for (const auto& triangle : loaded_triangles(bar, bar.loads[2])) {
    double x = 0;
    for (const int v : triangle) {
      EXPECT_LE(model->start_positions()[3 * v], 0.5);
      x += model->start_positions()[3 * v];
    }
    EXPECT_LT(x, 1.5);
  }
}

TEST(NamedSubsets, LossesKnowThemByBodyAndName) {
  const ElasticNames names(read_bar(all_kinds).scene);
  EXPECT_EQ(names.names(HOLO_SUBJECT_BODY), (std::vector<std::string>{"bar", "bar.tip", "bar.soft part", "bar.end"}));
}

// ---- bad input
void expect_named_refused(const std::string& subsets, const std::string& rest, const std::string& place,
                          const std::string& part) {
  const NamedReading reading = read_bar(subsets, rest);
  std::string text = reading.problems;
  if (text.empty()) {
    try {
      build(reading.scene);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      text = error.what();
    }
  }
  EXPECT_EQ(text.find("bar.yaml:" + place + ": "), 0u) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(NamedSubsetsBadInput, UnknownNamesAreRefusedWithTheNearestAndTheList) {
  const std::string handle = "    handles: [{subset: {name: tpi}}]\n",
                    load = "    loads: [{type: force, force: [1, 0, 0], on: {name: tpi}}]\n";
  expect_named_refused(all_kinds, handle, "9:31",
                       "the body has no subset 'tpi' in its `subsets`; there are: tip, soft part, end. Did you mean 'tip'?");
  expect_named_refused(all_kinds, load, "9:56",
                       "the body has no subset 'tpi' in its `subsets`; there are: tip, soft part, end.");
  expect_named_refused("{}", handle, "9:31", "the body has no subset 'tpi' in its `subsets`; it has none.");
  expect_named_refused("{tip: {name: tip}}", "", "8:20", "needs one of the keys: box, sphere, half_space, group, surface, all");
}

TEST(NamedSubsetsBadInput, EmptySubsetsAreRefused) {
  const std::string fills = " of body 'bar', whose 45 vertices fill [0, 1] x [0, 0.25] x [0, 0.25] m.";
  expect_named_refused("{tip: {box: {min: [2, 0, 0]}}}", "", "8:20", "the subset 'tip' holds none of the vertices" + fills);
  expect_named_refused("{tip: {box: {max: [0, 9, 9]}, of: elements}}", "", "8:20",
                       "the subset 'tip' holds none of the elements" + fills);
  expect_named_refused("{tip: {sphere: {center: [0, 0, 0], radius: 0.01}, of: surface}}", "", "8:20",
                       "the subset 'tip' holds none of the triangles of the surface" + fills);
  expect_named_refused("{tip: {group: nothing, of: elements}}", "", "8:20", "holds none of the elements of body 'bar'");
}

TEST(NamedSubsetsBadInput, PartsThatTheirGroupDoesNotHave) {
  expect_named_refused("{tip: {group: lefd, of: elements}}", "", "8:20",
                       "bar.msh has no group 'lefd' of tetrahedra; its groups");
  expect_named_refused("{tip: {group: left, of: surface}}", "", "8:20", "bar.msh has no group 'left' of triangles; its groups");
  expect_named_refused("{tip: {group: left, dimension: 2, of: elements}}", "", "8:45",
                       "a subset `of: elements` needs a group of tetrahedra, of dimension 3; 2 was found.");
  expect_named_refused("{tip: {all: true, of: faces}}", "", "8:36", "must be one of: vertices, elements, surface");
  expect_named_refused("[{name: tip, subset: {all: true}}]", "", "8:14", "'bodies.0.subsets' must be a mapping");
  expect_named_refused("{tip: all}", "", "8:20", "'bodies.0.subsets.tip' must be a mapping, but the text 'all' was found.");
}

}  // namespace
}  // namespace holo::test
