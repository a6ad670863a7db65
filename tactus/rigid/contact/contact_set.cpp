#include "tactus/rigid/contact/contact_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/motion/sleep.hpp"
#include "tactus/rigid/solver/friction_spread.hpp"

namespace tactus::detail {
namespace {

/// Width of the bracket asked of each query, relative to the pair's size: far below what a step can
/// resolve.
constexpr double kQueryTolerance = 1e-9;
/// A patch may turn a little towards its bodies' motion within a step: approach speeds are taken
/// larger by this factor.
constexpr double kApproachMargin = 1.5;
/// A point with a new feature counts as the old one within this distance, relative to the smaller
/// body's size.
constexpr double kSamePlace = 0.1;
/// Grain size (bodies) of the loop that computes swept boxes.
constexpr std::size_t kBoxedTogether = 128;
/// Grain size (pairs) of the loops that match pairs with the old ones, or ask them for loads.
constexpr std::size_t kMatchedTogether = 512;
/// Pairs of a chunk, which one thread detects.
constexpr std::size_t kChunk = 32;
/// Grain size (chunks) of the loop that copies chunks into the lists of all patches.
constexpr std::size_t kJoinedTogether = 16;
/// Pairs of boxes that a world may have, whatever its size, and per body. A pair that touches takes
/// some 2 kB.
constexpr std::size_t kMostPairs = std::size_t{1} << 19u, kMostPairsPerBody = 64;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double smaller_size(const Body& a, const Body& b) { return std::min(a.size(), b.size()); }

Outlook look_ahead(const Body& body, const WorldSettings& settings, double time) {
  Outlook result;
  result.acceleration = outside_acceleration(body, settings);
  if (body.type() != BodyType::fixed)
    result.turning = norm(body.angular_velocity()) * body.radius() * time;
  result.aside = straying(body, settings, time);
  // After an impact it may go within a substep in another direction: the next detection comes at
  // the end of the substep.
  if (body.is_awake())
    result.aside += (norm(body.linear_velocity()) + norm(body.angular_velocity()) * body.radius()) *
                    std::min(settings.time_step / settings.substeps, time);
  return result;
}

/// The gap below which a pair matters within the time.
double reach(const Body& a, const Outlook& ahead_a, const Body& b, const Outlook& ahead_b,
             const WorldSettings& settings, double time) {
  const Vec3 relative = b.linear_velocity() - a.linear_velocity();
  const Vec3 relative_acceleration = ahead_b.acceleration - ahead_a.acceleration;
  return settings.contact_margin * smaller_size(a, b) +
         (norm(relative) + norm(relative_acceleration) * time) * time +
         (ahead_a.turning + ahead_b.turning) + (ahead_a.aside + ahead_b.aside);
}

/// The box of a body over the time, grown by the contact threshold.
Aabb swept_box(const Body& body, const WorldSettings& settings, const Outlook& ahead, double time) {
  Aabb box = bounding_box(body.shape(), body.pose());
  if (!std::isfinite(body.size())) return box;
  const Vec3 travel = (body.linear_velocity() + ahead.acceleration * time) * time;
  const double margin = settings.contact_margin * body.size() + ahead.turning + ahead.aside;
  const Vec3 grown{margin, margin, margin};
  box.lower = component_min(box.lower, box.lower + travel) - grown;
  box.upper = component_max(box.upper, box.upper + travel) + grown;
  return box;
}

/// Cheap proof by bounding balls that two bodies are farther apart than `gap`.
bool surely_apart(const Body& a, const Body& b, const Vec3& shift, double gap) {
  if (b.shape().type() == ShapeType::halfspace && a.shape().type() != ShapeType::halfspace)
    return surely_apart(b, a, -shift, gap);
  const double balls = b.radius() + gap;
  if (a.shape().type() == ShapeType::halfspace) {
    const HalfSpace& plane = std::get<HalfSpace>(a.shape().geometry());
    return dot(plane.normal(), a.pose().to_local(b.center_of_mass() + shift)) - plane.offset() >
           balls;
  }
  const double limit = a.radius() + balls;
  return squared_norm(b.center_of_mass() + shift - a.center_of_mass()) > limit * limit;
}

/// Can any point of the patch close its gap within the time?
bool matters(const Manifold& manifold, const Body& a, const Outlook& ahead_a, const Body& b,
             const Outlook& ahead_b, const Vec3& shift, const WorldSettings& settings,
             double time) {
  const double fall = norm(ahead_b.acceleration - ahead_a.acceleration) * time * time;
  const double near = settings.contact_margin * smaller_size(a, b) + fall +
                      (ahead_a.aside + ahead_b.aside) + (ahead_a.turning + ahead_b.turning);
  for (const ContactPoint& point : manifold.span()) {
    const Vec3 relative = b.velocity_at(point.point_b - shift) - a.velocity_at(point.point_a);
    const double approach = std::max(-dot(manifold.normal, relative), 0.0);
    if (-point.depth <= near + kApproachMargin * approach * time) return true;
  }
  return false;
}

bool is_mesh(const Body& body) { return body.shape().type() == ShapeType::mesh; }

bool is_convex(const Body& body) {
  const ShapeType type = body.shape().type();
  return type != ShapeType::halfspace && type != ShapeType::mesh && type != ShapeType::compound;
}

void keep_deepest(Manifold& manifold) {
  const auto points = manifold.span();
  const auto deepest = std::max_element(
      points.begin(), points.end(),
      [](const ContactPoint& x, const ContactPoint& y) { return x.depth < y.depth; });
  if (deepest == points.end()) return;
  manifold.points[0] = *deepest;
  manifold.count = 1;
}

/// Both points of a contact with a half-space go to the one on it.
void put_on_plane(Manifold& manifold, const Body& a, const Body& b) {
  const bool plane_a = a.shape().type() == ShapeType::halfspace;
  if (!plane_a && b.shape().type() != ShapeType::halfspace) return;
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& point = manifold.points[static_cast<std::size_t>(k)];
    (plane_a ? point.point_b : point.point_a) = plane_a ? point.point_a : point.point_b;
  }
}

}  // namespace

