#include "tactus/query/way/shortest_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "tactus/core/cancellation.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query/way/shortest_within.hpp"

namespace tactus::detail {
namespace {

// Steps of a projection, and planes it goes on with: those of the deepest sets.
constexpr int kMostSteps = 12;
constexpr std::size_t kMostPlanes = 24;
// Faces that a node holds; beyond it those that do not bear its vector are let go.
constexpr std::size_t kMostHeld = 12;
// Nodes from whose vectors a free translation is always looked for.
constexpr int kAlwaysProjected = 8;
// Sets that may be looked at per node, on average: some microseconds each.
constexpr int kSetsPerNode = 8;
// A way that is straight may be longer by so many times what makes its gap visible.
constexpr double kMostLonger = 8.0;
// A set that is no thicker than this many roundings holds nothing.
constexpr double kThin = 64.0;
// The support points that a polytope starts from: along the axes, and the set's own way out.
constexpr Vec3 kAxes[] = {{1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},
                          {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}};

/// One face of the polytope of one set, as it was when that had `stamp` faces.
struct Held {
  std::uint32_t place = 0, face = 0, stamp = 0;
};

struct Node {
  double bound = 0.0;
  std::uint64_t serial = 0;
  Vec3 x;
  std::vector<Held> held;
};

struct Later {
  bool operator()(const Node& a, const Node& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.serial > b.serial;
  }
};

class Search {
 public:
  Search(BlockedShifts& blocked, const ShortestWayOptions& options)
      : blocked_(blocked), options_(options) {
    out_.most = options.known;
  }

  ShortestWay run() {
    queue_.push({options_.least, serial_++, {}, {}});
    double open = kInfinity;  // the least of the nodes that are free or could not be divided
    for (int nodes = 0; nodes < options_.max_nodes && !queue_.empty(); ++nodes) {
      if (std::min(queue_.top().bound, open) >= out_.most - options_.width) break;
      if (looked_at_ > kSetsPerNode * options_.max_nodes || is_work_cancelled()) break;
      // The first vectors, and ever fewer of the later ones, lead to free translations.
      projects_ = nodes < kAlwaysProjected || (nodes & (nodes - 1)) == 0;
      const Node node = queue_.top();
      queue_.pop();
      if (!divide(node)) open = std::min(open, node.bound);
    }
    if (!queue_.empty()) open = std::min(open, queue_.top().bound);
    out_.least = std::max(std::min(open, out_.most) - options_.rounding, options_.least);
    if (out_.found) straighten();
    return out_;
  }

  std::vector<InnerSet> take_sets() { return std::move(sets_); }

 private:
  // Hands the node's part of space on to others. False where its vector is free, and the shortest
  // of its part, or where it cannot be divided.
  bool divide(const Node& node) {
    // Faces that have been superseded since: what lies beyond them lies beyond newer ones.
    for (std::size_t i = 0; i < node.held.size(); ++i) {
      const Held& h = node.held[i];
      if (polytope(h.place).faces()[h.face].alive) continue;
      Node rest = node;
      rest.held.erase(rest.held.begin() + static_cast<std::ptrdiff_t>(i));
      add_children(rest, h.place, h.stamp);
      return true;
    }
    std::vector<BlockedBy> in;
    if (!meets(node.x, in)) return false;
    if (in.empty()) {
      planes_.clear();
      for (const Held& h : node.held) planes_.push_back(polytope(h.place).faces()[h.face].plane);
      accept(node.x, planes_);
      return false;
    }
    if (projects_) project(node.x, in);
    for (const BlockedBy& b : in) {
      const std::uint32_t place = place_of(b);
      if (place == kNone) continue;
      if (refine(node, place, b)) {
        queue_.push({node.bound, serial_++, node.x, node.held});
        return true;
      }
      const bool held = std::any_of(node.held.begin(), node.held.end(),
                                    [&](const Held& h) { return h.place == place; });
      if (held) continue;
      add_children(node, place, 0);
      return true;
    }
    return false;
  }

  bool meets(const Vec3& x, std::vector<BlockedBy>& in) {
    const bool known = blocked_.meeting(x, in);
    looked_at_ += static_cast<int>(in.size()) + 1;
    return known;
  }

  // Lets the polytope grow where the node holds one of its faces. True when that face is no longer.
  bool refine(const Node& node, std::uint32_t place, const BlockedBy& b) {
    for (const Held& h : node.held) {
      if (h.place != place) continue;
      InnerPolytope& p = sets_[place].polytope;
      const Vec3 across = p.faces()[h.face].plane.n;
      for (const Vec3& n : {b.n, across, normalized(node.x, b.n)})
        p.insert(blocked_.support(sets_[place].set, n), n);
      return !p.faces()[h.face].alive;
    }
    return false;
  }

  void add_children(const Node& node, std::uint32_t place, std::uint32_t first) {
    const auto& faces = polytope(place).faces();
    const auto stamp = static_cast<std::uint32_t>(faces.size());
    for (std::uint32_t f = first; f < stamp; ++f) {
      if (faces[f].alive && faces[f].plane.offset < out_.most) add_child(node, {place, f, stamp});
    }
  }

