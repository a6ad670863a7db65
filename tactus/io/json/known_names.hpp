#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tactus/core.hpp"

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

/// The names of all values of an enumeration, from `first` on, in their order.
template <class E>
std::vector<std::string> names_of(E first = E{}) {
  std::vector<std::string> names;
  for (auto i = static_cast<std::underlying_type_t<E>>(first);; ++i) {
    const std::string_view name = to_string(static_cast<E>(i));
    if (name.empty()) return names;
    names.emplace_back(name);
  }
}

/// The value of that name. Throws InvalidInput, at `field`: `must be one, other or third`.
template <class E>
E choice_of(std::string_view name, const std::string& field) {
  if (const std::optional<E> value = from_string<E>(name)) return *value;
  const std::vector<std::string> names = names_of<E>();
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  throw InvalidInput(field, "must be " + all);
}

}  // namespace tactus::io
