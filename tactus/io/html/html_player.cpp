#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Share of the sampled speeds that lies below the top of the color scale: the few fastest bodies
/// shall not make all others dark.
constexpr double kTopSpeedQuantile = 0.99;
/// Smallest box for 16-bit positions, so that a recording of one resting body has one.
constexpr double kSmallestBox = 1e-6;
/// Digits of a drawn vertex after the first.
constexpr double kVertexDigits = 5.0;

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8u | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kAlphabet[word >> (18u - 6u * k) & 63u] : '=';
    }
  }
  return text;
}

void append_word(std::vector<unsigned char>& bytes, std::uint16_t word) {
  bytes.push_back(static_cast<unsigned char>(word & 0xffu));
  bytes.push_back(static_cast<unsigned char>(word >> 8u));
}

/// The box of all sampled positions, and positions as 16-bit places within it.
class PositionGrid {
 public:
  explicit PositionGrid(const Recording& recording) {
    bool first = true;
    const auto include = [&](const std::array<float, 3>& p) {
      const Vec3 v{p[0], p[1], p[2]};
      box_ = first ? Aabb{v, v} : merge(box_, {v, v});
      first = false;
    };
    for (const PoseSample& sample : recording.poses) include(sample.position);
    for (const ContactSample& sample : recording.contacts) include(sample.position);
    box_.upper =
        component_max(box_.upper, box_.lower + Vec3{kSmallestBox, kSmallestBox, kSmallestBox});
    origin_ = recording.origin;
  }

  Vec3 lower() const { return origin_ + box_.lower; }
  Vec3 upper() const { return origin_ + box_.upper; }

  void append(const std::array<float, 3>& position, std::vector<unsigned char>& bytes) const {
    for (int axis = 0; axis < 3; ++axis) {
      const double unit =
          (static_cast<double>(position[static_cast<std::size_t>(axis)]) - box_.lower[axis]) /
          (box_.upper[axis] - box_.lower[axis]);
      append_word(bytes,
                  static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * 0xffff)));
    }
  }

 private:
  Aabb box_;
  Vec3 origin_;
};

/// Coordinates one after the other, rounded to a power of ten far below what a picture shows.
json flat_vertices(const std::vector<Vec3>& vertices) {
  double largest = 0.0;
  for (const Vec3& v : vertices) {
    for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::fabs(v[axis]));
  }
  const double steps =
      largest > 0.0 ? std::pow(10.0, kVertexDigits - std::floor(std::log10(largest))) : 1.0;
  json array = json::array();
  for (const Vec3& v : vertices) {
    for (int axis = 0; axis < 3; ++axis) array.push_back(std::round(v[axis] * steps) / steps);
  }
  return array;
}

/// Faces of a hull of volume as corner lists; a flat hull shows both of its sides.
json hull_faces(const ConvexHull& hull) {
  json faces = json::array();
  for (const ConvexHull::Face& face : hull.faces) {
    const std::span<const std::uint32_t> corners = hull.corners(face);
    faces.push_back(json(std::vector<std::uint32_t>(corners.begin(), corners.end())));
    if (hull.dimension == 2) {
      faces.push_back(json(std::vector<std::uint32_t>(corners.rbegin(), corners.rend())));
    }
  }
  return faces;
}

/// Appends the drawable parts of a shape.
void append_parts(const Shape& shape, const Pose& pose, json& parts) {
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (const Compound::Part& part : compound->parts()) {
      append_parts(part.shape, pose * part.pose, parts);
    }
    return;
  }
  json part;
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    part = {{"type", "convex"},
            {"vertices", flat_vertices(convex->hull().vertices)},
            {"faces", hull_faces(convex->hull())}};
    if (shape.rounding() > 0.0) part["rounding"] = shape.rounding();
  } else if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) {
    part = {{"type", "mesh"},
            {"vertices", flat_vertices(mesh->mesh().vertices)},
            {"faces", mesh->mesh().triangles}};
  } else {
    part = shape_to_json(shape);
  }
  if (!(pose == Pose())) {
    const Quat q = to_quaternion(pose.rotation());
    part["position"] = vector_to_json(pose.position());
    part["quaternion"] = {q.w, q.x, q.y, q.z};
  }
  parts.push_back(std::move(part));
}

json shapes_to_json(const Scene& scene) {
  json shapes = json::array();
  for (const SceneShape& shape : scene.shapes) {
    json parts = json::array();
    append_parts(shape.shape, Pose(), parts);
    shapes.push_back({{"name", shape.name}, {"parts", std::move(parts)}});
  }
  return shapes;
}

json bodies_to_json(const Scene& scene) {
  json bodies = json::array();
  for (const SceneBody& body : scene.bodies) {
    const bool moving = body.definition.type != BodyType::fixed;
    json entry = {{"shape", body.shape}, {"scale", body.scale}, {"moving", moving}};
    if (!moving) {
      const Pose& pose = body.definition.pose;
      const Quat q = to_quaternion(pose.rotation());
      entry["position"] = vector_to_json(pose.position());
      entry["quaternion"] = {q.w, q.x, q.y, q.z};
    }
    if (body.first_step > 0) {
      const std::uint64_t every = scene.recording.steps_per_picture;
      entry["since"] = (body.first_step + every - 1) / every;
    }
    if (!body.appearance.color.empty()) entry["color"] = body.appearance.color;
    if (body.appearance.opacity < 1.0) entry["opacity"] = body.appearance.opacity;
    bodies.push_back(std::move(entry));
  }
  return bodies;
}

