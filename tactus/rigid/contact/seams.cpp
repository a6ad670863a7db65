#include "tactus/rigid/contact/seams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/body/periodic.hpp"

namespace tactus::detail {
namespace {

/// Lengths on a seam that are none, relative to the size: those of slits, and of steps from one
/// neighbour to the next. Above the overlaps of contacts at rest (`load_overlap`), and far below
/// what a step is.
constexpr double kSeamGap = 1e-4;
/// Sine of the angle up to which two normals are one.
constexpr double kSeamAngle = 1e-4;
/// Where X is looked for, in gaps above the plane. A slope whose sine is
/// the root of its inverse, 18 degrees, comes nearest to that by a gap.
constexpr double kLookAbove = 10.0;
/// How far, in gaps, a point of contact may be below the plane: as far as bodies overlap.
constexpr double kBelow = 20.0;
/// Up to so many contacts of a body are compared each with each.
constexpr std::size_t kFew = 32;
/// A neighbour whose ball is smaller than this part of the body's is small.
constexpr double kSmall = 0.25;
/// Grain size (bodies) of the loop that judges them.
constexpr std::size_t kJudgedTogether = 64;

/// A neighbour: one part of a compound, or a body.
struct Neighbour {
  const Shape* shape = nullptr;
  Pose pose;
  const Body* whole = nullptr;  ///< null for a part

  double size() const { return whole != nullptr ? whole->size() : extent(*shape); }
};

Neighbour neighbour_of(const ContactPatch& patch, bool of_a, const Moment& moment) {
  const std::uint32_t body = of_a ? patch.body_b : patch.body_a;
  const std::int32_t part = of_a ? patch.manifold.part_b : patch.manifold.part_a;
  const Shape& shape = moment.bodies[body].shape();
  Neighbour result{&shape, placed(moment.pose(body), of_a ? patch.shift : -patch.shift),
                   &moment.bodies[body]};
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr || part < 0) return result;
  const Compound::Part& one = compound->parts()[static_cast<std::size_t>(part)];
  return {&one.shape, result.pose * one.pose, nullptr};
}

/// A point of the neighbour's surface, as the body sees it.
Vec3 place_of(const ContactPatch& patch, bool of_a, std::size_t point) {
  const ContactPoint& p = patch.manifold.points[point];
  return of_a ? p.point_b : p.point_a - patch.shift;
}

/// The normal of a patch towards one of its bodies.
Vec3 normal_to(std::uint32_t body, const ContactPatch& patch) {
  return patch.body_a == body ? -patch.manifold.normal : patch.manifold.normal;
}

bool differ(const Vec3& n, const Vec3& m) {
  return dot(n, m) < 1.0 - 0.5 * kSeamAngle * kSeamAngle;
}

bool reaches(const Neighbour& neighbour, const Vec3& place, double radius) {
  return overlap(*neighbour.shape, neighbour.pose, Sphere(radius), Pose::translation(place))
             .overlap != Overlap::no;
}

/// The place of a neighbour that is nearest to one outside of it.
Vec3 nearest_of(const Neighbour& neighbour, const Vec3& place, double radius) {
  QueryOptions options;
  options.signed_distance = false;
  return distance(*neighbour.shape, neighbour.pose, Sphere(radius), Pose::translation(place),
                  options)
      .point_a;
}

}  // namespace

/// Is a place inside of a neighbour by more than a gap? Bodies that push each other apart are no
/// surface together.
bool is_deep(const Neighbour& neighbour, const Vec3& place, double gap) {
  return distance(*neighbour.shape, neighbour.pose, Sphere(0.5 * gap), Pose::translation(place))
             .upper < -2.0 * gap;
}

/// A contact that is asked for, with its neighbour.
struct Seams::Asked {
  const Side& side;
  const Neighbour& neighbour;
  Vec3 place;  ///< the point of it
  double gap;
};

Seams::Side Seams::side_of(std::uint32_t index, bool of_a, const SeamPatches& patches,
                           const Moment& moment) {
  const ContactPatch& patch = patches[index];
  Side side;
  side.patch = index;
  side.body = of_a ? patch.body_b : patch.body_a;
  side.part = of_a ? patch.manifold.part_a : patch.manifold.part_b;
  side.of_a = of_a;
  side.normal = of_a ? -patch.manifold.normal : patch.manifold.normal;
  side.place = place_of(patch, of_a, 0);
  side.height = dot(side.normal, side.place);
  for (std::size_t k = 1; k < patch.manifold.span().size(); ++k)
    side.height = std::max(side.height, dot(side.normal, place_of(patch, of_a, k)));
  side.gap = kSeamGap * patch.size;
  side.radius = moment.bodies[side.body].radius();
  if (moment.moving == nullptr) return side;
  // The neighbour has moved since the patch was detected.
  const Vec3 then = of_a ? patch.center_b - patch.shift : patch.center_a;
  const Vec3 now = moment.pose(side.body).to_world(moment.bodies[side.body].mass().center);
  side.height += dot(side.normal, now - then);
  return side;
}

