#include "tactus/rigid/contact/contact_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/prism_contacts.hpp"
#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/motion/sleep.hpp"
#include "tactus/rigid/solver/friction_spread.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::detail {
namespace {

/// Width of the bracket asked of each query, relative to the pair's size: far below what a step can
/// resolve.
constexpr double kQueryTolerance = 1e-9;
/// Contacts of meshes are told again until a body has moved by this part of the size: as far as
/// bodies overlap at rest (`load_overlap`); within a step, where bodies that have left their paths
/// ask for all contacts again, ten times as far.
constexpr double kKept = 1e-4, kKeptWithin = 1e-3;
/// A patch may turn a little towards its bodies' motion within a step: approach speeds are taken
/// larger by this factor.
constexpr double kApproachMargin = 1.5;
/// Grain size (pairs) of the loop that asks them for loads.
constexpr std::size_t kAskedTogether = 512;
/// Pairs of a chunk, which one thread detects.
constexpr std::size_t kChunk = 32;
/// Grain size (chunks) of the loop that copies chunks into the lists of all patches.
constexpr std::size_t kJoinedTogether = 16;
double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double smaller_size(const Body& a, const Body& b) { return std::min(a.size(), b.size()); }

/// The gap below which a pair matters within the time.
double reach(const Body& a, const Outlook& ahead_a, const Body& b, const Outlook& ahead_b,
             const Vec3& image_velocity, const WorldSettings& settings, double time) {
  const Vec3 relative = b.linear_velocity() - a.linear_velocity() + image_velocity;
  const Vec3 relative_acceleration = ahead_b.acceleration - ahead_a.acceleration;
  return settings.contact_margin * smaller_size(a, b) +
         (norm(relative) + norm(relative_acceleration) * time) * time +
         (ahead_a.turning + ahead_b.turning) + (ahead_a.aside + ahead_b.aside);
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

/// How an image of B lies and moves beside B itself.
struct Image {
  Vec3 shift, image_velocity;
};

/// Can any point of the patch close its gap within the time?
bool matters(const Manifold& manifold, const Body& a, const Outlook& ahead_a, const Body& b,
             const Outlook& ahead_b, const Image& image, const WorldSettings& settings,
             double time) {
  const double fall = norm(ahead_b.acceleration - ahead_a.acceleration) * time * time;
  const double near = settings.contact_margin * smaller_size(a, b) + fall +
                      (ahead_a.aside + ahead_b.aside) + (ahead_a.turning + ahead_b.turning);
  for (const ContactPoint& point : manifold.span()) {
    const Vec3 relative = b.velocity_at(point.point_b - image.shift) -
                          a.velocity_at(point.point_a) + image.image_velocity;
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

/// The least squared distance of two points of two patches, as A sees them.
double nearest_squared(const PatchKey& x, const PatchKey& y) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.count); ++i)
    for (std::size_t j = 0; j < static_cast<std::size_t>(y.count); ++j)
      nearest = std::min(nearest, squared_norm(x.positions[i] - y.positions[j]));
  return nearest;
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

/// Velocity of the surface against its body at a world point.
Vec3 belt_velocity(const Body& body, const Pose& pose, const Vec3& point) {
  const SurfaceVelocity v = body.surface_velocity();
  return pose.rotation() * (v.linear + cross(v.angular, pose.to_local(point)));
}

/// How the surface of B runs against that of A in the middle of a patch: along both tangents, and
/// about the normal.
Vec3 belt_drive(const Manifold& manifold, const Body& a, const Pose& pose_a, const Body& b,
                const Pose& pose_b) {
  if ((!a.has_belt() && !b.has_belt()) || manifold.count == 0) return {};
  Vec3 middle;
  for (const ContactPoint& point : manifold.span())
    middle += (point.point_a + point.point_b) * (0.5 / manifold.count);
  const Vec3 run = belt_velocity(b, pose_b, middle) - belt_velocity(a, pose_a, middle);
  const Vec3 turn = pose_b.rotation() * b.surface_velocity().angular -
                    pose_a.rotation() * a.surface_velocity().angular;
  const Vec3& normal = manifold.normal;
  const Vec3 tangent = any_perpendicular(normal);
  return {dot(tangent, run), dot(cross(normal, tangent), run), dot(normal, turn)};
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

void ContactSet::undo(std::span<const Body> bodies, std::span<const Periods> wrapped) noexcept {
  state_.undo(bodies, wrapped);
  candidates_.begin_anew();
}

void ContactSet::require_finite() const {
  const auto finite = [](const PatchImpulses& p) {
    return is_finite(p.rolling) &&
           std::all_of(p.normal.begin(), p.normal.end(),
                       [](double x) { return std::isfinite(x); }) &&
           std::all_of(p.friction.begin(), p.friction.end(),
                       [](const Vec3& v) { return is_finite(v); });
  };
  const std::span<const PatchImpulses> all = impulses();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (finite(all[i])) continue;
    const ContactPair& pair = state_.now().pairs[pair_of_patch_[i]];
    throw StepFault(StepError::not_finite, {pair.body_a, pair.body_b},
                    "their contact pushes with what is no number");
  }
}

void ContactSet::detect(std::span<const Body> bodies, const WorldSettings& settings,
                        const PairRules& rules, double time) {
  auto start = std::chrono::steady_clock::now();
  settings_ = settings;
  rules_ = &rules;
  candidates_.find(bodies, settings, rules, time);
  state_.clear_removed();
  broad_ms_ = milliseconds_since(start);

  start = std::chrono::steady_clock::now();
  state_.begin_detection();
  pair_of_patch_.clear();
  matcher_.match(bodies, candidates_, state_, settings_.max_threads);
  find_patches(bodies, time);
  if (!candidates_.is_filtered()) judge_seams(bodies, {}, {});
  narrow_ms_ = milliseconds_since(start);
}

ContactSet::Guest ContactSet::name_of(std::size_t patch) const {
  const ContactPair& pair = pair_of(patch);
  return {pair.body_a, pair.body_b, pair.image, static_cast<std::uint32_t>(patch) - pair.first,
          pair.rests};
}

void ContactSet::judge_seams(std::span<const Body> bodies, std::vector<Guest> names,
                             std::vector<ContactPatch> guests) {
  guest_names_ = std::move(names);
  guests_ = std::move(guests);
  const std::size_t own = state_.now().patches.size();
  const auto key = [&](std::uint32_t i) {
    const Guest g = i < own ? name_of(i) : guest_names_[i - own];
    return std::tuple(g.rests, g.body_a, g.body_b, g.image, g.place);
  };
  seams_.judge(
      bodies, {state_.now().patches, guests_},
      [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); }, settings_.max_threads);
  state_.now().reuse = true;
}

void ContactSet::find_patches(std::span<const Body> bodies, double time) {
  const std::size_t pairs = state_.now().pairs.size();
  // One thread has one chunk, which needs no joining.
  const std::size_t together = settings_.max_threads == 1 ? pairs : kChunk;
  chunks_.resize(pairs == 0 ? 0 : (pairs + together - 1) / together);
  parallel_for(
      pairs, together,
      [&](std::size_t begin, std::size_t end) {
        Chunk& chunk = chunks_[begin / together];
        chunk.clear();
        for (std::size_t i = begin; i < end; ++i)
          add_patches(matcher_.order()[i], bodies, time, chunk);
      },
      settings_.max_threads);
  join_chunks();
}

/// Lays the patches of all chunks one behind the other, in the order of their pairs.
void ContactSet::join_chunks() {
  ContactLists& now = state_.now();
  const std::span<const std::uint32_t> order = matcher_.order();
  if (chunks_.size() == 1) {
    now.keys.swap(chunks_[0].keys);
    now.impulses.swap(chunks_[0].impulses);
    now.patches.swap(chunks_[0].patches);
  } else {
    std::vector<std::size_t> first(1, 0);  // patch of each chunk
    for (const Chunk& chunk : chunks_) first.push_back(first.back() + chunk.patches.size());
    now.keys.resize(first.back());
    now.impulses.resize(first.back());
    now.patches.resize(first.back());
    const auto join = [&](std::size_t i) {
      const Chunk& chunk = chunks_[i];
      const auto at = static_cast<std::ptrdiff_t>(first[i]);
      std::copy(chunk.keys.begin(), chunk.keys.end(), now.keys.begin() + at);
      std::copy(chunk.impulses.begin(), chunk.impulses.end(), now.impulses.begin() + at);
      std::copy(chunk.patches.begin(), chunk.patches.end(), now.patches.begin() + at);
      for (std::size_t k = i * kChunk; k < std::min((i + 1) * kChunk, now.pairs.size()); ++k)
        now.pairs[order[k]].first += static_cast<std::uint32_t>(first[i]);
    };
    parallel_for(
        chunks_.size(), kJoinedTogether,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) join(i);
        },
        settings_.max_threads);
  }
  for (const std::uint32_t pair : order)
    pair_of_patch_.insert(pair_of_patch_.end(), now.pairs[pair].count, pair);
  now.stirring = now.patches.size();
  for (const std::uint32_t pair : matcher_.resting()) now.stirring -= now.pairs[pair].count;
}

