// Frames are read back by the project's own reader, and their arrays decoded again.
#include "holo/sim/paraview.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <pugixml.hpp>

#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace {

using namespace holo;

std::vector<double> flat(const TetrahedralMesh& mesh) {
  std::vector<double> out;
  for (const auto& x : mesh.vertices) out.insert(out.end(), x.begin(), x.end());
  return out;
}

// The frame's XML, without its appended data.
pugi::xml_document parsed(const std::string& frame) {
  const std::size_t data = frame.find("_", frame.find("<AppendedData")), end = frame.rfind("</AppendedData>");
  EXPECT_LT(data, end);
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string((frame.substr(0, data) + frame.substr(end)).c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

TEST(ParaviewFrame, IsReadBackByTheVtuReader) {
  // 20,000 elements: the connectivity takes several compressed blocks.
  const TetrahedralMesh mesh = box_mesh({1.2, 0.4, 0.4}, 20000);
  const std::vector<double> positions = flat(mesh), energies(mesh.tetrahedra.size(), 0.25);
  const std::string frame =
      paraview_frame(positions, mesh.tetrahedra, {{"displacement [m]", 3, positions}}, {{"energy", 1, energies}});
  const TetrahedralMesh read = parse_tetrahedral_mesh("frame.vtu", frame);
  EXPECT_EQ(read.vertices, mesh.vertices);
  EXPECT_EQ(read.tetrahedra, mesh.tetrahedra);
}

TEST(ParaviewFrame, FieldsStandWithTheirNamesAndComponents) {
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 48);
  const std::vector<double> positions = flat(mesh), body(mesh.tetrahedra.size(), 1), stress(6 * mesh.tetrahedra.size());
  const std::string frame = paraview_frame(positions, mesh.tetrahedra, {{"velocity <\"&\">", 3, positions}},
                                           {{"body", 1, body}, {"stress [Pa]", 6, stress}});
  const pugi::xml_document document = parsed(frame);
  const pugi::xml_node piece = document.child("VTKFile").child("UnstructuredGrid").child("Piece");
  EXPECT_EQ(piece.attribute("NumberOfPoints").as_uint(), mesh.vertices.size());
  EXPECT_EQ(piece.attribute("NumberOfCells").as_uint(), mesh.tetrahedra.size());
  EXPECT_STREQ(piece.child("PointData").child("DataArray").attribute("Name").value(), "velocity <\"&\">");
  EXPECT_STREQ(piece.child("PointData").child("DataArray").attribute("NumberOfComponents").value(), "3");
  EXPECT_TRUE(piece.child("CellData").find_child_by_attribute("Name", "body"));
  EXPECT_STREQ(piece.child("CellData").find_child_by_attribute("Name", "stress [Pa]").attribute("NumberOfComponents").value(),
               "6");
}

// A field's values come back exactly: they are moved to where the reader looks for points.
TEST(ParaviewFrame, FieldValuesAreExact) {
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 6000);
  std::vector<double> velocity = flat(mesh);
  for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] += 1e-3 * std::sin(7.0 * static_cast<double>(i));
  std::string frame = paraview_frame(flat(mesh), mesh.tetrahedra, {{"velocity", 3, velocity}});
  const auto offset_of = [&](const char* name) {
    const std::size_t at = frame.find("offset=", frame.find(std::string("Name=\"") + name + "\""));
    return std::pair{at, frame.substr(at, frame.find("/>", at) - at)};
  };
  const auto [points_at, points] = offset_of("Points");
  frame.replace(points_at, points.size(), offset_of("velocity").second);
  const TetrahedralMesh read = parse_tetrahedral_mesh("frame.vtu", frame);
  EXPECT_EQ(flat(read), velocity);
}

