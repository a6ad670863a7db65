#include "tactus/io/json/query_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "tactus/io/json/certificate_text.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/io/steps/step_writer.hpp"
#include "tactus/query.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// Room for the patches of a pair at first; compounds that need more are asked again.
constexpr std::size_t kFirstManifolds = 8;

Ask read_ask(const std::string& name) {
  if (const std::optional<Ask> ask = from_string<Ask>(name)) return *ask;
  throw InvalidInput("ask", unknown_name("question", name, names_of<Ask>()));
}

Method read_method(const std::string& name) {
  if (const std::optional<Method> method = from_string<Method>(name)) return *method;
  throw InvalidInput("method", unknown_name("method", name, names_of<Method>()));
}

double read_not_negative(JsonFields& fields, const std::string& name, double fallback) {
  const double value = fields.number(name, fallback);
  if (value < 0.0) throw InvalidInput(name, "must not be negative");
  return value;
}

// Is the depth of compounds that of their union, rather than of the deepest pair of parts?
bool read_depth(const std::string& name) {
  if (name == "union") return true;
  if (name == "parts") return false;
  throw InvalidInput("depth", "unknown depth '" + name + "': parts, union");
}

QueryOptions read_options(JsonFields& fields) {
  QueryOptions options;
  options.method = read_method(fields.text("method", std::string(to_string(Method::automatic))));
  options.tolerance = read_not_negative(fields, "tolerance", options.tolerance);
  options.margin = read_not_negative(fields, "threshold", options.margin);
  if (const json* given = fields.find("max_distance"); given != nullptr && !given->is_null()) {
    options.max_distance = JsonFields::to_number(*given, "max_distance");
  }
  options.signed_distance = fields.boolean("signed", options.signed_distance);
  options.union_depth = read_depth(fields.text("depth", "parts"));
  options.max_iterations =
      static_cast<int>(fields.integer("max_iterations", 1, 1 << 20, options.max_iterations));
  return options;
}

Motion read_motion(const json& value, Ask ask) {
  JsonFields fields(value, "motion");
  Motion motion;
  if (ask == Ask::cast) {
    motion.a.linear = fields.vector("a");
    motion.b.linear = fields.vector("b");
  } else {
    JsonFields a(fields.require("a"), fields.path_of("a"));
    motion.a.linear = a.vector("linear", {});
    motion.a.angular = a.vector("angular", {});
    a.finish();
    JsonFields b(fields.require("b"), fields.path_of("b"));
    motion.b.linear = b.vector("linear", {});
    motion.b.angular = b.vector("angular", {});
    b.finish();
  }
  fields.finish();
  return motion;
}

