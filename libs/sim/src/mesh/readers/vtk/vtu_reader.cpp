// VTU: VTK's XML file of an unstructured grid. Several pieces are joined; their arrays must be the same in all of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <set>

#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"
#include "mesh/readers/vtk/arrays.h"
#include "mesh/readers/vtk/cells.h"
#include "mesh/readers/vtk/vtu_data.h"

namespace holo {

namespace {

class VtuReader {
 public:
  VtuReader(const std::string& file, std::string_view bytes) : scanner_(file, bytes) {}

  TetrahedralMesh read() {
    parse();
    const VtuData data(scanner_, encoding_);
    const pugi::xml_node root = document_.child("VTKFile");
    if (!root) scanner_.fail_at(0, "the root element 'VTKFile' is missing");
    const std::string_view type = root.attribute("type").value();
    if (type != "UnstructuredGrid") data.fail(root, fmt::format("the type is {}; 'UnstructuredGrid' is allowed", shown(type)));
    const VtuData arrays(scanner_, read_encoding(root, data));
    const pugi::xml_node grid = root.child("UnstructuredGrid");
    if (!grid) data.fail(root, "the element 'UnstructuredGrid' is missing");
    if (!grid.child("Piece")) data.fail(grid, "the element 'Piece' is missing");
    std::int64_t cells = 0;
    for (const pugi::xml_node piece : grid.children("Piece")) cells += read_piece(piece, arrays, cells);
    add_vtk_arrays(arrays_, cells_, scanner_, mesh_);
    return std::move(mesh_);
  }

 private:
  // Appended raw data are no XML: the text is cut after the element's start and closed again.
  void parse() {
    const std::string_view bytes = scanner_.bytes();
    const std::size_t appended = bytes.find("<AppendedData");
    std::string text(bytes.substr(0, appended));
    if (appended != std::string_view::npos) {
      const std::size_t tag_end = bytes.find('>', appended);
      const std::size_t start = tag_end == std::string_view::npos ? tag_end : bytes.find_first_not_of(" \t\r\n", tag_end + 1);
      if (start == std::string_view::npos || bytes[start] != '_')
        scanner_.fail_at(appended, "AppendedData: its data must begin with '_'");
      encoding_.appended = bytes.substr(start + 1);
      text += bytes.substr(appended, tag_end + 1 - appended);
      if (text.ends_with("/>")) text.replace(text.size() - 2, 2, ">");
      text += "</AppendedData></VTKFile>";
    }
    const pugi::xml_parse_result result =
        document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
      scanner_.fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                       fmt::format("not well-formed XML ({})", result.description()));
  }

  VtuEncoding read_encoding(const pugi::xml_node& root, const VtuData& data) {
    VtuEncoding encoding = encoding_;
    const auto choose = [&](const pugi::xml_node& node, const char* name, const char* fallback,
                            std::initializer_list<std::string_view> allowed) {
      const std::string value = node.attribute(name).as_string(fallback);
      if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        data.fail(node, fmt::format("'{}' is {}; allowed are {}", name, shown(value), fmt::join(allowed, ", ")));
      return value;
    };
    const bool big = choose(root, "byte_order", "LittleEndian", {"LittleEndian", "BigEndian"}) == "BigEndian";
    encoding.swap_bytes = big == (std::endian::native == std::endian::little);
    encoding.header_bytes = choose(root, "header_type", "UInt32", {"UInt32", "UInt64"}) == "UInt64" ? 8 : 4;
    encoding.compressed = !std::string_view(root.attribute("compressor").value()).empty();
    if (encoding.compressed) choose(root, "compressor", "", {"vtkZLibDataCompressor"});
    if (const pugi::xml_node appended = root.child("AppendedData"))
      encoding.appended_base64 = choose(appended, "encoding", "raw", {"raw", "base64"}) == "base64";
    return encoding;
  }

