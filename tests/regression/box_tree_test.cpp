#include "tactus/ccd/box_tree.hpp"

#include <gtest/gtest.h>

namespace tactus::detail {
namespace {

// The order within a leaf was that of the standard library's nth_element, so that soft bodies in
// contact had other bits in WebAssembly.
TEST(BoxTreeRegression, OrderFollowsFromBoxesAndNumbersAlone) {
  // Two leaves.
  std::vector<SweptBox> boxes;
  for (int i = 0; i < 24; ++i) {
    const Vec3 p{-1.0 * i, 0.0, 0.0};
    boxes.push_back({p, p});
  }
  std::vector<std::uint32_t> found;
  const BoxTree tree(boxes);
  tree.find({{-30.0, -1.0, -1.0}, {30.0, 1.0, 1.0}}, [&](std::uint32_t i) { found.push_back(i); });
  std::vector<std::uint32_t> wanted(24);
  for (std::uint32_t i = 0; i < 24; ++i) wanted[i] = (i + 12) % 24;
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace tactus::detail
