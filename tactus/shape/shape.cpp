#include "tactus/shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "tactus/bvh/point_query.hpp"
#include "tactus/math/length.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/math/symmetric_eigen.hpp"
#include "tactus/mesh/hull/hull_lists.hpp"
#include "tactus/mesh/surface/topology.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tactus/shape/prepared_hull.hpp"

namespace tactus {
using namespace detail;
namespace {

[[noreturn]] void refuse(const char* field, const char* demand, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  throw InvalidInput(field, std::string(demand) + ", is " + text);
}

double require_finite(const char* field, double value) {
  if (!std::isfinite(value)) refuse(field, "must be finite", value);
  return value;
}

double require_not_negative(const char* field, double value) {
  if (!std::isfinite(value) || value < 0.0) refuse(field, "must be finite and not negative", value);
  return value;
}

double require_positive(const char* field, double value) {
  if (!std::isfinite(value) || value <= 0.0) refuse(field, "must be finite and positive", value);
  return value;
}

template <class Requirement>
Vec3 require_each(const char* field, const Vec3& value, Requirement requirement) {
  for (int i = 0; i < 3; ++i) requirement(field, value[i]);
  return value;
}

}  // namespace

Sphere::Sphere(double radius) : radius_(require_not_negative("radius", radius)) {}

Box::Box(const Vec3& size) : size_(require_each("size", size, require_not_negative)) {}

Capsule::Capsule(double radius, double length)
    : radius_(require_not_negative("radius", radius)),
      length_(require_not_negative("length", length)) {}

Cylinder::Cylinder(double radius, double length)
    : radius_(require_not_negative("radius", radius)),
      length_(require_not_negative("length", length)) {}

Cone::Cone(double radius, double length)
    : radius_(require_not_negative("radius", radius)),
      length_(require_not_negative("length", length)) {}

Ellipsoid::Ellipsoid(const Vec3& radii) : radii_(require_each("radii", radii, require_positive)) {}

namespace {
// Thinner ellipsoids (in squares of radii) are left out: rounding would show.
constexpr double kThinnest = 1e-6;
// Part of its size by which an inner ellipsoid is shrunk, so that rounding cannot put it outside.
constexpr double kInside = 1e-8;

// The ellipsoids that are like a hull.
void add_ellipsoids(detail::PreparedHull& hull) {
  // Three times the mean square of the vertices' places about their mean: of points all over an
  // ellipsoid, its squared radii.
  const double share = 1.0 / static_cast<double>(hull.vertices.size());
  Vec3 mean;
  for (const Vec3& v : hull.vertices) mean += v * share;
  for (const Vec3& v : hull.vertices) {
    const Vec3 d = v - mean;
    for (int i = 0; i < 3; ++i) hull.spread.row[i] += d * (3.0 * share * d[i]);
  }
  const Vec3 squares = symmetric_eigen(hull.spread).values;
  const double least = std::min(std::min(squares.x, squares.y), squares.z);
  if (hull.dimension < 3 || !(least > kThinnest * max_abs(squares))) return;
  double scale = std::numeric_limits<double>::infinity();
  for (const ConvexHull::Face& face : hull.faces) {
    const double ahead = std::sqrt(dot(face.normal, hull.spread * face.normal));
    scale = std::min(scale, (face.offset - dot(face.normal, mean)) / ahead);
  }
  scale *= 1.0 - kInside;
  if (!(scale > 0.0 && std::isfinite(1.0 / (scale * scale * least)))) return;
  const Mat3 form = inverse(hull.spread);
  for (int i = 0; i < 3; ++i) hull.inner.row[i] = form.row[i] * (1.0 / (scale * scale));
  hull.inner_radius = scale * std::sqrt(least);
}

void list_faces(detail::PreparedHull& hull) {
  std::vector<std::uint32_t>& first = hull.first_face;
  first.assign(hull.vertices.size() + 1, 0);
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    for (const std::uint32_t corner : hull.corners(hull.faces[f])) ++first[corner + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  hull.faces_of_vertices.resize(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
    for (const std::uint32_t corner : hull.corners(hull.faces[f]))
      hull.faces_of_vertices[next[corner]++] = f;
  }
}
}  // namespace

Convex::Convex(std::span<const Vec3> points) : Convex(convex_hull(points)) {}

Convex::Convex(ConvexHull hull)
    : hull_(std::make_shared<const detail::PreparedHull>(std::move(hull))) {}

const ConvexHull& Convex::hull() const noexcept { return *hull_; }
const Vec3& Convex::lower() const noexcept { return hull_->lower; }
const Vec3& Convex::upper() const noexcept { return hull_->upper; }

detail::PreparedHull::PreparedHull(ConvexHull hull) : ConvexHull(std::move(hull)) {
  require_lists(*this);
  lower = upper = vertices[0];
  for (const Vec3& v : vertices) {
    lower = component_min(lower, v);
    upper = component_max(upper, v);
    largest = std::fmax(largest, max_abs(v));
    radius = std::fmax(radius, safe_norm(v));
  }
  directions = DirectionMap(vertices);
  list_faces(*this);
  add_ellipsoids(*this);
}

namespace {
TriangleMesh valid(TriangleMesh mesh) {
  validate(mesh);
  return mesh;
}
}  // namespace

namespace {
// The triangles by the first vertex at each place.
TriangleMesh joined(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> first = first_at_place(mesh);
  TriangleMesh result{mesh.vertices, mesh.triangles};
  for (auto& triangle : result.triangles) {
    for (std::uint32_t& index : triangle) index = first[index];
  }
  return result;
}

// Do the sides cancel at every edge?
bool bounds_volume(const TriangleMesh& mesh, const MeshTopology& topology) {
  return std::all_of(topology.edges.begin(), topology.edges.end(),
                     [&](const MeshTopology::Edge& edge) {
                       int sum = 0;
                       for (const std::uint32_t side : topology.sides_of(edge))
                         sum += mesh.triangles[side / 3][side % 3] == edge.tail ? 1 : -1;
                       return sum == 0 || edge.tail == edge.head;
                     });
}

// Is the body of a closed surface its hull? Exactly: no edge bends inwards, and the surface goes
// round once, so that the volumes agree.
bool is_hull(const TriangleMesh& mesh, const MeshTopology& topology, double volume) {
  // Relative; a surface that goes round twice has twice the volume.
  constexpr double kSameVolume = 1e-6;
  if (topology.components != 1 || !topology.closed() || !(volume != 0.0)) return false;
  const auto& v = mesh.vertices;
  for (const MeshTopology::Edge& edge : topology.edges) {
    const auto sides = topology.sides_of(edge);
    const auto& t = mesh.triangles[sides[0] / 3];
    const Vec3& beyond = v[mesh.triangles[sides[1] / 3][(sides[1] % 3 + 2) % 3]];
    const int bend = orient3d(v[t[0]], v[t[1]], v[t[2]], beyond);
    if (bend * (volume > 0.0 ? 1 : -1) > 0) return false;
  }
  const double of_hull = mass_properties(convex_hull(v)).volume;
  return std::fabs(std::fabs(volume) - of_hull) <= kSameVolume * of_hull;
}
}  // namespace

detail::MeshFacts::MeshFacts() = default;
detail::MeshFacts::~MeshFacts() = default;

detail::MeshData::MeshData(TriangleMesh surface) : tree(mesh = valid(std::move(surface))) {
  find_facts();
}

detail::MeshData::MeshData(TriangleMesh surface, bvh::Hierarchy<bvh::OrientedBox> known)
    : tree(std::move(known)) {
  mesh = valid(std::move(surface));
  tree.refit(mesh);
  find_facts();
}

namespace {
// Vertices as the leaves of the tree name them, those of no triangle last.
std::vector<std::uint32_t> order_of_leaves(const TriangleMesh& mesh,
                                           const bvh::Hierarchy<bvh::OrientedBox>& tree) {
  using Tree = bvh::Hierarchy<bvh::OrientedBox>;
  std::vector<std::uint32_t> order;
  order.reserve(mesh.vertices.size());
  std::vector<bool> seen(mesh.vertices.size(), false);
  const auto add = [&](std::uint32_t vertex) {
    if (!seen[vertex]) order.push_back(vertex);
    seen[vertex] = true;
  };
  for (const bvh::OrientedBox& node : tree.nodes()) {
    if (!Tree::is_leaf(node)) continue;
    for (const std::uint32_t vertex : mesh.triangles[Tree::triangle(node)]) add(vertex);
  }
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) add(v);
  return order;
}
}  // namespace

void detail::MeshData::find_facts() {
  reach = PointBoxes(mesh.vertices, order_of_leaves(mesh, tree));
  const TriangleMesh same = joined(mesh);
  const MeshTopology topology = make_topology(same);
  closed = bounds_volume(same, topology);
  component_vertices.assign(topology.components, 0);
  for (std::size_t t = mesh.triangles.size(); t-- > 0;)
    component_vertices[topology.component[t]] = mesh.triangles[t][0];
  if (!closed) return;
  const double volume = mass_properties(mesh).volume;
  inward = volume < 0.0;
  if (is_hull(same, topology, volume)) {
    hull = std::make_unique<const Shape>(Convex(mesh.vertices));
  } else {
    cones = extreme_cones(same, topology, inward);
  }
}

Mesh::Mesh(TriangleMesh mesh) : facts_(std::make_shared<const detail::MeshData>(std::move(mesh))) {}

Mesh Mesh::moved(std::vector<Vec3> vertices) const {
  if (vertices.size() != mesh().vertices.size())
    throw InvalidInput("vertices", "must be " + std::to_string(mesh().vertices.size()));
  TriangleMesh surface{std::move(vertices), mesh().triangles};
  return Mesh(
      std::make_shared<const detail::MeshData>(std::move(surface), detail::view_of(*this).tree),
      bare_);
}

Mesh Mesh::bare() const noexcept { return Mesh(facts_, true); }

bool Mesh::holds(const Vec3& point) const {
  return closed() && bvh::winding_at(detail::view_of(*this), point).number != 0;
}

HalfSpace::HalfSpace(const Vec3& normal, double offset)
    : normal_(require_each("normal", normal, require_finite)),
      offset_(require_finite("offset", offset)) {
  const double largest = max_abs(normal);
  if (!(largest > 0.0)) throw InvalidInput("normal", "must not be zero");
  normal_ = normalized(normal);
  // The norm in two factors, so that it neither overflows nor underflows.
  offset_ = require_finite("offset", offset / largest / norm(normal / largest));
}

Compound::Compound(std::vector<Part> parts) {
  if (parts.empty()) throw InvalidInput("parts", "must not be empty");
  std::vector<Part> flat;
  flat.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    if (!is_finite(part.pose))
      throw InvalidInput("parts[" + std::to_string(i) + "].pose", "must be finite");
    if (const auto* inner = std::get_if<Compound>(&part.shape.geometry())) {
      for (const Part& p : inner->parts()) flat.push_back({p.shape, part.pose * p.pose});
    } else {
      flat.push_back(std::move(part));
    }
  }
  data_ = std::make_shared<const detail::CompoundData>(std::move(flat));
}

const std::vector<Compound::Part>& Compound::parts() const noexcept { return data_->parts; }

CustomConvex::CustomConvex(std::shared_ptr<const SupportFunction> function)
    : function_(std::move(function)) {
  if (!function_) throw InvalidInput("function", "must not be null");
}

std::string_view to_string(ShapeType type) {
  constexpr std::string_view kNames[] = {"sphere",    "box",       "capsule", "cylinder",
                                         "cone",      "ellipsoid", "convex",  "mesh",
                                         "halfspace", "compound",  "custom"};
  return detail::name_in(kNames, type);
}

bool Shape::is_convex_body() const noexcept {
  switch (type()) {
    case ShapeType::mesh:
    case ShapeType::halfspace:
    case ShapeType::compound:
      return false;
    default:
      return true;
  }
}

void Shape::check_rounding() const {
  require_not_negative("rounding", rounding_);
  if (rounding_ > 0.0 && !is_convex_body()) {
    throw InvalidInput("rounding", "not possible for a " + std::string(to_string(type())));
  }
}

}  // namespace tactus