void ContactSet::add_patches(std::size_t index, std::span<const Body> bodies, double time,
                             Chunk& chunk) {
  const BroadPair& candidate = candidates_.pushing()[index];
  const auto a = static_cast<std::uint32_t>(candidate.a),
             b = static_cast<std::uint32_t>(candidate.b);
  const Body& body_a = bodies[a];
  const Body& body_b = bodies[b];
  ContactPair& pair = state_.now().pairs[index];
  const ContactPair* old = matcher_.old_of(index);
  pair.first = static_cast<std::uint32_t>(chunk.patches.size());
  if (pair.rests) {
    if (state_.old().reuse && old != nullptr && old->rests && !any_covered(*old)) {
      keep_patches(index, chunk);
      return;
    }
    // So that what is found follows from the poses alone, and can be kept.
    pair.cache = QueryCache();
  }
  const Outlook &ahead_a = candidates_.outlook(a), &ahead_b = candidates_.outlook(b);
  const Vec3 shift = candidates_.space().shift(pair.image),
             image_velocity = candidates_.space().image_velocity(pair.image);
  const double threshold = reach(body_a, ahead_a, body_b, ahead_b, image_velocity, settings_, time);
  if (surely_apart(body_a, body_b, shift, threshold)) return;
  const Pose pose_b = placed(body_b.pose(), shift);
  const double kept_while = state_.old_is_kept() ? kKept : kKeptWithin;
  const double way = threshold - settings_.contact_margin * smaller_size(body_a, body_b);
  const auto manifolds = query(body_a, body_a.pose(), body_b, pose_b, {threshold, kept_while, way},
                               pair.cache, chunk.manifolds);
  std::span<const PatchKey> old_keys;
  std::span<const PatchImpulses> old_impulses;
  if (old != nullptr) {
    old_keys = std::span(state_.old().keys).subspan(old->first, old->count);
    old_impulses = std::span(state_.old().impulses).subspan(old->first, old->count);
  }
  for (const Manifold& manifold : manifolds) {
    if (!matters(manifold, body_a, ahead_a, body_b, ahead_b, {shift, image_velocity}, settings_,
                 time))
      continue;
    const ContactTerms terms = rules_->terms({body_a, body_b, body_a.pose(), pose_b, manifold},
                                             smaller_size(body_a, body_b));
    if (terms.ignored) continue;
    chunk.keys.push_back(make_key(manifold, body_a.pose()));
    chunk.impulses.push_back(remembered(chunk.keys.back(), old_keys, old_impulses,
                                        smaller_size(body_a, body_b), manifolds.size() == 1));
    chunk.patches.push_back(
        {a, b, body_a.center_of_mass(), body_b.center_of_mass() + shift, manifold, terms.surface,
         smaller_size(body_a, body_b), std::min(body_a.rolling_radius(), body_b.rolling_radius()),
         friction_spread(manifold, {body_a.shape(), body_a.pose(), body_a.size()},
                         {body_b.shape(), pose_b, body_b.size()}),
         reduced_radius(body_a, body_b), threshold, shift,
         belt_drive(manifold, body_a, body_a.pose(), body_b, pose_b), image_velocity});
    ++pair.count;
  }
  const bool had = old != nullptr && old->count > 0;
  pair.met = pair.rests && pair.count > 0 && !had;
}

