#include "tactus/query/mesh/mesh_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/cancellation.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

// Rounding of a coordinate that was turned and shifted, relative to the lengths that enter it; with
// a margin of three. Distances of triangles add 1e-14 (see triangle_core.cpp).
constexpr double kRounding = 1e-14;
// Nodes that wait: a binary tree of 2^31 leaves, should it be that deep.
constexpr int kStack = 256;
// Volumes are of single precision.
constexpr double kVolumeSlack = 1e-6;

// Triangles are listed around a body for this part of the smaller extent more than is asked for,
// or, where they are many, for less.
constexpr double kAround[] = {0.5, 0.1};
constexpr std::size_t kMostAround = 64;

struct Entry {
  double bound;
  std::uint32_t node;
};

float above(double x) {
  const volatile float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity())
                                    : f;
}

// The box as a volume about its own middle.
bvh::OrientedBox volume_of(const Vec3& half) {
  bvh::OrientedBox box{};
  for (int i = 0; i < 3; ++i) {
    box.axis[i][i] = 1.0f;
    box.axis[i][3] = above(half[i]);
  }
  return box;
}

}  // namespace

MeshAndBody::MeshAndBody(const Mesh& mesh, const Pose& pose_mesh, const Shape& body,
                         const Pose& pose_body)
    : mesh_(mesh), body_(body) {
  const Pose pose = relative(pose_mesh, pose_body);
  rotation_ = pose.rotation();
  origin_ = pose.position();
  const LocalBox box = local_box(body_);
  box_center_ = box.center;
  box_half_ = box.half;
  ball_ = box.ball;
  place();
}

void MeshAndBody::place() {
  const bvh::MeshView view = detail::view_of(mesh_);
  size_ = norm(origin_ - view.tree.middle()) + view.tree.reach() +
          (norm(box_center_) + norm(box_half_) + ball_);
  // Coordinates far from the mesh's origin lose what their own rounding takes.
  rounding_ = kRounding * (size_ + 0.1 * norm(view.tree.middle()));
}

MeshAndBody MeshAndBody::moved(const Vec3& shift) const {
  MeshAndBody other = *this;
  other.origin_ += shift;
  other.place();
  return other;
}

Vec3 MeshAndBody::surely_out() const {
  const bvh::MeshView view = detail::view_of(mesh_);
  const Vec3 between = (origin_ + rotation_ * box_center_) - view.tree.middle();
  const double length = view.tree.reach() + norm(box_half_) + ball_ - norm(between);
  return normalized(between) * (std::max(length, 0.0) + rounding_);
}

Triangle MeshAndBody::triangle(std::uint32_t index) const {
  const auto& t = mesh_.mesh().triangles[index];
  const auto& v = mesh_.mesh().vertices;
  return {{v[t[0]] - origin_, v[t[1]] - origin_, v[t[2]] - origin_}};
}

double MeshAndBody::mesh_support(const Vec3& n) const {
  return farthest_vertex(mesh_, n, 0.0).value - dot(n, origin_);
}

Vec3 MeshAndBody::body_point(const Vec3& n) const {
  const Core& core = core_of(body_);
  return rotation_ * support(core, transpose_times(rotation_, n)).point + n * core.radius;
}

double MeshAndBody::body_support(const Vec3& n) const {
  const Core& core = core_of(body_);
  return support_value(core, transpose_times(rotation_, n)) + core.radius;
}

namespace {

class TriangleSearch {
 public:
  TriangleSearch(const MeshAndBody& pair, const MeshAndBody::Options& options, const LocalBox& body)
      : pair_(pair),
        options_(options),
        view_(view_of(pair.mesh())),
        core_(core_of(pair.body())),
        box_(volume_of(body.half)),
        half_(body.half),
        box_center_(body.center),
        ball_(body.ball),
        rounding_(pair.rounding()),
        wide_(options.near != nullptr ? options.within : -kInfinity),
        placement_(pair.rotation(),
                   (pair.origin() + pair.rotation() * body.center) - view_.tree.middle(),
                   view_.tree.reach(), norm(body.half)) {}

  MeshSearchResult run() {
    const bool finished = options_.start < view_.mesh.triangles.size() && !measure(options_.start);
    if (finished) return r_;
    if (options_.around != nullptr && found_any())
      search_around();
    else
      search();
    return r_;
  }

