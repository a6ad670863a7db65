// The names of this version, none of which may warn; compared with the same program in those of
// 0.1.
#include <cstdio>

#include "tactus/tactus.hpp"

double old_planar();
double old_soft();
double old_ccd();
double old_fit();

namespace {

double new_planar() {
  const tactus::planar::Circle circle(1.0);
  const tactus::planar::Region square({{0.0, 0.0}, {2.0, 0.0}, {2.0, 2.0}, {0.0, 2.0}});
  return distance(circle, {{5.0, 1.0}, 0.0}, square, {}).distance;
}

double new_soft() { return quality(tactus::soft::tetrahedral_sphere(1.0, 0.5)).volume; }

double new_ccd() {
  tactus::ccd::CcdOptions options;
  options.method = tactus::ccd::CcdMethod::conservative;
  return tactus::ccd::vertex_face({{0.25, 0.25, 1.0},
                                   {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                   {0.25, 0.25, -1.0},
                                   {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                  options)
      .time;
}

double new_fit() {
  const std::vector<tactus::Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  return tactus::fit::box_along(corners, tactus::Mat3::identity()).volume();
}

}  // namespace

int main() {
  const double now[] = {new_planar(), new_soft(), new_ccd(), new_fit()};
  const double before[] = {old_planar(), old_soft(), old_ccd(), old_fit()};
  bool same = now[0] == 2.0 && now[3] > 0.0;
  for (int i = 0; i < 4; ++i) same = same && now[i] == before[i];
  std::printf("names of 0.1 and of this version: %s\n", same ? "the same answers" : "they differ");
  return same ? 0 : 1;
}