/// Has a pair lost old patches to seams? They are found anew, since what covers them may go.
bool ContactSet::any_covered(const ContactPair& old) const {
  const auto patches = std::span(state_.old().patches).subspan(old.first, old.count);
  return std::any_of(patches.begin(), patches.end(),
                     [](const ContactPatch& patch) { return patch.covered; });
}

/// Keeps the old patches of a resting pair that rested at the last `detect`, too.
void ContactSet::keep_patches(std::size_t index, Chunk& chunk) {
  const ContactPair& old = *matcher_.old_of(index);
  const ContactLists& lists = state_.old();
  const BroadPair& candidate = candidates_.pushing()[index];
  for (std::uint32_t i = old.first; i < old.first + old.count; ++i) {
    chunk.keys.push_back(lists.keys[i]);
    chunk.impulses.push_back(lists.impulses[i]);
    chunk.patches.push_back(lists.patches[i]);
    // Other bodies may have come or gone.
    chunk.patches.back().body_a = static_cast<std::uint32_t>(candidate.a);
    chunk.patches.back().body_b = static_cast<std::uint32_t>(candidate.b);
    chunk.patches.back().kept = true;
  }
  state_.now().pairs[index].count = old.count;
}

bool ContactSet::alone(std::size_t patch) const {
  const std::vector<ContactPatch>& patches = state_.now().patches;
  const Manifold& m = patches[patch].manifold;
  // Patches of one pair follow each other by their parts.
  const auto is_beside = [&](std::size_t other) {
    const Manifold& o = patches[other].manifold;
    return of_one_pair(patch, other) && o.part_a == m.part_a && o.part_b == m.part_b;
  };
  return (patch == 0 || !is_beside(patch - 1)) &&
         (patch + 1 == patches.size() || !is_beside(patch + 1));
}

