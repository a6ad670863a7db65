#include "tactus/fit/plain/convex_cell.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tactus::detail::fit {
namespace {

// Points this many tolerances apart count as one corner.
constexpr double kSamePoint = 2.0;

Vec3 mean_of(const std::vector<Vec3>& points) {
  Vec3 mean;
  for (const Vec3& p : points) mean += p;
  return mean / static_cast<double>(points.size());
}

// Twice the area of a polygon, as a vector along its normal.
Vec3 twice_area(const std::vector<Vec3>& polygon) {
  Vec3 sum;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return sum;
}

// Orders the corners of a convex polygon around its middle, without repeated ones.
std::vector<Vec3> around(std::span<const Vec3> points, const Vec3& normal, double tolerance) {
  std::vector<Vec3> distinct;
  for (const Vec3& p : points) {
    const bool known = std::any_of(distinct.begin(), distinct.end(),
                                   [&](const Vec3& q) { return norm(p - q) <= tolerance; });
    if (!known) distinct.push_back(p);
  }
  if (distinct.size() < 3) return {};
  const Vec3 middle = mean_of(distinct);
  const Vec3 first = any_perpendicular(normal), second = cross(normal, first);
  struct Placed {
    double x, y;
    Vec3 at;
    bool lower() const { return y < 0.0 || (y == 0.0 && x < 0.0); }
  };
  std::vector<Placed> placed;
  placed.reserve(distinct.size());
  for (const Vec3& p : distinct)
    placed.push_back({dot(first, p - middle), dot(second, p - middle), p});
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    if (a.lower() != b.lower()) return b.lower();
    return a.x * b.y - a.y * b.x > 0.0;
  });
  for (std::size_t i = 0; i < placed.size(); ++i) distinct[i] = placed[i].at;
  return distinct;
}

struct Box {
  Vec3 low, high;
};

Box box_of(const Cell& cell) {
  Box box{cell.middle, cell.middle};
  for (const Cell::Face& face : cell.faces) {
    for (const Vec3& p : face.polygon) {
      box.low = component_min(box.low, p);
      box.high = component_max(box.high, p);
    }
  }
  return box;
}

bool apart(const Box& a, const Box& b, double by) {
  for (int k = 0; k < 3; ++k) {
    if (a.low[k] > b.high[k] + by || b.low[k] > a.high[k] + by) return true;
  }
  return false;
}

// The common part of two convex polygons of one plane.
std::vector<Vec3> common_polygon(std::vector<Vec3> polygon, const std::vector<Vec3>& other) {
  const Vec3 normal = twice_area(other);
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < other.size() && polygon.size() > 2; ++i) {
    const Vec3& at = other[i];
    const Vec3 inward = cross(normal, other[(i + 1) % other.size()] - at);
    kept.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      const double hp = dot(inward, p - at), hq = dot(inward, q - at);
      if (hp >= 0.0) kept.push_back(p);
      if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))
        kept.push_back(p + (q - p) * (hp / (hp - hq)));
    }
    polygon = kept;
  }
  return polygon;
}

}  // namespace

double PlaneTable::height(std::size_t plane, const Vec3& p) const {
  const double h = dot(planes_[plane].normal, p) - planes_[plane].offset;
  return std::fabs(h) <= tolerance_ ? 0.0 : h;
}

std::size_t PlaneTable::plane_through(const std::vector<Vec3>& points, const Vec3& normal) {
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (std::all_of(points.begin(), points.end(),
                    [&](const Vec3& p) { return height(i, p) == 0.0; }))
      return i;
  }
  planes_.push_back({normal, dot(normal, points[0])});
  return planes_.size() - 1;
}

bool has_area(const std::vector<Vec3>& polygon, double tolerance) {
  if (polygon.size() < 3) return false;
  double rim = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    rim += norm(polygon[(i + 1) % polygon.size()] - polygon[i]);
  return norm(twice_area(polygon)) > 4.0 * tolerance * rim;
}

