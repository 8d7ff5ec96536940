// Reads gmsh .msh files, versions 2.0 to 2.2 and 4.1, ASCII and binary of either byte order, in one code path: only the reading
// of a number differs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "mesh/readers/gmsh/data.h"
#include "mesh/readers/gmsh/elements.h"
#include "mesh/readers/gmsh/skipped_section.h"
#include "mesh/readers/mesh_readers.h"

namespace holo {

namespace {

using namespace std::string_literals;

class GmshReader : GmshElements {
 public:
  GmshReader(const std::string& file, std::string_view bytes) : GmshElements(file, bytes) {}

  TetrahedralMesh read() {
    read_format();
    while (!scanner_.at_end()) {
      const std::string section(scanner_.word("a section"));
      if (section[0] != '$')
        scanner_.fail(shown(section) + " stands where a section is expected, such as '$Nodes' or '$Elements'");
      read_section(section.substr(1));
    }
    if (!has_nodes_) scanner_.fail("there is no section '$Nodes'");
    if (!has_elements_) scanner_.fail("there is no section '$Elements'; a mesh of tetrahedra is required");
    // Regions are the physical groups if the file has any, else the elementary entities. Fields refer to numbers of nodes and
    // elements and are added when both are known.
    const bool has_physical = std::any_of(physical_.begin(), physical_.end(), [](int tag) { return tag != 0; });
    mesh_.regions = has_physical ? std::move(physical_) : std::move(elementary_);
    for (const GmshData& data : data_) add_gmsh_field(data, mesh_, numbers_, scanner_, collector_);
    collector_.finish(mesh_);
    return std::move(mesh_);
  }

 private:
  void read_format() {
    const std::string_view first = scanner_.word("'$MeshFormat'");
    if (first == "$NOD") scanner_.fail("gmsh version 1 ('$NOD'); versions 2.0 to 2.2 and 4.1 are allowed");
    if (first != "$MeshFormat") scanner_.fail(shown(first) + " stands where '$MeshFormat' is expected");
    const double version = scanner_.number("the version");
    is_41_ = version == 4.1;
    if (!is_41_ && (version < 2 || version > 2.2))
      scanner_.fail(fmt::format("gmsh version {}; versions 2.0 to 2.2 and 4.1 are allowed", version));
    const bool is_binary = scanner_.integer("the kind (0: ASCII, 1: binary)", 0, 1) == 1;
    scanner_.integer("the size of a number", is_binary ? 8 : 4, 8);
    if (is_binary) {
      scanner_.rest_of_line();
      scanner_.set_binary(false);
      // A binary file begins with the integer 1, which shows its byte order.
      const auto one = scanner_.value<std::int32_t>("the byte order's mark");
      if (one != 1 && swapped(one) != 1)
        scanner_.fail(fmt::format("the byte order's mark is {}, 1 is required in either order", one));
      scanner_.set_binary(one != 1);
    }
    expect_end("MeshFormat");
  }

  void read_section(const std::string& name) {
    // Sections come in any order, except nodes before elements. Unknown sections are skipped.
    const bool is_data = name == "NodeData" || name == "ElementData";
    const bool read_here = name == "Nodes" || name == "Elements" || name == "PhysicalNames" || (name == "Entities" && is_41_);
    if (!read_here && !is_data) return skip_section(name);
    if (scanner_.binary() && !is_data) scanner_.rest_of_line();
    if (is_data) {
      data_.push_back(read_gmsh_data(scanner_, name == "ElementData"));
    } else if (name == "PhysicalNames") {
      read_gmsh_physical_names(scanner_, collector_);
    } else if (name == "Entities") {
      read_entities();
    } else if (name == "Nodes") {
      if (has_nodes_) scanner_.fail("a second section '$Nodes'; one is allowed");
      has_nodes_ = true;
      is_41_ ? read_nodes_41() : read_nodes_22();
      if (const auto repeated = numbers_.finish()) scanner_.fail(fmt::format("node {} is there twice", *repeated));
    } else {
      if (has_elements_) scanner_.fail("a second section '$Elements'; one is allowed");
      if (!has_nodes_) scanner_.fail("'$Elements' before '$Nodes'");
      has_elements_ = true;
      is_41_ ? read_elements_41() : scanner_.binary() ? read_elements_22_binary() : read_elements_22();
    }
    expect_end(name);
  }

  void expect_end(const std::string& name) {
    const std::string_view found = scanner_.word(("'$End" + name + "'").c_str());
    if (found != "$End" + name) scanner_.fail(fmt::format("{} stands where '$End{}' is expected", shown(found), name));
  }

