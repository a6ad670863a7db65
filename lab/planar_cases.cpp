#include "lab/planar_cases.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"

namespace tactus::detail::lab {
namespace {

GridPoint any_point(Random& random, int bits) {
  const std::int64_t x = in_grid(random, bits), y = in_grid(random, bits);
  return {x, y};
}

GridRing polygon(Random& random, int bits, std::uint32_t most) {
  for (;;) {
    GridRing ring;
    const std::uint32_t n = 3 + random.below(most - 2);
    for (std::uint32_t i = 0; i < n; ++i) ring.push_back(any_point(random, bits));
    if (is_simple(ring)) return ring;
  }
}

GridRing comb(Random& random, int bits) {
  const auto unit = [&](std::int64_t v) { return v << (bits - kCoarse); };
  const std::int64_t teeth = 2 + random.below(3), height = 3 + random.below(6);
  const std::int64_t base = 1 + random.below(2);
  GridRing ring{{0, 0}, {unit(2 * teeth - 1), 0}};
  for (std::int64_t k = teeth - 1; k >= 0; --k) {
    // Tips of different heights where there is room for it.
    const std::int64_t lower = bits > kCoarse ? in_grid(random, bits - kCoarse) / 2 : 0;
    ring.push_back({unit(2 * k + 1), unit(height) - lower});
    ring.push_back({unit(2 * k), unit(height) - lower});
    if (k == 0) break;
    ring.push_back({unit(2 * k), unit(base)});
    ring.push_back({unit(2 * k - 1), unit(base)});
  }
  return ring;
}

GridRing star(Random& random, int bits, std::uint32_t n) {
  const double size = std::ldexp(0.5, bits);
  for (;;) {
    GridRing ring;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double radius = size * random.uniform(0.25, 1.0), angle = kTwoPi * i / n;
      ring.push_back({static_cast<std::int64_t>(std::floor(size + radius * std::cos(angle))),
                      static_cast<std::int64_t>(std::floor(size + radius * std::sin(angle)))});
    }
    if (is_simple(ring)) return ring;
  }
}

// A ring with a gap.
GridRing hook(Random& random, int bits) {
  const double size = std::ldexp(0.5, bits), gap = random.uniform(0.1, 0.4);
  for (;;) {
    GridRing ring, back;
    const double inner = random.uniform(0.5, 0.8);
    for (int k = 0; k <= 7; ++k) {
      const double angle = kTwoPi * (0.5 * gap + (1.0 - gap) * k / 7.0);
      for (const double radius : {size, size * inner}) {
        (radius == size ? ring : back)
            .push_back({static_cast<std::int64_t>(std::floor(size + radius * std::cos(angle))),
                        static_cast<std::int64_t>(std::floor(size + radius * std::sin(angle)))});
      }
    }
    ring.insert(ring.end(), back.rbegin(), back.rend());
    if (is_simple(ring)) return ring;
  }
}

bool accepted(const GridRings& rings) {
  try {
    Scale{0}(rings);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

GridRings any_region(Random& random, int bits) {
  GridRings out;
  switch (random.below(5)) {
    case 0:
      out = {comb(random, bits)};
      break;
    case 1:
      out = {bits > kCoarse ? star(random, bits, 6 + random.below(7)) : polygon(random, bits, 7)};
      break;
    case 2:
      out = {bits > kCoarse ? hook(random, bits) : comb(random, bits)};
      break;
    default:
      out = {polygon(random, bits, 7)};
  }
  if (random.below(3) != 0) return out;
  // A hole, where it fits; else a frame around all.
  for (int tries = 0; tries < 8; ++tries) {
    GridRings with = out;
    with.push_back(polygon(random, bits, 5));
    if (accepted(with)) return with;
  }
  const std::int64_t low = -1, high = (std::int64_t{9} << std::max(0, bits - kCoarse)) + 1;
  return {{{low, low}, {high, low}, {high, high}, {low, high}}, polygon(random, bits, 6)};
}

GridPoint any_corner(Random& random, const GridRings& rings) {
  const GridRing& ring = rings[random.below(static_cast<std::uint32_t>(rings.size()))];
  return ring[random.below(static_cast<std::uint32_t>(ring.size()))];
}

}  // namespace

std::int64_t in_grid(Random& random, int bits) {
  const double size = std::ldexp(1.0, bits);
  return static_cast<std::int64_t>(std::floor(random.uniform(0.0, size + 1.0)));
}

GridRing any_contour(Random& random, int bits) {
  const std::uint32_t n = random.below(12) == 0 ? 60 : 3 + random.below(9);
  GridRing ring{any_point(random, bits), any_point(random, bits)};
  while (ring.size() < n) {
    const GridPoint last = ring.back(), before = ring[ring.size() - 2];
    const GridPoint way = minus(last, before), tip{static_cast<std::int64_t>(random.below(3)),
                                                   static_cast<std::int64_t>(random.below(3))};
    const std::uint32_t choice = random.below(16);
    GridPoint next = any_point(random, bits);
    if (choice == 0) next = last;
    if (choice == 1) next = plus(last, way);
    if (choice == 2) next = plus(last, {way.x / 4, way.y / 4});
    if (choice == 3) next = plus(before, tip);
    const std::int64_t limit = std::int64_t{1} << (bits + 1);
    const bool in = next.x >= -limit && next.y >= -limit && next.x <= limit && next.y <= limit;
    ring.push_back(in ? next : any_point(random, bits));
  }
  return ring;
}

GridPoint any_centre(Random& random, const GridRing& ring, int bits) {
  const auto k = random.below(static_cast<std::uint32_t>(ring.size()));
  const GridPoint &p = ring[k], &q = ring[(k + 1) % ring.size()];
  const std::uint32_t choice = random.below(8);
  if (choice == 0) return p;
  // On the segment where its ends are even.
  const GridPoint middle{(p.x + q.x) / 2, (p.y + q.y) / 2};
  if (choice == 1) return middle;
  if (choice == 2) return plus(middle, {static_cast<std::int64_t>(random.below(3)) - 1, 1});
  const GridPoint any = any_point(random, bits);
  return choice == 3 ? GridPoint{any.x * 2 - p.x, any.y * 2 - p.y} : any;
}

GridRings moved(GridRings rings, const GridPoint& by) {
  for (GridRing& ring : rings) {
    for (GridPoint& p : ring) p = plus(p, by);
  }
  return rings;
}

long double size_of(const GridRings& rings) {
  long double size = 0.0L;
  for (const GridRing& ring : rings) {
    for (const GridPoint& p : ring) {
      size = std::max({size, std::fabs(static_cast<long double>(p.x)),
                       std::fabs(static_cast<long double>(p.y))});
    }
  }
  return size;
}

Pair any_pair(Random& random, int bits, bool spread) {
  Pair p;
  p.bits = bits;
  p.a = any_region(random, bits);
  p.b = any_region(random, bits);
  const std::uint32_t same = random.below(12);
  if (same == 0) p.b = p.a;
  if (same == 1 && p.a.size() > 1) p.b = {p.a[1]};  // the peg of the hole
  const std::uint32_t choice = random.below(6);
  if (choice == 0) return p;  // in place: a peg in its hole, edges shared
  if (choice <= 2) {
    const GridPoint on_a = any_corner(random, p.a), on_b = any_corner(random, p.b);
    p.shift = minus(on_a, on_b);
    return p;
  }
  const GridPoint u = any_point(random, bits), v = any_point(random, bits);
  p.shift = minus(u, v);
  if (spread) p.shift = plus(p.shift, p.shift);
  if (!spread) p.shift = {p.shift.x / 2, p.shift.y / 2};
  return p;
}

}  // namespace tactus::detail::lab
