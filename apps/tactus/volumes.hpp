#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "tactus/bvh/volumes.hpp"
#include "tactus/core.hpp"

namespace tactus::app {

template <class... Volumes>
struct VolumeList {
  static std::vector<std::string> names() { return {std::string(Volumes::kName)...}; }

  /// Result of `work` for the volume of that name; its argument is a `std::type_identity` of the
  /// volume. Throws InvalidInput naming `--volume`.
  template <class Result, class Work>
  static Result with(const std::string& name, Work&& work) {
    Result result{};
    const auto matches = [&](auto volume) {
      if (name != decltype(volume)::type::kName) return false;
      result = work(volume);
      return true;
    };
    if (!(matches(std::type_identity<Volumes>{}) || ...))
      throw InvalidInput("--volume", "no volume '" + name + "'");
    return result;
  }
};

/// The volumes that `--volume` knows.
using AllVolumes = VolumeList<detail::bvh::OrientedBox, detail::bvh::AlignedBox, detail::bvh::Ball,
                              detail::bvh::Dop14, detail::bvh::SweptRectangle>;

}  // namespace tactus::app
