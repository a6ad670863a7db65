// Contours from the pixels of a canvas.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "bindings/wasm/registry.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/contour/pixels.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"

namespace tactus::wasm {
namespace {

using io::ImageChannel;
using io::JsonFields;
using nlohmann::json;

std::vector<double>& traced_points() {
  static std::vector<double> points;
  return points;
}

// This interface spells `auto` out.
ImageChannel channel_of(const std::string& name) {
  if (name == "automatic") return ImageChannel::automatic;
  const std::optional<ImageChannel> channel = from_string<ImageChannel>(name);
  if (!channel || *channel == ImageChannel::automatic)
    throw InvalidInput("channel", "must be automatic, grey or alpha");
  return *channel;
}

// The options of the program `tactus contour`, under the same names.
struct Wish {
  fit::TraceOptions options;
  ImageChannel channel = ImageChannel::automatic;
  bool invert = false;
};

Wish read_wish(std::string_view text) {
  const json value = io::parse_json(text);
  JsonFields fields(value, "");
  Wish wish;
  fit::TraceOptions& o = wish.options;
  wish.channel = channel_of(fields.text("channel", "automatic"));
  if (fields.find("invert") != nullptr) wish.invert = fields.boolean("invert", false);
  if (fields.find("threshold") != nullptr) o.threshold = fields.number("threshold");
  if (fields.find("error") != nullptr) o.error = fields.number("error");
  if (fields.find("points") != nullptr)
    o.points = static_cast<std::size_t>(fields.integer("points", 3, 1 << 24));
  o.saddle = io::choice_of<fit::SaddleRule>(fields.text("saddle", "mean"), "saddle");
  o.despeckle = fields.number("despeckle", o.despeckle);
  o.scale = fields.number("scale", o.scale);
  const std::string y = fields.text("y", "up");
  if (y != "up" && y != "down") throw InvalidInput("y", "must be up or down");
  o.y_up = y == "up";
  fields.finish();
  return wish;
}

json taken(const fit::TracedContour& contour) {
  for (const planar::Vec2& p : contour.points) {
    traced_points().push_back(p.x);
    traced_points().push_back(p.y);
  }
  return {{"points", contour.points.size()}, {"traced", contour.traced}, {"error", contour.error}};
}

json answer(const std::uint8_t* rgba, int width, int height, std::string_view text) {
  Wish wish = read_wish(text);
  if (width < 1 || height < 1 || static_cast<std::int64_t>(width) * height > fit::kMostPixels)
    throw InvalidInput("image", "must have 1 to " + std::to_string(fit::kMostPixels) + " pixels");
  io::Image image;
  image.width = width;
  image.height = height;
  io::take(rgba, 4, wish.channel, image);
  const bool alpha = image.channel == ImageChannel::alpha;
  if (alpha) wish.options.foreground = wish.invert ? fit::Foreground::dark : fit::Foreground::light;
  if (!alpha && wish.invert) wish.options.foreground = fit::Foreground::inverted;
  const fit::Tracing tracing = fit::trace_contours(image.view(), wish.options);
  traced_points().clear();
  json regions = json::array();
  for (const fit::TracedRegion& region : tracing.regions) {
    json holes = json::array();
    json outer = taken(region.outer);
    for (const fit::TracedContour& hole : region.holes) holes.push_back(taken(hole));
    regions.push_back({{"outer", std::move(outer)}, {"holes", std::move(holes)}});
  }
  return {{"regions", std::move(regions)},  {"channel", to_string(image.channel)},
          {"threshold", tracing.threshold}, {"dark", tracing.dark},
          {"binary", tracing.binary},       {"specks", tracing.specks},
          {"restored", tracing.restored}};
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// Traces the contours of an image. Returns JSON with the number of points of each contour; the
// points follow each other at tactus_trace_points().
TACTUS_EXPORT const char* tactus_trace(const std::uint8_t* rgba, int width, int height,
                                       const char* options, int size) {
  return text_of([&] {
    return answer(rgba, width, height, {options, static_cast<std::size_t>(size)}).dump();
  });
}

TACTUS_EXPORT const double* tactus_trace_points() { return traced_points().data(); }
TACTUS_EXPORT int tactus_trace_numbers() { return static_cast<int>(traced_points().size()); }
