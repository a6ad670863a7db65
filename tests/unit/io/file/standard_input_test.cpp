#include "tactus/io/file/standard_input.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tactus::io {
namespace {

std::string binary_stl(unsigned char triangles, const char* head) {
  std::string content(head);
  content.resize(84, '\0');
  content[80] = static_cast<char>(triangles);
  content.resize(84 + 50 * std::size_t{triangles}, '\0');
  return content;
}

TEST(StandardInput, KnowsFormatsByTheirContent) {
  EXPECT_EQ(format_of("ply\nformat ascii 1.0\n"), ".ply");
  EXPECT_EQ(format_of("solid cube\n facet"), ".stl");
  EXPECT_EQ(format_of(binary_stl(2, "anything")), ".stl");
  EXPECT_EQ(format_of(binary_stl(2, "ply")), ".stl");
  EXPECT_EQ(format_of("# a comment\n\nOFF\n8 6 0\n"), ".off");
  EXPECT_EQ(format_of("COFF 8 6 0\n"), ".off");
  EXPECT_EQ(format_of("glTF\x02"), ".glb");
  EXPECT_EQ(format_of(" {\"asset\":{}}"), ".gltf");
  EXPECT_EQ(format_of("{\"type\":\"mesh\"}"), ".json");
  EXPECT_EQ(format_of("$MeshFormat\n4.1 0 8\n"), ".msh");
  EXPECT_EQ(format_of("MeshVersionFormatted 2\n"), ".mesh");
  EXPECT_EQ(format_of("# vtk DataFile Version 3.0\n"), ".vtk");
  EXPECT_EQ(format_of("# points\n-1 2 3\n"), ".xyz");
  EXPECT_EQ(format_of("# Blender\nv 1 2 3\n"), ".obj");
  EXPECT_EQ(format_of("\xef\xbb\xbfv 1 2 3\n"), ".obj");
  EXPECT_EQ(format_of(""), ".obj");
}

TEST(StandardInput, IsNotWhatAFileNames) {
  EXPECT_EQ(beside("", "-"), "./-");
  EXPECT_EQ(beside("models", "-"), "models/-");
  EXPECT_EQ(beside("", "a.obj"), "a.obj");
  EXPECT_EQ(beside("models", "/a.obj"), "/a.obj");
}

}  // namespace
}  // namespace tactus::io
