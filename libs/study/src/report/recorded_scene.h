#pragma once
// A scene as the page will show it: the vertices that are drawn only, some of the frames only.

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "holo/study/report.h"

namespace holo::report {

// The recorded vertices of a deformable body, and what they are drawn with.
struct RecordedBody {
  std::size_t number = 0;                // in Scene::bodies
  std::size_t first_vertex = 0;          // among the vertices of all deformable bodies
  std::vector<int> used;                 // [entry] vertex of the body, in the order of the triangles, the traces, the sets
  std::size_t surface = 0;               // so many of these entries have triangles
  std::vector<std::uint32_t> triangles;  // [3 * triangle] entry
  std::vector<std::uint32_t> traces;     // [trace] entry
  std::vector<std::vector<std::uint32_t>> sets;  // [set][.] entry
  std::vector<float> positions;                  // [frame][entry][3]
  std::vector<std::vector<float>> fields;        // [field][frame][entry]
};

// The arrows of one list, frame after frame.
struct RecordedArrows {
  std::vector<std::size_t> counts;  // [frame]
  std::vector<float> values;        // [arrow][6]: position [m], vector
};

struct RecordedScene {
  const SceneClip* clip = nullptr;
  std::vector<std::size_t> frame_indices;  // of the run; evenly spaced but for the last
  std::vector<double> times;               // s
  std::vector<RecordedBody> bodies;        // the deformable ones
  std::vector<float> poses;                // [frame][rigid body][7]
  std::vector<float> points;               // [frame][glyph point][3]
  std::vector<RecordedArrows> arrows;      // [Scene::arrows]
};

// Asks the scene for as many frames as fit into `memory_bytes`. Checks them, see render_report().
RecordedScene record(const SceneClip& clip, std::size_t memory_bytes);

// Each `stride`-th recorded frame and the last one, as the page reads it.
nlohmann::json encode(const RecordedScene& recorded, std::size_t stride);

// 0, stride, 2 stride, ... and count - 1.
std::vector<std::size_t> strided_indices(std::size_t count, std::size_t stride);

}  // namespace holo::report
