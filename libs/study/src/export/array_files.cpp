#include "export/array_files.h"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <functional>
#include <numeric>

#include "export/numpy_format.h"
#include "export/stored_zip.h"
#include "holo/core/error.h"

namespace holo {

namespace {

// An array [frame][...]: its name, its numbers' type, the shape of a frame's part, and the part itself.
struct FrameArray {
  std::string name, type;
  std::size_t item_size = 0;
  std::vector<std::size_t> shape;  // of a frame
  std::function<const void*(const SceneFrame& frame)> values;

  std::string header(std::size_t frames) const {
    std::vector<std::size_t> whole{frames};
    whole.insert(whole.end(), shape.begin(), shape.end());
    return npy_header(type, whole);
  }
  std::size_t frame_size() const { return std::accumulate(shape.begin(), shape.end(), item_size, std::multiplies<>()); }
};

FrameArray step_array() {
  return {"steps", "<i8", sizeof(std::int64_t), {}, [](const SceneFrame& frame) { return &frame.step; }};
}

// Of the bodies that the scene has.
std::vector<FrameArray> body_arrays(const Scene& scene) {
  std::vector<FrameArray> arrays;
  if (scene.vertex_count() > 0)
    arrays.push_back({"positions", "<f8", sizeof(double), {std::size_t(scene.vertex_count()), 3}, [](const SceneFrame& frame) {
                        return frame.positions.data();
                      }});
  if (scene.rigid_count() > 0)
    arrays.push_back(
        {"poses", "<f8", sizeof(double), {scene.rigid_count(), 7}, [](const SceneFrame& frame) { return frame.poses.data(); }});
  return arrays;
}

std::string identifier(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

std::vector<FrameArray> all_arrays(const Scene& scene) {
  std::vector<FrameArray> arrays{step_array(),
                                 {"times", "<f8", sizeof(double), {}, [](const SceneFrame& frame) { return &frame.time; }}};
  for (FrameArray& array : body_arrays(scene)) arrays.push_back(std::move(array));
  if (scene.point_count() > 0)
    arrays.push_back({"glyph_points", "<f8", sizeof(double), {scene.point_count(), 3}, [](const SceneFrame& frame) {
                        return frame.points.data();
                      }});
  for (std::size_t f = 0; f < scene.fields.size(); ++f)
    arrays.push_back({"field_" + identifier(scene.fields[f].name),
                      "<f4",
                      sizeof(float),
                      {std::size_t(scene.vertex_count())},
                      [f](const SceneFrame& frame) { return frame.fields[f].data(); }});
  return arrays;
}

// An array that does not depend on the frame, header included.
struct FixedArray {
  std::string name, bytes;
};

template <class T>
FixedArray fixed_array(const std::string& name, const std::string& type, const std::vector<T>& values, std::size_t width = 1) {
  std::vector<std::size_t> shape{values.size() / width};
  if (width > 1) shape.push_back(width);
  std::string bytes = npy_header(type, shape);
  if (!values.empty()) bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return {name, bytes};
}

// Deformable or rigid bodies: names, first vertices, and cells whose vertices run through all of them.
struct BodyTopology {
  std::vector<std::string> names;
  std::vector<std::int64_t> first_vertices{0};
  std::vector<std::int32_t> tetrahedra, triangles;
  std::vector<double> points;

  BodyTopology(const Scene& scene, bool is_rigid) {
    for (const SceneBody& body : scene.bodies) {
      if (body.is_rigid() != is_rigid) continue;
      const auto first = static_cast<std::int32_t>(first_vertices.back());
      for (const auto& cell : body.tetrahedra)
        for (const int vertex : cell) tetrahedra.push_back(first + vertex);
      for (const auto& cell : body.triangles)
        for (const int vertex : cell) triangles.push_back(first + vertex);
      for (const auto& point : body.points) points.insert(points.end(), point.begin(), point.end());
      names.push_back(body.name);
      first_vertices.push_back(first_vertices.back() + body.vertex_count);
    }
  }
};

std::vector<FixedArray> topology(const Scene& scene) {
  const BodyTopology deformable(scene, false), rigid(scene, true);
  std::vector<std::string> fields, units, glyphs;
  for (const ScalarField& field : scene.fields) fields.push_back(field.name), units.push_back(field.unit);
  std::vector<std::int64_t> first_points{0};
  for (const SceneGlyph& glyph : scene.glyphs) {
    glyphs.push_back(glyph.name);
    first_points.push_back(first_points.back() + std::int64_t(glyph.point_count()));
  }
  return {{"body_names", npy_texts(deformable.names)},
          fixed_array("body_first_vertices", "<i8", deformable.first_vertices),
          fixed_array("tetrahedra", "<i4", deformable.tetrahedra, 4),
          fixed_array("triangles", "<i4", deformable.triangles, 3),
          {"rigid_names", npy_texts(rigid.names)},
          fixed_array("rigid_first_vertices", "<i8", rigid.first_vertices),
          fixed_array("rigid_points", "<f8", rigid.points, 3),
          fixed_array("rigid_triangles", "<i4", rigid.triangles, 3),
          {"glyph_names", npy_texts(glyphs)},
          fixed_array("glyph_first_points", "<i8", first_points),
          {"field_names", npy_texts(fields)},
          {"field_units", npy_texts(units)}};
}

}  // namespace

void write_npy(const RunFrames& frames, ExportFolder& folder) {
  std::vector<FrameArray> arrays = body_arrays(frames.scene());
  arrays.insert(arrays.begin(), step_array());
  for (const FrameArray& array : arrays) {
    const std::filesystem::path path = folder.begin_file(array.name + ".npy");
    std::ofstream file(path, std::ios::binary);
    const std::string header = array.header(frames.numbers.size());
    file.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (const std::size_t number : frames.numbers) {
      const SceneFrame frame = frames.file.read(number);
      file.write(static_cast<const char*>(array.values(frame)), static_cast<std::streamsize>(array.frame_size()));
    }
    file.flush();
    if (!file) throw Error(Failure::environment, fmt::format("{}: cannot be written; the disk may be full", path.string()));
  }
}

void write_npz(const RunFrames& frames, ExportFolder& folder) {
  StoredZip zip(folder.begin_file("run.npz"));
  for (const FrameArray& array : all_arrays(frames.scene())) {
    const std::string header = array.header(frames.numbers.size());
    zip.begin(array.name + ".npy", header.size() + frames.numbers.size() * array.frame_size());
    zip.append(header.data(), header.size());
    for (const std::size_t number : frames.numbers) {
      const SceneFrame frame = frames.file.read(number);
      zip.append(array.values(frame), array.frame_size());
    }
  }
  for (const FixedArray& array : topology(frames.scene())) {
    zip.begin(array.name + ".npy", array.bytes.size());
    zip.append(array.bytes.data(), array.bytes.size());
  }
  zip.finish();
}

}  // namespace holo
