#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "tactus/fit/decomposition/concavity.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// How a body that is not convex is taken apart (docs/algorithms/convex-decomposition.md).
enum class DecompositionMethod : std::uint8_t {
  modern,  ///< planes found by search, then merging: the fewest parts
  merge,   ///< groups of triangles, bottom-up, by the volume of their boxes
  cavity   ///< planes through the deepest point below the hull
};
/// The name as users write it.
std::string_view to_string(DecompositionMethod method);
/// The method of that name.
std::optional<DecompositionMethod> decomposition_method_from(std::string_view name);

/// How a decomposition ended.
enum class DecompositionStatus : std::uint8_t {
  reached,     ///< the measured concavity is within the bound
  part_limit,  ///< `max_parts` did not suffice: all of them are used
  stuck,       ///< no further step helps, or the measured concavity stayed above the bound
  cancelled    ///< stopped on request: what was done by then, covering the whole surface
};
std::string_view to_string(DecompositionStatus status);

struct DecomposeOptions {
  DecompositionMethod method = DecompositionMethod::modern;
  /// Bound of the Hausdorff distance between surface and parts, of the model scaled to [-1, 1].
  double concavity = 0.05;
  std::uint32_t max_parts = 1024;  ///< at most as many parts, whatever the concavity
  int threads = 0;                 ///< 0: all processors; the answer does not depend on it
  const std::atomic<bool>* cancel =
      nullptr;  ///< set from anywhere, looked at several times a second
  /// Told now and then, from the calling thread, how many parts there are and what part of the work
  /// is done, as far as that can be guessed.
  std::function<void(std::uint32_t parts, double done)> progress;
};

struct ConvexDecomposition {
  std::vector<ConvexHull> parts;  ///< in the frame and unit of the mesh
  /// Measured on the parts, however they were made; lengths of the mesh.
  fit::Concavity measured;
  double unit = 1.0;            ///< length of the mesh that counts as 1 for `concavity`
  double parts_volume = 0.0;    ///< sum over the parts; `measured.volume` is that of their union
  double surface_volume = 0.0;  ///< within the surface, where it is closed; 0 otherwise
  bool closed = false;
  DecompositionStatus status = DecompositionStatus::reached;

  /// Bounds of the concavity of the model scaled to [-1, 1].
  double concavity_lower() const { return measured.lower() / unit; }
  double concavity_upper() const { return measured.upper() / unit; }
  /// The parts as one body for queries and worlds.
  Compound compound() const;
};

/// Convex bodies whose union stands for the body that the surface encloses.
///
/// The union holds every point of the surface. Its own surface keeps within `concavity` of the
/// mesh's (Hausdorff distance, both ways), measured afterwards with a bracket by an independent
/// function; `status` says whether that was reached. The mesh need not be closed, oriented,
/// manifold or free of intersections. Deterministic: the same mesh and options give the same bits
/// on any number of threads. Throws InvalidInput: as `validate`; `triangles` when none has an area;
/// `concavity` when not positive or not finite; `max_parts` when 0. Cost: seconds for thousands of
/// triangles. Source: wei2022coacd (modern), huotari2011 (merge, cavity), with deviations that
/// the documentation names.
ConvexDecomposition decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

}  // namespace tactus
