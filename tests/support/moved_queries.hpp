#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"

// One query with a known answer, posed in other ways that leave the answer as it is.
namespace tactus::detail::test {

struct MovedQuery {
  std::string name;
  io::Query query;
  double rounding = 0.0;  ///< what the poses' own rounding may have changed of the signed distance
};

inline io::Query swapped(io::Query query) {
  std::swap(query.a, query.b);
  std::swap(query.pose_a, query.pose_b);
  return query;
}

/// Both bodies after the same motion. Each entry of a composed rotation errs by some 8 units of
/// 2^-53, a composed position by as many times what it is the sum of.
inline MovedQuery moved(const io::Query& query, const Pose& motion, std::string name) {
  constexpr double kRoundings = 32.0 * 0x1p-53;
  const double reach = max_abs(query.pose_a.position()) + max_abs(query.pose_b.position()) +
                       io::pair_size(query.a, query.b) + max_abs(motion.position());
  MovedQuery out{std::move(name), query, kRoundings * reach};
  out.query.pose_a = motion * query.pose_a;
  out.query.pose_b = motion * query.pose_b;
  return out;
}

/// As it is, swapped, after random rigid motions, and 1e6 away; each also swapped.
inline std::vector<MovedQuery> all_ways(const io::Query& query, std::uint64_t seed) {
  constexpr int kMotions = 3;
  constexpr double kFar = 1e6;
  std::vector<MovedQuery> ways{{"as it is", query, 0.0}};
  Random random(seed);
  const auto coordinate = [&random] { return random.uniform(-1.0, 1.0); };
  for (int i = 0; i < kMotions; ++i) {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    const Quat q = normalized({x, y, z, coordinate()});
    const double size = io::pair_size(query.a, query.b);
    const double s = coordinate(), t = coordinate(), u = coordinate();
    ways.push_back(moved(query, Pose(Vec3{s, t, u} * size, q), "moved " + std::to_string(i)));
  }
  ways.push_back(moved(query, Pose::translation({kFar, -kFar, kFar}), "far away"));
  const std::size_t count = ways.size();
  for (std::size_t i = 0; i < count; ++i) {
    ways.push_back({ways[i].name + ", swapped", swapped(ways[i].query), ways[i].rounding});
  }
  return ways;
}

/// The truth of a moved query: that of the original, widened by what the motion rounded.
inline io::Truth widened(io::Truth truth, double rounding) {
  truth.lower -= rounding;
  truth.upper += rounding;
  return truth;
}

}  // namespace tactus::detail::test
