#pragma once

#include <string>
#include <string_view>

#include "tactus/io/run/recording.hpp"
#include "tactus/io/scene/scene.hpp"

namespace tactus::io {

/// The player without a recording; empty when the program was built with TACTUS_PLAYER=OFF.
extern const std::string_view kPlayerPage;

/// One self-contained HTML page that plays the recording in a browser, without network.
///
/// The page holds four blocks beside the player's script: `recording-header` (JSON: shapes as
/// polygons or primitives, bodies, rates, summary), `recording-poses` (base64: per picture and
/// track six 16-bit words, position within the recording's box, then pack_quaternion),
/// `recording-contacts` (base64: per contact three 16-bit words of position, then pack_direction)
/// and `recording-touching` (base64: per picture with contacts and track a byte).
/// They go to the place of `<!--recording-->` in `player`.
/// Throws InvalidInput when `player` is empty, or when the recording holds no picture.
/// Cost: linear in the recording, memory about twice the page.
std::string html_page(const Scene& scene, const Recording& recording,
                      std::string_view player = kPlayerPage);

}  // namespace tactus::io
