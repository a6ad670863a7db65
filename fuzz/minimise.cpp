#include "fuzz/minimise.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/math.hpp"

namespace tactus::detail::fuzz {
namespace {

using Json = nlohmann::ordered_json;

// Digits that a number is cut to, shortest first.
constexpr int kDigits[] = {1, 2, 3, 4, 6, 8, 10, 12, 14};

double cut(double x, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return std::strtod(text, nullptr);
}

class Minimiser {
 public:
  Minimiser(const std::string& line, const std::function<bool(const std::string&)>& fails,
            int budget)
      : best_(Json::parse(line)), fails_(fails), budget_(budget) {}

  std::string run() {
    std::string before;
    do {
      before = io::json_dump(best_);
      drop_options();
      for (const char* body : {"a", "b"})
        simplify_shape(Json::json_pointer(std::string("/") + body));
      simplify_poses();
      shorten_numbers();
    } while (budget_ > 0 && io::json_dump(best_) != before);
    return io::json_dump(best_);
  }

 private:
  /// Keeps the candidate if it still fails.
  bool keep(Json candidate) {
    if (budget_-- <= 0 || candidate == best_ || !fails_(io::json_dump(candidate))) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool keep_without(const Json::json_pointer& object, const std::string& field) {
    if (!best_[object].contains(field)) return false;
    Json candidate = best_;
    candidate[object].erase(field);
    return keep(std::move(candidate));
  }

  bool keep_with(const Json::json_pointer& place, Json value) {
    Json candidate = best_;
    candidate[place] = std::move(value);
    return keep(std::move(candidate));
  }

  void drop_options() {
    for (const char* field : {"method", "tolerance", "threshold", "max_distance", "max_iterations",
                              "signed", "custom"}) {
      keep_without(Json::json_pointer(), field);
    }
  }

  /// Removes runs of elements, long ones first.
  void thin_out(const Json::json_pointer& array) {
    for (std::size_t run = best_[array].size() / 2; run > 0; run /= 2) {
      for (std::size_t first = 0;
           first + run <= best_[array].size() && best_[array].size() > run;) {
        Json candidate = best_;
        Json& list = candidate[array];
        const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
        list.erase(begin, begin + static_cast<std::ptrdiff_t>(run));
        if (!keep(std::move(candidate))) first += run;
      }
    }
  }

  /// The corners of a mesh are named by their places.
  void drop_unused_corners(const Json::json_pointer& mesh) {
    Json candidate = best_;
    Json& shape = candidate[mesh];
    std::map<std::size_t, std::size_t> places;
    Json used = Json::array();
    for (Json& triangle : shape["triangles"]) {
      for (Json& corner : triangle) {
        const auto [place, added] = places.try_emplace(corner.get<std::size_t>(), used.size());
        if (added) used.push_back(shape["vertices"].at(place->first));
        corner = place->second;
      }
    }
    shape["vertices"] = std::move(used);
    keep(std::move(candidate));
  }

  void simplify_shape(const Json::json_pointer& place) {
    if (best_[place].contains("parts")) {
      thin_out(place / "parts");
      if (best_[place]["parts"].size() == 1) keep_with(place, best_[place]["parts"][0]["shape"]);
    }
    if (best_[place].contains("parts")) {
      for (std::size_t i = 0; i < best_[place]["parts"].size(); ++i) {
        const auto part = place / "parts" / i;
        simplify_shape(part / "shape");
        keep_without(part, "pose");
      }
    }
    if (best_[place].contains("triangles")) {
      thin_out(place / "triangles");
      drop_unused_corners(place);
    } else if (best_[place].contains("vertices")) {
      thin_out(place / "vertices");
    }
    keep_without(place, "rounding");
  }

  void simplify_poses() {
    for (const char* name : {"pose_a", "pose_b"}) {
      if (!best_.contains(name) || keep_without(Json::json_pointer(), name)) continue;
      const Pose pose = io::pose_from_json(nlohmann::json(best_[name]));
      const Vec3& p = pose.position();
      const Quat q = to_quaternion(pose.rotation());
      const Json::json_pointer place(std::string("/") + name);
      const Json position = Json::array({p.x, p.y, p.z});
      const Json quaternion = Json::array({q.w, q.x, q.y, q.z});
      if (keep_with(place, {{"position", position}, {"quaternion", {1, 0, 0, 0}}})) continue;
      if (keep_with(place, {{"position", {0, 0, 0}}, {"quaternion", quaternion}})) continue;
      if (best_[name].is_array()) {
        keep_with(place, {{"position", position}, {"quaternion", quaternion}});
      }
    }
    if (!best_.contains("pose_a") || !best_.contains("pose_b")) return;
    const Pose a = io::pose_from_json(nlohmann::json(best_["pose_a"]));
    const Pose b = io::pose_from_json(nlohmann::json(best_["pose_b"]));
    Json candidate = best_;
    candidate.erase("pose_a");
    candidate["pose_b"] = io::pose_to_json(relative(a, b));
    if (keep(candidate)) return;
    // Only the positions: A to the origin.
    candidate = best_;
    candidate["pose_a"] = io::pose_to_json(detail::unchecked_pose({}, a.rotation()));
    candidate["pose_b"] =
        io::pose_to_json(detail::unchecked_pose(b.position() - a.position(), b.rotation()));
    keep(std::move(candidate));
  }

  void shorten_numbers() {
    // Only the values change: the places stay.
    const Json flat = best_.flatten();
    for (const auto& [path, value] : flat.items()) {
      if (!value.is_number()) continue;
      const Json::json_pointer place(path);
      const double x = value.get<double>();
      if (x == 0.0 || keep_with(place, 0) || (x != 1.0 && keep_with(place, x < 0.0 ? -1 : 1))) {
        continue;
      }
      for (const int digits : kDigits) {
        const double shorter = cut(x, digits);
        if (shorter == x || keep_with(place, shorter)) break;
      }
    }
  }

  Json best_;
  const std::function<bool(const std::string&)>& fails_;
  int budget_;
};

}  // namespace

std::string minimise(const std::string& line, const std::function<bool(const std::string&)>& fails,
                     int budget) {
  return Minimiser(line, fails, budget).run();
}

}  // namespace tactus::detail::fuzz
