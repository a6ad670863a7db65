// Parts of a set of contacts, each alone: candidates, matching, state, impulses.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/contact/candidate_pairs.hpp"
#include "tactus/rigid/contact/contact_state.hpp"
#include "tactus/rigid/contact/pair_matcher.hpp"
#include "tactus/rigid/contact/patch_memory.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 random_vector(Random& rng, double most) {
  const double x = rng.uniform(-most, most), y = rng.uniform(-most, most),
               z = rng.uniform(-most, most);
  return {x, y, z};
}

/// Balls of radius 0.2 in a cube of side 4, at random velocities.
std::vector<Body> random_balls(Random& rng, int count) {
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    BodyDefinition ball{Sphere(0.2), Pose::translation(random_vector(rng, 2.0))};
    ball.id = 2 * static_cast<BodyId>(i) + 3;
    ball.linear_velocity = random_vector(rng, 10.0);
    bodies.emplace_back(ball);
  }
  return bodies;
}

using Ids = std::pair<BodyId, BodyId>;

TEST(CandidatePairs, WhatMeetsWithinTheTimeIsAmongThem) {
  Random rng(1);
  int met = 0;
  for (int round = 0; round < test::effort(20); ++round) {
    const std::vector<Body> bodies = random_balls(rng, 40);
    WorldSettings settings;
    settings.gravity = random_vector(rng, 10.0);
    const double time = rng.uniform(0.0, 0.1);
    CandidatePairs candidates(1);
    candidates.find(bodies, settings, {}, time);
    std::set<std::pair<std::size_t, std::size_t>> found;
    for (const BroadPair& p : candidates.pushing()) found.emplace(p.a, p.b);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        // Both fall alike: their way towards each other is straight.
        const Vec3 gap = bodies[j].center_of_mass() - bodies[i].center_of_mass();
        const Vec3 speed = bodies[j].linear_velocity() - bodies[i].linear_velocity();
        const double when = std::clamp(-dot(gap, speed) / squared_norm(speed), 0.0, time);
        if (norm(gap + speed * when) > 0.4) continue;
        ++met;
        EXPECT_TRUE(found.contains({i, j})) << i << " " << j;
      }
    }
  }
  EXPECT_GT(met, 0);
}

TEST(PairMatcher, EachPairFindsItselfAndNoOther) {
  Random rng(2);
  int known = 0, anew = 0;
  for (int round = 0; round < test::effort(20); ++round) {
    std::vector<Body> bodies = random_balls(rng, 60);
    WorldSettings settings;
    for (auto& axis : settings.periodic) axis = PeriodicAxis{-2.0, 2.0};
    CandidatePairs candidates(1);
    PairMatcher matcher;
    ContactState state;
    std::map<std::pair<Ids, Periods>, std::uint32_t> before;
    for (std::uint32_t detection = 0; detection < 3; ++detection) {
      candidates.find(bodies, settings, {}, 0.02);
      state.begin_detection();
      matcher.match(bodies, candidates, state, 1);
      std::vector<ContactPair>& pairs = state.now().pairs;
      ASSERT_EQ(pairs.size(), candidates.pushing().size());
      ASSERT_EQ(matcher.order().size(), pairs.size());
      std::map<std::pair<Ids, Periods>, std::uint32_t> now;
      for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        ContactPair& pair = pairs[i];
        const std::pair key{Ids(pair.body_a, pair.body_b), pair.image};
        const auto it = before.find(key);
        const ContactPair* old = matcher.old_of(i);
        ASSERT_EQ(old != nullptr, it != before.end());
        if (old != nullptr) {
          EXPECT_EQ(old->first, it->second);
        }
        ++(old != nullptr ? known : anew);
        pair.first = 1000 * detection + i;
        now.emplace(key, pair.first);
      }
      ASSERT_EQ(now.size(), pairs.size());
      before = std::move(now);
      // Some bodies go elsewhere, and some are gone.
      for (Body& body : bodies) {
        BodyMotion motion = body.motion();
        motion.position = random_vector(rng, 1.9);
        if (rng.uniform() < 0.3) detail::BodyAccess::set_motion(body, motion);
      }
      bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(rng.next() % bodies.size()));
    }
  }
  EXPECT_GT(known, 0);
  EXPECT_GT(anew, 0);
}

