#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/io.hpp"

namespace tactus::io {

/// One row per picture and body that has entered: step, time, body, place and orientation of the
/// shape's frame, velocities. Written atomically, picture by picture. Throws FileError.
void export_csv(PictureReader& pictures, const std::filesystem::path& file);

/// One row per picture with contacts and contact: step, time, bodies, point, normal, depth, forces.
void export_contacts_csv(PictureReader& pictures, const std::filesystem::path& file);

/// For ParaView and its kin: per picture `NAME_bodies_000000.vtu` (bodies as points), per picture
/// with contacts `NAME_contacts_000000.vtu` (contacts as points), and `NAME_bodies.pvd` and
/// `NAME_contacts.pvd`, which hold the times and are written last. Returns the latter. Each file is
/// written atomically. Throws FileError.
///
/// With `scene`, that of the run, bodies also have `shape` (its place in the list of
/// export_bodies_csv), `radius` and `mass`.
std::vector<std::filesystem::path> export_vtk(PictureReader& pictures,
                                              const std::filesystem::path& folder,
                                              const std::string& name,
                                              const Scene* scene = nullptr);

/// Properties of bodies that do not change in a run, one row per body: number, name, type, shape
/// (kind and place in the scene's list, from 0), scale, radius of the ball about the shape's frame
/// that holds it, volume, mass, centre of mass and moments and products of inertia about it in that
/// frame. What is unbounded or unknown is empty. Written atomically. Throws FileError.
void export_bodies_csv(const Scene& scene, const std::filesystem::path& file);

}  // namespace tactus::io
