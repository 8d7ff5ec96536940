// The moving bodies of a report: what the page gets of their frames.
#include "rendered_report.h"

namespace holo {
namespace {

using namespace rendered_report;

TEST(ReportFrames, PositionsComeBackWithinTheStatedError) {
  for (std::size_t frame_count : {1, 2, 3, 40}) {
    const json scene = rendered(sample(frame_count))["scenes"][0], body = scene["bodies"][0];
    ASSERT_EQ(scene["times"].size(), frame_count);
    ASSERT_EQ(body["vertex_count"], used.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double minimum = body["positions"]["minimum"][axis], maximum = body["positions"]["maximum"][axis];
      const auto codes = animation_codes(body["positions"]["axes"][axis], used.size());
      ASSERT_EQ(codes.size(), frame_count * used.size());
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const double expected = position(used[i % used.size()], i / used.size())[axis];
        EXPECT_NEAR(value_of(codes[i], minimum, maximum), expected, (maximum - minimum) / 131068 * (1 + 1e-9))
            << "axis " << axis << ", entry " << i;
      }
    }
  }
}

TEST(ReportFrames, FieldsComeBackWithinTheStatedError) {
  const json scene = rendered(sample(25))["scenes"][0], field = scene["fields"][0];
  EXPECT_EQ(field["name"], "von_mises_stress");
  EXPECT_EQ(field["unit"], "Pa");
  EXPECT_EQ(field["missing"], 0);
  const double minimum = field["minimum"], maximum = field["maximum"];
  ASSERT_GT(maximum - minimum, 1e4);
  const auto codes = animation_codes(scene["bodies"][0]["fields"][0], used.size());
  ASSERT_EQ(codes.size(), 25 * used.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_NEAR(value_of(codes[i], minimum, maximum), stress(used[i % used.size()], i / used.size()),
                (maximum - minimum) / 131068 * (1 + 1e-9));
}

TEST(ReportFrames, TrianglesKeepTheirVerticesAndOrientation) {
  const json body = rendered(sample(1))["scenes"][0]["bodies"][0];
  std::vector<std::size_t> vertices;
  for (std::uint32_t entry : triangle_entries(body["triangles"])) vertices.push_back(used.at(entry));
  EXPECT_EQ(vertices, (std::vector<std::size_t>{6, 0, 2, 2, 0, 1, 4, 5, 6}));
}

TEST(ReportFrames, ValuesThatAreNotNumbersAreMissingNotZero) {
  const json scene = rendered(sample(3, [](std::size_t index, SceneFrame& frame) {
    if (index == 1) frame.fields[0][0] = std::numeric_limits<float>::quiet_NaN();
    if (index == 2) frame.fields[0][4] = std::numeric_limits<float>::infinity();
  }))["scenes"][0];
  EXPECT_EQ(scene["fields"][0]["missing"], 2);
  EXPECT_LT(scene["fields"][0]["maximum"], 2.1e4);  // infinity does not widen the range
  const auto codes = animation_codes(scene["bodies"][0]["fields"][0], used.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(codes[i] == 65535, i == used.size() + 1 || i == 2 * used.size() + 4) << i;
}

TEST(ReportFrames, ABodyWithoutAnyValueOfAFieldLacksIt) {
  const json scene = rendered(sample(2, [](std::size_t, SceneFrame& frame) {
    frame.fields[0].assign(vertex_count, std::numeric_limits<float>::quiet_NaN());
  }))["scenes"][0];
  EXPECT_EQ(scene["fields"][0]["missing"], 0);
  EXPECT_TRUE(scene["bodies"][0]["fields"][0].is_null());
}

TEST(ReportFrames, OneSpikeDoesNotSpoilTheColors) {
  const json field = rendered(sample(100, [](std::size_t index, SceneFrame& frame) {
    if (index == 50) frame.fields[0][0] = 1e9f;
  }))["scenes"][0]["fields"][0];
  EXPECT_EQ(field["maximum"], 1e9);
  EXPECT_LT(field["high"], 1e6);
}

// As many categories as are asked for; vertex v is of category v mod count, but for vertex 4, which is of none.
ReportData categories_sample(std::size_t count) {
  ReportData data = sample(3, [count](std::size_t, SceneFrame& frame) {
    for (std::size_t v = 0; v < vertex_count; ++v) frame.fields[0][v] = static_cast<float>(v % count);
    frame.fields[0][4] = std::nanf("");
  });
  for (std::size_t c = 0; c < count; ++c)
    data.scenes[0].scene.fields[0].categories.push_back({"kind " + std::to_string(c), Hue::teal});
  return data;
}

TEST(ReportFrames, CategoriesComeBackExactly) {
  for (const std::size_t count : {1, 2, 7, 300}) {
    const json scene = rendered(categories_sample(count))["scenes"][0], field = scene["fields"][0];
    ASSERT_EQ(field["categories"].size(), count);
    EXPECT_EQ(field["categories"][0]["name"], "kind 0");
    EXPECT_EQ(field["categories"][0]["hue"], "teal");
    EXPECT_EQ(field["missing"], 3);
    for (std::size_t c = 0; c < count; ++c)
      EXPECT_EQ(field["categories"][c]["occurs"], c < vertex_count && c != 3 && (c != 4 || count < 3)) << c << " of " << count;
    const auto codes = animation_codes(scene["bodies"][0]["fields"][0], used.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::size_t v = used[i % used.size()];
      if (v == 4)
        EXPECT_EQ(codes[i], 65535);
      else
        EXPECT_EQ(std::lround(value_of(codes[i], field["minimum"], field["maximum"])), long(v % count));
    }
  }
}

TEST(ReportFrames, ATraceKeepsItsVertexAlthoughNoTriangleHasIt) {
  ReportData data = sample(4);
  data.scenes[0].scene.bodies[0].traces = {{"wanted", 3, Hue::violet, true}, {"done", 2, Hue::red}};
  const json body = rendered(data)["scenes"][0]["bodies"][0], traces = body["traces"];
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[0], json({{"name", "wanted"}, {"entry", used.size()}, {"hue", "violet"}, {"reference", true}}));
  EXPECT_EQ(traces[1], json({{"name", "done"}, {"entry", 2}, {"hue", "red"}, {"reference", false}}));
  ASSERT_EQ(body["vertex_count"], used.size() + 1);
  const double minimum = body["positions"]["minimum"][2], maximum = body["positions"]["maximum"][2];
  const auto codes = animation_codes(body["positions"]["axes"][2], used.size() + 1);
  for (std::size_t frame = 0; frame < 4; ++frame)
    EXPECT_NEAR(value_of(codes[frame * (used.size() + 1) + used.size()], minimum, maximum), position(3, frame)[2],
                (maximum - minimum) / 131068 * (1 + 1e-9));
}

// A rod on a turntable, with an arrow along it.
TEST(ReportFrames, PosesAndGlyphsComeBackWithinTheStatedError) {
  const auto pose = [](std::size_t frame) {
    const double angle = 0.1 * static_cast<double>(frame);
    return std::array<double, 7>{std::cos(angle), std::sin(angle), 0.25, std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  };
  ReportData data;
  SceneClip& clip = data.scenes.emplace_back();
  clip.scene.bodies = {{.name = "rod",
                        .vertex_count = 3,
                        .triangles = {{0, 1, 2}},
                        .points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}},
                        .kind = "body",
                        .hue = Hue::blue,
                        .group = 0}};
  clip.scene.glyphs = {{.name = "force", .shape = GlyphShape::arrow, .kind = "load", .hue = Hue::red, .size = 0.5}};
  clip.scene.groups = {{"initial", {0, 3, 0}}};
  clip.frame_count = 20;
  clip.frame = [&](std::size_t index, SceneFrame& frame) {
    const std::array<double, 7> now = pose(index);
    frame.time = static_cast<double>(index);
    frame.poses.assign(now.begin(), now.end());
    frame.points = {0, 0, 0, now[0], now[1], now[2]};
  };
  const json scene = rendered(data)["scenes"][0], rigid = scene["rigid"], glyphs = scene["glyphs"];
  EXPECT_TRUE(scene["bodies"].empty());
  EXPECT_EQ(rigid["bodies"][0]["name"], "rod");
  EXPECT_EQ(rigid["bodies"][0]["hue"], "blue");
  EXPECT_EQ(rigid["bodies"][0]["points"], json({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}));
  EXPECT_EQ(glyphs["list"][0]["shape"], "arrow");
  EXPECT_EQ(glyphs["point_count"], 2);
  EXPECT_EQ(scene["groups"][0]["beside"], json({0, 3, 0}));
  const auto expect_near = [](const json& channels, std::size_t channel, std::size_t entries, std::size_t frame,
                              std::size_t entry, double expected) {
    const double minimum = channels["minimum"][channel], maximum = channels["maximum"][channel];
    const auto codes = animation_codes(channels["axes"][channel], entries);
    EXPECT_NEAR(value_of(codes[frame * entries + entry], minimum, maximum), expected, (maximum - minimum) / 131068 + 1e-7)
        << "channel " << channel << ", frame " << frame;
  };
  for (std::size_t frame = 0; frame < 20; ++frame) {
    for (std::size_t channel = 0; channel < 7; ++channel)
      expect_near(rigid["poses"], channel, 1, frame, 0, pose(frame)[channel]);
    for (std::size_t axis = 0; axis < 3; ++axis) expect_near(glyphs["points"], axis, 2, frame, 1, pose(frame)[axis]);
  }
}

TEST(ReportFrames, ASetOfVerticesKeepsItsVertices) {
  ReportData data = sample(2);
  data.scenes[0].scene.bodies[0].sets = {{"held", "fixed handle", {2, 3}, Hue::violet}};
  const json set = rendered(data)["scenes"][0]["bodies"][0]["sets"][0];
  EXPECT_EQ(set, json({{"name", "held"},
                       {"kind", "fixed handle"},
                       {"hue", "violet"},
                       {"entries", {2, used.size()}},
                       {"on_request", false}}));
}

TEST(ReportFrames, ASceneWithoutFramesIsKept) {
  const json scene = rendered(sample(0))["scenes"][0];
  EXPECT_EQ(scene["frame_count"], 0);
  EXPECT_TRUE(scene["times"].empty());
}

TEST(ReportFrames, AMotionlessBodyStaysWhereItIs) {
  const json body = rendered(sample(2, [](std::size_t, SceneFrame& frame) {
    for (std::size_t i = 0; i < frame.positions.size(); ++i) frame.positions[i] = 3 + static_cast<double>(i % 3);
  }))["scenes"][0]["bodies"][0];
  EXPECT_EQ(body["positions"]["minimum"], json({3, 4, 5}));
  EXPECT_EQ(body["positions"]["maximum"], json({3, 4, 5}));
}

TEST(ReportFrames, FramesAreLeftOutEvenlyToKeepThePageSmall) {
  const std::size_t all = render_report(sample(500), page_template).size();
  const ReportLimits limits{.page_bytes = all / 3};
  EXPECT_LE(render_report(sample(500), page_template, limits).size(), limits.page_bytes);
  const json scene = rendered(sample(500), limits)["scenes"][0];
  const std::vector<std::size_t> indices = scene["frame_indices"];
  EXPECT_EQ(scene["frame_count"], 500);
  ASSERT_GT(indices.size(), 20u);
  ASSERT_LT(indices.size(), 400u);
  EXPECT_EQ(indices.front(), 0u);
  EXPECT_EQ(indices.back(), 499u);
  const std::size_t stride = indices[1] - indices[0];
  for (std::size_t i = 0; i + 1 < indices.size(); ++i) {
    EXPECT_NEAR(scene["times"][i], 0.1 * static_cast<double>(indices[i]), 1e-12);
    const bool last = i + 2 == indices.size();
    EXPECT_TRUE(indices[i + 1] - indices[i] == stride || last) << i;
  }
}

TEST(ReportFrames, ALongClipIsNotEvenAskedForFramesThatItCannotKeep) {
  ReportData data = sample(100000);
  std::size_t asked = 0;
  auto frame = data.scenes[0].frame;
  data.scenes[0].frame = [&](std::size_t index, SceneFrame& into) {
    ++asked;
    frame(index, into);
  };
  render_report(data, page_template, {.page_bytes = 20000});
  EXPECT_GT(asked, 100u);
  EXPECT_LT(asked, 5000u);
}

}  // namespace
}  // namespace holo
