// The scene of an experiment with elastic bodies before it runs.
#include <nlohmann/json.hpp>

#include "small_runs.h"

namespace {

// Two bars: one with muscles and a subset, moved to height 1; the other with a handle; and two obstacles.
const std::string two_bars = R"yaml(name: bars
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.1
  bodies:
    - name: upper
      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 24}
      density: 1000
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      placement: {translate: [0, 0, 1]}
      subsets: {tip: {box: {min: [0.39, -9, -9]}}}
      muscles:
        width: 0.1
        list:
          - {name: spine, type: line, points: [{at: [0, 0.05, 0.05]}, {at: [0.4, 0.05, 0.05]}], segments: 2, activation: pull}
          - {name: hoop, type: ring, center: [0.2, 0.05, 0.05], axis: [1, 0, 0], radius: 0.03, segments: 3, activation: 50}
    - name: lower
      mesh: {shape: box, size: [0.2, 0.1, 0.1], elements: 24}
      density: 500
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      placement: {translate: [0, 0, 0.5]}
      handles: [{subset: {box: {max: [0.001, 9, 9]}}}]
  obstacles:
    - {name: ground, type: plane, point: [0, 0, 0.1]}
    - {name: ball, type: sphere, center: [1, 0, 0.5], radius: 0.1, motion: {type: linear, displacement: [0, 0, 1], duration: 1}}
signals:
  - {name: pull, type: formula, quantity: number, formula: "100"}
)yaml";

holo::StudyPreview preview_of(const std::string& yaml) {
  static const holo::PluginHost plugins;
  static const holo::StudyRegistry studies = holo::built_in_studies();
  holo::ConfigurationFile file = holo::ConfigurationFile::parse(yaml, "small.yaml");
  return holo::load_experiment(file, studies, plugins).plan.preview();
}

const holo::Table& table(const holo::StudyPreview& preview, const std::string& title) {
  for (const holo::Table& each : preview.tables)
    if (each.title == title) return each;
  throw std::runtime_error("no table " + title);
}

