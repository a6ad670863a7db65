#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"

namespace tactus {
class SupportFunction;
}

namespace tactus::detail {

struct PreparedHull;
struct ShapeAccess;

/// Kind of a core, which is a convex body without its ball; decides how support points and
/// second-order steps are computed.
enum class CoreKind : std::uint8_t {
  point,
  segment,
  box,
  triangle,
  polytope,
  cylinder,
  cone,
  ellipsoid,
  custom
};

/// A convex body as the narrow phase sees it: a core grown by a ball of radius `radius`.
///
/// Sphere = point + r, capsule = segment + r; `rounding` adds to the radius. An ellipsoid gives
/// away the ball that rolls freely inside it (its least radius of curvature), so that shallow
/// overlaps of ellipsoids are separations of their cores, which have a two-sided proof. A view:
/// refers to the data of the shape that made it, does not own them. Source: design, core plus
/// radius; schneider2014 (inner parallel bodies, section 3.1).
struct Core {
  /// The support set of a core consists of pieces: vertices, rims (circles), or one smooth surface.
  /// A piece knows its support point in any direction near the one where it is the support.
  using Piece = std::uint32_t;

  CoreKind kind = CoreKind::point;
  double radius = 0.0;  ///< of the ball that the core is grown by
  double shrink = 0.0;  ///< part of `radius` taken from an ellipsoid itself
  Vec3 half;    ///< box, segment: half edges; ellipsoid: radii; cylinder, cone: (r, r, half length)
  Vec3 center;  ///< a point inside the core, local frame
  double reach = 0.0;   ///< largest absolute coordinate sum of a core point: scales rounding errors
  double extent = 0.0;  ///< longest extent of the grown body along its axes
  const PreparedHull* hull = nullptr;       ///< polytope
  const Vec3* corners = nullptr;            ///< triangle: three, of a mesh; not a shape by itself
  const SupportFunction* custom = nullptr;  ///< custom

  bool is_polytope() const { return kind <= CoreKind::polytope; }
  /// True when the piece has a support point that moves with the direction.
  bool is_smooth(Piece piece) const {
    return kind == CoreKind::ellipsoid || kind == CoreKind::cylinder ||
           (kind == CoreKind::cone && piece == 1);
  }
};

}  // namespace tactus::detail

namespace tactus {

/// Ball of the given radius about the origin. Radius 0 is a point.
class Sphere {
 public:
  explicit Sphere(double radius);
  double radius() const noexcept { return radius_; }

 private:
  double radius_;
};

/// Box with full edge lengths `size`, centred at the origin, edges along the axes. Zero edges are
/// allowed.
class Box {
 public:
  explicit Box(const Vec3& size);
  const Vec3& size() const noexcept { return size_; }
  Vec3 half() const noexcept { return size_ * 0.5; }

 private:
  Vec3 size_;
};

/// Segment of the given length along z, centred, grown by a ball of the given radius.
class Capsule {
 public:
  Capsule(double radius, double length);
  double radius() const noexcept { return radius_; }
  double length() const noexcept { return length_; }

 private:
  double radius_, length_;
};

/// Circular cylinder along z, centred. Radius 0 is a segment, length 0 a disc.
class Cylinder {
 public:
  Cylinder(double radius, double length);
  double radius() const noexcept { return radius_; }
  double length() const noexcept { return length_; }

 private:
  double radius_, length_;
};

/// Circular cone along z: base disc of the given radius at -length/2, apex at +length/2. Radius 0
/// is a segment, length 0 a disc.
class Cone {
 public:
  Cone(double radius, double length);
  double radius() const noexcept { return radius_; }
  double length() const noexcept { return length_; }

 private:
  double radius_, length_;
};

/// Ellipsoid with semi-axes `radii` along x, y, z; all positive.
class Ellipsoid {
 public:
  explicit Ellipsoid(const Vec3& radii);
  const Vec3& radii() const noexcept { return radii_; }

 private:
  Vec3 radii_;
};

/// Convex hull of a point set; immutable and shared between copies.
/// Points, segments and flat hulls are valid shapes (without volume).
class Convex {
 public:
  /// Throws InvalidInput (`vertices`) for an empty set or a coordinate that is not finite.
  explicit Convex(std::span<const Vec3> points);
  /// A hull as `convex_hull` makes it. Throws InvalidInput: no vertex (`vertices`), a face whose
  /// corners are not in the lists (`faces[i]`). `check_hull` tells the rest.
  explicit Convex(ConvexHull hull);
  const ConvexHull& hull() const noexcept;
  /// Axis-aligned box of the vertices, local frame.
  const Vec3& lower() const noexcept;
  const Vec3& upper() const noexcept;

