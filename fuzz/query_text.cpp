#include "fuzz/query_text.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/shape_maker.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::detail::fuzz {
namespace {

constexpr const char* kCustom = "custom";

const Shape& written_shape(const Shape& shape) {
  const Shape* behind = behind_function(shape);
  return behind != nullptr ? *behind : shape;
}

}  // namespace

std::string line_of(const io::Query& query, std::string_view id) {
  const std::string text =
      io::capture(written_shape(query.a), query.pose_a, written_shape(query.b), query.pose_b,
                  query.options, query.ask, id, query.motion.value_or(io::Motion{}));
  nlohmann::ordered_json line = nlohmann::ordered_json::parse(text);
  if (!query.category.empty()) line["class"] = query.category;
  auto custom = nlohmann::ordered_json::array();
  if (behind_function(query.a) != nullptr) custom.push_back("a");
  if (behind_function(query.b) != nullptr) custom.push_back("b");
  if (!custom.empty()) line[kCustom] = std::move(custom);
  return io::json_dump(line);
}

std::optional<io::Query> query_of(std::string_view line) {
  io::ShapeReader reader;
  io::QueryLine parsed = io::parse_query_line(line, reader);
  if (!parsed.query) return std::nullopt;
  const nlohmann::json json = io::parse_json(line);
  const auto custom = json.find(kCustom);
  if (custom != json.end() && custom->is_array()) {
    for (const auto& name : *custom) {
      Shape& shape = name == "a" ? parsed.query->a : parsed.query->b;
      if (shape.is_convex_body()) shape = as_function(shape);
    }
  }
  return std::move(parsed.query);
}

}  // namespace tactus::detail::fuzz
