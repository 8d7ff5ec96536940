#include "holo/study/frames_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "holo/core/runs/run_folder.h"
#include "temporary_folder.h"

namespace holo {
namespace {

Scene two_bodies() {
  Scene layout;
  layout.length = 2.5;
  layout.bodies = {{"left", 4, {{0, 1, 2, 3}}, {{0, 2, 1}}}, {"right", 5, {{0, 1, 2, 3}, {1, 2, 3, 4}}, {}}};
  layout.fields = {{"von_mises_stress", "Pa", "of the Cauchy stress"}};
  return layout;
}

SceneFrame frame(std::int64_t step) {
  SceneFrame result{step, 0.1 * static_cast<double>(step), std::vector<double>(27), {std::vector<float>(9)}};
  for (std::size_t i = 0; i < 27; ++i) result.positions[i] = 1.0 / 3 + static_cast<double>(i) + static_cast<double>(step);
  for (std::size_t i = 0; i < 9; ++i) result.fields[0][i] = static_cast<float>(i) / 7;
  return result;
}

class FramesFileTest : public testing::Test {
 protected:
  void write(const std::string& bytes) { write_whole_file(path_, bytes); }
  std::string refusal() {
    try {
      FramesFile file(path_);
      for (std::size_t i = 0; i < file.size(); ++i) file.read(i);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      return error.what();
    }
    return "";
  }

