// Whatever stands in a mesh file, reading it ends in a valid mesh or in Error(input) that says what is wrong and where.
#include "mesh_refusals.h"

namespace holo {
namespace {

using namespace mesh_refusals;

// ---- the mesh
TEST(MeshBadInput, InvertedElementIsNamedByTheFilesNumber) {
  const std::string message =
      refusal("a.msh", gmsh_22("3\n5 4 2 1 1 10 20 30 40\n77 4 2 1 1 10 30 20 40\n78 4 2 1 1 10 30 20 40"));
  EXPECT_HAS(message, ": element 77 is inverted: its signed volume is -0.166667 m^3, a positive one is required");
  EXPECT_HAS(message, "1 more of the 3 elements are bad");
}

TEST(MeshBadInput, DegenerateElementIsNamed) {
  const std::string flat = replaced(gmsh_22("1\n9 4 2 1 1 10 20 30 40"), "40 0 0 1\n", "40 0.3 0.3 1e-14\n");
  EXPECT_HAS(refusal("a.msh", flat), ": element 9 is degenerate: its volume is");
  EXPECT_HAS(refusal("a.msh", replaced(flat, "1e-14", "0")), ": element 9 is degenerate");
}

TEST(MeshBadInput, RepeatedVertexIsNamed) {
  EXPECT_HAS(refusal("a.msh", gmsh_22("1\n9 4 2 1 1 10 20 30 20")), ": element 9 has vertex 1 twice, four different ones");
}

TEST(MeshBadInput, MeshWithoutTetrahedraIsRefused) {
  EXPECT_HAS(refusal("a.msh", gmsh_22("1\n1 2 2 1 1 10 20 30")),
             "the mesh has no tetrahedra but 1 triangle (4 vertices): it is a surface");
  EXPECT_HAS(refusal("a.msh", nodes_22), ": there is no section '$Elements'");
  EXPECT_HAS(refusal("a.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 0\nEnd\n"),
             ":4: there is no section 'Tetrahedra'");
}

// ---- the file
TEST(MeshBadInput, WhatIsNoMeshFileIsRefused) {
  const Scratch scratch;
  EXPECT_HAS(refusal_of(scratch.path() / "absent.msh"), "absent.msh: there is no such file");
  EXPECT_HAS(refusal_of(scratch.path()), "this is no regular file");
  EXPECT_HAS(refusal("a.msh", ""), ": the file is empty; a tetrahedral mesh is required");
  EXPECT_HAS(refusal("a.msh", " \n\r\n"), ": the file is empty");
  const std::string unknown = refusal("a.stl", "solid x\nfacet normal 0 0 1\n");
  EXPECT_HAS(unknown, "neither the content ('solid x\\x0afacet normal'...) nor the extension '.stl'");
  EXPECT_HAS(unknown, "gmsh .msh, Medit .mesh, TetGen .node/.ele, legacy .vtk and .vtu");
  EXPECT_HAS(refusal("a.msh",
                     "\x7f"
                     "ELF garbage"),
             ":1: '\\x7fELF' stands where '$MeshFormat' is expected");
}

TEST(MeshBadInput, ScaleMustBePositive) {
  for (double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(read_tetrahedral_mesh(fixtures / "medit.mesh", scale), Error);
}

// ---- gmsh
TEST(MeshBadInput, GmshNumbersAreChecked) {
  const std::string good = gmsh_22("1\n9 4 2 1 1 10 20 30 40");
  EXPECT_HAS(refusal("a.msh", replaced(good, "10 20 30 40", "10 20 30 50")),
             ":13: element 9 names node 50, which '$Nodes' does not hold");
  EXPECT_HAS(refusal("a.msh", replaced(good, "10 20 30 40", "10 20 30 -1")),
             ":13: a node of an element is '-1', allowed are 0 to 2147483647");
  EXPECT_HAS(refusal("a.msh", replaced(good, "20 1 0 0", "20 nan 0 0")),
             ":7: a coordinate is nan, a finite number is required");
  EXPECT_HAS(refusal("a.msh", replaced(good, "20 1 0 0", "20 1e999 0 0")), ":7: a coordinate is inf");
  EXPECT_HAS(refusal("a.msh", replaced(good, "20 1 0 0", "20 1,5 0 0")), ":7: a coordinate is '1,5', a number is required");
  EXPECT_HAS(refusal("a.msh", replaced(good, "20 1 0 0", "10 1 0 0")), "node 10 is there twice");
  EXPECT_HAS(refusal("a.msh", replaced(good, "1\n9 4", "1.5\n9 4")),
             ":12: the count of elements is '1.5', an integer is required");
}

TEST(MeshBadInput, GmshHostileCountsAreComparedWithTheFilesSize) {
  const std::string good = gmsh_22("1\n9 4 2 1 1 10 20 30 40");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$Nodes\n4", "$Nodes\n1000000000000000000")),
             ":5: the count of nodes is '1000000000000000000', allowed are 0 to");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$Nodes\n4", "$Nodes\n2000000000")),
             ":5: 2000000000 nodes are announced, but the");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$Nodes\n4", "$Nodes\n99999999999999999999999")), "allowed are 0 to");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$Nodes\n4", "$Nodes\n-4")), ":5: the count of nodes is '-4'");
  const std::string new_file = contents(fixtures / "gmsh_41_ascii.msh");
  EXPECT_HAS(refusal("a.msh", replaced(new_file, "3 12 7 40", "1000000000000000000 12 7 40")),
             "1000000000000000000 blocks are announced");
  EXPECT_HAS(refusal("a.msh", replaced(new_file, "3 12 7 40", "3 13 7 40")), "the blocks hold 12 nodes, 13 are announced");
}