 private:
  void search() {
    const bvh::OrientedBox* const nodes = view_.tree.nodes().data();
    Entry stack[kStack];
    int size = 0;
    stack[size++] = {-kInfinity, 0};
    for (std::int64_t visits = 0; size > 0; ++visits) {
      const Entry entry = stack[--size];
      if (settled(entry.bound)) continue;
      const bool cancelled = visits % kVisitsUnasked == 0 && is_work_cancelled();
      if ((visits >= options_.max_visits || cancelled) && found_any()) {
        r_.capped = true;
        r_.lower = std::min(r_.lower, entry.bound);
        continue;
      }
      const bvh::OrientedBox& node = nodes[entry.node];
      if (is_near(entry.bound) && settled(exact_bound(node))) continue;
      if (Tree::is_leaf(node)) {
        if (!measure_leaf(Tree::triangle(node))) return;
        continue;
      }
      const std::uint32_t child[2] = {entry.node + 1, node.link};
      const bvh::OrientedBox* const box_of[2] = {&nodes[child[0]], &nodes[child[1]]};
      const bvh::OrientedBox* const body[2] = {&box_, &box_};
      double bound[2];
      bvh::lower_bounds(box_of, body, placement_, bound);
      // A box that touches says nothing of how deep what is in it may be.
      const auto waits = [&](int i) {
        return Entry{bound[i] > 0.0 ? std::max(bound[i] - ball_, entry.bound) : -kInfinity,
                     child[i]};
      };
      Entry near = waits(0), far = waits(1);
      if (far.bound < near.bound) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
    }
    r_.all_listed = r_.all_listed && !r_.capped;
  }

  void search_around() {
    const Vec3 middle = pair_.rotation() * box_center_;
    r_.lower = std::min(r_.lower, options_.beyond - rounding_);
    for (const std::uint32_t index : *options_.around) {
      if (settled(box_bound(pair_.triangle(index), middle))) continue;
      if (!measure_leaf(index)) return;
    }
  }
  // How far a triangle is from the body's box at least, along the axes of the box and its normal.
  double box_bound(const Triangle& t, const Vec3& middle) const {
    const Mat3& rotation = pair_.rotation();
    const Vec3 corner[3] = {transpose_times(rotation, t.corner[0] - middle),
                            transpose_times(rotation, t.corner[1] - middle),
                            transpose_times(rotation, t.corner[2] - middle)};
    const Vec3 low = component_min(component_min(corner[0], corner[1]), corner[2]);
    const Vec3 high = component_max(component_max(corner[0], corner[1]), corner[2]);
    const Vec3 gap = component_max(low, -high) - half_;
    const double beside = std::max(gap.x, std::max(gap.y, gap.z)) - ball_ - rounding_;
    if (beside > wanted_) return beside;
    const Vec3 n = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double over = std::fabs(dot(n, corner[0])) - dot(component_abs(n), half_);
    if (!(over > 0.0)) return beside;
    const double least = wanted_ + (ball_ + 2.0 * rounding_);
    if (over * over <= least * least * squared_norm(n)) return beside;
    return std::max(beside, over / norm(n) - ball_ - rounding_);
  }

  bool found_any() const { return r_.nearest.triangle != bvh::MeshPairCache::kNone; }

  // Sets `wanted_`, the distance from which on triangles need not be measured.
  void want() {
    // In overlap all that meet must be seen; the sign is known when nothing can meet.
    double up_to = std::max(r_.nearest.answer.upper - 0.5 * rounding_, 0.0);
    if (options_.sign_only) up_to = 0.0;
    wanted_ = std::max(std::min(up_to, options_.max_distance), wide_);
    if (found_any()) placement_.ask_up_to(std::max(wanted_ + ball_, 0.0));
  }
  bool settled(double bound) {
    if (!found_any() || bound <= wanted_) return false;
    r_.lower = std::min(r_.lower, bound);
    return true;
  }

  // Is only the rounding of single precision between the bound and what is of no interest? Where
  // triangles are small, so many would be measured for that as have their middles that near.
  bool is_near(double bound) const {
    return found_any() && bound + 2.0 * static_cast<double>(placement_.slack) > wanted_;
  }
  // In double precision: the box holds its triangles as its numbers are, and whatever direction
  // is between them proves a distance.
  double exact_bound(const bvh::OrientedBox& box) const {
    Vec3 axis[3], center;
    for (int i = 0; i < 3; ++i) {
      center[i] = static_cast<double>(box.center[i]);
      for (int k = 0; k < 3; ++k) axis[i][k] = static_cast<double>(box.axis[i][k]);
    }
    const Vec3 between = placement_.translation - center;
    Vec3 way = between;
    for (const int i : {0, 1, 2}) {
      const auto half = static_cast<double>(box.axis[i][3]);
      way -= axis[i] * std::clamp(dot(axis[i], between), -half, half);
    }
    const Mat3& rotation = placement_.rotation;
    way += rotation * component_min(component_max(transpose_times(rotation, -way), -half_), half_);
    double width = dot(way, between) - dot(component_abs(transpose_times(rotation, way)), half_);
    for (const int i : {0, 1, 2})
      width -= std::fabs(dot(way, axis[i])) * static_cast<double>(box.axis[i][3]);
    const double length = norm(way);
    return length > rounding_ ? width / length - ball_ - rounding_ : -kInfinity;
  }