  void skip_section(const std::string& name) {
    const auto end = end_of_skipped_section(scanner_, name);
    if (!end) scanner_.fail(fmt::format("'${0}' has no '$End{0}': the file is truncated", name));
    scanner_.set_position(*end);
  }

  // ---- version 4.1
  // A volume's first physical group is its region; the groups of every entity collect its elements.
  void read_entities() {
    std::array<std::int64_t, 4> counts{};
    for (int dimension = 0; dimension < 4; ++dimension) counts[dimension] = count_of("entities", 1, dimension == 0 ? 4 : 8);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t i = 0; i < counts[dimension]; ++i) {
        const std::int64_t tag = small_integer("an entity's tag", -largest_index, largest_index);
        skip_reals(dimension == 0 ? 3 : 6, "an entity's bound");
        const std::int64_t groups = count_of("physical groups", 1, 0);
        for (std::int64_t g = 0; g < groups; ++g) {
          const auto group = static_cast<int>(small_integer("a physical group", -largest_index, largest_index));
          groups_of_entity_[{dimension, tag}].push_back(group);
        }
        if (dimension == 0) continue;
        const std::int64_t bounds = count_of("bounding entities", 1, 0);
        for (std::int64_t b = 0; b < bounds; ++b) small_integer("a bounding entity", -largest_index, largest_index);
      }
  }

  struct Header {
    std::int64_t blocks, total;
  };
  Header read_header(const char* what) {
    const Header header{count_of("blocks", 3, 1),
                        large_integer((std::string("the count of ") + what).c_str(), 0, largest_index)};
    scanner_.expect_bytes(header.total, row_bytes(0, 1), what);
    large_integer("the smallest number", 0, largest_number);
    large_integer("the largest number", 0, largest_number);
    return header;
  }

  // The nodes of version 4.1 are in blocks of one entity: first all numbers of a block, then all coordinates.
  void read_nodes_41() {
    const Header header = read_header("nodes");
    for (std::int64_t block = 0; block < header.blocks; ++block) {
      const auto dimension = static_cast<int>(small_integer("an entity's dimension", 0, 3));
      small_integer("an entity's tag", -largest_index, largest_index);
      const bool parametric = small_integer("whether nodes are parametric", 0, 1) == 1;
      const std::int64_t count = large_integer("the count of nodes of a block", 0, header.total - vertex_count());
      scanner_.expect_bytes(count, row_bytes(0, 4), "nodes of a block");
      for (std::int64_t i = 0; i < count; ++i) numbers_.add(large_integer("a node's number", 0, largest_number));
      for (std::int64_t i = 0; i < count; ++i) {
        add_vertex();
        if (parametric) skip_reals(dimension, "a node's parameter");
      }
    }
    if (vertex_count() != header.total)
      scanner_.fail(fmt::format("the blocks hold {} nodes, {} are announced", vertex_count(), header.total));
  }

  void read_elements_41() {
    const Header header = read_header("elements");
    std::int64_t read = 0;
    for (std::int64_t block = 0; block < header.blocks; ++block) {
      const auto dimension = static_cast<int>(small_integer("an entity's dimension", 0, 3));
      const std::int64_t tag = small_integer("an entity's tag", -largest_index, largest_index);
      const std::int64_t type = small_integer("an element type", 1, largest_index);
      const std::int64_t count = large_integer("the count of elements of a block", 0, header.total - read);
      read += count;
      const std::string curved = higher_order_name(type);
      if (!curved.empty() && count > 0) refuse_curved(large_integer("an element's number", 0, largest_number), curved);
      // Tetrahedra are kept, other elements that are read only if they belong to a group; all others are counted and skipped.
      const auto entity = groups_of_entity_.find({dimension, tag});
      const std::vector<int>& groups = entity == groups_of_entity_.end() ? no_groups_ : entity->second;
      const int read_dimension = gmsh_read_dimension(type);
      count_other(type, count);
      if (read_dimension < 0 || (read_dimension < 3 && groups.empty())) {
        skip_block_41(type, count);
        continue;
      }
      scanner_.expect_bytes(count, row_bytes(0, 1 + gmsh_node_count(type)), "elements of a block");
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t number = large_integer("an element's number", 0, largest_number);
        const Cell cell = read_cell(number, type);
        read_dimension == 3 ? add_tetrahedron(number, cell, groups, static_cast<int>(tag)) : add_to_groups(cell, groups);
      }
    }
    if (read != header.total) scanner_.fail(fmt::format("the blocks hold {} elements, {} are announced", read, header.total));
  }

