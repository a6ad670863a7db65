#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "tactus/deform.hpp"
#include "tactus/soft/contact/nearest.hpp"
#include "tactus/soft/model/elements.hpp"
#include "tactus/soft/model/surface_set.hpp"

namespace tactus::detail {

/// Energy of a gap: k / 2 (r - d)^2 down to half of the contact distance r, from there on by the
/// logarithm, so that no force closes the gap; twice differentiable. Source: chen2025ogc, section
/// 3.3.
struct Barrier {
  double r;
  double energy(double k, double d) const;
  double slope(double k, double d) const;      ///< <= 0
  double curvature(double k, double d) const;  ///< >= 0
};

/// Pairs of primitives that are near, and vertices near a half-space, with what they may move until
/// the next search.
class Contacts {
 public:
  struct Settings {
    double r = 0.0;      ///< contact distance
    double slip = 1e-5;  ///< way in a step from which on friction is whole
    int max_threads = 0;
  };
  /// A near pair; or of a half-space: vertex v[0].
  struct Near {
    PrimitivePair pair;
    bool floor = false;
    double offset = 0.0;  ///< of the half-space
    std::uint32_t floor_body = 0;
    double distance = 0.0;  ///< at the search
    double stiffness = 0.0;
    double friction = 0.0;
    // At the search, for friction: weights, direction and force.
    std::array<double, 4> weights{};
    Vec3 normal;
    double force = 0.0;
    int count() const { return floor ? 1 : 4; }
    /// A vertex of each side; of a half-space the same.
    std::array<std::uint32_t, 2> sides() const { return {pair.v[0], pair.v[pair.edges ? 2 : 1]}; }
  };

  /// Finds what is nearer than `reach` at `x`. `stiffness` and `friction` of bodies.
  void search(const SurfaceSet& set, std::span<const Vec3> x, double reach,
              std::span<const double> stiffness, std::span<const double> friction,
              const Settings& settings);
  /// No pairs.
  void clear(std::size_t vertices);

  /// How far each vertex may move from `x` so that no pair can come to touch, and none that was not
  /// found comes nearer than the contact distance.
  std::span<const double> bounds() const { return bounds_; }
  /// Pairs that can come nearer than the contact distance within the bounds.
  std::span<const Near> active() const { return active_; }
  double least_gap() const { return least_gap_; }

  /// Energy of gaps and, with `start`, of friction since there.
  double energy(std::span<const Vec3> x, std::span<const Vec3> start, bool with_friction) const;
  /// Energy of these active pairs, with friction.
  double energy_of(std::span<const std::uint32_t> pairs, std::span<const Vec3> x,
                   std::span<const Vec3> start) const;
  /// Is the vertex part of an active pair?
  bool has_active(std::uint32_t vertex) const { return first_[vertex] != first_[vertex + 1]; }
  /// Energy of the active pairs of a vertex, with friction.
  double energy_at(std::uint32_t vertex, std::span<const Vec3> x,
                   std::span<const Vec3> start) const;
  /// Replaces `contacts` by the pairs that touch: nearer than the contact distance at `x`. With the
  /// body of each vertex.
  void touching(std::span<const Vec3> x, std::span<const Vec3> start,
                std::span<const std::uint32_t> body_of,
                std::vector<DeformableContact>& contacts) const;
  /// Adds what the pairs of a vertex give to its local model.
  void add(std::uint32_t vertex, std::span<const Vec3> x, std::span<const Vec3> start,
           LocalModel& model) const;
  /// Contribution of a pair to the model of a body that moves as one and holds some of its
  /// vertices: derivatives by the place of a point of the body.
  struct Touch {
    Vec3 point;
    LocalModel model;
  };
  /// Contributions of an active pair to the body of vertices [first, last): gap, and friction.
  std::array<Touch, 2> touches(std::uint32_t pair, std::uint32_t first, std::uint32_t last,
                               std::span<const Vec3> x, std::span<const Vec3> start) const;
  /// Calls `take(j)` for all vertices that share an active pair with `vertex`.
  template <class Take>
  void each_partner(std::uint32_t vertex, const Take& take) const {
    for (std::uint32_t i = first_[vertex]; i < first_[vertex + 1]; ++i) {
      const Near& n = active_[of_vertex_[i][0]];
      for (int k = 0; k < n.count(); ++k) {
        const std::uint32_t j = n.pair.v[static_cast<std::size_t>(k)];
        if (j != vertex) take(j);
      }
    }
  }
  /// Does the continuous test find any contact on the way from `x0` to `x1`? Of all pairs that were
  /// found; half-spaces exactly.
  bool any_impact(std::span<const Vec3> x0, std::span<const Vec3> x1) const;

 private:
  static double distance_of(const Near& n, std::span<const Vec3> x);
  void add_energy(const Near& n, std::span<const Vec3> x, std::span<const Vec3> start,
                  bool with_friction, double& sum) const;
  static Vec3 slip_of(const Near& n, std::span<const Vec3> x, std::span<const Vec3> start);
  void finish(const SurfaceSet& set, double reach);

  Settings settings_;
  std::vector<Near> near_, active_;
  std::vector<double> bounds_;
  std::vector<std::uint32_t> first_;                     ///< of each vertex, into `of_vertex_`
  std::vector<std::array<std::uint32_t, 2>> of_vertex_;  ///< active pair, corner
  double least_gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace tactus::detail