void ContactSet::detect(std::span<const Body> bodies, const WorldSettings& settings,
                        const PairRules& rules, double time) {
  auto start = std::chrono::steady_clock::now();
  settings_ = settings;
  space_ = PeriodicBox(settings);
  rules_ = &rules;
  find_candidates(bodies, time);
  clear_removed();
  broad_ms_ = milliseconds_since(start);

  start = std::chrono::steady_clock::now();
  if (found_ == 1) swap_before_with(true);
  swap_with_old();
  ++found_;
  pair_of_patch_.clear();
  match_pairs(bodies);
  // One thread has one chunk, which needs no joining.
  const std::size_t together = settings_.max_threads == 1 ? pairs_.size() : kChunk;
  chunks_.resize(pairs_.empty() ? 0 : (pairs_.size() + together - 1) / together);
  parallel_for(
      pairs_.size(), together,
      [&](std::size_t begin, std::size_t end) {
        Chunk& chunk = chunks_[begin / together];
        chunk.clear();
        for (std::size_t i = begin; i < end; ++i) add_patches(order_[i], bodies, time, chunk);
      },
      settings_.max_threads);
  join_chunks();
  reuse_ = true;
  narrow_ms_ = milliseconds_since(start);
}

/// Makes the pairs of the candidates, and finds what was known of them.
void ContactSet::match_pairs(std::span<const Body> bodies) {
  using Key = std::tuple<BodyId, BodyId, Periods>;
  const auto old_key = [](const Pair& p) { return Key(p.body_a, p.body_b, p.image); };
  const auto key_of = [&](std::size_t i) {
    return Key(bodies[candidates_[i].a].id(), bodies[candidates_[i].b].id(),
               images_.empty() ? Periods{} : images_[i]);
  };
  pairs_.resize(candidates_.size());
  matches_.resize(candidates_.size());
  parallel_for(
      candidates_.size(), kMatchedTogether,
      [&](std::size_t begin, std::size_t end) {
        // Both are in order.
        auto old =
            std::lower_bound(old_pairs_.begin(), old_pairs_.end(), key_of(begin),
                             [&](const Pair& pair, const Key& key) { return old_key(pair) < key; });
        for (std::size_t i = begin; i < end; ++i) {
          const Key key = key_of(i);
          while (old != old_pairs_.end() && old_key(*old) < key) ++old;
          const bool known = old != old_pairs_.end() && old_key(*old) == key;
          const auto& [a, b, image] = key;
          Pair& pair = pairs_[i];
          pair.body_a = a;
          pair.body_b = b;
          pair.first = pair.count = 0;
          pair.image = image;
          pair.met = false;
          // The lists of before the step stay as they are. A copy takes the place of what was
          // there.
          if (!known)
            pair.cache = QueryCache();
          else if (found_ > 1)
            pair.cache = std::move(old->cache);
          else
            pair.cache = std::as_const(old->cache);
          pair.rests = !stirs(bodies[candidates_[i].a]) && !stirs(bodies[candidates_[i].b]);
          matches_[i] = known ? &*old : nullptr;
        }
      },
      settings_.max_threads, Schedule::steady);
  order_.clear();
  resting_.clear();
  for (std::uint32_t i = 0; i < pairs_.size(); ++i)
    (pairs_[i].rests ? resting_ : order_).push_back(i);
  stirring_pairs_ = order_.size();
  order_.insert(order_.end(), resting_.begin(), resting_.end());
}

