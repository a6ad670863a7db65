#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// The body that a surface encloses, also when the surface has holes, crosses itself or branches.
///
/// Inside is where the surface winds around the point at least half a time: for a closed surface
/// the winding number, otherwise the mean of the crossings above the point along nine directions.
/// Deterministic. Lengths in the unit of the mesh. Source: jacobson2013winding (the mean over all
/// directions is the generalised winding number).
class Solid {
 public:
  /// Throws InvalidInput as `validate`, and (`triangles`) when no triangle has an area.
  explicit Solid(const TriangleMesh& mesh);
  ~Solid();
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;

  /// The mesh, cleaned (clean_mesh.hpp).
  const TriangleMesh& mesh() const;
  bvh::MeshView view() const;
  /// Half of the longest edge of the box about the mesh: lengths divided by it are those of the
  /// model scaled to [-1, 1].
  double unit() const;
  bool closed() const;

  /// Cost: some microseconds for a closed surface, ten times that for another.
  bool inside(const Vec3& p) const;
  /// Distance of `p` from the body: 0 inside, else that from the surface.
  double outside_by(const Vec3& p) const;

  /// The surface in pieces with edges below a twentieth of `unit`, without the pieces that lie
  /// within the body (parts of a model that reach into each other).
  const TriangleMesh& outer_surface() const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

/// Signed distances from the surface of a solid (negative inside) on a grid, for searches that ask
/// often and need no guarantee: off by some hundredths of the unit next to edges.
class DistanceGrid {
 public:
  /// Cost: some microseconds per node, on all processors. Once `cancel` is set the rest counts as
  /// on the surface.
  DistanceGrid(const Solid& solid, int nodes_along_longest, int threads,
               const std::atomic<bool>* cancel = nullptr);
  double at(const Vec3& p) const;
  /// Nodes in hollows that the surface encloses, as far from it at least as all nodes around them;
  /// the farthest first.
  struct Peak {
    Vec3 at;
    double distance;
  };
  std::vector<Peak> enclosed_peaks() const;

 private:
  std::vector<bool> reached_from_rim() const;
  std::size_t place(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }

  Vec3 lower_;
  double step_ = 1.0;
  int count_[3] = {2, 2, 2};
  std::vector<float> value_;
};

}  // namespace tactus::detail::fit
