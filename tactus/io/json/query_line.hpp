#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/io/json/json_shape.hpp"
#include "tactus/query.hpp"

namespace tactus::io {

/// Question that a line of a query file asks.
enum class Ask : std::uint8_t { overlap, distance, contacts, cast, impact };
std::string_view to_string(Ask ask);

/// How the bodies move over t in [0, 1]; a cast has no angular part.
struct Motion {
  RigidMotion a, b;
};

/// The truth that an acceptance file carries beside a query. Without `lower` and `upper`, the
/// reference did not prove how exact it is. For casts and impacts: the time of the first contact,
/// or that there is none (`"time":null`).
struct RightAnswer {
  std::optional<double> signed_distance, lower, upper;
  std::optional<double> time;
  bool no_contact = false;
};

/// One line of a query file.
struct Query {
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;
  Ask ask = Ask::distance;
  QueryOptions options = {};
  std::optional<Motion> motion = {};  ///< given exactly for casts and impacts
  std::string category = {};          ///< the line's `class`
  std::optional<RightAnswer> right = {};
  bool derivatives = false;  ///< asked for: those of the distance, or of the time of a contact
  bool steps = false;        ///< asked for: those of the algorithm, between two convex bodies
};

/// A line as read: a query, or the reason why it is none.
struct QueryLine {
  std::string id = "null";  ///< the line's `id` as JSON text
  std::optional<Query> query;
  std::string error;
};

/// Reads one line. Never throws for what the line contains: `error` then names the field and the
/// reason.
QueryLine parse_query_line(std::string_view line, ShapeReader& reader);

/// Answer to a query, of the kind that it asked for.
struct Answer {
  DistanceResult distance;  ///< for overlap: the proof
  Overlap overlap = Overlap::undecided;
  std::vector<Manifold> manifolds;  ///< for contacts
  std::optional<CastResult> cast;   ///< for casts and impacts; `distance` then has its status only
  std::unique_ptr<Certificate> certificate;  ///< on request
  std::optional<Derivatives> derivatives;    ///< on the query's request
  Derivatives motion_derivatives;            ///< beside these, for casts and impacts
  std::string steps;                         ///< on the query's request, as fields of the line
};

/// Asks the library.
Answer answer_query(const Query& query, bool with_certificate = false);

/// The answer as one line of JSON, without the line's end; with the certificate if there is one and
/// it is wanted.
std::string answer_to_line(const std::string& id, const Query& query, const Answer& answer,
                           bool with_certificate = false);

/// The answer to a line that is no query.
std::string error_to_line(const std::string& id, const std::string& error);

}  // namespace tactus::io
