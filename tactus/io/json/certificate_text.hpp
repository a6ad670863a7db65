#pragma once

#include <string>

#include "tactus/query.hpp"

namespace tactus::io {

/// A certificate as JSON text: docs/guide/certificates.md describes the fields.
std::string certificate_to_json(const Certificate& certificate);
/// The certificate of a cast or impact as JSON text.
std::string motion_certificate_to_json(const Certificate& certificate);

}  // namespace tactus::io
