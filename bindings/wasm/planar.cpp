// Circles, contours and regions as typed arrays.
#include "tactus/planar.hpp"

#include <new>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "bindings/wasm/registry.hpp"
#include "tactus/classic.hpp"

namespace tactus::wasm {
namespace {

using nlohmann::json;
using Outline = std::variant<planar::Contour, planar::Region>;

// Numbers of a touch: point, normal, angle, depth, part, segment, contour, kind.
constexpr int kTouchNumbers = 10;
// Numbers of a contact: point on A, point on B, normal, depth, stretch.
constexpr int kContactNumbers = 8;
// Numbers of a bounce: time, point, normal, contour, segment.
constexpr int kBounceNumbers = 7;

Registry<Outline>& outlines() {
  static Registry<Outline> all;
  return all;
}

std::vector<planar::Vec2> read_points(const double* xy, int count) {
  std::vector<planar::Vec2> points;
  points.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) points.push_back({xy[2 * i], xy[2 * i + 1]});
  return points;
}

planar::Pose2 read_pose(const double* p) { return {{p[0], p[1]}, p[2]}; }

json to_json(const planar::Vec2& v) { return json::array({v.x, v.y}); }

const planar::Region& region_at(int number) {
  const planar::Region* region = std::get_if<planar::Region>(&outlines().at(number));
  if (region == nullptr) throw InvalidInput("", "a contour has no inside: a region is asked for");
  return *region;
}

void append(const planar::Touch& t, std::vector<double>& out) {
  out.insert(out.end(), {t.point.x, t.point.y, t.normal.x, t.normal.y, t.angle, t.depth, t.part,
                         static_cast<double>(t.segment), static_cast<double>(t.contour),
                         static_cast<double>(t.kind)});
}

void append(const planar::PlanarContact& c, std::vector<double>& out) {
  out.insert(out.end(), {c.point_a.x, c.point_a.y, c.point_b.x, c.point_b.y, c.normal.x, c.normal.y,
                         c.depth, static_cast<double>(c.stretch)});
}

void append(const planar::Bounce& b, std::vector<double>& out) {
  out.insert(out.end(), {b.time, b.point.x, b.point.y, b.normal.x, b.normal.y,
                         static_cast<double>(b.contour), static_cast<double>(b.segment)});
}

std::vector<planar::PlacedContour> read_contours(const int* numbers, int count) {
  std::vector<planar::PlacedContour> contours;
  for (int k = 0; k < count; ++k) {
    const planar::Contour* curve = std::get_if<planar::Contour>(&outlines().at(numbers[k]));
    if (curve == nullptr) throw InvalidInput("contours", "must be contours: a region is no curve");
    contours.push_back({curve, {}});
  }
  return contours;
}

json literal_json(const LiteralVerdict& verdict) {
  json active = json::array(), hits = json::array();
  for (const LiteralPoint& p : verdict.active) {
    active.push_back({{"body", p.body}, {"place", to_json(p.place)}});
  }
  for (const LiteralRay& ray : verdict.hits) {
    hits.push_back({{"initiator", ray.initiator},
                    {"opponent", ray.opponent},
                    {"from", to_json(ray.from)},
                    {"to", to_json(ray.to)},
                    {"place", to_json(ray.place)}});
  }
  return {{"collision", verdict.collision},
          {"active", std::move(active)},
          {"hits", std::move(hits)},
          {"tests_all", verdict.tests_all},
          {"tests_after_circles", verdict.tests_after_circles},
          {"tests_made", verdict.tests_made}};
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT int tactus_contour_open(const double* xy, int count, int closed, int crossing) {
  return guarded(0, [&] {
    return outlines().add(
        planar::Contour(read_points(xy, count), closed != 0,
                        crossing != 0 ? planar::Crossings::accept : planar::Crossings::refuse));
  });
}

// `counts`: points of the outer contour, then of each hole.
TACTUS_EXPORT int tactus_region_open(const double* xy, const int* counts, int contours) {
  return guarded(0, [&] {
    if (contours < 1) throw InvalidInput("outer", "is missing");
    std::vector<planar::Vec2> outer = read_points(xy, counts[0]);
    xy += 2 * counts[0];
    std::vector<std::vector<planar::Vec2>> holes;
    for (int k = 1; k < contours; ++k) {
      holes.push_back(read_points(xy, counts[k]));
      xy += 2 * counts[k];
    }
    return outlines().add(planar::Region(std::move(outer), std::move(holes)));
  });
}

TACTUS_EXPORT void tactus_outline_close(int outline) { outlines().remove(outline); }

// Area, centroid, second moment and bounding radius of a region.
TACTUS_EXPORT int tactus_region_mass(int region, double* out) {
  return guarded(0, [&] {
    const planar::Region& r = region_at(region);
    out[0] = r.mass().area;
    out[1] = r.mass().centroid.x;
    out[2] = r.mass().centroid.y;
    out[3] = r.mass().inertia;
    out[4] = r.bounding_radius();
    return 1;
  });
}

// All touches of circles of one radius at many centres: `counts` receives how many each has, and
// the touches follow each other at tactus_numbers(). Their number, or -1.
TACTUS_EXPORT int tactus_touches(int outline, const double* pose, double radius, double threshold,
                                 const double* centres, int count, int* counts) {
  return guarded(-1, [&] {
    const Outline& other = outlines().at(outline);
    const planar::Circle circle(radius);
    const planar::Pose2 at = read_pose(pose);
    std::vector<planar::Touch> found;
    last_numbers().clear();
    for (int i = 0; i < count; ++i) {
      const planar::Pose2 centre({centres[2 * i], centres[2 * i + 1]}, 0.0);
      std::visit([&](const auto& o) { touches(circle, centre, o, at, found, threshold); }, other);
      for (const planar::Touch& touch : found) append(touch, last_numbers());
      counts[i] = static_cast<int>(found.size());
    }
    return static_cast<int>(last_numbers().size()) / kTouchNumbers;
  });
}

// Distance of two regions, as 12 numbers: distance, lower, upper, normal, point on A, point on B,
// status, overlap.
TACTUS_EXPORT int tactus_region_distance(int a, const double* pose_a, int b, const double* pose_b,
                                         double* out) {
  return guarded(0, [&] {
    const planar::Region &one = region_at(a), &other = region_at(b);
    const planar::Pose2 at = read_pose(pose_a), there = read_pose(pose_b);
    const planar::PlanarResult r = distance(one, at, other, there);
    const double numbers[] = {r.distance,
                              r.lower,
                              r.upper,
                              r.normal.x,
                              r.normal.y,
                              r.point_a.x,
                              r.point_a.y,
                              r.point_b.x,
                              r.point_b.y,
                              static_cast<double>(r.status),
                              overlap(one, at, other, there) ? 1.0 : 0.0};
    for (const double number : numbers) *out++ = number;
    return 1;
  });
}

// Contacts of two regions: eight numbers each at tactus_numbers(). Their number, or -1.
TACTUS_EXPORT int tactus_region_contacts(int a, const double* pose_a, int b, const double* pose_b,
                                         double margin) {
  return guarded(-1, [&] {
    planar::PlanarContacts found;
    contacts(region_at(a), read_pose(pose_a), region_at(b), read_pose(pose_b), found, margin);
    last_numbers().clear();
    for (const planar::PlanarContact& contact : found.all()) append(contact, last_numbers());
    return static_cast<int>(last_numbers().size()) / kContactNumbers;
  });
}

// Moves a ball (radius, position, velocity) by `dt` between contours at their own places;
// `settings`: gravity and restitution. Its bounces follow at tactus_numbers(), seven numbers each;
// `waits` receives 1 when it has bounced too often for one step. Their number, or -1.
TACTUS_EXPORT int tactus_ball_advance(const int* contours, int count, double* ball, double dt,
                                      const double* settings, int* waits) {
  return guarded(-1, [&] {
    planar::Ball moved{ball[0], {ball[1], ball[2]}, {ball[3], ball[4]}};
    planar::BallSettings laws;
    laws.gravity = {settings[0], settings[1]};
    laws.restitution = settings[2];
    std::vector<planar::Bounce> bounces;
    const Status status = advance(moved, read_contours(contours, count), dt, laws, &bounces);
    const double numbers[] = {moved.position.x, moved.position.y, moved.velocity.x,
                              moved.velocity.y};
    for (int i = 0; i < 4; ++i) ball[i + 1] = numbers[i];
    *waits = status == Status::converged ? 0 : 1;
    last_numbers().clear();
    for (const planar::Bounce& bounce : bounces) append(bounce, last_numbers());
    return static_cast<int>(last_numbers().size()) / kBounceNumbers;
  });
}

// The source's literal rules, for comparison: found, touching, segment, part, distance, point,
// angle, corner (9).
TACTUS_EXPORT int tactus_literal_touch(int contour, const double* pose, double radius,
                                       const double* centre, int corners, double* out) {
  return guarded(0, [&] {
    const planar::Contour* curve = std::get_if<planar::Contour>(&outlines().at(contour));
    if (curve == nullptr) throw InvalidInput("", "the literal rule asks for a contour");
    const planar::Pose2 at({centre[0], centre[1]}, 0.0);
    const LiteralTouch t =
        literal_touch(planar::Circle(radius), at, *curve, read_pose(pose), corners != 0);
    const double numbers[] = {t.found ? 1.0 : 0.0,
                              t.touching ? 1.0 : 0.0,
                              static_cast<double>(t.segment),
                              t.part,
                              t.distance,
                              t.point.x,
                              t.point.y,
                              t.angle,
                              t.corner ? 1.0 : 0.0};
    for (const double number : numbers) *out++ = number;
    return 1;
  });
}

// Every touch that the source's rule finds: segment, part, distance, point, angle, corner.
TACTUS_EXPORT const char* tactus_literal_touches(int contour, const double* pose, double radius,
                                                 const double* centre) {
  return text_of([&] {
    const planar::Contour* curve = std::get_if<planar::Contour>(&outlines().at(contour));
    if (curve == nullptr) throw InvalidInput("", "the literal rule asks for a contour");
    std::vector<LiteralTouch> found;
    literal_touches(planar::Circle(radius), planar::Pose2({centre[0], centre[1]}, 0.0), *curve,
                    read_pose(pose), found);
    json list = json::array();
    for (const LiteralTouch& t : found) {
      list.push_back({{"segment", t.segment},
                      {"part", t.part},
                      {"distance", t.distance},
                      {"point", to_json(t.point)},
                      {"angle", t.angle},
                      {"corner", t.corner}});
    }
    return list.dump();
  });
}

TACTUS_EXPORT const char* tactus_literal_collision(const int* regions, const double* poses,
                                                   int count) {
  return text_of([&] {
    std::vector<LiteralBody> bodies;
    for (int i = 0; i < count; ++i) {
      bodies.push_back({&region_at(regions[i]), read_pose(poses + 3 * i)});
    }
    return literal_json(literal_collision(bodies)).dump();
  });
}
