#pragma once

#include <string>

#include "tactus/check/piece.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {

/// The depth that the surface of a certificate (`faces`) proves, minus infinity when it is none.
///
/// Points that belong to the shrunk pieces, up to `slack`, are points of their difference. If
/// triangles between them form a closed surface (each side is met by one in the opposite sense)
/// that winds around the origin, and none comes nearer to it than d, then the ball of radius d lies
/// in the hull of the points: a plane with the points on one side and a point of the ball on the
/// other would have the whole surface on one side, which cannot wind around that point, but does as
/// around the origin. A triangle is no nearer than the least n . p of its corners, for any unit n;
/// tried are its normal, and the directions of its nearest point, edges and corners. Cost: linear.
double depth_by_faces(const Piece& a, const Piece& b, const Certificate& certificate, double slack,
                      std::string& reason);

/// Is a surface of triangles closed: does every side meet as many of the opposite sense?
bool is_closed_surface(const std::vector<std::array<std::uint32_t, 3>>& faces);

}  // namespace tactus::detail
