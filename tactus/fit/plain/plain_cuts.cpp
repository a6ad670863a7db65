#include "tactus/fit/plain/plain_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core/disjoint_sets.hpp"

namespace tactus::detail::fit {
namespace {

constexpr std::size_t kMostNotches = 200, kMostParts = 600;
// Notches nearest to each one with which it shares a plane that is tried.
constexpr std::size_t kPartners = 12;
// With at most so many notches, so many of the best cuts are followed to the end.
constexpr std::size_t kFewNotches = 40, kFollowed = 4;
// Areas and volumes that differ by less, relatively, are equal.
constexpr double kEqual = 1e-7;
// The shortest notch, in tolerances; how far a part's corner may be from one of the mesh.
constexpr double kShort = 10.0, kSnap = 4.0;
// Smaller determinants of unit normals say that planes have a line in common.
constexpr double kParallel = 1e-6;

struct Group {
  CellBody body;
  std::vector<Notch> notches;
};

// Where a plane and a group meet, one connected piece of it: cells that it crosses, and contacts in
// the plane.
struct Section {
  std::size_t plane;
  std::vector<std::size_t> cells, contacts;
  double area = 0.0;
};

// A cut and what is left to do after it: parts, and notches in them.
struct Cut {
  Section section;
  std::size_t left = 0;
};

struct Sides {
  bool below = false, above = false;
};

Sides sides_of(const std::vector<Vec3>& polygon, std::size_t plane, const PlaneTable& planes) {
  Sides s;
  for (const Vec3& p : polygon) {
    const double h = planes.height(plane, p);
    s.below = s.below || h < 0.0;
    s.above = s.above || h > 0.0;
  }
  return s;
}

Sides sides_of(const Cell& cell, std::size_t plane, const PlaneTable& planes) {
  Sides s;
  for (const Cell::Face& face : cell.faces) {
    const Sides f = sides_of(face.polygon, plane, planes);
    s.below = s.below || f.below;
    s.above = s.above || f.above;
    if (s.below && s.above) break;
  }
  return s;
}

double area_of(const std::vector<Vec3>& polygon) {
  Vec3 sum;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * norm(sum);
}

double distance_of(const Notch& a, const Notch& b) {
  return norm((a.tail + a.head) - (b.tail + b.head)) * 0.5;
}

class Cutting {
 public:
  Cutting(PlaneTable& planes, const std::function<bool()>& go_on)
      : planes_(planes), go_on_(go_on) {}

  // The parts of a group; none when a part stays that no cut makes convex.
  std::optional<std::vector<Group>> parts_of(Group group, bool follow) {
    std::vector<Group> open = components(std::move(group)), done;
    while (!open.empty()) {
      if (open.size() + done.size() > kMostParts || !go_on_()) return std::nullopt;
      Group next = std::move(open.back());
      open.pop_back();
      if (is_convex(next)) {
        done.push_back(std::move(next));
        continue;
      }
      const std::optional<Section> section = choose(next, follow);
      if (!section) return std::nullopt;
      for (Group& part : components(cut_along(next, *section))) open.push_back(std::move(part));
    }
    return done;
  }

  bool is_convex(const Group& group) const {
    std::vector<Vec3> points;
    double volume = 0.0;
    for (const Cell& cell : group.body.cells) {
      volume += cell.volume;
      for (const Cell::Face& face : cell.faces)
        points.insert(points.end(), face.polygon.begin(), face.polygon.end());
    }
    const ConvexHull hull = convex_hull(points);
    double surface = 0.0;
    for (const ConvexHull::Face& face : hull.faces) {
      std::vector<Vec3> polygon;
      for (const std::uint32_t v : hull.corners(face)) polygon.push_back(hull.vertices[v]);
      surface += area_of(polygon);
    }
    return mass_properties(hull).volume - volume <= 2.0 * planes_.tolerance() * surface;
  }

