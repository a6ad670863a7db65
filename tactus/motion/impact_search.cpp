#include "tactus/motion/impact_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

// Boxes are stored in single precision, relative to the middle of the surface: they grow by this
// part of its reach.
constexpr double kSingle = 0x1p-20;
// A box is opened when the gap is less than this part of its size.
constexpr double kNear = 0.5;

/// A convex part, or a mesh that a half-space sees (`node` < 0), or a node of a mesh's hierarchy.
struct Piece {
  std::int32_t part = 0, node = -1;
};

/// A piece on its way, with the shape that was made for it if it is no part itself.
class Mover {
 public:
  explicit Mover(const MovingPart& part) : part_(&part) {}
  Mover(Shape shape, const MovingBody& body, const Pose& local) : own_(std::move(shape)) {
    made_.emplace(*own_, body.pose, local, body.motion);
    part_ = &*made_;
  }
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;
  const MovingPart& part() const { return *part_; }

 private:
  std::optional<Shape> own_;
  std::optional<MovingPart> made_;
  const MovingPart* part_;
};

/// The parts of a body, and the pieces of its meshes.
class Pieces {
 public:
  explicit Pieces(const MovingBody& body) : body_(body) {
    if (const auto* compound = std::get_if<Compound>(&body.shape.geometry())) {
      for (const Compound::Part& part : compound->parts()) add(part.shape, part.pose);
    } else {
      add(body.shape, {});
    }
  }

  std::int32_t count() const { return static_cast<std::int32_t>(parts_.size()); }
  bool is_halfspace(std::int32_t part) const { return at(part).is_halfspace(); }
  /// The whole part, as a body that is not a half-space or one that is sees it.
  Piece whole(std::int32_t part, bool for_halfspace) const {
    const bool opened = at(part).shape().type() == ShapeType::mesh && !for_halfspace;
    return {part, opened ? 0 : -1};
  }
  bool is_leaf(const Piece& piece) const {
    return piece.node < 0 || Tree::is_leaf(tree_of(piece).nodes()[place(piece.node)]);
  }
  /// Zero for what cannot be opened.
  double size(const Piece& piece) const {
    if (is_leaf(piece)) return 0.0;
    return 2.0 * tree_of(piece).nodes()[place(piece.node)].length();
  }
  Piece left(const Piece& piece) const { return {piece.part, piece.node + 1}; }
  Piece right(const Piece& piece) const {
    const auto link = tree_of(piece).nodes()[place(piece.node)].link;
    return {piece.part, static_cast<std::int32_t>(link)};
  }

  Mover mover(const Piece& piece) const {
    const MovingPart& part = at(piece.part);
    if (piece.node < 0) return Mover(part);
    const Tree& tree = tree_of(piece);
    const bvh::OrientedBox& node = tree.nodes()[place(piece.node)];
    const Pose& local = locals_[place(piece.part)];
    if (!Tree::is_leaf(node)) return box(node, tree, local);
    const TriangleMesh& mesh = mesh_of(piece).mesh();
    const auto& corners = mesh.triangles[Tree::triangle(node)];
    const Vec3 points[] = {mesh.vertices[corners[0]], mesh.vertices[corners[1]],
                           mesh.vertices[corners[2]]};
    return {Convex(points), body_, local};
  }

 private:
  static std::size_t place(std::int32_t i) { return static_cast<std::size_t>(i); }
  const MovingPart& at(std::int32_t part) const { return parts_[place(part)]; }
  const Mesh& mesh_of(const Piece& piece) const {
    return std::get<Mesh>(at(piece.part).shape().geometry());
  }
  const Tree& tree_of(const Piece& piece) const { return detail::view_of(mesh_of(piece)).tree; }

  void add(const Shape& shape, const Pose& local) {
    parts_.emplace_back(shape, body_.pose, local, body_.motion);
    locals_.push_back(local);
  }

  Mover box(const bvh::OrientedBox& node, const Tree& tree, const Pose& local) const {
    const auto axis = [&](int i) {
      const float* a = node.axis[i];
      return Vec3{static_cast<double>(a[0]), static_cast<double>(a[1]), static_cast<double>(a[2])};
    };
    const Vec3 x = normalized(axis(0));
    const Vec3 y = normalized(axis(1) - x * dot(x, axis(1)));
    const double more = kSingle * tree.reach();
    Vec3 half;
    for (int i = 0; i < 3; ++i) half[i] = static_cast<double>(node.axis[i][3]) + more;
    const Vec3 center{static_cast<double>(node.center[0]), static_cast<double>(node.center[1]),
                      static_cast<double>(node.center[2])};
    // Beyond single precision nothing is known but the whole.
    if (!is_finite(half) || !is_finite(center) || !is_finite(x) || !is_finite(y)) {
      const double all = 2.0 * tree.reach();
      return {Box({all, all, all}), body_, local * Pose::translation(tree.middle())};
    }
    const Pose placed =
        detail::unchecked_pose(tree.middle() + center, Mat3::from_columns(x, y, cross(x, y)));
    return {Box(half * 2.0), body_, local * placed};
  }