TEST(ElasticPreview, FrameFitsTheSceneWithAllBodiesAndObstacles) {
  const holo::StudyPreview preview = preview_of(two_bars);
  EXPECT_EQ(holo::misfit_of(preview.scene, preview.frame), "");
  ASSERT_EQ(preview.scene.bodies.size(), 4u);
  const char* names[] = {"upper", "lower", "ground", "ball"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(preview.scene.bodies[i].name, names[i]);
  EXPECT_EQ(preview.frame.time, 0);
  // The first body lies where its placement puts it.
  const std::size_t vertices = static_cast<std::size_t>(preview.scene.bodies[0].vertex_count);
  for (std::size_t v = 0; v < vertices; ++v) {
    EXPECT_GE(preview.frame.positions[3 * v + 2], 1 - 1e-12);
    EXPECT_LE(preview.frame.positions[3 * v + 2], 1.1 + 1e-12);
  }
}

TEST(ElasticPreview, MusclesAreSegmentsInThePlacedBodyAndOneColorEach) {
  const holo::StudyPreview preview = preview_of(two_bars);
  ASSERT_EQ(preview.scene.glyphs.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const holo::SceneGlyph& glyph = preview.scene.glyphs[i];
    EXPECT_EQ(glyph.shape, holo::GlyphShape::segment);
    EXPECT_EQ(glyph.name, i < 2 ? "upper.spine" : "upper.hoop");
    EXPECT_EQ(glyph.kind, i < 2 ? "muscle spine" : "muscle hoop");
    EXPECT_EQ(glyph.hue == preview.scene.glyphs[0].hue, i < 2);
  }
  const std::vector<double> ends = {0, 0.05, 1.05, 0.2, 0.05, 1.05, 0.2, 0.05, 1.05, 0.4, 0.05, 1.05};
  for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_NEAR(preview.frame.points[i], ends[i], 1e-12) << i;
}

TEST(ElasticPreview, SubsetsAndHandlesAreSetsOfTheirBodies) {
  const holo::StudyPreview preview = preview_of(two_bars);
  const holo::SceneBody& upper = preview.scene.bodies[0];
  const holo::SceneBody& lower = preview.scene.bodies[1];
  ASSERT_EQ(upper.sets.size(), 1u);
  EXPECT_EQ(upper.sets[0].name, "upper.tip");
  for (int v : upper.sets[0].vertices) EXPECT_NEAR(preview.frame.positions[3 * static_cast<std::size_t>(v)], 0.4, 1e-12);
  ASSERT_EQ(lower.sets.size(), 1u);
  EXPECT_EQ(lower.sets[0].kind, "fixed handle");
  const std::size_t first = static_cast<std::size_t>(upper.vertex_count);
  for (int v : lower.sets[0].vertices)
    EXPECT_NEAR(preview.frame.positions[3 * (first + static_cast<std::size_t>(v))], 0, 1e-12);
}

TEST(ElasticPreview, TablesHaveVolumeMassAndLengths) {
  const holo::StudyPreview preview = preview_of(two_bars);
  const holo::Table& bodies = table(preview, "Bodies");
  EXPECT_NEAR(std::get<double>(bodies.rows[0][3]), 0.004, 1e-12);
  EXPECT_NEAR(std::get<double>(bodies.rows[0][4]), 4, 1e-9);
  EXPECT_NEAR(std::get<double>(bodies.rows[1][4]), 1, 1e-9);
  EXPECT_EQ(std::get<std::string>(bodies.rows[0][5]), "0.4 x 0.1 x 0.1");
  const holo::Table& muscles = table(preview, "Muscles");
  EXPECT_NEAR(std::get<double>(muscles.rows[0][2]), 0.4, 1e-12);
  EXPECT_EQ(std::get<std::string>(muscles.rows[0][3]), "signal pull");
  EXPECT_EQ(std::get<std::string>(muscles.rows[1][3]), "50");
  EXPECT_EQ(table(preview, "Subsets and handles").rows.size(), 2u);
  const holo::Table& obstacles = table(preview, "Obstacles");
  EXPECT_EQ(std::get<std::string>(obstacles.rows[0][1]), "plane");
  EXPECT_EQ(std::get<std::string>(obstacles.rows[1][3]), "moves");
}

// An entry without weight is that of the observed position: the tip starts at [0.4, 0.05, 1.05].
TEST(ElasticPreview, TargetsOfPositionsAreDrawnAndThoseOfVelocitiesAreNot) {
  const holo::StudyPreview preview = preview_of(two_bars + R"yaml(losses:
  - {type: track_position, body: upper.tip, target: [0.5, 0, 0], weight: [3, 0, 0]}
  - {type: center_of_mass_velocity, body: upper, target: [1, 0, 0]}
  - {type: track_center_of_mass, body: lower, target: [0.1, 0.05, 0.75]}
)yaml");
  ASSERT_EQ(preview.scene.glyphs.size(), 5u + 4);
  EXPECT_EQ(preview.scene.glyphs[5].shape, holo::GlyphShape::ring);
  EXPECT_EQ(preview.scene.glyphs[6].shape, holo::GlyphShape::segment);
  EXPECT_EQ(preview.scene.glyphs[7].kind, "target of a loss");
  const auto point = [&](std::size_t i) {
    const auto begin = preview.frame.points.begin() + static_cast<std::ptrdiff_t>(30 + 3 * i);
    return std::vector<double>(begin, begin + 3);
  };
  const auto expect_near = [&](std::size_t i, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(point(i)[k], expected[k], 1e-9) << i;
  };
  // Center and axis of the ring, then the line from the observed position to the target.
  expect_near(0, {0.5, 0.05, 1.05});
  EXPECT_GT(point(1)[2], 1.05);
  expect_near(2, {0.4, 0.05, 1.05});
  expect_near(3, {0.5, 0.05, 1.05});
  expect_near(4, {0.1, 0.05, 0.75});
  expect_near(6, {0.1, 0.05, 0.55});
  const holo::Table& targets = table(preview, "Targets at the start");
  ASSERT_EQ(targets.rows.size(), 2u);
  EXPECT_NEAR(std::get<double>(targets.rows[0][3]), 0.1, 1e-9);
  EXPECT_EQ(std::get<std::string>(targets.rows[1][2]), "0.1, 0.05, 0.75");
}

// Both studies of elastic bodies draw the same scene.
TEST(ElasticPreview, ControlledBodiesAreDrawnAsThoseOfDynamics) {
  std::string controlled = holo_test::replaced(two_bars, "elastic_dynamics", "elastic_control");
  controlled = holo_test::replaced(controlled, "activation: pull", "activation: 0");
  controlled += "losses: [{type: track_position, body: upper.tip, target: [0.4, 0, 1]}]\n";
  const holo::StudyPreview dynamics = preview_of(two_bars), control = preview_of(controlled);
  EXPECT_EQ(dynamics.frame.positions, control.frame.positions);
  EXPECT_EQ(dynamics.frame.poses, control.frame.poses);
  EXPECT_GE(control.scene.glyphs.size(), dynamics.scene.glyphs.size());
}

}  // namespace
