#include "tactus/rigid/solver/pinch.hpp"

#include <algorithm>

namespace tactus::detail {
namespace {

/// Overlap, relative to the smaller body's size, from which a patch pinches: while its partners
/// close in, above what loads press into each other (`WorldSettings::load_overlap`), and whatever
/// they do, above what grippers take.
constexpr double kOverlap = 0.002, kDeepOverlap = 0.05;
/// Partners that come nearer by less than this part of the size in a unit of time do not close in.
constexpr double kClosing = 1e-3;
/// Cosine between normals from which they are opposed.
constexpr double kOpposed = -0.5;

/// A patch seen from the body that it pushes.
struct Side {
  std::uint32_t body = 0, patch = 0;
  Vec3 normal;           ///< towards the body
  double overlap = 0.0;  ///< relative to the size
  double closing = 0.0;  ///< sizes per time, of the partner's surface along the normal
};

const ContactPoint* deepest_of(const ContactPatch& patch) {
  const auto points = patch.manifold.span();
  const auto deepest = std::max_element(
      points.begin(), points.end(),
      [](const ContactPoint& x, const ContactPoint& y) { return x.depth < y.depth; });
  return deepest == points.end() ? nullptr : &*deepest;
}

/// Does one body move, and the other not?
bool is_one_sided(const ContactPatch& patch, std::span<const SolverBody> bodies) {
  return (bodies[patch.body_a].inverse_mass > 0.0) != (bodies[patch.body_b].inverse_mass > 0.0);
}

Side side_of(const ContactPatch& patch, std::uint32_t index, const ContactPoint& deepest,
             std::span<const SolverBody> bodies) {
  const bool first = bodies[patch.body_a].inverse_mass > 0.0;
  const SolverBody& partner = bodies[first ? patch.body_b : patch.body_a];
  const Vec3 arm = first ? deepest.point_b - patch.center_b : deepest.point_a - patch.center_a;
  const Vec3 normal = first ? -patch.manifold.normal : patch.manifold.normal;
  return {first ? patch.body_a : patch.body_b, index, normal, deepest.depth / patch.size,
          dot(normal, partner.linear + cross(partner.angular, arm)) / patch.size};
}

/// The sides of all bodies that one side overlaps.
std::vector<Side> find_sides(std::span<const ContactPatch> patches,
                             std::span<const SolverBody> bodies) {
  std::vector<std::uint32_t> overlapped;
  for (const ContactPatch& patch : patches) {
    const ContactPoint* deepest = deepest_of(patch);
    if (deepest == nullptr || !(deepest->depth > kOverlap * patch.size)) continue;
    if (!is_one_sided(patch, bodies)) continue;
    overlapped.push_back(bodies[patch.body_a].inverse_mass > 0.0 ? patch.body_a : patch.body_b);
  }
  std::vector<Side> sides;
  if (overlapped.empty()) return sides;
  std::sort(overlapped.begin(), overlapped.end());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const ContactPoint* deepest = deepest_of(patches[i]);
    if (deepest == nullptr || !is_one_sided(patches[i], bodies)) continue;
    const Side side = side_of(patches[i], static_cast<std::uint32_t>(i), *deepest, bodies);
    if (std::binary_search(overlapped.begin(), overlapped.end(), side.body)) sides.push_back(side);
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return x.body != y.body ? x.body < y.body : x.patch < y.patch;
  });
  return sides;
}

bool pinch(const Side& x, const Side& y) {
  if (!(dot(x.normal, y.normal) < kOpposed)) return false;
  const double overlap = std::max(x.overlap, y.overlap);
  return overlap > (x.closing + y.closing > kClosing ? kOverlap : kDeepOverlap);
}

/// Both ways along each axis: +x, +y, +z, -x, -y, -z.
constexpr int kDirections = 6;
double along(const Vec3& v, int direction) {
  return direction < 3 ? v[direction] : -v[direction - 3];
}
int opposite(int direction) { return (direction + 3) % kDirections; }

/// Marks each body that another moving one pushes within 60 degrees of a direction.
void find_pushed(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                 int direction, std::vector<std::uint8_t>& pushed) {
  pushed.assign(bodies.size(), 0);
  for (const ContactPatch& patch : patches) {
    const ContactPoint* deepest = deepest_of(patch);
    if (deepest == nullptr || !(deepest->depth > 0.0)) continue;
    if (!(bodies[patch.body_a].inverse_mass > 0.0 && bodies[patch.body_b].inverse_mass > 0.0))
      continue;
    const double part = along(patch.manifold.normal, direction);
    if (part > -kOpposed) pushed[patch.body_b] = 1;
    if (part < kOpposed) pushed[patch.body_a] = 1;
  }
}

/// Sides that close in on a body that another moving one holds.
void find_pressed(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                  std::span<const Side> sides, TurnSharing* sharing, std::vector<char>& pinched) {
  const auto closes = [&](const Side& side) {
    return side.overlap > kOverlap && side.closing > kClosing && pinched[side.patch] == 0;
  };
  const bool any = std::any_of(sides.begin(), sides.end(), closes);
  if (!(sharing != nullptr ? sharing->any(any) : any)) return;
  std::vector<std::uint8_t> pushed;
  std::vector<char> held(sides.size(), 0);
  for (int direction = 0; direction < kDirections; ++direction) {
    find_pushed(patches, bodies, direction, pushed);
    if (sharing != nullptr) sharing->add_up(pushed);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (along(sides[i].normal, opposite(direction)) > -kOpposed && pushed[sides[i].body] != 0)
        held[i] = 1;
    }
  }
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (held[i] != 0 && closes(sides[i])) pinched[sides[i].patch] = 1;
}

}  // namespace

void find_pinched(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                  TurnSharing* sharing, std::vector<char>& pinched) {
  pinched.assign(patches.size(), 0);
  const std::vector<Side> sides = find_sides(patches, bodies);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t k = i + 1; k < sides.size() && sides[k].body == sides[i].body; ++k)
      if (pinch(sides[i], sides[k])) pinched[sides[i].patch] = pinched[sides[k].patch] = 1;
  }
  find_pressed(patches, bodies, sides, sharing, pinched);
}

}  // namespace tactus::detail
