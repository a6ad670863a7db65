#pragma once

#include <string>
#include <string_view>

namespace tactus::io {

/// Message for a name that nothing has: `unknown method 'x'; known are auto, gjk`. `known`: a range
/// of things whose names `name_of` gives.
template <class Range, class NameOf>
std::string unknown_name(std::string_view kind, std::string_view name, const Range& known,
                         const NameOf& name_of) {
  std::string text = "unknown " + std::string(kind) + " '" + std::string(name) + "'; known are ";
  const std::size_t start = text.size();
  for (const auto& one : known) {
    if (text.size() > start) text += ", ";
    text += name_of(one);
  }
  return text;
}

template <class Range>
std::string unknown_name(std::string_view kind, std::string_view name, const Range& known) {
  return unknown_name(kind, name, known, [](std::string_view one) { return std::string(one); });
}

}  // namespace tactus::io
