#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/html/packing.hpp"
#include "tactus/io/html/path_page.hpp"
#include "tactus/io/html/scene_picture.hpp"
#include "tactus/io/html/soft_page.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/picture_format.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Share of the sampled speeds that lies below the top of the color scale: the few fastest bodies
/// shall not make all others dark.
constexpr double kTopSpeedQuantile = 0.99;
/// Smallest box for 16-bit positions, so that a recording of one resting body has one.
constexpr double kSmallestBox = 1e-6;

/// Where the pictures come from, in order and as often as asked.
using Pictures = std::function<void(const std::function<void(const Picture&)>&)>;
using Sink = std::function<void(std::string_view)>;

/// Writes bytes as base64, as they come.
class Base64 {
 public:
  explicit Base64(const Sink& sink) : sink_(sink) {}

  void byte(unsigned char value) {
    word_ = word_ << 8u | value;
    if (++held_ == 3) encode();
  }
  void word(std::uint16_t value) {
    byte(static_cast<unsigned char>(value & 0xffu));
    byte(static_cast<unsigned char>(value >> 8u));
  }
  void index(std::uint32_t value) {
    word(static_cast<std::uint16_t>(value & 0xffffu));
    word(static_cast<std::uint16_t>(value >> 16u));
  }
  void number(float value) { index(same_bits<std::uint32_t>(value)); }
  void finish() {
    if (held_ > 0) encode();
    sink_(text_);
    text_.clear();
  }

 private:
  void encode() {
    static constexpr char kAlphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    word_ <<= 8u * (3u - held_);
    for (unsigned k = 0; k < 4; ++k) {
      text_ += k <= held_ ? kAlphabet[word_ >> (18u - 6u * k) & 63u] : '=';
    }
    word_ = 0;
    held_ = 0;
    if (text_.size() >= kChunk) {
      sink_(text_);
      text_.clear();
    }
  }

  static constexpr std::size_t kChunk = std::size_t{1} << 16u;
  const Sink& sink_;
  std::string text_;
  std::uint32_t word_ = 0;
  unsigned held_ = 0;
};

/// Figures of all pictures, found in one pass over them.
struct Overview {
  std::uint64_t pictures = 0;
  Aabb box;  ///< of all places, relative to the run's origin
  std::vector<std::uint32_t> contact_counts;
  std::vector<std::array<float, 3>> last;  ///< places in the last picture
  std::vector<std::array<float, 3>> last_vertices;
  double top_speed = 1.0;
};

Vec3 to_vec(const std::array<float, 3>& p) { return {p[0], p[1], p[2]}; }

/// Periods of a scene along each axis; 0 along axes that are not periodic.
Vec3 periods_of(const Scene& scene) {
  Vec3 periods;
  for (int i = 0; i < 3; ++i) {
    const auto& axis = scene.world.periodic[static_cast<std::size_t>(i)];
    if (axis) periods[i] = axis->upper - axis->lower;
  }
  return periods;
}

/// Speeds of the bodies from one picture to the next; of long runs every few pictures.
class Speeds {
 public:
  Speeds(std::uint64_t samples, double rate, const WorldSettings& world)
      : every_(samples / kMostSpeeds + 1), rate_(rate), space_(world.periodic, world.shear) {}

  void add(std::uint64_t picture, const Picture& p, const std::vector<std::array<float, 3>>& last) {
    if (picture % every_ != 0 || last.size() != p.bodies.size()) return;
    space_.set_time(static_cast<double>(picture) / rate_);
    for (std::size_t i = 0; i < last.size(); ++i) {
      Vec3 moved = to_vec(p.bodies[i].position) - to_vec(last[i]);
      if (space_.any()) moved += space_.shift(space_.nearest(moved, "recording"));
      const double way = norm(moved);
      if (way > 0.0) speeds_.push_back(way * rate_);
    }
  }
  double top() {
    if (speeds_.empty()) return 1.0;
    const auto at =
        speeds_.begin() +
        static_cast<std::ptrdiff_t>(kTopSpeedQuantile * static_cast<double>(speeds_.size() - 1));
    std::nth_element(speeds_.begin(), at, speeds_.end());
    return *at;
  }

 private:
  static constexpr std::uint64_t kMostSpeeds = 1'000'000;
  std::uint64_t every_;
  double rate_;
  tactus::detail::PeriodicBox space_;
  std::vector<double> speeds_;
};

