#include "holo/sim/paraview.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>

#include "holo/core/error.h"

namespace holo {

namespace {

static_assert(std::endian::native == std::endian::little, "the header of a frame says LittleEndian");

constexpr std::size_t block_size = std::size_t(1) << 18;  // bytes compressed at a time

std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return out;
}

[[noreturn]] void refuse_frame(const std::string& text) { throw Error(Failure::internal, "ParaView frame: " + text); }

void append_number(std::string& out, std::uint64_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// [number of blocks, size of each, size of a shorter last one, compressed sizes..., compressed blocks...]
void append_compressed(std::string& out, std::string_view bytes) {
  const std::size_t blocks = (bytes.size() + block_size - 1) / block_size;
  append_number(out, blocks);
  append_number(out, block_size);
  append_number(out, bytes.size() % block_size);
  const std::size_t sizes_at = out.size();
  out.resize(sizes_at + blocks * sizeof(std::uint64_t));
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::string_view part = bytes.substr(block * block_size, block_size);
    const std::size_t start = out.size();
    uLongf size = compressBound(part.size());
    out.resize(start + size);
    if (compress2(reinterpret_cast<Bytef*>(out.data() + start), &size, reinterpret_cast<const Bytef*>(part.data()), part.size(),
                  Z_BEST_SPEED) != Z_OK)
      refuse_frame("zlib cannot compress a block (out of memory)");
    out.resize(start + size);
    const std::uint64_t compressed = size;
    std::memcpy(out.data() + sizes_at + block * sizeof compressed, &compressed, sizeof compressed);
  }
}

// The two halves of a .vtu: the XML description and the appended data that it points into.
class FrameWriter {
 public:
  void text(std::string_view line) { xml_ += line; }

  template <class T>
  void array(const char* type, const std::string& name, int components, std::span<const T> values) {
    xml_ += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                        type, escape(name), components, data_.size());
    append_compressed(data_, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  void fields(const char* element, const std::vector<ParaviewField>& fields, std::size_t count) {
    std::set<std::string> names;
    xml_ += fmt::format("<{}>\n", element);
    for (const ParaviewField& field : fields) {
      if (!names.insert(field.name).second) refuse_frame(fmt::format("the field '{}' is there twice", field.name));
      if (field.components < 1 || field.components > 9 || field.values.size() != count * field.components)
        refuse_frame(fmt::format("the field '{}' has {} values of {} components, {} are required", field.name,
                                 field.values.size(), field.components, count * field.components));
      array<double>("Float64", field.name, field.components, field.values);
    }
    xml_ += fmt::format("</{}>\n", element);
  }

  std::string finish() { return xml_ + "<AppendedData encoding=\"raw\">\n_" + data_ + "\n</AppendedData>\n</VTKFile>\n"; }

 private:
  std::string xml_;
  std::string data_;
};

// Adds the cells' vertices and their ends among these; refuses a vertex that is not there.
template <std::size_t count>
void append_cells(std::span<const std::array<int, count>> cells, std::size_t points, std::vector<std::int32_t>& corners,
                  std::vector<std::int64_t>& offsets) {
  for (const auto& cell : cells) {
    for (int corner : cell) {
      if (corner < 0 || static_cast<std::size_t>(corner) >= points)
        refuse_frame(fmt::format("vertex index {} of {} vertices", corner, points));
      corners.push_back(corner);
    }
    offsets.push_back(static_cast<std::int64_t>(corners.size()));
  }
}

}  // namespace

std::string paraview_frame(std::span<const double> positions, std::span<const std::array<int, 4>> tetrahedra,
                           const std::vector<ParaviewField>& point_fields, const std::vector<ParaviewField>& cell_fields,
                           std::span<const std::array<int, 3>> triangles) {
  if (positions.size() % 3 != 0) refuse_frame(fmt::format("{} coordinates, a multiple of 3 is required", positions.size()));
  const std::size_t points = positions.size() / 3, cells = tetrahedra.size() + triangles.size();
  std::vector<std::int32_t> corners;
  std::vector<std::int64_t> offsets;
  append_cells(tetrahedra, points, corners, offsets);
  append_cells(triangles, points, corners, offsets);
  std::vector<std::uint8_t> types(tetrahedra.size(), 10);  // VTK_TETRA
  types.resize(cells, 5);                                  // VTK_TRIANGLE

  FrameWriter frame;
  frame.text(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n");
  frame.text(fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", points, cells));
  frame.fields("PointData", point_fields, points);
  frame.fields("CellData", cell_fields, cells);
  frame.text("<Points>\n");
  frame.array<double>("Float64", "Points", 3, positions);
  frame.text("</Points>\n<Cells>\n");
  frame.array<std::int32_t>("Int32", "connectivity", 1, corners);
  frame.array<std::int64_t>("Int64", "offsets", 1, offsets);
  frame.array<std::uint8_t>("UInt8", "types", 1, types);
  frame.text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
  return frame.finish();
}

std::string paraview_collection(const std::vector<ParaviewFrameEntry>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const ParaviewFrameEntry& frame : frames)
    text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", frame.time, escape(frame.file));
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace holo
