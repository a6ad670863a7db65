#include "tactus/planar/depth/nearest_slides.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

constexpr std::size_t kLeaf = 16;
constexpr double kTurn = 4.0;  // a whole turn, as arcs measure it
// Numbers of directions err by some roundings of 4, and by as many for each level of the tree.
constexpr double kArcSlack = 1e-12;

double part_of_turn(double x) { return x < 0.0 ? x + kTurn : x; }

// A corner of the other region slides along an edge whose direction is between those of the edges
// at the corner, turned half around. Straight corners are left out: their neighbours serve.
bool corner_faces(const Ray& edge, const Ray& in, const Ray& out) {
  return turn(in, edge) >= 0 && turn(edge, out) >= 0;
}

bool comes_later(const Slide& x, const Slide& y) {
  if (x.distance != y.distance) return x.distance > y.distance;
  if (x.edge_of_a != y.edge_of_a) return y.edge_of_a;
  return x.edge != y.edge ? x.edge > y.edge : x.corner > y.corner;
}

}  // namespace

double distance_to(const Vec2& from, const Vec2& to, Vec2& nearest) {
  const Vec2 s = to - from;
  const double t = -dot(from, s) / dot(s, s);
  nearest = t <= 0.0 ? from : (t >= 1.0 ? to : from + s * t);
  if (t > 0.0 && t < 1.0) return std::fabs(cross(from, s)) / norm(s);
  return norm(nearest);
}

void NearestSlides::Arc::add(const Arc& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  // From the start of either on, whichever takes less.
  const double ahead = part_of_turn(other.from - from), back = part_of_turn(from - other.from);
  const double mine = std::max(width, ahead + other.width);
  const double its = std::max(other.width, back + width);
  if (its < mine) from = other.from;
  width = std::min(kTurn, std::min(mine, its));
}

bool NearestSlides::Arc::meets(const Arc& other) const {
  if (empty() || other.empty()) return false;
  const double ahead = part_of_turn(other.from - from), back = part_of_turn(from - other.from);
  return ahead <= width + kArcSlack || back <= other.width + kArcSlack ||
         ahead >= kTurn - kArcSlack || back >= kTurn - kArcSlack;
}

NearestSlides::Arc NearestSlides::direction(const Vec2& v) {
  const double sum = std::fabs(v.x) + std::fabs(v.y);
  if (!(sum > 0.0 && sum < kInfinity)) return {0.0, kTurn};
  if (v.y >= 0.0) return {v.x >= 0.0 ? v.y / sum : 1.0 - v.x / sum, 0.0};
  return {v.x < 0.0 ? 2.0 - v.y / sum : 3.0 + v.x / sum, 0.0};
}

// Arc of the directions of the edges at a convex corner, turned half around.
NearestSlides::Arc NearestSlides::arc_at(const Vec2& before, const Vec2& corner,
                                         const Vec2& after) {
  const Arc in = direction(before - corner), out = direction(corner - after);
  if (in.width > 0.0 || out.width > 0.0) return {0.0, kTurn};
  const double width = part_of_turn(out.from - in.from);
  // Less than half a turn: what seems to be nearly a whole one has been rounded to below none.
  return {in.from, width > 0.75 * kTurn ? 0.0 : width};
}

NearestSlides::Runs::Runs(const Boundary& of) : boundary(&of), convex(of.size()) {
  while (leaves * kLeaf < of.size()) leaves *= 2;
  run.resize(2 * leaves - 1);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const Vec2 &p = of.points[i], &before = of.points[of.previous[i]], &after = of.end(i);
    Run& leaf = run[leaves - 1 + i / kLeaf];
    leaf.edges.add(box_of(p, after));
    if (leaves > 1) leaf.edge_arc.add(direction(after - p));
    convex[i] = turn({p, before}, {after, p}) > 0;
    if (!convex[i]) continue;
    leaf.corners.add(p);
    if (leaves > 1) leaf.corner_arc.add(arc_at(before, p, after));
  }
  // Nothing is gained by the arc of a whole small region.
  if (leaves == 1) run[0].edge_arc = run[0].corner_arc = {0.0, kTurn};
  for (std::size_t k = leaves - 1; k-- > 0;) {
    for (const std::size_t child : {2 * k + 1, 2 * k + 2}) {
      run[k].edges.add(run[child].edges);
      run[k].corners.add(run[child].corners);
      run[k].edge_arc.add(run[child].edge_arc);
      run[k].corner_arc.add(run[child].corner_arc);
    }
  }
}

NearestSlides::NearestSlides(const Boundary& a, const Boundary& b, const Vec2& shift, double slack)
    : a_(a), b_(b), shift_(shift), slack_(slack) {
  slides_.reserve(64);
  add_pair(0, 0, true);
  add_pair(0, 0, false);
}

