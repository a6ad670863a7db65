#include "apps/tactus/robot/robot_command.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/output.hpp"
#include "tactus/bvh/self_crossings.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;

// A link longer than this is no link in metres.
constexpr double kLongLink = 20.0;

/// Faults of a mesh.
std::vector<std::string> findings_of(const Mesh& mesh) {
  std::vector<std::string> findings;
  if (!mesh.closed()) {
    findings.emplace_back("is open: its surface alone counts");
  } else if (mesh.inward()) {
    findings.emplace_back("is inside out");
  }
  const std::size_t crossings = detail::bvh::self_crossings(mesh.mesh()).size();
  if (crossings > 0)
    findings.push_back(fmt::format("crosses itself at {} pairs of triangles", crossings));
  return findings;
}

ordered_json body_json(const RobotBody& body, const std::string& link,
                       std::vector<std::string>& findings) {
  ordered_json json;
  json["name"] = body.name;
  json["shape"] = to_string(body.shape.type());
  const double length = extent(body.shape);
  json["extent"] = length;
  const auto note = [&](const std::string& text) {
    findings.push_back(fmt::format("link '{}', {}: {}", link, body.name, text));
  };
  if (const auto* mesh = std::get_if<Mesh>(&body.shape.geometry())) {
    json["triangles"] = mesh->mesh().triangles.size();
    json["closed"] = mesh->closed();
    for (const std::string& finding : findings_of(*mesh)) note(finding);
  }
  if (const auto* hull = std::get_if<Convex>(&body.shape.geometry()))
    json["vertices"] = hull->hull().vertices.size();
  if (length > kLongLink && std::isfinite(length))
    note(fmt::format("is {:.6g} long: millimetres?", length));
  return json;
}

ordered_json joint_json(const Robot& robot, const RobotJoint& joint) {
  ordered_json json;
  json["name"] = joint.name;
  json["type"] = to_string(joint.type);
  json["parent"] = robot.links()[joint.parent].name;
  json["child"] = robot.links()[joint.child].name;
  if (joint.type != RobotJointType::fixed && joint.type != RobotJointType::floating)
    json["axis"] = {joint.axis.x, joint.axis.y, joint.axis.z};
  if (std::isfinite(joint.lower)) json["lower"] = joint.lower;
  if (std::isfinite(joint.upper)) json["upper"] = joint.upper;
  if (joint.mimic) {
    json["mimic"] = {{"joint", robot.joints()[joint.mimic->joint].name},
                     {"multiplier", joint.mimic->multiplier},
                     {"offset", joint.mimic->offset}};
  }
  return json;
}

/// Text inside of an attribute of XML.
std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// SRDF with the pairs that need not be asked.
std::string srdf_of(const Robot& robot, const std::vector<PairReport>& pairs) {
  std::string text =
      fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", xml_text(robot.name()));
  for (const PairReport& report : pairs) {
    const char* reason = "Never";
    if (report.contact == PairContact::sometimes) continue;
    if (report.contact == PairContact::adjacent) reason = "Adjacent";
    if (report.contact == PairContact::always) reason = "Default";
    text += fmt::format(
        "  <disable_collisions link1=\"{}\" link2=\"{}\" reason=\"{}\"/>{}\n",
        xml_text(robot.links()[report.pair.a].name), xml_text(robot.links()[report.pair.b].name),
        reason,
        report.proved ? std::string() : fmt::format(" <!-- sampled {} -->", report.samples));
  }
  return text + "</robot>\n";
}

void add_pairs(const RobotCommand& command, const Robot& robot, ordered_json& report) {
  PairOptions options;
  options.samples = command.samples;
  options.max_boxes = command.boxes;
  options.clearance = command.clearance;
  options.max_threads = command.threads;
  const std::vector<PairReport> pairs = classify_pairs(robot, options);
  report["contacts"] = ordered_json::array();
  for (const PairReport& pair : pairs) {
    ordered_json json;
    json["a"] = robot.links()[pair.pair.a].name;
    json["b"] = robot.links()[pair.pair.b].name;
    json["contact"] = to_string(pair.contact);
    json["proved"] = pair.proved;
    if (!pair.proved) json["samples"] = pair.samples;
    report["contacts"].push_back(std::move(json));
  }
  if (command.srdf.empty()) return;
  io::write_atomically(command.srdf, srdf_of(robot, pairs));
  wrote(command.srdf);
}