 private:
  friend struct detail::ShapeAccess;
  std::shared_ptr<const detail::PreparedHull> hull_;
};

class Shape;

namespace detail {
/// A mesh with facts that are computed once: is it closed, does it face inward, its hull.
struct MeshFacts {
  MeshFacts();
  ~MeshFacts();
  MeshFacts(const MeshFacts&) = delete;
  MeshFacts& operator=(const MeshFacts&) = delete;

  TriangleMesh mesh;
  bool closed = false, inward = false;
  std::unique_ptr<const Shape> hull;
  std::vector<std::uint32_t> component_vertices;
};
}  // namespace detail

/// Triangle surface with its hierarchy of volumes; immutable and shared between copies, so that
/// thousands of bodies use one mesh. A closed one bounds a body: all points that it winds around,
/// in whichever sense, belong to the shape. An open one is its bare surface.
class Mesh {
 public:
  /// Cost: that of the hierarchy and of sorting edges, some microsecond per triangle.
  explicit Mesh(TriangleMesh mesh);
  /// This mesh with moved vertices, in place of a new mesh each step of a deformation: triangles
  /// and the hierarchy's tree stay, its volumes are made anew. Queries are as exact, and the slower
  /// the more the surface has folded since the tree was built. Throws InvalidInput (`vertices`)
  /// unless there are as many as before, and finite. Cost: some half of a new mesh.
  Mesh moved(std::vector<Vec3> vertices) const;
  /// This surface without an inside, as an open mesh is: queries see its triangles alone. Shares
  /// everything with this mesh. Cost: none.
  Mesh bare() const noexcept;
  const TriangleMesh& mesh() const noexcept { return facts_->mesh; }
  /// Does every edge have as many sides of one sense as of the other? Vertices at the same place
  /// count as one. Only then the surface has an inside.
  /// False of a bare one.
  bool closed() const noexcept { return facts_->closed && !bare_; }
  /// A vertex of each connected component, by index: where they lie tells where the components lie
  /// that meet nothing.
  std::span<const std::uint32_t> component_vertices() const noexcept {
    return facts_->component_vertices;
  }
  /// The hull as a Convex, when the body is exactly that: the surface is closed and nowhere bends
  /// inwards. Null for other meshes.
  const Shape* hull() const noexcept { return bare_ ? nullptr : facts_->hull.get(); }
  /// Are the triangles of a closed mesh seen clockwise from outside (negative volume)?
  bool inward() const noexcept { return facts_->inward; }
  /// Does the point (local frame) belong to the body: inside of a closed mesh? Exact; false for
  /// points on the surface. Cost: some microseconds.
  bool holds(const Vec3& point) const;

 private:
  friend struct detail::ShapeAccess;
  Mesh(std::shared_ptr<const detail::MeshFacts> facts, bool bare)
      : facts_(std::move(facts)), bare_(bare) {}

  std::shared_ptr<const detail::MeshFacts> facts_;
  bool bare_ = false;
};

/// All x with normal . x <= offset. The normal is normalised together with the offset.
class HalfSpace {
 public:
  HalfSpace(const Vec3& normal, double offset);
  const Vec3& normal() const noexcept { return normal_; }
  double offset() const noexcept { return offset_; }

 private:
  Vec3 normal_;
  double offset_;
};

namespace detail {
struct CompoundData;
}

/// Rigid union of shapes; immutable and shared between copies. Distance is the smallest, depth the
/// largest over the pairs of parts, and the bracket refers to that. A part that is a compound
/// itself is replaced by its parts: indices of parts count those.
class Compound {
 public:
  struct Part;
  /// Cost: that of a tree of boxes over the parts.
  explicit Compound(std::vector<Part> parts);
  const std::vector<Part>& parts() const noexcept;

 private:
  friend struct detail::ShapeAccess;
  std::shared_ptr<const detail::CompoundData> data_;
};

/// A convex body given by its support function: derive, and pass it as CustomConvex. Brackets are
/// as true as for any shape; but since nothing is known of the function's derivatives, normals and
/// witnesses agree with the distance only to about the square root of the tolerance asked for.
class SupportFunction {
 public:
  virtual ~SupportFunction() = default;
  /// Farthest point of the body in `direction` (not zero, not necessarily unit), in the body's
  /// frame. Must be a pure function that never throws.
  virtual Vec3 support(const Vec3& direction) const noexcept = 0;
};

/// Shares ownership of a user's support function.
class CustomConvex {
 public:
  explicit CustomConvex(std::shared_ptr<const SupportFunction> function);
  const SupportFunction& function() const noexcept { return *function_; }