/// Lays the patches of all chunks one behind the other, in the order of their pairs.
void ContactSet::join_chunks() {
  if (chunks_.size() == 1) {
    keys_.swap(chunks_[0].keys);
    impulses_.swap(chunks_[0].impulses);
    patches_.swap(chunks_[0].patches);
  } else {
    std::vector<std::size_t> first(1, 0);  // patch of each chunk
    for (const Chunk& chunk : chunks_) first.push_back(first.back() + chunk.patches.size());
    keys_.resize(first.back());
    impulses_.resize(first.back());
    patches_.resize(first.back());
    const auto join = [&](std::size_t i) {
      const Chunk& chunk = chunks_[i];
      const auto at = static_cast<std::ptrdiff_t>(first[i]);
      std::copy(chunk.keys.begin(), chunk.keys.end(), keys_.begin() + at);
      std::copy(chunk.impulses.begin(), chunk.impulses.end(), impulses_.begin() + at);
      std::copy(chunk.patches.begin(), chunk.patches.end(), patches_.begin() + at);
      for (std::size_t k = i * kChunk; k < std::min((i + 1) * kChunk, pairs_.size()); ++k)
        pairs_[order_[k]].first += static_cast<std::uint32_t>(first[i]);
    };
    parallel_for(
        chunks_.size(), kJoinedTogether,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) join(i);
        },
        settings_.max_threads);
  }
  for (const std::uint32_t pair : order_)
    pair_of_patch_.insert(pair_of_patch_.end(), pairs_[pair].count, pair);
  stirring_ = patches_.size();
  for (std::size_t i = stirring_pairs_; i < order_.size(); ++i)
    stirring_ -= pairs_[order_[i]].count;
}

