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
std::vector<std::filesystem::path> export_vtk(PictureReader& pictures,
                                              const std::filesystem::path& folder,
                                              const std::string& name);

}  // namespace tactus::io
