#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Normals that differ by less (1 - cosine: some 1e-5) are one, and make one patch.
inline constexpr double kParallel = 5e-11;
/// Contacts less deep than this part of the proved depth do not explain it.
inline constexpr double kExplained = 0.5;
/// Distances below this part of the extent have no normal of their own: where triangles just touch,
/// any direction in which nothing overlaps serves. Above the noise of poses.
inline constexpr double kTouching = 1e-7;

/// The feature of a point and the triangle, or other feature, that it belongs to.
inline std::uint64_t mixed(std::uint64_t feature, std::uint64_t triangle) {
  // Odd multipliers permute: different triangles stay different.
  return feature ^ ((triangle + 1) * 0x9e3779b97f4a7c15u);
}

/// Contact points of a mesh and another body by normal.
class ContactCollector {
 public:
  /// `extent`: of the smaller body; `rotation_of_b`: its axes in those of the points. `body`: the
  /// core of a convex B, whose position the points are about; `beside`: how far
  /// off its surface, where it is curved, a point may be that is moved onto it.
  ContactCollector(double same_place, double extent, const Mat3& rotation_of_b,
                   const Core* body = nullptr, double beside = 0.0)
      : same_place_(same_place),
        extent_(extent),
        rotation_of_b_(rotation_of_b),
        body_(body),
        beside_(beside) {}

  void add(const Vec3& n, const PatchPoint& point);

  /// Do the points explain the answer of the whole pair?
  bool explain(const DistanceResult& whole) const;

  /// Hands out patches of the points no farther apart than `within`. `axes`, `origin`: of the
  /// points' frame in the world.
  void emit(const Mat3& axes, const Vec3& origin, double within, ManifoldSink& sink);

 private:
  struct Group {
    Vec3 n;
    std::vector<PatchPoint> points;
    /// The points, by their place along `kAlong`; empty of few points.
    std::multimap<double, std::size_t> places;
  };
  /// The point of a group that is at the place of a new one, which is handed in; else the number of
  /// points.
  std::size_t find_same(const Group& group, const Vec3& place) const;

  double same_place_, extent_;
  Mat3 rotation_of_b_;
  const Core* body_;
  double beside_;
  std::vector<Group> groups_;
};

/// How contacts are given out: the place of each surface nearest to a point of the world, what adds
/// the contact of the nearest triangles, the frame of the collected points in the world, and how
/// far points may be apart.
struct ContactExit {
  std::function<Vec3(const Vec3&)> on_a, on_b;
  std::function<void()> add_nearest;
  Mat3 axes;
  Vec3 origin;
  double within;
};

/// The answer of the whole pair as its only contact. Where the surfaces did not show their depth,
/// its witnesses are moved onto them. False where these are apart by more than `within`.
bool emit_whole(const DistanceResult& whole, const ContactExit& exit, ManifoldSink& sink);

/// Hands out the contacts found, or, where they do not explain the answer (`known`) or do not touch
/// though the bodies do, the whole answer's witnesses; at last the nearest triangles.
void emit_contacts(ContactCollector& found, bool known, const DistanceResult& whole,
                   const ContactExit& exit, ManifoldSink& sink);

}  // namespace tactus::detail
