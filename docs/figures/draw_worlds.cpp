// Draws the figures of joints, impulses, elastic balls, first contacts and compounds, from answers
// of the library. Usage: draw_worlds [NAME [FILE.svg]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/chart.hpp"
#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/ccd.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace {

using namespace tactus;
using namespace svg;

constexpr const char* kBlue = "#2b6cb0";
constexpr const char* kOrange = "#c05621";
constexpr const char* kRed = "#c53030";
constexpr const char* kFaint = "#bbb";

// Three rods that hang on ball joints, let go from the horizontal.
void draw_joints(std::FILE* out) {
  begin_figure(out, 330.0);
  const auto place = [](const Vec3& p) { return Point{360.0 + 85.0 * p.x, 40.0 - 85.0 * p.z}; };
  World world;
  BodyDefinition wall{Sphere(0.05)};
  wall.type = BodyType::fixed;
  BodyId last = world.add(wall);
  std::vector<BodyId> rods;
  for (int i = 0; i < 3; ++i) {
    const BodyId rod = world.add({Box({1.0, 0.06, 0.06}), Pose::translation({i + 0.5, 0.0, 0.0})});
    world.add_joint(
        joint_at(JointType::ball, world.body(last), world.body(rod), {1.0 * i, 0.0, 0.0}));
    rods.push_back(rod);
    last = rod;
  }
  Line path;
  for (int step = 0; step <= 66; ++step) {
    Line line;
    for (const BodyId rod : rods) {
      const Pose pose = world.body(rod).pose();
      if (line.empty()) line.push_back(place(pose.to_world({-0.5, 0.0, 0.0})));
      line.push_back(place(pose.to_world({0.5, 0.0, 0.0})));
    }
    path.push_back(line.back());
    if (step % 11 == 0) {
      draw_lines(out, {line}, step == 66 ? kBlue : "#8fb3d9", step == 66 ? 4.0 : 2.0);
      for (const Point& p : line) draw_dot(out, p, kOrange, step == 66 ? 4.0 : 2.5);
    }
    require_done(world.step());
  }
  draw_lines(out, {path}, kRed, 1.0, "fill='none' stroke-dasharray='4 3'");
}

// The height of a ball on the ground, and that of its hops once it rests.
void draw_hops(std::FILE* out) {
  begin_figure(out, 260.0);
  ImpulseSettings settings;
  settings.time_step = 1.0 / 240.0;
  ImpulseWorld world(settings);
  Material material;
  material.restitution = 0.6;
  BodyDefinition ground{HalfSpace({0.0, 0.0, 1.0}, 0.0)};
  ground.type = BodyType::fixed;
  ground.material = material;
  world.add(ground);
  BodyDefinition ball{Sphere(0.1), Pose::translation({0.0, 0.0, 1.1})};
  ball.material = material;
  const BodyId id = world.add(ball);
  const Chart chart{{70.0, 30.0}, 610.0, 180.0, 0.0, 3.0, -7.0, 0.0};
  chart.frame(out, "seconds", "height over the ground (logarithmic)");
  for (int i = 0; i <= 3; ++i) chart.tick_x(out, i, std::to_string(i));
  for (int e = -6; e <= 0; e += 2) chart.tick_y(out, e, e == 0 ? "1 m" : "1e" + decimal(e, 0));
  Line line;
  for (int step = 0; step <= 720; ++step) {
    const double height = world.body(id).pose().position().z - 0.1;
    line.push_back(chart(step / 240.0, std::clamp(std::log10(std::max(height, 1e-7)), -7.0, 0.0)));
    require_done(world.step());
  }
  draw_lines(out, {line}, kBlue, 1.5);
}

// A vertex passes through a triangle that moves too.
void draw_first_contact(std::FILE* out) {
  begin_figure(out, 250.0);
  const ccd::MovingVertexFace motion{{-1.0, 0.0, 0.25},
                                     {{-0.9, -1.0, 0.0}, {0.9, -1.0, 0.0}, {0.0, 1.2, 0.0}},
                                     {1.0, 0.1, -0.2},
                                     {{-0.9, -1.0, -0.1}, {0.9, -1.0, 0.1}, {0.0, 1.2, 0.0}}};
  const ccd::CcdResult found = vertex_face(motion);
  std::vector<Vec3> all;
  for (const double t : {0.0, 1.0}) {
    for (int i = 0; i < 3; ++i)
      all.push_back(motion.face_t0[i] + (motion.face_t1[i] - motion.face_t0[i]) * t);
    all.push_back(motion.vertex_t0 + (motion.vertex_t1 - motion.vertex_t0) * t);
  }
  for (Vec3& p : all) p *= 1.6;
  const View view(all, kWidth, 230.0);
  const auto at = [&](const Vec3& from, const Vec3& to, double t) {
    return view((from + (to - from) * t) * 1.6);
  };
  for (const double t : {0.0, 1.0, found.time}) {
    Line face;
    for (int i = 0; i < 3; ++i) face.push_back(at(motion.face_t0[i], motion.face_t1[i], t));
    face.push_back(face.front());
    const bool first = t == found.time;
    if (first) draw_area(out, face, kBlue, 0.3);
    draw_lines(out, {face}, first ? kBlue : kFaint, first ? 2.0 : 1.0);
  }
  draw_line(out, at(motion.vertex_t0, motion.vertex_t1, 0.0),
            at(motion.vertex_t0, motion.vertex_t1, 1.0), kOrange, 1.5);
  for (const double t : {0.0, found.time, 1.0}) {
    const Point p = at(motion.vertex_t0, motion.vertex_t1, t);
    draw_dot(out, p, t == found.time ? kRed : kOrange, t == found.time ? 5.0 : 3.0);
    draw_text(out, {p.x + 6.0, p.y - 8.0}, "t = " + decimal(t, 3), kInk);
  }
}

