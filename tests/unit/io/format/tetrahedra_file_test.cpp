#include <gtest/gtest.h>

#include <string>

#include "tactus/io.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

std::string refusal(const std::string& text, const std::string& name) {
  try {
    parse_tetrahedra(text, name);
  } catch (const FileError& error) {
    return error.what();
  }
  return "taken";
}

TEST(TetrahedraFile, EveryFormatKeepsEveryBit) {
  const detail::test::TemporaryFolder folder;
  soft::TetrahedralMesh mesh = soft::tetrahedral_sphere(1.0 / 3.0, 0.21);
  for (const char* name : {"a.msh", "a.mesh", "a.VTK"}) {
    write_tetrahedra(folder / name, mesh);
    const soft::TetrahedralMesh again = read_tetrahedra(folder / name);
    EXPECT_EQ(again.tetrahedra, mesh.tetrahedra) << name;
    EXPECT_EQ(again.vertices, mesh.vertices) << name;
  }
  EXPECT_THROW(write_tetrahedra(folder / "a.obj", mesh), FileError);
  testing::internal::CaptureStdout();
  write_tetrahedra("-", mesh);
  const soft::TetrahedralMesh again =
      parse_tetrahedra(testing::internal::GetCapturedStdout(), "standard output.msh");
  EXPECT_EQ(again.vertices, mesh.vertices);
  EXPECT_THROW(read_tetrahedra(folder / "none.msh"), FileError);
}

TEST(TetrahedraFile, Gmsh41WithOtherElements) {
  const std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 0 0\n1 0 0 0 0\n$EndEntities\n"
      "$Nodes\n2 4 1 9\n0 1 0 1\n9\n0 0 0\n3 1 0 3\n1\n2\n3\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n2 2 1 2\n2 1 2 1\n1 9 1 2\n3 1 4 1\n2 9 1 2 3\n$EndElements\n";
  const soft::TetrahedralMesh mesh = parse_tetrahedra(text, "x.msh");
  ASSERT_EQ(mesh.tetrahedra.size(), 1u);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.tetrahedra[0], (std::array<std::uint32_t, 4>{0, 1, 2, 3}));
}

TEST(TetrahedraFile, BrokenOnesAreNamedWithTheirLine) {
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n";
  EXPECT_EQ(refusal(head + "1\n1 0 0 oops\n", "x.msh").substr(0, 8), "x.msh:6:");
  EXPECT_NE(refusal(head + "1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n", "x.msh")
                .find("there is no node 2"),
            std::string::npos);
  EXPECT_NE(refusal("$MeshFormat\n2.2 1 8\n", "x.msh").find("binary"), std::string::npos);
  EXPECT_NE(refusal("MeshVersionFormatted 2\nDimension 3\nVertices\n1\n0 0 0 0\n", "x.mesh")
                .find("no Tetrahedra"),
            std::string::npos);
  EXPECT_NE(refusal("# vtk DataFile Version 3.0\nt\nBINARY\n", "x.vtk").find("ASCII"),
            std::string::npos);
  const std::string flat =
      "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\n"
      "Tetrahedra\n1\n1 2 3 4 0\n";
  EXPECT_NE(refusal(flat, "x.mesh").find("tetrahedra[0]: is flat"), std::string::npos);
  EXPECT_NE(refusal("", "x.obj").find(".msh"), std::string::npos);
}

}  // namespace
}  // namespace tactus::io
