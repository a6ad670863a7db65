#include "tactus/bvh/search_observer.hpp"

#include <algorithm>
#include <iterator>

namespace tactus::detail::bvh {
namespace {

using Tree = Hierarchy<OrientedBox>;

constexpr double kNothing = std::numeric_limits<double>::infinity();

// The boxes of a tree, turned and shifted into A's frame.
std::vector<NodeBox> boxes_of(const Tree& tree, const Mat3& rotation, const Vec3& middle) {
  std::vector<NodeBox> boxes;
  const auto turned = [&](float x, float y, float z) {
    return rotation * Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  };
  for (const OrientedBox& node : tree.nodes()) {
    NodeBox box;
    box.center = turned(node.center[0], node.center[1], node.center[2]) + middle;
    for (int i = 0; i < 3; ++i) {
      const float(&axis)[4] = node.axis[i];
      box.axes.row[i] = turned(axis[0], axis[1], axis[2]);
      box.half[i] = static_cast<double>(axis[3]);
    }
    if (Tree::is_leaf(node)) {
      box.triangle = Tree::triangle(node);
    } else {
      box.right = node.link;
    }
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace

void SearchTeller::trees(const Tree& a, const Tree& b, const Mat3& rotation,
                         const Vec3& translation) {
  observer_->trees(boxes_of(a, Mat3::identity(), a.middle()),
                   boxes_of(b, rotation, translation + a.middle()));
}

void SearchTeller::begin(const NodePair& root, const MeshDistance& r) {
  open_.assign(1, root);
  SearchStep step;
  tell(step, root, r);
}

void SearchTeller::approached(double bound, std::uint32_t triangle_a, std::uint32_t triangle_b,
                              const MeshDistance& r) {
  lower_ = std::max(lower_, bound);
  SearchStep step;
  step.act = SearchAct::approached;
  step.triangle_a = triangle_a;
  step.triangle_b = triangle_b;
  tell(step, {bound, 0, 0}, r);
}

void SearchTeller::split(const NodePair& pair, const NodePair (&children)[2],
                         const MeshDistance& r) {
  close(pair, kNothing);
  open_.insert(open_.end(), std::begin(children), std::end(children));
  SearchStep step;
  step.act = SearchAct::split;
  step.children = {children[0], children[1]};
  tell(step, pair, r);
}

void SearchTeller::left_out(const NodePair& pair, const MeshDistance& r) {
  close(pair, pair.bound);
  SearchStep step;
  step.act = SearchAct::left_out;
  tell(step, pair, r);
}

void SearchTeller::leaves(const NodePair& pair, std::uint32_t triangle_a, std::uint32_t triangle_b,
                          double bound, bool measured, const MeshDistance& r) {
  close(pair, measured ? kNothing : bound);
  SearchStep step;
  step.act = measured ? SearchAct::measured : SearchAct::spared;
  step.triangle_a = triangle_a;
  step.triangle_b = triangle_b;
  tell(step, {bound, pair.a, pair.b}, r);
}

// The pair is open no more, and what it holds is no nearer than `bound`.
void SearchTeller::close(const NodePair& pair, double bound) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const NodePair& other) {
    return other.a == pair.a && other.b == pair.b;
  });
  if (found != open_.end()) open_.erase(found);
  least_left_ = std::min(least_left_, bound);
}

void SearchTeller::tell(SearchStep& step, const NodePair& pair, const MeshDistance& r) {
  if (step.act != SearchAct::approached) {
    double least = least_left_;
    for (const NodePair& waits : open_) least = std::min(least, waits.bound);
    lower_ = std::max(lower_, std::min(least, r.upper));
  }
  step.pair = pair;
  step.lower = std::min(lower_, r.upper);
  step.upper = r.upper;
  step.open = open_.size();
  step.effort = r.volume_tests + r.triangle_tests;
  observer_->step(step);
}

}  // namespace tactus::detail::bvh
