#pragma once

#include "fuzz/shape_maker.hpp"

namespace tactus::detail::fuzz {

/// A surface of some 4 to 200 triangles, drawn from the stream alone. Closed, seldom convex: bumpy
/// balls, tubes, cells of a grid (which share edges and corners exactly, also with those of other
/// meshes), some of them inside out. Open: the same with triangles taken away, sheets over a grid,
/// loose triangles. Some have degenerate triangles besides: points, segments, doubled ones.
/// `exact`: corners on quarters, where the surface allows it; `sliver`: some extents down to 1e-8
/// of others; `zero_size`: flat.
Shape make_mesh(Random& random, Style style, bool closed);
/// Either of them.
Shape make_mesh(Random& random, Style style);

/// Does the shape, or a part of it, have a surface without an inside?
bool has_open_mesh(const Shape& shape);
/// Is the shape a mesh, or has it a part that is one?
bool has_mesh(const Shape& shape);

}  // namespace tactus::detail::fuzz