void ContactSet::find_candidates(std::span<const Body> bodies, double time) {
  entries_.resize(bodies.size());
  outlooks_.resize(bodies.size());
  parallel_for(
      bodies.size(), kBoxedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          outlooks_[i] = look_ahead(bodies[i], settings_, time);
          entries_[i] = {i, swept_box(bodies[i], settings_, outlooks_[i], time)};
        }
      },
      settings_.max_threads, Schedule::steady);
  if (broad_anew_) {
    broad_ = AutoBroadPhase(settings_.max_threads);
    periodic_ = PeriodicPairs();
    broad_anew_ = false;
  }
  const std::size_t most = std::max(kMostPairs, kMostPairsPerBody * bodies.size());
  try {
    find_near(most);
  } catch (const InvalidInput&) {
    throw StepFault(StepError::crowded, {},
                    "more than " + std::to_string(most) + " pairs of " +
                        std::to_string(bodies.size()) +
                        " bodies are near each other: too many to keep in memory");
  }
  sensed_.clear();
  sensed_images_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const BroadPair pair = candidates_[i];
    const Body& a = bodies[pair.a];
    const Body& b = bodies[pair.b];
    if (rules_->may_push(a, b)) {
      if (!images_.empty()) images_[kept] = images_[i];
      candidates_[kept++] = pair;
    } else if (rules_->may_touch(a, b)) {
      if (!images_.empty()) sensed_images_.push_back(images_[i]);
      sensed_.push_back(pair);
    }
  }
  candidates_.resize(kept);
  if (!images_.empty()) images_.resize(kept);
}

void ContactSet::find_near(std::size_t most) {
  images_.clear();
  if (space_.any())
    periodic_.find(space_, entries_, broad_, most, candidates_, images_);
  else
    broad_.find_pairs(entries_, candidates_, most);
}

void ContactSet::add_patches(std::size_t index, std::span<const Body> bodies, double time,
                             Chunk& chunk) {
  const auto a = static_cast<std::uint32_t>(candidates_[index].a),
             b = static_cast<std::uint32_t>(candidates_[index].b);
  const Body& body_a = bodies[a];
  const Body& body_b = bodies[b];
  Pair& pair = pairs_[index];
  pair.first = static_cast<std::uint32_t>(chunk.patches.size());
  if (pair.rests) {
    if (reuse_ && matches_[index] != nullptr && matches_[index]->rests) {
      keep_patches(index, chunk);
      return;
    }
    // So that what is found follows from the poses alone, and can be kept.
    pair.cache = QueryCache();
  }
  const Outlook &ahead_a = outlooks_[a], &ahead_b = outlooks_[b];
  const double threshold = reach(body_a, ahead_a, body_b, ahead_b, settings_, time);
  const Vec3 shift = space_.shift(pair.image);
  if (surely_apart(body_a, body_b, shift, threshold)) return;
  const Pose pose_b = placed(body_b.pose(), shift);
  const auto manifolds =
      query(body_a, body_a.pose(), body_b, pose_b, threshold, pair.cache, chunk.manifolds);
  for (const Manifold& manifold : manifolds) {
    if (!matters(manifold, body_a, ahead_a, body_b, ahead_b, shift, settings_, time)) continue;
    chunk.keys.push_back(make_key(manifold, body_a.pose()));
    chunk.impulses.push_back(remembered(chunk.keys.back(), matches_[index],
                                        smaller_size(body_a, body_b), manifolds.size() == 1));
    chunk.patches.push_back(
        {a, b, body_a.center_of_mass(), body_b.center_of_mass() + shift, manifold,
         rules_->surface(body_a.material(), body_b.material()), smaller_size(body_a, body_b),
         std::min(body_a.rolling_radius(), body_b.rolling_radius()),
         friction_spread(manifold, body_a.shape(), body_a.pose(), body_b.shape(), pose_b),
         threshold, shift});
    ++pair.count;
  }
  const bool had = matches_[index] != nullptr && matches_[index]->count > 0;
  pair.met = pair.rests && pair.count > 0 && !had;
}

