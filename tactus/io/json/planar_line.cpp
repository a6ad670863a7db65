#include "tactus/io/json/planar_line.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

#include "tactus/check.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_region.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/planar.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;
using Planar = planar::PlanarShape;

constexpr std::string_view kTypes[] = {"circle", "contour", "region"};
constexpr std::string_view kAsks[] = {"overlap", "distance", "touches", "contacts", "cast"};

// Right answers of a line without bounds of their own are taken as exact to this, relative to the
// size.
constexpr double kRightError = 1e-12;

std::string inner_path(const JsonFields& fields, const InvalidInput& error) {
  return fields.path_of(error.field());
}

planar::Contour read_contour(JsonFields& fields) {
  auto points = read_points(fields.require("points"), fields.path_of("points"));
  const bool closed = fields.boolean("closed", true);
  const bool crossing = fields.boolean("crossing", false);
  fields.finish();
  try {
    return planar::Contour(std::move(points), closed,
                           crossing ? planar::Crossings::accept : planar::Crossings::refuse);
  } catch (const InvalidInput& error) {
    throw InvalidInput(inner_path(fields, error), error.reason());
  }
}

planar::Region read_whole_region(JsonFields& fields) {
  planar::Region region = read_region(fields);
  fields.finish();
  return region;
}

// A contour file holds one contour or region for each shape that names it.
Planar read_from_file(JsonFields& fields, PlanarAnswerer& answerer, const std::string& list) {
  const std::string name = fields.text("file");
  fields.finish();
  const std::string path = fields.path_of("file");
  try {
    const json& content = answerer.contour_file(name);
    JsonFields file(content, name);
    const json& entries = file.array(list);
    if (entries.size() != 1) {
      throw InvalidInput(name, "must hold exactly one entry in '" + list + "'");
    }
    JsonFields entry(entries[0], JsonFields::path_of(file.path_of(list), 0));
    if (list == "contours") return read_contour(entry);
    return read_whole_region(entry);
  } catch (const InvalidInput& error) {
    throw InvalidInput(path, error.what());
  }
}

Planar read_planar(const json& value, const std::string& path, PlanarAnswerer& answerer) {
  JsonFields fields(value, path);
  const std::string type = fields.text("type");
  if (type == "circle") {
    const double radius = fields.number("radius");
    fields.finish();
    try {
      return planar::Circle(radius);
    } catch (const InvalidInput& error) {
      throw InvalidInput(inner_path(fields, error), error.reason());
    }
  }
  if (type != "contour" && type != "region") {
    throw InvalidInput(fields.path_of("type"), unknown_name("planar type", type, kTypes));
  }
  if (value.contains("file")) return read_from_file(fields, answerer, type + "s");
  if (type == "contour") return read_contour(fields);
  return read_whole_region(fields);
}

