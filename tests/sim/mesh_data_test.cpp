// Groups and fields of mesh files: what a file says of its parts arrives, whatever the format.
#include "holo/sim/mesh/mesh_data.h"

#include "mesh_refusals.h"

namespace holo {
namespace {

using namespace mesh_refusals;
using Support = MeshField::Support;

// Two tetrahedra that share the face (20 30 40), a triangle, an edge and a point; node 60 is in no tetrahedron.
const std::string named_gmsh_22 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n4\n0 4 \"tip\"\n2 1 \"clamp\"\n3 1 \"soft part\"\n3 2 \"hard\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n10 0 0 0\n60 9 9 9\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 1 1 1\n$EndNodes\n"
    "$Elements\n5\n1 15 2 4 1 50\n2 1 2 7 1 10 20\n3 2 2 1 1 10 30 20\n8 4 2 1 1 10 20 30 40\n9 4 2 2 1 40 20 30 50\n"
    "$EndElements\n";

std::string element_data(const std::string& name, const std::string& rows, int count, int components = 1) {
  return "$ElementData\n1\n\"" + name + "\"\n1\n0.0\n3\n0\n" + std::to_string(components) + "\n" + std::to_string(count) +
         "\n" + rows + "$EndElementData\n";
}

std::vector<std::string> group_names(const TetrahedralMesh& mesh) {
  std::vector<std::string> names;
  for (const MeshGroup& group : mesh.groups) names.push_back(group.name + "/" + std::to_string(group.dimension));
  return names;
}

using Ints = std::vector<int>;
using Doubles = std::vector<double>;

TEST(MeshData, GmshGroupsKeepNamesAndCells) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh("a.msh", named_gmsh_22);
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"soft part/3", "hard/3", "clamp/2", "edges 7/1", "tip/0"}));
  EXPECT_EQ(find_group(mesh, "soft part").elements, Ints{0});
  EXPECT_EQ(find_group(mesh, "soft part").vertices, (Ints{0, 1, 2, 3}));  // node 60 is gone
  EXPECT_EQ(find_group(mesh, "hard").elements, Ints{1});
  EXPECT_EQ(find_group(mesh, "hard").vertices, (Ints{1, 2, 3, 4}));
  EXPECT_EQ(find_group(mesh, "clamp").triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}}));
  EXPECT_EQ(find_group(mesh, "clamp").vertices, (Ints{0, 1, 2}));
  EXPECT_EQ(find_group(mesh, "edges 7").vertices, (Ints{0, 1}));
  EXPECT_EQ(find_group(mesh, "tip").vertices, Ints{4});
}

TEST(MeshData, GmshElementDataIsPickedByElementNumber) {
  const std::string data = element_data("E", "9 2.5\n3 -1\n8 1.5\n", 3) + element_data("of surfaces", "3 7\n", 1);
  const TetrahedralMesh mesh = parse_tetrahedral_mesh("a.msh", named_gmsh_22 + data);
  ASSERT_EQ(mesh.fields.size(), 1u);  // data of surfaces alone are no field
  EXPECT_EQ(find_element_field(mesh, "E").values, (Doubles{1.5, 2.5}));
  EXPECT_EQ(find_element_field(mesh, "E").components, 1);
}

TEST(MeshData, GmshNodeDataLoseUnusedNodes) {
  const std::string data =
      "$NodeData\n1\n\"u\"\n1\n0.0\n3\n0\n3\n6\n60 0 0 0\n50 5 5 6\n40 4 4 5\n30 3 3 4\n20 2 2 3\n10 1 1 2\n$EndNodeData\n";
  const TetrahedralMesh mesh = parse_tetrahedral_mesh("a.msh", named_gmsh_22 + data);
  ASSERT_EQ(mesh.fields.size(), 1u);
  EXPECT_EQ(mesh.fields[0].support, Support::vertices);
  EXPECT_EQ(mesh.fields[0].values, (Doubles{1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6}));
}

