// Texts, numbers and templates of a report, and what is refused.
#include "rendered_report.h"

namespace holo {
namespace {

using namespace rendered_report;

TEST(ReportText, NothingInItCanEndTheScriptOrBecomeMarkup) {
  const std::string attack =
      "</script><img src=x onerror=alert(1)><!-- & \"quoted\" \\ \xE2\x80\xA8\xE2\x80\xA9 \x01 caf\xC3\xA9";
  ReportData data = sample(1);
  data.title = data.description = data.study = data.status = attack;
  data.notes = {attack};
  data.provenance = {{attack, attack}};
  data.marks = {{0.5, attack}};
  Scene& scene = data.scenes[0].scene;
  data.scenes[0].title = scene.bodies[0].name = scene.fields[0].name = scene.fields[0].unit = attack;
  data.scenes[0].scene.bodies[0].traces = {{attack, 0}};
  data.plots = {{attack, attack, {attack, attack}, {attack, attack}, {{attack, {1, 2}, {3, 4}}}}};
  data.acceptance = {{attack, attack, attack, Verdict::missed}};
  data.paper = {{attack, attack, attack, attack, Verdict::differs, attack}};
  data.tables = {{attack, attack, {{attack, attack}}, {{attack}}}};
  const std::string block = data_block(render_report(data, page_template));
  for (char c : block) EXPECT_TRUE(c >= ' ' && c <= '~' && c != '<' && c != '>' && c != '&') << static_cast<int>(c);
  const json parsed = json::parse(block);
  for (const json& text : {parsed["title"], parsed["notes"][0], parsed["provenance"][0][1], parsed["marks"][0]["label"],
                           parsed["scenes"][0]["bodies"][0]["name"], parsed["plots"][0]["series"][0]["name"],
                           parsed["acceptance"][0]["value"], parsed["paper"][0]["cause"], parsed["tables"][0]["rows"][0][0]})
    EXPECT_EQ(text, attack);
}

TEST(ReportText, BytesThatAreNotUtf8AreReplaced) {
  ReportData data;
  data.title =
      "a\xFF"
      "b";
  EXPECT_EQ(rendered(data)["title"],
            "a\xEF\xBF\xBD"
            "b");
}

TEST(ReportText, ThePlaceholderInATextIsNotFilledIn) {
  ReportData data;
  data.title = "HOLOMORPH_REPORT_DATA";
  EXPECT_EQ(rendered(data)["title"], "HOLOMORPH_REPORT_DATA");
}

TEST(ReportNumbers, WhatIsNotFiniteIsSaidInTablesAndAGapInPlots) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  ReportData data;
  data.plots = {{"p", "", {"x", "s"}, {"y", "m"}, {{"s", {0, 1, 2}, {nan, 2, infinity}}}}};
  data.tables = {{"t", "", {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}, {{nan, -infinity, 0.1, Verdict::not_attempted}}}};
  const json parsed = rendered(data), row = parsed["tables"][0]["rows"][0];
  EXPECT_EQ(parsed["plots"][0]["series"][0]["y"], json({nullptr, 2, nullptr}));
  EXPECT_EQ(row[0]["number"], "NaN");
  EXPECT_EQ(row[1]["number"], "-infinity");
  EXPECT_EQ(row[2], 0.1);
  EXPECT_EQ(row[3]["verdict"], "not_attempted");
}

TEST(ReportNumbers, CountsOverTimeAreDrawnAsSteps) {
  Plot counts;
  counts.series = {{.name = "iterations", .x = {0.1, 0.2}, .y = {4, 7}, .style = SeriesStyle::steps}};
  counts.x_is_time = true;
  ReportData data;
  data.plots = {counts};
  const json plot = rendered(data)["plots"][0];
  EXPECT_TRUE(plot["x_is_time"]);
  EXPECT_EQ(plot["series"][0]["style"], "steps");
  EXPECT_EQ(plot["series"][0]["y"], json({4, 7}));
}

TEST(ReportTemplate, AFileThatIsNoTemplateIsRefused) {
  for (const char* text : {"", "<html></html>", "HOLOMORPH_REPORT_DATA HOLOMORPH_REPORT_DATA"})
    EXPECT_HOLDS(message_of([&] { render_report({}, text); }, Failure::environment), "must hold HOLOMORPH_REPORT_DATA once");
}

TEST(ReportTemplate, IsFoundBesideTheBinaryOrNotAtAll) {
  const std::string built = HOLO_BINARY_DIR "/share/holo/report_template.html";
  const std::string found = find_report_template();
  if (std::filesystem::exists(built)) {
    EXPECT_EQ(std::filesystem::canonical(found), std::filesystem::canonical(built));
  } else {
    EXPECT_EQ(found, "");
  }
}

TEST(ReportBadInput, IsRefusedWithItsPlace) {
  ReportData data = sample(2);
  data.scenes[0].scene.bodies[0].triangles.push_back({0, 1, 7});
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "body 'body' has 7 vertices, but a triangle names vertex 7");
  data.scenes[0].scene.bodies[0].triangles.back() = {0, -1, 2};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "vertex -1");
  data = sample(2, [](std::size_t index, SceneFrame& frame) {
    if (index == 1) frame.positions[3 * 4 + 2] = std::nan("");
  });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1: the position of vertex 4 of body 'body' is not finite");
  data = sample(3, [](std::size_t, SceneFrame& frame) { frame.time = 1; });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1 is at 1 s, not after the 1 s of the one before it");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.positions.resize(18); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0: 18 coordinates for the 7 vertices of its deformable bodies");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.fields[0].pop_back(); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0: field 'von_mises_stress' has 6 values for the 7 vertices");
  data = sample(2, [](std::size_t index, SceneFrame& frame) {
    if (index == 1) frame.fields.clear();
  });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1: 0 fields, the scene names 1");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.poses.resize(7); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0: 7 numbers for the poses of 0 rigid bodies");
  data = sample(2);
  data.scenes[0].scene.glyphs = {{.name = "force", .shape = GlyphShape::arrow}};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0: 0 coordinates for the 2 points of its glyphs");
  data = sample(2);
  data.scenes[0].scene.bodies[0].traces = {{"path", 7}};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "body 'body' has 7 vertices, but the trace 'path' names vertex 7");
  data = sample(2);
  data.scenes[0].frame = {};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "2 frames, but nothing that gives them");
}