 private:
  std::optional<Section> choose(const Group& group, bool follow) {
    std::vector<Cut> cuts;
    for (const std::size_t plane : planes_of(group)) {
      for (Section& section : sections_of(group, plane)) {
        const std::size_t left = left_after(group, section);
        cuts.push_back({std::move(section), left});
      }
    }
    if (cuts.empty()) return std::nullopt;
    std::stable_sort(cuts.begin(), cuts.end(),
                     [](const Cut& a, const Cut& b) { return a.left < b.left; });
    // Areas decide among those alone that can come first.
    const std::size_t worst = cuts[std::min(cuts.size(), kFollowed) - 1].left;
    std::erase_if(cuts, [&](const Cut& cut) { return cut.left > worst; });
    for (Cut& cut : cuts) cut.section.area = area_of_section(group, cut.section);
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
      return a.left != b.left ? a.left < b.left : a.section.area < b.section.area;
    });
    settle_ties(cuts);
    if (!follow || group.notches.size() > kFewNotches) return cuts[0].section;
    std::size_t best = 0, fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < std::min(kFollowed, cuts.size()); ++i) {
      const auto parts = parts_of(cut_along(group, cuts[i].section), false);
      if (!parts || parts->size() >= fewest) continue;
      fewest = parts->size();
      best = i;
    }
    return cuts[best].section;
  }

  // Among cuts that are equal up to rounding the numbers of their planes decide.
  static void settle_ties(std::vector<Cut>& cuts) {
    for (std::size_t begin = 0; begin < cuts.size();) {
      std::size_t end = begin + 1;
      while (end < cuts.size() && cuts[end].left == cuts[begin].left &&
             cuts[end].section.area <= cuts[begin].section.area * (1.0 + kEqual))
        ++end;
      std::stable_sort(cuts.begin() + static_cast<std::ptrdiff_t>(begin),
                       cuts.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Cut& a, const Cut& b) { return less_by_place(a, b); });
      begin = end;
    }
  }
  static bool less_by_place(const Cut& a, const Cut& b) {
    if (a.section.plane != b.section.plane) return a.section.plane < b.section.plane;
    if (a.section.cells != b.section.cells) return a.section.cells < b.section.cells;
    return a.section.contacts < b.section.contacts;
  }

  std::vector<std::size_t> planes_of(const Group& group) {
    std::vector<std::size_t> all;
    for (const Notch& notch : group.notches)
      all.insert(all.end(), notch.planes.begin(), notch.planes.end());
    for (const Notch& notch : group.notches) add_shared(group, notch, all);
    if (group.notches.empty()) {
      for (const Cell& cell : group.body.cells) {
        for (const Cell::Face& face : cell.faces) all.push_back(face.plane);
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  // Planes through this notch and one of those nearest to it.
  void add_shared(const Group& group, const Notch& notch, std::vector<std::size_t>& all) {
    struct Near {
      double distance;
      const Notch* other;
    };
    std::vector<Near> near;
    for (const Notch& other : group.notches) {
      if (&other != &notch) near.push_back({distance_of(notch, other), &other});
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const Near& a, const Near& b) { return a.distance < b.distance; });
    // All that are as near as the last one that counts.
    while (near.size() > kPartners &&
           near.back().distance > near[kPartners - 1].distance * (1.0 + kEqual))
      near.pop_back();
    const Vec3 along = normalized(notch.head - notch.tail);
    for (const Near& n : near) {
      const Vec3 across = normalized(n.other->head - n.other->tail);
      Vec3 normal = cross(along, across);
      if (norm(normal) < kParallel) normal = cross(along, n.other->tail - notch.tail);
      const double length = norm(normal);
      if (length <= kParallel * norm(n.other->tail - notch.tail)) continue;
      const std::vector<Vec3> points{notch.tail, notch.head, n.other->tail, n.other->head};
      normal = normal / length;
      const double offset = dot(normal, notch.tail);
      const bool flat = std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
        return std::fabs(dot(normal, p) - offset) <= planes_.tolerance();
      });
      if (flat) all.push_back(planes_.plane_through(points, normal));
    }
  }

  // The connected pieces of what a plane and a group have in common, those at a notch alone.
  std::vector<Section> sections_of(const Group& group, std::size_t plane) const {
    const auto& [cells, contacts] = group.body;
    // Elements are cells, then contacts in the plane.
    DisjointSets united(cells.size() + contacts.size());
    std::vector<bool> there(cells.size() + contacts.size());
    std::vector<std::vector<std::size_t>> flat(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Sides s = sides_of(cells[i], plane, planes_);
      there[i] = s.below && s.above;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Sides s = sides_of(contacts[i].polygon, plane, planes_);
      if (s.below || s.above) continue;
      there[cells.size() + i] = true;
      flat[contacts[i].a].push_back(cells.size() + i);
      flat[contacts[i].b].push_back(cells.size() + i);
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (there[cells.size() + i] || !meets_along_a_line(contacts[i].polygon, plane)) continue;
      std::vector<std::size_t> linked;
      for (const std::size_t cell : {contacts[i].a, contacts[i].b}) {
        if (there[cell]) linked.push_back(cell);
        linked.insert(linked.end(), flat[cell].begin(), flat[cell].end());
      }
      for (std::size_t k = 1; k < linked.size(); ++k) united.join(linked[0], linked[k]);
    }
    std::vector<Section> sections;
    std::vector<std::size_t> number(there.size());
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!there[i]) continue;
      const std::size_t root = united.least_of(i);
      if (root == i) {
        number[i] = sections.size();
        sections.push_back({plane, {}, {}, 0.0});
      }
      Section& section = sections[number[root]];
      const bool cell = i < cells.size();
      (cell ? section.cells : section.contacts).push_back(cell ? i : i - cells.size());
    }
    std::erase_if(sections, [&](const Section& section) { return !at_a_notch(group, section); });
    return sections;
  }

  bool meets_along_a_line(const std::vector<Vec3>& polygon, std::size_t plane) const {
    const Sides s = sides_of(polygon, plane, planes_);
    if (s.below && s.above) return true;
    const auto in_plane = std::count_if(polygon.begin(), polygon.end(), [&](const Vec3& p) {
      return planes_.height(plane, p) == 0.0;
    });
    return in_plane > 1;
  }

  bool touches_section(const Group& group, const Section& section, const Vec3& p) const {
    return std::any_of(section.cells.begin(), section.cells.end(),
                       [&](std::size_t i) { return touches(group.body.cells[i], p, planes_); }) ||
           std::any_of(section.contacts.begin(), section.contacts.end(), [&](std::size_t i) {
             const CellContact& contact = group.body.contacts[i];
             return touches(group.body.cells[contact.a], p, planes_) &&
                    touches(group.body.cells[contact.b], p, planes_);
           });
  }

  bool at_a_notch(const Group& group, const Section& section) const {
    return group.notches.empty() ||
           std::any_of(group.notches.begin(), group.notches.end(), [&](const Notch& notch) {
             return planes_.height(section.plane, notch.tail) == 0.0 &&
                    planes_.height(section.plane, notch.head) == 0.0 &&
                    touches_section(group, section, (notch.tail + notch.head) * 0.5);
           });
  }

  double area_of_section(const Group& group, const Section& section) const {
    double area = 0.0;
    for (const std::size_t i : section.contacts) area += area_of(group.body.contacts[i].polygon);
    for (const std::size_t i : section.cells) {
      Cell low, high;
      split_cell(group.body.cells[i], section.plane, planes_, low, high);
      for (const Cell::Face& face : low.faces) {
        if (face.plane == section.plane) area += area_of(face.polygon);
      }
    }
    return area;
  }

  // Pieces of a notch after a cut; nothing of one in the plane.
  std::vector<Notch> pieces_of(const Group& group, const Notch& notch,
                               const Section& section) const {
    const double t = planes_.height(section.plane, notch.tail);
    const double h = planes_.height(section.plane, notch.head);
    if (t == 0.0 && h == 0.0) {
      // A section may end within a notch: what it leaves is another notch's matter.
      if (touches_section(group, section, (notch.tail + notch.head) * 0.5)) return {};
      return {notch};
    }
    if ((t <= 0.0 && h <= 0.0) || (t >= 0.0 && h >= 0.0)) return {notch};
    const Vec3 cut = notch.tail + (notch.head - notch.tail) * (t / (t - h));
    if (!touches_section(group, section, cut)) return {notch};
    std::vector<Notch> pieces;
    for (const bool first : {true, false}) {
      Notch piece = notch;
      (first ? piece.head : piece.tail) = cut;
      if (norm(piece.head - piece.tail) > kShort * planes_.tolerance()) pieces.push_back(piece);
    }
    return pieces;
  }

  // Parts that would come, and notches left.
  std::size_t left_after(const Group& group, const Section& section) const {
    const auto& cells = group.body.cells;
    std::vector<bool> cut(cells.size()), open(group.body.contacts.size());
    for (const std::size_t i : section.cells) cut[i] = true;
    for (const std::size_t i : section.contacts) open[i] = true;
    // Two places for each cell, one for what is below; one alone where it is not cut.
    DisjointSets united(2 * cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cut[i]) united.join(2 * i, 2 * i + 1);
    }
    for (std::size_t i = 0; i < group.body.contacts.size(); ++i) {
      const CellContact& contact = group.body.contacts[i];
      if (open[i]) continue;
      if (!cut[contact.a] && !cut[contact.b]) {
        united.join(2 * contact.a, 2 * contact.b);
        continue;
      }
      const Sides s = sides_of(contact.polygon, section.plane, planes_);
      if (s.below) united.join(2 * contact.a, 2 * contact.b);
      if (s.above) united.join(2 * contact.a + 1, 2 * contact.b + 1);
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < 2 * cells.size(); ++i) left += united.least_of(i) == i ? 1 : 0;
    for (const Notch& notch : group.notches) left += pieces_of(group, notch, section).size();
    return left;
  }

  Group cut_along(const Group& group, const Section& section) const {
    Group out;
    const auto& cells = group.body.cells;
    std::vector<bool> cut(cells.size()), open(group.body.contacts.size());
    for (const std::size_t i : section.cells) cut[i] = true;
    for (const std::size_t i : section.contacts) open[i] = true;
    std::vector<std::uint32_t> below(cells.size()), above(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      below[i] = above[i] = static_cast<std::uint32_t>(out.body.cells.size());
      if (!cut[i]) {
        out.body.cells.push_back(cells[i]);
        continue;
      }
      Cell low, high;
      split_cell(cells[i], section.plane, planes_, low, high);
      out.body.cells.push_back(std::move(low));
      above[i] = static_cast<std::uint32_t>(out.body.cells.size());
      out.body.cells.push_back(std::move(high));
    }
    for (std::size_t i = 0; i < group.body.contacts.size(); ++i) {
      const CellContact& contact = group.body.contacts[i];
      if (open[i]) continue;
      if (!cut[contact.a] && !cut[contact.b]) {
        out.body.contacts.push_back({below[contact.a], below[contact.b], contact.polygon});
        continue;
      }
      const Sides s = sides_of(contact.polygon, section.plane, planes_);
      if (s.below)
        out.body.contacts.push_back({below[contact.a], below[contact.b],
                                     clip_polygon(contact.polygon, section.plane, planes_, -1)});
      if (s.above)
        out.body.contacts.push_back({above[contact.a], above[contact.b],
                                     clip_polygon(contact.polygon, section.plane, planes_, 1)});
    }
    for (const Notch& notch : group.notches) {
      for (Notch& piece : pieces_of(group, notch, section)) out.notches.push_back(std::move(piece));
    }
    return out;
  }

  // The pieces that hang together by faces, in the order of their first cells.
  std::vector<Group> components(Group group) const {
    const std::size_t count = group.body.cells.size();
    DisjointSets united(count);
    for (const CellContact& contact : group.body.contacts) united.join(contact.a, contact.b);
    std::vector<Group> parts;
    std::vector<std::uint32_t> part(count), number(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t root = united.least_of(i);
      if (root == i) {
        part[i] = static_cast<std::uint32_t>(parts.size());
        parts.emplace_back();
      }
      part[i] = part[root];
      auto& into = parts[part[i]].body.cells;
      number[i] = static_cast<std::uint32_t>(into.size());
      into.push_back(std::move(group.body.cells[i]));
    }
    for (CellContact& contact : group.body.contacts) {
      parts[part[contact.a]].body.contacts.push_back(
          {number[contact.a], number[contact.b], std::move(contact.polygon)});
    }
    // A notch is one of those parts alone of which two cells meet there at least.
    for (const Notch& notch : group.notches) {
      const Vec3 middle = (notch.tail + notch.head) * 0.5;
      for (Group& p : parts) {
        const auto cells =
            std::count_if(p.body.cells.begin(), p.body.cells.end(),
                          [&](const Cell& c) { return touches(c, middle, planes_); });
        if (cells > 1) p.notches.push_back(notch);
      }
    }
    return parts;
  }

  PlaneTable& planes_;
  const std::function<bool()>& go_on_;
};

