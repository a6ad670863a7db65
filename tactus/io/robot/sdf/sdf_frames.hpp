#pragma once

#include <map>
#include <string>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::io {

/// a * b, of which either keeps its bits where the other is no motion.
Pose chained(const Pose& a, const Pose& b);

/// The frames of an SDF description and their poses relative to each other: a tree whose edges are
/// the elements `pose`. The way between two frames is multiplied along the tree, so that a pose
/// that the file gives directly is found with its own bits.
class SdfFrames {
 public:
  /// The frame of a name that is used in a model. `scope`: the model, with those around it in front
  /// and `::` between; empty for the world.
  static std::string key(const std::string& scope, const std::string& name);

  /// `pose` is that of frame `to` in frame `from`; keys.
  void add(const std::string& from, const std::string& to, const Pose& pose);
  /// Orders the tree from the world on; after the last `add`.
  void finish();
  /// Is there a way from the world to the frame?
  bool knows(const std::string& key) const;
  /// Pose of frame `b` in frame `a`; both known.
  Pose pose(const std::string& a, const std::string& b) const;

 private:
  struct Edge {
    std::size_t to;
    Pose pose;  ///< of `to` in the frame that the edge belongs to
    bool inverse;
  };
  struct Frame {
    std::vector<Edge> edges;
    std::size_t parent = 0, depth = 0;
    Pose pose;  ///< in the parent
    bool reached = false;
  };
  std::size_t place(const std::string& key);

  std::map<std::string, std::size_t> places_;
  std::vector<Frame> frames_;
};

}  // namespace tactus::io
