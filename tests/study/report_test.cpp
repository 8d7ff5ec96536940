#include "holo/study/report.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "holo/core/error.h"

namespace holo {
namespace {

using nlohmann::json;

const std::string page_template = "<html><script>HOLOMORPH_REPORT_DATA</script></html>";

std::string data_block(const std::string& page) {
  const std::string head = "<html><script>", tail = "</script></html>";
  EXPECT_EQ(page.substr(0, head.size()), head);
  EXPECT_EQ(page.substr(page.size() - tail.size()), tail);
  return page.substr(head.size(), page.size() - head.size() - tail.size());
}

json rendered(const ReportData& data, const ReportLimits& limits = {}) {
  return json::parse(data_block(render_report(data, page_template, limits)));
}

// The reverse of what the page is sent, written from its description alone.
std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

std::string gunzip(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string result;
  int status = Z_OK;
  while (status == Z_OK) {
    char chunk[4096];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(chunk, sizeof chunk - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return result;
}

template <class Unsigned>
std::vector<Unsigned> differences(const json& text) {
  const std::string bytes = gunzip(from_base64(text.get<std::string>()));
  std::vector<Unsigned> numbers(bytes.size() / sizeof(Unsigned));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Unsigned zigzag = 0;
    for (std::size_t b = 0; b < sizeof(Unsigned); ++b)
      zigzag |=
          static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[b * numbers.size() + i])) << (8 * b));
    numbers[i] = static_cast<Unsigned>(zigzag % 2 ? ~(zigzag >> 1) : zigzag >> 1);
  }
  return numbers;
}

std::vector<std::uint16_t> animation_codes(const json& text, std::size_t entries) {
  std::vector<std::uint16_t> codes = differences<std::uint16_t>(text);
  for (std::size_t i = entries; i < codes.size(); ++i) {
    const int before = codes[i - entries], two_before = i >= 2 * entries ? codes[i - 2 * entries] : before;
    codes[i] = static_cast<std::uint16_t>(codes[i] + 2 * before - two_before);
  }
  return codes;
}

std::vector<std::uint32_t> triangle_entries(const json& text) {
  std::vector<std::uint32_t> indices = differences<std::uint32_t>(text);
  for (std::size_t i = 1; i < indices.size(); ++i) indices[i] += indices[i - 1];
  return indices;
}

double value_of(std::uint16_t code, double minimum, double maximum) { return minimum + (maximum - minimum) * code / 65534.0; }

// Vertex v of the sample at frame i. Coordinates of very different sizes, so that a range shared between axes would show.
std::array<float, 3> position(std::size_t vertex, std::size_t frame) {
  const double v = static_cast<double>(vertex), t = 0.1 * static_cast<double>(frame);
  return {static_cast<float>(100 * std::sin(v + t)), static_cast<float>(1e-3 * std::cos(3 * v - t)),
          static_cast<float>(v * t - 5)};
}

float stress(std::size_t vertex, std::size_t frame) {
  return static_cast<float>(1e4 * (1 + std::sin(static_cast<double>(vertex * frame))));
}

constexpr std::size_t vertex_count = 7;

// Seven vertices, of which the triangles use all but number 3.
ReportData sample(std::size_t frame_count, std::function<void(std::size_t, SceneFrame&)> spoil = {}) {
  Scene scene;
  scene.title = "sample";
  scene.bodies = {{.name = "body", .vertex_count = vertex_count, .triangles = {{6, 0, 2}, {2, 0, 1}, {4, 5, 6}}}};
  scene.fields = {{"von_mises_stress", "Pa"}};
  scene.frame_count = frame_count;
  scene.frame = [spoil](std::size_t index, SceneFrame& frame) {
    frame.time = 0.1 * static_cast<double>(index);
    frame.bodies.resize(1);
    frame.bodies[0].positions.resize(vertex_count);
    frame.bodies[0].fields.assign(1, std::vector<float>(vertex_count));
    for (std::size_t v = 0; v < vertex_count; ++v) {
      frame.bodies[0].positions[v] = position(v, index);
      frame.bodies[0].fields[0][v] = stress(v, index);
    }
    if (spoil) spoil(index, frame);
  };
  ReportData data;
  data.scenes.push_back(scene);
  return data;
}

const std::vector<std::size_t> used = {6, 0, 2, 1, 4, 5};  // in the order of the triangles