/// Is a point of the contact covered by another contact of the same body?
bool Seams::covers(const Asked& asked, const Side& other, const SeamPatches& patches,
                   const Moment& moment) {
  const Vec3 &n = asked.side.normal, &m = other.normal, &p = asked.place;
  const double gap = asked.gap, cosine = dot(n, m);
  const double sine = std::sqrt(std::max(1.0 - cosine * cosine, 0.0));
  if (!(sine > kSeamAngle)) return false;
  const double above = dot(m, p) - other.height;
  if (above < -kBelow * gap) return false;
  // Along the plane, to where it goes up across n.
  const Vec3 beside = (n - m * cosine) * (1.0 / sine);
  const auto is_beside = [&] {
    const Neighbour cover = neighbour_of(patches[other.patch], other.of_a, moment);
    const bool itself = other.body == asked.side.body && cover.shape == asked.neighbour.shape;
    if (itself || !reaches(cover, p + beside * gap, 0.5 * gap)) return false;
    const auto moves = [&](std::uint32_t body) { return moment.bodies[body].is_dynamic(); };
    const bool rigid =
        other.body == asked.side.body || (!moves(other.body) && !moves(asked.side.body));
    return rigid || !is_deep(cover, p, gap);
  };
  // X covers itself where n is no normal of its own: faces inside of a surface of several bodies.
  if (!is_beside() && !reaches(asked.neighbour, p + n * gap, 0.5 * gap)) return false;
  const Vec3 target = p + m * (kLookAbove * gap - above);
  if (reaches(asked.neighbour, target, 0.5 * gap)) return false;
  return dot(m, nearest_of(asked.neighbour, target, 0.5 * gap)) - other.height <= gap;
}

/// May another contact cover a point of this one? Most are seen to do not by this alone.
bool Seams::may_cover(const Side& side, const Vec3& place, double gap, const Side& other) {
  return dot(other.normal, place) <= other.height + gap && other.patch != side.patch &&
         differ(side.normal, other.normal) && other.part == side.part;
}

bool Seams::is_covered(const Side& side, const Near& near, const SeamPatches& patches,
                       const Moment& moment) {
  const auto any = [&](const Vec3& place, double gap, auto&& accept) {
    for (const std::span<const Side> sides : near)
      for (const Side& other : sides)
        if (may_cover(side, place, gap, other) && accept(other)) return true;
    return false;
  };
  const auto at_all = [](const Side&) { return true; };
  if (!any(side.place, side.gap, at_all)) return false;
  const ContactPatch& patch = patches[side.patch];
  const std::size_t count = patch.manifold.span().size();
  for (std::size_t k = 1; k < count; ++k)
    if (!any(place_of(patch, side.of_a, k), side.gap, at_all)) return false;
  const Neighbour neighbour = neighbour_of(patch, side.of_a, moment);
  const double gap = std::min(side.gap, kSeamGap * neighbour.size());
  for (std::size_t k = 0; k < count; ++k) {
    const Asked asked{side, neighbour, place_of(patch, side.of_a, k), gap};
    if (!any(asked.place, gap,
             [&](const Side& other) { return covers(asked, other, patches, moment); }))
      return false;
  }
  return true;
}

/// The contacts of a body that have points.
void Seams::find_sides(std::uint32_t body, const SeamPatches& patches, const Moment& moment,
                       std::vector<Side>& sides) const {
  sides.clear();
  for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
    const ContactPatch& patch = patches[list_[i]];
    if (patch.manifold.count > 0)
      sides.push_back(side_of(list_[i], patch.body_a == body, patches, moment));
  }
}

/// The patches of each body that can be pushed.
void Seams::list_patches(std::span<const Body> bodies, const SeamPatches& patches) {
  first_.assign(bodies.size() + 1, 0);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    ++first_[patches[i].body_a + 1];
    ++first_[patches[i].body_b + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i)
    first_[i] = first_[i - 1] + (bodies[i - 1].is_dynamic() ? first_[i] : 0);
  list_.resize(first_.back());
  next_.assign(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    for (const std::uint32_t body : {patches[i].body_a, patches[i].body_b})
      if (first_[body] < first_[body + 1]) list_[next_[body]++] = static_cast<std::uint32_t>(i);
  }
}

/// Sorts many contacts, so that those near one of them follow each other: first those of neighbours
/// that are not small beside the body, of which there cannot be many, then the others along the
/// longest axis of their places.
void Seams::Around::sort(double large) {
  Vec3 lower = sides[0].place, upper = lower;
  for (const Side& side : sides) {
    lower = component_min(lower, side.place);
    upper = component_max(upper, side.place);
  }
  const Vec3 size = upper - lower;
  axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto is_large = [large](const Side& side) { return !(side.radius < large); };
  const auto middle = std::stable_partition(sides.begin(), sides.end(), is_large);
  std::stable_sort(middle, sides.end(),
                   [this](const Side& x, const Side& y) { return x.place[axis] < y.place[axis]; });
  first_small = static_cast<std::size_t>(middle - sides.begin());
  most_radius = 0.0;
  for (auto side = middle; side != sides.end(); ++side)
    most_radius = std::max(most_radius, side->radius);
}

