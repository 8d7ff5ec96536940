#include "export/mesh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "export/frame_selection.h"
#include "holo/core/error.h"
#include "holo/sim/paraview.h"
#include "runs/paraview_scene.h"

namespace holo {

namespace {

std::string file_name(const RunFrames& frames, std::size_t number, const char* extension) {
  return fmt::format("frame_{}.{}", padded_number(number, frames.file.size()), extension);
}

template <class... Values>
void print_to(std::string& text, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(text), form, std::forward<Values>(values)...);
}

// A name as one word of a line.
std::string one_word(std::string name) {
  for (char& letter : name)
    if (static_cast<unsigned char>(letter) <= ' ') letter = '_';
  return name.empty() ? "body" : name;
}

// A name in gmsh's quotes.
std::string quoted(std::string name) {
  for (char& letter : name)
    if (letter == '"' || static_cast<unsigned char>(letter) < ' ') letter = '_';
  return "\"" + name + "\"";
}

// The vertices of each body in a frame: the deformable bodies' come first.
std::vector<std::size_t> first_vertices(const Scene& scene) {
  std::vector<std::size_t> first(scene.bodies.size());
  std::size_t next = 0;
  for (const bool is_rigid : {false, true})
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (scene.bodies[b].is_rigid() == is_rigid) {
        first[b] = next;
        next += std::size_t(scene.bodies[b].vertex_count);
      }
  return first;
}

std::string obj_of(const Scene& scene, const SceneFrame& frame) {
  const std::vector<double> places = places_of(scene, frame);
  const std::vector<std::size_t> first = first_vertices(scene);
  std::string text = fmt::format("# step {}, time {} s; lengths in m, z upwards\n", frame.step, frame.time);
  int vertices = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SceneBody& body = scene.bodies[b];
    if (body.triangles.empty()) continue;
    print_to(text, "o {}\n", one_word(body.name));
    std::vector<int> numbers(std::size_t(body.vertex_count), 0);  // in the file, from 1; 0: not on the surface
    for (const auto& corners : body.triangles)
      for (const int vertex : corners) {
        if (numbers[std::size_t(vertex)] > 0) continue;
        numbers[std::size_t(vertex)] = ++vertices;
        const double* x = places.data() + 3 * (first[b] + std::size_t(vertex));
        print_to(text, "v {} {} {}\n", x[0], x[1], x[2]);
      }
    for (const auto& [i, j, k] : body.triangles)
      print_to(text, "f {} {} {}\n", numbers[std::size_t(i)], numbers[std::size_t(j)], numbers[std::size_t(k)]);
  }
  return text;
}

// The vertices of a body's elements, in gmsh's order.
std::vector<std::vector<int>> gmsh_elements(const SceneBody& body) {
  std::vector<std::vector<int>> elements;
  if (!body.quadratic) {
    for (const auto& cell : body.tetrahedra) elements.emplace_back(cell.begin(), cell.end());
    return elements;
  }
  // Of the eight parts of an element the first four are at its corners. Gmsh exchanges the last two edges.
  for (std::size_t e = 0; e + 8 <= body.tetrahedra.size(); e += 8) {
    const auto* part = body.tetrahedra.data() + e;
    elements.push_back({part[0][0], part[1][1], part[2][2], part[3][3], part[0][1], part[1][2], part[0][2], part[0][3],
                        part[2][3], part[1][3]});
  }
  return elements;
}

// Writes a body as a volume of its own.
class MshWriter {
 public:
  void add(const SceneBody& body, const double* positions) {
    const std::vector<std::vector<int>> elements = gmsh_elements(body);
    const int tag = ++volumes_;
    print_to(names_, "3 {} {}\n", tag, quoted(body.name));
    print_to(nodes_, "3 {} 0 {}\n", tag, body.vertex_count);
    std::array<double, 3> low{0, 0, 0}, high{0, 0, 0};
    std::string coordinates;
    for (std::int64_t v = 0; v < body.vertex_count; ++v) {
      const double* x = positions + 3 * v;
      print_to(nodes_, "{}\n", node_count_ + v + 1);
      print_to(coordinates, "{} {} {}\n", x[0], x[1], x[2]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = v == 0 ? x[axis] : std::min(low[axis], x[axis]);
        high[axis] = v == 0 ? x[axis] : std::max(high[axis], x[axis]);
      }
    }
    nodes_ += coordinates;
    print_to(volumes_text_, "{} {} {} {} {} {} {} 1 {} 0\n", tag, low[0], low[1], low[2], high[0], high[1], high[2], tag);
    constexpr int linear = 4, quadratic = 11;  // gmsh's numbers of the types
    print_to(elements_, "3 {} {} {}\n", tag, body.quadratic ? quadratic : linear, elements.size());
    for (const std::vector<int>& element : elements) {
      print_to(elements_, "{}", ++element_count_);
      for (const int vertex : element) print_to(elements_, " {}", node_count_ + vertex + 1);
      elements_ += "\n";
    }
    node_count_ += body.vertex_count;
  }

  std::string text() const {
    return fmt::format(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n{0}\n{1}$EndPhysicalNames\n$Entities\n0 0 0 "
        "{0}\n{2}$EndEntities\n"
        "$Nodes\n{0} {3} 1 {3}\n{4}$EndNodes\n$Elements\n{0} {5} 1 {5}\n{6}$EndElements\n",
        volumes_, names_, volumes_text_, node_count_, nodes_, element_count_, elements_);
  }

 private:
  int volumes_ = 0;
  std::int64_t node_count_ = 0, element_count_ = 0;
  std::string names_, volumes_text_, nodes_, elements_;
};

}  // namespace

void write_vtu(const RunFrames& frames, ExportFolder& folder) {
  const ParaviewScene scene(frames.scene());
  std::vector<ParaviewFrameEntry> entries;
  for (const std::size_t number : frames.numbers) {
    const SceneFrame frame = frames.file.read(number);
    entries.push_back({frame.time, file_name(frames, number, "vtu")});
    folder.write(entries.back().file, scene.file_of(frame));
  }
  folder.write("frames.pvd", paraview_collection(entries));
}

void write_obj(const RunFrames& frames, ExportFolder& folder) {
  const auto has_surface = [](const SceneBody& body) { return !body.triangles.empty(); };
  if (std::none_of(frames.scene().bodies.begin(), frames.scene().bodies.end(), has_surface))
    throw Error(Failure::input, "--format obj: no body of the run has a surface");
  for (const std::size_t number : frames.numbers)
    folder.write(file_name(frames, number, "obj"), obj_of(frames.scene(), frames.file.read(number)));
}

void write_msh(const RunFrames& frames, ExportFolder& folder) {
  const auto has_elements = [](const SceneBody& body) { return !body.is_rigid() && !body.tetrahedra.empty(); };
  const std::vector<SceneBody>& bodies = frames.scene().bodies;
  if (std::none_of(bodies.begin(), bodies.end(), has_elements))
    throw Error(Failure::input, "--format msh: no body of the run has tetrahedra; obj has the surfaces of all bodies");
  const std::vector<std::size_t> first = first_vertices(frames.scene());
  for (const std::size_t number : frames.numbers) {
    const SceneFrame frame = frames.file.read(number);
    MshWriter writer;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (has_elements(bodies[b])) writer.add(bodies[b], frame.positions.data() + 3 * first[b]);
    folder.write(file_name(frames, number, "msh"), writer.text());
  }
}

}  // namespace holo
