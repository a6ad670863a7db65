// Stands in for the bundled page when the program is built with TACTUS_PLAYER=OFF.
#include "tactus/io.hpp"

namespace tactus::io {

const std::string_view kPlayerPage;

}  // namespace tactus::io