// Corners of a convex group: points where planes that bound it meet in a point, moved to the mesh's
// vertices where they are those.
std::vector<Vec3> corners_of(const Group& group, const PlaneTable& planes,
                             const TriangleMesh& mesh) {
  const double tolerance = planes.tolerance();
  std::vector<Vec3> points;
  std::vector<std::size_t> bounding;
  for (const Cell& cell : group.body.cells) {
    for (const Cell::Face& face : cell.faces) {
      if (face.plane != Cell::kNoPlane) bounding.push_back(face.plane);
      for (const Vec3& p : face.polygon) {
        const bool known = std::any_of(points.begin(), points.end(), [&](const Vec3& q) {
          return norm(p - q) <= 2.0 * tolerance;
        });
        if (!known) points.push_back(p);
      }
    }
  }
  std::sort(bounding.begin(), bounding.end());
  bounding.erase(std::unique(bounding.begin(), bounding.end()), bounding.end());
  std::erase_if(bounding, [&](std::size_t plane) {
    const Sides s = sides_of(points, plane, planes);
    return s.below && s.above;
  });
  const auto is_corner = [&](const Vec3& p) {
    std::vector<Vec3> normals;
    for (const std::size_t plane : bounding) {
      if (std::fabs(dot(planes[plane].normal, p) - planes[plane].offset) > 2.0 * tolerance)
        continue;
      for (std::size_t i = 0; i < normals.size(); ++i) {
        for (std::size_t j = i + 1; j < normals.size(); ++j) {
          if (std::fabs(dot(planes[plane].normal, cross(normals[i], normals[j]))) > kParallel)
            return true;
        }
      }
      normals.push_back(planes[plane].normal);
    }
    return false;
  };
  std::vector<Vec3> corners;
  for (const Vec3& p : points) {
    if (!is_corner(p)) continue;
    const auto vertex = std::min_element(
        mesh.vertices.begin(), mesh.vertices.end(),
        [&](const Vec3& a, const Vec3& b) { return squared_norm(a - p) < squared_norm(b - p); });
    corners.push_back(norm(*vertex - p) <= kSnap * tolerance ? *vertex : p);
  }
  return corners;
}

