#include "tactus/narrow/cso.hpp"

namespace tactus {

void Cso::support(const Vec3& n, SupportPoint& s) const {
  s.direction = n;
  tactus::support(a, n, s.a, s.piece_a);
  Vec3 local;
  tactus::support(b, -transpose_times(rotation, n), local, s.piece_b);
  s.b = rotation * local + translation;
  s.w = s.a - s.b;
}

bool Cso::piece_support(Core::Piece piece_a, Core::Piece piece_b, const Vec3& n,
                        SupportPoint& s) const {
  const auto exists = [](const Core& core, Core::Piece piece) {
    return core.kind != CoreKind::polytope || piece < core.hull->vertices.size();
  };
  if (!exists(a, piece_a) || !exists(b, piece_b)) return false;
  s.piece_a = piece_a;
  s.piece_b = piece_b;
  s.direction = n;
  s.a = tactus::piece_support(a, piece_a, n);
  s.b = rotation * tactus::piece_support(b, piece_b, -transpose_times(rotation, n)) + translation;
  s.w = s.a - s.b;
  return true;
}

}  // namespace tactus
