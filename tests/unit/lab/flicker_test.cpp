#include <gtest/gtest.h>

#include <algorithm>

#include "lab/experiment.hpp"

// The stacks of the flicker experiment, with the library and with something wrong.
namespace tactus::detail::lab {
namespace {

constexpr std::uint64_t kStacks = 40;

// The contacts, spoilt in every second query.
template <class Spoil>
Report with(Spoil spoil) {
  Settings settings;
  settings.pairs = kStacks;
  settings.threads = 1;
  settings.ask_contacts = [spoil, count = 0](const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b, std::span<Manifold> out,
                                             const QueryOptions& options) mutable {
    const ContactsResult r = contacts(a, pose_a, b, pose_b, out, options);
    if (r.manifolds > 0 && ++count % 2 == 0) spoil(out[0]);
    return r;
  };
  return run_flicker(settings);
}

bool passes(const Report& report, const std::string& name) {
  const auto bar = std::find_if(report.bars.begin(), report.bars.end(),
                                [&](const Bar& b) { return b.name == name; });
  return bar == report.bars.end() || bar->ok();
}

TEST(LabFlicker, PassesAndIsTheSameOnAnyNumberOfThreads) {
  Settings settings;
  settings.pairs = kStacks;
  const Report two = run_flicker(settings);
  EXPECT_TRUE(two.ok()) << to_text(two);
  settings.threads = 1;
  EXPECT_EQ(to_text(run_flicker(settings)), to_text(two));
}

TEST(LabFlicker, SeesPointsThatMoveAndCountsThatChange) {
  const Report moved = with([](Manifold& m) {
    m.points[0].point_a += Vec3{1e-5, 1e-5, 1e-5};
    m.points[0].point_b += Vec3{1e-5, 1e-5, 1e-5};
  });
  EXPECT_FALSE(passes(moved, "stacks whose points moved"));
  EXPECT_FALSE(moved.incidents.empty());
  const Report fewer = with([](Manifold& m) { --m.count; });
  EXPECT_FALSE(passes(fewer, "stacks whose count changed"));
  EXPECT_FALSE(passes(fewer, "largest loss of area"));
}

TEST(LabFlicker, SeesPointsInsideAndDepthsThatAreNotTheirs) {
  const Report inside = with([](Manifold& m) {
    for (ContactPoint& p : m.points) p.point_b += m.normal * 1e-4;
    for (ContactPoint& p : m.points) p.depth -= 1e-4;
  });
  EXPECT_FALSE(passes(inside, "farthest point from a surface, relative to size"));
  const Report depth = with([](Manifold& m) { m.points[0].depth += 1e-9; });
  EXPECT_FALSE(passes(depth, "depths other than those of the points"));
}

}  // namespace
}  // namespace tactus::detail::lab
