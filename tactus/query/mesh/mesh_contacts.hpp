#pragma once

#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Contact patches of a mesh, A, one per normal, with up to four points each, where the bodies are
/// within `threshold`; `whole` is the signed distance of the pair, which stands in where no feature
/// of the surface explains it.
///
/// Contacts of single triangles count when the surface around their point agrees: the normal is
/// that of a face, or one that the edge or corner can have, no other triangle through the point
/// rising above the plane across it. That is asked of places, not of shared indices, so that seams,
/// T-junctions and triangles that only lie beside each other are as smooth as they look. Triangles
/// of one plane are one face. Source: docs/algorithms/mesh-queries.md.
/// `near` holds the triangles within the threshold, ascending.
void mesh_contacts(const MeshAndBody& pair, const Pose& pose_mesh, const Vec3& position_body,
                   const std::vector<TriangleAnswer>& near, const DistanceResult& whole,
                   double threshold, ManifoldSink& sink);

/// Contacts of a mesh and a body where `deepest` is the answer of the deepest triangle alone.
/// False, and no contacts, where more must be known for them: a triangle that is left sideways is a
/// wall only to a body whose way out passes its plane.
bool shallow_contacts(const MeshAndBody& pair, const Pose& pose_mesh, const Vec3& position_body,
                      const std::vector<TriangleAnswer>& near, const DistanceResult& deepest,
                      double threshold, ManifoldSink& sink);

/// Contacts of two meshes.
void mesh_contacts(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink);

/// Contacts of a mesh and a half-space: its vertices within `threshold` of the plane.
void mesh_contacts(const Mesh& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink);

}  // namespace tactus::detail
