#include <algorithm>

#include "tactus/core/constants.hpp"
#include "tactus/planar/all_contacts.hpp"
#include "tactus/planar/convex_meeting.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/nearest_in_run.hpp"
#include "tactus/planar/region/placed_pair.hpp"
#include "tactus/planar/touch/touches.hpp"

namespace tactus::detail {

/// A contact and where on both boundaries it lies.
struct PlacedContact {
  PlanarContact contact;
  std::uint32_t edge_a = 0, edge_b = 0;
  std::uint32_t piece = kRunGap;  ///< of the intersection, with its corner; a gap has none
  double along = 0.0;             ///< place on A: edge and the fraction of it
  bool corner_of_a = false;       ///< its corner is the start of A's edge, not of B's
  bool facing = true;             ///< the normal is one that the corner has
};

struct ContactRoom {
  Meeting meeting;
  std::vector<PlacedContact> features;
  std::vector<std::uint32_t> by_a, by_b, at_a, at_b;
  std::vector<std::uint32_t> run_a, run_b;  ///< edges of an overlap's boundary
  NearestInRun nearest_a, nearest_b;        ///< in these runs
  std::vector<bool> used, facing;           ///< facing: pieces with a corner that faces its contact
  std::vector<Touch> touches;
};

struct ContactAccess {
  static std::vector<PlanarContact>& found(PlanarContacts& c) { return c.found_; }
  static ContactRoom& room(PlanarContacts& c) { return *c.room_; }
  /// Empties it for new contacts; false where none can be told.
  static bool begin(PlanarContacts& c, const Pose2& pose_a, const Pose2& pose_b) {
    c.found_.clear();
    c.status_ = can_place(pose_a, pose_b) ? Status::converged : Status::invalid_input;
    return c.status_ == Status::converged;
  }
};

namespace {

// Features of one stretch have normals no more than this far (cosine) apart.
constexpr double kSameSide = 0.9;
// Edges may lean this much (sine) into the normal at their corner.
constexpr double kLean = 0.05;
// Depths below this, in roundings of the size, take the edge's normal for that of the contact.
constexpr double kFlat = 64.0 * kUnit;

class ContactSearch {
 public:
  ContactSearch(const MovedPair& pair, ContactRoom& room) : pair_(pair), room_(room) {
    scale_ = std::max(largest(pair.a().tree.box()), largest(pair.b().tree.box()));
  }

  /// Outcome of `collect`: no contacts, some, or nothing known where bodies meet and no feature
  /// says where. Without crossings and features one body may lie in the other.
  enum class Told : std::uint8_t { nothing, none, some, perhaps_inside };
  Told collect(double threshold) {
    room_.features.clear();
    pieces_ = 0;
    if (threshold >= 0.0 && pair_.a().small_convex && pair_.b().small_convex) {
      const ConvexMeeting how =
          find_convex_meeting(pair_, threshold, room_.meeting.near, room_.run_a, room_.run_b);
      if (how != ConvexMeeting::unknown) {
        for (const NearCorner& n : room_.meeting.near) add_near(n);
        if (how == ConvexMeeting::overlap) corners_inside();
        return room_.features.empty() ? Told::none : Told::some;
      }
    }
    find_meeting(pair_, threshold, room_.meeting);
    for (const NearCorner& n : room_.meeting.near) add_near(n);
    overlaps();
    if (!room_.features.empty()) return Told::some;
    return room_.meeting.crossings.empty() ? Told::perhaps_inside : Told::nothing;
  }

  /// False where it is certain that no contact is deeper than the whole pair: its corner is no
  /// nearer to any other edge of the body that it lies in, and every way out leads it to one.
  bool may_be_too_deep() const {
    const PlacedContact* deepest = nullptr;
    for (const PlacedContact& f : room_.features) {
      if (deepest == nullptr || f.contact.depth > deepest->contact.depth) deepest = &f;
    }
    if (deepest == nullptr) return false;
    const double limit = deepest->contact.depth - kFlat * scale_;
    if (!(limit > 0.0)) return false;
    const Vec2& corner = corner_of(*deepest);
    const Foot nearer = deepest->corner_of_a
                            ? Edges(pair_.b()).nearest(pair_.pose().to_local(corner), limit * limit)
                            : Edges(pair_.a()).nearest(corner, limit * limit);
    return nearer.squared < kInfinity;
  }

