// Two cells of one face that fall on the same place of the table: the face was found twice, and its
// contacts were reported twice.
#include "tactus/ccd/moving_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

TEST(MovingHashRegression, FindsEachFaceOnce) {
  Random random(3);
  const auto point = [&] {
    return Vec3(random.uniform(0.0, 4.0), random.uniform(0.0, 4.0), random.uniform(0.0, 4.0));
  };
  std::vector<SweptBox> faces;
  for (int i = 0; i < 200; ++i) {
    const Vec3 at = point();
    faces.push_back({at, at + Vec3(0.8, 0.8, 0.8)});
  }
  const MovingHash hash(faces, 0.25);
  std::vector<std::uint32_t> found, wanted;
  std::size_t pairs = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3 at = point();
    HashStages stages;
    found.clear();
    wanted.clear();
    hash.find(at, at, {at, at}, stages, [&](std::uint32_t face) { found.push_back(face); });
    for (std::uint32_t face = 0; face < faces.size(); ++face)
      if (meet(faces[face], {at, at})) wanted.push_back(face);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, wanted);
    pairs += wanted.size();
  }
  EXPECT_GT(pairs, 400u);
}

}  // namespace
}  // namespace tactus::detail