TEST(MeshData, GmshEntitiesOfVersion41MayBeInSeveralGroups) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.msh",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 5 \"all\"\n3 6 \"core\"\n$EndPhysicalNames\n"
      "$Entities\n0 0 1 2\n3 0 0 0 1 1 1 1 8 0\n1 0 0 0 1 1 1 2 5 6 0\n2 0 0 0 1 1 1 1 5 0\n$EndEntities\n"
      "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
      "$Elements\n3 3 1 3\n2 3 2 1\n1 1 3 2\n3 1 4 1\n2 1 2 3 4\n3 2 4 1\n3 4 2 3 5\n$EndElements\n");
  EXPECT_EQ(find_group(mesh, "all").elements, (Ints{0, 1}));
  EXPECT_EQ(find_group(mesh, "core").elements, Ints{0});
  EXPECT_EQ(find_group(mesh, "triangles 8").vertices, (Ints{0, 1, 2}));
  EXPECT_EQ(mesh.regions, (Ints{5, 5}));
}

TEST(MeshData, MeditReferencesAreGroups) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.mesh",
      "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 3\n0 0 1 3\nEdges 1\n1 2 4\n"
      "Triangles 2\n1 3 2 5\n1 2 4 0\nTetrahedra 1\n1 2 3 4 6\nEnd\n");
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"tetrahedra 6/3", "triangles 5/2", "edges 4/1", "points 3/0"}));
  EXPECT_EQ(find_group(mesh, "points 3").vertices, (Ints{2, 3}));
  EXPECT_EQ(find_group(mesh, "triangles 5").triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}}));
}

TEST(MeshData, TetgenAttributesAndMarkersArrive) {
  const Scratch scratch;
  scratch.write("a.node", "5 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 1.5 2\n3 0 1 0 2.5 2\n4 0 0 1 3.5 0\n5 1 1 1 4.5 0\n");
  scratch.write("a.ele", "2 4 2\n1 1 2 3 4 1 10\n2 4 2 3 5 2 20\n");
  const TetrahedralMesh mesh = read_tetrahedral_mesh(scratch.path() / "a.ele");
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"tetrahedra 1/3", "tetrahedra 2/3", "points 2/0"}));
  EXPECT_EQ(find_group(mesh, "points 2").vertices, (Ints{1, 2}));
  ASSERT_EQ(mesh.fields.size(), 3u);
  EXPECT_EQ(mesh.fields[0].values, (Doubles{0.5, 1.5, 2.5, 3.5, 4.5}));
  EXPECT_EQ(find_element_field(mesh, "attribute_2").values, (Doubles{10, 20}));
}

// A triangle before the tetrahedron, so that cells and tetrahedra count differently.
const std::string legacy_vtk =
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n"
    "CELLS 2 9\n3 0 2 1\n4 0 1 2 3\nCELL_TYPES 2\n5 10\n";

TEST(MeshData, LegacyVtkAttributesArrive) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.vtk", legacy_vtk +
                   "CELL_DATA 2\nSCALARS region int 1\nLOOKUP_TABLE default\n4 -3\nVECTORS fiber float\n0 0 0 1 2 3\n"
                   "FIELD FieldData 2\nE%20mod 1 2 double\n5 6.25\nMETADATA\nINFORMATION 0\n\nname 1 2 string\na b\nc\n"
                   "POINT_DATA 4\nTENSORS6 s double\n1 1 1 1 1 1 2 2 2 2 2 2 3 3 3 3 3 3 4 4 4 4 4 4\n"
                   "SCALARS T double\nLOOKUP_TABLE mine\n1 2 3 4\nLOOKUP_TABLE mine 1\n0 0 0 1\n");
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"region -3/3", "region 4/2"}));
  EXPECT_EQ(find_group(mesh, "region 4").triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}}));
  EXPECT_EQ(find_element_field(mesh, "region").values, Doubles{-3});
  EXPECT_EQ(find_element_field(mesh, "fiber").values, (Doubles{1, 2, 3}));
  EXPECT_EQ(find_element_field(mesh, "E mod").values, Doubles{6.25});
  ASSERT_EQ(mesh.fields.size(), 5u);
  EXPECT_EQ(mesh.fields[3].components, 6);
  EXPECT_EQ(mesh.fields[4].values, (Doubles{1, 2, 3, 4}));
}

