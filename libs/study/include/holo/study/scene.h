#pragma once
// Scene of a run: bodies, glyphs and fields, and their state in each frame. Studies create it, frames.bin stores it, and the
// ParaView files and the report page show it.
//
//   Scene       what does not change: bodies, glyphs, fields
//   SceneFrame  one frame: vertices of deformable bodies, poses of rigid ones, points of glyphs, values of fields, arrows
//
// All lengths in m, z upwards. Every text may hold anything (a user wrote it): the page shows it as text, never as markup.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace holo {

// Colors of kinds of objects, which can be distinguished on light and dark pages.
enum class Hue { gray, green, red, blue, amber, violet, teal, pink };
std::string to_string(Hue hue);          // "gray"
Hue hue_named(const std::string& name);  // throws Error(input) with the names that there are

struct FieldCategory {
  std::string name = {};
  Hue hue = Hue::gray;
};

// A scalar at each vertex of the deformable bodies.
struct ScalarField {
  std::string name = {};           // "von_mises_stress"
  std::string unit = "1";          // "Pa"
  std::string documentation = {};  // one line
  // If not empty, the values are numbers of these categories, from 0.
  std::vector<FieldCategory> categories = {};
  double floor = 0;  // a field whose values differ by no more than this is drawn in one color: rounding, in `unit`
};

// A vector at each vertex of the deformable bodies. Only the ParaView files hold it.
struct VectorField {
  std::string name = {}, unit = "1", documentation = {};
};

// The path of a vertex over the whole clip, drawn as a line.
struct VertexTrace {
  std::string name = {};
  int vertex = 0;
  Hue hue = Hue::gray;
  bool reference = false;  // what another one is compared with: drawn wide and pale
};

// Vertices that are marked by a dot each, such as a handle's.
struct VertexSet {
  std::string name = {};
  std::string kind = {};  // stands in the legend: "handle"
  std::vector<int> vertices = {};
  Hue hue = Hue::gray;
  bool on_request = false;  // drawn while it is marked, or where the reader asks for it; frames.bin does not keep this
};

// A mesh. A deformable one has the positions of its vertices in each frame; a rigid one has `points` and a pose in each frame.
struct SceneBody {
  std::string name = {};
  std::int64_t vertex_count = 0;                    // all vertices; the page keeps those that something of the body uses
  std::vector<std::array<int, 4>> tetrahedra = {};  // for ParaView; the body's own vertices, from 0
  std::vector<std::array<int, 3>> triangles = {};   // what is drawn: its surface, oriented outwards
  std::vector<VertexTrace> traces = {};
  bool labeled = false;  // its name stands above it in the picture
  // Whether each eight of `tetrahedra` are those of a quadratic element, as linear_cells() of holo/sim makes them.
  bool quadratic = false;
  std::vector<VertexSet> sets = {};
  std::vector<std::array<double, 3>> points = {};  // of a rigid body: [vertex_count] in its own coordinates; else empty
  std::string kind = {};                           // of a rigid body: stands in the legend with `hue`
  Hue hue = Hue::gray;
  int group = -1;  // number of its group, -1: none

  bool is_rigid() const { return !points.empty(); }
};

enum class GlyphShape {
  marker,   // one point
  segment,  // two points: its ends
  arrow,    // two points: from, to
  ring      // two points: its center, and the end of its axis, which is as long as its radius
};

// A sign at points that each frame gives.
struct SceneGlyph {
  std::string name = {};
  GlyphShape shape = GlyphShape::marker;
  std::string kind = {};  // stands in the legend with `hue`
  Hue hue = Hue::gray;
  double size = 0;         // half the width of what is drawn [m]; 0: a thin line, or nothing in the place of a marker
  std::string trace = {};  // not empty: the path of its first point is drawn, and this stands in the legend
  bool reference = false;  // of the path, as for VertexTrace
  int group = -1;

  std::size_t point_count() const { return shape == GlyphShape::marker ? 1 : 2; }
};

// Arrows at vertices of the deformable bodies, such as forces of contact: in each frame at those that have one. The page draws
// them on request, all with one scale, which it states.
struct VertexArrows {
  std::string name = {};           // "contact_force"
  std::string unit = "1";          // of the vectors
  std::string documentation = {};  // one line
  Hue hue = Hue::gray;
};

struct VertexArrow {
  std::uint32_t vertex = 0;          // of all deformable bodies together
  std::array<float, 3> vector = {};  // finite
};

// A group of bodies and glyphs, such as one variant of a robot. Its name is shown above it.
struct SceneGroup {
  std::string name = {};
  std::array<double, 3> beside = {};  // added to what is drawn of it [m], unless the groups are overlaid
};

struct Scene {
  std::vector<SceneBody> bodies = {};
  std::vector<ScalarField> fields = {};
  std::vector<VectorField> vectors = {};
  std::vector<SceneGlyph> glyphs = {};
  std::vector<SceneGroup> groups = {};
  std::vector<VertexArrows> arrows = {};
  double length = 1;  // diagonal of the bounding box at the start [m]

  std::int64_t vertex_count() const;  // of the deformable bodies
  std::size_t rigid_count() const;    // rigid bodies
  std::size_t point_count() const;    // points of all glyphs
};

// The arrays run through the bodies (or glyphs) that they concern, one after the other.
struct SceneFrame {
  std::int64_t step = 0;
  double time = 0;                                    // [s], grows from frame to frame
  std::vector<double> positions = {};                 // [deformable vertex][3]
  std::vector<std::vector<float>> fields = {};        // [Scene::fields][deformable vertex]; NaN: missing there
  std::vector<std::vector<double>> vectors = {};      // [Scene::vectors][deformable vertex][3]; not kept in frames.bin
  std::vector<double> poses = {};                     // [rigid body][7]: position, unit quaternion (w, x, y, z)
  std::vector<double> points = {};                    // [glyph point][3]
  std::vector<std::vector<VertexArrow>> arrows = {};  // [Scene::arrows][.]
};

// The mismatch between a frame and the scene ("26 coordinates for 9 vertices"), or "". Vectors are not checked.
std::string misfit_of(const Scene& scene, const SceneFrame& frame);

// All positions [m], 3 numbers each: the vertices of deformable bodies, those of rigid ones in their poses, the points of
// glyphs.
std::vector<double> places_of(const Scene& scene, const SceneFrame& frame);

}  // namespace holo