// Two chains of boxes: pairs of parts that a query looks at, of all.
void draw_compounds(std::FILE* out) {
  begin_figure(out, 300.0);
  const auto place = [](const Vec3& p) { return Point{360.0 + 60.0 * p.x, 150.0 - 60.0 * p.z}; };
  const auto arc = [](double radius, double from, double to, double x) {
    std::vector<Compound::Part> parts;
    for (int i = 0; i < 12; ++i) {
      const double angle = from + (to - from) * i / 11.0;
      parts.push_back({Sphere(0.24), Pose::translation({x + radius * std::cos(angle), 0.0,
                                                        radius * std::sin(angle)})});
    }
    return parts;
  };
  const auto a = arc(2.0, 0.6, 5.7, -1.2), b = arc(2.0, 3.5, 8.6, 2.8);
  const DistanceResult r = distance(Shape(Compound(a)), Pose(), Shape(Compound(b)), Pose());
  for (const auto* parts : {&a, &b}) {
    const std::int32_t named = parts == &a ? r.part_a : r.part_b;
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const bool near = static_cast<std::int32_t>(i) == named;
      draw_ring(out, place((*parts)[i].pose.position()),
                near ? kRed : (parts == &a ? kBlue : kOrange), 0.24 * 60.0);
    }
    for (std::size_t first = 0; first < parts->size(); first += 3) {
      Point low{1e9, 1e9}, high{-1e9, -1e9};
      for (std::size_t i = first; i < first + 3; ++i) {
        const Point p = place((*parts)[i].pose.position());
        low = {std::min(low.x, p.x - 14.4), std::min(low.y, p.y - 14.4)};
        high = {std::max(high.x, p.x + 14.4), std::max(high.y, p.y + 14.4)};
      }
      draw_lines(out, {{low, {high.x, low.y}, high, {low.x, high.y}, low}}, kFaint, 1.0);
    }
  }
  draw_line(out, place(r.point_a), place(r.point_b), kRed, 2.5);
  draw_text(out, {360.0, 292.0},
            "distance " + decimal(r.distance, 3) + " of parts " + std::to_string(r.part_a) +
                " and " + std::to_string(r.part_b),
            kInk, "middle");
}

World elastic_world(double step) {
  WorldSettings settings;
  settings.gravity = {};
  settings.time_step = step;
  settings.elastic = ElasticContacts{1e7, 0.3, 0.05};
  return World(settings);
}

BodyId add_elastic(World& world, double x, double speed, double restitution) {
  BodyDefinition ball{.shape = Sphere(0.05)};
  ball.pose = Pose::translation({x, 0.0, 0.0});
  ball.linear_velocity = {speed, 0.0, 0.0};
  ball.material.restitution = restitution;
  return world.add(ball);
}

// Elastic balls: force over overlap in an impact, and a wave that runs through a row.
void draw_elastic(std::FILE* out) {
  begin_figure(out, 320.0);
  const Chart impact{{70.0, 40.0}, 270.0, 220.0, 0.0, 5.0, 0.0, 450.0};
  impact.frame(out, "overlap, mm", "force, N");
  for (const double x : {1.0, 2.0, 3.0, 4.0}) impact.tick_x(out, x, decimal(x, 0));
  for (const double y : {100.0, 200.0, 300.0, 400.0}) impact.tick_y(out, y, decimal(y, 0));
  const double restitutions[] = {1.0, 0.5, 0.1};
  const char* colors[] = {kBlue, kOrange, kRed};
  for (int k = 0; k < 3; ++k) {
    World world = elastic_world(2e-5);
    add_elastic(world, -0.05, 1.0, restitutions[k]);
    add_elastic(world, 0.05, -1.0, restitutions[k]);
    Line line;
    do {
      world.step();
      const Contact contact = world.contacts().empty() ? Contact{} : world.contacts()[0];
      line.push_back(impact(1e3 * std::max(contact.depth, 0.0),
                            contact.normal_impulse / world.contact_time()));
    } while (world.contacts().size() == 1 && world.contacts()[0].normal_impulse > 0.0);
    draw_lines(out, {line}, colors[k], 1.8);
    draw_text(out, {225.0, 60.0 + 18.0 * k}, "restitution " + decimal(restitutions[k], 1),
              colors[k]);
  }
  const Chart row{{430.0, 40.0}, 270.0, 220.0, 0.0, 24.0, 0.0, 1.1};
  row.frame(out, "ball of the row", "speed, m/s");
  for (const double x : {0.0, 10.0, 20.0}) row.tick_x(out, x, decimal(x, 0));
  for (const double y : {0.5, 1.0}) row.tick_y(out, y, decimal(y, 1));
  World world = elastic_world(1e-4);
  for (int i = 0; i < 25; ++i) add_elastic(world, 0.1 * i, i == 0 ? 1.0 : 0.0, 1.0);
  for (int picture = 0; picture < 4; ++picture) {
    for (int i = 0; i < 180; ++i) world.step();
    Line line;
    for (std::size_t i = 0; i < world.bodies().size(); ++i)
      line.push_back(row(static_cast<double>(i), world.bodies()[i].linear_velocity().x));
    const char* color = picture == 3 ? kRed : kBlue;
    draw_lines(out, {line}, color, 1.5);
    for (const Point& p : line) draw_dot(out, p, color, 2.2);
  }
}

constexpr Figure kFigures[] = {{"joints", draw_joints},
                               {"hops", draw_hops},
                               {"elastic", draw_elastic},
                               {"first_contact", draw_first_contact},
                               {"compounds", draw_compounds}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
