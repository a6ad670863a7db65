#include "apps/tactus/added_answers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <variant>
#include <vector>

#include "tactus/classic.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
Json to_json(const planar::Vec2& v) { return Json::array({v.x, v.y}); }

double not_negative(io::JsonFields& fields, const char* name, double fallback) {
  const double value = fields.number(name, fallback);
  if (value < 0.0) throw InvalidInput(name, "must not be negative");
  return value;
}

Json polytope_answer(io::JsonFields& fields, const io::Query& q) {
  PolytopeOptions options;
  options.eps = not_negative(fields, "eps", options.eps);
  options.margin = not_negative(fields, "margin", options.margin);
  options.spheres = fields.boolean("spheres", options.spheres);
  const PolytopeDepth r = polytope_depth(q.a, q.pose_a, q.b, q.pose_b, options);
  return {{"status", std::string(to_string(r.status))},
          {"collision", r.collision},
          {"distance", -r.depth},
          {"normal", to_json(r.normal)},
          {"point_a", to_json(r.point_a)},
          {"point_b", to_json(r.point_b)},
          {"iterations", r.iterations}};
}

Json portal_answer(io::JsonFields& fields, const io::Query& q) {
  PortalOptions options;
  options.along = fields.vector("ray", options.along);
  options.tolerance = not_negative(fields, "portal_tolerance", options.tolerance);
  const PortalDepths r = portal_depths(q.a, q.pose_a, q.b, q.pose_b, options);
  return {{"status", std::string(to_string(r.status))},
          {"overlap", r.overlap},
          {"ray", to_json(r.ray)},
          {"ray_lower", r.ray_lower},
          {"ray_upper", r.ray_upper},
          {"normal", to_json(r.normal)},
          {"normal_depth", r.normal_depth},
          {"point_a", to_json(r.point_a)},
          {"point_b", to_json(r.point_b)},
          {"iterations", r.iterations}};
}

Pose moved(const Pose& pose, const Vec3& way) {
  return detail::unchecked_pose(pose.position() + way, pose.rotation());
}

// Whether the hulls of both bodies' ways overlap.
Json swept_answer(const io::Query& q) {
  if (!q.motion) throw InvalidInput("swept", "needs a motion");
  const Overlap swept = swept_overlap(q.a, q.pose_a, moved(q.pose_a, q.motion->a.linear), q.b,
                                      q.pose_b, moved(q.pose_b, q.motion->b.linear));
  if (swept == Overlap::undecided) return "undecided";
  return swept == Overlap::yes;
}

// When two spheres meet and part, if nothing held them.
Json meeting_answer(const io::Query& q) {
  const auto *a = std::get_if<Sphere>(&q.a.geometry()), *b = std::get_if<Sphere>(&q.b.geometry());
  if (a == nullptr || b == nullptr || !q.motion)
    throw InvalidInput("parting", "is known of two spheres in motion alone");
  const double reach = a->radius() + q.a.rounding_radius() + b->radius() + q.b.rounding_radius();
  const SphereMeeting m = sphere_meeting(q.pose_b.position() - q.pose_a.position(),
                                         q.motion->b.linear - q.motion->a.linear, reach);
  const auto finite = [](double t) { return std::isfinite(t) ? Json(t) : Json(nullptr); };
  return m.meet ? Json{{"first", finite(m.first)}, {"last", finite(m.last)}} : Json(nullptr);
}

/// A field of a query line that adds something to its answer.
struct Added {
  const char* name;
  io::Ask ask;
  Method method;  ///< the one that has it; `automatic`: all
};
constexpr Added kAdded[] = {{"eps", io::Ask::distance, Method::epa_classic},
                            {"margin", io::Ask::distance, Method::epa_classic},
                            {"spheres", io::Ask::distance, Method::epa_classic},
                            {"ray", io::Ask::distance, Method::mpr},
                            {"portal_tolerance", io::Ask::distance, Method::mpr},
                            {"swept", io::Ask::cast, Method::automatic},
                            {"parting", io::Ask::cast, Method::automatic}};

}  // namespace