  /// Contacts deeper than `depth`, the length of the way along `normal` on which the whole of B
  /// leaves A, become those along that way: each corner is out of the other body by its end.
  void limit(const Vec2& normal, double depth) {
    const Vec2 way = normal * depth;
    auto& all = room_.features;
    for (PlacedContact& f : all) {
      if (f.contact.depth <= depth + kFlat * scale_) continue;
      const double part = f.corner_of_a ? leaves_b(f, -way) : leaves_a(f, way);
      if (!(part <= 1.0 + kFlat)) {
        f.contact.depth = kInfinity;
        continue;
      }
      const Vec2 corner = corner_of(f), there = corner + way * (f.corner_of_a ? -part : part);
      f.contact.point_a = f.corner_of_a ? corner : there;
      f.contact.point_b = f.corner_of_a ? there : corner;
      f.contact.normal = normal;
      f.contact.depth = depth * part;
      note_facing(f);
    }
    std::erase_if(all, [](const PlacedContact& f) { return f.contact.depth == kInfinity; });
  }

  /// Drops contacts whose nearest place on the other body does not lie before their corner, as next
  /// to the end of a wall, where another contact of the same overlapping piece does better. The
  /// only one of a piece stays. Wants all contacts to be known.
  void drop_averted() {
    room_.facing.assign(pieces_, false);
    for (const PlacedContact& f : room_.features) {
      if (f.piece != kRunGap && f.facing) room_.facing[f.piece] = true;
    }
    std::erase_if(room_.features, [&](const PlacedContact& f) {
      return f.piece != kRunGap && !f.facing && room_.facing[f.piece];
    });
  }

  void reduce(std::vector<PlanarContact>& out) {
    auto& all = room_.features;
    if (all.size() == 1) {
      out.push_back(all[0].contact);
      return;
    }
    for (PlacedContact& f : all) f.along = along(f.edge_a, f.contact.point_a);
    std::sort(all.begin(), all.end(), [](const PlacedContact& x, const PlacedContact& y) {
      if (x.along != y.along) return x.along < y.along;
      if (x.edge_b != y.edge_b) return x.edge_b > y.edge_b;
      return x.contact.depth > y.contact.depth;
    });
    // A stretch over the place where the boundary's numbers start anew is put together again.
    std::size_t first = 0;
    while (first < all.size() && first + 1 < all.size() &&
           joined(all[all.size() - 1 - first], all[(all.size() - first) % all.size()])) {
      ++first;
    }
    if (first + 1 < all.size()) {
      std::rotate(all.begin(), all.end() - static_cast<std::ptrdiff_t>(first), all.end());
    }
    std::size_t stretch = 0;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i + 1;
      while (end < all.size() && joined(all[end - 1], all[end])) ++end;
      keep(i, end, stretch++, out);
      i = end;
    }
  }

  void keep_all(std::vector<PlanarContact>& out) const {
    for (const PlacedContact& f : room_.features) out.push_back(f.contact);
  }

 private:
  bool neighbours(const Boundary& boundary, std::uint32_t i, std::uint32_t j) const {
    return i == j || boundary.next[i] == j || boundary.next[j] == i;
  }

  bool joined(const PlacedContact& x, const PlacedContact& y) const {
    return neighbours(pair_.a(), x.edge_a, y.edge_a) && neighbours(pair_.b(), x.edge_b, y.edge_b) &&
           dot(x.contact.normal, y.contact.normal) >= kSameSide;
  }

  // Both ends of a stretch, and its deepest place.
  void keep(std::size_t first, std::size_t end, std::size_t stretch,
            std::vector<PlanarContact>& out) const {
    const auto& all = room_.features;
    std::size_t deepest = first;
    for (std::size_t i = first; i < end; ++i) {
      if (all[i].contact.depth > all[deepest].contact.depth) deepest = i;
    }
    const std::size_t start = out.size();
    for (const std::size_t i : {first, deepest, end - 1}) {
      const PlanarContact& c = all[i].contact;
      // Deep inside another's depth only by rounding: the ends say all.
      if (i == deepest && i != first && i != end - 1 &&
          c.depth <=
              std::max(all[first].contact.depth, all[end - 1].contact.depth) + kFlat * scale_) {
        continue;
      }
      const bool known = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(),
                                     [&](const PlanarContact& o) {
                                       return largest(o.point_a - c.point_a) <= kFlat * scale_ &&
                                              largest(o.point_b - c.point_b) <= kFlat * scale_;
                                     });
      if (known) continue;
      out.push_back(c);
      out.back().stretch = stretch;
    }
  }

