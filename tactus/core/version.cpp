#include "tactus/version.hpp"

namespace tactus {

std::string_view version() noexcept { return TACTUS_VERSION; }

}  // namespace tactus