Overview look_over(const Scene& scene, const Pictures& pictures, std::uint64_t count,
                   std::size_t tracks, double pictures_per_time) {
  Overview all;
  Speeds speeds(count * tracks, pictures_per_time, scene.world);
  bool first = true;
  const auto include = [&](const std::array<float, 3>& p) {
    const Vec3 v = to_vec(p);
    all.box = first ? Aabb{v, v} : merge(all.box, {v, v});
    first = false;
  };
  pictures([&](const Picture& picture) {
    for (const BodySample& body : picture.bodies) include(body.position);
    for (const auto& vertex : picture.vertices) include(vertex);
    all.last_vertices = picture.vertices;
    for (const ContactSample& contact : picture.contacts) {
      include(contact.position);
      for (const std::uint32_t body : contact.bodies) {
        if (body >= scene.bodies.size() + scene.deformables.size())
          throw InvalidInput("recording", "is of another scene");
      }
    }
    if (picture.has_contacts) {
      all.contact_counts.push_back(static_cast<std::uint32_t>(picture.contacts.size()));
    }
    speeds.add(all.pictures++, picture, all.last);
    all.last.clear();
    for (const BodySample& body : picture.bodies) all.last.push_back(body.position);
  });
  all.top_speed = speeds.top();
  return all;
}

/// The box of all sampled positions, and positions as 16-bit places within it.
class PositionGrid {
 public:
  explicit PositionGrid(const Aabb& box, const Vec3& origin) : box_(box), origin_(origin) {
    box_.upper =
        component_max(box_.upper, box_.lower + Vec3{kSmallestBox, kSmallestBox, kSmallestBox});
  }

  Vec3 lower() const { return origin_ + box_.lower; }
  Vec3 upper() const { return origin_ + box_.upper; }

  void append(const std::array<float, 3>& position, Base64& out) const {
    for (int axis = 0; axis < 3; ++axis) {
      const double unit =
          (static_cast<double>(position[static_cast<std::size_t>(axis)]) - box_.lower[axis]) /
          (box_.upper[axis] - box_.lower[axis]);
      out.word(static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * 0xffff)));
    }
  }

 private:
  Aabb box_;
  Vec3 origin_;
};

/// Box that the camera shall show: the bounded fixed bodies, and all others where the run leaves
/// them.
Aabb stage_box(const Scene& scene, const RunCheckpoint& run, const Overview& all,
               double body_size) {
  std::vector<Aabb> boxes;
  for (const SceneBody& body : scene.bodies) {
    if (body.definition.type != BodyType::fixed) continue;
    const Aabb box = bounding_box(body.definition.shape, body.definition.pose);
    if (is_finite(box.lower) && is_finite(box.upper)) boxes.push_back(box);
  }
  const Vec3 half{body_size * 0.5, body_size * 0.5, body_size * 0.5};
  for (const std::array<float, 3>& p : all.last) {
    const Vec3 place = run.origin + to_vec(p);
    boxes.push_back({place - half, place + half});
  }
  for (const std::array<float, 3>& p : all.last_vertices) {
    const Vec3 place = run.origin + to_vec(p);
    boxes.push_back({place, place});
  }
  Aabb stage = boxes.front();
  for (const Aabb& box : boxes) stage = merge(stage, box);
  return stage;
}

/// The rows of a run under the names of their columns.
template <class Row, class Column>
json statistics_to_json(std::span<const Row> rows, std::span<const Column> columns,
                        std::string_view Column::* name) {
  json names = json::array(), lines = json::array();
  for (const Column& column : columns) {
    // Names of CSV columns become words.
    std::string words(column.*name);
    std::replace(words.begin(), words.end(), '_', ' ');
    names.push_back(std::move(words));
  }
  for (const Row& row : rows) {
    json values = json::array();
    for (const Column& column : columns) values.push_back(row.*column.value);
    lines.push_back(std::move(values));
  }
  return {{"columns", std::move(names)}, {"rows", std::move(lines)}};
}

json statistics_to_json(const RunSummary& summary) {
  return statistics_to_json(summary.rows(), summary_columns(), &SummaryColumn::title);
}

/// `[{name, vertices, triangles, solid}]` of the deformables.
json surfaces_to_json(const Scene& scene) {
  json surfaces = json::array();
  for (const SceneDeformable& body : scene.deformables) {
    const soft::DeformableDefinition& d = body.definition;
    const bool solid = !d.tetrahedra.empty();
    json corners = json::array();
    for (const auto& triangle : surface_triangles(d)) {
      for (const std::uint32_t corner : triangle) corners.push_back(corner);
    }
    surfaces.push_back({{"name", body.name},
                        {"vertices", d.vertices.size()},
                        {"triangles", std::move(corners)},
                        {"solid", solid}});
  }
  return surfaces;
}

