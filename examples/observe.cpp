// Prints the steps of a query by an observer, as the figures of the documentation are drawn.
#include <cstdio>

#include "tactus/observer.hpp"
#include "tactus/query.hpp"

using namespace tactus;

namespace {

class Printer : public Observer {
 public:
  void plane(const PlaneEvent& e) override {
    print(e.state);
    std::printf("plane (% .3f, % .3f, % .3f) at % .6f\n", e.normal.x, e.normal.y, e.normal.z,
                e.offset);
  }
  void cap(const CapEvent& e) override {
    print(e.state);
    std::printf("depth %.6f proved for all directions with a cosine of %.3f\n", e.depth, e.cosine);
  }
  void simplex(const SimplexEvent& e) override {
    print(e.state);
    std::printf("%zu points, distance in [% .6f, % .6f]\n", e.points.size(), e.state.lower,
                e.state.upper);
  }
  void segment(const SegmentEvent& e) override {
    print(e.state);
    std::printf("distance in [%.15g, %.15g]\n", e.state.lower, e.state.upper);
  }
  int steps = 0;

 private:
  void print(const SearchState& state) {
    ++steps;
    std::printf("%-8s %2d  ", state.stage, state.iteration);
  }
};

}  // namespace

int main() {
  const Shape cylinder = Cylinder(0.5, 2.0);
  const Shape cone = Cone(0.7, 1.5);
  Printer printer;
  QueryOptions options;
  options.observer = &printer;
  // Apart, as the library does it and by GJK; then in overlap, where the depth wants a proof.
  const Pose apart = Pose::from_axis_angle({1.8, 0.4, 0.3}, {0, 1, 0}, 0.8);
  distance(cylinder, {}, cone, apart, options);
  options.method = Method::gjk;
  distance(cylinder, {}, cone, apart, options);
  options.method = Method::automatic;
  distance(cylinder, {}, cone, Pose::from_axis_angle({0.7, 0.2, 0.3}, {0, 1, 0}, 0.8), options);
  return printer.steps > 0 ? 0 : 1;
}
