// gmsh .msh, versions 2.0 to 2.2 and 4.1, ASCII and binary of either byte order. One code path: the two kinds differ in how a
// number is read.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "mesh/readers/gmsh_numbers.h"
#include "mesh/readers/gmsh_skipped_section.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/node_numbers.h"

namespace holo {

namespace {

using namespace std::string_literals;

class GmshReader : GmshNumbers {
 public:
  GmshReader(const std::string& file, std::string_view bytes) : GmshNumbers(file, bytes) {}

  TetrahedralMesh read() {
    read_format();
    while (!scanner_.at_end()) {
      const std::string section(scanner_.word("a section"));
      if (section[0] != '$')
        scanner_.fail(shown(section) + " stands where a section is expected, such as '$Nodes' or '$Elements'");
      read_section(section.substr(1));
    }
    if (!has_nodes_) scanner_.fail("there is no section '$Nodes'");
    if (!has_elements_) scanner_.fail("there is no section '$Elements'; a mesh of linear tetrahedra is required");
    const bool has_physical = std::any_of(physical_.begin(), physical_.end(), [](int tag) { return tag != 0; });
    mesh_.regions = has_physical ? std::move(physical_) : std::move(elementary_);
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
      const auto one = scanner_.value<std::int32_t>("the byte order's mark");
      if (one != 1 && swapped(one) != 1)
        scanner_.fail(fmt::format("the byte order's mark is {}, 1 is required in either order", one));
      scanner_.set_binary(one != 1);
    }
    expect_end("MeshFormat");
  }

  void read_section(const std::string& name) {
    const bool read_here = name == "Nodes" || name == "Elements" || (name == "Entities" && is_41_);
    if (!read_here) return skip_section(name);
    if (scanner_.binary()) scanner_.rest_of_line();
    if (name == "Entities") {
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
  // Only a volume's first physical group is kept.
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
          if (g == 0 && dimension == 3) physical_of_volume_[tag] = group;
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
    scanner_.expect_room(header.total, row_bytes(0, 1), what);
    large_integer("the smallest number", 0, largest_number);
    large_integer("the largest number", 0, largest_number);
    return header;
  }

  void read_nodes_41() {
    const Header header = read_header("nodes");
    for (std::int64_t block = 0; block < header.blocks; ++block) {
      const auto dimension = static_cast<int>(small_integer("an entity's dimension", 0, 3));
      small_integer("an entity's tag", -largest_index, largest_index);
      const bool parametric = small_integer("whether nodes are parametric", 0, 1) == 1;
      const std::int64_t count = large_integer("the count of nodes of a block", 0, header.total - vertex_count());
      scanner_.expect_room(count, row_bytes(0, 4), "nodes of a block");
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
      small_integer("an entity's dimension", 0, 3);
      const std::int64_t tag = small_integer("an entity's tag", -largest_index, largest_index);
      const std::int64_t type = small_integer("an element type", 1, largest_index);
      const std::int64_t count = large_integer("the count of elements of a block", 0, header.total - read);
      read += count;
      const std::string curved = higher_order_name(type);
      if (!curved.empty() && count > 0) refuse_curved(large_integer("an element's number", 0, largest_number), curved);
      if (type != gmsh_linear_tetrahedron) {
        count_other(type, count);
        skip_block_41(type, count);
        continue;
      }
      scanner_.expect_room(count, row_bytes(0, 5), "tetrahedra of a block");
      const auto group = physical_of_volume_.find(tag);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t number = large_integer("an element's number", 0, largest_number);
        add_tetrahedron(number, group == physical_of_volume_.end() ? 0 : group->second, static_cast<int>(tag));
      }
    }
    if (read != header.total) scanner_.fail(fmt::format("the blocks hold {} elements, {} are announced", read, header.total));
  }

  void skip_block_41(std::int64_t type, std::int64_t count) {
    const int nodes = gmsh_node_count(type);
    if (scanner_.binary()) {
      if (nodes == 0) refuse_unknown(type);
      scanner_.expect_room(count, row_bytes(0, 1 + nodes), "elements of a block");
      scanner_.skip(static_cast<std::uint64_t>(count) * row_bytes(0, 1 + nodes), "a block of elements");
      return;
    }
    scanner_.expect_room(count, 2, "elements of a block");
    scanner_.rest_of_line();
    for (std::int64_t i = 0; i < count; ++i) scanner_.rest_of_line();
  }

