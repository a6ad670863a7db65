#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tactus/fit/decomposition/mesh_split.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// Is the point in the body, or at most `tolerance` above each of its planes? Never in a flat one.
bool holds(const ConvexHull& hull, const Vec3& p, double tolerance);

/// Errors of a part's hull against the body, estimated for a search; in lengths of the mesh.
struct PartError {
  double bulge = 0.0;   ///< farthest that the hull's surface leaves the body
  double fill = 0.0;    ///< deepest that the part's surface lies below the hull's open faces
  double volume = 0.0;  ///< of the hull
  Vec3 bulge_at, fill_at;
  Vec3 bulge_normal, fill_normal;  ///< of the hull's face there, or above
  double worst() const { return bulge > fill ? bulge : fill; }
};

/// A piece of a surface with its hull.
struct Part {
  TriangleMesh surface;       ///< empty when the part was made by joining
  std::vector<Vec3> samples;  ///< vertices of the pieces of the outer surface, in the part
  std::vector<Plane> cuts;    ///< planes that bound the part; it lies below all of them
  std::vector<Vec3> corners;  ///< points of the body's inside where three cuts meet
  ConvexHull hull;
  PartError error;
  double allowed = 0.0;  ///< bound of the error
  bool stuck = false;    ///< no plane cuts it
  bool alone = false;    ///< shall not be joined
  bool good() const { return error.worst() <= allowed; }
};

/// Estimates errors of hulls with a grid of distances. All functions may run on many threads.
class PartJudge {
 public:
  /// Once `cancel` is set while the grid is made, errors are estimated no longer.
  PartJudge(const Solid& solid, int threads, const std::atomic<bool>* cancel = nullptr);

  const Solid& solid() const { return solid_; }
  double unit() const { return solid_.unit(); }

  /// `samples` are points of the surface within the hull, `cuts` planes in which hull faces are no
  /// open ones: the body goes on behind them.
  PartError judge(const ConvexHull& hull, std::span<const Vec3> samples,
                  std::span<const Plane> cuts) const;
  /// From now on a hull that holds this place, farther outside the body than estimates show, is
  /// known to bulge. Not while other functions run.
  void remember_outside(const Vec3& place);
  /// Fills in hull and error.
  void finish(Part& part) const;
  /// The whole surface as one part.
  Part whole() const;
  /// Either side of a plane, finished; a side where nothing is has a hull without vertices.
  std::pair<Part, Part> split(const Part& part, const Plane& plane) const;
  /// The pieces of a part that does not hang together; none when it does. `estimate` asks the grid
  /// instead of the surface, and takes many pieces for one.
  std::vector<Part> islands(const Part& part, bool estimate = false) const;
  /// A convex piece of the body as a part: its samples, and the planes behind which body goes on.
  Part of_hull(const ConvexHull& hull) const;
  /// Two parts as one, finished; the stricter bound holds.
  Part join(const Part& a, const Part& b) const;

 private:
  bool goes_on(const ConvexHull& hull, std::span<const Plane> cuts, bool estimate) const;

  struct Place {
    Vec3 at;
    double out;  ///< distance from the body
  };
  void judge_remembered(const ConvexHull& hull, PartError& error) const;

  const Solid& solid_;
  DistanceGrid grid_;
  std::vector<Vec3> samples_;
  std::vector<Place> outside_;
};

}  // namespace tactus::detail::fit