  Vec2 outward_a(std::uint32_t i) const {
    const Vec2 s = pair_.a().end(i) - pair_.a().start(i);
    return unit_along({s.y, -s.x});
  }
  Vec2 inward_b(std::uint32_t j) const {
    const Vec2 s = pair_.end_b(j) - pair_.point_b(j);
    return unit_along({-s.y, s.x});
  }

  double along(std::uint32_t i, const Vec2& p) const {
    const Vec2 s = pair_.a().end(i) - pair_.a().start(i);
    const double t = dot(p - pair_.a().start(i), s) / dot(s, s);
    return static_cast<double>(i) + std::min(0.999999, std::max(0.0, t));
  }

  void add_near(const NearCorner& n) {
    PlacedContact f;
    f.edge_a = n.edge_a;
    f.edge_b = n.edge_b;
    f.corner_of_a = n.corner_of_a;
    f.contact.point_a = n.corner_of_a ? n.corner : n.foot;
    f.contact.point_b = n.corner_of_a ? n.foot : n.corner;
    f.contact.normal = n.corner_of_a ? inward_b(n.edge_b) : outward_a(n.edge_a);
    f.contact.depth = -n.gap;
    room_.features.push_back(f);
  }

  // Places in the order in which a walk along the boundary comes to them: by their rounded
  // fractions, then put right where two of one edge stand in the wrong order.
  template <class Less, class First>
  void sort_crossings(std::vector<std::uint32_t>& order, std::vector<std::uint32_t>& place,
                      Less&& less, First&& first) const {
    const auto count = static_cast<std::uint32_t>(room_.meeting.crossings.size());
    order.resize(count);
    place.resize(count);
    for (std::uint32_t k = 0; k < count; ++k) order[k] = k;
    std::sort(order.begin(), order.end(), less);
    for (std::size_t k = 1; k < count; ++k) {
      for (std::size_t m = k; m > 0 && first(order[m], order[m - 1]); --m) {
        std::swap(order[m], order[m - 1]);
      }
    }
    for (std::uint32_t k = 0; k < count; ++k) place[order[k]] = k;
  }

  // Which of two crossings on one edge comes first, exactly, also where both lie at one corner.
  // Edges of one body do not cross, so that one of the two that are crossed lies on one side of the
  // other's line; and to which side of that line the edge leads is known.
  bool comes_first(const BoundaryCrossing& x, const BoundaryCrossing& y, bool on_a) const {
    const int y_side = side_of_edge(x, y, on_a);
    if (y_side != 0) return y_side == (x.a_enters == on_a ? 1 : -1);
    const int x_side = side_of_edge(y, x, on_a);
    return x_side != 0 && x_side != (y.a_enters == on_a ? 1 : -1);
  }

  // The side of the line of x's edge on which all of y's edge lies; 0 where it lies on both.
  int side_of_edge(const BoundaryCrossing& x, const BoundaryCrossing& y, bool on_a) const {
    const auto start = [&](const BoundaryCrossing& c) {
      return on_a ? pair_.point_b(c.edge_b) : pair_.a().start(c.edge_a);
    };
    const auto end = [&](const BoundaryCrossing& c) {
      return on_a ? pair_.end_b(c.edge_b) : pair_.a().end(c.edge_a);
    };
    const Vec2 from = start(x), to = end(x);
    const int first = orientation(from, to, start(y)), last = orientation(from, to, end(y));
    return first * last < 0 ? 0 : (first != 0 ? first : last);
  }

  /// The edges from one crossing to the next on the same contour; that crossing's number, or none.
  template <class EdgeOf>
  std::uint32_t walk(const Boundary& boundary, std::uint32_t from,
                     const std::vector<std::uint32_t>& order, std::uint32_t place, EdgeOf&& edge_of,
                     std::vector<std::uint32_t>& run) const {
    const std::uint32_t start = edge_of(from);
    // The next one on this edge, or the first one of the next edge that has any.
    const std::uint32_t after = place + 1 < order.size() ? order[place + 1] : order.front();
    run.push_back(start);
    if (order.size() > 1 && place + 1 < order.size() && edge_of(after) == start) return after;
    std::uint32_t edge = start;
    for (std::size_t step = 0; step < boundary.size(); ++step) {
      edge = boundary.next[edge];
      run.push_back(edge);
      const auto found = std::lower_bound(
          order.begin(), order.end(), edge,
          [&](std::uint32_t k, std::uint32_t value) { return edge_of(k) < value; });
      if (found != order.end() && edge_of(*found) == edge) return *found;
    }
    return from;
  }

