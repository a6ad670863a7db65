#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// An entry of `joints` between bodies of the scene, which are all known. Throws InvalidInput with
/// the field's path.
JointDefinition read_joint(const nlohmann::json& object, const std::string& path,
                           const Scene& scene);

/// The `drive` of a joint.
JointDrive read_drive(const nlohmann::json& value, const std::string& path);

}  // namespace tactus::io
