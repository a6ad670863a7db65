#include "tactus/io/format/surface_facts.hpp"

#include "tactus/bvh/self_crossings.hpp"
#include "tactus/mesh/surface/clean_mesh.hpp"
#include "tactus/mesh/surface/topology.hpp"

namespace tactus::io {
namespace {

using nlohmann::ordered_json;

ordered_json list(const Vec3& v) { return {v.x, v.y, v.z}; }

double area_of(const TriangleMesh& mesh) {
  double twice = 0.0;
  for (const auto& t : mesh.triangles) {
    const Vec3& corner = mesh.vertices[t[0]];
    twice += norm(cross(mesh.vertices[t[1]] - corner, mesh.vertices[t[2]] - corner));
  }
  return 0.5 * twice;
}

}  // namespace

ordered_json surface_facts(const TriangleMesh& mesh) {
  TriangleMesh merged = mesh;
  const detail::CleanReport faults = detail::clean_mesh(merged);
  const bool any = !merged.triangles.empty();
  const detail::MeshTopology topology =
      any ? detail::make_topology(merged) : detail::MeshTopology{};
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) {
    low = component_min(low, v);
    high = component_max(high, v);
  }
  ordered_json facts;
  facts["vertices"] = mesh.vertices.size();
  facts["triangles"] = mesh.triangles.size();
  facts["components"] = topology.components;
  facts["closed"] = any && topology.closed();
  facts["has_inside"] = any && topology.has_winding();
  facts["boundary_edges"] = topology.boundary_edges;
  facts["branching_edges"] = topology.branching_edges;
  facts["twisted_edges"] = topology.twisted_edges;
  facts["repeated_vertices"] = faults.merged_vertices;
  facts["unused_vertices"] = faults.unreferenced_vertices;
  facts["degenerate_triangles"] = faults.degenerate_triangles;
  facts["repeated_triangles"] = faults.duplicate_triangles;
  facts["self_crossings"] = detail::bvh::self_crossings(mesh).size();
  facts["area"] = area_of(mesh);
  if (any && topology.has_winding()) {
    const MassProperties mass = mass_properties(mesh);
    facts["volume"] = mass.volume;
    facts["inside_out"] = mass.volume < 0.0;
    facts["centroid"] = list(mass.center);
    facts["inertia"] = {list(mass.inertia.row[0]), list(mass.inertia.row[1]),
                        list(mass.inertia.row[2])};
  } else {
    facts["volume"] = nullptr;
  }
  facts["box"] = {list(low), list(high)};
  return facts;
}

}  // namespace tactus::io