  void add_child(const Node& node, const Held& next) {
    Node child{node.bound, 0, {}, node.held};
    child.held.push_back(next);
    planes_.clear();
    for (const Held& h : child.held) planes_.push_back(polytope(h.place).faces()[h.face].plane);
    const ShortestWithin s = shortest_within(planes_, options_.clear, out_.most);
    if (s.outcome == ShortestWithin::Outcome::none) return;
    child.x = s.x;
    child.bound = std::max(child.bound, s.bound);
    if (child.bound >= out_.most) return;
    if (child.held.size() > kMostHeld) let_go(child);
    std::vector<std::uint64_t> key;
    key.reserve(child.held.size());
    for (const Held& h : child.held) key.push_back(std::uint64_t{h.place} << 32u | h.face);
    std::sort(key.begin(), key.end());
    if (!known_.insert(std::move(key)).second) return;
    child.serial = serial_++;
    queue_.push(std::move(child));
  }

  // Planes that the vector lies well beyond do not bear it.
  void let_go(Node& node) const {
    std::size_t loosest = 0;
    double most = -kInfinity;
    for (std::size_t i = 0; i + 1 < node.held.size(); ++i) {
      const Beyond& plane = planes_[i];
      const double beyond = dot(plane.n, node.x) - plane.offset;
      if (beyond > most) {
        most = beyond;
        loosest = i;
      }
    }
    node.held.erase(node.held.begin() + static_cast<std::ptrdiff_t>(loosest));
  }

  // `planes` bear x, beyond them by `clear`.
  void accept(const Vec3& x, const std::vector<Beyond>& planes) {
    const double length = norm(x);
    if (!(length < out_.most)) return;
    out_.most = length;
    out_.way = x;
    out_.touching = shortest_within(planes, 0.0, kInfinity).x;
    out_.found = true;
  }

  // The way goes on from where the bodies touch in the same direction, if it need not be much
  // longer for that: then the points that touch are apart along it.
  void straighten() {
    const double length = norm(out_.touching);
    const Vec3 n = normalized(out_.touching, {});
    if (n == Vec3{} || norm(cross(n, out_.way)) <= kUnit * length) return;
    for (double longer = 2.0; longer <= kMostLonger; longer *= 2.0) {
      const Vec3 x = n * (length + longer * options_.clear);
      std::vector<BlockedBy> in;
      if (!meets(x, in)) return;
      if (!in.empty()) continue;
      out_.way = x;
      out_.most = std::max(out_.most, norm(x));
      return;
    }
  }

  // A free translation near x.
  void project(const Vec3& from, const std::vector<BlockedBy>& at_first) {
    std::map<std::uint32_t, Beyond> planes;
    std::vector<BlockedBy> in = at_first;
    std::vector<Beyond> list;
    Vec3 x = from;
    for (int step = 0; step < kMostSteps; ++step) {
      for (std::size_t i = 0; i < std::min(in.size(), kMostPlanes); ++i) {
        const Vec3& n = in[i].n;
        planes[in[i].set] = {n, dot(n, blocked_.support(in[i].set, n))};
      }
      if (planes.size() > kMostPlanes) return;
      list.clear();
      for (const auto& [set, plane] : planes) list.push_back(plane);
      const ShortestWithin s = shortest_within(list, options_.clear, out_.most);
      if (s.outcome != ShortestWithin::Outcome::found || !(norm(s.x) < out_.most)) return;
      x = s.x;
      in.clear();
      if (!meets(x, in)) return;
      if (in.empty()) {
        accept(x, list);
        return;
      }
    }
  }

  static constexpr std::uint32_t kNone = 0xffffffffu;

  // The polytope of a set, made when first met; none where the set has no volume.
  std::uint32_t place_of(const BlockedBy& b) {
    const auto known = places_.find(b.set);
    if (known != places_.end()) return known->second;
    std::vector<Vec3> points, directions;
    const auto look = [&](const Vec3& n) {
      points.push_back(blocked_.support(b.set, n));
      directions.push_back(n);
    };
    for (const Vec3& n : kAxes) look(n);
    look(b.n);
    look(-b.n);
    InnerSet made{b.set, {}};
    const bool thick =
        made.polytope.start(points, directions, std::max(kThin * options_.rounding, 0.0));
    const auto place = thick ? static_cast<std::uint32_t>(sets_.size()) : kNone;
    if (thick) sets_.push_back(std::move(made));
    places_.emplace(b.set, place);
    return place;
  }

  const InnerPolytope& polytope(std::uint32_t place) const { return sets_[place].polytope; }

  BlockedShifts& blocked_;
  const ShortestWayOptions& options_;
  std::priority_queue<Node, std::vector<Node>, Later> queue_;
  std::set<std::vector<std::uint64_t>> known_;
  std::map<std::uint32_t, std::uint32_t> places_;
  std::vector<InnerSet> sets_;
  std::vector<Beyond> planes_;
  std::uint64_t serial_ = 0;
  int looked_at_ = 0;  ///< sets, with one for each translation
  bool projects_ = true;
  ShortestWay out_;
};

}  // namespace

ShortestWay shortest_way(BlockedShifts& blocked, const ShortestWayOptions& options,
                         std::vector<InnerSet>* sets) {
  Search search(blocked, options);
  const ShortestWay way = search.run();
  if (sets != nullptr) *sets = search.take_sets();
  return way;
}

}  // namespace tactus::detail
