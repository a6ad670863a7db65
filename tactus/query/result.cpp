#include "tactus/query.hpp"

namespace tactus {
using namespace detail;

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::closed_form:
      return "closed_form";
    case Method::gjk:
      return "gjk";
    case Method::gjk_nesterov:
      return "gjk_nesterov";
    case Method::gjk_signed_volumes:
      return "gjk_signed_volumes";
    case Method::epa:
      return "epa";
    case Method::epa_classic:
      return "epa_classic";
    case Method::mpr:
      return "mpr";
    case Method::chung_wang:
      return "chung_wang";
    case Method::sat:
      return "sat";
    case Method::separating_plane:
      return "separating_plane";
    case Method::v_clip:
      return "v_clip";
  }
  return "";
}

}  // namespace tactus
