#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "tactus/check.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/query.hpp"

namespace tactus::io {

/// Counts and worst errors of the answers to one class of queries; errors in sizes of the pair.
struct Tally {
  int count = 0;     ///< queries
  int answered = 0;  ///< with a status other than unsupported and invalid_input
  int unsupported = 0;
  int not_converged = 0;  ///< answered, but the bracket stayed wider than asked
  int not_finite = 0;     ///< an answered distance, normal or witness that is no number
  int bracket_violations =
      0;  ///< the answer's bracket and the right one are disjoint by more than one ulp
  int wrong_signs = 0;       ///< judged where the right |distance| is above 1e-15 of size
  int unproved = 0;          ///< a claim that `check` does not find proved
  double worst_error = 0.0;  ///< |distance - right|
  double worst_width = 0.0;  ///< upper - lower
  double worst_witness =
      0.0;  ///< membership of the witnesses, and |point_b - point_a - distance * normal|
  double worst_support = 0.0;  ///< |f(normal) + distance|

  bool contradicted() const {
    return not_finite > 0 || bracket_violations > 0 || wrong_signs > 0 || unproved > 0;
  }
  Tally& operator+=(const Tally& other);
};

/// The truth about one query: a bracket of the signed distance, and the best value inside.
struct Truth {
  double distance = 0.0, lower = 0.0, upper = 0.0;
};

/// The truth that a query's line carries, if any: its bracket, widened to what references in files
/// can vouch for, which is 2e-14 of size for curved bodies and 5e-16 for others, or 1e-12 of size
/// where the line names no bracket.
std::optional<Truth> truth_of(const Query& query, double size);

/// The length to which the errors of a pair are related: the larger of the two shapes' longest
/// extents, unbounded shapes left out.
double pair_size(const Shape& a, const Shape& b);

/// Compares one answer with the truth; the result counts a single query. `report` is what `check`
/// found.
Tally judge(const DistanceResult& result, const Truth& truth, const CheckReport& report,
            double size);

/// The claims alone, of a line that carries no right answer.
Tally judge_claims(Status status, const CheckReport& report);

/// True when the query's line says when the bodies first touch, or that they never do.
bool has_right_time(const Query& query);

/// Compares a cast or impact with the right time of its line (`has_right_time`). A wrong sign is a
/// hit where there is none, or the reverse; errors and widths of times are relative to the motion,
/// whose duration is 1. Right times are taken as exact to 1e-12 of size in the bodies' positions.
Tally judge(const CastResult& result, const Query& query, const CheckReport& report, double size);

/// The checker's report on an answer that was asked for with a certificate.
CheckReport check_answer(const Query& query, const Answer& answer);

/// Tallies by group (pair of shapes, file) and class, in alphabetical order.
class JudgeTable {
 public:
  void add(const std::string& group, const std::string& category, const Tally& tally);
  Tally total() const;
  /// Fixed-width text, one row per group and class and one for the whole.
  std::string to_text() const;
  nlohmann::json to_json() const;
  /// The table that `to_json` wrote. Throws nlohmann::json::exception for anything else.
  static JudgeTable from_json(const nlohmann::json& value);

 private:
  std::map<std::pair<std::string, std::string>, Tally> rows_;
};

}  // namespace tactus::io
