// Cells that are no tetrahedra, tetrahedra of two orders, and those that overlap: refused by count and by number, whatever the
// format.
#include <fmt/format.h>

#include "mesh_refusals.h"

namespace holo {
namespace {

using namespace mesh_refusals;

std::string bytes_of(std::initializer_list<std::int32_t> numbers) {
  return {reinterpret_cast<const char*>(numbers.begin()), 4 * numbers.size()};
}

// ---- other shapes: a tetrahedron, two pyramids, a wedge and a hexahedron on four nodes again and again
constexpr const char* mixed = "2 pyramids, 1 wedge and 1 hexahedron beside 1 tetrahedra (4 vertices); only tetrahedra";

TEST(MeshCellsBadInput, Gmsh22CountsVolumeCellsOfOtherShapes) {
  const std::string pyramid = " 7 0 10 20 30 40 10\n", wedge = "4 6 0 10 20 30 40 10 20\n";
  EXPECT_HAS(
      refusal("a.msh", gmsh_22("5\n1 4 0 10 20 30 40\n2" + pyramid + "3" + pyramid + wedge + "5 5 0 10 20 30 40 10 20 30 40")),
      mixed);
}

TEST(MeshCellsBadInput, BinaryGmsh22CountsVolumeCellsOfOtherShapes) {
  const auto node = [](std::int32_t number, double x, double y, double z) {
    const double place[] = {x, y, z};
    return bytes_of({number}) + std::string(reinterpret_cast<const char*>(place), sizeof place);
  };
  const std::string text = "$MeshFormat\n2.2 1 8\n" + bytes_of({1}) + "\n$EndMeshFormat\n$Nodes\n4\n" + node(1, 0, 0, 0) +
                           node(2, 1, 0, 0) + node(3, 0, 1, 0) + node(4, 0, 0, 1) + "$EndNodes\n$Elements\n5\n" +
                           bytes_of({4, 1, 0, 1, 1, 2, 3, 4}) + bytes_of({7, 2, 0, 2, 1, 2, 3, 4, 1, 3, 1, 2, 3, 4, 1}) +
                           bytes_of({6, 1, 0, 4, 1, 2, 3, 4, 1, 2}) + bytes_of({5, 1, 0, 5, 1, 2, 3, 4, 1, 2, 3, 4}) +
                           "$EndElements\n";
  EXPECT_HAS(refusal("a.msh", text), mixed);
}

TEST(MeshCellsBadInput, Gmsh41CountsVolumeCellsOfOtherShapes) {
  const std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n4 5 1 5\n3 1 4 1\n1 1 2 3 4\n3 1 7 2\n2 1 2 3 4 1\n3 1 2 3 4 1\n3 1 6 1\n4 1 2 3 4 1 2\n"
      "3 1 5 1\n5 1 2 3 4 1 2 3 4\n$EndElements\n";
  EXPECT_HAS(refusal("a.msh", text), mixed);
}

TEST(MeshCellsBadInput, LegacyVtkCountsVolumeCellsOfOtherShapes) {
  const std::string text =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n"
      "CELLS 5 33\n4 0 1 2 3\n5 0 1 2 3 0\n5 0 1 2 3 0\n6 0 1 2 3 0 1\n8 0 1 2 3 0 1 2 3\nCELL_TYPES 5\n10 14 14 13 12\n";
  EXPECT_HAS(refusal("a.vtk", text), mixed);
}

TEST(MeshCellsBadInput, VtuCountsVolumeCellsOfOtherShapes) {
  const std::string array = "<DataArray type=\"Int64\" format=\"ascii\" Name=";
  const std::string text =
      "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"5\">"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "
      "1</DataArray></Points>"
      "<Cells>" +
      array + "\"connectivity\">0 1 2 3 0 1 2 3 0 0 1 2 3 0 0 1 2 3 0 1 0 1 2 3 0 1 2 3</DataArray>" + array +
      "\"offsets\">4 9 14 20 28</DataArray>" + array +
      "\"types\">10 14 14 13 12</DataArray></Cells>"
      "</Piece></UnstructuredGrid></VTKFile>";
  EXPECT_HAS(refusal("a.vtu", text), mixed);
}

TEST(MeshCellsBadInput, MeditCountsVolumeCellsOfOtherShapes) {
  const std::string vertices = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";
  const std::string others =
      "Pyramids\n2\n1 2 3 4 1 0\n1 2 3 4 1 0\nPrisms\n1\n1 2 3 4 1 2 0\nHexahedra\n1\n1 2 3 4 1 2 3 4 0\n";
  EXPECT_HAS(refusal("a.mesh", vertices + others + "Tetrahedra\n1\n1 2 3 4 0\nEnd\n"), mixed);
  EXPECT_HAS(refusal("a.mesh", vertices + others + "End\n"), "2 pyramids, 1 wedge and 1 hexahedron beside 0 tetrahedra");
  EXPECT_HAS(refusal("a.mesh", vertices + "HexahedraQ2\n3\nEnd\n"), "3 hexahedra beside 0 tetrahedra");
}

TEST(MeshCellsBadInput, TetGenTakesTetrahedraOnly) {
  const Scratch scratch;
  scratch.write("pair.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  EXPECT_HAS(refusal_of(scratch.write("pair.ele", "1 8 0\n0 0 1 2 3 0 1 2 3\n")),
             "element 0 has 8 nodes; tetrahedra of 4 and of 10 nodes are allowed");
}

TEST(MeshCellsBadInput, SurfacesAreToldAsSuch) {
  EXPECT_HAS(refusal("a.msh", gmsh_22("3\n1 2 0 10 20 30\n2 9 0 10 20 30 10 20 30\n3 3 0 10 20 30 40")),
             "the mesh has no tetrahedra but 2 triangles and 1 quadrangle (4 vertices): it is a surface or a mesh of 2D");
}

TEST(MeshCellsBadInput, SurfacesBesideTetrahedraAreAllowed) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh("a.msh", gmsh_22("2\n1 4 0 10 20 30 40\n2 2 0 10 20 30"));
  EXPECT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_EQ(surface_text(mesh.other_cells), "1 triangle");
}

// ---- orders: a linear tetrahedron beside a quadratic one, on ten nodes
const std::string ten_points = "0 0 0\n2 0 0\n0 2 0\n0 0 2\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n0 1 1\n";

std::string gmsh_of_ten(const std::string& elements) {
  std::string nodes;
  std::istringstream points(ten_points);
  std::string point;
  for (int number = 1; std::getline(points, point); ++number) nodes += fmt::format("{} {}\n", number, point);
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n" + nodes + "$EndNodes\n$Elements\n" + elements + "$EndElements\n";
}

TEST(MeshCellsBadInput, GmshTetrahedraOfTwoOrdersAreRefusedByNumber) {
  const std::string linear = " 4 0 1 2 3 4\n", quadratic = " 11 0 1 2 3 4 5 6 7 8 10 9\n";
  EXPECT_HAS(refusal("a.msh", gmsh_of_ten("3\n7" + linear + "8" + linear + "9" + quadratic)),
             ":21: element 9 is a quadratic tetrahedron (10 vertices), but element 7 is a linear tetrahedron (4 vertices); all "
             "tetrahedra of a mesh must have the same order");
  EXPECT_HAS(
      refusal("a.msh", gmsh_of_ten("3\n7" + quadratic + "8" + linear + "9" + linear)),
      ":20: element 8 is a linear tetrahedron (4 vertices), but element 7 is a quadratic tetrahedron (10 vertices); all");
}

TEST(MeshCellsBadInput, Gmsh41TetrahedraOfTwoOrdersAreRefusedByNumber) {
  const std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" + ten_points +
      "$EndNodes\n$Elements\n2 2 1 2\n3 1 4 1\n1 1 2 3 4\n3 1 11 1\n2 1 2 3 4 5 6 7 8 10 9\n$EndElements\n";
  EXPECT_HAS(refusal("a.msh", text), ":33: element 2 is a quadratic tetrahedron (10 vertices), but element 1 is a linear");
}

TEST(MeshCellsBadInput, VtkTetrahedraOfTwoOrdersAreRefusedByNumber) {
  const std::string legacy = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n" +
                             ten_points + "CELLS 2 16\n10 0 1 2 3 4 5 6 7 8 9\n4 0 1 2 3\nCELL_TYPES 2\n24 10\n";
  const char* message =
      "element 1 (counted from 0) is a linear tetrahedron (4 vertices), but element 0 is a quadratic tetrahedron (10 vertices)";
  EXPECT_HAS(refusal("a.vtk", legacy), message);
  const std::string array = "<DataArray type=\"Int64\" format=\"ascii\" Name=";
  EXPECT_HAS(
      refusal("a.vtu",
              "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"10\" NumberOfCells=\"2\"><Points>"
              "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">" +
                  ten_points + "</DataArray></Points><Cells>" + array +
                  "\"connectivity\">0 1 2 3 4 5 6 7 8 9 0 1 2 3</DataArray>" + array + "\"offsets\">10 14</DataArray>" + array +
                  "\"types\">24 10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>"),
      message);
}

const std::string medit_of_ten = [] {
  std::string vertices = ten_points;
  for (std::size_t end = vertices.find('\n'); end != std::string::npos; end = vertices.find('\n', end + 3))
    vertices.insert(end, " 0");
  return "MeshVersionFormatted 2\nDimension 3\nVertices\n10\n" + vertices;
}();

TEST(MeshCellsBadInput, MeditTetrahedraOfTwoOrdersAreRefusedByNumber) {
  const std::string linear = "Tetrahedra\n1\n1 2 3 4 0\n", quadratic = "TetrahedraP2\n1\n1 2 3 4 5 6 7 8 9 10 0\n";
  EXPECT_EQ(parse_tetrahedral_mesh("a.mesh", medit_of_ten + quadratic + "End\n").edge_vertices.size(), 1u);
  EXPECT_HAS(
      refusal("a.mesh", medit_of_ten + linear + quadratic + "End\n"),
      ":19: element 1 of 'TetrahedraP2' is a quadratic tetrahedron (10 vertices), but element 1 of 'Tetrahedra' is a linear");
  EXPECT_HAS(
      refusal("a.mesh", medit_of_ten + quadratic + linear + "End\n"),
      ":19: element 1 of 'Tetrahedra' is a linear tetrahedron (4 vertices), but element 1 of 'TetrahedraP2' is a quadratic");
  EXPECT_HAS(refusal("a.mesh", medit_of_ten + quadratic + quadratic), ":18: a second section 'TetrahedraP2'; one is allowed");
  EXPECT_HAS(refusal("a.mesh", replaced(medit_of_ten + quadratic, "P2\n1\n", "P2\n900000000\n")), "900000000 tetrahedra are");
}

// Of gmsh's order, in which the last two vertices are exchanged.
TEST(MeshCellsBadInput, MeditOrderingsOtherThanTheUsualOneAreRefused) {
  const std::string first = "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 2\n1 1 0 0\n0 1 1 0\n1 0 1 0\n1 0 0 1\n";
  EXPECT_HAS(refusal("a.mesh", medit_of_ten + "TetrahedraP2Ordering\n10\n" + first + "0 0 1 1\n0 1 0 1\nEnd\n"),
             ":25: 'TetrahedraP2Ordering' has another order of vertices in its row 9 than the corners and then the edges "
             "12 23 31 14 24 34, which is required");
  EXPECT_HAS(
      refusal("a.mesh", medit_of_ten + "TrianglesP2Ordering\n6\n2 0 0\n0 2 0\n0 0 2\n1 0 1\n0 1 1\n1 1 0\nEnd\n"),
      ":20: 'TrianglesP2Ordering' has another order of vertices in its row 4 than the corners and then the edges 12 23 31");
  EXPECT_HAS(refusal("a.mesh", medit_of_ten + "EdgesP2Ordering\n3\n2 0\n1 1\n0 2\nEnd\n"),
             ":18: 'EdgesP2Ordering' has another order of vertices in its row 2 than the corners and then the edges 12, which");
}

// ---- overlaps
std::string medit(const std::string& vertices, const std::string& tetrahedra) {
  const auto rows = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  return fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n{}Tetrahedra\n{}\n{}End\n", rows(vertices), vertices,
                     rows(tetrahedra), tetrahedra);
}