/// How well a manifold agrees with a patch of its pair: by the normal, of which a mesh has a patch
/// for each. Regions in the plane have patches of the same normal far from each other, and corners
/// that pass: they agree by their places.
double ContactSet::agreement(const Manifold& manifold, std::size_t patch, bool by_place,
                             const Pose& pose_a) const {
  const ContactLists& now = state_.now();
  return by_place ? -nearest_squared(make_key(manifold, pose_a), now.keys[patch])
                  : dot(manifold.normal, now.patches[patch].manifold.normal);
}

/// Is a manifold that of another patch of the pair? A floor is not taken for the wall that is
/// farther away, nor for one that is gone.
bool ContactSet::is_of_another(const Manifold& manifold, std::size_t patch, bool by_place,
                               const Pose& pose_a) const {
  if (alone(patch)) return false;
  const ContactPair& pair = pair_of(patch);
  const double own = agreement(manifold, patch, by_place, pose_a);
  for (std::size_t other = pair.first; other < pair.first + pair.count; ++other) {
    const Manifold& o = state_.now().patches[other].manifold;
    if (other != patch && o.part_a == manifold.part_a && o.part_b == manifold.part_b &&
        agreement(manifold, other, by_place, pose_a) > own)
      return true;
  }
  return false;
}

/// The manifold of the pair that has the patch's parts and agrees best, and with no other patch
/// better; without points if there is none.
Manifold ContactSet::look(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                          const Pose& pose_b, double within, LastLook& last) {
  ContactLists& now = state_.now();
  const ContactPatch& p = now.patches[patch];
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  QueryCache& cache = now.pairs[pair_of_patch_[patch]].cache;
  const bool by_place = settings_.plane == MotionPlane::xy && prism_of(a.shape()) != nullptr &&
                        prism_of(b.shape()) != nullptr && now.keys[patch].count > 0;
  Manifold result = p.manifold;
  result.count = 0;
  double most = -std::numeric_limits<double>::infinity();
  // Walls ahead are looked for where one may be known: for all patches of the pair, since these
  // share what a look has found.
  const double way = pair_of(patch).count == 1 ? 0.0 : within;
  if (!last.is_of(pair_of_patch_[patch], pose_a, pose_b, within)) {
    const auto found = query(a, pose_a, b, pose_b, {within, kKept, way}, cache, last.scratch);
    last.keep(pair_of_patch_[patch], pose_a, pose_b, within, found);
  }
  for (const Manifold& manifold : last.found) {
    if (manifold.part_a != p.manifold.part_a || manifold.part_b != p.manifold.part_b) continue;
    const double agrees = agreement(manifold, patch, by_place, pose_a);
    if (!(agrees > most) || is_of_another(manifold, patch, by_place, pose_a)) continue;
    most = agrees;
    result = manifold;
  }
  return result;
}

Manifold ContactSet::look_ahead(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                                const Pose& pose_b, LastLook& last) {
  const ContactPatch& p = state_.now().patches[patch];
  return look(patch, bodies, pose_a, placed(pose_b, p.shift), near_reach(patch, bodies), last);
}

