#pragma once

#include <functional>
#include <string>

namespace tactus::detail::fuzz {

/// The simplest query line found for which `fails` is still true: options dropped, parts, vertices
/// and roundings removed, poses made trivial, numbers shortened. `fails` must be true for `line`
/// and is asked at most `budget` times.
std::string minimise(const std::string& line, const std::function<bool(const std::string&)>& fails,
                     int budget);

}  // namespace tactus::detail::fuzz
