#include "tactus/query/result.hpp"

namespace tactus {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::closed_form:
      return "closed_form";
    case Method::gjk:
      return "gjk";
    case Method::epa:
      return "epa";
    case Method::mpr:
      return "mpr";
    case Method::chung_wang:
      return "chung_wang";
    case Method::sat:
      return "sat";
  }
  return "";
}

std::string_view to_string(CertificateKind kind) {
  switch (kind) {
    case CertificateKind::none:
      return "none";
    case CertificateKind::separation:
      return "separation";
    case CertificateKind::axes:
      return "axes";
    case CertificateKind::faces:
      return "faces";
  }
  return "";
}

}  // namespace tactus
