// Legacy VTK, UNSTRUCTURED_GRID, versions 2.0 to 5.1, ASCII and binary (big-endian, as the format has it).

#include <fmt/format.h>

#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"
#include "mesh/readers/vtk/attributes.h"
#include "mesh/readers/vtk/cells.h"

namespace holo {

namespace {

class LegacyVtkReader : VtkAttributes {
 public:
  LegacyVtkReader(const std::string& file, std::string_view bytes) : VtkAttributes(file, bytes) {}

  TetrahedralMesh read() {
    read_header();
    while (!scanner_.at_end()) {
      const std::string keyword(scanner_.word("a keyword"));
      if (keyword == "CELL_DATA" || keyword == "POINT_DATA")
        start_data_section(keyword == "CELL_DATA");
      else if (!in_data_ || !read_attribute(keyword))
        read_section(keyword);
    }
    if (!has_points_) scanner_.fail("there is no section 'POINTS'");
    if (!has_cells_) scanner_.fail("there is no section 'CELLS'");
    if (cells_.types.size() != cells_.ends.size())
      scanner_.fail(fmt::format("'CELL_TYPES' holds {} types for {} cells", cells_.types.size(), cells_.ends.size()));
    append_tetrahedra(cells_, static_cast<std::int64_t>(mesh_.vertices.size()), 0, 0, mesh_,
                      [&](const std::string& text) { scanner_.fail(text); });
    add_vtk_arrays(arrays_, cells_, scanner_, mesh_);
    return std::move(mesh_);
  }

 private:
  void read_header() {
    constexpr std::string_view magic = "# vtk DataFile Version ";
    const std::string_view first = scanner_.rest_of_line();
    if (!first.starts_with(magic)) scanner_.fail(fmt::format("the first line is {}, '{}x.y' is required", shown(first), magic));
    MeshScanner version_scanner(scanner_.file(), first.substr(magic.size()));
    const double version = version_scanner.number("the version");
    if (version < 1 || version >= 6) scanner_.fail(fmt::format("version {}; versions 2.0 to 5.1 are allowed", version));
    scanner_.rest_of_line();  // the title
    const std::string kind(scanner_.word("'ASCII' or 'BINARY'"));
    if (kind != "ASCII" && kind != "BINARY") scanner_.fail(shown(kind) + " stands where 'ASCII' or 'BINARY' is expected");
    if (kind == "BINARY") scanner_.set_binary(std::endian::native == std::endian::little);
  }

  void read_section(const std::string& keyword) {
    if (keyword == "DATASET") {
      const std::string_view kind = scanner_.word("the kind of data set");
      if (kind != "UNSTRUCTURED_GRID")
        scanner_.fail(fmt::format("the data set is {}, 'UNSTRUCTURED_GRID' is allowed", shown(kind)));
    } else if (keyword == "POINTS") {
      read_points();
    } else if (keyword == "CELLS") {
      read_cells();
    } else if (keyword == "CELL_TYPES") {
      read_types();
    } else if (keyword == "FIELD") {
      read_field(false);
    } else if (keyword == "METADATA") {
      skip_metadata();
    } else {
      scanner_.fail(shown(keyword) +
                    " stands where a keyword is expected: DATASET, POINTS, CELLS, CELL_TYPES, FIELD, METADATA, "
                    "CELL_DATA or POINT_DATA");
    }
  }

  // ---- sections
  void start_data_section(bool of_cells) {
    if (of_cells && !has_cells_) scanner_.fail("'CELL_DATA' before 'CELLS'");
    if (!of_cells && !has_points_) scanner_.fail("'POINT_DATA' before 'POINTS'");
    in_data_ = true;
    start_attributes(of_cells, static_cast<std::int64_t>(of_cells ? cells_.ends.size() : mesh_.vertices.size()));
  }

  void read_points() {
    if (has_points_) scanner_.fail("a second section 'POINTS'; one is allowed");
    has_points_ = true;
    const std::int64_t count = scanner_.integer("the count of points", 0, largest_index);
    const VtkNumberType type = read_type();
    start_data();
    scanner_.expect_bytes(count, 3 * least_bytes(type) - (scanner_.binary() ? 0 : 1), "points");
    mesh_.vertices.resize(static_cast<std::size_t>(count));
    for (auto& vertex : mesh_.vertices)
      for (double& x : vertex) x = real(type, "a coordinate");
  }