std::optional<double> number_if_any(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

// Beside the values that are compared, it may hold others.
std::optional<RightAnswer> read_right(const json* object) {
  if (object == nullptr || !object->is_object()) return std::nullopt;
  RightAnswer right;
  right.signed_distance = number_if_any(*object, "signed_distance");
  right.lower = number_if_any(*object, "lower");
  right.upper = number_if_any(*object, "upper");
  right.time = number_if_any(*object, "time");
  const auto time = object->find("time");
  right.no_contact = time != object->end() && time->is_null();
  return right;
}

Shape read_shape(JsonFields& fields, const std::string& name, ShapeReader& reader) {
  const json& value = fields.require(name);
  try {
    return reader.read(value);
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

Pose read_pose(JsonFields& fields, const std::string& name) {
  const json* value = fields.find(name);
  if (value == nullptr) return {};
  try {
    return pose_from_json(*value);
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

Query read_query(const json& line, ShapeReader& reader) {
  JsonFields fields(line, "");
  const Ask ask = read_ask(fields.text("ask"));
  Shape a = read_shape(fields, "a", reader);
  const Pose pose_a = read_pose(fields, "pose_a");
  Shape b = read_shape(fields, "b", reader);
  const Pose pose_b = read_pose(fields, "pose_b");
  Query query{std::move(a), pose_a, std::move(b), pose_b, ask};
  query.options = read_options(fields);
  if (ask == Ask::cast || ask == Ask::impact) {
    query.motion = read_motion(fields.require("motion"), ask);
  }
  query.derivatives = fields.boolean("derivatives", false);
  query.steps = fields.boolean("steps", false);
  if (query.steps && !(query.a.is_convex_body() && query.b.is_convex_body()))
    throw InvalidInput("steps", "are told of two convex bodies alone");
  query.category = fields.text("class", "");
  query.right = read_right(fields.find("right"));
  fields.find("motion");
  fields.refuse_misspelt();
  return query;
}

using Text = fmt::memory_buffer;

template <class... Args>
void append(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

/// JSON has no infinity and no NaN: an unbounded or unknown value is null.
void append_number(Text& text, double value) {
  if (std::isfinite(value)) {
    append(text, "{}", value);
  } else {
    append(text, "null");
  }
}

void append_number(Text& text, std::string_view name, double value) {
  append(text, ",\"{}\":", name);
  append_number(text, value);
}

void append_vector(Text& text, const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    append(text, "{}", i == 0 ? '[' : ',');
    append_number(text, v[i]);
  }
  append(text, "]");
}

void append_vector(Text& text, std::string_view name, const Vec3& v) {
  append(text, ",\"{}\":", name);
  append_vector(text, v);
}

std::string_view overlap_text(Overlap overlap) {
  switch (overlap) {
    case Overlap::no:
      return "false";
    case Overlap::yes:
      return "true";
    case Overlap::undecided:
      break;
  }
  return "\"undecided\"";
}

void append_contacts(Text& text, const std::vector<Manifold>& manifolds) {
  append(text, ",\"contacts\":[");
  bool first = true;
  for (const Manifold& manifold : manifolds) {
    for (const ContactPoint& point : manifold.span()) {
      append(text, "{}\"point_a\":", first ? "{" : ",{");
      append_vector(text, point.point_a);
      append_vector(text, "point_b", point.point_b);
      append_number(text, "depth", point.depth);
      append(text, "}}");
      first = false;
    }
  }
  append(text, "]");
}

void append_slopes(Text& text, const Derivatives& d) {
  append_vector(text, "linear_a", d.linear_a);
  append_vector(text, "angular_a", d.angular_a);
  append_vector(text, "linear_b", d.linear_b);
  append_vector(text, "angular_b", d.angular_b);
}

void append_derivatives(Text& text, const Derivatives& d, bool unique,
                        const Derivatives* by_motion = nullptr) {
  append(text, ",\"derivatives\":{{\"smooth\":{},\"unique\":{}", d.smooth, unique);
  append_slopes(text, d);
  if (by_motion != nullptr) {
    append(text, ",\"motion\":{{\"smooth\":{}", by_motion->smooth);
    append_slopes(text, *by_motion);
    append(text, "}}");
  }
  append(text, "}}");
}

std::vector<Manifold> all_contacts(const Query& query, const QueryOptions& options,
                                   DistanceResult& whole) {
  std::vector<Manifold> manifolds(kFirstManifolds);
  for (;;) {
    const ContactsResult result =
        contacts(query.a, query.pose_a, query.b, query.pose_b, manifolds, options);
    whole = result.distance;
    if (!result.truncated) {
      manifolds.resize(static_cast<std::size_t>(result.manifolds));
      return manifolds;
    }
    manifolds.resize(4 * manifolds.size());
  }
}

// Are the meshes of a shape closed? None: nothing to tell.
std::optional<bool> is_closed(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return mesh->closed();
  std::optional<bool> closed;
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (const Compound::Part& part : compound->parts()) {
      if (const std::optional<bool> of_part = is_closed(part.shape))
        closed = closed.value_or(true) && *of_part;
    }
  }
  return closed;
}
std::optional<bool> is_closed(const Query& query) {
  const std::optional<bool> a = is_closed(query.a), b = is_closed(query.b);
  if (!a && !b) return std::nullopt;
  return a.value_or(true) && b.value_or(true);
}

// Adds whether all meshes of a query are closed, where it has any.
void append_closed(Text& text, const Query& query) {
  if (const std::optional<bool> closed = is_closed(query)) append(text, ",\"closed\":{}", *closed);
}

std::string cast_to_line(const std::string& id, const Query& query, const Answer& answer,
                         const CastResult& r, const Certificate* certificate) {
  Text text;
  append(text, "{{\"id\":{},\"status\":\"{}\"", id, to_string(r.status));
  append_closed(text, query);
  if (r.status == Status::unsupported || r.status == Status::invalid_input) {
    append(text, ",\"hit\":null,\"time\":null,\"time_upper\":null}}");
    return fmt::to_string(text);
  }
  append(text, ",\"hit\":{}", overlap_text(r.hit));
  append_number(text, "time", r.time);
  append_number(text, "time_upper", r.time_upper);
  if (r.hit != Overlap::no) {
    append_number(text, "distance", r.distance);
    append_vector(text, "normal", r.normal);
    append_vector(text, "point_a", r.point_a);
    append_vector(text, "point_b", r.point_b);
  }
  append(text, ",\"method\":\"{}\",\"iterations\":{}", to_string(r.method), r.iterations);
  if (r.part_a >= 0) append(text, ",\"part_a\":{}", r.part_a);
  if (r.part_b >= 0) append(text, ",\"part_b\":{}", r.part_b);
  if (answer.derivatives && r.hit == Overlap::yes)
    append_derivatives(text, *answer.derivatives, r.unique, &answer.motion_derivatives);
  if (certificate != nullptr)
    append(text, ",\"certificate\":{}", motion_certificate_to_json(*certificate));
  append(text, "{}}}", answer.steps);
  return fmt::to_string(text);
}

// Was the distance of an open mesh asked for with a sign?
bool is_refused(const Query& query, const DistanceResult& answer) {
  return answer.status == Status::unsupported && query.ask == Ask::distance &&
         query.options.method == Method::automatic && query.options.signed_distance &&
         !is_closed(query).value_or(true);
}

}  // namespace

std::string_view to_string(Ask ask) {
  constexpr std::string_view kNames[] = {"overlap", "distance", "contacts", "cast", "impact"};
  return detail::name_in(kNames, ask);
}

QueryLine parse_query_line(std::string_view line, ShapeReader& reader) {
  QueryLine out;
  try {
    const json value = parse_json(line);
    if (value.is_object()) {
      if (const auto id = value.find("id"); id != value.end()) out.id = json_dump(*id);
    }
    out.query = read_query(value, reader);
  } catch (const InvalidInput& error) {
    out.error = error.what();
  }
  return out;
}

Answer answer_query(const Query& query, bool with_certificate) {
  Answer answer;
  QueryOptions options = query.options;
  if (with_certificate) {
    answer.certificate = std::make_unique<Certificate>();
    options.certificate = answer.certificate.get();
  }
  if (query.derivatives) {
    options.derivatives = &answer.derivatives.emplace();
    options.motion_derivatives = &answer.motion_derivatives;
  }
  const Motion motion = query.motion.value_or(Motion{});
  // Steps of the distances that a motion asks are left out: they belong to other poses.
  const char* const only = query.ask == Ask::cast     ? "ray_cast"
                           : query.ask == Ask::impact ? "impact"
                                                      : nullptr;
  StepWriter steps(query.pose_a, motion.a, only);
  if (query.steps) options.observer = &steps;
  switch (query.ask) {
    case Ask::overlap: {
      const OverlapResult result = overlap(query.a, query.pose_a, query.b, query.pose_b, options);
      answer.overlap = result.overlap;
      answer.distance = result.proof;
      break;
    }
    case Ask::distance:
      answer.distance = distance(query.a, query.pose_a, query.b, query.pose_b, options);
      break;
    case Ask::contacts:
      answer.manifolds = all_contacts(query, options, answer.distance);
      break;
    case Ask::cast:
      answer.cast = cast(query.a, query.pose_a, motion.a.linear, query.b, query.pose_b,
                         motion.b.linear, options);
      answer.distance.status = answer.cast->status;
      break;
    case Ask::impact:
      answer.cast =
          impact(query.a, query.pose_a, motion.a, query.b, query.pose_b, motion.b, options);
      answer.distance.status = answer.cast->status;
      break;
  }
  if (query.steps) answer.steps = steps.fields();
  return answer;
}

std::string answer_to_line(const std::string& id, const Query& query, const Answer& answer,
                           bool with_certificate) {
  const Certificate* certificate = with_certificate ? answer.certificate.get() : nullptr;
  if (answer.cast) return cast_to_line(id, query, answer, *answer.cast, certificate);
  const DistanceResult& d = answer.distance;
  Text text;
  append(text, "{{\"id\":{},\"status\":\"{}\"", id, to_string(d.status));
  append_closed(text, query);
  if (is_refused(query, d))
    append(text, ",\"error\":\"an open mesh has no inside: ask with \\\"signed\\\": false\"");
  if (query.ask == Ask::overlap) append(text, ",\"overlap\":{}", overlap_text(answer.overlap));
  append_number(text, "distance", d.distance);
  append_number(text, "lower", d.lower);
  append_number(text, "upper", d.upper);
  if (d.status != Status::unsupported && d.status != Status::invalid_input) {
    append_vector(text, "normal", d.normal);
    append_vector(text, "point_a", d.point_a);
    append_vector(text, "point_b", d.point_b);
    append(text, ",\"method\":\"{}\",\"iterations\":{}", to_string(d.method), d.iterations);
    if (query.ask == Ask::contacts) append_contacts(text, answer.manifolds);
    if (d.part_a >= 0) append(text, ",\"part_a\":{}", d.part_a);
    if (d.part_b >= 0) append(text, ",\"part_b\":{}", d.part_b);
    if (d.of_unions) append(text, ",\"depth\":\"union\"");
    if (d.triangle_a >= 0) append(text, ",\"triangle_a\":{}", d.triangle_a);
    if (d.triangle_b >= 0) append(text, ",\"triangle_b\":{}", d.triangle_b);
    if (answer.derivatives && std::isfinite(d.distance))
      append_derivatives(text, *answer.derivatives, d.unique);
    if (certificate != nullptr)
      append(text, ",\"certificate\":{}", certificate_to_json(*certificate));
  }
  append(text, "{}}}", answer.steps);
  return fmt::to_string(text);
}

std::string error_to_line(const std::string& id, const std::string& error) {
  return fmt::format(R"({{"id":{},"status":"invalid_input","error":{}}})", id,
                     json_dump(json(error)));
}

}  // namespace tactus::io
