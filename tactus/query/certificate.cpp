#include <utility>

#include "tactus/query.hpp"

namespace tactus {
using namespace detail;

std::string_view to_string(CertificateKind kind) {
  constexpr std::string_view kNames[] = {"none", "separation", "axes",   "faces",
                                         "ball", "inside",     "covered"};
  return detail::name_in(kNames, kind);
}

void Certificate::clear() {
  kind = CertificateKind::none;
  part_a = part_b = triangle_a = triangle_b = -1;
  direction = core_point_a = core_point_b = inside_point = touch_a = touch_b = {};
  shrink_a = shrink_b = inside_radius = 0.0;
  inside_of_a = touches = false;
  supports.clear();
  faces.clear();
  covers.clear();
  apart.clear();
  order_a.clear();
  order_b.clear();
}

void swap_roles(Certificate::Cover& cover) {
  std::swap(cover.part_a, cover.part_b);
  std::swap(cover.triangle_a, cover.triangle_b);
  for (Certificate::Support& s : cover.supports) {
    if (cover.held) {
      s.point_a = -s.point_a;
    } else {
      std::swap(s.point_a, s.point_b);
    }
  }
  for (auto& face : cover.faces) std::swap(face[1], face[2]);
  cover.held_in_a = !cover.held_in_a;
  cover.shift = -cover.shift;
}

void swap_roles(Certificate& c) {
  using Kind = Certificate::Step::Kind;
  std::swap(c.part_a, c.part_b);
  std::swap(c.triangle_a, c.triangle_b);
  c.direction = -c.direction;
  std::swap(c.shrink_a, c.shrink_b);
  std::swap(c.core_point_a, c.core_point_b);
  for (Certificate::Support& s : c.supports) std::swap(s.point_a, s.point_b);
  // The difference of the points has turned round, and with it the surface.
  for (auto& face : c.faces) std::swap(face[1], face[2]);
  c.inside_of_a = !c.inside_of_a;
  for (Certificate::Cover& cover : c.covers) swap_roles(cover);
  for (Certificate::Apart& apart : c.apart) {
    std::swap(apart.part_a, apart.part_b);
    apart.shift = -apart.shift;
    for (Certificate::Step& step : apart.steps) {
      step.direction = -step.direction;
      if (step.kind == Kind::split_a) {
        step.kind = Kind::split_b;
      } else if (step.kind == Kind::split_b) {
        step.kind = Kind::split_a;
      }
    }
  }
  std::swap(c.order_a, c.order_b);
  std::swap(c.touch_a, c.touch_b);
}

}  // namespace tactus