/// The contacts that may cover one of them: of large neighbours, and of small ones near it. Two
/// points of a body are no farther from each other than its ball is wide.
Seams::Near Seams::Around::near(const Side& side) const {
  const std::span<const Side> all = sides, small = all.subspan(first_small);
  const double way = 2.0 * (side.radius + most_radius) + side.gap, at = side.place[axis];
  const auto first =
      std::lower_bound(small.begin(), small.end(), at - way,
                       [this](const Side& x, double y) { return x.place[axis] < y; });
  const auto last = std::upper_bound(first, small.end(), at + way,
                                     [this](double y, const Side& x) { return y < x.place[axis]; });
  return {all.first(first_small), std::span(first, last)};
}

/// The patches of a body that others cover, one after the other: none is covered by one that is
/// gone itself, so that at least one is left.
void Seams::judge_body(std::uint32_t body, const SeamPatches& patches, const Moment& moment,
                       Around& around) {
  std::vector<Side>& sides = around.sides;
  find_sides(body, patches, moment, sides);
  const bool many = sides.size() > kFew;
  if (many) around.sort(kSmall * moment.bodies[body].radius());
  for (Side& side : sides) {
    if (!is_covered(side, many ? around.near(side) : Near{sides, {}}, patches, moment)) continue;
    covered_[2 * std::size_t{side.patch} + (side.of_a ? 0 : 1)] = 1;
    on_seam_[body] = 1;
    side.height = -std::numeric_limits<double>::infinity();
  }
}

void Seams::judge(std::span<const Body> bodies, const SeamPatches& patches, const Order& before,
                  int max_threads) {
  list_patches(bodies, patches);
  if (patches.own() < patches.size()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto first = list_.begin() + first_[i], last = list_.begin() + first_[i + 1];
      if (std::any_of(first, last, [&](std::uint32_t patch) { return patch >= patches.own(); }))
        std::sort(first, last, before);
    }
  }
  covered_.assign(2 * patches.size(), 0);
  on_seam_.assign(bodies.size(), 0);
  const Moment moment{bodies};
  const auto is_new = [&](std::uint32_t patch) { return !patches[patch].kept; };
  parallel_for(
      bodies.size(), kJudgedTogether,
      [&](std::size_t begin, std::size_t end) {
        Around around;
        for (std::size_t i = begin; i < end; ++i) {
          if (first_[i + 1] < first_[i] + 2) continue;
          if (std::any_of(list_.begin() + first_[i], list_.begin() + first_[i + 1], is_new))
            judge_body(static_cast<std::uint32_t>(i), patches, moment, around);
        }
      },
      max_threads);
  // Who owns a guest tells whether it is dropped: both of its bodies are judged there.
  for (std::size_t i = 0; i < patches.own(); ++i)
    if (covered_[2 * i] != 0 || covered_[2 * i + 1] != 0) drop(patches, i);
}

/// Takes its points from a patch. Another patch of the same parts says what these still do.
void Seams::drop(const SeamPatches& patches, std::size_t index) {
  ContactPatch& patch = patches[index];
  const auto points = patch.manifold.span();
  patch.overlaps = std::any_of(points.begin(), points.end(),
                               [](const ContactPoint& point) { return point.depth >= 0.0; });
  patch.manifold.count = 0;
  patch.covered = true;
  const auto beside = [&](const ContactPatch& other) {
    return other.body_a == patch.body_a && other.body_b == patch.body_b &&
           other.manifold.part_a == patch.manifold.part_a &&
           other.manifold.part_b == patch.manifold.part_b && other.shift == patch.shift;
  };
  std::size_t first = index, last = index + 1;
  while (first > 0 && beside(patches[first - 1])) --first;
  while (last < patches.own() && beside(patches[last])) ++last;
  patch.on_seam = last - first == 1;
}

void Seams::judge_again(std::uint32_t index, const SeamPatches& patches,
                        const Moment& moment) const {
  ContactPatch& patch = patches[index];
  for (const std::uint32_t body : {patch.body_a, patch.body_b}) {
    if (on_seam_[body] == 0 || patch.manifold.count == 0) continue;
    // On a plane of tiles all others have its normal.
    const Vec3 normal = normal_to(body, patch);
    const auto first = list_.begin() + first_[body], last = list_.begin() + first_[body + 1];
    if (std::none_of(first, last, [&](std::uint32_t other) {
          return patches[other].manifold.count > 0 &&
                 differ(normal, normal_to(body, patches[other]));
        }))
      continue;
    std::vector<Side> sides;
    find_sides(body, patches, moment, sides);
    if (is_covered(side_of(index, patch.body_a == body, patches, moment), {sides, {}}, patches,
                   moment))
      drop(patches, index);
  }
}

}  // namespace tactus::detail