ordered_json report_of(const RobotCommand& command) {
  std::vector<std::string> findings;
  const Robot robot = read_robot_file(command.files, &findings);
  ordered_json report;
  report["file"] = command.files.file;
  report["robot"] = robot.name();
  report["root"] = robot.links()[robot.root()].name;
  report["links"] = ordered_json::array();
  std::size_t bodied = 0;
  for (const RobotLink& link : robot.links()) {
    ordered_json json{{"name", link.name}, {"bodies", ordered_json::array()}};
    for (const RobotBody& body : link.bodies)
      json["bodies"].push_back(body_json(body, link.name, findings));
    bodied += link.bodies.empty() ? 0 : 1;
    report["links"].push_back(std::move(json));
  }
  report["joints"] = ordered_json::array();
  for (const RobotJoint& joint : robot.joints())
    report["joints"].push_back(joint_json(robot, joint));
  report["coordinates"] = ordered_json::array();
  for (const RobotCoordinate& c : robot.coordinates()) report["coordinates"].push_back(c.name);
  report["pairs"] = ordered_json();
  if (bodied <= 4000)
    report["pairs"] = asked_pairs(robot, command.pairs ? std::string() : command.srdf).size();
  report["findings"] = findings;
  if (command.pairs) add_pairs(command, robot, report);
  return report;
}

std::string body_text(const ordered_json& body) {
  std::string text = body["shape"].get<std::string>();
  if (body.contains("triangles"))
    text += fmt::format(" of {} triangles", body["triangles"].get<std::size_t>());
  if (body.contains("vertices"))
    text += fmt::format(" of {} vertices", body["vertices"].get<std::size_t>());
  return text;
}

void print_report(const ordered_json& report) {
  fmt::print("robot        {}\nroot         {}\n", report["robot"].get<std::string>(),
             report["root"].get<std::string>());
  fmt::print("coordinates  {}\npairs        {}\n", report["coordinates"].size(),
             io::json_dump(report["pairs"]));
  fmt::print("\nlinks        {}\n", report["links"].size());
  for (const ordered_json& link : report["links"]) {
    std::string bodies;
    for (const ordered_json& body : link["bodies"])
      bodies += (bodies.empty() ? "" : ", ") + body_text(body);
    fmt::print("  {:<24} {}\n", link["name"].get<std::string>(), bodies.empty() ? "-" : bodies);
  }
  fmt::print("\njoints       {}\n", report["joints"].size());
  for (const ordered_json& joint : report["joints"]) {
    std::string text =
        fmt::format("  {:<24} {:<10} {} -> {}", joint["name"].get<std::string>(),
                    joint["type"].get<std::string>(), joint["parent"].get<std::string>(),
                    joint["child"].get<std::string>());
    if (joint.contains("lower") && joint.contains("upper"))
      text += fmt::format("  {} to {}", joint["lower"].get<double>(), joint["upper"].get<double>());
    if (joint.contains("mimic"))
      text += fmt::format("  follows {}", joint["mimic"]["joint"].get<std::string>());
    fmt::print("{}\n", text);
  }
  fmt::print("\nfindings     {}\n", report["findings"].size());
  for (const ordered_json& finding : report["findings"])
    fmt::print("  {}\n", finding.get<std::string>());
  if (!report.contains("contacts")) return;
  fmt::print("\ncontacts     {}\n", report["contacts"].size());
  for (const ordered_json& pair : report["contacts"]) {
    const bool proved = pair["proved"].get<bool>();
    fmt::print("  {:<10} {:<14} {} {}\n", pair["contact"].get<std::string>(),
               proved ? "proved" : fmt::format("sampled {}", pair["samples"].get<int>()),
               pair["a"].get<std::string>(), pair["b"].get<std::string>());
  }
}

