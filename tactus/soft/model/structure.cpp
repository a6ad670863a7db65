#include "tactus/soft/model/structure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tactus/math/predicates.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

using Edge = std::array<std::uint32_t, 2>;
using Face = std::array<std::uint32_t, 3>;

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
}

bool positive(double value) { return value > 0.0 && std::isfinite(value); }
bool at_least_zero(double value) { return value >= 0.0 && std::isfinite(value); }

Edge edge_of(std::uint32_t a, std::uint32_t b) { return a < b ? Edge{a, b} : Edge{b, a}; }

std::vector<Edge> edges_of(const std::vector<Face>& faces) {
  std::vector<Edge> edges;
  for (const Face& f : faces) {
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(edge_of(f[k], f[(k + 1) % 3]));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// Sums of what the elements at an edge give to the spring along it, in order of the edges.
class Springs {
 public:
  void add(std::uint32_t a, std::uint32_t b, double share) { share_[edge_of(a, b)] += share; }

  /// A spring of stiffness share * modulus / length^2 each: an isotropic network of them has that
  /// modulus.
  void make(std::span<const Vec3> x, double stiffness, double damping,
            std::vector<TieElement>& ties) const {
    for (const auto& [edge, share] : share_) {
      TieElement t;
      t.vertices = {edge[0], edge[1], 0, 0};
      t.weights = {1.0, -1.0, 0.0, 0.0};
      t.count = 2;
      t.rest = norm(x[edge[0]] - x[edge[1]]);
      const double per_square = share / (t.rest * t.rest);
      t.stiffness = stiffness * per_square;
      t.damping = damping * per_square;
      ties.push_back(t);
    }
  }

 private:
  std::map<Edge, double> share_;
};

TetrahedronElement tetrahedron(std::span<const Vec3> x, const std::array<std::uint32_t, 4>& t,
                               const DeformableMaterial& material) {
  TetrahedronElement e;
  e.vertices = t;
  const Vec3 a = x[t[0]];
  const Vec3 b = x[t[1]] - a, c = x[t[2]] - a, d = x[t[3]] - a;
  const double six_volume = dot(cross(b, c), d);
  e.volume = six_volume / 6.0;
  Vec3 g[4];
  g[1] = cross(c, d) / six_volume;
  g[2] = cross(d, b) / six_volume;
  g[3] = cross(b, c) / six_volume;
  g[0] = -((g[1] + g[2]) + g[3]);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) e.gram[i][j] = dot(g[i], g[j]);
  }
  const double poisson = material.poisson;
  const double shear = material.young / (2.0 * (1.0 + poisson));
  const double lame = material.young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
  if (material.model == DeformableModel::neo_hookean) {
    // For small strains this is Hooke's law of exactly these moduli.
    e.mu = shear;
    e.lambda = lame + shear;
    e.alpha = 1.0 + e.mu / e.lambda;
  } else {
    // A network of springs has Poisson's ratio 1/4; the rest of the bulk modulus is the volumes'.
    const double bulk = lame + 2.0 * shear / 3.0;
    e.lambda = std::fmax(0.0, bulk - material.young / 1.5);
  }
  return e;
}

void make_solid(const DeformableDefinition& definition, Structure& s) {
  const TetrahedralMesh mesh{definition.vertices, definition.tetrahedra};
  validate(mesh);
  s.surface = surface_of(mesh);
  const DeformableMaterial& material = definition.material;
  Springs springs;
  for (const std::array<std::uint32_t, 4>& t : mesh.tetrahedra) {
    const TetrahedronElement e = tetrahedron(mesh.vertices, t, material);
    s.tetrahedra.push_back(e);
    for (std::size_t i = 0; i < 4; ++i) {
      s.masses[t[i]] += 0.25 * material.density * e.volume;
      for (std::size_t j = 0; j < i; ++j) springs.add(t[i], t[j], e.volume);
    }
  }
  const bool by_springs = material.model == DeformableModel::mass_spring;
  if (by_springs || material.damping > 0.0) {
    springs.make(mesh.vertices, by_springs ? material.young : 0.0,
                 material.young * material.damping, s.ties);
  }
}

/// Weights whose sum of the vertices vanishes where the two triangles at the edge (0, 1) are flat.
void add_bending(std::span<const Vec3> x, const std::array<std::uint32_t, 4>& v, double stiffness,
                 std::vector<TieElement>& ties) {
  const Vec3 e = x[v[1]] - x[v[0]];
  const Vec3 p = x[v[2]] - x[v[0]], q = x[v[3]] - x[v[0]];
  const Vec3 p1 = x[v[2]] - x[v[1]], q1 = x[v[3]] - x[v[1]];
  const double twice_p = norm(cross(e, p)), twice_q = norm(cross(e, q));
  const double c01 = dot(e, p) / twice_p, c02 = dot(e, q) / twice_q;
  const double c03 = -dot(e, p1) / twice_p, c04 = -dot(e, q1) / twice_q;
  TieElement t;
  t.vertices = v;
  t.weights = {c03 + c04, c01 + c02, -c01 - c03, -c02 - c04};
  t.count = 4;
  // Over the area of both triangles: a sheet that is rolled up has the energy of a plate.
  t.stiffness = stiffness * 2.0 / (twice_p + twice_q);
  t.rest = norm(t.sum(x));
  // Flat to rounding is flat: the tie is then linear.
  if (t.rest < 1e-9 * norm(e)) t.rest = 0.0;
  ties.push_back(t);
}