  const MovingBody& body_;
  std::vector<MovingPart> parts_;
  std::vector<Pose> locals_;
};

/// Two pieces, known to be apart up to `time`.
struct Item {
  double time = 0.0;
  std::uint32_t number = 0;  ///< in the order of entry: no two items are equal
  Piece a, b;
};

bool later(const Item& x, const Item& y) {
  return x.time != y.time ? x.time > y.time : x.number > y.number;
}

class Search {
 public:
  Search(const MovingBody& a, const MovingBody& b, const ImpactQuestion& question)
      : a_(a), b_(b), offset_(b.pose.position()), question_(question) {
    best_.hit = Overlap::no;
    best_.time = kInfinity;
    best_.status = Status::converged;
  }

  CastResult run() {
    for (std::int32_t i = 0; i < a_.count(); ++i) {
      for (std::int32_t j = 0; j < b_.count(); ++j)
        push(0.0, a_.whole(i, b_.is_halfspace(j)), b_.whole(j, a_.is_halfspace(i)));
    }
    while (!queue_.empty() && best_.hit != Overlap::yes) {
      if (looks_ >= question_.most_looks) {
        stop(queue_.front().time, Status::iteration_limit);
        break;
      }
      const Item item = pop();
      const Mover a = a_.mover(item.a), b = b_.mover(item.b);
      ImpactPair two(a.part(), b.part(), offset_, item.time);
      follow(item, two);
      looks_ += two.pair.looks();
    }
    best_.iterations = looks_;
    return best_;
  }

 private:
  void push(double time, const Piece& a, const Piece& b) {
    queue_.push_back({time, entered_++, a, b});
    std::push_heap(queue_.begin(), queue_.end(), later);
  }

  Item pop() {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Item item = queue_.back();
    queue_.pop_back();
    return item;
  }

  // Until another pair is known for a shorter time.
  void follow(const Item& item, ImpactPair& two) {
    MovingPair& pair = two.pair;
    const double next = queue_.empty() ? kInfinity : queue_.front().time;
    const double size = std::max(a_.size(item.a), b_.size(item.b));
    const bool leaf = size == 0.0 && a_.is_leaf(item.a) && b_.is_leaf(item.b);
    while (pair.state() == MovingPair::State::apart && pair.time() <= next &&
           looks_ + pair.looks() < question_.most_looks) {
      pair.step(question_.options, nullptr);
      if (!leaf && pair.gap() < kNear * size) break;
    }
    switch (pair.state()) {
      case MovingPair::State::clear:
        return;
      case MovingPair::State::failed:
        stop(pair.time(), Status::precision_limit);
        return;
      case MovingPair::State::near:
        if (leaf) {
          arrive(item, two);
        } else {
          open(item, pair.time());
        }
        return;
      case MovingPair::State::apart:
        if (!leaf && pair.gap() < kNear * size) {
          open(item, pair.time());
        } else {
          push(pair.time(), item.a, item.b);
        }
        return;
    }
  }

  // The larger one of both.
  void open(const Item& item, double time) {
    const bool first =
        b_.is_leaf(item.b) || (!a_.is_leaf(item.a) && a_.size(item.a) >= b_.size(item.b));
    if (first) {
      push(time, a_.left(item.a), item.b);
      push(time, a_.right(item.a), item.b);
    } else {
      push(time, item.a, b_.left(item.b));
      push(time, item.a, b_.right(item.b));
    }
  }

  void arrive(const Item& item, ImpactPair& two) {
    const CastResult r = impact_of_near(two, offset_, question_);
    if (best_.hit == Overlap::no) {
      best_ = r;
      best_.part_a = item.a.part;
      best_.part_b = item.b.part;
    } else if (r.hit == Overlap::yes) {
      // The pair that came first did not get nearer than rounding tells.
      best_.hit = Overlap::yes;
      best_.time_upper = r.time_upper;
    }
  }

  void stop(double time, Status status) {
    if (best_.hit == Overlap::no) {
      best_ = {};
      best_.time = time;
    }
    best_.status = status;
    queue_.clear();
  }

  Pieces a_, b_;
  Vec3 offset_;
  const ImpactQuestion& question_;
  std::vector<Item> queue_;
  std::uint32_t entered_ = 0;
  int looks_ = 0;
  CastResult best_;
};

}  // namespace

CastResult search_impact(const MovingBody& a, const MovingBody& b, const ImpactQuestion& question) {
  CastResult r = Search(a, b, question).run();
  if (a.shape.type() != ShapeType::compound) r.part_a = -1;
  if (b.shape.type() != ShapeType::compound) r.part_b = -1;
  return r;
}

}  // namespace tactus::detail
