#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io/json/planar_line.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::app {

/// Adds to an answer what further fields of its line ask for. `eps`, `margin` and `spheres` of the
/// method `epa_classic`, `ray` and `portal_tolerance` of `mpr`: `literal`, what the source's own
/// algorithm says with these parameters; nothing proves it, the answer's bracket is the method's as
/// ever. `swept` and `parting` of casts: whether the hulls of the ways overlap, and when two
/// spheres meet and part. Throws InvalidInput: a field of another method or question.
std::string with_additions(std::string answer, const std::string& line, const io::Query& query);

/// Answer of advancedgamesphysics' planar rules to a line with `"method":"literal"`: for a circle
/// and a contour `touches`, for two regions `collision`, the points that are left and the rays that
/// hit. Throws InvalidInput for other pairs.
nlohmann::ordered_json literal_planar(const io::PlanarPair& pair);

}  // namespace tactus::app
