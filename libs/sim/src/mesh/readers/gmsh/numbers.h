#pragma once
// Element types of gmsh, and a reader of the file's numbers, which are text or binary.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

#include "holo/sim/mesh/other_cells.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {

constexpr std::int64_t largest_number = std::numeric_limits<std::int64_t>::max();

// Nodes of each element type of gmsh, 0: none known.
inline constexpr std::array<int, 94> gmsh_node_counts = [] {
  std::array<int, 94> counts{};
  constexpr int first[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                           8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  for (std::size_t i = 0; i < std::size(first); ++i) counts[i] = first[i];
  counts[92] = 64, counts[93] = 125;
  return counts;
}();

inline int gmsh_node_count(std::int64_t type) {
  return type >= 0 && type < static_cast<std::int64_t>(gmsh_node_counts.size())
             ? gmsh_node_counts[static_cast<std::size_t>(type)]
             : 0;
}

// The dimension of the elements that are read, points, lines, triangles and tetrahedra of order 1 or 2; -1 for every other
// type.
inline int gmsh_read_dimension(std::int64_t type) {
  switch (type) {
    case 15:
      return 0;
    case 1:
    case 8:
      return 1;
    case 2:
    case 9:
      return 2;
    case 4:
    case 11:
      return 3;
    default:
      return -1;
  }
}

// "" unless the type is a tetrahedron of an order above 2.
inline std::string higher_order_name(std::int64_t type) {
  switch (type) {
    case 29:
      return "a cubic tetrahedron (20 nodes)";
    case 30:
      return "a tetrahedron of order 4 (35 nodes)";
    case 31:
      return "a tetrahedron of order 5 (56 nodes)";
    case 71:
    case 72:
    case 73:
    case 74:
    case 75:
      return fmt::format("a tetrahedron of order {}", type - 65);
    case 32:
    case 33:
    case 79:
    case 80:
    case 81:
    case 82:
    case 83:
    case 137:
      return "a tetrahedron of higher order without inner nodes";
    default:
      return "";
  }
}

// The shape of an element type of any order; none for points, lines and tetrahedra.
inline std::optional<CellShape> gmsh_other_shape(std::int64_t type) {
  struct Range {
    int first, last;
    CellShape shape;
  };
  constexpr Range ranges[] = {
      {2, 2, CellShape::triangle},      {9, 9, CellShape::triangle},     {20, 25, CellShape::triangle},
      {42, 46, CellShape::triangle},    {52, 56, CellShape::triangle},   {3, 3, CellShape::quadrangle},
      {10, 10, CellShape::quadrangle},  {16, 16, CellShape::quadrangle}, {36, 41, CellShape::quadrangle},
      {47, 51, CellShape::quadrangle},  {57, 61, CellShape::quadrangle}, {7, 7, CellShape::pyramid},
      {14, 14, CellShape::pyramid},     {19, 19, CellShape::pyramid},    {118, 132, CellShape::pyramid},
      {6, 6, CellShape::wedge},         {13, 13, CellShape::wedge},      {18, 18, CellShape::wedge},
      {89, 91, CellShape::wedge},       {106, 117, CellShape::wedge},    {5, 5, CellShape::hexahedron},
      {12, 12, CellShape::hexahedron},  {17, 17, CellShape::hexahedron}, {88, 88, CellShape::hexahedron},
      {92, 105, CellShape::hexahedron}, {35, 35, CellShape::polyhedron}};
  for (const Range& range : ranges)
    if (range.first <= type && type <= range.last) return range.shape;
  return {};
}

// Reader of numbers with one interface for both kinds of file: words of an ASCII file, bytes of a binary one.
class GmshNumbers {
 protected:
  GmshNumbers(const std::string& file, std::string_view bytes) : scanner_(file, bytes) {}

  std::int64_t small_integer(const char* what, std::int64_t minimum, std::int64_t maximum) {
    return scanner_.binary() ? checked(what, scanner_.value<std::int32_t>(what), minimum, maximum)
                             : scanner_.integer(what, minimum, maximum);
  }
  std::int64_t large_integer(const char* what, std::int64_t minimum, std::int64_t maximum) {
    return scanner_.binary() ? checked(what, scanner_.value<std::int64_t>(what), minimum, maximum)
                             : scanner_.integer(what, minimum, maximum);
  }
  std::int64_t checked(const char* what, std::int64_t value, std::int64_t minimum, std::int64_t maximum) {
    if (value < minimum || value > maximum)
      scanner_.fail(fmt::format("{} is {}, allowed are {} to {}", what, value, minimum, maximum));
    return value;
  }
  double real(const char* what) {
    if (!scanner_.binary()) return scanner_.number(what);
    const double value = scanner_.value<double>(what);
    if (!(std::abs(value) <= std::numeric_limits<double>::max()))
      scanner_.fail(fmt::format("{} is {}, a finite number is required", what, value));
    return value;
  }
  void skip_reals(int count, const char* what) {
    for (int i = 0; i < count; ++i) scanner_.binary() ? scanner_.value<double>(what) : scanner_.any_number(what);
  }
  // The least bytes of a row of `small` and `large` integers and reals.
  std::uint64_t row_bytes(int small, int large) const {
    return scanner_.binary() ? static_cast<std::uint64_t>(4 * small + 8 * large)
                             : static_cast<std::uint64_t>(2 * (small + large) - 1);
  }
  std::int64_t count_of(const char* what, int small, int large) {
    const std::int64_t count = large_integer((std::string("the count of ") + what).c_str(), 0, largest_number);
    scanner_.expect_bytes(count, row_bytes(small, large), what);
    return count;
  }

  MeshScanner scanner_;
};

}  // namespace holo
