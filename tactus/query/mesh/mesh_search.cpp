#include "tactus/query/mesh/mesh_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of a coordinate that was turned and shifted, relative to the lengths that enter it; with a margin
// of three. Distances of triangles add 1e-14 (see triangle_core.cpp).
constexpr double kRounding = 1e-14;
// Nodes that wait: a binary tree of 2^31 leaves, should it be that deep.
constexpr int kStack = 256;
// Volumes are of single precision.
constexpr double kVolumeSlack = 1e-6;

struct Entry {
  double bound;
  std::uint32_t node;
};

float above(double x) {
  const volatile float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity())
                                    : f;
}

// The box of the core in its frame, without the ball that it is grown by.
void core_box(const Shape& shape, Vec3& center, Vec3& half, double& ball) {
  const Core& core = shape.core();
  ball = core.radius - core.shrink;
  center = {};
  half = core.half;
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    center = convex->lower() * 0.5 + convex->upper() * 0.5;
    half = component_max(convex->upper() - center, center - convex->lower());
  } else if (core.kind == CoreKind::custom) {
    Vec3 low, high;
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1.0;
      high[i] = core.custom->support(axis)[i];
      low[i] = core.custom->support(-axis)[i];
    }
    center = low * 0.5 + high * 0.5;
    half = component_max(high - center, center - low);
  }
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
  core_box(body_, box_center_, box_half_, ball_);
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

double MeshAndBody::surely_out() const {
  const bvh::MeshView view = detail::view_of(mesh_);
  const Vec3 between = (origin_ + rotation_ * box_center_) - view.tree.middle();
  return std::max(view.tree.reach() + norm(box_half_) + ball_ - norm(between), 0.0) + rounding_;
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
  const Core& core = body_.core();
  return rotation_ * support(core, transpose_times(rotation_, n)).point + n * core.radius;
}

double MeshAndBody::body_support(const Vec3& n) const {
  const Core& core = body_.core();
  return support_value(core, transpose_times(rotation_, n)) + core.radius;
}

MeshSearchResult MeshAndBody::search(const Options& options) const {
  MeshSearchResult r;
  Epa epa;
  const Core& core = body_.core();
  const bvh::MeshView view = detail::view_of(mesh_);
  const bvh::OrientedBox* const nodes = view.tree.nodes().data();
  const bvh::OrientedBox box = volume_of(box_half_);
  bvh::Placement placement(rotation_, (origin_ + rotation_ * box_center_) - view.tree.middle(),
                           view.tree.reach(), norm(box_half_));
  const double wide = options.near != nullptr ? options.within : -kInfinity;
  // What is at least this far away is of no interest; how far the body reaches against the best
  // normal so far, from its origin.
  double wanted = kInfinity;
  double body_low = 0.0;
  const auto ask = [&] {
    const double best = r.nearest.answer.upper;
    // In overlap all that meet must be seen; the sign is known when nothing can meet.
    double up_to = std::max(best - 0.5 * rounding_, 0.0);
    if (options.sign_only) up_to = 0.0;
    wanted = std::max(std::min(up_to, options.max_distance), wide);
    if (r.nearest.triangle != bvh::MeshPairCache::kNone)
      placement.ask_up_to(std::max(wanted + ball_, 0.0));
  };
  const auto settled = [&](double bound) {
    if (r.nearest.triangle == bvh::MeshPairCache::kNone || bound <= wanted) return false;
    r.lower = std::min(r.lower, bound);
    return true;
  };
  // False when the search is over.
  const auto measure = [&](std::uint32_t index) {
    const Triangle t = triangle(index);
    const bool first = r.nearest.triangle == bvh::MeshPairCache::kNone;
    if (!first) {
      const Vec3& n = r.nearest.answer.n;
      const double high =
          std::max(dot(n, t.corner[0]), std::max(dot(n, t.corner[1]), dot(n, t.corner[2])));
      ++r.iterations;
      if (settled(body_low - high - rounding_)) return true;
    }
    TriangleCoreOptions leaf = options.leaf;
    leaf.max_distance = first ? kInfinity : std::max(wanted, 0.0);
    const ConvexAnswer a = triangle_to_core(t, core, rotation_, leaf, epa);
    r.iterations += a.iterations;
    if (a.lower - rounding_ > leaf.max_distance) {
      r.lower = std::min(r.lower, a.lower - rounding_);
      return true;
    }
    r.lower = std::min(r.lower, a.lower - rounding_);
    if (a.status != Status::converged && r.status == Status::converged) r.status = a.status;
    // What a search that was not finished believes does not leave a triangle out.
    const double known = a.status == Status::converged ? a.distance : a.lower;
    if (options.near != nullptr && known <= options.within) {
      if (options.near->size() < options.most) {
        options.near->push_back({a, index});
      } else {
        r.all_listed = false;
      }
    }
    if (first || a.upper < r.nearest.answer.upper) {
      r.nearest = {a, index};
      r.upper = a.upper + rounding_;
      body_low = -body_support(-a.n);
      ask();
    }
    return !(options.sign_only && r.upper < 0.0);
  };
  if (options.start < view.mesh.triangles.size() && !measure(options.start)) return r;
  Entry stack[kStack];
  int size = 0;
  stack[size++] = {-kInfinity, 0};
  for (std::int64_t visits = 0; size > 0; ++visits) {
    const Entry entry = stack[--size];
    if (settled(entry.bound)) continue;
    if (visits >= options.max_visits && r.nearest.triangle != bvh::MeshPairCache::kNone) {
      r.capped = true;
      r.lower = std::min(r.lower, entry.bound);
      continue;
    }
    const bvh::OrientedBox& node = nodes[entry.node];
    if (Tree::is_leaf(node)) {
      const std::uint32_t index = Tree::triangle(node);
      if (index == options.start ||
          std::binary_search(options.apart.begin(), options.apart.end(), index)) {
        continue;
      }
      if (!measure(index)) return r;
      continue;
    }
    const std::uint32_t child[2] = {entry.node + 1, node.link};
    const bvh::OrientedBox* const box_of[2] = {&nodes[child[0]], &nodes[child[1]]};
    const bvh::OrientedBox* const body[2] = {&box, &box};
    double bound[2];
    bvh::lower_bounds(box_of, body, placement, bound);
    // A box that touches says nothing of how deep what is in it may be.
    const auto waits = [&](int i) {
      return Entry{bound[i] > 0.0 ? std::max(bound[i] - ball_, entry.bound) : -kInfinity, child[i]};
    };
    Entry near = waits(0), far = waits(1);
    if (far.bound < near.bound) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  r.all_listed = r.all_listed && !r.capped;
  return r;
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