  void overlaps() {
    const auto& c = room_.meeting.crossings;
    if (c.empty()) return;
    sort_crossings(
        room_.by_a, room_.at_a,
        [&](std::uint32_t x, std::uint32_t y) {
          if (c[x].edge_a != c[y].edge_a) return c[x].edge_a < c[y].edge_a;
          return c[x].part_a != c[y].part_a ? c[x].part_a < c[y].part_a : c[x].edge_b < c[y].edge_b;
        },
        [&](std::uint32_t x, std::uint32_t y) {
          return c[x].edge_a == c[y].edge_a && comes_first(c[x], c[y], true);
        });
    sort_crossings(
        room_.by_b, room_.at_b,
        [&](std::uint32_t x, std::uint32_t y) {
          if (c[x].edge_b != c[y].edge_b) return c[x].edge_b < c[y].edge_b;
          return c[x].part_b != c[y].part_b ? c[x].part_b < c[y].part_b : c[x].edge_a < c[y].edge_a;
        },
        [&](std::uint32_t x, std::uint32_t y) {
          return c[x].edge_b == c[y].edge_b && comes_first(c[x], c[y], false);
        });
    room_.used.assign(c.size(), false);
    for (std::uint32_t k = 0; k < c.size(); ++k) {
      if (c[k].a_enters && !room_.used[k]) overlap_from(k);
    }
  }

  // Around one piece of the intersection: along A inside B, then along B inside A, until closed.
  void overlap_from(std::uint32_t first) {
    const auto& c = room_.meeting.crossings;
    room_.run_a.clear();
    room_.run_b.clear();
    std::uint32_t at = first;
    for (std::size_t turns = 0; turns < c.size(); ++turns) {
      if (room_.used[at]) break;
      room_.used[at] = true;
      const std::uint32_t out_of_b = walk(
          pair_.a(), at, room_.by_a, room_.at_a[at], [&](std::uint32_t k) { return c[k].edge_a; },
          room_.run_a);
      room_.run_a.push_back(kRunGap);
      // Crossings that rounding has put in the wrong order end the walk.
      if (c[out_of_b].a_enters) break;
      room_.used[out_of_b] = true;
      at = walk(
          pair_.b(), out_of_b, room_.by_b, room_.at_b[out_of_b],
          [&](std::uint32_t k) { return c[k].edge_b; }, room_.run_b);
      room_.run_b.push_back(kRunGap);
      if (at == first || !c[at].a_enters) break;
    }
    corners_inside();
  }

  // The corners of both runs: the start of each edge that another edge of the run leads to.
  void corners_inside() {
    const auto each = [](const Boundary& boundary, const std::vector<std::uint32_t>& run,
                         const auto& add) {
      for (std::size_t k = 1; k < run.size(); ++k) {
        if (run[k - 1] != kRunGap && boundary.next[run[k - 1]] == run[k]) add(run[k]);
      }
    };
    room_.nearest_b.begin();
    for (const std::uint32_t j : room_.run_b) {
      if (j != kRunGap) room_.nearest_b.add(pair_.point_b(j), pair_.end_b(j), j);
    }
    room_.nearest_b.prepare();
    each(pair_.a(), room_.run_a, [this](std::uint32_t i) { add_corner_of_a(i); });
    room_.nearest_a.begin();
    for (const std::uint32_t i : room_.run_a) {
      if (i != kRunGap) room_.nearest_a.add(pair_.a().start(i), pair_.a().end(i), i);
    }
    room_.nearest_a.prepare();
    each(pair_.b(), room_.run_b, [this](std::uint32_t j) { add_corner_of_b(j); });
    ++pieces_;
  }

  void add_corner_of_a(std::uint32_t i) {
    const Vec2 corner = pair_.a().start(i);
    const Foot best = room_.nearest_b(corner);
    PlacedContact f;
    f.corner_of_a = true;
    f.edge_a = i;
    f.edge_b = static_cast<std::uint32_t>(best.edge);
    finish(f, best, corner, best.place, corner - best.place, [&] { return inward_b(f.edge_b); });
  }