TEST(MeshBadInput, GmshSectionsAndVersions) {
  const std::string good = gmsh_22("1\n9 4 2 1 1 10 20 30 40");
  EXPECT_HAS(refusal("a.msh", replaced(good, "2.2 0 8", "4 0 8")),
             ":2: gmsh version 4; versions 2.0 to 2.2 and 4.1 are allowed");
  EXPECT_HAS(refusal("a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n"), ":1: gmsh version 1");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$EndNodes", "$EndNode")), ":10: '$EndNode' stands where '$EndNodes' is expected");
  EXPECT_HAS(refusal("a.msh", replaced(good, "$Nodes", "$Comment")),
             ":4: '$Comment' has no '$EndComment': the file is truncated");
  EXPECT_HAS(refusal("a.msh", good + nodes_22.substr(nodes_22.find("$Nodes"))), ":15: a second section '$Nodes'");
  EXPECT_HAS(refusal("a.msh", replaced(good, "\n$EndElements\n", "")),
             ":13: the file ends where '$EndElements' is expected: it is truncated");
  EXPECT_HAS(refusal("a.msh", good + "17 more\n"), ":15: '17' stands where a section is expected");
}

TEST(MeshBadInput, GmshTetrahedraOfOrdersAbove2AreRefusedByNumber) {
  EXPECT_HAS(
      refusal("a.msh", gmsh_22("1\n9 29 2 1 1 10 20 30 40 10 20 30 40 10 20 10 20 30 40 10 20 30 40 10 20")),
      ":13: element 9 is a cubic tetrahedron (20 nodes); tetrahedra of 4 and of 10 nodes are allowed: export the mesh at "
      "order 1 or 2");
  const std::string new_file = contents(fixtures / "gmsh_41_ascii.msh");
  EXPECT_HAS(refusal("a.msh", replaced(new_file, "3 11 4 6", "3 11 30 6")),
             ": element 101 is a tetrahedron of order 4 (35 nodes); tetrahedra of 4 and");
}

TEST(MeshBadInput, CarriageReturnsDoNotMoveTheLine) {
  const std::string crlf = replaced(contents(fixtures / "gmsh_22_crlf.msh"), "101 4 3 1 5 0 10", "101 4 3 1 5 0 999");
  EXPECT_HAS(refusal("a.msh", crlf), ":26: element 101 names node 999");
}

TEST(MeshBadInput, TruncatedBinaryFileNamesTheByte) {
  const std::string whole = contents(fixtures / "gmsh_41_binary.msh");
  EXPECT_HAS(refusal("a.msh", whole.substr(0, 600)), ": byte ");
  EXPECT_HAS(refusal("a.msh", whole.substr(0, 600)), "truncated");
  const std::string old = contents(fixtures / "gmsh_22_binary.msh");
  EXPECT_HAS(refusal("a.msh", old.substr(0, 500)), ": byte ");
  EXPECT_HAS(refusal("a.msh", replaced(old, "2.2 1 8\n\x01", "2.2 1 8\n\x02")), "the byte order's mark is 2, 1 is required");
}

// ---- Medit
TEST(MeshBadInput, MeditNumbersAreChecked) {
  const std::string good = contents(fixtures / "medit.mesh");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "Vertices\n12", "Vertices\n1000000000")),
             ":7: 1000000000 vertices are announced, but the");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "Vertices\n12", "Vertices\n-12")), ":7: the count of vertices is '-12'");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "\n1 2 5 11 1", "\n1 2 5 13 1")),
             ":25: a vertex of a tetrahedron is '13', allowed are 1 to 12");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "\n1 2 5 11 1", "\n0 2 5 11 1")), ":25: a vertex of a tetrahedron is '0'");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "1.25 0.0 0.0", "inf 0.0 0.0")), ":10: a coordinate is inf");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "Dimension\n3", "Dimension\n2")), ":4: the dimension is '2', allowed are 3 to 3");
  EXPECT_HAS(refusal("a.mesh", replaced(good, "Vertices\n12", "Vertices\n11")), "stands where a keyword is expected");
  EXPECT_HAS(refusal("a.mesh", good.substr(0, good.find("\nCorners") - 4)), "the file ends where");
}

