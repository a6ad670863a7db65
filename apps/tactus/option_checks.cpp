#include "apps/tactus/option_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>

namespace tactus::app {
namespace {

/// The value of a text that is a number from its first character to its last.
template <class Number>
std::optional<Number> value_of(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return {[low, high](const std::string& text) -> std::string {
            const auto value = value_of<std::uint64_t>(text);
            const bool octal = text.size() > 1 && text.front() == '0';  // as CLI11 would read it
            if (!value || octal || *value < low || *value > high)
              return fmt::format("must be a whole number from {} to {}, is {}", low, high, text);
            return {};
          },
          low == 1 ? "POSITIVE" : ""};
}

CLI::Validator positive_number() {
  return {[](const std::string& text) -> std::string {
            const auto value = value_of<double>(text);
            if (value && std::isfinite(*value) && *value > 0.0) return {};
            return fmt::format("must be positive and finite, is {}", text);
          },
          "POSITIVE"};
}

CLI::Validator not_negative_number() {
  return {[](const std::string& text) -> std::string {
            const auto value = value_of<double>(text);
            if (value && std::isfinite(*value) && *value >= 0.0) return {};
            return fmt::format("must be finite and not negative, is {}", text);
          },
          "NONNEGATIVE"};
}

}  // namespace tactus::app
