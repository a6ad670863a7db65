#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "tactus/io.hpp"
#include "tactus/io/run/soft_pictures.hpp"

namespace tactus::io {

/// The page of a run with deformables, as `write_html_page` writes that of a recording: both kinds
/// of bodies move. Throws InvalidInput when `player` is empty or there is no picture, and
/// FileError.
void write_soft_page(const Scene& scene, std::span<const DeformableRow> rows,
                     const SoftPictures& pictures, const std::filesystem::path& file,
                     std::string_view player = kPlayerPage);

}  // namespace tactus::io
