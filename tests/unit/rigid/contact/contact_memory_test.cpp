// Impulses that contact points take over from those of the step before.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"

namespace tactus::detail {
namespace {

/// A box on a half-space, as the contacts see it.
class ContactMemory : public testing::Test {
 protected:
  ContactMemory() {
    BodyDefinition ground{HalfSpace({0, 0, 1}, 0.0)};
    ground.type = BodyType::fixed;
    ground.id = 1;
    BodyDefinition box{Box({1, 1, 1}), Pose::translation({0, 0, 0.5})};
    box.id = 2;
    bodies_.emplace_back(ground);
    bodies_.emplace_back(box);
    contacts_.detect(bodies_, settings_, {}, settings_.time_step);
  }

  /// Impulses of the four corners after a step that began with what `change` makes of the memory.
  template <class Change>
  std::vector<double> inherited(Change change) {
    std::size_t i = 0;
    for (double& impulse : contacts_.impulses()[0].normal) impulse = static_cast<double>(++i);
    WorldState state;
    contacts_.save(state);
    EXPECT_EQ(state.points.size(), 4u);
    change(state);
    ContactSet next;
    next.restore(state);
    next.detect(bodies_, settings_, {}, settings_.time_step);
    EXPECT_EQ(next.patches().size(), 1u);
    const auto& normal = next.impulses()[0].normal;
    return {normal.begin(), normal.begin() + next.patches()[0].manifold.count};
  }

  static double sum(const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
  }

  WorldSettings settings_;
  std::vector<Body> bodies_;
  ContactSet contacts_;
};

TEST_F(ContactMemory, TheSameFeaturesKeepTheirImpulses) {
  EXPECT_EQ(inherited([](WorldState&) {}), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(ContactMemory, NewFeaturesTakeOverByPlace) {
  const auto kept = inherited([](WorldState& state) {
    for (ContactPointMemory& p : state.points) p.feature += 1000;
  });
  EXPECT_EQ(kept, (std::vector<double>{1, 2, 3, 4}));
}

// An impulse is a load: two points that take it both would double it.
TEST_F(ContactMemory, NoTwoPointsTakeOverOneImpulse) {
  const auto kept = inherited([](WorldState& state) {
    // All new, and none near: the patch was chosen anew, and its points share the load.
    for (ContactPointMemory& p : state.points) p.feature += 1000;
    state.points.resize(1);
    state.manifolds[0].count = 1;
    state.points[0].position = {};
  });
  EXPECT_EQ(kept, (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
  // A box so thin that its corners lie within a tenth of its size of each other, two by two.
  BodyDefinition plank{Box({1, 0.05, 1}), Pose::translation({0, 0, 0.5})};
  plank.id = 2;
  bodies_[1] = Body(plank);
  contacts_ = ContactSet();
  contacts_.detect(bodies_, settings_, {}, settings_.time_step);
  const auto doubled = inherited([](WorldState& state) {
    for (ContactPointMemory& p : state.points) p.feature += 1000;
    // One old point between each two corners of an end.
    const Vec3 first = state.points[0].position;
    state.points.resize(1);
    state.manifolds[0].count = 1;
    state.points[0].position = {first.x, 0.0, first.z};
  });
  EXPECT_EQ(sum(doubled), 1.0);
}

TEST_F(ContactMemory, OtherPartsHandOnNothing) {
  for (const bool of_a : {true, false}) {
    const auto kept = inherited([&](WorldState& state) {
      (of_a ? state.manifolds[0].part_a : state.manifolds[0].part_b) = 3;
    });
    EXPECT_EQ(sum(kept), 0.0);
  }
}

}  // namespace
}  // namespace tactus::detail
