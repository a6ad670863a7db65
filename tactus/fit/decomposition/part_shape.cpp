#include "tactus/fit/decomposition/part_shape.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/fit/decomposition/part.hpp"

namespace tactus::detail::fit {
namespace {

// A body thinner than this has no volume: its volume, of the cube of its length.
constexpr double kFlat = 1e-9;
// Distance from a body, of its length, up to which points are in it; relative excess by which
// `grown` moves vertices outwards.
constexpr double kWithin = 1e-9, kOutwards = 1e-12;

struct Box {
  Vec3 low, high;
};

Box box_of(const ConvexHull& hull) {
  Box box{hull.vertices[0], hull.vertices[0]};
  for (const Vec3& v : hull.vertices) {
    box.low = component_min(box.low, v);
    box.high = component_max(box.high, v);
  }
  return box;
}

bool apart(const Box& a, const Box& b, double by) {
  for (int k = 0; k < 3; ++k) {
    if (a.low[k] > b.high[k] + by || b.low[k] > a.high[k] + by) return true;
  }
  return false;
}

double length_of(const ConvexHull& hull) {
  const Box box = box_of(hull);
  return max_abs(box.high - box.low);
}

bool is_flat(const ConvexHull& hull) {
  const double length = length_of(hull);
  return hull.dimension < 3 || mass_properties(hull).volume <= kFlat * (length * length * length);
}

ConvexHull hull_of_both(const ConvexHull& a, const ConvexHull& b) {
  std::vector<Vec3> points = a.vertices;
  points.insert(points.end(), b.vertices.begin(), b.vertices.end());
  return convex_hull(points);
}

// The body with the most outer vertices alone, grown about their middle.
ConvexHull grown(const ConvexHull& hull, std::uint32_t most) {
  const ConvexHull few = limited_hull(hull.vertices, most).hull;
  if (few.dimension < 3) return hull;
  Vec3 middle;
  for (const Vec3& v : few.vertices) middle += v;
  middle = middle / static_cast<double>(few.vertices.size());
  double factor = 1.0;
  for (const ConvexHull::Face& face : few.faces) {
    const double height = face.offset - dot(face.normal, middle);
    if (!(height > 0.0)) return hull;
    for (const Vec3& v : hull.vertices)
      factor = std::max(factor, dot(face.normal, v - middle) / height);
  }
  if (factor > 1.0) factor *= 1.0 + kOutwards;
  std::vector<Vec3> points;
  points.reserve(few.vertices.size());
  for (const Vec3& v : few.vertices) points.push_back(middle + (v - middle) * factor);
  return convex_hull(points);
}

}  // namespace

void join_flat_hulls(std::vector<ConvexHull>& hulls) {
  std::vector<Box> boxes;
  boxes.reserve(hulls.size());
  for (const ConvexHull& hull : hulls) boxes.push_back(box_of(hull));
  for (std::size_t i = 0; i < hulls.size();) {
    if (!is_flat(hulls[i])) {
      ++i;
      continue;
    }
    // Into the body that holds it, or with which it adds the least and has a volume.
    std::size_t best = i;
    double least = std::numeric_limits<double>::infinity();
    ConvexHull joined;
    for (std::size_t j = 0; j < hulls.size() && least >= 0.0; ++j) {
      const double within = kWithin * length_of(hulls[j]);
      if (j == i || apart(boxes[i], boxes[j], within)) continue;
      const bool held = std::all_of(hulls[i].vertices.begin(), hulls[i].vertices.end(),
                                    [&](const Vec3& v) { return holds(hulls[j], v, within); });
      ConvexHull both = held ? hulls[j] : hull_of_both(hulls[j], hulls[i]);
      if (is_flat(both)) continue;
      const double added =
          held ? -1.0 : mass_properties(both).volume - mass_properties(hulls[j]).volume;
      if (added >= least) continue;
      least = added;
      best = j;
      joined = std::move(both);
    }
    if (best == i) {
      ++i;
      continue;
    }
    boxes[best] = box_of(joined);
    hulls[best] = std::move(joined);
    hulls.erase(hulls.begin() + static_cast<std::ptrdiff_t>(i));
    boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i));
    // One that found no partner before may have one now.
    i = 0;
  }
}

void limit_vertices(std::vector<ConvexHull>& hulls, std::uint32_t most) {
  std::vector<ConvexHull> limited;
  for (ConvexHull& hull : hulls) {
    if (hull.vertices.size() <= most) {
      limited.push_back(std::move(hull));
    } else if (hull.dimension == 3) {
      limited.push_back(grown(hull, most));
    } else {
      const auto corner = hull.corners(hull.faces[0]);
      for (std::size_t first = 1; first + 1 < corner.size(); first += most - 2) {
        std::vector<Vec3> points{hull.vertices[corner[0]]};
        for (std::size_t i = first; i < corner.size() && points.size() < most; ++i)
          points.push_back(hull.vertices[corner[i]]);
        limited.push_back(convex_hull(points));
      }
    }
  }
  hulls = std::move(limited);
}

}  // namespace tactus::detail::fit