json header_of(const Scene& scene, const RunCheckpoint& run, json statistics, const Overview& all,
               const PositionGrid& grid, double pictures_per_time) {
  const double body_size = median_size(scene);
  const Aabb stage = stage_box(scene, run, all, body_size);
  const double pull = norm(scene.world.gravity);
  const Vec3 up = pull > 0.0 ? -scene.world.gravity / pull : Vec3{0.0, 0.0, 1.0};
  json header = {
      {"title", scene.title},
      {"fps", pictures_per_time},
      {"pictures", all.pictures},
      {"lower", vector_to_json(grid.lower())},
      {"upper", vector_to_json(grid.upper())},
      {"up", vector_to_json(up)},
      {"stage",
       {{"lower", vector_to_json(stage.lower)},
        {"upper", vector_to_json(stage.upper)},
        {"body_size", body_size},
        {"mark_size", mark_size(scene)},
        {"top_speed", all.top_speed}}},
      {"shapes", shapes_to_json(scene)},
      {"bodies", bodies_to_json(scene)},
      {"joints", joints_to_json(scene, run)},
      {"periods", vector_to_json(periods_of(scene))},
      {"contacts", {{"every", run.pictures_per_contacts}, {"counts", all.contact_counts}}},
      {"surfaces", surfaces_to_json(scene)},
      {"statistics", std::move(statistics)}};
  if (const auto& shear = scene.world.shear)
    header["shear"] = {{"flow", shear->flow}, {"gradient", shear->gradient}, {"rate", shear->rate}};
  if (scene.recording.view) {
    header["view"] = {{"from", vector_to_json(scene.recording.view->from)},
                      {"to", vector_to_json(scene.recording.view->to)}};
  }
  return header;
}

/// Adds to the header of a page its path, and the box that the whole of it fills.
void add_path(const PathClearance& path, json& header) {
  json pairs = json::array(), distances = json::array(), of = json::array(), points = json::array();
  for (const std::string& pair : path.pairs) pairs.push_back(pair);
  for (const NearestMoment& moment : path.moments) {
    const bool known = moment.pair < path.pairs.size();
    distances.push_back(known ? json(moment.distance) : json());
    of.push_back(known ? json(moment.pair) : json());
    for (const Vec3& p : {moment.point_a, moment.point_b})
      for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<float>(p[axis]));
  }
  json entry = {{"start", path.start},
                {"wanted", path.wanted},
                {"verdict", path.verdict},
                {"pairs", std::move(pairs)},
                {"distance", std::move(distances)},
                {"pair", std::move(of)},
                {"points", std::move(points)}};
  if (path.bracket) entry["bracket"] = {path.bracket->first, path.bracket->second};
  header["path"] = std::move(entry);
  header["stage"]["lower"] = vector_to_json(path.box.lower);
  header["stage"]["upper"] = vector_to_json(path.box.upper);
}

/// Bodies that each track touches, at most 255.
std::vector<std::uint8_t> partners_of(const Picture& picture, std::span<const std::int64_t> track) {
  std::vector<std::uint8_t> count(picture.bodies.size(), 0);
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::array<std::uint32_t, 2> last{kNone, kNone};
  for (const ContactSample& contact : picture.contacts) {
    // The points of a pair follow each other.
    if (contact.bodies == last) continue;
    last = contact.bodies;
    for (const std::uint32_t body : last) {
      const std::int64_t at = track[body];
      if (at >= 0 && count[static_cast<std::size_t>(at)] < 255)
        ++count[static_cast<std::size_t>(at)];
    }
  }
  return count;
}

void write_pictures(const Scene& scene, const RunCheckpoint& run, const Pictures& pictures,
                    const PositionGrid& grid, const Sink& sink) {
  std::vector<std::int64_t> track(scene.bodies.size() + scene.deformables.size(), -1);
  for (std::size_t i = 0; i < run.tracks.size(); ++i) {
    track[static_cast<std::size_t>(run.tracks[i] - 1)] = static_cast<std::int64_t>(i);
  }
  const auto block = [&](std::string_view id, const auto& write) {
    sink("<script id=\"");
    sink(id);
    sink("\" type=\"text/plain\">");
    Base64 out(sink);
    pictures([&](const Picture& picture) { write(picture, out); });
    out.finish();
    sink("</script>\n");
  };
  block("recording-poses", [&](const Picture& picture, Base64& out) {
    for (const BodySample& body : picture.bodies) {
      grid.append(body.position, out);
      const auto& q = body.orientation;
      for (const std::uint16_t word : pack_quaternion({q[0], q[1], q[2], q[3]})) out.word(word);
    }
  });
  block("recording-contacts", [&](const Picture& picture, Base64& out) {
    for (const ContactSample& contact : picture.contacts) {
      grid.append(contact.position, out);
      for (const std::uint8_t byte : pack_direction(to_vec(contact.normal))) out.byte(byte);
    }
  });
  block("recording-partners", [&](const Picture& picture, Base64& out) {
    for (const ContactSample& contact : picture.contacts) {
      for (const std::uint32_t body : contact.bodies) out.index(body);
    }
  });
  block("recording-forces", [&](const Picture& picture, Base64& out) {
    for (const ContactSample& contact : picture.contacts) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        out.number(contact.normal_force * contact.normal[axis] + contact.friction_force[axis]);
    }
  });
  block("recording-touching", [&](const Picture& picture, Base64& out) {
    if (!picture.has_contacts) return;
    for (const std::uint8_t byte : partners_of(picture, track)) out.byte(byte);
  });
  block("recording-surfaces", [&](const Picture& picture, Base64& out) {
    for (const auto& vertex : picture.vertices) grid.append(vertex, out);
  });
}

