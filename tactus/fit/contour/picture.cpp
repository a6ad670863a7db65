#include "tactus/fit/contour/picture.hpp"

#include <algorithm>

namespace tactus::detail::contour {
namespace {

constexpr std::size_t kGreys = 65536;
// Neighbouring grey values that count as one level: the noise of one of 256 steps.
constexpr std::size_t kLevelWidth = 2 * 257;

using Histogram = std::vector<std::uint64_t>;

Histogram histogram_of(const GreyImage& image) {
  Histogram counts(kGreys, 0);
  for (const std::uint16_t value : image.values) ++counts[value];
  return counts;
}

// The grey value that parts the histogram into the two classes of least variance; the middle of
// all that do.
double otsu(const Histogram& counts) {
  double total = 0.0, sum = 0.0;
  for (std::size_t g = 0; g < kGreys; ++g) {
    total += static_cast<double>(counts[g]);
    sum += static_cast<double>(counts[g]) * static_cast<double>(g);
  }
  double below = 0.0, sum_below = 0.0, best = -1.0;
  double first = 0.0, last = 0.0;
  for (std::size_t g = 0; g + 1 < kGreys; ++g) {
    below += static_cast<double>(counts[g]);
    sum_below += static_cast<double>(counts[g]) * static_cast<double>(g);
    if (below == 0.0 || below == total) continue;
    const double mean = sum_below / below, rest = (sum - sum_below) / (total - below);
    const double between = below * (total - below) * ((rest - mean) * (rest - mean));
    if (between > best) {
      best = between;
      first = static_cast<double>(g);
    }
    if (between >= best) last = static_cast<double>(g);
  }
  return 0.5 * (first + last) + 0.5;
}

// Mean of the most frequent grey value's neighbourhood within [low, high).
double level(const Histogram& counts, std::size_t low, std::size_t high) {
  const auto most = std::max_element(counts.begin() + static_cast<std::ptrdiff_t>(low),
                                     counts.begin() + static_cast<std::ptrdiff_t>(high));
  const auto mode = static_cast<std::size_t>(most - counts.begin());
  const std::size_t from = mode > low + kLevelWidth ? mode - kLevelWidth : low;
  const std::size_t to = std::min(high, mode + kLevelWidth + 1);
  double count = 0.0, sum = 0.0;
  for (std::size_t g = from; g < to; ++g) {
    count += static_cast<double>(counts[g]);
    sum += static_cast<double>(counts[g]) * (static_cast<double>(g) - static_cast<double>(mode));
  }
  return static_cast<double>(mode) + sum / count;
}

// Is more than half of the picture's rim lighter than the threshold?
bool light_rim(const GreyImage& image, double threshold) {
  std::size_t light = 0, all = 0;
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  for (std::size_t y = 0; y < height; ++y) {
    const bool whole_row = y == 0 || y + 1 == height;
    const std::size_t step = whole_row || width == 1 ? 1 : width - 1;
    for (std::size_t x = 0; x < width; x += step) {
      ++all;
      if (image.values[y * width + x] >= threshold) ++light;
    }
  }
  return 2 * light > all;
}

// Levels of a picture without an outside: a value that is as far from its own as possible is put
// there, on the side that the foreground is not on.
GreyLevels levels_of_whole(double value, const TraceOptions& options) {
  const Foreground foreground = options.foreground;
  constexpr double kWhite = kGreys - 1;
  const bool dark = foreground == Foreground::dark ||
                    (foreground == Foreground::automatic && value < 0.5 * kWhite);
  const double outside = dark ? kWhite : 0.0;
  const bool light = options.threshold && value >= *options.threshold * kWhite;
  const bool wrong_side = options.threshold && ((foreground == Foreground::light && !light) ||
                                                (foreground == Foreground::dark && light));
  if (foreground == Foreground::inverted || value == outside || wrong_side)
    throw InvalidInput("image", "has one value only, which is outside: nothing to trace");
  return {0.5 * (value + outside), outside, value};
}

}  // namespace

GreyLevels grey_levels(const GreyImage& image, const TraceOptions& options) {
  const Histogram counts = histogram_of(image);
  const auto [least, most] = std::minmax_element(image.values.begin(), image.values.end());
  if (*least == *most) return levels_of_whole(*least, options);
  GreyLevels levels;
  levels.threshold = options.threshold ? *options.threshold * 65535.0 : otsu(counts);
  const auto cut = static_cast<std::size_t>(std::ceil(levels.threshold));
  if (cut > *most || cut <= *least) {
    throw InvalidInput("threshold", "all pixels lie on one side of it");
  }
  const double dark = level(counts, 0, cut), light = level(counts, cut, kGreys);
  bool dark_shapes = options.foreground == Foreground::dark;
  if (options.foreground <= Foreground::inverted) {
    dark_shapes =
        light_rim(image, levels.threshold) == (options.foreground == Foreground::automatic);
  }
  levels.background = dark_shapes ? light : dark;
  levels.foreground = dark_shapes ? dark : light;
  return levels;
}

Picture::Picture(const GreyImage& image, const GreyLevels& levels, bool y_up)
    : width_(image.width),
      height_(image.height),
      stride_(static_cast<std::size_t>(image.width) + 2 * kMargin),
      values_(stride_ * (static_cast<std::size_t>(image.height) + 2 * kMargin), 0.0F) {
  const double scale = 1.0 / (levels.foreground - levels.background);
  threshold_ = (levels.threshold - levels.background) * scale;
  limit_ = static_cast<float>(threshold_);
  std::size_t k = 0;
  for (int y = 0; y < height_; ++y) {
    float* row = &values_[index(0, y_up ? height_ - 1 - y : y)];
    for (int x = 0; x < width_; ++x, ++k) {
      row[x] = static_cast<float>((image.values[k] - levels.background) * scale);
    }
  }
}

}  // namespace tactus::detail::contour
