#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// Bodies at a moment: where they were detected, or, where `moving` is given, a time ahead of where
/// it has brought them.
struct Moment {
  std::span<const Body> bodies;
  const MovingBodies* moving = nullptr;
  double time = 0.0;

  Pose pose(std::uint32_t body) const {
    return moving != nullptr ? moving->pose_ahead(body, time) : bodies[body].pose();
  }
};

/// The patches that are judged: those of this rank, and copies of others' (*guests*), of bodies
/// that this rank shares with them.
class SeamPatches {
 public:
  SeamPatches(std::span<ContactPatch> own, std::span<ContactPatch> guests)
      : own_(own), guests_(guests) {}
  std::size_t size() const { return own_.size() + guests_.size(); }
  std::size_t own() const { return own_.size(); }
  ContactPatch& operator[](std::size_t i) const {
    return i < own_.size() ? own_[i] : guests_[i - own_.size()];
  }

 private:
  std::span<ContactPatch> own_, guests_;
};

/// Judges the contacts of a body with several neighbours together: neighbours whose surfaces meet
/// are one surface, and a contact counts only where its normal is one of the union's.
///
/// A contact of a body with X, normal n towards the body, is *covered* by its contact with another
/// neighbour Y, normal m, when for each of its points p on X
/// - n and m differ by more than an angle,
/// - p is on the plane across m on which the body meets Y,
/// - X does not rise above that plane there (a wall does), and
/// - Y is there beside p, where the plane goes up across n.
/// Lengths up to `kSeamGap` of the size are none; size: of the smallest of the body, X, and the
/// part of X. A covered patch loses its points, and is asked for again when its bodies have moved:
/// where the body comes to lie over X, its contact has another normal.
///
/// Cost: some products for each two contacts of a body, and a few queries of a small ball for those
/// whose planes let it be. The answer depends on the order of patches only where two contacts cover
/// each other: the earlier one is then the one that goes.
class Seams {
 public:
  /// Patches as all of them were just detected. Covered ones are marked, and lose their points.
  /// `before(i, j)`: the order of patches, asked for where there are guests.
  using Order = std::function<bool(std::uint32_t, std::uint32_t)>;
  void judge(std::span<const Body> bodies, const SeamPatches& patches, const Order& before,
             int max_threads);
  /// Had the body a covered patch at `judge`?
  bool is_on_seam(std::uint32_t body) const { return on_seam_[body] != 0; }
  /// Judges a patch that was just detected again, beside the others as these were last
  /// detected. Only where another patch of one of its bodies was covered at `judge`.
  void judge_again(std::uint32_t patch, const SeamPatches& patches, const Moment& moment) const;

 private:
  /// A contact as one of its two bodies sees it; everything in that body's frame of images.
  struct Side {
    Vec3 normal;          ///< towards the body
    double height = 0.0;  ///< of the plane across it on which the body meets the neighbour
    Vec3 place;           ///< of the first point
    double gap = 0.0;
    double radius = 0.0;  ///< of the neighbour's ball
    std::uint32_t patch = 0;
    std::uint32_t body = 0;  ///< the neighbour
    std::int32_t part = -1;  ///< of the body that sees it
    bool of_a = false;       ///< this body is A of the patch
  };
  using Near = std::array<std::span<const Side>, 2>;
  /// The contacts of a body.
  struct Around {
    std::vector<Side> sides;
    // Where they are many and sorted.
    int axis = 0;
    std::size_t first_small = 0;
    double most_radius = 0.0;  ///< of small neighbours

    void sort(double large);
    Near near(const Side& side) const;
  };
  struct Asked;
  static Side side_of(std::uint32_t patch, bool of_a, const SeamPatches& patches,
                      const Moment& moment);
  static bool may_cover(const Side& side, const Vec3& place, double gap, const Side& other);
  static bool covers(const Asked& asked, const Side& other, const SeamPatches& patches,
                     const Moment& moment);
  static bool is_covered(const Side& side, const Near& near, const SeamPatches& patches,
                         const Moment& moment);
  void list_patches(std::span<const Body> bodies, const SeamPatches& patches);
  void find_sides(std::uint32_t body, const SeamPatches& patches, const Moment& moment,
                  std::vector<Side>& sides) const;
  void judge_body(std::uint32_t body, const SeamPatches& patches, const Moment& moment,
                  Around& around);
  static void drop(const SeamPatches& patches, std::size_t index);
  std::vector<std::uint32_t> first_;  ///< by body, in `list_`
  std::vector<std::uint32_t> list_;   ///< patches of each body that can be pushed
  std::vector<std::uint32_t> next_;   ///< by body, while `list_` is filled
  std::vector<char> covered_;         ///< by patch: as its body A sees it, as B does
  std::vector<char> on_seam_;         ///< by body: has a covered patch
};

}  // namespace tactus::detail
