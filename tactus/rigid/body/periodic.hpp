#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/math.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Whole periods along each axis; 0 along those that are not periodic.
using Periods = std::array<std::int32_t, 3>;

/// Positions this many periods away or more are refused.
inline constexpr std::int32_t kMostPeriods = 1'000'000'000;

inline Periods operator+(const Periods& x, const Periods& y) {
  return {x[0] + y[0], x[1] + y[1], x[2] + y[2]};
}
inline Periods operator-(const Periods& x, const Periods& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

/// The pose moved by `shift`; the same bits where that is zero.
Pose placed(const Pose& pose, const Vec3& shift);

/// Throws InvalidInput (`periodic.x` and so on) for an axis that does not end above its start.
void validate_periodic(const std::array<std::optional<PeriodicAxis>, 3>& axes);

/// A space that repeats along some axes: what is at a place is also any whole periods beside it.
class PeriodicBox {
 public:
  PeriodicBox() = default;
  explicit PeriodicBox(const std::array<std::optional<PeriodicAxis>, 3>& axes,
                       const std::optional<PeriodicShear>& shear = {});

  bool any() const { return any_; }
  bool is_sheared() const { return sheared_; }
  /// Places the images of a space under shear where they are at this time since the start.
  /// `ahead`: for how long `image_box` looks ahead.
  void set_time(double time, double ahead = 0.0);
  /// 0 along an axis that is not periodic.
  double period(int axis) const { return length_[axis]; }
  /// How many periods a place is outside the box. Throws InvalidInput (`pose`) beyond a billion.
  Periods cell(const Vec3& place) const;
  /// Periods whose shift, added to `way`, makes it the shortest; none along an axis where it is
  /// half a period. Throws InvalidInput (`field`) beyond a billion.
  Periods nearest(const Vec3& way, const char* field) const;
  Vec3 shift(const Periods& periods) const {
    Vec3 way{periods[0] * length_.x, periods[1] * length_.y, periods[2] * length_.z};
    if (sheared_) way[flow_] += aside(periods);
    return way;
  }
  /// Velocity of an image beside that of what it is an image of.
  Vec3 image_velocity(const Periods& periods) const {
    Vec3 velocity;
    if (sheared_) velocity[flow_] = periods[static_cast<std::size_t>(gradient_)] * speed_;
    return velocity;
  }
  /// The box of an image, with the way that it moves ahead.
  Aabb image_box(const Aabb& box, const Periods& periods) const;
  /// Throws InvalidInput (`shape`) for a body that could reach more than half of a period from end
  /// to end, and for an unbounded one whose images are not one.
  void check(const Body& body) const;
  /// Throws StepFault (`place`) for a body that `check` or `cell` refuses, and (`motion`) for one
  /// that `way`, its motion in a step, brings on by a period.
  void check_step(const Body& body, const Vec3& way) const;
  /// Brings a body that left the box back into it, and returns by how many periods; fixed and
  /// unbounded ones stay. Throws StepFault (`place`) beyond a billion.
  Periods bring_back(Body& body) const;
  /// Calls `visit(periods)` for each image of `box`, itself included, that shares a point with
  /// `all`, in ascending order. Both must be bounded.
  template <class Visit>
  void each_image(const Aabb& box, const Aabb& all, const Visit& visit) const;

 private:
  /// Displacement of an image along the flow.
  double aside(const Periods& periods) const {
    return periods[static_cast<std::size_t>(gradient_)] * offset_;
  }
  /// The first and the last image of `box` along an axis that shares a place with `all`.
  std::array<std::int32_t, 2> images_along(int axis, const Aabb& box, const Aabb& all) const;

  bool any_ = false, sheared_ = false;
  Vec3 lower_, length_;
  int flow_ = 0, gradient_ = 0;
  double speed_ = 0.0;   ///< of the next image across the gradient
  double offset_ = 0.0;  ///< its displacement along the flow
  double ahead_ = 0.0;
};

/// Finds the pairs of boxes in a periodic space. Boxes near a face get images on the other side.
class PeriodicPairs {
 public:
  /// `entries` have their places as ids. Replaces `pairs` by all pairs (a, b) of entries for which
  /// the box of a shares a point with the one of b some periods beside it, and `images` by those
  /// periods, ascending by (a, b, periods). Unbounded boxes have no images. Throws InvalidInput as
  /// the broad phase. Cost: that of the broad phase for the boxes and the images that are near.
  void find(const PeriodicBox& space, std::span<const BroadEntry> entries, AutoBroadPhase& broad,
            std::size_t most, std::vector<BroadPair>& pairs, std::vector<Periods>& images);

 private:
  struct Found {
    BroadPair pair;
    Periods image;
    friend bool operator<(const Found& x, const Found& y) {
      return x.pair != y.pair ? x.pair < y.pair : x.image < y.image;
    }
  };
  void place(const PeriodicBox& space, std::span<const BroadEntry> entries);
  void add_images(const PeriodicBox& space, std::size_t entry, const Aabb& all);

  std::vector<BroadEntry> boxes_;     ///< those of the entries within the box, then the images
  std::vector<std::uint32_t> owner_;  ///< of each of `boxes_`: its entry
  std::vector<Periods> image_;        ///< likewise: from where the entry lies
  std::vector<BroadPair> near_;
  std::vector<Found> found_;
};

template <class Visit>
void PeriodicBox::each_image(const Aabb& box, const Aabb& all, const Visit& visit) const {
  Periods first{}, last{};
  for (int i = 0; i < 3; ++i) {
    if (length_[i] == 0.0) {
      if (box.upper[i] < all.lower[i] || all.upper[i] < box.lower[i]) return;
      continue;
    }
    const auto at = static_cast<std::size_t>(i);
    const auto along = images_along(i, box, all);
    first[at] = along[0];
    last[at] = along[1];
  }
  if (sheared_) {
    const auto flow = static_cast<std::size_t>(flow_),
               gradient = static_cast<std::size_t>(gradient_);
    const std::size_t other = 3 - flow - gradient;
    Periods image{};
    for (image[gradient] = first[gradient]; image[gradient] <= last[gradient]; ++image[gradient]) {
      image[flow] = image[other] = 0;
      const auto along = images_along(flow_, image_box(box, image), all);
      for (image[flow] = along[0]; image[flow] <= along[1]; ++image[flow])
        for (image[other] = first[other]; image[other] <= last[other]; ++image[other]) visit(image);
    }
    return;
  }
  for (std::int32_t x = first[0]; x <= last[0]; ++x) {
    for (std::int32_t y = first[1]; y <= last[1]; ++y) {
      for (std::int32_t z = first[2]; z <= last[2]; ++z) visit(Periods{x, y, z});
    }
  }
}

}  // namespace tactus::detail