std::string vtu(const std::string& cell_data, const std::string& second_piece_data) {
  const auto piece = [](const std::string& data, const char* shift) {
    return std::string(
               "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points><DataArray type=\"Float64\" "
               "NumberOfComponents=\"3\" format=\"ascii\">0 0 ") +
           shift + " 1 0 " + shift + " 0 1 " + shift + " 0 0 9" +
           "</DataArray></Points>\n<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
           "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray><DataArray type=\"UInt8\" "
           "Name=\"types\" format=\"ascii\">10</DataArray></Cells>\n<CellData>" +
           data + "</CellData></Piece>\n";
  };
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>\n" +
         piece(cell_data, "1") + piece(second_piece_data, "2") + "</UnstructuredGrid></VTKFile>\n";
}

std::string array(const char* type, const char* name, const std::string& values, int components = 1) {
  return std::string("\n<DataArray type=\"") + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}

TEST(MeshData, VtuArraysOfSeveralPiecesAreJoined) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.vtu", vtu(array("Float64", "E", "1.5") + array("Int32", "region", "3") + array("String", "note", "65 0"),
                   array("Int32", "region", "4") + array("Float64", "E", "2.5")));
  EXPECT_EQ(find_element_field(mesh, "E").values, (Doubles{1.5, 2.5}));
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"region 3/3", "region 4/3"}));
  EXPECT_EQ(find_group(mesh, "region 4").elements, Ints{1});
  EXPECT_EQ(find_group(mesh, "region 4").vertices, (Ints{4, 5, 6, 7}));
}

// Behind each kind of attribute another one stands, so that a wrong length of the one would be seen.
TEST(MeshData, EveryAttributeOfLegacyVtkIsReadOrSkipped) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.vtk",
      legacy_vtk +
          "CELL_DATA 2\nSCALARS region signed_char 1\nLOOKUP_TABLE default\n4 -3\nFIELD F 2\nodd 2 2 variant\na b\nc d\n"
          "E 1 2 double\n5 6.25\nPOINT_DATA 4\nEDGE_FLAGS edges int\n1 1 0 0\nSCALARS T double\n1 2 3 4\n");
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"region -3/3", "region 4/2", "edges 0/0", "edges 1/0"}));
  ASSERT_EQ(mesh.fields.size(), 4u);  // region, E, edges, T
  EXPECT_EQ(find_element_field(mesh, "E").values, Doubles{6.25});
  EXPECT_EQ(mesh.fields[3].values, (Doubles{1, 2, 3, 4}));
}

TEST(MeshData, BinaryLegacyVtkTextsAreSkipped) {
  const auto numbers = [](std::initializer_list<int> values) {
    std::string bytes;
    for (const int value : values)
      for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
  };
  const std::string long_text(300, 'x');  // 2 bytes of length, 256 + 44
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 int\n" +
                   numbers({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) + "\nCELLS 1 5\n" + numbers({4, 0, 1, 2, 3}) +
                   "\nCELL_TYPES 1\n" + numbers({10}) + "\nCELL_DATA 1\nFIELD F 3\nshort 1 1 string\n" + "\xc2" + "ab" +
                   "\nlong 1 1 string\n" + "\x81\x2c" + long_text + "\nregion 1 1 signed_char\n" + "\xfe" + "\n");
  EXPECT_EQ(group_names(mesh), std::vector<std::string>{"region -2/3"});
  EXPECT_EQ(mesh.fields.size(), 1u);
}

TEST(MeshData, VtkGroupsAreOfExactIntegersAlone) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh(
      "a.vtk",
      legacy_vtk +
          "CELL_DATA 2\nSCALARS half int\n0 0.5\nFIELD F 3\nlarge 1 2 long\n1e300 1\nlimit 1 2 long\n9007199254740992 1\n"
          "below 1 2 long\n-9007199254740991 1\n");
  EXPECT_EQ(group_names(mesh), (std::vector<std::string>{"below 1/3", "below -9007199254740991/2"}));
  EXPECT_EQ(find_element_field(mesh, "half").values, Doubles{0.5});
  EXPECT_EQ(mesh.fields.size(), 4u);
}

