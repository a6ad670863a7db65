#include "tactus/io/json/query_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tactus/check.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {
namespace {

// How exact references in files are, relative to the size: bodies with curved cores (cylinder,
// cone, ellipsoid), others, and those that name no bracket.
constexpr double kCurvedReference = 2e-14;
constexpr double kPlainReference = 5e-16;
constexpr double kUnprovedReference = 1e-12;

bool has_curved_core(ShapeType type) {
  return type == ShapeType::cylinder || type == ShapeType::cone || type == ShapeType::ellipsoid ||
         type == ShapeType::compound;
}

double ulp(double x) {
  const double magnitude = std::fabs(x);
  return std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude;
}

bool is_answered(Status status) {
  return status != Status::unsupported && status != Status::invalid_input;
}

// How fast the bodies run into each other: what turns a length into a time.
double speed_of(const Query& query, const CastResult& result) {
  const Motion motion = query.motion.value_or(Motion{});
  const Vec3 linear = motion.a.linear - motion.b.linear;
  if (query.ask == Ask::cast) return norm(linear);
  const auto of_point = [&](const Pose& pose, const RigidMotion& m, const Vec3& point) {
    return velocity_at(m, point - pose_at(pose, m, result.time).position());
  };
  return dot(result.normal, of_point(query.pose_a, motion.a, result.point_a) -
                                of_point(query.pose_b, motion.b, result.point_b));
}

struct Column {
  const char* name;
  int width;
};
constexpr Column kCounts[] = {{"count", 7}, {"answered", 8}, {"unsupported", 11}, {"slow", 6},
                              {"nan", 4},   {"brackets", 8}, {"signs", 5},        {"unproved", 8}};
constexpr const char* kErrors[] = {"error/size", "width/size", "witness/size", "f(n)+d/size"};

void append_row(std::string& text, const std::string& group, const std::string& category,
                const Tally& t) {
  const int counts[] = {t.count,      t.answered,           t.unsupported, t.not_converged,
                        t.not_finite, t.bracket_violations, t.wrong_signs, t.unproved};
  text += fmt::format("{:<24} {:<20}", group, category);
  for (std::size_t i = 0; i < std::size(counts); ++i) {
    text += fmt::format(" {:>{}}", counts[i], kCounts[i].width);
  }
  for (const double error : {t.worst_error, t.worst_width, t.worst_witness, t.worst_support}) {
    text += fmt::format(" {:>12.1e}", error);
  }
  text += '\n';
}

nlohmann::json row_to_json(const Tally& t) {
  return {{"count", t.count},
          {"answered", t.answered},
          {"unsupported", t.unsupported},
          {"not_converged", t.not_converged},
          {"not_finite", t.not_finite},
          {"bracket_violations", t.bracket_violations},
          {"wrong_signs", t.wrong_signs},
          {"unproved", t.unproved},
          {"worst_error", t.worst_error},
          {"worst_width", t.worst_width},
          {"worst_witness", t.worst_witness},
          {"worst_support", t.worst_support}};
}

Tally row_from_json(const nlohmann::json& row) {
  Tally t;
  row.at("count").get_to(t.count);
  row.at("answered").get_to(t.answered);
  row.at("unsupported").get_to(t.unsupported);
  row.at("not_converged").get_to(t.not_converged);
  row.at("not_finite").get_to(t.not_finite);
  row.at("bracket_violations").get_to(t.bracket_violations);
  row.at("wrong_signs").get_to(t.wrong_signs);
  row.at("unproved").get_to(t.unproved);
  row.at("worst_error").get_to(t.worst_error);
  row.at("worst_width").get_to(t.worst_width);
  row.at("worst_witness").get_to(t.worst_witness);
  row.at("worst_support").get_to(t.worst_support);
  return t;
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  count += other.count;
  answered += other.answered;
  unsupported += other.unsupported;
  not_converged += other.not_converged;
  not_finite += other.not_finite;
  bracket_violations += other.bracket_violations;
  wrong_signs += other.wrong_signs;
  unproved += other.unproved;
  worst_error = std::max(worst_error, other.worst_error);
  worst_width = std::max(worst_width, other.worst_width);
  worst_witness = std::max(worst_witness, other.worst_witness);
  worst_support = std::max(worst_support, other.worst_support);
  return *this;
}

double pair_size(const Shape& a, const Shape& b) {
  const double size_a = extent(a), size_b = extent(b);
  if (!std::isfinite(size_a)) return std::isfinite(size_b) ? size_b : 1.0;
  return std::isfinite(size_b) ? std::max(size_a, size_b) : size_a;
}

std::optional<Truth> truth_of(const Query& query, double size) {
  if (!query.right || !query.right->signed_distance) return std::nullopt;
  const RightAnswer& right = *query.right;
  const double distance = *right.signed_distance;
  if (!right.lower || !right.upper) {
    const double slack = kUnprovedReference * size;
    return Truth{distance, distance - slack, distance + slack};
  }
  const bool curved = has_curved_core(query.a.type()) || has_curved_core(query.b.type());
  const double slack = (curved ? kCurvedReference : kPlainReference) * size;
  return Truth{distance, std::min({*right.lower, *right.upper, distance}) - slack,
               std::max({*right.lower, *right.upper, distance}) + slack};
}

Tally judge(const DistanceResult& result, const Truth& truth, const CheckReport& report,
            double size) {
  Tally tally;
  tally.count = 1;
  if (!is_answered(result.status)) {
    tally.unsupported = 1;
    return tally;
  }
  tally.answered = 1;
  tally.not_converged = result.status == Status::converged ? 0 : 1;
  if (!std::isfinite(result.distance) || std::isnan(result.lower) || std::isnan(result.upper) ||
      !is_finite(result.normal) || !is_finite(result.point_a) || !is_finite(result.point_b)) {
    tally.not_finite = 1;
    return tally;
  }
  const bool disjoint = result.lower > truth.upper + ulp(truth.upper) ||
                        result.upper < truth.lower - ulp(truth.lower);
  tally.bracket_violations = disjoint ? 1 : 0;
  // Signs are judged where the reference's own bracket has one.
  if ((truth.lower > 0.0 && !(result.distance > 0.0)) ||
      (truth.upper < 0.0 && !(result.distance < 0.0))) {
    tally.wrong_signs = 1;
  }
  tally.unproved = report.ok ? 0 : 1;
  const double scale = size > 0.0 ? 1.0 / size : 1.0;
  tally.worst_error = std::fabs(result.distance - truth.distance) * scale;
  tally.worst_width = (result.upper - result.lower) * scale;
  tally.worst_witness =
      std::max({report.witness_residual, report.membership_a, report.membership_b}) * scale;
  tally.worst_support = report.direction_residual * scale;
  return tally;
}

Tally judge_claims(Status status, const CheckReport& report) {
  Tally tally;
  tally.count = 1;
  if (!is_answered(status)) {
    tally.unsupported = 1;
    return tally;
  }
  tally.answered = 1;
  tally.not_converged = status == Status::converged ? 0 : 1;
  tally.unproved = report.ok ? 0 : 1;
  return tally;
}

CheckReport check_answer(const Query& q, const Answer& answer) {
  const Certificate* certificate = answer.certificate.get();
  const Motion motion = q.motion.value_or(Motion{});
  const CastResult cast = answer.cast.value_or(CastResult{});
  switch (q.ask) {
    case Ask::overlap:
      return check(q.a, q.pose_a, q.b, q.pose_b, OverlapResult{answer.overlap, answer.distance},
                   certificate);
    case Ask::distance:
      break;
    case Ask::contacts:
      return check(
          q.a, q.pose_a, q.b, q.pose_b,
          ContactsResult{answer.distance, static_cast<int>(answer.manifolds.size()), false},
          answer.manifolds, q.options.margin, certificate);
    case Ask::cast:
      return check(q.a, q.pose_a, motion.a.linear, q.b, q.pose_b, motion.b.linear, cast,
                   certificate);
    case Ask::impact:
      return check(q.a, q.pose_a, motion.a, q.b, q.pose_b, motion.b, cast, certificate);
  }
  // An unsigned distance was asked of the surfaces, and is proved of them.
  const bool whole = q.options.signed_distance;
  return check(whole ? q.a : bare(q.a), q.pose_a, whole ? q.b : bare(q.b), q.pose_b,
               answer.distance, certificate);
}

bool has_right_time(const Query& query) {
  const bool moves = query.ask == Ask::cast || query.ask == Ask::impact;
  return moves && query.right && (query.right->time || query.right->no_contact);
}

Tally judge(const CastResult& result, const Query& query, const CheckReport& report, double size) {
  Tally tally;
  tally.count = 1;
  if (!is_answered(result.status)) {
    tally.unsupported = 1;
    return tally;
  }
  tally.answered = 1;
  tally.not_converged = result.status == Status::converged ? 0 : 1;
  const bool touches = result.hit != Overlap::no;
  if (std::isnan(result.time) || std::isnan(result.time_upper) ||
      (touches && (!std::isfinite(result.distance) || !is_finite(result.normal) ||
                   !is_finite(result.point_a) || !is_finite(result.point_b)))) {
    tally.not_finite = 1;
    return tally;
  }
  tally.unproved = report.ok ? 0 : 1;
  const double scale = size > 0.0 ? 1.0 / size : 1.0;
  tally.worst_witness =
      std::max({report.witness_residual, report.membership_a, report.membership_b}) * scale;
  tally.worst_support = report.direction_residual * scale;
  const std::optional<double> time = query.right ? query.right->time : std::nullopt;
  if (!time) {
    tally.wrong_signs = result.hit == Overlap::yes ? 1 : 0;
    return tally;
  }
  const double right = *time;
  if (!touches) {
    tally.wrong_signs = 1;
    return tally;
  }
  const double speed = speed_of(query, result);
  const double slack = ulp(right) + (speed > 0.0 ? kUnprovedReference * size / speed : 0.0);
  const bool late = result.time > right + slack || result.time_upper < right - slack;
  tally.bracket_violations = late ? 1 : 0;
  tally.worst_error = std::fabs(result.time - right);
  tally.worst_width = result.hit == Overlap::yes ? result.time_upper - result.time : 0.0;
  return tally;
}

void JudgeTable::add(const std::string& group, const std::string& category, const Tally& tally) {
  rows_[{group, category}] += tally;
}

Tally JudgeTable::total() const {
  Tally sum;
  for (const auto& [key, tally] : rows_) sum += tally;
  return sum;
}

std::string JudgeTable::to_text() const {
  std::string text = fmt::format("{:<24} {:<20}", "pair", "class");
  for (const Column& column : kCounts) text += fmt::format(" {:>{}}", column.name, column.width);
  for (const char* name : kErrors) text += fmt::format(" {:>12}", name);
  text += '\n';
  for (const auto& [key, tally] : rows_) append_row(text, key.first, key.second, tally);
  append_row(text, "all", "", total());
  return text;
}

nlohmann::json JudgeTable::to_json() const {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [key, tally] : rows_) {
    nlohmann::json row = row_to_json(tally);
    row["pair"] = key.first;
    row["class"] = key.second;
    rows.push_back(std::move(row));
  }
  return {{"rows", std::move(rows)}, {"all", row_to_json(total())}};
}

JudgeTable JudgeTable::from_json(const nlohmann::json& value) {
  JudgeTable table;
  for (const auto& row : value.at("rows")) {
    table.add(row.at("pair").get<std::string>(), row.at("class").get<std::string>(),
              row_from_json(row));
  }
  return table;
}

}  // namespace tactus::io
