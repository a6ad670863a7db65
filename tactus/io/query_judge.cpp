#include "tactus/io/query_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tactus/shape/bounds.hpp"

namespace tactus::io {
namespace {

// Signs are judged where the truth is farther from touching than this part of the size: input
// coordinates themselves are rounded by some 1e-16 of size.
constexpr double kSignSlack = 1e-15;
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
  if (std::fabs(truth.distance) > kSignSlack * size) {
    const bool same = truth.distance > 0.0 ? result.distance > 0.0 : result.distance < 0.0;
    tally.wrong_signs = same ? 0 : 1;
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

}  // namespace tactus::io