/// The reach within which what touches is found: that of meshes, whose contacts cost by it, is
/// shorter.
double ContactSet::near_reach(std::size_t patch, std::span<const Body> bodies) const {
  const ContactPatch& p = state_.now().patches[patch];
  const bool short_one = is_mesh(bodies[p.body_a]) || is_mesh(bodies[p.body_b]);
  return short_one ? std::min(p.reach, settings_.contact_margin * p.size) : p.reach;
}

void ContactSet::refresh(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                         const Pose& unshifted_b, PatchImpulses& impulses, LastLook& last) {
  ContactLists& now = state_.now();
  ContactPatch& p = now.patches[patch];
  const Pose pose_b = placed(unshifted_b, p.shift);
  const Body& a = bodies[p.body_a];
  const Body& b = bodies[p.body_b];
  p.center_a = pose_a.to_world(a.mass().center);
  p.center_b = pose_b.to_world(b.mass().center);
  p.overlaps = false;
  // A contact that is farther away than the threshold is found again before it touches, since a
  // patch that touches is looked at again when it has moved by less.
  const double near = near_reach(patch, bodies);
  Manifold found = look(patch, bodies, pose_a, pose_b, near, last);
  if (found.count == 0 && near < p.reach)
    found = look(patch, bodies, pose_a, pose_b, p.reach, last);
  p.manifold = found;
  if (p.manifold.count > 0) {
    const ContactTerms terms = rules_->terms({a, b, pose_a, pose_b, p.manifold}, p.size);
    p.surface = terms.surface;
    if (terms.ignored) p.manifold.count = 0;
  }
  p.drive = belt_drive(p.manifold, a, pose_a, b, pose_b);
  p.spread =
      friction_spread(p.manifold, {a.shape(), pose_a, a.size()}, {b.shape(), pose_b, b.size()});
  const PatchKey key = make_key(p.manifold, pose_a);
  impulses = handed_on(key, now.keys[patch], impulses, p.size, alone(patch));
  now.keys[patch] = key;
}

/// All patches of a pair, in `scratch`.
std::span<const Manifold> ContactSet::query(const Body& a, const Pose& pose_a, const Body& b,
                                            const Pose& pose_b, const Asked& asked,
                                            QueryCache& cache,
                                            std::vector<Manifold>& scratch) const {
  QueryOptions options;
  options.margin = options.max_distance = asked.threshold;
  options.tolerance = kQueryTolerance;
  if (settings_.detector == Detector::iterative && is_convex(a) && is_convex(b))
    options.method = Method::epa;
  std::span<Manifold> found;
  if (settings_.plane == MotionPlane::xy &&
      find_prism_contacts(a.shape(), pose_a, b.shape(), pose_b, asked.threshold, scratch)) {
    found = scratch;
  } else {
    ManifoldSink sink(scratch);
    sink.in_step = true;
    sink.kept_while = asked.kept_while;
    sink.way = asked.way;
    require_answer(
        find_contacts(a.shape(), pose_a, b.shape(), pose_b, sink, options, &cache).distance, a, b);
    found = sink.since(0);
  }
  for (Manifold& manifold : found) {
    if (settings_.contact_points == ContactPoints::one) keep_deepest(manifold);
    if (settings_.plane_contact == PlaneContact::on_plane) put_on_plane(manifold, a, b);
  }
  return found;
}

std::vector<Carried> ContactSet::carried(std::span<const Body> bodies) {
  state_.clear_removed();
  const std::vector<ContactPair>& pairs = state_.now().pairs;
  std::vector<Carried> result(bodies.size(), Carried::no);
  const auto mark = [&](BodyId id) {
    const std::size_t place = find_body(bodies, id);
    if (place < bodies.size()) result[place] = Carried::by_contacts;
  };
  loaded_.resize(pairs.size());
  parallel_for(
      pairs.size(), kAskedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto patches = all_impulses().subspan(pairs[i].first, pairs[i].count);
          loaded_[i] = std::any_of(patches.begin(), patches.end(), [](const PatchImpulses& p) {
            return std::any_of(p.normal.begin(), p.normal.end(),
                               [](double impulse) { return impulse > 0.0; });
          });
        }
      },
      settings_.max_threads, Schedule::steady);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (loaded_[i] == 0) continue;
    mark(pairs[i].body_a);
    mark(pairs[i].body_b);
  }
  return result;
}

}  // namespace tactus::detail
