#pragma once

#include <cstddef>
#include <cstdint>

#include "tactus/io.hpp"

namespace tactus::io {

/// Pixels of 1 (grey), 2 (grey, alpha), 3 or 4 (colours, alpha) values from 0 to 65535.
template <class Value>
class Pixels {
 public:
  Pixels(const Value* values, int channels) : values_(values), channels_(channels) {}

  std::uint32_t alpha(std::size_t pixel) const {
    return channels_ % 2 == 0 ? value(pixel, channels_ - 1) : 65535U;
  }
  // Over white, as pages show it. Weights of Rec. 709.
  std::uint32_t grey(std::size_t pixel) const {
    const std::uint32_t colour =
        channels_ < 3
            ? value(pixel, 0)
            : static_cast<std::uint32_t>((2126ULL * value(pixel, 0) + 7152ULL * value(pixel, 1) +
                                          722ULL * value(pixel, 2) + 5000ULL) /
                                         10000ULL);
    const std::uint64_t a = alpha(pixel);
    return static_cast<std::uint32_t>((colour * a + 65535ULL * (65535ULL - a) + 32767ULL) /
                                      65535ULL);
  }

 private:
  std::uint32_t value(std::size_t pixel, int channel) const {
    const std::uint32_t v =
        values_[pixel * static_cast<std::size_t>(channels_) + static_cast<std::size_t>(channel)];
    return sizeof(Value) == 1 ? 257U * v : v;
  }
  const Value* values_;
  int channels_;
};

/// Fills the values of an image whose size is known from its pixels.
template <class Value>
void take(const Value* values, int channels, ImageChannel channel, Image& image) {
  const Pixels<Value> pixels(values, channels);
  const std::size_t count =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  bool alpha = channel == ImageChannel::alpha;
  for (std::size_t i = 0; channel == ImageChannel::automatic && i < count && !alpha; ++i) {
    alpha = pixels.alpha(i) != 65535U;
  }
  image.channel = alpha ? ImageChannel::alpha : ImageChannel::grey;
  image.values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    image.values[i] = static_cast<std::uint16_t>(alpha ? pixels.alpha(i) : pixels.grey(i));
  }
}

}  // namespace tactus::io
