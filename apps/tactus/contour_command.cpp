#include "apps/tactus/contour_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;

/// Sums over the contours.
struct Figures {
  std::size_t regions = 0, holes = 0, points = 0, traced = 0;
  double error = 0.0;

  void add(const fit::TracedContour& contour) {
    points += contour.points.size();
    traced += contour.traced;
    error = std::max(error, contour.error);
  }
};

Figures figures_of(const fit::Tracing& tracing) {
  Figures figures;
  for (const fit::TracedRegion& region : tracing.regions) {
    ++figures.regions;
    figures.add(region.outer);
    for (const fit::TracedContour& hole : region.holes) {
      ++figures.holes;
      figures.add(hole);
    }
  }
  return figures;
}

fit::TraceOptions options_of(const ContourCommand& command) {
  fit::TraceOptions options;
  options.threshold = command.threshold;
  options.error = command.error;
  options.points = command.points;
  options.despeckle = command.despeckle;
  options.pixels = command.pixels;
  options.scale = command.scale;
  options.y_up = command.y == "up";
  options.saddle = from_string<fit::SaddleRule>(command.saddle).value_or(options.saddle);
  return options;
}

// Inside: the opaque part of a transparent picture; of others, the part that does not surround it.
fit::Tracing trace(const io::Image& image, const ContourCommand& command) {
  fit::TraceOptions options = options_of(command);
  const bool alpha = image.channel == io::ImageChannel::alpha;
  if (alpha) options.foreground = command.invert ? fit::Foreground::dark : fit::Foreground::light;
  if (!alpha && command.invert) options.foreground = fit::Foreground::inverted;
  return fit::trace_contours(image.view(), options);
}

std::string content_of(const fit::Tracing& tracing, const ContourCommand& command) {
  if (std::filesystem::path(command.out).extension() == ".geojson") {
    return io::regions_geojson(tracing);
  }
  return command.write == "contours" ? io::contours_json(tracing) : io::regions_json(tracing);
}

ordered_json json_of(const fit::Tracing& t, const io::Image& image, const ContourCommand& command) {
  const Figures f = figures_of(t);
  return {{"file", command.file},     {"width", image.width},
          {"height", image.height},   {"channel", to_string(image.channel)},
          {"threshold", t.threshold}, {"dark", t.dark},
          {"binary", t.binary},       {"regions", f.regions},
          {"holes", f.holes},         {"specks", t.specks},
          {"points", f.points},       {"traced", f.traced},
          {"restored", t.restored},   {"error", f.error}};
}

std::string text_of(const fit::Tracing& t, const io::Image& image, const ContourCommand& command) {
  const Figures f = figures_of(t);
  const bool alpha = image.channel == io::ImageChannel::alpha;
  std::string text = fmt::format("{}: {} x {} pixels, {}\n", command.file, image.width,
                                 image.height, to_string(image.channel));
  text += fmt::format("threshold {:.4f}: the {} is inside, {}\n", t.threshold,
                      alpha ? (t.dark ? "transparent" : "opaque") : (t.dark ? "dark" : "light"),
                      command.pixels ? "outlines along the sides of pixels"
                      : t.binary     ? "no grey edges: places known to half a pixel"
                                     : "places from the coverage of grey pixels");
  text +=
      fmt::format("regions   {}, holes {}, left out as specks {}\n", f.regions, f.holes, t.specks);
  text += fmt::format(
      "points    {} of {} traced{}\n", f.points, f.traced,
      t.restored > 0 ? fmt::format(", {} of them so that nothing crosses", t.restored) : "");
  text += fmt::format("error     at most {:.6g} from the trace (Hausdorff)\n", f.error);
  return text;
}

void require_ending(const std::string& out) {
  const std::filesystem::path ending = std::filesystem::path(out).extension();
  if (out.empty() || out == "-" || ending == ".json" || ending == ".geojson") return;
  throw InvalidInput("--out", out + ": unknown ending; known are .json, .geojson");
}

void answer(const ContourCommand& command) {
  require_ending(command.out);
  const io::Image image = io::read_image(
      command.file,
      from_string<io::ImageChannel>(command.channel).value_or(io::ImageChannel::automatic));
  fit::Tracing tracing;
  try {
    tracing = trace(image, command);
  } catch (const InvalidInput& error) {
    throw error.field() == "image" ? InvalidInput(command.file, error.reason()) : error;
  }
  if (!command.out.empty()) {
    io::write_atomically(command.out, content_of(tracing, command));
    wrote(command.out);
  }
  if (!command.svg.empty()) {
    const planar::Vec2 size{image.width * command.scale, image.height * command.scale};
    io::write_atomically(command.svg, io::regions_svg(tracing, size, command.y == "up"));
    wrote(command.svg);
  }
  Report({command.out, command.svg})
      .print(command.json ? io::json_dump(json_of(tracing, image, command), 2) + "\n"
                          : text_of(tracing, image, command));
}

}  // namespace

int run_contour(const ContourCommand& command) {
  try {
    answer(command);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus contour: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