  // False when the search is over.
  bool measure_leaf(std::uint32_t index) {
    const bool known = index == options_.start ||
                       std::binary_search(options_.apart.begin(), options_.apart.end(), index);
    return known || measure(index);
  }
  bool measure(std::uint32_t index) {
    const Triangle t = pair_.triangle(index);
    const bool first = !found_any();
    if (!first) {
      const Vec3& n = r_.nearest.answer.n;
      const double high = t.highest(n);
      ++r_.iterations;
      if (settled(body_low_ - high - rounding_)) return true;
    }
    TriangleCoreOptions leaf = options_.leaf;
    leaf.max_distance = first ? kInfinity : std::max(wanted_, 0.0);
    const ConvexAnswer a = triangle_to_core(t, core_, pair_.rotation(), leaf, epa_);
    r_.iterations += a.iterations;
    r_.lower = std::min(r_.lower, a.lower - rounding_);
    if (a.lower - rounding_ > leaf.max_distance) return true;
    if (a.status != Status::converged && r_.status == Status::converged) r_.status = a.status;
    list(a, index);
    if (first || a.upper < r_.nearest.answer.upper) {
      r_.nearest = {a, index};
      r_.upper = a.upper + rounding_;
      body_low_ = -pair_.body_support(-a.n);
      want();
    }
    return !(options_.sign_only && r_.upper < 0.0);
  }

  void list(const ConvexAnswer& a, std::uint32_t index) {
    // An unfinished search counts by its lower bound: its estimate does not leave a triangle out.
    const double known = a.status == Status::converged ? a.distance : a.lower;
    if (options_.near == nullptr || !(known <= options_.within)) return;
    if (options_.near->size() < options_.most) {
      options_.near->push_back({a, index});
    } else {
      r_.all_listed = false;
    }
  }

  const MeshAndBody& pair_;
  const MeshAndBody::Options& options_;
  const bvh::MeshView view_;
  const Core& core_;
  const bvh::OrientedBox box_;
  const Vec3 half_, box_center_;
  const double ball_, rounding_, wide_;
  bvh::Placement placement_;
  double wanted_ = kInfinity;
  double body_low_ = 0.0;  ///< the body's least coordinate along the best normal so far
  MeshSearchResult r_;
  Epa epa_;
};

}  // namespace

MeshSearchResult MeshAndBody::search(const Options& options) const {
  return TriangleSearch(*this, options, {box_center_, box_half_, ball_}).run();
}

double MeshAndBody::smaller_extent() const {
  return std::min(core_of(body_).extent, 2.0 * view_of(mesh_).tree.reach());
}

CorePlace MeshAndBody::core_place() const {
  const double radius = core_of(body_).radius;
  return {rotation_, origin_, box_center_, norm(box_half_) + std::max(ball_ - radius, 0.0), radius};
}

const LocalTriangles& MeshAndBody::triangles_around(double needed,
                                                    Shared<LocalTriangles>& kept) const {
  const CorePlace place = core_place();
  const std::uint64_t mesh = view_of(mesh_).tree.fingerprint();
  const auto is_listed = [&](const LocalTriangles& list) {
    return list.triangles.empty() || list.triangles.back() < mesh_.mesh().triangles.size();
  };
  if (kept.get() != nullptr && kept.get()->hold(mesh, place, needed) && is_listed(*kept.get()))
    return *kept.get();
  LocalTriangles around{rotation_, origin_, 0.0, mesh, place.reach, place.radius, true, {}};
  for (const double beyond : kAround) {
    around.within = needed + beyond * smaller_extent();
    around.crowded = !list_around(around.within, around.triangles);
    if (!around.crowded) break;
  }
  if (around.crowded) around.triangles.clear();
  kept.set(std::move(around));
  return *kept.get();
}

bool MeshAndBody::list_around(double within, std::vector<std::uint32_t>& triangles) const {
  triangles.clear();
  const bvh::MeshView view = view_of(mesh_);
  const bvh::OrientedBox* const nodes = view.tree.nodes().data();
  const bvh::OrientedBox box = volume_of(box_half_);
  bvh::Placement placement(rotation_, (origin_ + rotation_ * box_center_) - view.tree.middle(),
                           view.tree.reach(), norm(box_half_));
  const double far = std::max(within + ball_, 0.0) + rounding_;
  placement.ask_up_to(far);
  std::uint32_t stack[kStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    if (Tree::is_leaf(nodes[index])) {
      if (triangles.size() == kMostAround) return false;
      triangles.push_back(Tree::triangle(nodes[index]));
      continue;
    }
    const std::uint32_t child[2] = {index + 1, nodes[index].link};
    const bvh::OrientedBox* const box_of[2] = {&nodes[child[0]], &nodes[child[1]]};
    const bvh::OrientedBox* const body[2] = {&box, &box};
    double bound[2];
    bvh::lower_bounds(box_of, body, placement, bound);
    for (const int i : {1, 0})
      if (bound[i] <= far) stack[size++] = child[i];
  }
  std::sort(triangles.begin(), triangles.end());
  return true;
}

