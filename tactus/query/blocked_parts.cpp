#include "tactus/query/blocked_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/cso.hpp"
#include "tactus/query/mesh/blocked_shifts.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/query/plan/convex.hpp"

namespace tactus::detail {
namespace {

// The sine of a way that leads out of a half-space; flatter ones lead nowhere.
constexpr double kLeastRise = 1e-3;

// The convex body that a part is, or null: half-spaces and other meshes.
const Shape* convex_of(const Shape& shape) {
  if (shape.is_convex_body()) return &shape;
  const auto* mesh = std::get_if<Mesh>(&shape.geometry());
  return mesh != nullptr ? mesh->hull() : nullptr;
}

const Mesh* mesh_of(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape.geometry());
  return mesh != nullptr && mesh->hull() == nullptr ? mesh : nullptr;
}

Pose moved(const Pose& pose, const Vec3& shift) {
  return detail::unchecked_pose(pose.position() + shift, pose.rotation());
}

// The farthest point of a part along n, unit, world axes; not of a half-space.
Vec3 support_of(const PlacedPart& part, const Vec3& n) {
  const Vec3 local = part.pose.direction_to_local(n);
  if (const Mesh* mesh = mesh_of(part.shape))
    return part.pose.to_world(mesh->mesh().vertices[farthest_vertex(*mesh, local, 0.0).vertex]);
  const Core& core = core_of(*convex_of(part.shape));
  return part.pose.to_world(support(core, local).point + local * core.radius);
}

template <class Visit>
void for_each_part(const PartTree& tree, const Visit& visit) {
  if (tree.compound == nullptr) {
    visit(placed_part(tree, -1));
    return;
  }
  const auto count = static_cast<std::int32_t>(tree.compound->parts().size());
  for (std::int32_t i = 0; i < count; ++i) visit(placed_part(tree, i));
}

// The farthest coordinate along n of all parts but half-spaces; minus infinity without any.
double farthest_of(const PartTree& tree, const Vec3& n) {
  double most = -kInfinity;
  for_each_part(tree, [&](const PlacedPart& part) {
    if (part.shape.type() != ShapeType::halfspace)
      most = std::max(most, dot(n, support_of(part, n)));
  });
  return most;
}

/// Two convex parts: one set, their difference.
class ShiftsOfConvex : public ProvedShifts {
 public:
  ShiftsOfConvex(const PlacedPart& a, const PlacedPart& b, double rounding,
                 const QueryOptions& options)
      : a_(a), b_(b), rounding_(rounding) {
    options_.tolerance = options.tolerance;
    options_.max_iterations = options.max_iterations;
  }

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override {
    const Pose pose_b = moved(b_.pose, shift);
    DistanceResult r;
    answer_convex({{*convex_of(a_.shape), a_.pose}, {*convex_of(b_.shape), pose_b}, options_}, r);
    if (!std::isfinite(r.distance)) return false;
    if (r.lower - rounding_ <= 0.0) found.push_back({0, std::max(-r.distance, 0.0), r.normal});
    return true;
  }
  Vec3 support(std::uint32_t, const Vec3& n) const override {
    return support_of(a_, n) - support_of(b_, -n);
  }
  Certificate::Cover cover(const InnerSet& inner, const Pose&, const Vec3&) const override {
    Certificate::Cover cover;
    cover.faces = inner.polytope.living();
    for (const Vec3& n : inner.polytope.directions())
      cover.supports.push_back(
          {a_.pose.to_local(support_of(a_, n)), b_.pose.to_local(support_of(b_, -n))});
    return cover;
  }

