#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/tactus/output.hpp"
#include "apps/tactus/robot/path_certificate.hpp"
#include "apps/tactus/robot/robot_command.hpp"
#include "apps/tactus/robot/robot_page.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;

/// Slopes at the rows, per unit of time: those of the parabola through three rows, 0 at both ends.
std::vector<std::vector<double>> slopes_of(const io::ConfigurationTable& table) {
  const std::size_t n = table.rows.size();
  std::vector<std::vector<double>> slopes(n, std::vector<double>(table.rows[0].size(), 0.0));
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = table.times[i] - table.times[i - 1];
    const double after = table.times[i + 1] - table.times[i];
    for (std::size_t k = 0; k < slopes[i].size(); ++k) {
      const double left = (table.rows[i][k] - table.rows[i - 1][k]) / before;
      const double right = (table.rows[i + 1][k] - table.rows[i][k]) / after;
      slopes[i][k] = (left * after + right * before) / (before + after);
    }
  }
  return slopes;
}

std::vector<PathSegment> segments_of(const io::ConfigurationTable& table, const Robot& robot,
                                     bool cubic) {
  // Time itself goes evenly.
  const auto time = robot.find_coordinate("time");
  std::vector<PathSegment> segments;
  std::vector<std::vector<double>> slopes;
  if (cubic) slopes = slopes_of(table);
  for (std::size_t i = 0; i + 1 < table.rows.size(); ++i) {
    PathSegment segment = straight_segment(table.rows[i], table.rows[i + 1]);
    const double duration = table.times[i + 1] - table.times[i];
    for (std::size_t k = 0; cubic && k < segment.size(); ++k) {
      if (k == time) continue;
      PathPolynomial& p = segment[k];
      const double rise = p.b, first = slopes[i][k] * duration, last = slopes[i + 1][k] * duration;
      p.b = first;
      p.c = 3.0 * rise - 2.0 * first - last;
      p.d = first + last - 2.0 * rise;
    }
    segments.push_back(std::move(segment));
  }
  // A path of one row is a robot at rest.
  if (segments.empty()) segments.push_back(straight_segment(table.rows[0], table.rows[0]));
  return segments;
}

/// Rows beyond the limits are told; the path is proved all the same.
void warn_of_limits(const std::string& file, const io::ConfigurationTable& table,
                    const Robot& robot) {
  const auto& coordinates = robot.coordinates();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    std::size_t first = table.rows.size(), count = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const double value = table.rows[i][k];
      if (value >= coordinates[k].lower && value <= coordinates[k].upper) continue;
      first = std::min(first, i);
      ++count;
    }
    if (count > 0)
      fmt::print(stderr, "{}:{}: '{}' is {}, beyond its limits {} to {} ({} rows)\n", file,
                 table.lines[first], coordinates[k].name, table.rows[first][k],
                 coordinates[k].lower, coordinates[k].upper, count);
  }
}

struct Found {
  PathVerdict verdict = PathVerdict::free;
  double lower = 0.0, upper = 0.0;  ///< times of the table
  RobotDistance pair;
  std::size_t segments = 0, intervals = 0, distances = 0, claims = 0;
};

/// Time of the table at a part of a segment.
double time_at(const io::ConfigurationTable& table, std::size_t segment, double part) {
  if (segment + 1 >= table.times.size()) return table.times.back();
  return table.times[segment] + part * (table.times[segment + 1] - table.times[segment]);
}