// Joins two groups whose union is convex, again and again.
void join_convex(std::vector<Group>& groups, const Cutting& cutting, double tolerance) {
  struct Box {
    Vec3 low, high;
  };
  const auto box_of = [](const Group& group) {
    Box box{group.body.cells[0].middle, group.body.cells[0].middle};
    for (const Cell& cell : group.body.cells) {
      for (const Cell::Face& face : cell.faces) {
        for (const Vec3& p : face.polygon) {
          box.low = component_min(box.low, p);
          box.high = component_max(box.high, p);
        }
      }
    }
    return box;
  };
  std::vector<Box> boxes;
  boxes.reserve(groups.size());
  for (const Group& group : groups) boxes.push_back(box_of(group));
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (std::size_t b = 0; b < groups.size(); ++b) {
      if (a == b) continue;
      bool apart = false;
      for (int k = 0; k < 3 && !apart; ++k) {
        apart = boxes[a].low[k] > boxes[b].high[k] + tolerance ||
                boxes[b].low[k] > boxes[a].high[k] + tolerance;
      }
      if (apart) continue;
      Group both;
      for (const std::size_t g : {a, b}) {
        both.body.cells.insert(both.body.cells.end(), groups[g].body.cells.begin(),
                               groups[g].body.cells.end());
      }
      if (!cutting.is_convex(both)) continue;
      const std::size_t keep = std::min(a, b), drop = std::max(a, b);
      groups[keep] = std::move(both);
      boxes[keep] = box_of(groups[keep]);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(drop));
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(drop));
      a = keep;
      b = static_cast<std::size_t>(-1);
    }
  }
}

}  // namespace

std::optional<std::vector<ConvexHull>> exact_parts(PlainBody plain, const TriangleMesh& mesh,
                                                   const std::function<bool()>& go_on) {
  if (plain.notches.size() > kMostNotches) return std::nullopt;
  Cutting cutting(plain.planes, go_on);
  std::optional<std::vector<Group>> groups =
      cutting.parts_of({std::move(plain.body), std::move(plain.notches)}, true);
  if (!groups) return std::nullopt;
  std::reverse(groups->begin(), groups->end());
  join_convex(*groups, cutting, plain.planes.tolerance());
  std::vector<ConvexHull> parts;
  for (const Group& group : *groups) {
    ConvexHull hull = convex_hull(corners_of(group, plain.planes, mesh));
    if (hull.dimension < 3) return std::nullopt;
    parts.push_back(std::move(hull));
  }
  return parts;
}

}  // namespace tactus::detail::fit