// A triangle behind a tetrahedron: types 10 and 5 of VTK, which ends at corners 4 and 7.
TEST(ParaviewFrame, TrianglesAreCellsBehindTheTetrahedra) {
  const std::vector<double> positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, body = {0, 1};
  const std::vector<std::array<int, 4>> tetrahedra = {{0, 1, 2, 3}};
  const std::vector<std::array<int, 3>> triangles = {{1, 2, 3}}, outside = {{1, 2, 4}};
  const std::string frame = paraview_frame(positions, tetrahedra, {}, {{"body", 1, body}}, triangles);
  const pugi::xml_document document = parsed(frame);
  EXPECT_EQ(document.child("VTKFile").child("UnstructuredGrid").child("Piece").attribute("NumberOfCells").as_uint(), 2u);
  const auto bytes = [&](const char* name) {
    const std::size_t named = frame.find(std::string("Name=\"") + name + "\"");
    const std::size_t offset = std::stoul(frame.substr(frame.find("offset=\"", named) + 8));
    const char* data = frame.data() + frame.find('_', frame.find("<AppendedData")) + 1 + offset;
    std::uint64_t head[4];
    std::memcpy(head, data, sizeof head);
    std::string values(head[2], '\0');
    uLongf size = head[2];
    EXPECT_EQ(
        uncompress(reinterpret_cast<Bytef*>(values.data()), &size, reinterpret_cast<const Bytef*>(data + sizeof head), head[3]),
        Z_OK);
    return values;
  };
  EXPECT_EQ(bytes("types"), std::string("\x0a\x05"));
  const std::int64_t ends[] = {4, 7};
  EXPECT_EQ(bytes("offsets"), std::string(reinterpret_cast<const char*>(ends), sizeof ends));
  const std::int32_t corners[] = {0, 1, 2, 3, 1, 2, 3};
  EXPECT_EQ(bytes("connectivity"), std::string(reinterpret_cast<const char*>(corners), sizeof corners));
  EXPECT_THROW(paraview_frame(positions, tetrahedra, {}, {{"body", 1, body}}, outside), Error);
}

TEST(ParaviewFrame, SameDataGiveTheSameBytes) {
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 600);
  EXPECT_EQ(paraview_frame(flat(mesh), mesh.tetrahedra), paraview_frame(flat(mesh), mesh.tetrahedra));
}

TEST(ParaviewFrame, ValuesThatAreNotFiniteAreKept) {
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 6);
  const std::vector<double> energy(mesh.tetrahedra.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_NO_THROW(paraview_frame(flat(mesh), mesh.tetrahedra, {}, {{"energy", 1, energy}}));
}

TEST(ParaviewFrame, ArraysThatDoNotFitAreRefused) {
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 6);
  const std::vector<double> positions = flat(mesh), few(3);
  const std::vector<std::array<int, 4>> outside = {{0, 1, 2, 8}};
  EXPECT_THROW(paraview_frame(positions, mesh.tetrahedra, {{"velocity", 3, few}}), Error);
  EXPECT_THROW(paraview_frame(positions, mesh.tetrahedra, {}, {{"energy", 1, few}}), Error);
  EXPECT_THROW(paraview_frame(positions, mesh.tetrahedra, {{"a", 3, positions}, {"a", 3, positions}}), Error);
  EXPECT_THROW(paraview_frame(few, outside), Error);
  EXPECT_THROW(paraview_frame(std::vector<double>(4), {}), Error);
}

TEST(ParaviewCollection, ListsTheFramesWithTheirTimes) {
  const std::string text = paraview_collection({{0, "frames/frame_00000.vtu"}, {0.1, "frames/a&b.vtu"}});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  const pugi::xml_node second = document.child("VTKFile").child("Collection").last_child();
  EXPECT_STREQ(document.child("VTKFile").attribute("type").value(), "Collection");
  EXPECT_EQ(second.attribute("timestep").as_double(), 0.1);
  EXPECT_STREQ(second.attribute("file").value(), "frames/a&b.vtu");
}

}  // namespace
