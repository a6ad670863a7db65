#include <algorithm>
#include <limits>

#include "fuzz/lies.hpp"
#include "fuzz/random_values.hpp"

namespace tactus::detail::fuzz {
namespace {

double damaged(double x, Random& random) {
  switch (random.below(6)) {
    case 0:
      return 0.0;
    case 1:
      return -x;
    case 2:
      return random.uniform(-2.0, 2.0);
    case 3:
      return chance(random, 4) ? std::numeric_limits<double>::quiet_NaN()
                               : std::numeric_limits<double>::infinity();
    default:
      return x * (1.0 + random.uniform(-1.0, 1.0) * power_of_ten(random, -16.0, 0.0));
  }
}
Vec3 damaged(const Vec3& v, Random& random) {
  switch (random.below(4)) {
    case 0:
      return {damaged(v.x, random), v.y, v.z};
    case 1:
      return -v;
    case 2:
      return direction(random);
    default:
      return v * damaged(1.0, random);
  }
}
std::int32_t damaged_index(std::int32_t i, Random& random) {
  constexpr std::int32_t kAny[] = {-1, 0, 1, 7, std::numeric_limits<std::int32_t>::max()};
  const bool next = chance(random, 3) && i < std::numeric_limits<std::int32_t>::max();
  return next ? i + 1 : kAny[random.below(5)];
}

template <class T>
T* any_of(std::vector<T>& list, Random& random) {
  return list.empty() ? nullptr : &list[random.below(static_cast<std::uint32_t>(list.size()))];
}
template <class T>
void truncate(std::vector<T>& list, Random& random) {
  if (!list.empty()) list.resize(random.below(static_cast<std::uint32_t>(list.size())));
}

void damage_depth(Certificate& c, Random& random) {
  constexpr CertificateKind kKinds[] = {CertificateKind::none,   CertificateKind::separation,
                                        CertificateKind::axes,   CertificateKind::faces,
                                        CertificateKind::ball,   CertificateKind::inside,
                                        CertificateKind::covered};
  switch (random.below(10)) {
    case 0:
      c.kind = kKinds[random.below(6)];
      break;
    case 1:
      c.part_a = damaged_index(c.part_a, random);
      break;
    case 2:
      c.triangle_b = damaged_index(c.triangle_b, random);
      break;
    case 3:
      c.direction = damaged(c.direction, random);
      break;
    case 4:
      c.shrink_a = damaged(c.shrink_a, random);
      break;
    case 5:
      c.core_point_b = damaged(c.core_point_b, random);
      break;
    case 6:
      if (auto* support = any_of(c.supports, random))
        support->point_a = damaged(support->point_a, random);
      truncate(c.supports, random);
      break;
    case 7:
      if (auto* face = any_of(c.faces, random)) (*face)[random.below(3)] = random.below(12);
      if (chance(random, 2)) truncate(c.faces, random);
      break;
    case 8:
      c.inside_point = damaged(c.inside_point, random);
      break;
    default:
      c.inside_radius = damaged(c.inside_radius, random);
      c.inside_of_a = chance(random, 2);
  }
}

void damage_separation(Certificate& c, Random& random) {
  Certificate::Apart* apart = any_of(c.apart, random);
  if (apart == nullptr) {
    c.direction = damaged(c.direction, random);
    return;
  }
  constexpr Certificate::Step::Kind kKinds[] = {
      Certificate::Step::Kind::apart, Certificate::Step::Kind::split_a,
      Certificate::Step::Kind::split_b, Certificate::Step::Kind::split_time};
  Certificate::Step* step = any_of(apart->steps, random);
  switch (random.below(7)) {
    case 0:
      truncate(c.apart, random);
      break;
    case 1:
      truncate(apart->steps, random);
      break;
    case 2:
      apart->part_b = damaged_index(apart->part_b, random);
      break;
    case 3:
      apart->shift = damaged(apart->shift, random);
      break;
    case 4:
      if (auto* order = any_of(chance(random, 2) ? c.order_a : c.order_b, random)) {
        if (chance(random, 2)) truncate(order->triangles, random);
        if (auto* t = any_of(order->triangles, random)) *t = random.below(20);
      }
      break;
    default:
      if (step == nullptr) break;
      if (chance(random, 3)) step->kind = kKinds[random.below(4)];
      if (chance(random, 3)) step->count = random.below(1000);
      if (chance(random, 3)) step->time = damaged(step->time, random);
      if (chance(random, 2)) step->direction = damaged(step->direction, random);
  }
}

}  // namespace

void damage(Certificate& certificate, Random& random) {
  do {
    if (chance(random, 2)) {
      damage_depth(certificate, random);
    } else {
      damage_separation(certificate, random);
    }
    if (chance(random, 8)) {
      certificate.touches = chance(random, 2);
      certificate.touch_a = damaged(certificate.touch_a, random);
    }
  } while (chance(random, 2));
}

void exaggerate(Certificate& c, double more) {
  c.inside_radius += more;
  c.shrink_a += 0.5 * more;
  c.shrink_b += 0.5 * more;
  for (Certificate::Support& s : c.supports) {
    const Vec3 out = normalized(s.point_a - s.point_b, {}) * (0.5 * more);
    s.point_a += out;
    s.point_b -= out;
  }
}

}  // namespace tactus::detail::fuzz