// ---- bad input
TEST(MeshDataBadInput, GmshDataOfTheWrongSizeAreRefused) {
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n", 1)),
             ":28:1: the field 'E' has values for 1 of the 2 tetrahedra; all of them are required");
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n8 1\n", 2)), "has two values for number 8");
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n9 1\n", 3)), "an integer is required");
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n9 1\n", 99999999)), "are announced, but the");
}

TEST(MeshDataBadInput, ValuesThatAreNotFiniteAreRefused) {
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n9 nan\n", 2)),
             ":28:1: the field 'E' has the value nan at number 1 of its elements");
  EXPECT_HAS(refusal("a.vtk", legacy_vtk + "CELL_DATA 2\nSCALARS E double\nLOOKUP_TABLE default\n1 inf\n"),
             ":15:3: the array 'E' has the value inf; finite numbers are required");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Float64", "E", "nan"), array("Float64", "E", "1"))),
             ":6:2: the field 'E' has the value nan");
}

TEST(MeshDataBadInput, DoubledNamesAreRefused) {
  EXPECT_HAS(refusal("a.msh", named_gmsh_22 + element_data("E", "8 1\n9 1\n", 2) + element_data("E", "8 1\n9 1\n", 2)),
             ": a second field 'E' on elements; names must differ");
  EXPECT_HAS(refusal("a.msh", replaced(named_gmsh_22, "3 2 \"hard\"", "3 2 \"soft part\"")),
             ":9:1: the groups 1 and 2 of tetrahedra have the same name 'soft part'");
  EXPECT_HAS(refusal("a.msh", replaced(named_gmsh_22, "3 2 \"hard\"", "3 1 \"hard\"")),
             "has two names, 'soft part' and 'hard'");
  EXPECT_HAS(refusal("a.msh", replaced(named_gmsh_22, "3 2 \"hard\"", "3 2 hard")), "a text in quotes is required");
  EXPECT_HAS(refusal("a.vtk", legacy_vtk + "CELL_DATA 2\nSCALARS E int\n1 2\nVECTORS E int\n1 2 3 4 5 6\n"),
             ":15:9: a second field 'E'");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Int8", "E", "1") + array("Int8", "E", "1"), "")), "a second array of this name");
}

TEST(MeshDataBadInput, VtkDataOfTheWrongSizeAreRefused) {
  EXPECT_HAS(refusal("a.vtk", legacy_vtk + "CELL_DATA 1\nSCALARS E double\nLOOKUP_TABLE default\n1\n"),
             ":12:11: CELL_DATA announces 1 values; the file has 2 cells");
  EXPECT_HAS(refusal("a.vtk", legacy_vtk + "CELL_DATA 2\nFIELD F 1\nE 1 3 double\n1 2 3\n"),
             ":14:1: the array 'E' has 3 values; one for each of the 2 cells is required");
  EXPECT_HAS(refusal("a.vtk", legacy_vtk + "CELL_DATA 2\nSCALARS E double\nLOOKUP_TABLE default\n1\n"), "truncated");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Float64", "E", "1 2"), "")), ":6: DataArray 'E': more than the 1 numbers");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Float64", "E", "1"), "")), "the piece has 0 arrays of cells, the first piece has 1");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Float64", "E", "1"), array("Float64", "E", "1 2", 2))),
             "the first piece has no array");
}

TEST(MeshDataBadInput, VtuPointsOfEveryCellAreChecked) {
  const std::string good = replaced(
      replaced(replaced(replaced(vtu("", ""), "NumberOfCells=\"1\"", "NumberOfCells=\"2\""), ">0 1 2 3<", ">0 1 2 3 0 2 1<"),
               ">4<", ">4 7<"),
      ">10<", ">10 5<");
  EXPECT_EQ(parse_tetrahedral_mesh("a.vtu", good).tetrahedra.size(), 2u);
  for (const char* point : {"4", "-1", "4294967296", "9223372036854775807"})
    EXPECT_HAS(refusal("a.vtu", replaced(good, "0 2 1<", std::string("0 2 ") + point + "<")),
               std::string("element 1 (counted from 0) names point ") + point + ", allowed are 0 to 3");
  const std::string vertex = replaced(replaced(replaced(good, "0 2 1<", "9<"), ">4 7<", ">4 5<"), ">10 5<", ">10 1<");
  EXPECT_HAS(refusal("a.vtu", vertex), "names point 9, allowed are 0 to 3");
}