TEST(MeshBadInput, MeditTetrahedraOfOrdersAbove2AreRefused) {
  const std::string curved = replaced(contents(fixtures / "medit.mesh"), "Tetrahedra\n", "TetrahedraP3\n");
  EXPECT_HAS(refusal("a.mesh", curved), ":24: element 1 of 'TetrahedraP3': a tetrahedron of higher order; linear ones");
}

// ---- TetGen
std::string tetgen_refusal(const std::string& nodes, const std::string& elements) {
  const Scratch scratch;
  scratch.write("pair.node", nodes);
  return refusal_of(scratch.write("pair.ele", elements));
}

TEST(MeshBadInput, TetGenPairIsChecked) {
  const std::string nodes = contents(fixtures / "tetgen_from_1.node"), elements = contents(fixtures / "tetgen_from_1.ele");
  EXPECT_HAS(tetgen_refusal(nodes, replaced(elements, "12 4 1\n", "12 5 1\n")),
             "pair.ele:2: element 1 has 5 nodes; tetrahedra of 4 and of 10 nodes are allowed");
  EXPECT_HAS(tetgen_refusal(nodes, replaced(elements, "12 4 1\n", "12 10 1\n")), "12 tetrahedra are announced, but the");
  EXPECT_HAS(tetgen_refusal(nodes, replaced(elements, "\n1 1 ", "\n1 0 ")),
             "pair.ele:2: a vertex of a tetrahedron is '0', allowed are 1 to 12");
  EXPECT_HAS(tetgen_refusal(nodes, replaced(elements, "12 4 1\n", "13 4 1\n")), "pair.ele:15: the file ends where");
  EXPECT_HAS(tetgen_refusal(nodes, replaced(elements, "12 4 1\n", "11 4 1\n")),
             "pair.ele:12: '12' follows the last of the 11 tetrahedra");
  EXPECT_HAS(tetgen_refusal(replaced(nodes, "\n  2  ", "\n  3  "), elements),
             "pair.node:4: a point has the number 3, 2 is expected here");
  EXPECT_HAS(tetgen_refusal(replaced(nodes, "\n  1  ", "\n  7  "), elements),
             "pair.node:3: the first point has the number 7, allowed are 0 and 1");
  EXPECT_HAS(tetgen_refusal(replaced(nodes, "12 3 1 1", "999999999 3 1 1"), elements), "999999999 points are announced");
  const Scratch scratch;
  EXPECT_HAS(refusal_of(scratch.write("alone.ele", elements)),
             "alone.node: this file is missing; a TetGen mesh needs it beside");
}

// ---- legacy VTK
TEST(MeshBadInput, LegacyVtkIsChecked) {
  const std::string good = contents(fixtures / "legacy_30_ascii.vtk"), offsets = contents(fixtures / "legacy_51_ascii.vtk");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "\n5 10 10", "\n5 71 10")),
             "element 1 (counted from 0) is a tetrahedron of higher order (cell type 71); linear ones (cell type 10) and "
             "quadratic ones (cell type 24) are allowed");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "\n5 10 10", "\n5 24 10")),
             "element 1 (counted from 0) is a tetrahedron of 4 points, 10 are required");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "UNSTRUCTURED_GRID", "POLYDATA")),
             ":4: the data set is 'POLYDATA', 'UNSTRUCTURED_GRID' is allowed");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "Version 3.0", "Version 9.0")), ":1: version 9; versions 2.0 to 5.1 are allowed");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "POINTS 12", "POINTS 1000000000")),
             ":8: 1000000000 points are announced, but the");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "CELLS 13 64", "CELLS 13 1000000000000000000")),
             ":10: 1000000000000000000 numbers of the cells' list are announced");
  EXPECT_HAS(refusal("a.vtk", replaced(good, " 4 0 1 4 10 ", " 4 0 1 4 12 ")),
             ":11: a point of a cell is '12', allowed are 0 to 11");
  EXPECT_HAS(refusal("a.vtk", replaced(good, " 4 0 1 4 10 ", " 4 0 1 4 -1 ")), ":11: a point of a cell is '-1'");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "CELL_TYPES 13", "CELL_TYPES 12")), "stands where a keyword is expected");
  EXPECT_HAS(refusal("a.vtk", replaced(good, "TIME 1 2 double", "TIME 1000000000 1000000000 double")),
             ":6: 1000000000000000000 numbers of an array are announced");
  EXPECT_HAS(refusal("a.vtk", replaced(offsets, "\n0 3 7", "\n0 9 7")), "an offset of a cell is '7', allowed are 9 to 51");
  EXPECT_HAS(refusal("a.vtk", good.substr(0, good.find("CELL_TYPES"))), "'CELL_TYPES' holds 0 types for 13 cells");
  const std::string binary = contents(fixtures / "legacy_51_binary.vtk");
  EXPECT_HAS(refusal("a.vtk", binary.substr(0, 700)), ": byte ");
}

