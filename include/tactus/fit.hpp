#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/mesh.hpp"
#include "tactus/planar.hpp"
#include "tactus/shape.hpp"

namespace tactus::fit {

/// Where the axes of a box come from: the rungs of the ladder, from cheap to best.
enum class BoxMethod : std::uint8_t {
  given,          ///< chosen by the caller
  points,         ///< principal axes of the points
  hull_vertices,  ///< principal axes of the corners of the convex hull
  hull_surface,   ///< principal axes of the surface of the convex hull, by integrals
  search,         ///< branch and bound over all rotations, to a proved factor
  calipers        ///< least volume of all: two adjacent faces on edges of the hull
};

/// In words, as the program prints it.
std::string_view to_string(BoxMethod method);

/// A box in any orientation: all x with |axes.row[i] . (x - center)| <= half[i] for i = 0, 1, 2.
struct OrientedBox {
  Vec3 center;
  Mat3 axes;  ///< a rotation; its rows are the directions of the sides, the longest side first
  Vec3 half;  ///< half the lengths of the sides
  BoxMethod method = BoxMethod::given;

  /// Zero or infinite where it is out of the range of numbers.
  double volume() const { return 8.0 * (half.x * half.y * half.z); }
  /// From the frame in which the box is centred and aligned.
  Pose pose() const { return detail::unchecked_pose(center, transpose(axes)); }
};

/// The least box along given axes. `axes`: a rotation up to rounding; the box's axes are its rows,
/// made orthonormal to the last digit and ordered by length. Every point is inside for certain: the
/// sides are rounded outwards, by some 1e-15 of the box's size, which also covers that the axes are
/// orthonormal only up to rounding (the points are inside, too, when the box is drawn as
/// center + sum s_i axes.row[i], |s_i| <= half[i]). Flat and collinear points give sides of that
/// size. Throws InvalidInput (`points`) when there are none or a coordinate is not finite
/// (`points[i]`). Cost: two passes over the points.
OrientedBox box_along(std::span<const Vec3> points, const Mat3& axes);

/// The box along the principal axes of the points (those of their covariance). Clusters of points
/// inside a body turn it. Errors: as for box_along. Cost: three passes.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_points(std::span<const Vec3> points);

/// The box of `points` along the principal axes of the hull's vertices alone: points inside don't
/// count, clusters on the surface do. `hull` must be the hull of the points.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_hull_vertices(std::span<const Vec3> points, const ConvexHull& hull);

/// The box of `points` along the principal axes of the hull's surface (of the polygon when it is
/// flat, of the segment when collinear), whose moments are integrals: how a face is triangulated
/// does not count. `hull` must be the hull of the points.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_hull_surface(std::span<const Vec3> points, const ConvexHull& hull);

/// Hulls with more corners are left to the search over rotations alone.
inline constexpr std::size_t kMostCalipersVertices = 2000;

/// A box and what is known of all others.
struct MinimumBox {
  OrientedBox box;
  /// No box about the points has less volume than this; zero where nothing is proved.
  double lower = 0.0;
};

/// The box of least volume about the points: the best of the whole ladder.
///
/// Up to `kMostCalipersVertices` corners of the hull it is the least box of all, up to rounding
/// (`lower` is its volume less some 1e-12 of it, more for thin bodies): two of its adjacent faces
/// lie on edges of the hull, and all pairs of edges are tried. Beyond, `lower` is proved by branch
/// and bound over all rotations, and the volume is at most 1.001 times as large (for other than
/// very round bodies 1.000001 times). Where several boxes are equally good, which one is fixed, but
/// not said.
///
/// Points in a plane get the rectangle of least area, and a side that rounding alone has made, as
/// thick as rounding; so do bodies thinner than 1e-9 of their length, and `lower` is 0. Collinear
/// points get the segment. Every point is inside for certain, as for `box_along`. The same bits for
/// any number of threads. `hull` must be that of the points. Throws InvalidInput (`points`). Cost:
/// 0.01 to 1 s for the search; the pairs of n corners some 1e-7 n^2 s.
/// Source: orourke1985boxes (which boxes can be least); how they are searched, and the search over
/// rotations, are ours: docs/algorithms/oriented-boxes.md.
/// @code{.cpp}
/// const std::vector<Vec3> points = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 1}};
/// const fit::MinimumBox least = fit::minimum_box(points);
/// const Vec3 half = least.box.half;
/// assert(8 * half.x * half.y * half.z <= 2.0 + 1e-12);
/// @endcode
MinimumBox minimum_box(std::span<const Vec3> points, const ConvexHull& hull);
MinimumBox minimum_box(std::span<const Vec3> points);

/// How a body that is not convex is taken apart (docs/algorithms/convex-decomposition.md).
enum class DecompositionMethod : std::uint8_t {
  modern,  ///< planes found by search, then merging: the fewest parts
  merge,   ///< groups of triangles, bottom-up, by the volume of their boxes
  cavity   ///< planes through the deepest point below the hull
};
/// The name as users write it.
std::string_view to_string(DecompositionMethod method);

/// How a decomposition ended.
enum class DecompositionStatus : std::uint8_t {
  reached,     ///< the measured concavity is within the bound
  part_limit,  ///< `max_parts` did not suffice: all of them are used
  stuck,       ///< no further step helps, or the measured concavity stayed above the bound
  cancelled    ///< stopped on request: what was done by then, covering the whole surface
};
std::string_view to_string(DecompositionStatus status);

/// Options of `decompose`; the defaults serve.
struct DecomposeOptions {
  DecompositionMethod method = DecompositionMethod::modern;
  /// Bound of the Hausdorff distance between surface and parts, of the model scaled to [-1, 1].
  double concavity = 0.05;
  std::uint32_t max_parts = 1024;  ///< at most as many parts, whatever the concavity
  /// At most as many vertices of each part, at least 4; 0: as many as it has. Parts with more are
  /// replaced by larger ones with fewer, which the measurement sees; flat parts are divided.
  std::uint32_t max_vertices = 0;
  int max_threads = 0;  ///< 0: all processors; the answer does not depend on it
  const std::atomic<bool>* cancel =
      nullptr;  ///< set from anywhere, looked at several times a second
  /// Told now and then, from the calling thread, how many parts there are and what part of the work
  /// is done, as far as that can be guessed.
  std::function<void(std::uint32_t parts, double done)> progress;
};

/// A length between two bounds, and a point that attains the lower one.
struct Deviation {
  double lower = 0.0, upper = 0.0;
  Vec3 at;
};

/// Hausdorff distance between the surface of a solid and that of a union of convex bodies, by its
/// two directions. Lengths of the mesh.
struct Concavity {
  /// From the union's boundary outside the solid to the surface; of a closed surface also from
  /// within hollows that the union fills.
  Deviation bulge;
  Deviation hollow;     ///< from the union's boundary inside the solid to the surface: a void
  Deviation fill;       ///< from the outer surface to the union's boundary
  double volume = 0.0;  ///< of the union, up to the rounding of its boundary
  double lower() const;
  double upper() const;
};

/// Convex bodies that stand for one that is not, and how far they are from it.
struct ConvexDecomposition {
  std::vector<ConvexHull> parts;  ///< in the frame and unit of the mesh
  /// Measured on the parts, however they were made; lengths of the mesh.
  Concavity measured;
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
/// manifold or free of intersections. Bodies bounded by few planes are cut along these, exactly
/// (docs/algorithms/convex-decomposition.md); where the surface is an open sheet of few planes, the
/// parts are flat, otherwise parts of a closed surface have a volume. By the method `modern` a
/// larger bound never leaves more parts. Deterministic: the same mesh and options give the same
/// bits on any number of threads. Throws InvalidInput: as `validate`; `triangles` when none has an
/// area; `concavity` when not positive or not finite; `max_parts` when 0; `max_vertices` when 1
/// to 3. Cost: seconds for thousands of triangles. Source: wei2022coacd (modern), huotari2011
/// (merge, cavity), with deviations that the documentation names.
ConvexDecomposition decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

/// The part of space above and below a region of the plane z = 0, from -height / 2 to height / 2: a
/// compound of prisms of convex pieces, which cover the region exactly and have no corners but its
/// own. In a `World` of the plane xy two of them touch where their regions do, as
/// `planar::contacts` tells. Throws InvalidInput: `height` unless positive and finite, `outer` for
/// corners beyond 1e90 or whose products underflow. Cost: O(n^2) for n corners.
Shape extruded(const planar::Region& region, double height);

/// A picture that somebody else keeps: grey values from black (0) to white (65535), row by row from
/// the top.
struct GreyImage {
  int width = 0, height = 0;
  std::span<const std::uint16_t> values;
};

/// Pictures of more pixels are refused.
inline constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

/// Which side of the threshold is inside.
enum class Foreground : std::uint8_t {
  automatic,  ///< the one to which less than half of the picture's rim belongs
  inverted,   ///< the other one
  dark,
  light
};
constexpr std::string_view to_string(Foreground foreground) {
  constexpr std::string_view kNames[] = {"automatic", "inverted", "dark", "light"};
  return detail::name_in(kNames, foreground);
}

/// Where four pixels alternate: do the two inside hang together?
enum class SaddleRule : std::uint8_t {
  mean,  ///< when the mean of the four lies inside
  join,  ///< always
  split  ///< never
};
constexpr std::string_view to_string(SaddleRule rule) {
  constexpr std::string_view kNames[] = {"mean", "join", "split"};
  return detail::name_in(kNames, rule);
}

/// How outlines are taken from a picture (docs/algorithms/contour-tracing.md).
struct TraceOptions {
  /// Grey value between both sides, in (0, 1); without it Otsu's.
  std::optional<double> threshold;
  Foreground foreground = Foreground::automatic;
  SaddleRule saddle = SaddleRule::mean;
  /// Shapes and holes of less area, in pixels, are left out.
  double despeckle = 2.0;
  /// Outlines run along the sides of the pixels, exactly: corners stay, collinear points are left
  /// out, and where two corners of a shape meet in a point, both step back from it by a 64th of a
  /// pixel. Neither with `error` nor with `points`.
  bool pixels = false;
  /// Bound of the distance between the points traced and the contour, in pixels. Without it, and
  /// without `points`: kSmoothError, or kBinaryError for a picture without grey edges.
  std::optional<double> error;
  /// At most so many points for each contour, with the least error; at least 3. Not with `error`.
  std::optional<std::size_t> points;
  bool y_up = true;    ///< the origin in the lower left corner of the picture, else the upper left
  double scale = 1.0;  ///< length of a pixel, in [1e-9, 1e9]
};

inline constexpr double kSmoothError = 0.015, kBinaryError = 0.1;

/// One closed outline.
struct TracedContour {
  std::vector<planar::Vec2> points;  ///< as accepted by Contour
  std::size_t traced = 0;            ///< points before simplification
  /// Bound of the Hausdorff distance from the line of the traced points, measured and rounded up.
  double error = 0.0;
};

/// A shape and its holes, as accepted by Region: the outer contour counter-clockwise, holes
/// clockwise, by the axes of the result.
struct TracedRegion {
  TracedContour outer;
  std::vector<TracedContour> holes;
};

/// Regions found in a picture, and how it was read.
struct Tracing {
  std::vector<TracedRegion> regions;  ///< row by row of the picture, from y = 0
  double threshold = 0.0;             ///< that was used, in (0, 1)
  bool dark = false;                  ///< the shapes are darker than what is around them
  bool binary = false;                ///< no grey edges: places are known to half a pixel only
  std::size_t specks = 0;             ///< contours left out for their area
  std::size_t restored = 0;           ///< points kept only so that nothing crosses
};

/// The outlines of a picture's shapes, to a small part of a pixel.
///
/// Grey pixels along an edge count as the part of the pixel that is covered: straight edges are
/// exact up to the steps of grey, corners are refitted from their sides. Lengths are pixels times
/// `scale`; what reaches the picture's rim ends there. Contours are simplified one by one to the
/// fewest points of the trace within the error (or the least error for a number of points), and
/// points come back where contours would cross, touch, or change sides. The same bits everywhere.
/// A picture of one value alone is inside as a whole: its rectangle is the outline. Outlines
/// without grey pixels keep the corners of whole pixels, those of less than 12 pixels in width and
/// height are exactly that of their pixels. Throws InvalidInput (`image`, `threshold`, and the
/// names of the options): no pixels, more than kMostPixels, a size other than that of `values`, one
/// value only that is outside (transparent, or asked for by the foreground), a number out of its
/// range. Cost: linear in the pixels, then in the shortcuts between points of the outlines; 10 ms
/// for an outline in 512 x 512 pixels. Source: otsu1979threshold, lorensen1987marching,
/// hirt1981vof, imai1988polygonal; the refit of corners is ours.
Tracing trace_contours(const GreyImage& image, const TraceOptions& options = {});

/// Some points of a line that stand for all.
struct SimplifiedLine {
  std::vector<std::size_t> kept;  ///< indices, rising
  double error = 0.0;  ///< bound of the Hausdorff distance of both lines, measured and rounded up
};

/// The fewest points of a line whose segments keep within `error` of the points left out, and so of
/// the whole line; of an open line the ends are kept, of a closed one three points at least. For
/// very long lines nearly the fewest (docs/algorithms/contour-tracing.md). The result may cross
/// itself. Throws InvalidInput (`points`, `error`): a coordinate that is not finite or beyond 1e90,
/// less than two points, an error that is not finite or negative. Source: imai1988polygonal,
/// chan1996approximation.
SimplifiedLine simplify(std::span<const planar::Vec2> points, bool closed, double error);

/// At most `most` points, at least 3, with the least error (to 1e-9 of it). Otherwise as
/// `simplify`.
SimplifiedLine simplify_to(std::span<const planar::Vec2> points, bool closed, std::size_t most);

/// Which diagonal cuts a cell of a heightfield into two triangles.
enum class HeightDiagonal : std::uint8_t {
  automatic,  ///< "auto": the one whose ends differ less in height; the rising one where equal
  rising,     ///< from the corner of lower x and y
  falling,    ///< from the corner of larger x and lower y
  alternate   ///< rising and falling in turn, as on a chessboard
};
constexpr std::string_view to_string(HeightDiagonal diagonal) {
  constexpr std::string_view kNames[] = {"auto", "rising", "falling", "alternate"};
  return detail::name_in(kNames, diagonal);
}

/// A grid of heights above the plane z = 0.
struct Heightfield {
  std::uint32_t columns = 0, rows = 0;      ///< numbers of points along x and y, at least 2 each
  std::vector<double> heights;              ///< row by row, from lower y; each from lower x
  double spacing_x = 1.0, spacing_y = 1.0;  ///< of the points, > 0
  HeightDiagonal diagonal = HeightDiagonal::automatic;
  /// With it the surface is closed by walls and a floor, so far below the lowest point: a body with
  /// an inside, in which nothing sinks unseen. Without, it is open: a bare surface.
  std::optional<double> thickness = {};  ///< > 0
};

/// The surface of a heightfield, centred about the z axis, its triangles counter-clockwise as seen
/// from above: two per cell, and with a thickness two per wall of a rim cell and as many for the
/// floor. Vertices in the order of the heights, then those of the floor. Throws InvalidInput naming
/// the field (`heights[i]` for one that is not finite). Cost: linear.
TriangleMesh make_heightfield(const Heightfield& field);

}  // namespace tactus::fit

namespace tactus::detail {
using namespace ::tactus::fit;
}  // namespace tactus::detail

// Names of 0.1, until 0.3. Types warn; functions and constants cannot.
#ifndef TACTUS_WITHOUT_DEPRECATED
namespace tactus {
using BoxMethod [[deprecated("tactus::fit::BoxMethod")]] = fit::BoxMethod;
using Concavity [[deprecated("tactus::fit::Concavity")]] = fit::Concavity;
using ConvexDecomposition [[deprecated("tactus::fit::ConvexDecomposition")]] =
    fit::ConvexDecomposition;
using DecomposeOptions [[deprecated("tactus::fit::DecomposeOptions")]] = fit::DecomposeOptions;
using DecompositionMethod [[deprecated("tactus::fit::DecompositionMethod")]] =
    fit::DecompositionMethod;
using DecompositionStatus [[deprecated("tactus::fit::DecompositionStatus")]] =
    fit::DecompositionStatus;
using Deviation [[deprecated("tactus::fit::Deviation")]] = fit::Deviation;
using Foreground [[deprecated("tactus::fit::Foreground")]] = fit::Foreground;
using GreyImage [[deprecated("tactus::fit::GreyImage")]] = fit::GreyImage;
using MinimumBox [[deprecated("tactus::fit::MinimumBox")]] = fit::MinimumBox;
using OrientedBox [[deprecated("tactus::fit::OrientedBox")]] = fit::OrientedBox;
using SaddleRule [[deprecated("tactus::fit::SaddleRule")]] = fit::SaddleRule;
using SimplifiedLine [[deprecated("tactus::fit::SimplifiedLine")]] = fit::SimplifiedLine;
using TraceOptions [[deprecated("tactus::fit::TraceOptions")]] = fit::TraceOptions;
using TracedContour [[deprecated("tactus::fit::TracedContour")]] = fit::TracedContour;
using TracedRegion [[deprecated("tactus::fit::TracedRegion")]] = fit::TracedRegion;
using Tracing [[deprecated("tactus::fit::Tracing")]] = fit::Tracing;
using fit::box_along;
using fit::box_of_hull_surface;
using fit::box_of_hull_vertices;
using fit::box_of_points;
using fit::decompose;
using fit::kBinaryError;
using fit::kMostCalipersVertices;
using fit::kMostPixels;
using fit::kSmoothError;
using fit::minimum_box;
using fit::simplify;
using fit::simplify_to;
using fit::to_string;
using fit::trace_contours;
[[deprecated("tactus::from_string")]] inline std::optional<fit::DecompositionMethod>
decomposition_method_from(std::string_view name) {
  return from_string<fit::DecompositionMethod>(name);
}
}  // namespace tactus
#endif