double rounding_of(const Mesh& a, const Mesh& b, const Pose& pose) {
  const bvh::MeshView view_a = detail::view_of(a), view_b = detail::view_of(b);
  const Vec3 between = pose.to_world(view_b.tree.middle()) - view_a.tree.middle();
  return kRounding * (norm(between) + (view_a.tree.reach() + view_b.tree.reach()) +
                      0.1 * (norm(view_a.tree.middle()) + norm(view_b.tree.middle())));
}

namespace {
// Bound from above of the coordinate along n of what a node holds.
class Height {
 public:
  Height(const bvh::MeshView& view, const Vec3& n)
      : nodes_(view.tree.nodes().data()),
        n_(n),
        base_(dot(n, view.tree.middle()) +
              kVolumeSlack * (view.tree.reach() + norm(view.tree.middle())) * norm(n)),
        known_(view.tree.reach() < bvh::kLargestOfVolumes) {}

  Entry operator()(std::uint32_t index) const {
    if (!known_) return {std::numeric_limits<double>::infinity(), index};
    const bvh::OrientedBox& box = nodes_[index];
    double sum = base_;
    for (int i = 0; i < 3; ++i) {
      const Vec3 axis{static_cast<double>(box.axis[i][0]), static_cast<double>(box.axis[i][1]),
                      static_cast<double>(box.axis[i][2])};
      sum += n_[i] * static_cast<double>(box.center[i]) +
             std::fabs(dot(n_, axis)) * static_cast<double>(box.axis[i][3]);
    }
    return {sum, index};
  }

 private:
  const bvh::OrientedBox* nodes_;
  Vec3 n_;
  double base_;
  bool known_;
};
}  // namespace

FarthestVertex farthest_vertex(const Mesh& mesh, const Vec3& n, double rounding) {
  FarthestVertex best;
  const bvh::MeshView view = detail::view_of(mesh);
  const Height bound(view, n);
  Entry stack[kStack];
  int size = 0;
  stack[size++] = bound(0);
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.bound < best.value - rounding) continue;
    const bvh::OrientedBox& node = view.tree.nodes()[entry.node];
    if (Tree::is_leaf(node)) {
      const std::uint32_t triangle = Tree::triangle(node);
      for (const std::uint32_t vertex : view.mesh.triangles[triangle]) {
        const double value = dot(n, view.mesh.vertices[vertex]);
        if (std::fabs(value - best.value) <= rounding &&
            view.mesh.vertices[vertex] != view.mesh.vertices[best.vertex]) {
          ++best.others;
        }
        if (!(value > best.value)) continue;
        if (value > best.value + rounding) best.others = 0;
        best.value = value;
        best.vertex = vertex;
        best.triangle = triangle;
      }
      continue;
    }
    Entry first = bound(entry.node + 1), second = bound(node.link);
    if (first.bound < second.bound) std::swap(first, second);
    stack[size++] = second;
    stack[size++] = first;
  }
  return best;
}

bool reaches(const Mesh& mesh, const Vec3& n, double height) {
  const bvh::MeshView view = detail::view_of(mesh);
  const Height bound(view, n);
  std::uint32_t stack[kStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    if (bound(index).bound < height) continue;
    const bvh::OrientedBox& node = view.tree.nodes()[index];
    if (!Tree::is_leaf(node)) {
      stack[size++] = node.link;
      stack[size++] = index + 1;
      continue;
    }
    for (const std::uint32_t vertex : view.mesh.triangles[Tree::triangle(node)]) {
      if (dot(n, view.mesh.vertices[vertex]) >= height) return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> far_vertices(const Mesh& mesh, const Vec3& n, double height) {
  std::vector<std::uint32_t> found;
  const bvh::MeshView view = detail::view_of(mesh);
  const Height bound(view, n);
  Entry stack[kStack];
  int size = 0;
  stack[size++] = bound(0);
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.bound < height) continue;
    const bvh::OrientedBox& node = view.tree.nodes()[entry.node];
    if (!Tree::is_leaf(node)) {
      stack[size++] = bound(node.link);
      stack[size++] = bound(entry.node + 1);
      continue;
    }
    for (const std::uint32_t vertex : view.mesh.triangles[Tree::triangle(node)]) {
      if (dot(n, view.mesh.vertices[vertex]) >= height) found.push_back(vertex);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace tactus::detail