  // ---- version 2
  std::int64_t read_count_22(const char* what, int small, int large) {
    const std::int64_t count = scanner_.integer((std::string("the count of ") + what).c_str(), 0, largest_index);
    if (scanner_.binary()) scanner_.rest_of_line();
    scanner_.expect_room(count, row_bytes(small, large), what);
    return count;
  }

  void read_nodes_22() {
    const std::int64_t count = read_count_22("nodes", 1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      numbers_.add(small_integer("a node's number", 0, largest_index));
      add_vertex();
    }
  }

  void read_elements_22() {
    const std::int64_t count = read_count_22("elements", 4, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = scanner_.integer("an element's number", 0, largest_number);
      const std::int64_t type = scanner_.integer("an element type", 1, largest_index);
      const std::string curved = higher_order_name(type);
      if (!curved.empty()) refuse_curved(number, curved);
      if (type == gmsh_linear_tetrahedron) {
        add_tetrahedron_22(number, scanner_.integer("the count of tags", 0, 1000));
      } else {
        count_other(type, 1);
        scanner_.rest_of_line();
      }
    }
  }

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
      scanner_.expect_room(count, bytes, "elements of a block");
      count_other(type, count);
      if (type != gmsh_linear_tetrahedron)
        scanner_.skip(static_cast<std::uint64_t>(count) * bytes, "a block of elements");
      else
        for (std::int64_t i = 0; i < count; ++i)
          add_tetrahedron_22(small_integer("an element's number", 0, largest_index), tags);
      read += count;
    }
  }

  void add_tetrahedron_22(std::int64_t number, std::int64_t tags) {
    int physical = 0, elementary = 0;
    for (std::int64_t i = 0; i < tags; ++i) {
      const auto tag = static_cast<int>(small_integer("an element's tag", -largest_index, largest_index));
      if (i == 0) physical = tag;
      if (i == 1) elementary = tag;
    }
    add_tetrahedron(number, physical, elementary);
  }

  // ---- common
  std::int64_t vertex_count() const { return static_cast<std::int64_t>(mesh_.vertices.size()); }

  void count_other(std::int64_t type, std::int64_t count) {
    if (const auto shape = gmsh_other_shape(type)) mesh_.other_cells.add(*shape, count);
  }

  void add_vertex() {
    const double x = real("a coordinate"), y = real("a coordinate"), z = real("a coordinate");
    mesh_.vertices.push_back({x, y, z});
  }

  void add_tetrahedron(std::int64_t number, int physical, int elementary) {
    std::array<int, 4> corners{};
    for (int& corner : corners) {
      const std::int64_t node = is_41_ ? large_integer("a node of an element", 0, largest_number)
                                       : small_integer("a node of an element", 0, largest_index);
      corner = numbers_.index(node);
      if (corner < 0) scanner_.fail(fmt::format("element {} names node {}, which '$Nodes' does not hold", number, node));
    }
    mesh_.tetrahedra.push_back(corners);
    mesh_.element_names.push_back(number);
    physical_.push_back(physical);
    elementary_.push_back(elementary);
  }

  [[noreturn]] void refuse_curved(std::int64_t number, const std::string& name) {
    scanner_.fail(fmt::format("element {} is {}; only linear tetrahedra (4 nodes) are allowed: export the mesh at order 1",
                              number, name));
  }
  [[noreturn]] void refuse_unknown(std::int64_t type) {
    scanner_.fail(fmt::format("element type {}, whose length is not known; save only the volume's linear tetrahedra", type));
  }

  TetrahedralMesh mesh_;
  NodeNumbers numbers_;
  std::map<std::int64_t, int> physical_of_volume_;
  std::vector<int> physical_, elementary_;  // of each tetrahedron
  bool is_41_ = false, has_nodes_ = false, has_elements_ = false;
};

}  // namespace

TetrahedralMesh read_gmsh(const std::string& file, std::string_view bytes) { return GmshReader(file, bytes).read(); }

}  // namespace holo
