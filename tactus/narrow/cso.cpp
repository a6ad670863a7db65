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

}  // namespace tactus
