#include "tactus/query/mesh/face_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tactus/query/mesh/contact_collector.hpp"

namespace tactus::detail {
namespace {

// A step from a point that is clearly one, in lengths that are none.
constexpr double kStep = 16.0;

// Up to so many faces are gone through one by one.
constexpr std::size_t kFew = 16;

// Up to this ratio of height and longest edge the normal is known too badly to move points along
// it.
constexpr double kThin = 1e-3;

bool is_beside(const Aabb& box, const Vec3& p, double far) {
  for (int axis = 0; axis < 3; ++axis)
    if (p[axis] < box.lower[axis] - far || p[axis] > box.upper[axis] + far) return false;
  return true;
}

Vec3 nearest_of_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 edge = b - a;
  const double along = dot(edge, p - a), length = squared_norm(edge);
  if (!(along > 0.0)) return a;
  return along < length ? a + edge * (along / length) : b;
}

// The place of a face that is nearest to a point: up to some roundings of the face's size, where it
// is not thin; to those of the distance, where it is.
Vec3 nearest_of(const Face& face, const Vec3& p) {
  const auto& corner = face.corners.corner;
  const Vec3 n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  bool inside = n != Vec3{};
  for (std::size_t i = 0; i < 3 && inside; ++i) {
    const Vec3 edge = corner[(i + 1) % 3] - corner[i];
    inside = dot(cross(n, edge), p - corner[i]) >= 0.0;
  }
  if (inside) return p - face.n * dot(face.n, p - corner[0]);
  Vec3 nearest = nearest_of_segment(corner[2], corner[0], p);
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 other = nearest_of_segment(corner[i], corner[i + 1], p);
    if (squared_norm(p - other) < squared_norm(p - nearest)) nearest = other;
  }
  return nearest;
}

// Does the face rise above the plane across n, on the way from its point p?
bool rises(const Face& f, const Vec3& p, const Vec3& n, double same_place) {
  for (const Vec3& corner : f.corners.corner) {
    const Vec3 edge = corner - p;
    const double length = norm(edge);
    if (length > kStep * same_place && dot(n, edge) > kLeastSlope * length) return true;
  }
  // The steepest way up, where the face goes that way: slivers rise across their length.
  const Vec3 up = n - f.n * dot(n, f.n);
  const double slope = norm(up);
  if (f.n == Vec3{} || !(slope > kLeastSlope)) return false;
  return reaches(f, p + up * (kStep * same_place / slope), same_place);
}

}  // namespace

Face make_face(const Triangle& corners, std::uint32_t triangle, int outward, const Vec3& toward) {
  Face f{corners, triangle, {}, 0.0, {}, false};
  const Vec3 ab = corners.corner[1] - corners.corner[0], ac = corners.corner[2] - corners.corner[0];
  const Vec3 across = cross(ab, ac);
  f.n = normalized(across, {});
  f.thin = !(norm(across) >
             kThin * std::max({squared_norm(ab), squared_norm(ac), squared_norm(ac - ab)}));
  const bool back = outward != 0 ? outward < 0 : dot(f.n, toward - corners.corner[0]) < 0.0;
  if (back) f.n = -f.n;
  f.offset = dot(f.n, corners.corner[0]);
  f.box = {component_min(component_min(corners.corner[0], corners.corner[1]), corners.corner[2]),
           component_max(component_max(corners.corner[0], corners.corner[1]), corners.corner[2])};
  return f;
}

bool reaches(const Face& face, const Vec3& p, double same_place) {
  // Most faces of a list are far away.
  return is_beside(face.box, p, 2.0 * same_place) &&
         squared_norm(p - nearest_of(face, p)) <= same_place * same_place;
}

Vec3 on_face(const Face& face, const Vec3& p) {
  return face.thin ? point_to_triangle(p, face.corners).b : nearest_of(face, p);
}

bool same_plane(const Face& f, const Face& plane, double same_place) {
  if (1.0 - std::fabs(dot(f.n, plane.n)) > kNormalsAlike) return false;
  for (const Vec3& corner : f.corners.corner) {
    if (std::fabs(dot(plane.n, corner) - plane.offset) > same_place) return false;
  }
  return true;
}