/// The configuration of `--joints`.
std::vector<double> configuration_of(const std::string& text, const Robot& robot) {
  std::vector<double> values = robot.zero_configuration();
  std::size_t next = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string field = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = field.find('=');
    std::size_t place = next++;
    if (equals != field.npos) {
      const auto found = robot.find_coordinate(field.substr(0, equals));
      if (!found)
        throw InvalidInput("--joints",
                           "the robot has no coordinate '" + field.substr(0, equals) + "'");
      place = *found;
    }
    if (place >= values.size())
      throw InvalidInput("--joints", fmt::format("more than {} values", values.size()));
    const auto value = io::number_in(equals != field.npos ? field.substr(equals + 1) : field);
    if (!value || !std::isfinite(*value))
      throw InvalidInput("--joints", "'" + field + "' holds no finite number");
    values[place] = *value;
  }
  return values;
}

ordered_json distance_json(const RobotCollision& collision, const RobotDistance& pair) {
  ordered_json json;
  const DistanceResult& r = pair.distance;
  json["a"] = collision.robot().links()[static_cast<std::size_t>(pair.link_a)].name;
  json["b"] = name_of_b(collision, pair);
  json["distance"] = r.distance;
  json["lower"] = r.lower;
  json["upper"] = r.upper;
  json["normal"] = {r.normal.x, r.normal.y, r.normal.z};
  json["point_a"] = {r.point_a.x, r.point_a.y, r.point_a.z};
  json["point_b"] = {r.point_b.x, r.point_b.y, r.point_b.z};
  json["status"] = to_string(r.status);
  return json;
}

void print_clearance(const RobotCollision& collision, const RobotClearanceCommand& command,
                     double time, std::span<const double> values, const RobotClearance& found) {
  if (!command.json) {
    fmt::print("{:<10} {:>21} {}\n", time, found.least.distance.distance,
               pair_name(collision, found.least));
    for (const RobotDistance& pair : found.below)
      fmt::print("{:<10} {:>21} {}\n", "", pair.distance.distance, pair_name(collision, pair));
    return;
  }
  ordered_json json;
  json["time"] = time;
  json["configuration"] = std::vector<double>(values.begin(), values.end());
  json["lower"] = found.lower;
  json["upper"] = found.upper;
  json["least"] = found.least.link_a >= 0 ? distance_json(collision, found.least) : ordered_json();
  if (command.below) {
    json["below"] = ordered_json::array();
    for (const RobotDistance& pair : found.below)
      json["below"].push_back(distance_json(collision, pair));
  }
  if (command.gradient) json["gradient"] = found.gradient;
  fmt::print("{}\n", io::json_dump(json));
}

int answer_clearance(const RobotClearanceCommand& command) {
  const RobotCollision collision = read_collision(command.files);
  if (command.configurations.empty() == command.joints.empty())
    throw InvalidInput("CONFIGURATIONS", "give a table or --joints");
  io::ConfigurationTable table;
  if (command.joints.empty()) {
    table = io::read_configurations(command.configurations, collision.robot());
  } else {
    table.times.push_back(0.0);
    table.rows.push_back(configuration_of(command.joints, collision.robot()));
  }
  ClearanceOptions options;
  if (command.below) options.below = *command.below;
  options.gradient = command.gradient;
  if (!command.json)
    fmt::print("{:<10} {:>21} {}\n", table.timed ? "time" : "row", "distance", "links");
  bool overlap = false;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const RobotClearance found = collision.clearance(table.rows[i], options);
    overlap = overlap || found.upper <= 0.0;
    print_clearance(collision, command, table.times[i], table.rows[i], found);
  }
  return overlap ? 1 : 0;
}

}  // namespace

int run_robot(const RobotCommand& command) {
  try {
    if (command.files.file.empty()) throw InvalidInput("FILE", "is required");
    if (!command.configurations.empty()) {
      RobotClearanceCommand clearance;
      clearance.files = command.files;
      if (!command.srdf.empty()) clearance.files.srdfs.push_back("=" + command.srdf);
      clearance.configurations = command.configurations;
      clearance.json = command.json;
      return answer_clearance(clearance);
    }
    const ordered_json report = report_of(command);
    if (command.json) {
      fmt::print("{}\n", io::json_dump(report, 2));
    } else {
      print_report(report);
    }
    return report["findings"].empty() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus robot: {}\n", error.what());
    return 2;
  }
}

int run_robot_clearance(const RobotClearanceCommand& command) {
  try {
    return answer_clearance(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus robot clearance: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