planar::Pose2 read_pose(const json& line, const std::string& name) {
  const auto found = line.find(name);
  if (found == line.end()) return {};
  if (!found->is_array() || found->size() != 3) {
    throw InvalidInput(name, "must be three numbers [x, y, angle]");
  }
  double value[3];
  for (std::size_t i = 0; i < 3; ++i) {
    value[i] = JsonFields::to_number((*found)[i], JsonFields::path_of(name, i));
  }
  try {
    return {{value[0], value[1]}, value[2]};
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

planar::Vec2 read_vector(const json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2)
    throw InvalidInput(path, "must be two numbers [x, y]");
  return {JsonFields::to_number(value[0], path), JsonFields::to_number(value[1], path)};
}

// `[dx, dy]`, or an object with `linear` and `angular`; missing: at rest.
planar::PlanarMotion read_motion(const json& line, const std::string& name) {
  const auto motion = line.find("motion");
  if (motion == line.end()) return {};
  JsonFields both(*motion, "motion");
  const json* const given = both.find(name);
  const std::string path = both.path_of(name);
  if (given == nullptr) return {};
  if (!given->is_object()) return {read_vector(*given, path), 0.0};
  JsonFields fields(*given, path);
  planar::PlanarMotion out;
  if (const json* const linear = fields.find("linear")) {
    out.linear = read_vector(*linear, fields.path_of("linear"));
  }
  out.angular = fields.number("angular", 0.0);
  fields.finish();
  if (!(std::fabs(out.angular) <= 1e6)) {
    throw InvalidInput(fields.path_of("angular"), "must be of magnitude at most 1e6");
  }
  return out;
}

json to_json(const planar::Vec2& v) { return json::array({v.x, v.y}); }

json unbounded(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

void write(nlohmann::ordered_json& out, const planar::PlanarResult& r) {
  out["status"] = std::string(to_string(r.status));
  out["distance"] = unbounded(r.distance);
  out["lower"] = unbounded(r.lower);
  out["upper"] = unbounded(r.upper);
  out["normal"] = to_json(r.normal);
  out["point_a"] = to_json(r.point_a);
  out["point_b"] = to_json(r.point_b);
}

void write(nlohmann::ordered_json& out, const std::vector<planar::Touch>& found, bool of_region,
           Status status) {
  out["status"] = std::string(to_string(status));
  out["touches"] = json::array();
  for (const planar::Touch& t : found) {
    nlohmann::ordered_json touch;
    touch["point"] = to_json(t.point);
    if (of_region) touch["contour"] = t.contour;
    touch["segment"] = t.segment;
    touch["part"] = t.part;
    touch["normal"] = to_json(t.normal);
    touch["angle"] = t.angle;
    touch["depth"] = t.depth;
    touch["kind"] = std::string(to_string(t.kind));
    out["touches"].push_back(std::move(touch));
  }
}

void write_contacts(const planar::PlanarContacts& found, bool exchanged,
                    nlohmann::ordered_json& out) {
  out["contacts"] = json::array();
  for (const planar::PlanarContact& given : found.all()) {
    const planar::PlanarContact c = exchanged ? swapped(given) : given;
    nlohmann::ordered_json contact;
    contact["point_a"] = to_json(c.point_a);
    contact["point_b"] = to_json(c.point_b);
    contact["normal"] = to_json(c.normal);
    contact["depth"] = c.depth;
    contact["stretch"] = c.stretch;
    out["contacts"].push_back(std::move(contact));
  }
}

void write_cast(const planar::PlanarCast& r, nlohmann::ordered_json& out) {
  out["status"] = std::string(to_string(r.status));
  if (r.hit == planar::PlanarHit::undecided) {
    out["hit"] = "undecided";
  } else {
    out["hit"] = r.hit == planar::PlanarHit::yes;
  }
  out["time"] = unbounded(r.time);
  out["time_upper"] = unbounded(r.time_upper);
  if (!std::isfinite(r.time)) return;
  out["distance"] = unbounded(r.distance);
  out["normal"] = to_json(r.normal);
  out["point_a"] = to_json(r.point_a);
  out["point_b"] = to_json(r.point_b);
}

struct Line {
  Planar a, b;
  planar::Pose2 pose_a, pose_b;
  planar::PlanarMotion motion_a, motion_b;
  std::string ask;
  double threshold = 0.0;
  bool literal = false;  ///< the source's rules are asked for too
};

Line read_line(const json& value, PlanarAnswerer& answerer) {
  if (!value.is_object()) throw InvalidInput("", "must be an object");
  for (const char* name : {"a", "b"}) {
    if (!value.contains(name)) throw InvalidInput(name, "is missing");
  }
  Line line{read_planar(value["a"], "a", answerer),
            read_planar(value["b"], "b", answerer),
            read_pose(value, "pose_a"),
            read_pose(value, "pose_b"),
            read_motion(value, "a"),
            read_motion(value, "b"),
            "distance",
            0.0,
            false};
  JsonFields fields(value, "");
  const std::string method = fields.text("method", "auto");
  if (method != "auto" && method != "literal")
    throw InvalidInput("method", "unknown method '" + method + "': auto or literal");
  line.literal = method == "literal";
  line.ask = fields.text("ask", line.ask);
  line.threshold = fields.number("threshold", 0.0);
  if (line.threshold < 0.0) throw InvalidInput("threshold", "must not be negative");
  for (const char* const read : {"a", "b", "pose_a", "pose_b", "motion", "right"})
    fields.find(read);
  fields.refuse_misspelt();
  if (std::find(std::begin(kAsks), std::end(kAsks), line.ask) != std::end(kAsks)) return line;
  throw InvalidInput("ask", unknown_name("question", line.ask, kAsks));
}

void count(const CheckReport& report, PlanarOutcome& outcome) {
  for (const Proof proof : report.claims) {
    outcome.proved += proof == Proof::proved ? 1 : 0;
    outcome.unproved += proof == Proof::unproved ? 1 : 0;
    outcome.refuted += proof == Proof::refuted ? 1 : 0;
  }
  outcome.unproved_claim = report.failure;
  if (report.refuted()) outcome.complaint = report.failure;
}

// Without an answer there is no bracket either.
void write_unsupported(nlohmann::ordered_json& out, const std::string& reason) {
  const auto id = out["id"];
  out.clear();
  out["id"] = id;
  out["status"] = std::string(to_string(Status::unsupported));
  out["error"] = reason;
}

// The circle may stand on either side.
void answer_touches(const Line& line, nlohmann::ordered_json& out, PlanarOutcome* proof) {
  const bool first = std::holds_alternative<planar::Circle>(line.a);
  const Planar& other = first ? line.b : line.a;
  const planar::Circle* circle = std::get_if<planar::Circle>(first ? &line.a : &line.b);
  const planar::Pose2 &pose = first ? line.pose_a : line.pose_b,
                      &at = first ? line.pose_b : line.pose_a;
  std::vector<planar::Touch> found;
  if (circle == nullptr || std::holds_alternative<planar::Circle>(other)) {
    return write_unsupported(out, "touches are those of a circle with a contour or region");
  }
  if (const planar::Contour* contour = std::get_if<planar::Contour>(&other)) {
    const Status status = touches(*circle, pose, *contour, at, found, line.threshold);
    write(out, found, false, status);
  } else {
    const planar::Region& region = std::get<planar::Region>(other);
    const Status status = touches(*circle, pose, region, at, found, line.threshold);
    write(out, found, true, status);
  }
  if (proof != nullptr) count(check(*circle, pose, other, at, found, line.threshold), *proof);
}

// Each pair is served in one order.
planar::PlanarResult answer_distance(const Line& line) {
  return std::visit(
      [&](const auto& a, const auto& b) {
        if constexpr (requires { distance(a, line.pose_a, b, line.pose_b); }) {
          return distance(a, line.pose_a, b, line.pose_b);
        } else {
          return swapped(distance(b, line.pose_b, a, line.pose_a));
        }
      },
      line.a, line.b);
}

planar::PlanarOverlap answer_overlap(const Line& line) {
  return std::visit(
      [&](const auto& a, const auto& b) {
        if constexpr (requires { overlap(a, line.pose_a, b, line.pose_b); }) {
          return overlap(a, line.pose_a, b, line.pose_b);
        } else {
          return overlap(b, line.pose_b, a, line.pose_a);
        }
      },
      line.a, line.b);
}

void answer_cast(const Line& line, nlohmann::ordered_json& out, PlanarOutcome* proof) {
  const planar::PlanarCast result = std::visit(
      [&](const auto& a, const auto& b) {
        if constexpr (requires {
                        cast(a, line.pose_a, line.motion_a, b, line.pose_b, line.motion_b);
                      }) {
          return cast(a, line.pose_a, line.motion_a, b, line.pose_b, line.motion_b);
        } else {
          return swapped(cast(b, line.pose_b, line.motion_b, a, line.pose_a, line.motion_a));
        }
      },
      line.a, line.b);
  write_cast(result, out);
  if (proof == nullptr) return;
  count(check(line.a, line.pose_a, line.motion_a, line.b, line.pose_b, line.motion_b, result),
        *proof);
}

// Contacts need an inside on one side, and on the other at least a circle.
template <class A, class B>
constexpr bool kHasContacts = requires(A a, B b, planar::Pose2 p, planar::PlanarContacts out) {
  contacts(a, p, b, p, out, 0.0);
};

void answer_contacts(const Line& line, nlohmann::ordered_json& out) {
  std::visit(
      [&](const auto& a, const auto& b) {
        using A = std::decay_t<decltype(a)>;
        using B = std::decay_t<decltype(b)>;
        planar::PlanarContacts found;
        if constexpr (kHasContacts<A, B>) {
          contacts(a, line.pose_a, b, line.pose_b, found, line.threshold);
          write_contacts(found, false, out);
        } else if constexpr (kHasContacts<B, A>) {
          contacts(b, line.pose_b, a, line.pose_a, found, line.threshold);
          write_contacts(found, true, out);
        } else {
          write_unsupported(out,
                            "contacts are those of circles and regions: a curve has no inside");
        }
      },
      line.a, line.b);
}

double size_of(const Planar& shape) {
  if (const planar::Circle* circle = std::get_if<planar::Circle>(&shape))
    return 2.0 * circle->radius();
  if (const planar::Region* region = std::get_if<planar::Region>(&shape))
    return 2.0 * region->bounding_radius();
  double extent = 0.0;
  const auto points = std::get<planar::Contour>(shape).points();
  for (const planar::Vec2& p : points) extent = std::fmax(extent, norm(p - points.front()));
  return extent;
}

// Compares with the bracket that the line carries.
void judge(const Line& line, const json& right, const planar::PlanarResult& r, PlanarOutcome& out) {
  JsonFields fields(right, "right");
  const double size = std::fmax(size_of(line.a), size_of(line.b));
  const double truth = fields.number("distance");
  const double slack = fields.find("lower") == nullptr ? kRightError * size : 0.0;
  const double lower = fields.number("lower", truth) - slack;
  const double upper = fields.number("upper", truth) + slack;
  out.judged = true;
  out.error = size > 0.0 ? std::fabs(r.distance - truth) / size : 0.0;
  out.width = size > 0.0 ? (r.upper - r.lower) / size : 0.0;
  if (r.lower > upper || r.upper < lower) out.complaint = "bracket misses the right one";
}

void answer_line(const json& value, PlanarAnswerer& answerer, const PlanarAnswerOptions& options,
                 nlohmann::ordered_json& out, PlanarOutcome& outcome) {
  const Line line = read_line(value, answerer);
  PlanarOutcome* const proof = options.prove ? &outcome : nullptr;
  if (line.literal) {
    if (!options.literal) throw InvalidInput("method", "literal is not known here");
    out["literal"] = options.literal({line.a, line.b, line.pose_a, line.pose_b, line.ask});
  }
  if (line.ask == "touches") return answer_touches(line, out, proof);
  if (line.ask == "cast") return answer_cast(line, out, proof);
  const planar::PlanarResult result = answer_distance(line);
  write(out, result);
  if (options.certificate && result.distance < 0.0) {
    out["certificate"] = {{"kind", "translation"},
                          {"translation", to_json(result.normal * -result.distance)}};
  }
  if (proof != nullptr) count(check(line.a, line.pose_a, line.b, line.pose_b, result), *proof);
  if (line.ask == "overlap") {
    const planar::PlanarOverlap verdict = answer_overlap(line);
    if (verdict.overlap == planar::PlanarHit::undecided) {
      out["overlap"] = "undecided";
    } else {
      out["overlap"] = static_cast<bool>(verdict);
    }
    if (proof != nullptr) {
      count(check_overlap(line.a, line.pose_a, line.b, line.pose_b, verdict), *proof);
    }
  }
  if (line.ask == "contacts") answer_contacts(line, out);
  if (const auto right = value.find("right"); right != value.end()) {
    judge(line, *right, result, outcome);
  }
}

}  // namespace

PlanarOutcome PlanarAnswerer::answer(std::string_view text, const PlanarAnswerOptions& options) {
  PlanarOutcome outcome;
  nlohmann::ordered_json out;
  out["id"] = nullptr;
  try {
    const json value = parse_json(text);
    if (value.is_object() && value.contains("id")) out["id"] = value["id"];
    answer_line(value, *this, options, out, outcome);
  } catch (const InvalidInput& error) {
    const auto id = out["id"];
    out.clear();
    out["id"] = id;
    out["status"] = std::string(to_string(Status::invalid_input));
    out["error"] = error.what();
    outcome.valid = false;
    outcome.complaint = error.what();
  }
  if (outcome.valid && !outcome.complaint.empty()) {
    outcome.complaint = json_dump(out["id"]) + ": " + outcome.complaint;
  }
  outcome.text = json_dump(out);
  return outcome;
}

const nlohmann::json& PlanarAnswerer::contour_file(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  try {
    const json content = parse_json(file_content(beside(folder_, name)));
    return files_.emplace(name, content).first->second;
  } catch (const FileError& error) {
    throw InvalidInput("", error.what());
  } catch (const InvalidInput& error) {
    throw InvalidInput(name, error.what());
  }
}

}  // namespace tactus::io