  void add_corner_of_b(std::uint32_t j) {
    const Vec2 corner = pair_.point_b(j);
    const Foot best = room_.nearest_a(corner);
    PlacedContact f;
    f.edge_a = static_cast<std::uint32_t>(best.edge);
    f.edge_b = j;
    finish(f, best, best.place, corner, best.place - corner, [&] { return outward_a(f.edge_a); });
  }

  const Vec2& corner_of(const PlacedContact& f) const {
    return f.corner_of_a ? f.contact.point_a : f.contact.point_b;
  }

  void note_facing(PlacedContact& f) const {
    const Vec2 corner = corner_of(f);
    const Boundary &a = pair_.a(), &b = pair_.b();
    const Vec2 after = f.corner_of_a ? a.end(f.edge_a) : pair_.end_b(f.edge_b);
    const Vec2 before =
        f.corner_of_a ? a.points[a.previous[f.edge_a]] : pair_.point_b(b.previous[f.edge_b]);
    const Vec2 out = f.contact.normal * (f.corner_of_a ? 1.0 : -1.0);
    const auto leans = [&](const Vec2& edge) {
      const double into = dot(out, edge);
      return into > 0.0 && into > kLean * norm(edge);
    };
    f.facing = !leans(after - corner) && !leans(before - corner);
  }

  // The part of the way on which a corner of A in B comes to B's boundary, and the edge there.
  double leaves_b(PlacedContact& f, const Vec2& way) const {
    const Boundary& b = pair_.b();
    const Vec2 from = f.contact.point_a;
    double first = kInfinity;
    const Box2 swept = box_of(from, from + way);
    b.tree.visit([&](const Box2& box) { return pair_.moved(box, 0.0).meets(swept); },
                 [&](std::size_t j) {
                   improve(first, f.edge_b, from, way, pair_.point_b(j), pair_.end_b(j), j);
                   return false;
                 });
    return first;
  }
  double leaves_a(PlacedContact& f, const Vec2& way) const {
    const Boundary& a = pair_.a();
    const Vec2 from = f.contact.point_b;
    double first = kInfinity;
    const Box2 swept = box_of(from, from + way);
    a.tree.visit([&](const Box2& box) { return box.meets(swept); },
                 [&](std::size_t i) {
                   improve(first, f.edge_a, from, way, a.start(i), a.end(i), i);
                   return false;
                 });
    return first;
  }

  // The part of the way at which it crosses an edge from the inside; an end counts for the edge on
  // one side of the way alone, so that no corner is passed.
  static void improve(double& first, std::uint32_t& edge, const Vec2& from, const Vec2& way,
                      const Vec2& q0, const Vec2& q1, std::size_t k) {
    const double h0 = cross(way, q0 - from), h1 = cross(way, q1 - from);
    if (!(h0 <= 0.0 && h1 > 0.0)) return;
    const Vec2 place = q0 + (q1 - q0) * (h0 / (h0 - h1));
    const double part = dot(place - from, way) / dot(way, way);
    if (!(part >= 0.0) || part >= first) return;
    first = part;
    edge = static_cast<std::uint32_t>(k);
  }

  template <class Flat>
  void finish(PlacedContact& f, const Foot& foot, const Vec2& on_a, const Vec2& on_b,
              const Vec2& way, Flat&& flat) {
    if (!(foot.squared < kInfinity)) return;
    const double depth = norm(way);
    f.piece = pieces_;
    f.contact.point_a = on_a;
    f.contact.point_b = on_b;
    f.contact.depth = depth;
    f.contact.normal = depth > kFlat * scale_ ? unit_along(way) : flat();
    note_facing(f);
    room_.features.push_back(f);
  }

  const MovedPair& pair_;
  ContactRoom& room_;
  double scale_;
  std::uint32_t pieces_ = 0;  ///< of the intersection, so far
};

PlanarContact of_result(const PlanarResult& r) {
  return {r.point_a, r.point_b, r.normal, -r.distance, 0};
}

PlanarContact of_touch(const Touch& t, std::size_t stretch) {
  PlanarContact c;
  c.point_b = t.point;
  c.point_a = t.point - t.normal * t.depth;
  c.normal = -t.normal;
  c.depth = t.depth;
  c.stretch = stretch;
  return c;
}