/// Keeps the old patches of a resting pair that rested at the last `detect`, too.
void ContactSet::keep_patches(std::size_t index, Chunk& chunk) {
  const Pair& old = *matches_[index];
  for (std::uint32_t i = old.first; i < old.first + old.count; ++i) {
    chunk.keys.push_back(old_keys_[i]);
    chunk.impulses.push_back(old_impulses_[i]);
    chunk.patches.push_back(old_patches_[i]);
    // Other bodies may have come or gone.
    chunk.patches.back().body_a = static_cast<std::uint32_t>(candidates_[index].a);
    chunk.patches.back().body_b = static_cast<std::uint32_t>(candidates_[index].b);
  }
  pairs_[index].count = old.count;
}

void ContactSet::refresh(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                         const Pose& unshifted_b, PatchImpulses& impulses,
                         std::vector<Manifold>& scratch) {
  ContactPatch& p = patches_[patch];
  const Pose pose_b = placed(unshifted_b, p.shift);
  const Body& a = bodies[p.body_a];
  const Body& b = bodies[p.body_b];
  p.center_a = pose_a.to_world(a.mass().center);
  p.center_b = pose_b.to_world(b.mass().center);
  const Vec3 normal = p.manifold.normal;
  p.manifold.count = 0;
  QueryCache& cache = pairs_[pair_of_patch_[patch]].cache;
  const auto look = [&](double within) {
    double agreement = -2.0;
    for (const Manifold& manifold : query(a, pose_a, b, pose_b, within, cache, scratch)) {
      if (manifold.part_a != p.manifold.part_a || manifold.part_b != p.manifold.part_b) continue;
      // A mesh has a patch for each normal.
      if (!(dot(manifold.normal, normal) > agreement)) continue;
      agreement = dot(manifold.normal, normal);
      p.manifold = manifold;
    }
  };
  // Contacts of meshes cost by the reach. What is farther away than the threshold is found again
  // before it touches, since a patch that touches is looked at again when it has moved by less.
  if (is_mesh(a) || is_mesh(b)) look(std::min(p.reach, settings_.contact_margin * p.size));
  if (p.manifold.count == 0) look(p.reach);
  p.spread = friction_spread(p.manifold, a.shape(), pose_a, b.shape(), pose_b);
  const PatchKey key = make_key(p.manifold, pose_a);
  PatchImpulses kept;
  std::array<bool, Manifold::kCapacity> found{};
  if (!take_over(key, keys_[patch], impulses, p.size, found, kept) && alone(patch))
    kept = shared(impulses, keys_[patch].count, key.count);
  kept.rolling = impulses.rolling;
  impulses = kept;
  keys_[patch] = key;
}

/// All patches of a pair, in `scratch`.
std::span<const Manifold> ContactSet::query(const Body& a, const Pose& pose_a, const Body& b,
                                            const Pose& pose_b, double threshold, QueryCache& cache,
                                            std::vector<Manifold>& scratch) const {
  QueryOptions options;
  options.margin = options.max_distance = threshold;
  options.tolerance = kQueryTolerance;
  if (settings_.detector == Detector::iterative && is_convex(a) && is_convex(b))
    options.method = Method::epa;
  ManifoldSink sink(scratch);
  sink.in_step = true;
  require_answer(
      find_contacts(a.shape(), pose_a, b.shape(), pose_b, sink, options, &cache).distance, a, b);
  const std::span<Manifold> found = sink.since(0);
  for (Manifold& manifold : found) {
    if (settings_.contact_points == ContactPoints::one) keep_deepest(manifold);
    if (settings_.plane_contact == PlaneContact::on_plane) put_on_plane(manifold, a, b);
  }
  return found;
}

ContactSet::PatchKey ContactSet::make_key(const Manifold& manifold, const Pose& pose_a) {
  PatchKey key{manifold.part_a, manifold.part_b, manifold.count, {}, {}};
  for (std::size_t k = 0; k < manifold.span().size(); ++k) {
    key.features[k] = manifold.points[k].feature;
    key.positions[k] = pose_a.to_local(manifold.points[k].point_a);
  }
  return key;
}

