#include "lab/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tactus::detail::lab {
namespace {

constexpr double kWidth = 640.0, kHeight = 400.0;
constexpr double kLeft = 70.0, kRight = 20.0, kTop = 34.0, kBottom = 52.0;
constexpr const char* kColours[] = {"#c2410c", "#1d4ed8", "#15803d", "#7e22ce"};
// An axis with more powers of ten than this is numbered every second or fourth.
constexpr int kMostNumbers = 9;

/// Whole powers of ten that hold all values.
struct Axis {
  int low = 0, high = 1;
  bool empty = true;

  void hold(double value) {
    const int below = static_cast<int>(std::floor(std::log10(value)));
    const int above = static_cast<int>(std::ceil(std::log10(value)));
    low = empty ? below : std::min(low, below);
    high = std::max(empty ? above : high, std::max(above, low + 1));
    empty = false;
  }
  double share(double value) const { return (std::log10(value) - low) / (high - low); }
  int step() const {
    int s = 1;
    while ((high - low) / s > kMostNumbers) s *= 2;
    return s;
  }
};

bool is_drawn(const std::pair<double, double>& p) { return p.first > 0.0 && p.second > 0.0; }

std::string line(double x0, double y0, double x1, double y1, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1,
      y1, colour);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}

std::string power(int exponent) {
  return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", exponent);
}

}  // namespace

std::string to_svg(const Plot& plot) {
  Axis x, y;
  for (const Plot::Series& s : plot.series) {
    for (const auto& p : s.points) {
      if (!is_drawn(p)) continue;
      x.hold(p.first);
      y.hold(p.second);
    }
  }
  const auto px = [&](double share) { return kLeft + share * (kWidth - kLeft - kRight); };
  const auto py = [&](double share) {
    return kHeight - kBottom - share * (kHeight - kTop - kBottom);
  };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      kWidth, kHeight);
  for (int e = x.low; e <= x.high; e += x.step()) {
    const double at = px(static_cast<double>(e - x.low) / (x.high - x.low));
    svg += line(at, py(0.0), at, py(1.0), "#e5e5e5") + text(at, py(0.0) + 18.0, "middle", power(e));
  }
  for (int e = y.low; e <= y.high; e += y.step()) {
    const double at = py(static_cast<double>(e - y.low) / (y.high - y.low));
    svg +=
        line(px(0.0), at, px(1.0), at, "#e5e5e5") + text(px(0.0) - 8.0, at + 4.0, "end", power(e));
  }
  svg += text(px(0.5), 20.0, "middle", plot.title);
  svg += text(px(0.5), kHeight - 12.0, "middle", plot.x_name);
  svg += fmt::format(
      "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
      "</text>\n",
      py(0.5), plot.y_name);
  double legend = kTop + 14.0;
  for (std::size_t i = 0; i < plot.series.size(); ++i, legend += 16.0) {
    const char* colour = kColours[i % std::size(kColours)];
    std::string points;
    for (const auto& p : plot.series[i].points) {
      if (is_drawn(p))
        points += fmt::format("{:.1f},{:.1f} ", px(x.share(p.first)), py(y.share(p.second)));
    }
    svg += fmt::format("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"{}\"/>\n",
                       colour, points);
    svg += line(kLeft + 10.0, legend - 4.0, kLeft + 34.0, legend - 4.0, colour) +
           text(kLeft + 40.0, legend, "start", plot.series[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace tactus::detail::lab