void require_triangles(const DeformableDefinition& definition) {
  const std::vector<Vec3>& x = definition.vertices;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_finite(x[i]))
      throw InvalidInput("vertices[" + std::to_string(i) + "]", "must be finite");
  }
  for (std::size_t i = 0; i < definition.triangles.size(); ++i) {
    const Face& f = definition.triangles[i];
    const std::string field = "triangles[" + std::to_string(i) + "]";
    for (const std::uint32_t corner : f) {
      if (corner >= x.size())
        throw InvalidInput(field, "there is no vertex " + std::to_string(corner));
    }
    if (collinear(x[f[0]], x[f[1]], x[f[2]])) throw InvalidInput(field, "has no area");
  }
}

void make_shell(const DeformableDefinition& definition, Structure& s) {
  require_triangles(definition);
  const std::vector<Vec3>& x = definition.vertices;
  const DeformableMaterial& material = definition.material;
  s.surface = definition.triangles;
  Springs springs;
  std::map<Edge, std::vector<std::uint32_t>> opposite;
  for (const Face& f : s.surface) {
    const double area = 0.5 * norm(cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = f[k], b = f[(k + 1) % 3], c = f[(k + 2) % 3];
      s.masses[a] += material.density * material.thickness * area / 3.0;
      springs.add(a, b, area);
      opposite[edge_of(a, b)].push_back(c);
    }
  }
  const double membrane = material.young * material.thickness;
  springs.make(x, membrane, membrane * material.damping, s.ties);
  const double bending = material.bending * membrane * (material.thickness * material.thickness) /
                         (12.0 * (1.0 - material.poisson * material.poisson));
  for (const auto& [edge, corners] : opposite) {
    if (corners.size() > 2)
      throw InvalidInput("triangles", "more than two meet at the edge of vertices " +
                                          std::to_string(edge[0]) + " and " +
                                          std::to_string(edge[1]));
    if (corners.size() == 2 && bending > 0.0)
      add_bending(x, {edge[0], edge[1], corners[0], corners[1]}, bending, s.ties);
  }
}

}  // namespace

std::string_view to_string(DeformableModel model) {
  constexpr std::string_view kNames[] = {"neo_hookean", "mass_spring"};
  return detail::name_in(kNames, model);
}

void validate(const DeformableMaterial& m) {
  require(positive(m.density), "density", "must be finite and positive");
  require(positive(m.young), "young", "must be finite and positive");
  require(m.poisson >= 0.0 && m.poisson <= 0.495, "poisson", "must lie in [0, 0.495]");
  require(at_least_zero(m.damping), "damping", "must be finite and not negative");
  require(at_least_zero(m.friction), "friction", "must be finite and not negative");
  require(positive(m.thickness), "thickness", "must be finite and positive");
  require(at_least_zero(m.bending), "bending", "must be finite and not negative");
}

}  // namespace tactus::soft

namespace tactus::detail {

Structure make_structure(const DeformableDefinition& definition) {
  try {
    validate(definition.material);
  } catch (const InvalidInput& error) {
    throw error.within("material");
  }
  if (definition.tetrahedra.empty() == definition.triangles.empty()) {
    throw InvalidInput("tetrahedra", definition.tetrahedra.empty()
                                         ? "a body has tetrahedra or triangles"
                                         : "a body has tetrahedra or triangles, not both");
  }
  Structure s;
  s.masses.assign(definition.vertices.size(), 0.0);
  if (definition.triangles.empty()) {
    make_solid(definition, s);
  } else {
    make_shell(definition, s);
  }
  for (std::size_t i = 0; i < s.masses.size(); ++i) {
    if (!(s.masses[i] > 0.0))
      throw InvalidInput("vertices[" + std::to_string(i) + "]", "belongs to no element");
  }
  s.edges = edges_of(s.surface);
  double sum = 0.0;
  for (const Edge& e : s.edges) sum += norm(definition.vertices[e[0]] - definition.vertices[e[1]]);
  s.mean_edge = sum / static_cast<double>(s.edges.size());
  s.stiffness = definition.material.young *
                (definition.triangles.empty() ? s.mean_edge : definition.material.thickness);
  return s;
}

TetrahedronCorner corner_of(const TetrahedronElement& e, int corner) {
  constexpr std::size_t kOthers[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  const auto i = static_cast<std::size_t>(corner);
  TetrahedronCorner c{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t j = kOthers[i][k];
    c.others[k] = e.vertices[j];
    c.pull[k] = e.volume * e.mu * e.gram[i][j];
  }
  c.own = e.volume * e.mu * e.gram[i][i];
  c.swell = e.lambda / (36.0 * e.volume);
  c.rest = 6.0 * e.volume * e.alpha;
  return c;
}

}  // namespace tactus::detail
