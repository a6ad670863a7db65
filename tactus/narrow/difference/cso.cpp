#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

void Cso::support(const Vec3& n, SupportPoint& s) const {
  s.direction = n;
  const Vec3 m = -transpose_times(rotation, n);
  DirectionMap::Found of_a, of_b;
  if (farthest_of_both(a, n, b, m, of_a, of_b)) {
    s.a = *of_a.point;
    s.piece_a = of_a.vertex;
    s.b = rotation * *of_b.point + translation;
    s.piece_b = of_b.vertex;
    s.w = s.a - s.b;
    return;
  }
  detail::support(a, n, s.a, s.piece_a);
  Vec3 local;
  detail::support(b, m, local, s.piece_b);
  s.b = rotation * local + translation;
  s.w = s.a - s.b;
}

bool Cso::piece_support(Core::Piece piece_a, Core::Piece piece_b, const Vec3& n,
                        SupportPoint& s) const {
  const auto place = [](const Core& core, Core::Piece piece, const Vec3& direction, Vec3& point) {
    if (core.kind == CoreKind::polytope) {
      if (piece >= core.hull->vertices.size()) return false;
      point = core.hull->vertices[piece];
    } else {
      point = detail::piece_support(core, piece, direction);
    }
    return true;
  };
  Vec3 local;
  if (!place(a, piece_a, n, s.a) ||
      !place(b, piece_b, b.is_polytope() ? n : -transpose_times(rotation, n), local)) {
    return false;
  }
  s.piece_a = piece_a;
  s.piece_b = piece_b;
  s.direction = n;
  s.b = rotation * local + translation;
  s.w = s.a - s.b;
  return true;
}

}  // namespace tactus::detail