  // Binary rows have a known size; in ASCII an element is a line.
  void skip_block_41(std::int64_t type, std::int64_t count) {
    const int nodes = gmsh_node_count(type);
    if (scanner_.binary()) {
      if (nodes == 0) refuse_unknown(type);
      scanner_.expect_bytes(count, row_bytes(0, 1 + nodes), "elements of a block");
      scanner_.skip(static_cast<std::uint64_t>(count) * row_bytes(0, 1 + nodes), "a block of elements");
      return;
    }
    scanner_.expect_bytes(count, 2, "elements of a block");
    scanner_.rest_of_line();
    for (std::int64_t i = 0; i < count; ++i) scanner_.rest_of_line();
  }

  // ---- version 2
  std::int64_t read_count_22(const char* what, int small, int large) {
    const std::int64_t count = scanner_.integer((std::string("the count of ") + what).c_str(), 0, largest_index);
    if (scanner_.binary()) scanner_.rest_of_line();
    scanner_.expect_bytes(count, row_bytes(small, large), what);
    return count;
  }

  void read_nodes_22() {
    const std::int64_t count = read_count_22("nodes", 1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      numbers_.add(small_integer("a node's number", 0, largest_index));
      add_vertex();
    }
  }

  // The elements of ASCII version 2 are lines of number, type, tags and nodes.
  void read_elements_22() {
    const std::int64_t count = read_count_22("elements", 4, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = scanner_.integer("an element's number", 0, largest_number);
      const std::int64_t type = scanner_.integer("an element type", 1, largest_index);
      const std::string curved = higher_order_name(type);
      if (!curved.empty()) refuse_curved(number, curved);
      count_other(type, 1);
      if (gmsh_read_dimension(type) < 0)
        scanner_.rest_of_line();
      else
        read_element_22(number, type, scanner_.integer("the count of tags", 0, 1000));
    }
  }

  // Binary version 2 has blocks of elements of one type and number of tags.
  void read_elements_22_binary() {
    const std::int64_t total = read_count_22("elements", 1, 0);
    for (std::int64_t read = 0; read < total;) {
      const std::int64_t type = small_integer("an element type", 1, largest_index);
      const std::int64_t count = small_integer("the count of elements of a block", 1, total - read);
      const std::int64_t tags = small_integer("the count of tags", 0, 1000);
      const std::string curved = higher_order_name(type);
      if (!curved.empty()) refuse_curved(small_integer("an element's number", 0, largest_index), curved);
      const int nodes = gmsh_node_count(type);
      if (nodes == 0) refuse_unknown(type);
      const std::uint64_t bytes = 4 * static_cast<std::uint64_t>(1 + tags + nodes);
      scanner_.expect_bytes(count, bytes, "elements of a block");
      count_other(type, count);
      read += count;
      if (gmsh_read_dimension(type) < 0) {
        scanner_.skip(static_cast<std::uint64_t>(count) * bytes, "a block of elements");
        continue;
      }
      for (std::int64_t i = 0; i < count; ++i)
        read_element_22(small_integer("an element's number", 0, largest_index), type, tags);
    }
  }

  // The first two tags: the physical group (none where it is 0) and the entity.
  std::pair<std::vector<int>, int> read_tags_22(std::int64_t tags) {
    std::pair<std::vector<int>, int> result{{}, 0};
    for (std::int64_t i = 0; i < tags; ++i) {
      const auto tag = static_cast<int>(small_integer("an element's tag", -largest_index, largest_index));
      if (i == 0 && tag != 0) result.first = {tag};
      if (i == 1) result.second = tag;
    }
    return result;
  }

  // The tags and nodes of an element of a type that is read.
  void read_element_22(std::int64_t number, std::int64_t type, std::int64_t tags) {
    const auto [groups, elementary] = read_tags_22(tags);
    const Cell cell = read_cell(number, type);
    cell.dimension == 3 ? add_tetrahedron(number, cell, groups, elementary) : add_to_groups(cell, groups);
  }

  std::vector<GmshData> data_;
  std::map<std::pair<int, std::int64_t>, std::vector<int>> groups_of_entity_;  // physical groups, of {dimension, tag}
  const std::vector<int> no_groups_;
  bool has_nodes_ = false, has_elements_ = false;
};

}  // namespace

TetrahedralMesh read_gmsh(const std::string& file, std::string_view bytes) { return GmshReader(file, bytes).read(); }

}  // namespace holo