const std::string corner = "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";

TEST(MeshCellsBadInput, TheSameTetrahedronTwiceIsRefusedByNumberAndPlace) {
  const std::string alone = refusal("a.mesh", medit(corner, "1 2 3 4 0\n1 2 3 4 0\n"));
  EXPECT_HAS(alone, ": elements 1 and 2 fill the same place, a tetrahedron with its center at [0.25, 0.25, 0.25] m");
  EXPECT_HAS(alone, "2 of the 2 elements overlap so in all");
  EXPECT_HAS(refusal("a.mesh", medit(corner + "1 1 1 0\n", "1 2 3 4 0\n2 3 4 5 0\n2 3 4 5 0\n")), "elements 2 and 3 fill");
  EXPECT_HAS(refusal("a.msh", gmsh_22("2\n7 4 0 10 20 30 40\n9 4 0 20 30 10 40")), ": elements 7 and 9 fill the same place");
}

TEST(MeshCellsBadInput, AFaceOfThreeTetrahedraIsRefusedByNumberAndPlace) {
  EXPECT_HAS(refusal("a.mesh", medit(corner + "1 1 1 0\n1 1 0.9 0\n", "1 2 3 4 0\n2 3 4 5 0\n2 3 4 6 0\n")),
             ": elements 1, 2 and 3 share one face, which has its center at [0.333333, 0.333333, 0.333333] m");
}

