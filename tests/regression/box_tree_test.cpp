#include "tactus/ccd/box_tree.hpp"

#include <gtest/gtest.h>

namespace tactus::detail {
namespace {

// The order within a leaf was that of the standard library's nth_element, so that soft bodies in
// contact had other bits in WebAssembly.
TEST(BoxTreeRegression, OrderFollowsFromBoxesAndNumbersAlone) {
  std::vector<SweptBox> boxes;
  for (int i = 0; i < 8; ++i) {
    const Vec3 p{-1.0 * i, 0.0, 0.0};
    boxes.push_back({p, p});
  }
  std::vector<std::uint32_t> found;
  const BoxTree tree(boxes);
  tree.find({{-10.0, -1.0, -1.0}, {10.0, 1.0, 1.0}}, [&](std::uint32_t i) { found.push_back(i); });
  EXPECT_EQ(found, (std::vector<std::uint32_t>{4, 5, 6, 7, 0, 1, 2, 3}));
}

}  // namespace
}  // namespace tactus::detail
