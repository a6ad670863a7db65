#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"

namespace tactus::io {

/// Notes the axis and unit that a COLLADA file names: the axis is not followed, the unit is.
void note_collada(std::string_view content, FileNotes& notes);

/// Refuses places whose `<accessor>` does not name X, Y and Z by its `<param>` elements: by these
/// names alone assimp finds the coordinates, and without one it takes another number in its place.
/// Throws FileError `name:line: reason`. Cost: linear.
void require_named_coordinates(std::string_view content, const FileNotes& notes);

}  // namespace tactus::io