TEST(MeshCellsBadInput, TwoTetrahedraOnOneSideOfAFaceAreRefused) {
  EXPECT_HAS(refusal("a.mesh", medit(corner + "0 0 2 0\n", "1 2 3 4 0\n1 2 3 5 0\n")),
             ": elements 1 and 2 lie on the same side of their common face, which has its center at [0.333333, 0.333333, 0] m");
}

TEST(MeshCellsBadInput, CoincidentBodiesWithVerticesOfTheirOwnAreRefused) {
  EXPECT_HAS(refusal("a.mesh", medit(corner + corner, "1 2 3 4 0\n5 6 7 8 0\n")), ": elements 1 and 2 fill the same place");
}

TEST(MeshCellsBadInput, TouchingBodiesWithVerticesOfTheirOwnAreAllowed) {
  EXPECT_EQ(parse_tetrahedral_mesh("a.mesh", medit(corner + "1 0 0 0\n0 1 0 0\n-0 0 1 0\n1 1 1 0\n", "1 2 3 4 0\n5 6 7 8 0\n"))
                .tetrahedra.size(),
            2u);
}

TEST(MeshCellsBadInput, VerticesOfNoTetrahedronAreCounted) {
  EXPECT_EQ(parse_tetrahedral_mesh("a.mesh", medit("9 9 9 0\n" + corner + "8 8 8 0\n", "2 3 4 5 0\n")).unused_vertices, 2);
  EXPECT_EQ(parse_tetrahedral_mesh("a.mesh", medit(corner, "1 2 3 4 0\n")).unused_vertices, 0);
}

}  // namespace
}  // namespace holo
