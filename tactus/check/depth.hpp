#pragma once

#include <string>

#include "tactus/check/rounding.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// A lower bound of the depth of a pair (of -signed distance) that a certificate proves, for the
/// pieces that it names: minus infinity when it proves nothing; `reason` then says why. `world` is
/// the world point that poses are relative to. `wanted`: a depth that would suffice; kinds whose
/// proof costs more the more is proved go no further. Poses are those of the bodies; the part of
/// each that the certificate names is looked up in `a`, `b`. `of_unions`: the depth is that of the
/// unions, which that of any pair of parts bounds from below.
double proved_depth(const Pair& pair, const std::vector<Part>& a, const std::vector<Part>& b,
                    const Certificate& certificate, const Vec3& world, double wanted,
                    bool of_unions, std::string& reason);

}  // namespace tactus::detail