/// Segments are proved side by side, some at a time, up to the first that is not free.
Found look_along(const RobotPathCommand& command, const RobotCollision& collision,
                 const io::ConfigurationTable& table, std::span<const PathSegment> segments,
                 std::vector<std::vector<PathClaim>>& all) {
  constexpr std::size_t kBlock = 256;
  Found found;
  std::size_t undecided = segments.size();
  for (std::size_t begin = 0; begin < segments.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, segments.size() - begin);
    std::vector<PathAnswer> answers(count);
    std::vector<std::vector<PathClaim>> claims(count);
    std::vector<std::string> faults(count);
    parallel_for(
        count, 1,
        [&](std::size_t first, std::size_t end) {
          for (std::size_t i = first; i < end; ++i) {
            PathOptions options;
            options.clearance = command.clearance;
            options.tolerance = command.tolerance;
            if (command.claims || !command.certificate.empty()) options.claims = &claims[i];
            answers[i] = collision.certify(segments[begin + i], options);
            if (command.claims && answers[i].verdict == PathVerdict::free)
              faults[i] = collision.check_free(segments[begin + i], command.clearance, claims[i]);
          }
        },
        command.threads);
    for (std::size_t i = 0; i < count; ++i) {
      if (!faults[i].empty())
        throw std::runtime_error(
            fmt::format("segment {} is not proved again: {}", begin + i, faults[i]));
      ++found.segments;
      found.intervals += static_cast<std::size_t>(answers[i].intervals);
      found.distances += static_cast<std::size_t>(answers[i].distances);
      found.claims += claims[i].size();
      if (answers[i].verdict == PathVerdict::free) continue;
      if (undecided == segments.size()) {
        undecided = begin + i;
        found.lower = time_at(table, begin + i, answers[i].lower);
        found.pair = answers[i].pair;
        found.verdict = PathVerdict::undecided;
      }
      found.upper = time_at(table, begin + i, answers[i].upper);
      if (answers[i].verdict == PathVerdict::below) {
        found.verdict = PathVerdict::below;
        found.pair = answers[i].pair;
        return found;
      }
    }
    if (!command.certificate.empty())
      all.insert(all.end(), std::make_move_iterator(claims.begin()),
                 std::make_move_iterator(claims.end()));
  }
  return found;
}

void print_found(const RobotPathCommand& command, const RobotCollision& collision,
                 const Found& found) {
  ordered_json json;
  json["verdict"] = to_string(found.verdict);
  if (found.verdict == PathVerdict::free) {
    for (const char* name : {"time", "time_upper", "pair"}) json[name] = ordered_json();
    json["clearance"] = {command.clearance, ordered_json()};
  } else {
    json["time"] = found.lower;
    json["time_upper"] = found.upper;
    json["pair"] = {collision.robot().links()[static_cast<std::size_t>(found.pair.link_a)].name,
                    name_of_b(collision, found.pair)};
    json["clearance"] = {found.pair.distance.lower, found.pair.distance.upper};
  }
  json["wanted"] = command.clearance;
  json["segments"] = found.segments;
  json["intervals"] = found.intervals;
  json["distances"] = found.distances;
  if (command.claims) json["claims_proved"] = found.claims;
  if (command.json) {
    fmt::print("{}\n", io::json_dump(json));
    return;
  }
  for (const auto& [name, value] : json.items())
    fmt::print("{:<14} {}\n", name,
               value.is_string() ? value.get<std::string>() : io::json_dump(value));
}

}  // namespace

int run_robot_path(const RobotPathCommand& command) {
  try {
    const RobotCollision collision = read_collision(command.files);
    const io::ConfigurationTable table = io::read_configurations(command.path, collision.robot());
    warn_of_limits(command.path, table, collision.robot());
    const std::vector<PathSegment> segments =
        segments_of(table, collision.robot(), command.interpolation == "cubic");
    std::vector<std::vector<PathClaim>> claims;
    const Found found = look_along(command, collision, table, segments, claims);
    print_found(command, collision, found);
    if (!command.certificate.empty() && found.verdict == PathVerdict::free) {
      io::write_atomically(command.certificate,
                           path_certificate(command, collision, table.times, segments, claims));
      wrote(command.certificate);
    }
    if (!command.html.empty()) {
      PathStory story{to_string(found.verdict), {}};
      if (found.verdict != PathVerdict::free) story.bracket = {found.lower, found.upper};
      write_robot_page(command, collision, table.times, segments, story);
      wrote(command.html);
    }
    return found.verdict == PathVerdict::free ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus robot path: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