FaceList::FaceList(std::vector<Face> faces, double same_place)
    : faces_(std::move(faces)), same_place_(same_place) {
  if (faces_.size() <= kFew) return;
  order_.resize(faces_.size());
  Aabb all = faces_[0].box;
  for (const Face& f : faces_) {
    all.lower = component_min(all.lower, f.box.lower);
    all.upper = component_max(all.upper, f.box.upper);
  }
  const Vec3 length = all.upper - all.lower;
  axis_ = length.x >= length.y && length.x >= length.z ? 0 : length.y >= length.z ? 1 : 2;
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    return std::pair(faces_[i].box.lower[axis_], i) < std::pair(faces_[j].box.lower[axis_], j);
  });
  lower_.reserve(order_.size());
  upper_.reserve(order_.size());
  double highest = all.lower[axis_];
  for (const std::uint32_t i : order_) {
    lower_.push_back(faces_[i].box.lower[axis_]);
    highest = std::max(highest, faces_[i].box.upper[axis_]);
    upper_.push_back(highest);
  }
}

template <class Visit>
void FaceList::at(const Vec3& p, Visit&& visit) const {
  const double far = 2.0 * same_place_;
  if (order_.empty()) {
    for (std::uint32_t i = 0; i < faces_.size(); ++i)
      if (is_beside(faces_[i].box, p, far) && !visit(i)) return;
    return;
  }
  const double low = p[axis_] - far, high = p[axis_] + far;
  auto i = static_cast<std::size_t>(std::upper_bound(lower_.begin(), lower_.end(), high) -
                                    lower_.begin());
  while (i > 0 && upper_[i - 1] >= low) {
    --i;
    const std::uint32_t face = order_[i];
    if (faces_[face].box.upper[axis_] >= low && !visit(face)) return;
  }
}

const Face* FaceList::covering(const Face& plane, const Vec3& p) const {
  if (!(std::fabs(dot(plane.n, p) - plane.offset) <= 2.0 * same_place_)) return nullptr;
  std::size_t first = faces_.size();
  at(p, [&](std::uint32_t i) {
    const Face& f = faces_[i];
    if (i < first && 1.0 - std::fabs(dot(f.n, plane.n)) <= kNormalsAlike &&
        reaches(f, p, same_place_))
      first = i;
    return true;
  });
  return first < faces_.size() ? &faces_[first] : nullptr;
}

bool FaceList::over_or_beyond_crease(const Face& plane, const Vec3& p, double most,
                                     const std::function<bool(const Face&)>& counts) const {
  const Face* face = &plane;
  Vec3 nearest = on_face(plane, p);
  for (const Face& f : faces_) {
    if (f.triangle == plane.triangle || !same_plane(f, plane, same_place_)) continue;
    const Vec3 other = on_face(f, p);
    if (!(squared_norm(p - other) < squared_norm(p - nearest))) continue;
    nearest = other;
    face = &f;
  }
  const double beyond = squared_norm(p - nearest);
  bool found = beyond <= same_place_ * same_place_;
  if (found || beyond > most * most) return found;
  // A point over the end of a crease is beyond none: the way there leads along it.
  const auto across = [&](const Face& g) {
    const Vec3 crease = cross(plane.n, g.n);
    const double along = dot(p - nearest, crease);
    return 2.0 * along * along <= beyond * squared_norm(crease);
  };
  at(nearest, [&](std::uint32_t i) {
    const Face& g = faces_[i];
    found = g.n != Vec3{} && reaches(g, nearest, same_place_) && across(g) &&
            rises(g, nearest, plane.n, same_place_) && rises(*face, nearest, g.n, same_place_) &&
            counts(g);
    return !found;
  });
  return found;
}

bool FaceList::outermost(const Vec3& p, const Vec3& n) const {
  bool outer = true;
  at(p, [&](std::uint32_t i) {
    const Face& f = faces_[i];
    outer = !(reaches(f, p, same_place_) && rises(f, p, n, same_place_));
    return outer;
  });
  return outer;
}

}  // namespace tactus::detail