void NearestSlides::add_pair(std::size_t edges, std::size_t corners, bool edge_of_a) {
  ++work_;
  const Run& one = (edge_of_a ? a_ : b_).run[edges];
  const Run& other = (edge_of_a ? b_ : a_).run[corners];
  if (!one.edge_arc.meets(other.corner_arc)) return;
  const Box2 &box = edge_of_a ? one.edges : other.corners,
             &of_b = edge_of_a ? other.corners : one.edges;
  const Box2 moved{of_b.low + shift_, of_b.high + shift_};
  const double x = std::max(0.0, std::max(box.low.x - moved.high.x, moved.low.x - box.high.x));
  const double y = std::max(0.0, std::max(box.low.y - moved.high.y, moved.low.y - box.high.y));
  const double gap = std::sqrt(x * x + y * y);
  const double bound = (gap < kInfinity ? gap : std::max(x, y)) - slack_;
  pairs_.push_back(
      {bound, static_cast<std::uint32_t>(edges), static_cast<std::uint32_t>(corners), edge_of_a});
  std::push_heap(pairs_.begin(), pairs_.end(),
                 [](const Pair& p, const Pair& q) { return p.bound > q.bound; });
}

void NearestSlides::open_nearest() {
  std::pop_heap(pairs_.begin(), pairs_.end(),
                [](const Pair& p, const Pair& q) { return p.bound > q.bound; });
  const Pair pair = pairs_.back();
  pairs_.pop_back();
  const Runs &edges = pair.edge_of_a ? a_ : b_, &corners = pair.edge_of_a ? b_ : a_;
  const bool edges_end = edges.is_leaf(pair.edges), corners_end = corners.is_leaf(pair.corners);
  if (edges_end && corners_end) {
    add_slides(pair);
  } else if (!edges_end && (corners_end || edges.run[pair.edges].edges.girth() >=
                                               corners.run[pair.corners].corners.girth())) {
    for (const std::size_t child : {2 * pair.edges + 1, 2 * pair.edges + 2})
      add_pair(child, pair.corners, pair.edge_of_a);
  } else {
    for (const std::size_t child : {2 * pair.corners + 1, 2 * pair.corners + 2})
      add_pair(pair.edges, child, pair.edge_of_a);
  }
}

void NearestSlides::add_slides(const Pair& pair) {
  const Runs &edges = pair.edge_of_a ? a_ : b_, &corners = pair.edge_of_a ? b_ : a_;
  const std::size_t first_edge = (pair.edges - (edges.leaves - 1)) * kLeaf;
  const std::size_t first_corner = (pair.corners - (corners.leaves - 1)) * kLeaf;
  const Boundary &of = *edges.boundary, &other = *corners.boundary;
  for (std::size_t j = first_corner; j < std::min(first_corner + kLeaf, other.size()); ++j) {
    if (!corners.convex[j]) continue;
    work_ += kLeaf;
    const Vec2& p = other.points[j];
    const Ray in{p, other.points[other.previous[j]]}, out{other.end(j), p};
    for (std::size_t i = first_edge; i < std::min(first_edge + kLeaf, of.size()); ++i) {
      if (corner_faces({of.start(i), of.end(i)}, in, out))
        add_slide(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), pair.edge_of_a);
    }
  }
}

void NearestSlides::add_slide(std::uint32_t i, std::uint32_t j, bool edge_of_a) {
  const Boundary& edges = *(edge_of_a ? a_ : b_).boundary;
  const Vec2& p = (edge_of_a ? b_ : a_).boundary->points[j];
  Slide s;
  s.edge = i;
  s.corner = j;
  s.edge_of_a = edge_of_a;
  s.from = edge_of_a ? (edges.start(i) - p) - shift_ : (p - edges.start(i)) - shift_;
  s.to = edge_of_a ? (edges.end(i) - p) - shift_ : (p - edges.end(i)) - shift_;
  Vec2 nearest;
  s.distance = s.from == s.to ? norm(s.from) : distance_to(s.from, s.to, nearest);
  slides_.push_back(s);
  std::push_heap(slides_.begin(), slides_.end(), comes_later);
}

std::optional<Slide> NearestSlides::next() {
  while (!pairs_.empty() && (slides_.empty() || pairs_.front().bound <= slides_.front().distance)) {
    open_nearest();
  }
  if (slides_.empty()) return std::nullopt;
  std::pop_heap(slides_.begin(), slides_.end(), comes_later);
  const Slide nearest = slides_.back();
  slides_.pop_back();
  return nearest;
}

}  // namespace tactus::detail