// ---- VTU
TEST(MeshBadInput, VtuIsChecked) {
  const std::string good = contents(fixtures / "ascii.vtu");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "</Points>", "</Point>")), ":9: not well-formed XML (");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "<Cells>", "<Cell>")), "not well-formed XML");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "\"offsets\"", "\"offset\"")), ":10: Cells: the DataArray 'offsets' is missing");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "NumberOfPoints=\"12\"", "NumberOfPoints=\"13\"")),
             ":6: DataArray 'Points': 36 numbers, 39 are required");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "NumberOfPoints=\"12\"", "NumberOfPoints=\"11\"")),
             ":6: DataArray 'Points': more than the 33 numbers");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "NumberOfPoints=\"12\"", "NumberOfPoints=\"2000000000\"")),
             "6000000000 numbers are announced, but the");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "NumberOfPoints=\"12\"", "NumberOfPoints=\"1e9\"")),
             ":4: 'NumberOfPoints' of Piece is '1e9', an integer is required");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "NumberOfCells=\"13\"", "")),
             ":4: Piece: the attribute 'NumberOfCells' is missing");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "\"UnstructuredGrid\"", "\"PolyData\"")),
             ":2: VTKFile: the type is 'PolyData'; 'UnstructuredGrid' is allowed");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "\n5 10 10", "\n5 64 10")),
             "element 1 (counted from 0) is a tetrahedron of higher order (cell type 64)");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "\n5 10 10", "\n5 24 10")),
             "element 1 (counted from 0) is a tetrahedron of 4 points, 10 are required");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "\n0 1 3 0 1", "\n0 1 3 0 12")),
             "element 1 (counted from 0) names point 12, allowed are 0 to 11");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "1.25", "nan")),
             ":6: DataArray 'Points': point 2 (counted from 0) has the coordinate nan");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "format=\"ascii\"", "format=\"hdf5\"")),
             "the format is 'hdf5'; 'ascii', 'binary' and 'appended' are allowed");
  EXPECT_HAS(refusal("a.vtu", replaced(good, "LittleEndian", "MiddleEndian")),
             "'byte_order' is 'MiddleEndian'; allowed are LittleEndian, BigEndian");
}

TEST(MeshBadInput, VtuEncodedDataAreChecked) {
  const std::string zlib = contents(fixtures / "inline_zlib.vtu"), appended = contents(fixtures / "appended_raw_zlib.vtu");
  EXPECT_HAS(refusal("a.vtu", replaced(zlib, "vtkZLibDataCompressor", "vtkLZ4DataCompressor")),
             ":2: VTKFile: 'compressor' is 'vtkLZ4DataCompressor'; allowed are vtkZLibDataCompressor");
  EXPECT_HAS(refusal("a.vtu", replaced(zlib, "eJ", "*J")), "in base64 data");
  EXPECT_HAS(refusal("a.vtu", replaced(zlib, "eJ", "AA")), "a compressed block is damaged");
  EXPECT_HAS(refusal("a.vtu", replaced(zlib, "NumberOfPoints=\"12\"", "NumberOfPoints=\"700000000\"")),
             "do not make the 16800000000 bytes that are required");
  EXPECT_HAS(refusal("a.vtu", appended.substr(0, appended.size() - 200)),
             ":11: 'offset' of DataArray is '504', allowed are 0 to 375");
  EXPECT_HAS(refusal("a.vtu", appended.substr(0, appended.find("<AppendedData"))), "not well-formed XML");
  EXPECT_HAS(refusal("a.vtu", replaced(appended, "offset=\"0\"", "offset=\"99999\"")),
             "'offset' of DataArray is '99999', allowed are 0 to");
}

TEST(MeshBadInput, DeeplyNestedXmlIsRefused) {
  std::string deep = "<VTKFile type=\"UnstructuredGrid\">";
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_HAS(refusal("a.vtu", deep), "not well-formed XML");
  for (int i = 0; i < 200000; ++i) deep += "</a>";
  EXPECT_HAS(refusal("a.vtu", deep + "</VTKFile>"), "the element 'UnstructuredGrid' is missing");
}

}  // namespace
}  // namespace holo
