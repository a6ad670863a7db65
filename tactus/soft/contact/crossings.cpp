#include "tactus/soft/contact/crossings.hpp"

#include "tactus/math/expansion.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail {
namespace {

/// normal . p <= offset, exactly.
bool is_inside(const Floor& f, const Vec3& p) {
  const Expansion<2> x(two_product(f.normal.x, p.x)), y(two_product(f.normal.y, p.y)),
      z(two_product(f.normal.z, p.z));
  Expansion<1> offset;
  offset.append(f.offset);
  return (((x + y) + z) - offset).sign() <= 0;
}

}  // namespace

std::vector<RawCrossing> find_crossings(const SurfaceSet& set, std::span<const Vec3> x) {
  std::vector<RawCrossing> out;
  std::vector<SweptBox> boxes;
  boxes.reserve(set.faces.size());
  for (const auto& f : set.faces) {
    SweptBox b{x[f[0]], x[f[0]]};
    b.add(x[f[1]]);
    b.add(x[f[2]]);
    boxes.push_back(b);
  }
  const BoxTree tree(boxes);
  for (const auto& e : set.edges) {
    SweptBox box{x[e[0]], x[e[0]]};
    box.add(x[e[1]]);
    const bool led = set.is_obstacle(e[0]);
    tree.find(box, [&](std::uint32_t k) {
      const auto& f = set.faces[k];
      if (led && set.is_obstacle(f[0])) return;
      for (const std::uint32_t c : f) {
        if (c == e[0] || c == e[1]) return;
      }
      const Triangle segment{{x[e[0]], x[e[1]], x[e[1]]}};
      const Triangle face{{x[f[0]], x[f[1]], x[f[2]]}};
      if (triangles_meet(segment, face)) out.push_back({e, f, false});
    });
  }
  for (const std::uint32_t v : set.kept_out) {
    for (std::uint32_t k = 0; k < set.floors.size(); ++k) {
      if (is_inside(set.floors[k], x[v])) out.push_back({{v, v}, {k, k, k}, true});
    }
  }
  return out;
}

}  // namespace tactus::detail
