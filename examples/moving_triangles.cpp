// A vertex and a moving face, two moving edges: when do they first touch? Nothing is missed.
#include <cstdio>
#include <vector>

#include "tactus/ccd.hpp"

using namespace tactus;

int main() {
  // A vertex falls onto a face that tilts on the way.
  const ccd::MovingVertexFace fall{{0.3, 0.3, 1.0},
                                   {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                   {0.3, 0.3, -1.0},
                                   {{0, 0, 0.2}, {1, 0, -0.1}, {0, 1, 0.1}}};
  const ccd::CcdResult r = vertex_face(fall);
  std::printf("not before t = %.15g, by t = %.15g at the latest\n", r.time, r.time_upper);
  std::printf("normal (%.3f, %.3f, %.3f), weights (%.3f, %.3f, %.3f)\n", r.normal.x, r.normal.y,
              r.normal.z, r.weights.x, r.weights.y, r.weights.z);

  // An edge that slides along another one in their common plane: where a cubic shows nothing.
  const ccd::MovingEdges slide{{{0, 0, 0}, {1, 0, 0}},
                               {{2, 0, 0}, {3, 0, 0}},
                               {{0, 0, 0}, {1, 0, 0}},
                               {{0.5, 0, 0}, {1.5, 0, 0}}};
  const ccd::CcdResult touch = edge_edge(slide);
  std::printf("the edges meet at t = %.15g\n", touch.time);

  // Steps that keep a distance of a millimetre.
  ccd::CcdOptions options;
  options.min_separation = 1e-3;
  std::printf("a millimetre apart at t = %.15g\n", vertex_face(fall, options).time);
  return r.hit && r.proved && touch.hit ? 0 : 1;
}