template <class Shape>
void of_circle(const Circle& a, const Pose2& pose_a, const Shape& b, const Pose2& pose_b,
               PlanarContacts& out, double threshold) {
  auto& found = ContactAccess::found(out);
  auto& all = ContactAccess::room(out).touches;
  if (!ContactAccess::begin(out, pose_a, pose_b)) return;
  touches_without_angles(a, pose_a, b, pose_b, all, threshold);
  double limit = kInfinity;
  // From inside a region farther walls are touched too, on ways that no disc has to go.
  if constexpr (std::is_same_v<Shape, Region>) {
    if (all.size() > 1 &&
        std::any_of(all.begin(), all.end(), [&](const Touch& t) { return t.depth > a.radius(); })) {
      limit = -distance(a, pose_a, b, pose_b).distance;
      limit += kFlat * (a.radius() + largest(detail::PlanarAccess::boundary(b).tree.box()) + limit);
    }
  }
  for (const Touch& t : all) {
    if (t.depth <= limit) found.push_back(of_touch(t, found.size()));
  }
}

}  // namespace
}  // namespace tactus::detail

namespace tactus::planar {

PlanarContacts::PlanarContacts() : room_(std::make_unique<detail::ContactRoom>()) {}
PlanarContacts::~PlanarContacts() = default;
PlanarContacts::PlanarContacts(PlanarContacts&&) noexcept = default;
PlanarContacts& PlanarContacts::operator=(PlanarContacts&&) noexcept = default;

namespace {

void find_contacts(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                   PlanarContacts& out, double threshold, bool every) {
  auto& found = detail::ContactAccess::found(out);
  if (!detail::ContactAccess::begin(out, pose_a, pose_b)) return;
  const detail::MovedPair pair(detail::PlanarAccess::boundary(a), detail::PlanarAccess::boundary(b),
                               Pose2::relative(pose_a, pose_b));
  detail::ContactRoom& room = detail::ContactAccess::room(out);
  detail::ContactSearch search(pair, room);
  using Told = detail::ContactSearch::Told;
  const Told told = search.collect(threshold);
  if (told == Told::none) return;
  const auto deep = [&] {
    const auto inside = detail::one_inside(pair);
    return inside ? *inside : overlap(a, pose_a, b, pose_b);
  };
  if (told == Told::nothing || (told == Told::perhaps_inside && deep())) {
    found.push_back(detail::of_result(distance(a, pose_a, b, pose_b)));
    return;
  }
  if (search.may_be_too_deep()) {
    const PlanarResult whole = distance(a, pose_a, b, pose_b);
    search.limit(pose_a.direction_to_local(whole.normal), -whole.distance);
    if (room.features.empty()) {
      found.push_back(detail::of_result(whole));
      return;
    }
  }
  search.drop_averted();
  if (every)
    search.keep_all(found);
  else
    search.reduce(found);
  for (PlanarContact& c : found) {
    c.point_a = pose_a.to_world(c.point_a);
    c.point_b = pose_a.to_world(c.point_b);
    c.normal = pose_a.direction_to_world(c.normal);
  }
}

}  // namespace

void contacts(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
              PlanarContacts& out, double threshold) {
  find_contacts(a, pose_a, b, pose_b, out, threshold, false);
}

void contacts(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
              PlanarContacts& out, double threshold) {
  detail::of_circle(a, pose_a, b, pose_b, out, threshold);
}

void contacts(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b,
              PlanarContacts& out, double threshold) {
  detail::of_circle(a, pose_a, b, pose_b, out, threshold);
}

void contacts(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b,
              PlanarContacts& out, double threshold) {
  auto& found = detail::ContactAccess::found(out);
  if (!detail::ContactAccess::begin(out, pose_a, pose_b)) return;
  const PlanarResult r = distance(a, pose_a, b, pose_b);
  if (r.distance <= threshold) found.push_back(detail::of_result(r));
}

PlanarContact swapped(const PlanarContact& c) {
  return {c.point_b, c.point_a, -c.normal, c.depth, c.stretch};
}

}  // namespace tactus::planar

void tactus::detail::all_contacts(const Region& a, const Pose2& pose_a, const Region& b,
                                  const Pose2& pose_b, PlanarContacts& out, double margin) {
  planar::find_contacts(a, pose_a, b, pose_b, out, margin, true);
}