  // Returns the piece's count of cells.
  std::int64_t read_piece(const pugi::xml_node& piece, const VtuData& data, std::int64_t first_cell) {
    const auto first_point = static_cast<std::int64_t>(mesh_.vertices.size());
    const std::int64_t points = data.integer_attribute(piece, "NumberOfPoints", 0, largest_index - first_point);
    const std::int64_t count = data.integer_attribute(piece, "NumberOfCells", 0, largest_index);
    read_points(piece, data, points);

    const pugi::xml_node list = piece.child("Cells");
    if (!list) data.fail(piece, "the element 'Cells' is missing");
    VtkCells cells;
    cells.types = data.integers(array_named(list, "types", data), count);
    const pugi::xml_node offsets = array_named(list, "offsets", data);
    cells.ends = data.integers(offsets, count);
    const std::int64_t length = count > 0 ? cells.ends.back() : 0;
    if (length < 0 || length > std::int64_t(1) << 40)
      data.fail(offsets, fmt::format("the last offset is {}, allowed are 0 to 2^40", length));
    const pugi::xml_node connectivity = array_named(list, "connectivity", data);
    cells.connectivity = data.integers(connectivity, length);
    append_tetrahedra(cells, points, first_point, first_cell, mesh_,
                      [&](const std::string& text) { data.fail(connectivity, text); });
    const auto last_end = static_cast<std::int64_t>(cells_.connectivity.size());
    for (const std::int64_t end : cells.ends) cells_.ends.push_back(last_end + end);
    for (const std::int64_t point : cells.connectivity) cells_.connectivity.push_back(first_point + point);
    cells_.types.insert(cells_.types.end(), cells.types.begin(), cells.types.end());
    const bool is_first = piece == piece.parent().child("Piece");
    read_arrays(piece, piece.child("CellData"), data, true, count, is_first);
    read_arrays(piece, piece.child("PointData"), data, false, points, is_first);
    return count;
  }

  // The arrays of numbers of one piece: values are appended to those of the pieces before.
  void read_arrays(const pugi::xml_node& piece, const pugi::xml_node& list, const VtuData& data, bool of_cells,
                   std::int64_t count, bool is_first) {
    std::set<std::string> names;
    for (const pugi::xml_node node : list.children("DataArray")) {
      const std::string_view type = node.attribute("type").value();
      if (type == "String" || type == "Bit") continue;
      const std::int64_t components =
          node.attribute("NumberOfComponents") ? data.integer_attribute(node, "NumberOfComponents", 1, 1000) : 1;
      const VtkArray found{
          node.attribute("Name").value(), of_cells, !type.starts_with("Float"),
          static_cast<int>(components),   {},       static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0))};
      const auto same = [&](const VtkArray& array) { return array.name == found.name && array.of_cells == of_cells; };
      auto array = std::find_if(arrays_.begin(), arrays_.end(), same);
      if (!names.insert(found.name).second) data.fail(node, "a second array of this name; names must differ");
      if (is_first) {
        array = arrays_.insert(arrays_.end(), found);
        array_types_.emplace_back(type);
      } else if (array == arrays_.end() || array->components != found.components) {
        data.fail(node, "the first piece has no array of this name and as many components");
      }
      const std::string& first_type = array_types_[static_cast<std::size_t>(array - arrays_.begin())];
      if (type != first_type)
        data.fail(node,
                  fmt::format("the number type is {}; {}, as in the first piece, is allowed", shown(type), shown(first_type)));
      const std::vector<double> values = data.reals(node, components * count);
      array->values.insert(array->values.end(), values.begin(), values.end());
    }
    const auto expected =
        std::count_if(arrays_.begin(), arrays_.end(), [&](const VtkArray& a) { return a.of_cells == of_cells; });
    if (static_cast<std::ptrdiff_t>(names.size()) != expected)
      data.fail(piece, fmt::format("the piece has {} arrays of {}, the first piece has {}", names.size(),
                                   of_cells ? "cells" : "points", expected));
  }

  void read_points(const pugi::xml_node& piece, const VtuData& data, std::int64_t points) {
    const pugi::xml_node array = piece.child("Points").child("DataArray");
    if (!array) data.fail(piece, "the element 'Points' with its 'DataArray' is missing");
    data.integer_attribute(array, "NumberOfComponents", 3, 3);
    const std::vector<double> coordinates = data.reals(array, 3 * points);
    for (std::size_t i = 0; i < coordinates.size(); i += 3) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (!std::isfinite(coordinates[i + axis]))
          data.fail(array, fmt::format("point {} (counted from 0) has the coordinate {}, a finite number is required", i / 3,
                                       coordinates[i + axis]));
      mesh_.vertices.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
    }
  }

  static pugi::xml_node array_named(const pugi::xml_node& list, const char* name, const VtuData& data) {
    const pugi::xml_node array = list.find_child_by_attribute("DataArray", "Name", name);
    if (!array) data.fail(list, fmt::format("the DataArray '{}' is missing", name));
    return array;
  }

  MeshScanner scanner_;
  VtuEncoding encoding_;
  pugi::xml_document document_;
  TetrahedralMesh mesh_;
  VtkCells cells_;  // of all pieces, points numbered through
  std::vector<VtkArray> arrays_;
  std::vector<std::string> array_types_;  // "Int32"; of each of arrays_
};

}  // namespace

TetrahedralMesh read_vtu(const std::string& file, std::string_view bytes) { return VtuReader(file, bytes).read(); }

}  // namespace holo