TEST(ReportBadInput, ANumberOfNoCategoryIsRefused) {
  for (const float wrong : {-1.0f, 2.0f, 0.5f, 1e30f}) {
    ReportData data = sample(2, [wrong](std::size_t index, SceneFrame& frame) {
      frame.fields[0].assign(vertex_count, 1);
      if (index == 1) frame.fields[0][2] = wrong;
    });
    data.scenes[0].scene.fields[0].categories = {{"passive", Hue::green}, {"actuator", Hue::red}};
    EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1: field 'von_mises_stress' is");
    EXPECT_HOLDS(message_of([&] { rendered(data); }), "at vertex 2 of body 'body'; its 2 categories are numbered from 0");
  }
}

TEST(ReportBadInput, AHueThatThereIsNotIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(hue_named(to_string(Hue::pink)), Hue::pink);
  EXPECT_HOLDS(message_of([] { hue_named("grene"); }, Failure::input),
               "no color is named 'grene'; there are: gray, green, red");
}

TEST(ReportBadInput, SeriesAndTablesMustFitTogether) {
  ReportData data;
  data.plots = {{"p", "", {}, {}, {{"s", {0, 1}, {2}}}}};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "plot 'p', series 's': 2 values of x, 1 of y");
  data.plots = {{"p", "", {}, {}, {{"s", {0, 2, 1}, {1, 2, 3}}}}};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "x falls from 2 to 1 at point 2");
  data.plots[0].series[0].style = SeriesStyle::points;
  EXPECT_NO_THROW(rendered(data));
  data.tables = {{"t", "", {{"a", ""}, {"b", ""}}, {{1.0, 2.0}, {1.0}}}};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "table 't': row 1 has 1 cells for 2 columns");
}

}  // namespace
}  // namespace holo
