#include <cmath>
#include <utility>

#include "tactus/fit.hpp"
#include "tactus/planar/region/convex_pieces.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::fit {

Shape extruded(const planar::Region& region, double height) {
  if (!(height > 0.0) || !std::isfinite(height))
    throw InvalidInput("height", "must be finite and positive");
  std::vector<Compound::Part> parts;
  for (const std::vector<planar::Vec2>& piece : detail::convex_pieces(region)) {
    std::vector<Vec3> corners;
    for (const double z : {-0.5 * height, 0.5 * height})
      for (const planar::Vec2& p : piece) corners.push_back({p.x, p.y, z});
    parts.push_back({Convex(corners), Pose()});
  }
  return detail::as_prism(std::move(parts), {region, height});
}

}  // namespace tactus::fit
