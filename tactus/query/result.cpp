#include "tactus/query.hpp"

namespace tactus {
using namespace detail;

std::string_view to_string(Method method) {
  constexpr std::string_view kNames[] = {
      "auto",        "closed_form", "gjk",        "gjk_nesterov", "gjk_signed_volumes", "epa",
      "epa_classic", "mpr",         "chung_wang", "sat",          "separating_plane",   "v_clip"};
  return detail::name_in(kNames, method);
}

}  // namespace tactus
