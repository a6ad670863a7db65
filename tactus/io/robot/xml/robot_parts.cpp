#include "tactus/io/robot/xml/robot_parts.hpp"

#include <charconv>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/math/sine.hpp"

namespace tactus::io {

Mat3 roll_pitch_yaw(const Vec3& angles) {
  const auto [sr, cr] = detail::sine_cosine(angles.x);
  const auto [sp, cp] = detail::sine_cosine(angles.y);
  const auto [sy, cy] = detail::sine_cosine(angles.z);
  return {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
           {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
           {-sp, cp * sr, cp * cr}}};
}

Robot robot_of(RobotParts parts, const FileNotes& notes) {
  const std::vector<std::string> link_places = parts.link_places, joint_places = parts.joint_places;
  const auto names_of = [](const auto& list) {
    std::vector<std::string> names;
    names.reserve(list.size());
    for (const auto& item : list) names.push_back(item.name);
    return names;
  };
  const std::vector<std::string> links = names_of(parts.links), joints = names_of(parts.joints);
  try {
    return {std::move(parts.name), std::move(parts.links), std::move(parts.joints)};
  } catch (const InvalidInput& error) {
    // The field is `links[i]...` or `joints[i]...`.
    const std::string& field = error.field();
    const std::size_t bracket = field.find('[');
    std::size_t i = 0;
    const bool of_link = field.compare(0, 5, "links") == 0;
    const auto& names = of_link ? links : joints;
    const auto& places = of_link ? link_places : joint_places;
    if (bracket == field.npos ||
        std::from_chars(field.data() + bracket + 1, field.data() + field.size(), i).ec !=
            std::errc() ||
        i >= names.size())
      throw FileError(notes.name() + ": " + error.what());
    const std::size_t dot = field.find('.', bracket);
    throw FileError(places[i] + ": " + (of_link ? "link " : "joint ") + quoted_word(names[i]) +
                    ": " + (dot != field.npos ? field.substr(dot + 1) + ": " : "") +
                    error.reason());
  }
}

}  // namespace tactus::io
