#include "tactus/io/format/tree_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/core.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::io {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using bvh::Hierarchy;

/// A folder of its own, gone at the end.
template <class Volume>
class TreeFile : public testing::Test {
 protected:
  fs::path file(const char* name) const { return folder_ / name; }

  std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(file(name), std::ios::binary).rdbuf();
    return text.str();
  }

  /// Why `read_tree` refuses these bytes, without the file's name; empty when it takes them.
  template <class Other = Volume>
  std::string refusal(const std::string& bytes, const TriangleMesh& mesh) const {
    std::ofstream(file("bad.bvh"), std::ios::binary) << bytes;
    try {
      read_tree<Other>(file("bad.bvh"), mesh);
    } catch (const FileError& error) {
      const std::string prefix = file("bad.bvh").string() + ": ", text = error.what();
      EXPECT_EQ(text.compare(0, prefix.size(), prefix), 0) << text;
      return text.substr(prefix.size());
    }
    return "";
  }

 private:
  test::TemporaryFolder folder_;
};
using Volumes =
    testing::Types<bvh::OrientedBox, bvh::AlignedBox, bvh::Ball, bvh::Dop14, bvh::SweptRectangle>;
TYPED_TEST_SUITE(TreeFile, Volumes);

// The checksum of the layout, so that a forged file gets past it.
void sign(std::string& bytes) {
  WordHash hash;
  for (std::size_t i = 0; i + 8 < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    hash.add(word);
  }
  const std::uint64_t sum = hash.value();
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
}

TYPED_TEST(TreeFile, ComesBackBitByBit) {
  Random random(1, 2);
  TriangleMesh one;
  one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  one.triangles = {{0, 1, 2}};
  for (const TriangleMesh& mesh : {test::bumpy_mesh(3, 0.2, random), one}) {
    const Hierarchy<TypeParam> tree(mesh);
    write_tree(tree, this->file("a.bvh"));
    EXPECT_LE(this->content("a.bvh").size(), tree.bytes() + 48);
    const Hierarchy<TypeParam> again = read_tree<TypeParam>(this->file("a.bvh"), mesh);
    ASSERT_EQ(again.nodes().size(), tree.nodes().size());
    EXPECT_EQ(std::memcmp(again.nodes().data(), tree.nodes().data(), tree.bytes()), 0);
    EXPECT_EQ(again.fingerprint(), tree.fingerprint());
    EXPECT_EQ(again.middle(), tree.middle());
    EXPECT_EQ(again.reach(), tree.reach());
    write_tree(again, this->file("b.bvh"));
    EXPECT_EQ(this->content("a.bvh"), this->content("b.bvh"));
  }
}

TYPED_TEST(TreeFile, SaysWhatIsWrong) {
  Random random(3, 4);
  const TriangleMesh mesh = test::bumpy_mesh(1, 0.2, random);
  write_tree(Hierarchy<TypeParam>(mesh), this->file("good.bvh"));
  const std::string good = this->content("good.bvh");
  EXPECT_EQ(this->refusal(good, mesh), "");
  for (std::size_t length = 0; length < good.size(); length += 37)
    EXPECT_NE(this->refusal(good.substr(0, length), mesh), "") << length;
  EXPECT_EQ(this->refusal(good.substr(0, 500), mesh), "is damaged or cut short");
  EXPECT_EQ(this->refusal(good + "01234567", mesh), "is damaged or cut short");
  EXPECT_EQ(this->refusal("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", mesh), "is no hierarchy");
  std::string newer = good;
  newer[7] = '2';
  EXPECT_EQ(this->refusal(newer, mesh), "is a hierarchy of another version");
  TriangleMesh moved = mesh;
  moved.vertices[5].y = std::nextafter(moved.vertices[5].y, 9.0);
  EXPECT_EQ(this->refusal(good, moved), "is of another mesh");
  moved = mesh;
  std::swap(moved.triangles[3][0], moved.triangles[3][1]);
  EXPECT_EQ(this->refusal(good, moved), "is of another mesh");
  EXPECT_EQ(this->refusal(good, test::sphere_mesh(2)), "is of another mesh");
  using Other = std::conditional_t<std::is_same_v<TypeParam, bvh::Ball>, bvh::Dop14, bvh::Ball>;
  EXPECT_EQ(this->template refusal<Other>(good, mesh), "has volumes of kind " +
                                                           std::string(TypeParam::kName) +
                                                           ", not " + std::string(Other::kName));
  EXPECT_THROW(read_tree<TypeParam>(this->file("none.bvh"), mesh), FileError);
  EXPECT_THROW(read_tree<TypeParam>(this->file("."), mesh), FileError);
  EXPECT_THROW(write_tree(Hierarchy<TypeParam>(mesh), this->file("no/such/tree.bvh")), FileError);
}

// Any damage is found; who forges the checksum too may lie about volumes, and queries still end.
TYPED_TEST(TreeFile, BearsAnyBytes) {
  Random random(5, 6);
  const TriangleMesh mesh = test::bumpy_mesh(1, 0.2, random);
  write_tree(Hierarchy<TypeParam>(mesh), this->file("good.bvh"));
  const std::string good = this->content("good.bvh");
  const auto size = static_cast<std::uint32_t>(good.size());
  int taken = 0;
  for (int trial = 0; trial < test::effort(120); ++trial) {
    std::string bad = good;
    const std::uint32_t flips = 1 + random.below(4);
    for (std::uint32_t i = 0; i < flips; ++i) {
      // As often the head as the nodes.
      const std::uint32_t place = random.below(2) == 0 ? random.below(48) : random.below(size - 8);
      bad[place] = static_cast<char>(random.below(256));
    }
    if (bad == good) continue;
    EXPECT_NE(this->refusal(bad, mesh), "") << trial;
    sign(bad);
    if (!this->refusal(bad, mesh).empty()) continue;
    ++taken;
    const Hierarchy<TypeParam> tree = read_tree<TypeParam>(this->file("bad.bvh"), mesh);
    const Pose apart(Vec3{random.uniform(0, 3), 0.3, 0.1}, Quat{});
    for (const bvh::Strategy strategy : {bvh::Strategy::best_first, bvh::Strategy::greedy}) {
      bvh::MeshDistanceOptions options;
      options.strategy = strategy;
      const auto d = bvh::mesh_distance_by(mesh, tree, Pose(), mesh, tree, apart, options);
      EXPECT_FALSE(std::isnan(d.distance) || std::isnan(d.lower) || std::isnan(d.upper));
    }
    if constexpr (std::is_same_v<TypeParam, bvh::OrientedBox>) {
      bvh::nearest_point({mesh, tree}, apart.position());
      bvh::winding_at({mesh, tree}, apart.position());
    }
  }
  EXPECT_GT(taken, test::effort(120) / 20);
}

}  // namespace
}  // namespace tactus::io