std::string with_additions(std::string answer, const std::string& line, const io::Query& query) {
  // Most lines hold none of them: they are not parsed twice.
  if (std::none_of(std::begin(kAdded), std::end(kAdded), [&](const Added& added) {
        return line.find('"' + std::string(added.name) + '"') != std::string::npos;
      }))
    return answer;
  const nlohmann::json value = io::parse_json(line);
  io::JsonFields fields(value, "");
  bool literal = false;
  for (const Added& added : kAdded) {
    if (!value.contains(added.name)) continue;
    if (query.ask != added.ask) {
      throw InvalidInput(
          added.name, "is known of the question " + std::string(to_string(added.ask)) + " alone");
    }
    if (added.method != Method::automatic && query.options.method != added.method) {
      throw InvalidInput(added.name, "is a parameter of the method " +
                                         std::string(to_string(added.method)) + ", not of " +
                                         std::string(to_string(query.options.method)));
    }
    literal = literal || added.method != Method::automatic;
  }
  Json more = Json::object();
  if (literal) {
    more["literal"] = query.options.method == Method::mpr ? portal_answer(fields, query)
                                                          : polytope_answer(fields, query);
  }
  if (fields.boolean("swept", false)) more["swept_overlap"] = swept_answer(query);
  if (fields.boolean("parting", false)) more["meeting"] = meeting_answer(query);
  if (more.empty()) return answer;
  answer.back() = ',';
  return answer + io::json_dump(more).substr(1);
}

namespace {

Json touches_json(const planar::Circle& circle, const planar::Pose2& pose,
                  const planar::Contour& contour, const planar::Pose2& pose_contour) {
  std::vector<LiteralTouch> found;
  literal_touches(circle, pose, contour, pose_contour, found);
  Json list = Json::array();
  for (const LiteralTouch& t : found) {
    list.push_back({{"point", to_json(t.point)},
                    {"segment", t.segment},
                    {"part", t.part},
                    {"angle", t.angle},
                    {"depth", circle.radius() - t.distance},
                    {"corner", t.corner}});
  }
  return {{"touches", list}};
}

Json collision_json(const io::PlanarPair& pair) {
  const std::array<LiteralBody, 2> bodies{
      LiteralBody{std::get_if<planar::Region>(&pair.a), pair.pose_a},
      LiteralBody{std::get_if<planar::Region>(&pair.b), pair.pose_b}};
  const LiteralVerdict v = literal_collision(bodies);
  Json hits = Json::array();
  for (const LiteralRay& ray : v.hits) {
    hits.push_back({{"initiator", ray.initiator == 0 ? "a" : "b"},
                    {"point", ray.point},
                    {"segment", ray.segment},
                    {"place", to_json(ray.place)},
                    {"lambda", ray.lambda},
                    {"mu", ray.mu}});
  }
  return {{"collision", v.collision},
          {"active", v.active.size()},
          {"hits", hits},
          {"tests_all", v.tests_all},
          {"tests_after_circles", v.tests_after_circles},
          {"tests_made", v.tests_made}};
}

}  // namespace

Json literal_planar(const io::PlanarPair& pair) {
  if (pair.ask == "touches") {
    // The circle may stand on either side.
    const auto *a = std::get_if<planar::Circle>(&pair.a), *b = std::get_if<planar::Circle>(&pair.b);
    const auto* contour = std::get_if<planar::Contour>(a != nullptr ? &pair.b : &pair.a);
    if ((a != nullptr || b != nullptr) && contour != nullptr) {
      return a != nullptr ? touches_json(*a, pair.pose_a, *contour, pair.pose_b)
                          : touches_json(*b, pair.pose_b, *contour, pair.pose_a);
    }
    throw InvalidInput("method", "the rule for touches is that of a circle and a contour");
  }
  if (pair.ask == "overlap" && std::holds_alternative<planar::Region>(pair.a) &&
      std::holds_alternative<planar::Region>(pair.b)) {
    return collision_json(pair);
  }
  throw InvalidInput("method", "the literal rules are known of touches and of overlap of regions");
}

}  // namespace tactus::app