  void read_cells() {
    if (has_cells_) scanner_.fail("a second section 'CELLS'; one is allowed");
    if (!has_points_) scanner_.fail("'CELLS' before 'POINTS'");
    has_cells_ = true;
    const std::int64_t first = scanner_.integer("the count of cells", 0, largest_index);
    const std::int64_t second = scanner_.integer("the length of the cells' list", 0, std::numeric_limits<std::int64_t>::max());
    start_data();
    const bool has_offsets = scanner_.binary() ? scanner_.bytes().substr(scanner_.position()).starts_with("OFFSETS")
                                               : scanner_.peek_word() == "OFFSETS";
    has_offsets ? read_offset_cells(first, second) : read_counted_cells(first, second);
  }

  std::int64_t last_point() const { return static_cast<std::int64_t>(mesh_.vertices.size()) - 1; }

  // Before version 5: the count of points in front of each cell's points.
  void read_counted_cells(std::int64_t count, std::int64_t length) {
    constexpr VtkNumberType type{VtkNumber::int32, 4};
    scanner_.expect_bytes(length, least_bytes(type) - (scanner_.binary() ? 0 : 1), "numbers of the cells' list");
    if (count > length) scanner_.fail(fmt::format("{} cells in a list of {} numbers", count, length));
    std::int64_t read = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t points = integer(type, "the count of points of a cell", 0, length - ++read);
      for (std::int64_t p = 0; p < points; ++p)
        cells_.connectivity.push_back(integer(type, "a point of a cell", 0, last_point()));
      read += points;
      cells_.ends.push_back(static_cast<std::int64_t>(cells_.connectivity.size()));
    }
    if (read != length) scanner_.fail(fmt::format("the cells fill {} numbers, {} are announced", read, length));
  }

  // Since version 5: offsets, one more than cells, then the points of all cells.
  void read_offset_cells(std::int64_t offsets, std::int64_t length) {
    expect_word("OFFSETS");
    const VtkNumberType offset_type = read_type();
    start_data();
    scanner_.expect_bytes(offsets, least_bytes(offset_type) - (scanner_.binary() ? 0 : 1), "offsets");
    std::int64_t previous = 0;
    for (std::int64_t i = 0; i < offsets; ++i) {
      previous = integer(offset_type, "an offset of a cell", previous, i == 0 ? 0 : length);
      if (i > 0) cells_.ends.push_back(previous);
    }
    expect_word("CONNECTIVITY");
    const VtkNumberType type = read_type();
    start_data();
    scanner_.expect_bytes(length, least_bytes(type) - (scanner_.binary() ? 0 : 1), "numbers of the connectivity");
    for (std::int64_t i = 0; i < length; ++i)
      cells_.connectivity.push_back(integer(type, "a point of a cell", 0, last_point()));
  }

  void expect_word(const char* expected) {
    const std::string_view found = scanner_.word(expected);
    if (found != expected) scanner_.fail(fmt::format("{} stands where '{}' is expected", shown(found), expected));
  }

  void read_types() {
    constexpr VtkNumberType type{VtkNumber::int32, 4};
    if (!cells_.types.empty()) scanner_.fail("a second section 'CELL_TYPES'; one is allowed");
    const std::int64_t count = scanner_.integer("the count of cell types", 0, largest_index);
    start_data();
    scanner_.expect_bytes(count, least_bytes(type) - (scanner_.binary() ? 0 : 1), "cell types");
    for (std::int64_t i = 0; i < count; ++i) cells_.types.push_back(integer(type, "a cell type", 0, 255));
  }

  TetrahedralMesh mesh_;
  VtkCells cells_;
  bool has_points_ = false, has_cells_ = false, in_data_ = false;
};

}  // namespace

TetrahedralMesh read_legacy_vtk(const std::string& file, std::string_view bytes) { return LegacyVtkReader(file, bytes).read(); }

}  // namespace holo