Cell box_cell(const Vec3& low, const Vec3& high) {
  Cell cell;
  for (int k = 0; k < 3; ++k) {
    for (const bool upper : {false, true}) {
      Cell::Face face{Cell::kNoPlane, !upper, {}};
      for (const int corner : {0, 1, 3, 2}) {
        Vec3 p;
        p[k] = upper ? high[k] : low[k];
        p[(k + 1) % 3] = corner % 2 == 0 ? low[(k + 1) % 3] : high[(k + 1) % 3];
        p[(k + 2) % 3] = corner / 2 == 0 ? low[(k + 2) % 3] : high[(k + 2) % 3];
        face.polygon.push_back(p);
      }
      cell.faces.push_back(std::move(face));
    }
  }
  measure_cell(cell);
  return cell;
}

void measure_cell(Cell& cell) {
  cell.volume = 0.0;
  cell.middle = {};
  std::size_t count = 0;
  for (const Cell::Face& face : cell.faces) {
    for (const Vec3& p : face.polygon) cell.middle += p;
    count += face.polygon.size();
  }
  if (count == 0) return;
  cell.middle = cell.middle / static_cast<double>(count);
  for (const Cell::Face& face : cell.faces)
    cell.volume += std::fabs(dot(twice_area(face.polygon), face.polygon[0] - cell.middle)) / 6.0;
}

std::vector<Vec3> clip_polygon(const std::vector<Vec3>& polygon, std::size_t plane,
                               const PlaneTable& planes, int side) {
  std::vector<Vec3> kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec3 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double hp = side * planes.height(plane, p), hq = side * planes.height(plane, q);
    if (hp >= 0.0) kept.push_back(p);
    if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))
      kept.push_back(p + (q - p) * (hp / (hp - hq)));
  }
  return kept;
}

void split_cell(const Cell& cell, std::size_t plane, const PlaneTable& planes, Cell& below,
                Cell& above) {
  below = above = {};
  double low = 0.0, high = 0.0;
  for (const Cell::Face& face : cell.faces) {
    for (const Vec3& p : face.polygon) {
      const double h = planes.height(plane, p);
      low = std::min(low, h);
      high = std::max(high, h);
    }
  }
  if (low == 0.0 || high == 0.0) {
    (low == 0.0 ? above : below) = cell;
    return;
  }
  std::vector<Vec3> rim;
  for (const Cell::Face& face : cell.faces) {
    for (const int side : {-1, 1}) {
      std::vector<Vec3> polygon = clip_polygon(face.polygon, plane, planes, side);
      for (const Vec3& p : polygon) {
        if (side < 0 && planes.height(plane, p) == 0.0) rim.push_back(p);
      }
      const bool off = std::any_of(polygon.begin(), polygon.end(),
                                   [&](const Vec3& p) { return planes.height(plane, p) != 0.0; });
      if (polygon.size() > 2 && off)
        (side < 0 ? below : above).faces.push_back({face.plane, face.above, std::move(polygon)});
    }
  }
  const std::vector<Vec3> lid = around(rim, planes[plane].normal, kSamePoint * planes.tolerance());
  if (!lid.empty()) {
    below.faces.push_back({plane, false, lid});
    above.faces.push_back({plane, true, lid});
  }
  measure_cell(below);
  measure_cell(above);
}

void find_contacts(CellBody& body, const PlaneTable& planes) {
  body.contacts.clear();
  std::vector<Box> boxes;
  boxes.reserve(body.cells.size());
  for (const Cell& cell : body.cells) boxes.push_back(box_of(cell));
  const double tolerance = planes.tolerance();
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
      if (apart(boxes[a], boxes[b], tolerance)) continue;
      for (const Cell::Face& f : body.cells[a].faces) {
        for (const Cell::Face& g : body.cells[b].faces) {
          if (f.plane == Cell::kNoPlane || f.plane != g.plane || f.above == g.above) continue;
          std::vector<Vec3> polygon = common_polygon(f.polygon, g.polygon);
          if (has_area(polygon, tolerance)) body.contacts.push_back({a, b, std::move(polygon)});
        }
      }
    }
  }
}

bool touches(const Cell& cell, const Vec3& p, const PlaneTable& planes) {
  return std::all_of(cell.faces.begin(), cell.faces.end(), [&](const Cell::Face& face) {
    if (face.plane == Cell::kNoPlane) return true;
    const double h = planes.height(face.plane, p);
    return face.above ? h >= 0.0 : h <= 0.0;
  });
}

}  // namespace tactus::detail::fit
