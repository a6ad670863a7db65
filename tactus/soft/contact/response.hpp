#pragma once

#include <span>
#include <vector>

#include "tactus/deform.hpp"
#include "tactus/soft/model/surface_set.hpp"

/// The responses of knoblauch2005 to what a step of a world without contacts has left.
namespace tactus::detail {

/// Where the vertices of all bodies are, body by body.
using Places = std::vector<std::vector<Vec3>>;
Places places_of(const DeformableWorld& world);

/// The tetrahedra of each body, as they were defined; empty of a shell.
using TetrahedraLists = std::vector<std::span<const std::array<std::uint32_t, 4>>>;

/// The bodies as the discrete test sees them. Views of `places` and of the world.
std::vector<TetrahedralBody> bodies_at(const Places& places, const TetrahedraLists& tetrahedra,
                                       const DeformableWorld& world);

/// For each body the time of its first contact with another one on the straight way between two
/// places, 0 to 1; infinite without any. What has touched stands from then on: the next contact is
/// that of the others with bodies that stand there. `threads`: 0 for all processors.
std::vector<double> first_contacts(const DeformableWorld& world, const Places& start,
                                   const Places& end, int threads);

/// As `first_contacts`, by the discrete test, which knows the end alone: 1 where a vertex of the
/// body lies in another one or one of another in it, else infinite.
std::vector<double> contacts_at_end(std::span<const PointPenetration> inside, std::size_t bodies);

/// Bodies with a finite time are put where they were then, and all of their vertices are held there
/// from now on. Bodies that are frozen stay.
void freeze(DeformableWorld& world, const Places& start, std::span<const double> times);
/// Are all vertices of the body held?
bool is_frozen(const DeformableState& state, std::size_t first, std::size_t count);
/// How many bodies are frozen.
std::size_t frozen_bodies(const DeformableWorld& world);

/// Each vertex that is not held leaves what it lies in by its depth, and keeps no velocity against
/// that way. How many vertices have been moved.
std::size_t push_out(DeformableWorld& world, const TetrahedraLists& tetrahedra,
                     std::span<const Floor> floors);

}  // namespace tactus::detail
