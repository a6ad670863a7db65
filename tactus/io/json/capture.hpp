#pragma once

#include <string>
#include <string_view>

#include "tactus/io/json/query_line.hpp"

namespace tactus::io {

/// A query as one line of text, without the line's end, that `tactus query` replays: shapes (files
/// replaced by their vertices), poses, the question, for casts and impacts the motion, and every
/// option that differs from its default.
/// Throws InvalidInput (`a.type`, `b.type`) for a custom support function, which has no written
/// form.
std::string capture(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const QueryOptions& options = {}, Ask ask = Ask::distance,
                    std::string_view id = "capture", const Motion& motion = {});

}  // namespace tactus::io
