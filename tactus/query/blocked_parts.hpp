#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/query/part_pairs.hpp"
#include "tactus/query/way/shortest_way.hpp"

namespace tactus::detail {

/// Translations of a body B after which a part of it meets a part of a body A, world axes. Two
/// parts of which none is a mesh are one set; with a mesh there are as many as triangles that meet.
class ShiftsOfParts : public ProvedShifts {
 public:
  /// Poses are about A's position; both bodies must outlive this. `reach`: longer translations are
  /// of no interest, and a half-space stands for a box as large.
  ShiftsOfParts(const Placed& a, const Placed& b, double reach, double rounding,
                const QueryOptions& options);

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override;
  Vec3 support(std::uint32_t set, const Vec3& n) const override;
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                           const Vec3& world) const override;

 private:
  using Key = std::pair<std::int32_t, std::int32_t>;

  /// Two parts.
  struct Pair {
    Key parts;
    std::unique_ptr<ProvedShifts> shifts;
    /// The frame of `shifts`, about A's position; where `turned`, B is what stands still there.
    Pose axes;
    bool turned = false;

    Vec3 into(const Vec3& v) const { return axes.direction_to_local(turned ? -v : v); }
    Vec3 out_of(const Vec3& v) const {
      const Vec3 world = axes.direction_to_world(v);
      return turned ? -world : world;
    }
  };
  std::uint32_t pair_of(const Key& parts);
  std::uint32_t set_of(std::uint32_t pair, std::uint32_t set);
  Pair make_pair(const Key& parts) const;

  Placed a_, b_;
  PartTree tree_a_, tree_b_;
  double reach_, rounding_;
  const QueryOptions& options_;
  std::vector<Pair> pairs_;
  std::map<Key, std::uint32_t> pair_numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sets_;  ///< a pair, and its own set
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> set_numbers_;
};

/// How far B must go along n, unit, until all of its parts are beyond all parts of A: infinite
/// where a half-space is in the way. Poses are about A's position.
double way_beyond(const PartTree& a, const PartTree& b, const Vec3& n);

}  // namespace tactus::detail