/// Data that a page shows beside its pictures: the table of a run, or the clearance of a path.
struct PageData {
  json statistics = {{"columns", json::array()}, {"rows", json::array()}};
  const PathClearance* path = nullptr;
};

void write_page(const Scene& scene, const RunCheckpoint& run, PageData data, std::uint64_t count,
                const Pictures& pictures, std::string_view player, const Sink& sink) {
  if (count == 0) throw InvalidInput("recording", "holds no picture");
  if (run.tracks != start_run(scene).tracks) throw InvalidInput("recording", "is of another scene");
  const double pictures_per_time =
      data.path != nullptr
          ? data.path->pictures_per_time
          : static_cast<double>(scene.step_rate) / static_cast<double>(run.steps_per_picture);
  const Overview all = look_over(scene, pictures, count, run.tracks.size(), pictures_per_time);
  const PositionGrid grid(all.box, run.origin);
  json header = header_of(scene, run, std::move(data.statistics), all, grid, pictures_per_time);
  if (data.path != nullptr) add_path(*data.path, header);
  static constexpr std::string_view kPlace = "<!--recording-->";
  const std::size_t place = player.find(kPlace);
  sink(player.substr(0, place));
  sink("<script id=\"recording-header\" type=\"application/json\">");
  sink(json_for_script(header));
  sink("</script>\n");
  write_pictures(scene, run, pictures, grid, sink);
  sink(player.substr(place + kPlace.size()));
}

void require_player(std::string_view player) {
  if (player.empty()) throw InvalidInput("", "this program was built without the player");
}

}  // namespace

std::string html_page(const Scene& scene, const Recording& recording, std::string_view player) {
  require_player(player);
  std::string page;
  write_page(
      scene, recording, {statistics_to_json(recording.summary)}, recording.pictures.size(),
      [&](const std::function<void(const Picture&)>& take) {
        for (const Picture& picture : recording.pictures) take(picture);
      },
      player, [&](std::string_view text) { page += text; });
  return page;
}

void write_html_page(const Scene& scene, const RunSummary& summary, PictureReader& pictures,
                     const std::filesystem::path& file, std::string_view player) {
  require_player(player);
  AtomicFile out(file);
  write_page(
      scene, pictures.run(), {statistics_to_json(summary)}, pictures.pictures(),
      [&](const std::function<void(const Picture&)>& take) {
        pictures.rewind();
        for (Picture picture; pictures.next(picture);) take(picture);
      },
      player, [&](std::string_view text) { out.write(text); });
  out.commit();
}

void write_soft_page(const Scene& scene, std::span<const DeformableRow> rows,
                     const SoftPictures& pictures, const std::filesystem::path& file,
                     std::string_view player) {
  require_player(player);
  AtomicFile out(file);
  write_page(
      scene, pictures.run(),
      {statistics_to_json(rows, deformable_columns(), &DeformableColumn::name)}, pictures.count(),
      [&](const std::function<void(const Picture&)>& take) { pictures.for_each(take); }, player,
      [&](std::string_view text) { out.write(text); });
  out.commit();
}

void write_path_page(const Scene& scene, const Recording& pictures, const PathClearance& path,
                     const std::filesystem::path& file, std::string_view player) {
  require_player(player);
  AtomicFile out(file);
  write_page(
      scene, pictures, {.path = &path}, pictures.pictures.size(),
      [&](const std::function<void(const Picture&)>& take) {
        for (const Picture& picture : pictures.pictures) take(picture);
      },
      player, [&](std::string_view text) { out.write(text); });
  out.commit();
}

}  // namespace tactus::io
