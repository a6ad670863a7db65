#include "tactus/check/apart.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/check/containment.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// Block that a step of a proof acts on: a range of pieces of both parts, an interval of time.
struct Block {
  Range a, b;
  double t0 = 0.0, t1 = 0.0;
};

// Cuts a block at a step: the second half stays, the first is returned. False when the step cuts
// nothing off.
bool cut(const Certificate::Step& step, Block& block, Block& first) {
  using Kind = Certificate::Step::Kind;
  first = block;
  if (step.kind == Kind::split_time) {
    if (!(step.time > block.t0 && step.time < block.t1)) return false;
    first.t1 = block.t0 = step.time;
    return true;
  }
  Range& whole = step.kind == Kind::split_a ? block.a : block.b;
  Range& part = step.kind == Kind::split_a ? first.a : first.b;
  if (step.count == 0 || step.count >= whole.size()) return false;
  part.last = whole.first = whole.first + step.count;
  return true;
}

}  // namespace

double proved_separation(const Pair& pair, const Part& a, const Part& b,
                         const Certificate::Apart& apart, double time, double roundings) {
  if (!is_finite(apart.shift)) return -kInfinity;
  Pair shifted = pair;
  shifted.b = detail::unchecked_pose(pair.b.position() + apart.shift, pair.b.rotation());
  std::vector<Block> open = {{{0, a.pieces()}, {0, b.pieces()}, 0.0, time}};
  double least = kInfinity;
  for (const Certificate::Step& step : apart.steps) {
    if (open.empty()) return -kInfinity;
    Block block = open.back();
    open.pop_back();
    if (step.kind == Certificate::Step::Kind::apart) {
      if (!is_finite(step.direction)) return -kInfinity;
      const bool last = block.t1 == time;
      const double apart_by = gap(shifted, a, block.a, b, block.b, step.direction, block.t0,
                                  block.t1, last ? roundings : std::max(roundings, kEvaluation));
      // Where directions change, nothing may pass between them.
      if (!last && !(apart_by > 0.0)) return -kInfinity;
      least = std::min(least, apart_by);
      continue;
    }
    Block first;
    if (!cut(step, block, first)) return -kInfinity;
    open.push_back(block);
    open.push_back(first);
  }
  if (!open.empty() || std::isnan(least)) return -kInfinity;
  const double moved_by = norm(apart.shift);
  const bool whole = std::none_of(apart.steps.begin(), apart.steps.end(), [](const auto& step) {
    return step.kind == Certificate::Step::Kind::split_a ||
           step.kind == Certificate::Step::Kind::split_b;
  });
  // Convex hulls that are apart along one direction hold nothing of each other.
  if (whole) return least - moved_by;
  const double slack = time > 0.0 ? -kInfinity : kEvaluation * kUnit * lengths(shifted, a, b);
  if (!(least > slack) || !none_inside(shifted, a, b)) return -kInfinity;
  return least - moved_by;
}

}  // namespace tactus::detail