/// Fills the lists as a detection does.
void fill(ContactLists& lists, Random& rng) {
  const std::size_t count = rng.next() % 5;
  lists.pairs.assign(count, {});
  lists.patches.clear();
  lists.keys.clear();
  lists.impulses.clear();
  for (ContactPair& pair : lists.pairs) {
    pair.body_a = rng.next();
    pair.body_b = rng.next();
    pair.first = static_cast<std::uint32_t>(lists.keys.size());
    pair.count = rng.next() % 3;
    for (std::uint32_t k = 0; k < pair.count; ++k) {
      lists.keys.push_back({static_cast<std::int32_t>(rng.next() % 9), 0, 0, {}, {}});
      lists.impulses.emplace_back().rolling = random_vector(rng, 1.0);
    }
  }
  lists.stirring = rng.next() % (lists.keys.size() + 1);
  lists.reuse = rng.next() % 2 == 0;
}

/// All that the lists say, as numbers.
std::vector<double> told(const ContactLists& lists) {
  std::vector<double> all{static_cast<double>(lists.stirring), lists.reuse ? 1.0 : 0.0};
  for (const ContactPair& p : lists.pairs) {
    for (const BodyId id : {p.body_a, p.body_b}) all.push_back(static_cast<double>(id));
    all.push_back(p.first);
    all.push_back(p.count);
  }
  for (const PatchKey& key : lists.keys) all.push_back(key.part_a);
  for (const PatchImpulses& i : lists.impulses) {
    for (int axis = 0; axis < 3; ++axis) all.push_back(i.rolling[axis]);
  }
  return all;
}

TEST(ContactState, StepThatFailsAfterAnyNumberOfDetectionsComesBack) {
  Random rng(3);
  ContactState state;
  fill(state.now(), rng);
  for (int round = 0; round < test::effort(200); ++round) {
    const std::vector<double> before = told(state.now());
    state.remember();
    const std::uint32_t detections = rng.next() % 4;
    for (std::uint32_t k = 0; k < detections; ++k) {
      const std::vector<double> last = told(state.now());
      state.begin_detection();
      EXPECT_EQ(told(state.old()), last);
      EXPECT_EQ(state.old_is_kept(), k == 0);
      fill(state.now(), rng);
    }
    if (rng.next() % 2 == 0) continue;
    state.undo({}, {});
    EXPECT_EQ(told(state.now()), before);
  }
}

PatchKey random_key(Random& rng) {
  PatchKey key{1, 2, 1 + static_cast<int>(rng.next() % Manifold::kCapacity), {}, {}};
  for (std::size_t k = 0; k < key.features.size(); ++k) {
    key.features[k] = 10 * k + rng.next() % 3;
    key.positions[k] = random_vector(rng, 1.0);
  }
  return key;
}

double load_of(const PatchImpulses& impulses) {
  return std::accumulate(impulses.normal.begin(), impulses.normal.end(), 0.0);
}

TEST(PatchMemory, PointsKeepTheImpulsesOfTheirFeaturesAndNoLoadIsMade) {
  Random rng(4);
  for (int round = 0; round < test::effort(500); ++round) {
    const PatchKey old_key = random_key(rng), key = random_key(rng);
    PatchImpulses old;
    for (std::size_t k = 0; k < static_cast<std::size_t>(old_key.count); ++k)
      old.normal[k] = 1.0 + rng.uniform();
    old.rolling = random_vector(rng, 1.0);
    for (const bool alone : {false, true}) {
      const PatchImpulses now = handed_on(key, old_key, old, 1.0, alone);
      EXPECT_LE(load_of(now), load_of(old) * (1.0 + 1e-15 * Manifold::kCapacity));
      EXPECT_EQ(now.rolling, old.rolling);
      for (std::size_t k = 0; k < static_cast<std::size_t>(key.count); ++k) {
        for (std::size_t j = 0; j < static_cast<std::size_t>(old_key.count); ++j) {
          if (key.features[k] == old_key.features[j]) {
            EXPECT_EQ(now.normal[k], old.normal[j]);
          }
        }
      }
      const PatchImpulses again = remembered(key, {&old_key, 1}, {&old, 1}, 1.0, alone);
      EXPECT_EQ(again.normal, now.normal);
      EXPECT_EQ(again.friction, now.friction);
    }
  }
}

}  // namespace
}  // namespace tactus::detail