 private:
  PlacedPart a_, b_;
  double rounding_;
  QueryOptions options_;
};

/// A half-space A and another part: one set, the translations after which the part's lowest point
/// is in the half-space. Of these a box stands for all.
class ShiftsInPlane : public ProvedShifts {
 public:
  ShiftsInPlane(const PlacedPart& plane, const PlacedPart& other, double reach, double rounding)
      : plane_(plane), other_(other), reach_(reach), rounding_(rounding) {
    const auto& half = std::get<HalfSpace>(plane.shape.geometry());
    n_ = normalized(plane.pose.direction_to_world(half.normal()));
    lowest_ = support_of(other, -n_);
    depth_ = half.offset() + dot(n_, plane.pose.position() - lowest_);
    u_ = any_perpendicular(n_);
    v_ = cross(n_, u_);
  }

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override {
    const double depth = depth_ - dot(n_, shift);
    if (depth + rounding_ >= 0.0) found.push_back({0, std::max(depth, 0.0), n_});
    return true;
  }
  Vec3 support(std::uint32_t, const Vec3& n) const override {
    const double side = 4.0 * (reach_ + std::fabs(depth_));
    const auto end = [&](const Vec3& axis) { return axis * std::copysign(side, dot(axis, n)); };
    return n_ * (dot(n_, n) >= 0.0 ? depth_ : depth_ - side) + end(u_) + end(v_);
  }
  Certificate::Cover cover(const InnerSet& inner, const Pose&, const Vec3&) const override {
    Certificate::Cover cover;
    cover.faces = inner.polytope.living();
    for (const Vec3& n : inner.polytope.directions())
      cover.supports.push_back(
          {plane_.pose.to_local(lowest_ + support(0, n)), other_.pose.to_local(lowest_)});
    return cover;
  }

 private:
  PlacedPart plane_, other_;
  double reach_, rounding_, depth_ = 0.0;
  Vec3 n_, u_, v_, lowest_;
};

/// A mesh and a convex body, with what the search for triangles rests on.
class ShiftsFromMesh : public ProvedShifts {
 public:
  ShiftsFromMesh(const PlacedPart& mesh, const Shape& body, const Pose& pose,
                 const QueryOptions& options)
      : pair_(*mesh_of(mesh.shape), mesh.pose, body, pose),
        shifts_(pair_, {}, search_options(options)) {}

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override {
    return shifts_.meeting(shift, found);
  }
  Vec3 support(std::uint32_t set, const Vec3& n) const override { return shifts_.support(set, n); }
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                           const Vec3& world) const override {
    return shifts_.cover(inner, axes, world);
  }

 private:
  MeshAndBody pair_;
  ShiftsOfBody shifts_;
};

/// Two meshes, with the pose of B in A's frame.
class ShiftsBetweenMeshes : public ProvedShifts {
 public:
  ShiftsBetweenMeshes(const PlacedPart& a, const PlacedPart& b, const QueryOptions& options)
      : pose_(relative(a.pose, b.pose)),
        shifts_(*mesh_of(a.shape), *mesh_of(b.shape), pose_, most_visits(options.max_iterations)) {}

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override {
    return shifts_.meeting(shift, found);
  }
  Vec3 support(std::uint32_t set, const Vec3& n) const override { return shifts_.support(set, n); }
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                           const Vec3& world) const override {
    return shifts_.cover(inner, axes, world);
  }

 private:
  Pose pose_;
  ShiftsOfMesh shifts_;
};

}  // namespace

ShiftsOfParts::ShiftsOfParts(const Placed& a, const Placed& b, double reach, double rounding,
                             const QueryOptions& options)
    : a_(a),
      b_(b),
      tree_a_(a_),
      tree_b_(b_),
      reach_(reach),
      rounding_(rounding),
      options_(options) {}

ShiftsOfParts::Pair ShiftsOfParts::make_pair(const Key& parts) const {
  const PlacedPart x = placed_part(tree_a_, parts.first), y = placed_part(tree_b_, parts.second);
  Pair pair;
  pair.parts = parts;
  if (y.shape.type() == ShapeType::halfspace) {
    pair.turned = true;
    pair.shifts = std::make_unique<ShiftsInPlane>(y, x, reach_, rounding_);
  } else if (x.shape.type() == ShapeType::halfspace) {
    pair.shifts = std::make_unique<ShiftsInPlane>(x, y, reach_, rounding_);
  } else if (mesh_of(x.shape) != nullptr && mesh_of(y.shape) != nullptr) {
    pair.axes = x.pose;
    pair.shifts = std::make_unique<ShiftsBetweenMeshes>(x, y, options_);
  } else if (mesh_of(x.shape) != nullptr) {
    pair.axes = x.pose;
    pair.shifts = std::make_unique<ShiftsFromMesh>(x, *convex_of(y.shape), y.pose, options_);
  } else if (mesh_of(y.shape) != nullptr) {
    pair.turned = true;
    pair.axes = y.pose;
    pair.shifts = std::make_unique<ShiftsFromMesh>(y, *convex_of(x.shape), x.pose, options_);
  } else {
    pair.shifts = std::make_unique<ShiftsOfConvex>(x, y, rounding_, options_);
  }
  return pair;
}

