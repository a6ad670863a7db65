#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// Lines and faces over a mesh that are shown and hidden together.
struct PictureLayer {
  std::string name;
  std::string color;                         ///< #rrggbb
  std::vector<std::pair<Vec3, Vec3>> lines;  ///< in the frame of the mesh
  TriangleMesh faces{};                      ///< filled; may be empty
};

/// A mesh with lines about it.
struct MeshPicture {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< shown as a list: name and value
  const TriangleMesh* mesh = nullptr;
  bool show_mesh = true;  ///< at first
  std::vector<PictureLayer> layers;
  bool one_at_a_time = false;  ///< layers are chosen by a slider; otherwise by a box each
};

/// One self-contained HTML page that shows the picture in a browser, to be turned and zoomed,
/// without network. Coordinates are rounded to 1e-5 of the size. The mesh must be valid. Throws
/// InvalidInput (`layers[i].color`). Cost: linear; some 30 bytes per triangle and line.
std::string picture_page(const MeshPicture& picture);

}  // namespace tactus::io