/// Impulses of the points of `key` from those of one earlier patch with the same parts: of the same
/// features; a point whose feature is new takes over from the nearest old point that is left, so
/// that a corner that slips over an edge does not lose its load. `found` tells which points have
/// theirs. Returns whether any point took over.
bool ContactSet::take_over(const PatchKey& key, const PatchKey& old_key, const PatchImpulses& old,
                           double size, std::array<bool, Manifold::kCapacity>& found,
                           PatchImpulses& result) {
  const auto count = static_cast<std::size_t>(key.count);
  const auto old_count = static_cast<std::size_t>(old_key.count);
  std::array<bool, Manifold::kCapacity> used{};
  bool taken = false;
  const auto take = [&](std::size_t to, std::size_t from) {
    result.normal[to] = old.normal[from];
    result.friction[to] = old.friction[from];
    found[to] = used[from] = taken = true;
  };
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < old_count && !found[k]; ++j) {
      if (!used[j] && old_key.features[j] == key.features[k]) take(k, j);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (found[k]) continue;
    std::size_t nearest = old_count;
    double nearest_squared = kSamePlace * kSamePlace * size * size;
    for (std::size_t j = 0; j < old_count; ++j) {
      const double squared = squared_norm(old_key.positions[j] - key.positions[k]);
      if (used[j] || !(squared < nearest_squared)) continue;
      nearest = j;
      nearest_squared = squared;
    }
    if (nearest < old_count) take(k, nearest);
  }
  return taken;
}

/// The load of one patch that was chosen anew as a whole, as on a rim that turns, in equal parts.
PatchImpulses ContactSet::shared(const PatchImpulses& old, int old_count, int count) {
  PatchImpulses result;
  double normal = 0.0;
  Vec3 friction;
  for (std::size_t j = 0; j < static_cast<std::size_t>(old_count); ++j) {
    normal += old.normal[j] / count;
    friction += old.friction[j] * (1.0 / count);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    result.normal[k] = normal;
    result.friction[k] = friction;
  }
  return result;
}

/// The last step's impulses of the same parts. A mesh has several patches of the same parts.
PatchImpulses ContactSet::remembered(const PatchKey& key, const Pair* old, double size,
                                     bool alone) const {
  PatchImpulses result;
  if (old == nullptr) return result;
  std::array<bool, Manifold::kCapacity> found{};
  bool seen = false, taken = false;
  for (std::uint32_t i = old->first; i < old->first + old->count; ++i) {
    if (old_keys_[i].part_a != key.part_a || old_keys_[i].part_b != key.part_b) continue;
    const bool takes = take_over(key, old_keys_[i], old_impulses_[i], size, found, result);
    if (!takes && alone && old->count == 1)
      result = shared(old_impulses_[i], old_keys_[i].count, key.count);
    if (!seen || (takes && !taken)) result.rolling = old_impulses_[i].rolling;
    seen = true;
    taken = taken || takes;
  }
  return result;
}

std::vector<Carried> ContactSet::carried(std::span<const Body> bodies) {
  clear_removed();
  std::vector<Carried> result(bodies.size(), Carried::no);
  const auto mark = [&](BodyId id) {
    const std::size_t place = find_body(bodies, id);
    if (place < bodies.size()) result[place] = Carried::by_contacts;
  };
  loaded_.resize(pairs_.size());
  parallel_for(
      pairs_.size(), kMatchedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto patches = all_impulses().subspan(pairs_[i].first, pairs_[i].count);
          loaded_[i] = std::any_of(patches.begin(), patches.end(), [](const PatchImpulses& p) {
            return std::any_of(p.normal.begin(), p.normal.end(),
                               [](double impulse) { return impulse > 0.0; });
          });
        }
      },
      settings_.max_threads, Schedule::steady);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (loaded_[i] == 0) continue;
    mark(pairs_[i].body_a);
    mark(pairs_[i].body_b);
  }
  return result;
}

}  // namespace tactus::detail