std::uint32_t ShiftsOfParts::pair_of(const Key& parts) {
  const auto [place, fresh] =
      pair_numbers_.try_emplace(parts, static_cast<std::uint32_t>(pairs_.size()));
  if (fresh) pairs_.push_back(make_pair(parts));
  return place->second;
}

std::uint32_t ShiftsOfParts::set_of(std::uint32_t pair, std::uint32_t set) {
  const auto [place, fresh] =
      set_numbers_.try_emplace(std::pair(pair, set), static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.emplace_back(pair, set);
  return place->second;
}

bool ShiftsOfParts::meeting(const Vec3& shift, std::vector<BlockedBy>& found) {
  const Pose pose_b = moved(b_.pose, shift);
  const Placed there{b_.shape, pose_b};
  bool told = true;
  std::vector<BlockedBy> own;
  PartPairs(a_, there).for_near(rounding_, nullptr, [&](std::int32_t part_a, std::int32_t part_b) {
    const std::uint32_t number = pair_of({part_a, part_b});
    const Pair& pair = pairs_[number];
    own.clear();
    told = pair.shifts->meeting(pair.into(shift), own) && told;
    for (const BlockedBy& by : own)
      found.push_back({set_of(number, by.set), by.depth, pair.out_of(by.n)});
  });
  std::sort(found.begin(), found.end(), [](const BlockedBy& x, const BlockedBy& y) {
    return x.depth != y.depth ? x.depth > y.depth : x.set < y.set;
  });
  return told;
}

Vec3 ShiftsOfParts::support(std::uint32_t set, const Vec3& n) const {
  const Pair& pair = pairs_[sets_[set].first];
  return pair.out_of(pair.shifts->support(sets_[set].second, pair.into(n)));
}

Certificate::Cover ShiftsOfParts::cover(const InnerSet& inner, const Pose&,
                                        const Vec3& world) const {
  const Pair& pair = pairs_[sets_[inner.set].first];
  InnerSet own = inner;
  own.set = sets_[inner.set].second;
  own.polytope.transform([&](const Vec3& v) { return pair.into(v); }, pair.turned);
  Certificate::Cover cover = pair.shifts->cover(own, pair.axes, world);
  if (pair.turned) swap_roles(cover);
  cover.part_a = pair.parts.first;
  cover.part_b = pair.parts.second;
  return cover;
}

double way_beyond(const PartTree& a, const PartTree& b, const Vec3& n) {
  // Along n all parts but half-spaces are a gap of some depth apart; out of a half-space the way is
  // longer the flatter n is to it.
  double most = farthest_of(a, n) + farthest_of(b, -n);
  const auto leave_planes = [&](const PartTree& planes, const PartTree& other, const Vec3& way) {
    for_each_part(planes, [&](const PlacedPart& part) {
      const auto* half = std::get_if<HalfSpace>(&part.shape.geometry());
      if (half == nullptr) return;
      const Vec3 up = normalized(part.pose.direction_to_world(half->normal()));
      const double depth = half->offset() + dot(up, part.pose.position()) + farthest_of(other, -up);
      const double rise = dot(up, way);
      if (depth > 0.0 || rise < 0.0)
        most = std::max(most, rise > kLeastRise ? depth / rise : kInfinity);
    });
  };
  leave_planes(a, b, n);
  leave_planes(b, a, -n);
  return most;
}

}  // namespace tactus::detail