template <class Function>
std::string message_of(Function function, Failure expected = Failure::internal) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), expected);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

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
    if (index == 1) frame.bodies[0].fields[0][0] = std::numeric_limits<float>::quiet_NaN();
    if (index == 2) frame.bodies[0].fields[0][4] = std::numeric_limits<float>::infinity();
  }))["scenes"][0];
  EXPECT_EQ(scene["fields"][0]["missing"], 2);
  EXPECT_LT(scene["fields"][0]["maximum"], 2.1e4);  // infinity does not widen the range
  const auto codes = animation_codes(scene["bodies"][0]["fields"][0], used.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(codes[i] == 65535, i == used.size() + 1 || i == 2 * used.size() + 4) << i;
}

TEST(ReportFrames, AFieldOfNothingButNaNIsAllMissing) {
  const json scene = rendered(sample(2, [](std::size_t, SceneFrame& frame) {
    frame.bodies[0].fields[0].assign(vertex_count, std::numeric_limits<float>::quiet_NaN());
  }))["scenes"][0];
  EXPECT_EQ(scene["fields"][0]["missing"], 2 * used.size());
  for (std::uint16_t code : animation_codes(scene["bodies"][0]["fields"][0], used.size())) EXPECT_EQ(code, 65535);
}

TEST(ReportFrames, OneSpikeDoesNotSpoilTheColours) {
  const json field = rendered(sample(100, [](std::size_t index, SceneFrame& frame) {
    if (index == 50) frame.bodies[0].fields[0][0] = 1e9f;
  }))["scenes"][0]["fields"][0];
  EXPECT_EQ(field["maximum"], 1e9);
  EXPECT_LT(field["high"], 1e6);
}

TEST(ReportFrames, ABodyMayLackAField) {
  const json body =
      rendered(sample(2, [](std::size_t, SceneFrame& frame) { frame.bodies[0].fields.clear(); }))["scenes"][0]["bodies"][0];
  EXPECT_TRUE(body["fields"][0].is_null());
}

TEST(ReportFrames, ASceneWithoutFramesIsKept) {
  const json scene = rendered(sample(0))["scenes"][0];
  EXPECT_EQ(scene["frame_count"], 0);
  EXPECT_TRUE(scene["times"].empty());
}

TEST(ReportFrames, AMotionlessBodyStaysWhereItIs) {
  const json body = rendered(sample(2, [](std::size_t, SceneFrame& frame) {
    for (auto& p : frame.bodies[0].positions) p = {3, 4, 5};
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

TEST(ReportText, NothingInItCanEndTheScriptOrBecomeMarkup) {
  const std::string attack =
      "</script><img src=x onerror=alert(1)><!-- & \"quoted\" \\ \xE2\x80\xA8\xE2\x80\xA9 \x01 caf\xC3\xA9";
  ReportData data = sample(1);
  data.title = data.description = data.study = data.status = attack;
  data.notes = {attack};
  data.provenance = {{attack, attack}};
  data.marks = {{0.5, attack}};
  data.scenes[0].title = data.scenes[0].bodies[0].name = data.scenes[0].fields[0].name = data.scenes[0].fields[0].unit = attack;
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

TEST(ReportNumbers, NewtonIterationsAreStepsAgainstTime) {
  ReportData data;
  data.plots = {newton_iterations_plot({0.1, 0.2}, {4, 7})};
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
  data.scenes[0].bodies[0].triangles.push_back({0, 1, 7});
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "body 'body' has 7 vertices, but a triangle names vertex 7");
  data.scenes[0].bodies[0].triangles.back() = {0, -1, 2};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "vertex -1");
  data = sample(2, [](std::size_t index, SceneFrame& frame) {
    if (index == 1) frame.bodies[0].positions[4][2] = std::nanf("");
  });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1: the position of vertex 4 of body 'body' is not finite");
  data = sample(3, [](std::size_t, SceneFrame& frame) { frame.time = 1; });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 1 is at 1 s, not after the 1 s of the one before it");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.bodies[0].positions.pop_back(); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0 has 6 positions for the 7 vertices of body 'body'");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.bodies[0].fields[0].pop_back(); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "field 'von_mises_stress' has 6 values for the 7 vertices");
  data = sample(2, [](std::size_t index, SceneFrame& frame) {
    if (index == 1) frame.bodies[0].fields.clear();
  });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "unlike the frames before it");
  data = sample(2, [](std::size_t, SceneFrame& frame) { frame.bodies.clear(); });
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "frame 0 has 0 bodies, the scene 1");
  data = sample(2);
  data.scenes[0].frame = {};
  EXPECT_HOLDS(message_of([&] { rendered(data); }), "2 frames, but nothing that gives them");
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
