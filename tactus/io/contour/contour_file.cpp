#include <fmt/format.h>

#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"

namespace tactus::io {
namespace {

// Points as JSON, `closing` with the first one again.
std::string points_text(const std::vector<planar::Vec2>& points, bool closing) {
  std::string text = "[";
  for (std::size_t i = 0; i < points.size() + (closing ? 1 : 0); ++i) {
    const planar::Vec2& p = points[i % points.size()];
    text += fmt::format("{}[{},{}]", i == 0 ? "" : ",", p.x, p.y);
  }
  return text + "]";
}

// The outer contour and the holes of a region.
std::vector<const fit::TracedContour*> rings_of(const fit::TracedRegion& region) {
  std::vector<const fit::TracedContour*> rings{&region.outer};
  for (const fit::TracedContour& hole : region.holes) rings.push_back(&hole);
  return rings;
}

template <class Region>
std::string listed(const fit::Tracing& tracing, const char* separator, const Region& text_of) {
  std::string text;
  for (const fit::TracedRegion& region : tracing.regions) {
    text += (text.empty() ? "" : separator) + text_of(region);
  }
  return text;
}

std::string path_of(const fit::TracedRegion& region) {
  std::string path;
  for (const fit::TracedContour* ring : rings_of(region)) {
    for (std::size_t i = 0; i < ring->points.size(); ++i) {
      path += fmt::format("{}{} {}", i == 0 ? "M" : " ", ring->points[i].x, ring->points[i].y);
    }
    path += "Z";
  }
  return path;
}

}  // namespace

std::string regions_json(const fit::Tracing& tracing) {
  return "{\"regions\":[\n" +
         listed(tracing, ",\n",
                [](const fit::TracedRegion& region) {
                  std::string holes;
                  for (const fit::TracedContour& hole : region.holes) {
                    holes += (holes.empty() ? "" : ",") + points_text(hole.points, false);
                  }
                  return "{\"outer\":" + points_text(region.outer.points, false) + ",\"holes\":[" +
                         holes + "]}";
                }) +
         "\n]}\n";
}

std::string contours_json(const fit::Tracing& tracing) {
  return "{\"contours\":[\n" +
         listed(tracing, ",\n",
                [](const fit::TracedRegion& region) {
                  std::string text;
                  for (const fit::TracedContour* ring : rings_of(region)) {
                    text += (text.empty() ? "" : ",\n") +
                            ("{\"points\":" + points_text(ring->points, false)) +
                            ",\"closed\":true}";
                  }
                  return text;
                }) +
         "\n]}\n";
}

std::string regions_geojson(const fit::Tracing& tracing) {
  return "{\"type\":\"FeatureCollection\",\"features\":[\n" +
         listed(
             tracing, ",\n",
             [](const fit::TracedRegion& region) {
               std::string rings;
               for (const fit::TracedContour* ring : rings_of(region)) {
                 rings += (rings.empty() ? "" : ",") + points_text(ring->points, true);
               }
               return "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Polygon\","
                      "\"coordinates\":[" +
                      rings + "]}}";
             }) +
         "\n]}\n";
}

std::string regions_svg(const fit::Tracing& tracing, const planar::Vec2& size, bool y_up) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\">\n<g fill=\"#2f6fde\" "
      "fill-opacity=\"0.25\" fill-rule=\"evenodd\" stroke=\"#1d2b3a\" stroke-width=\"{}\"{}>\n",
      size.x, size.y, 0.001 * (size.x + size.y),
      y_up ? fmt::format(" transform=\"matrix(1 0 0 -1 0 {})\"", size.y) : "");
  for (const fit::TracedRegion& region : tracing.regions) {
    text += "<path d=\"" + path_of(region) + "\"/>\n";
  }
  return text + "</g>\n</svg>\n";
}

}  // namespace tactus::io
