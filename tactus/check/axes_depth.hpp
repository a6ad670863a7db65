#pragma once

#include "tactus/check/piece.hpp"

namespace tactus::detail {

/// Least overlap of two pieces whose cores are small polytopes, over all face normals and all pairs
/// of edges, in both senses: those of the facets of A - B are among them, so that it is the depth
/// where it is no less than the radii of the balls that the cores are grown by. Products of edges
/// are taken in twice the precision, since the normal of two nearly parallel ones is lost in
/// roundings otherwise. Infinite when a core is no polytope, or there are too many pairs. Trusts
/// the faces and edges of hulls (check_hull proves these). Cost: a support value per axis that
/// matters.
double axes_depth(const Piece& a, const Piece& b);

}  // namespace tactus::detail
