#include "lab/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tactus::detail::lab {
namespace {

constexpr double kWidth = 640.0, kHeight = 400.0;
constexpr double kLeft = 70.0, kRight = 20.0, kTop = 34.0, kBottom = 52.0;
constexpr const char* kColours[] = {"#c2410c", "#1d4ed8", "#15803d",
                                    "#7e22ce", "#525252", "#b45309"};
// An axis with more powers of ten than this is numbered every second or fourth.
constexpr int kMostNumbers = 9;

/// Range of an axis: whole powers of ten that hold all values, or from zero to a round number.
struct Axis {
  bool linear = false;
  double low = 0.0, high = 1.0;  ///< exponents, or values
  bool empty = true;

  void hold(double value) {
    if (linear) {
      high = std::max(empty ? value : high, value);
    } else {
      const double below = std::floor(std::log10(value)), above = std::ceil(std::log10(value));
      low = empty ? below : std::min(low, below);
      high = std::max(empty ? above : high, std::max(above, low + 1.0));
    }
    empty = false;
  }
  double share(double value) const {
    return ((linear ? value : std::log10(value)) - low) / (high - low);
  }
  /// Between two numbers: every, every second or every fourth power of ten; else 1, 2 or 5 times
  /// one.
  double step() const {
    if (!linear) {
      double s = 1.0;
      while ((high - low) / s > kMostNumbers) s *= 2.0;
      return s;
    }
    const double power = std::pow(10.0, std::floor(std::log10((high - low) / kMostNumbers)));
    for (const double s : {1.0, 2.0, 5.0}) {
      if ((high - low) / (s * power) <= kMostNumbers) return s * power;
    }
    return 10.0 * power;
  }
  /// A linear axis ends at a number.
  void round_up() {
    if (!linear || !(high > 0.0)) return;
    const double s = step();
    high = s * std::ceil(high / s - 1e-9);
  }
};

std::string line(double x0, double y0, double x1, double y1, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1,
      y1, colour);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}

std::string number(const Axis& axis, double at) {
  if (axis.linear) return fmt::format("{:.6g}", at);
  return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{:.0f}</tspan>", at);
}

/// The whole picture, from the axes on.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {
    x_.linear = plot.linear || !plot.groups.empty();
    y_.linear = plot.linear;
    for (const Plot::Series& s : plot.series) {
      for (const auto& p : s.points) {
        if (!is_drawn(p)) continue;
        x_.hold(p.first);
        y_.hold(p.second);
      }
    }
    if (plot.groups.empty()) x_.round_up();
    y_.round_up();
    if (!plot.groups.empty()) {
      x_.low = 0.5;
      x_.high = static_cast<double>(plot.groups.size()) + 0.5;
    }
  }

  std::string draw() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n",
        kWidth, kHeight);
    draw_axes();
    double legend = kTop + 14.0;
    for (std::size_t i = 0; i < plot_.series.size(); ++i, legend += 16.0) {
      const char* colour = kColours[i % std::size(kColours)];
      plot_.groups.empty() ? draw_curve(plot_.series[i], colour)
                           : draw_bars(plot_.series[i], i, colour);
      // Where curves begin low, the names stand in their way least on the right.
      const double left = plot_.linear ? kWidth - kRight - 190.0 : kLeft;
      svg_ += line(left + 10.0, legend - 4.0, left + 34.0, legend - 4.0, colour) +
              text(left + 40.0, legend, "start", plot_.series[i].name);
    }
    return svg_ + "</svg>\n";
  }

 private:
  static double px(double share) { return kLeft + share * (kWidth - kLeft - kRight); }
  static double py(double share) { return kHeight - kBottom - share * (kHeight - kTop - kBottom); }
  bool is_drawn(const std::pair<double, double>& p) const {
    return (x_.linear || p.first > 0.0) && (y_.linear || p.second > 0.0);
  }

  void draw_axes() {
    for (double e = x_.low; plot_.groups.empty() && e <= x_.high * (1.0 + 1e-9); e += x_.step()) {
      const double at = px((e - x_.low) / (x_.high - x_.low));
      svg_ += line(at, py(0.0), at, py(1.0), "#e5e5e5") +
              text(at, py(0.0) + 18.0, "middle", number(x_, e));
    }
    for (std::size_t k = 0; k < plot_.groups.size(); ++k) {
      svg_ += text(px(x_.share(static_cast<double>(k) + 1.0)), py(0.0) + 18.0, "middle",
                   plot_.groups[k]);
    }
    const double last = y_.high + 1e-9 * std::fabs(y_.high);
    for (double e = y_.low; e <= last; e += y_.step()) {
      const double at = py((e - y_.low) / (y_.high - y_.low));
      svg_ += line(px(0.0), at, px(1.0), at, "#e5e5e5") +
              text(px(0.0) - 8.0, at + 4.0, "end", number(y_, e));
    }
    svg_ += text(px(0.5), 20.0, "middle", plot_.title);
    svg_ += text(px(0.5), kHeight - 12.0, "middle", plot_.x_name);
    svg_ += fmt::format(
        "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
        "</text>\n",
        py(0.5), plot_.y_name);
  }

  void draw_curve(const Plot::Series& series, const char* colour) {
    std::string points;
    for (const auto& p : series.points) {
      if (is_drawn(p))
        points += fmt::format("{:.1f},{:.1f} ", px(x_.share(p.first)), py(y_.share(p.second)));
    }
    svg_ +=
        fmt::format("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"{}\"/>\n",
                    colour, points);
  }

  void draw_bars(const Plot::Series& series, std::size_t nr, const char* colour) {
    const double wide = 0.8 / static_cast<double>(plot_.series.size());
    for (const auto& p : series.points) {
      if (!is_drawn(p)) continue;
      const double left = p.first - 0.4 + wide * static_cast<double>(nr);
      const double x = px(x_.share(left)), y = py(y_.share(p.second));
      svg_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
          y, px(x_.share(left + 0.9 * wide)) - x, py(0.0) - y, colour);
    }
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string svg_;
};

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).draw(); }

}  // namespace tactus::detail::lab
