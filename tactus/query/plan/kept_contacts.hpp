#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tactus/math/fields.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Something that never changes, shared by all copies; or nothing.
template <class T>
class Shared {
 public:
  const T* get() const { return held_.get(); }
  void clear() { held_.reset(); }
  void set(T&& value) { held_ = std::make_shared<const T>(std::move(value)); }
  friend bool operator==(const Shared& x, const Shared& y) {
    return x.held_ == y.held_ || (x.held_ != nullptr && y.held_ != nullptr && *x.held_ == *y.held_);
  }
  template <class Archive>
  friend void transfer(Archive& archive, Shared& shared) {
    bool has = shared.held_ != nullptr;
    archive(has);
    if constexpr (Archive::kReads) {
      shared.clear();
      if (!has) return;
      T value;
      transfer(archive, value);
      shared.set(std::move(value));
    } else if (has) {
      // Only reads; `transfer` takes a reference for the sake of archives that do not.
      transfer(archive, const_cast<T&>(*shared.held_));
    }
  }

 private:
  std::shared_ptr<const T> held_;
};

/// Where a body is in the frame of another one, and how far its core reaches from its middle.
struct CorePlace {
  Mat3 rotation;        ///< of its frame
  Vec3 origin;          ///< of its frame
  Vec3 middle;          ///< in its frame
  double reach = 0.0;   ///< of a ball about the middle that holds its core
  double radius = 0.0;  ///< by which the core is grown

  /// A way that no point of the core has gone beyond, from where it was at first.
  double moved(const Mat3& first_rotation, const Vec3& first_origin) const;
};

/// Contacts of a pair as a query found them, to be told again while its bodies have hardly moved
/// against each other: normals stay on A, points of the core on B, and depths follow.
///
/// Let `moved` be a way that no point of B's core has gone beyond since then, as A sees it. Then no
/// place of B has come nearer to A by more than that: nothing that was not told is deeper than
/// `moved`, or nearer than `within - moved` where it was farther than `within`. The depth of a
/// point that is told is exact for a corner or a ball on a face, and else wrong by some curvature
/// times `moved` squared, and never by more than `moved`. Source:
/// docs/algorithms/time-stepping.md.
class KeptContacts {
 public:
  bool empty() const { return found_.get() == nullptr; }
  void clear() { found_.clear(); }

  /// Keeps what was found: `patches` are those nearer than `within`, in the world. `key` tells A's
  /// shape from others.
  void keep(const Pose& pose_a, const Pose& pose_b, const CorePlace& place, double within,
            std::uint64_t key, const DistanceResult& whole, std::span<const Manifold> patches);
  /// Hands out what was kept, if no point has moved by more than `most`, and everything nearer than
  /// `margin` is sure to be in it. The bracket of `whole` widens by the way moved.
  bool tell(const Pose& pose_a, const Pose& pose_b, const CorePlace& place, double margin,
            double most, std::uint64_t key, DistanceResult& whole, ManifoldSink& sink) const;

  /// Are the numbers finite, and is each point one of a patch that has room for it?
  bool is_valid() const;

  friend bool operator==(const KeptContacts&, const KeptContacts&) = default;
  template <class Archive>
  friend void transfer(Archive& archive, KeptContacts& kept) {
    transfer(archive, kept.found_);
  }

 private:
  struct Point {
    Vec3 on_a;    ///< A's frame
    Vec3 core_b;  ///< of B's core, B's frame
    std::uint64_t feature = 0;
    friend bool operator==(const Point&, const Point&) = default;
  };
  /// A patch: the next `count` of the points.
  struct Patch {
    Vec3 normal;  ///< A's frame
    std::uint32_t count = 0;
    friend bool operator==(const Patch&, const Patch&) = default;
  };
  struct Found {
    Mat3 rotation;
    Vec3 origin;
    double reach = 0.0, radius = 0.0, within = 0.0, lower = 0.0, upper = 0.0;
    std::uint64_t key = 0;
    std::vector<Patch> patches;
    std::vector<Point> points;
    friend bool operator==(const Found&, const Found&) = default;
  };
  template <class Archive>
  friend void transfer(Archive& archive, Point& point) {
    archive(point.on_a);
    archive(point.core_b);
    archive(point.feature);
  }
  template <class Archive>
  friend void transfer(Archive& archive, Patch& patch) {
    archive(patch.normal);
    archive(patch.count);
  }
  template <class Archive>
  friend void transfer(Archive& archive, Found& found) {
    for (Vec3& row : found.rotation.row) archive(row);
    archive(found.origin);
    archive(found.reach);
    archive(found.radius);
    archive(found.within);
    archive(found.lower);
    archive(found.upper);
    archive(found.key);
    archive(found.patches);
    archive(found.points);
  }

  Shared<Found> found_;
};

}  // namespace tactus::detail