  holo_test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "frames.bin";
  Scene layout_ = two_bodies();
};

TEST_F(FramesFileTest, ReadsWhatWasWrittenBitForBit) {
  write(frames_file_header(layout_) + frame_record(layout_, frame(0)) + frame_record(layout_, frame(7)));
  FramesFile file(path_);
  ASSERT_EQ(file.size(), 2u);
  EXPECT_EQ(file.scene().bodies[1].name, "right");
  EXPECT_EQ(file.scene().bodies[1].tetrahedra, layout_.bodies[1].tetrahedra);
  EXPECT_EQ(file.scene().length, 2.5);
  EXPECT_EQ(file.scene().fields[0].unit, "Pa");
  SceneFrame read = file.read(1);
  EXPECT_EQ(read.step, 7);
  EXPECT_EQ(read.time, frame(7).time);
  EXPECT_EQ(read.positions, frame(7).positions);
  EXPECT_EQ(read.fields, frame(7).fields);
  EXPECT_EQ(file.head(1).step, 7);
}

// A rigid body, an arrow and a marker beside the two deformable bodies.
TEST_F(FramesFileTest, KeepsPosesAndGlyphsBitForBit) {
  layout_.groups = {{"initial", {}}, {"optimized", {1, 2, 3}}};
  layout_.bodies.insert(layout_.bodies.begin() + 1, {.name = "rod",
                                                     .vertex_count = 3,
                                                     .triangles = {{0, 1, 2}},
                                                     .points = {{0, 0, 0}, {1, 0, 0}, {0, 1.0 / 3, 0}},
                                                     .kind = "body",
                                                     .hue = Hue::blue,
                                                     .group = 1});
  layout_.glyphs = {{.name = "force", .shape = GlyphShape::arrow, .kind = "load", .hue = Hue::red, .size = 0.1, .group = 0},
                    {.name = "tip", .size = 0.2, .trace = "path", .reference = true}};
  layout_.bodies.back().sets = {{"handle", "fixed handle", {0, 4}, Hue::violet}};
  layout_.vectors = {{"velocity", "m/s", "of the vertices"}};
  SceneFrame first = frame(3);
  for (int i = 0; i < 7; ++i) first.poses.push_back(1.0 / (i + 3));
  for (int i = 0; i < 9; ++i) first.points.push_back(1.0 / (i + 7));
  write(frames_file_header(layout_) + frame_record(layout_, first) + frame_record(layout_, first));
  const FramesFile file(path_);
  ASSERT_EQ(file.size(), 2u);
  EXPECT_EQ(file.read(1).poses, first.poses);
  EXPECT_EQ(file.read(1).points, first.points);
  EXPECT_EQ(file.read(1).positions, first.positions);
  EXPECT_EQ(file.read(1).fields, first.fields);
  const SceneBody& rod = file.scene().bodies.at(1);
  EXPECT_EQ(rod.points, layout_.bodies[1].points);
  EXPECT_EQ(rod.kind, "body");
  EXPECT_EQ(rod.hue, Hue::blue);
  EXPECT_EQ(rod.group, 1);
  EXPECT_EQ(file.scene().groups.at(1).beside, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(file.scene().bodies.back().sets.at(0).vertices, (std::vector<int>{0, 4}));
  EXPECT_EQ(file.scene().vectors.at(0).unit, "m/s");
  ASSERT_EQ(file.scene().glyphs.size(), 2u);
  EXPECT_EQ(file.scene().glyphs[0].shape, GlyphShape::arrow);
  EXPECT_EQ(file.scene().glyphs[0].size, 0.1);
  EXPECT_EQ(file.scene().glyphs[1].trace, "path");
  EXPECT_TRUE(file.scene().glyphs[1].reference);
}

// Records with arrows differ in size: two arrows in the first frame, none in the second, one in the third.
TEST_F(FramesFileTest, KeepsArrowsAtVerticesBitForBit) {
  layout_.arrows = {{"contact_force", "N", "on a vertex", Hue::green}};
  std::string bytes = frames_file_header(layout_);
  EXPECT_EQ(bytes.substr(0, 8), "HOLOFRM3");
  const std::vector<std::vector<VertexArrow>> arrows = {{{0, {1, 2, 1.0f / 3}}, {8, {-1, 0, 0}}}, {}, {{5, {0, 1e-30f, 0}}}};
  for (std::size_t i = 0; i < 3; ++i) {
    SceneFrame with_arrows = frame(static_cast<std::int64_t>(i));
    with_arrows.arrows = {arrows[i]};
    bytes += frame_record(layout_, with_arrows);
  }
  for (const std::size_t cut : {0, 1, 40}) {
    write(bytes.substr(0, bytes.size() - cut));
    const FramesFile file(path_);
    ASSERT_EQ(file.size(), cut == 0 ? 3u : 2u) << "a record that is not whole is not counted";
    EXPECT_EQ(file.scene().arrows.at(0).name, "contact_force");
    EXPECT_EQ(file.scene().arrows.at(0).hue, Hue::green);
    for (std::size_t i = 0; i < file.size(); ++i) {
      const SceneFrame read = file.read(i);
      EXPECT_EQ(file.head(i).step, static_cast<std::int64_t>(i));
      EXPECT_EQ(read.positions, frame(static_cast<std::int64_t>(i)).positions);
      EXPECT_EQ(read.fields, frame(static_cast<std::int64_t>(i)).fields);
      ASSERT_EQ(read.arrows.at(0).size(), arrows[i].size());
      for (std::size_t k = 0; k < arrows[i].size(); ++k) {
        EXPECT_EQ(read.arrows[0][k].vertex, arrows[i][k].vertex);
        EXPECT_EQ(read.arrows[0][k].vector, arrows[i][k].vector);
      }
    }
  }
}

TEST_F(FramesFileTest, ArrowAtAVertexThatIsNotThereIsRefused) {
  layout_.arrows = {{"contact_force", "N"}};
  SceneFrame wrong = frame(0);
  EXPECT_THROW(frame_record(layout_, wrong), Error);
  wrong.arrows = {{{9, {1, 0, 0}}}};
  EXPECT_THROW(frame_record(layout_, wrong), Error);
  wrong.arrows = {{{8, {1, 0, 0}}}};
  EXPECT_NO_THROW(frame_record(layout_, wrong));
}

// Any byte of a record that changed is found by its checksum, or ends the list of whole records.
TEST_F(FramesFileTest, DamagedArrowsAreRefusedOrNotCounted) {
  layout_.arrows = {{"contact_force", "N"}};
  SceneFrame with_arrows = frame(0);
  with_arrows.arrows = {{{3, {1, 0, 0}}}};
  const std::string header = frames_file_header(layout_), record = frame_record(layout_, with_arrows);
  for (std::size_t at = 0; at < record.size(); ++at) {
    std::string damaged = record;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write(header + damaged);
    if (FramesFile(path_).size() == 1) {
      EXPECT_NE(refusal(), "") << at;
    }
  }
}

// A quarter turn about z takes (1, 0, 0) to (0, 1, 0).
TEST(ScenePlaces, ARigidBodyIsWhereItsPosePutsIt) {
  Scene scene;
  scene.bodies = {{.name = "rod", .vertex_count = 2, .points = {{0, 0, 0}, {1, 0, 0}}}, {.name = "point", .vertex_count = 1}};
  scene.glyphs = {{.name = "tip"}};
  const double half = std::sqrt(0.5);
  SceneFrame frame;
  frame.positions = {7, 8, 9};
  frame.poses = {1, 2, 3, half, 0, 0, half};
  frame.points = {4, 5, 6};
  const std::vector<double> places = places_of(scene, frame), expected = {7, 8, 9, 1, 2, 3, 1, 3, 3, 4, 5, 6};
  ASSERT_EQ(places.size(), expected.size());
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_NEAR(places[i], expected[i], 1e-15) << i;
}

TEST_F(FramesFileTest, KeepsCategoriesTracesAndLabels) {
  layout_.fields[0].categories = {{"passive", Hue::green}, {"actuator", Hue::red}};
  layout_.bodies[1].traces = {{"path", 4, Hue::violet, true}};
  layout_.bodies[1].labeled = true;
  write(frames_file_header(layout_));
  const Scene read = FramesFile(path_).scene();
  ASSERT_EQ(read.fields[0].categories.size(), 2u);
  EXPECT_EQ(read.fields[0].categories[1].name, "actuator");
  EXPECT_EQ(read.fields[0].categories[1].hue, Hue::red);
  EXPECT_FALSE(read.bodies[0].labeled);
  EXPECT_TRUE(read.bodies[0].traces.empty());
  EXPECT_TRUE(read.bodies[1].labeled);
  ASSERT_EQ(read.bodies[1].traces.size(), 1u);
  EXPECT_EQ(read.bodies[1].traces[0].name, "path");
  EXPECT_EQ(read.bodies[1].traces[0].vertex, 4);
  EXPECT_EQ(read.bodies[1].traces[0].hue, Hue::violet);
  EXPECT_TRUE(read.bodies[1].traces[0].reference);
}

TEST_F(FramesFileTest, LastRecordThatIsNotWholeIsNotCounted) {
  std::string bytes = frames_file_header(layout_) + frame_record(layout_, frame(0)) + frame_record(layout_, frame(1));
  bytes.pop_back();
  write(bytes);
  EXPECT_EQ(FramesFile(path_).size(), 1u);
}

TEST_F(FramesFileTest, FrameOfAnotherLayoutIsRefused) {
  SceneFrame wrong = frame(0);
  wrong.positions.pop_back();
  EXPECT_THROW(frame_record(layout_, wrong), Error);
}

using FramesFileBadInput = FramesFileTest;

TEST_F(FramesFileBadInput, ChangedByteIsFound) {
  std::string bytes = frames_file_header(layout_) + frame_record(layout_, frame(0));
  bytes[bytes.size() - 40] ^= 1;
  write(bytes);
  EXPECT_NE(refusal().find("frame 0 is damaged"), std::string::npos) << refusal();
}

TEST_F(FramesFileBadInput, OtherFilesAreRefusedByName) {
  for (const std::string& bytes :
       {std::string(), std::string("HOLO"), std::string(100, 'x'), frames_file_header(layout_).substr(0, 40),
        "HOLOFRM2" + std::string(8, '\xff') + "{}", "HOLOFRM2" + std::string("\2\0\0\0\0\0\0\0", 8) + "[]"}) {
    write(bytes);
    EXPECT_NE(refusal().find("frames.bin"), std::string::npos) << "'" << bytes.substr(0, 20) << "' was taken";
  }
}

TEST_F(FramesFileBadInput, AColorThatThereIsNotIsToldByItsName) {
  layout_.fields[0].categories = {{"passive", Hue::green}};
  std::string bytes = frames_file_header(layout_);
  bytes.replace(bytes.find("\"green\""), 7, "\"grene\"");
  write(bytes);
  EXPECT_NE(refusal().find("its header is damaged (no color is named 'grene'"), std::string::npos) << refusal();
}

TEST_F(FramesFileBadInput, AFileOfTheVersionBeforeIsRefusedWithWhatToDo) {
  write("HOLOFRM1" + frames_file_header(layout_).substr(8));
  const std::string text = refusal();
  EXPECT_EQ(text.rfind(path_.string(), 0), 0u) << text;
  EXPECT_NE(text.find("of version 1, which this program does not read (it reads versions 2 and 3): run the experiment again"),
            std::string::npos)
      << text;
}

TEST_F(FramesFileBadInput, MissingFile) { EXPECT_NE(refusal().find("cannot be read"), std::string::npos); }

// A file of somebody else's making must not stop the program.
TEST_F(FramesFileTest, LayoutsThatNoRunWritesAreBadInput) {
  const auto refused = [&](const std::string& part, const std::function<void(Scene&)>& change) {
    Scene layout = two_bodies();
    change(layout);
    write(frames_file_header(layout) + std::string(500, '\0'));
    const std::string text = refusal();
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    EXPECT_EQ(text.rfind(path_.string(), 0), 0u) << text;
  };
  for (std::int64_t count :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 61, std::numeric_limits<std::int64_t>::max()})
    refused(std::to_string(count) + " vertices", [&](Scene& layout) {
      layout.bodies[0].vertex_count = count;
      layout.fields.clear();
    });
  refused("triangle names vertex 4", [](Scene& layout) { layout.bodies[0].triangles = {{0, 1, 4}}; });
  refused("triangle names vertex -1", [](Scene& layout) { layout.bodies[0].triangles = {{0, -1, 2}}; });
  refused("tetrahedron names vertex 9", [](Scene& layout) { layout.bodies[0].tetrahedra = {{0, 1, 2, 9}}; });
  refused("the trace 'tip' names vertex 5", [](Scene& layout) { layout.bodies[1].traces = {{"tip", 5}}; });
  refused("the set 'held' names vertex 6", [](Scene& layout) { layout.bodies[1].sets = {{"held", "", {6}}}; });
  refused("has 4 vertices, but 1 points", [](Scene& layout) { layout.bodies[0].points = {{0, 0, 0}}; });
  refused("'tip' is of group 2, of 0 groups", [](Scene& layout) { layout.glyphs = {{.name = "tip", .group = 2}}; });
  refused("names no body", [](Scene& layout) { layout.bodies.clear(); });
  refused("length of its scene is -1", [](Scene& layout) { layout.length = -1; });
}

}  // namespace
}  // namespace holo