 private:
  std::shared_ptr<const SupportFunction> function_;
};

/// Order of the alternatives of Shape::Geometry, and of every pair table.
enum class ShapeType : unsigned char {
  sphere,
  box,
  capsule,
  cylinder,
  cone,
  ellipsoid,
  convex,
  mesh,
  halfspace,
  compound,
  custom,
};
inline constexpr int kShapeTypes = 11;

/// Name as used in files and messages: `sphere`, `box`, ...
std::string_view to_string(ShapeType type);

/// Any shape: one of the closed set above, the convex ones optionally grown by a ball (`rounding`).
/// A Shape that exists is valid. Copies are cheap and share their data.
/// @code{.cpp}
/// const Shape ball = Sphere(0.5);
/// const Shape brick(Box({2, 1, 1}), 0.1);  // edges rounded by 0.1
/// assert(brick.type() == ShapeType::box && brick.rounding_radius() == 0.1);
/// assert(bounding_box(ball, Pose::translation({3, 0, 0})).lower.x <= 2.5);
/// @endcode
class Shape {
 public:
  using Geometry = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Convex, Mesh,
                                HalfSpace, Compound, CustomConvex>;

  /// Throws InvalidInput (`rounding`) when negative, not finite, or set on a mesh, half-space or
  /// compound.
  template <class G>
    requires std::constructible_from<Geometry, G>
  // NOLINTNEXTLINE(google-explicit-constructor): a sphere is a shape
  Shape(G geometry, double rounding = 0.0) : geometry_(std::move(geometry)), rounding_(rounding) {
    finish();
  }

  ShapeType type() const noexcept { return static_cast<ShapeType>(geometry_.index()); }
  const Geometry& geometry() const noexcept { return geometry_; }
  double rounding_radius() const noexcept { return rounding_; }
  [[deprecated("rounding_radius")]] double rounding() const noexcept { return rounding_; }
  bool is_convex_body() const noexcept;  ///< neither mesh, half-space nor compound

 private:
  friend struct detail::ShapeAccess;
  void finish();
  void check_rounding() const;

  Geometry geometry_;
  double rounding_;
  detail::Core core_;
};

/// A shape and where it stands in the compound.
struct Compound::Part {
  Shape shape;
  Pose pose;
};

/// Axis-aligned box, lower <= upper; unbounded sides are infinite.
struct Aabb {
  Vec3 lower, upper;
};

inline bool overlaps(const Aabb& a, const Aabb& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
inline Aabb merge(const Aabb& a, const Aabb& b) {
  return {component_min(a.lower, b.lower), component_max(a.upper, b.upper)};
}

/// Tight axis-aligned box of a placed shape, up to rounding (each side is moved outwards by a few
/// ulps so that the box holds the shape). A half-space is infinite except where it is aligned with
/// an axis. Cost: constant for primitives, a pass over the vertices for hulls, some hundred boxes
/// of vertices for meshes.
Aabb bounding_box(const Shape& shape, const Pose& pose);

/// Longest extent of the shape's box in its own frame, radius included: the length to which errors
/// are related. Infinite for a half-space.
double extent(const Shape& shape);

/// Radius of a ball about the local origin that holds the shape; infinite for a half-space.
double bounding_radius(const Shape& shape);

/// Volume, centre of mass and inertia of a shape of unit density, in its own frame, rounding
/// included.
///
/// Exact up to rounding for every shape (an ellipsoid with rounding, which has no closed form: to
/// 1e-11). A compound sums its parts, so that overlaps count twice. Without volume (point, segment,
/// disc, flat hull) the inertia is 0. The same bits on every machine. Throws InvalidInput for a
/// half-space (unbounded) and a custom support function (unknown). Cost: constant, or a pass over
/// hull or mesh; 10 to 100 ms for an ellipsoid with rounding.
MassProperties mass_properties(const Shape& shape);

/// The shape with all its meshes bare (Mesh::bare), those of parts included; a shape without a
/// closed mesh as it is. Cost: none, but for compounds, which are made anew.
Shape bare(const Shape& shape);

/// The shape enlarged by `factor` about its local origin, rounding and the poses of parts included.
/// Throws InvalidInput (`scale`) unless the factor is positive and finite, or for a custom support
/// function, whose size only its owner knows. Cost: linear in the vertices.
Shape scaled(const Shape& shape, double factor);

/// A farthest point of a shape along `direction` (any vector but zero), both in the shape's frame,
/// rounding included.
///
/// Among several farthest points: of a box the corner with the larger coordinates, of a disc the
/// point on +x, of a hull or mesh the vertex with the lowest index, of a cone the apex. A mesh or
/// compound answers for its convex hull. A half-space has no farthest point and gives the point of
/// its plane nearest to the origin. The plain reference: queries use a faster equivalent of their
/// own. Cost: constant, or a pass over the vertices.
Vec3 support(const Shape& shape, const Vec3& direction);

/// Largest value of unit_direction . x over the shape, rounding included: the support function.
/// Infinite for a half-space, except along its normal.
double support_value(const Shape& shape, const Vec3& unit_direction);

}  // namespace tactus
