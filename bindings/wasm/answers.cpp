// Query lines, and shapes as these have them.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "apps/tactus/added_answers.hpp"
#include "bindings/wasm/numbers/shapes.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/planar_line.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/tactus.hpp"

namespace tactus::wasm {

namespace {

/// Calls visit(line) for every line that holds a query.
template <class F>
void each_line(std::string_view text, const F& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line.compare(first, 2, "//") != 0) visit(line);
  }
}

/// As the program's lines: with what a method's own parameters say, or the error of one of them.
std::string with_literal(std::string answer, const std::string& id, const std::string& line,
                         const io::Query& query) {
  try {
    return app::with_additions(std::move(answer), line, query);
  } catch (const InvalidInput& error) {
    return io::error_to_line(id, error.what());
  }
}

std::string answer_queries(std::string_view text, bool certificate) {
  io::ShapeReader reader;
  std::string out;
  each_line(text, [&](std::string_view line) {
    const io::QueryLine parsed = io::parse_query_line(line, reader);
    if (!parsed.query) {
      out += io::error_to_line(parsed.id, parsed.error);
    } else {
      const io::Answer answer = io::answer_query(*parsed.query, certificate);
      out += with_literal(io::answer_to_line(parsed.id, *parsed.query, answer, certificate),
                          parsed.id, std::string(line), *parsed.query);
    }
    out += '\n';
  });
  return out;
}

std::string answer_planar_queries(std::string_view text) {
  io::PlanarAnswerer answerer;
  std::string out;
  each_line(text, [&](std::string_view line) { out += answerer.answer(line).text + '\n'; });
  return out;
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT const char* tactus_query(const char* text, int size, int certificate) {
  return text_of(
      [&] { return answer_queries({text, static_cast<std::size_t>(size)}, certificate != 0); });
}

TACTUS_EXPORT const char* tactus_planar_query(const char* text, int size) {
  return text_of([&] { return answer_planar_queries({text, static_cast<std::size_t>(size)}); });
}

TACTUS_EXPORT int tactus_shape_open(const char* text, int size) {
  return guarded(0, [&] {
    const nlohmann::json value = io::parse_json({text, static_cast<std::size_t>(size)});
    return shapes().add(io::shape_from_json(value));
  });
}