double median_size(const Scene& scene) {
  std::vector<double> sizes;
  for (const SceneBody& body : scene.bodies) {
    const double size = extent(body.definition.shape);
    if (body.definition.type != BodyType::fixed && std::isfinite(size)) sizes.push_back(size);
  }
  if (sizes.empty()) return 1.0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

double top_speed(const Recording& recording, double pictures_per_time) {
  std::vector<double> speeds;
  const std::size_t tracks = recording.tracks.size();
  for (std::size_t i = tracks; i < recording.poses.size(); ++i) {
    double square = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double d = static_cast<double>(recording.poses[i].position[axis]) -
                       static_cast<double>(recording.poses[i - tracks].position[axis]);
      square += d * d;
    }
    if (square > 0.0) speeds.push_back(std::sqrt(square) * pictures_per_time);
  }
  if (speeds.empty()) return 1.0;
  const auto at = speeds.begin() + static_cast<std::ptrdiff_t>(
                                       kTopSpeedQuantile * static_cast<double>(speeds.size() - 1));
  std::nth_element(speeds.begin(), at, speeds.end());
  return *at;
}

/// What the camera shall show: the bounded fixed bodies, and the others where the run leaves them.
Aabb stage_box(const Scene& scene, const Recording& recording, double body_size) {
  std::vector<Aabb> boxes;
  for (const SceneBody& body : scene.bodies) {
    if (body.definition.type != BodyType::fixed) continue;
    const Aabb box = bounding_box(body.definition.shape, body.definition.pose);
    if (is_finite(box.lower) && is_finite(box.upper)) boxes.push_back(box);
  }
  const Vec3 half{body_size * 0.5, body_size * 0.5, body_size * 0.5};
  const std::size_t tracks = recording.tracks.size();
  for (std::size_t i = 0; i < tracks; ++i) {
    const auto& p = recording.poses[recording.poses.size() - tracks + i].position;
    const Vec3 place = recording.origin + Vec3{p[0], p[1], p[2]};
    boxes.push_back({place - half, place + half});
  }
  Aabb all = boxes.front();
  for (const Aabb& box : boxes) all = merge(all, box);
  return all;
}

json statistics_to_json(const Recording& recording) {
  json columns = json::array();
  for (const SummaryColumn& column : summary_columns()) columns.push_back(column.title);
  json rows = json::array();
  for (const SummaryRow& row : recording.summary.rows()) {
    json values = json::array();
    for (const SummaryColumn& column : summary_columns()) values.push_back(row.*column.value);
    rows.push_back(std::move(values));
  }
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

std::string block(std::string_view id, std::string_view type, std::string_view content) {
  std::string text = "<script id=\"";
  text.append(id).append("\" type=\"").append(type).append("\">");
  text.append(content).append("</script>\n");
  return text;
}

}  // namespace

std::string html_page(const Scene& scene, const Recording& recording, std::string_view player) {
  if (player.empty()) throw InvalidInput("", "this program was built without the player");
  if (recording.pictures() == 0) throw InvalidInput("recording", "holds no picture");

  const PositionGrid grid(recording);
  const double body_size = median_size(scene);
  const double pictures_per_time =
      static_cast<double>(scene.step_rate) / static_cast<double>(recording.steps_per_picture);
  const Aabb stage = stage_box(scene, recording, body_size);
  const double pull = norm(scene.world.gravity);
  const Vec3 up = pull > 0.0 ? -scene.world.gravity / pull : Vec3{0.0, 0.0, 1.0};

  json header = {
      {"title", scene.title},
      {"fps", pictures_per_time},
      {"pictures", recording.pictures()},
      {"lower", vector_to_json(grid.lower())},
      {"upper", vector_to_json(grid.upper())},
      {"up", vector_to_json(up)},
      {"stage",
       {{"lower", vector_to_json(stage.lower)},
        {"upper", vector_to_json(stage.upper)},
        {"body_size", body_size},
        {"top_speed", top_speed(recording, pictures_per_time)}}},
      {"shapes", shapes_to_json(scene)},
      {"bodies", bodies_to_json(scene)},
      {"contacts",
       {{"every", recording.pictures_per_contacts}, {"counts", recording.contact_counts}}},
      {"statistics", statistics_to_json(recording)}};
  if (scene.recording.view) {
    header["view"] = {{"from", vector_to_json(scene.recording.view->from)},
                      {"to", vector_to_json(scene.recording.view->to)}};
  }

  std::vector<unsigned char> poses;
  poses.reserve(recording.poses.size() * 12);
  for (const PoseSample& sample : recording.poses) {
    grid.append(sample.position, poses);
    for (const std::uint16_t word : sample.quaternion) append_word(poses, word);
  }
  std::vector<unsigned char> contacts;
  contacts.reserve(recording.contacts.size() * 8);
  for (const ContactSample& sample : recording.contacts) {
    grid.append(sample.position, contacts);
    contacts.insert(contacts.end(), sample.normal.begin(), sample.normal.end());
  }

  static constexpr std::string_view kPlace = "<!--recording-->";
  const std::size_t place = player.find(kPlace);
  std::string page(player.substr(0, place));
  page += block("recording-header", "application/json", json_for_script(header));
  page += block("recording-poses", "text/plain", base64(poses));
  page += block("recording-contacts", "text/plain", base64(contacts));
  page += block("recording-touching", "text/plain", base64(recording.touching));
  page += player.substr(place + kPlace.size());
  return page;
}

}  // namespace tactus::io
