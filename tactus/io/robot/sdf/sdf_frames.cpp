#include "tactus/io/robot/sdf/sdf_frames.hpp"

namespace tactus::io {

Pose chained(const Pose& a, const Pose& b) {
  if (a == Pose()) return b;
  return b == Pose() ? a : a * b;
}

std::string SdfFrames::key(const std::string& scope, const std::string& name) {
  if (name == "__model__") return scope;
  if (name == "world") return "";
  return scope.empty() ? name : scope + "::" + name;
}

std::size_t SdfFrames::place(const std::string& key) {
  const auto [at, is_new] = places_.try_emplace(key, frames_.size());
  if (is_new) frames_.emplace_back();
  return at->second;
}

void SdfFrames::add(const std::string& from, const std::string& to, const Pose& pose) {
  const std::size_t a = place(from), b = place(to);
  frames_[a].edges.push_back({b, pose, false});
  frames_[b].edges.push_back({a, pose, true});
}

void SdfFrames::finish() {
  std::vector<std::size_t> open{place("")};
  frames_[open.front()].reached = true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::size_t parent = open[i];
    for (const Edge& edge : frames_[parent].edges) {
      Frame& child = frames_[edge.to];
      if (child.reached) continue;
      child.reached = true;
      child.parent = parent;
      child.depth = frames_[parent].depth + 1;
      child.pose = edge.inverse ? relative(edge.pose, Pose()) : edge.pose;
      open.push_back(edge.to);
    }
  }
}

bool SdfFrames::knows(const std::string& key) const {
  const auto at = places_.find(key);
  return at != places_.end() && frames_[at->second].reached;
}

Pose SdfFrames::pose(const std::string& a, const std::string& b) const {
  std::size_t i = places_.at(a), j = places_.at(b);
  Pose to_a, to_b;  // from the frame that both ways meet in
  while (i != j) {
    const bool first = frames_[i].depth > frames_[j].depth;
    std::size_t& k = first ? i : j;
    Pose& way = first ? to_a : to_b;
    way = chained(frames_[k].pose, way);
    k = frames_[k].parent;
  }
  return to_a == Pose() ? to_b : relative(to_a, to_b);
}

}  // namespace tactus::io