TEST(MeshDataBadInput, VtuPiecesMustAgreeInTheirArrays) {
  const std::string both = array("Int8", "A", "1") + array("Int8", "B", "1");
  EXPECT_HAS(refusal("a.vtu", vtu(both, array("Int8", "A", "1") + array("Int8", "A", "1"))),
             "DataArray 'A': a second array of this name; names must differ");
  EXPECT_HAS(refusal("a.vtu", vtu(array("Int32", "A", "1"), array("Float64", "A", "1.5"))),
             "DataArray 'A': the number type is 'Float64'; 'Int32', as in the first piece, is allowed");
}

TEST(MeshDataBadInput, LegacyVtkDataStandBehindTheirCellsAndPoints) {
  const std::string cells = "CELL_DATA 0\nSCALARS E int\n", points = "POINT_DATA 0\nSCALARS E int\n";
  EXPECT_HAS(refusal("a.vtk", replaced(legacy_vtk, "CELLS", cells + "CELLS")), ":7: 'CELL_DATA' before 'CELLS'");
  EXPECT_HAS(refusal("a.vtk", replaced(legacy_vtk, "POINTS", cells + "POINTS")), ":5: 'CELL_DATA' before 'CELLS'");
  EXPECT_HAS(refusal("a.vtk", replaced(legacy_vtk, "POINTS", points + "POINTS")), ":5: 'POINT_DATA' before 'POINTS'");
}

// Of one name, an array of points and one of cells make groups of points where there are vertex cells.
TEST(MeshDataBadInput, VtkGroupsOfPointsHaveOneOrigin) {
  const std::string with_vertex =
      replaced(replaced(legacy_vtk, "CELLS 2 9\n3 0 2 1\n", "CELLS 2 7\n1 2\n"), "5 10\n", "1 10\n");
  const std::string data = "CELL_DATA 2\nSCALARS A int\n1 2\nPOINT_DATA 4\nSCALARS A int\n0 0 2 1\n";
  EXPECT_HAS(refusal("a.vtk", with_vertex + data),
             ":16:9: the arrays 'A' of cells and of points both make a group of points with the number 1; names must differ");
  EXPECT_EQ(group_names(parse_tetrahedral_mesh("a.vtk", with_vertex + replaced(data, "2 1\n", "2 3\n"))),
            (std::vector<std::string>{"A 2/3", "A 0/0", "A 1/0", "A 2/0", "A 3/0"}));
}

std::string lookup_refusal(const std::function<void()>& look_up) {
  try {
    look_up();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MeshDataBadInput, UnknownNamesListWhatThereIs) {
  const TetrahedralMesh mesh = parse_tetrahedral_mesh("a.msh", named_gmsh_22 + element_data("E", "8 1\n9 1\n", 2));
  EXPECT_EQ(lookup_refusal([&] { find_group(mesh, "hart"); }),
            "a.msh has no group 'hart'; its groups are 'soft part' (tetrahedra), 'hard' (tetrahedra), 'clamp' (triangles), "
            "'edges 7' (edges), 'tip' (points). Did you mean 'hard'?");
  EXPECT_HAS(lookup_refusal([&] { find_group(mesh, "hard", 2); }), "a.msh has no group 'hard' of triangles;");
  EXPECT_EQ(lookup_refusal([&] { find_element_field(mesh, "nu"); }),
            "a.msh has no field 'nu'; its fields are 'E' (elements, 1 component).");
  const TetrahedralMesh twice = parse_tetrahedral_mesh("a.msh", replaced(named_gmsh_22, "\"clamp\"", "\"hard\""));
  EXPECT_HAS(lookup_refusal([&] { find_group(twice, "hard"); }), "`dimension` tells which is meant (3 or 2)");
  EXPECT_EQ(find_group(twice, "hard", 2).triangles.size(), 1u);
}

}  // namespace
}  // namespace holo
