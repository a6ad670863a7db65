// Two bodies as an algorithm sees them, and the checker's word on an answer.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bindings/wasm/registry.hpp"
#include "tactus/check.hpp"
#include "tactus/classic.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/io/many/many_steps.hpp"
#include "tactus/io/steps/difference_picture.hpp"

namespace tactus::wasm {
namespace {

// Rows of the direction sphere that are sent at most.
constexpr int kMostRows = 256;

// Pages ask the same pair of shapes again and again.
io::Query read_query(const char* text, int size) {
  static io::ShapeReader reader;
  io::QueryLine line = io::parse_query_line({text, static_cast<std::size_t>(size)}, reader);
  if (!line.query) throw InvalidInput("query", line.error);
  return std::move(*line.query);
}

std::string check_query(const io::Query& query) {
  const io::Answer answer = io::answer_query(query, true);
  const CheckReport report = io::check_answer(query, answer);
  nlohmann::ordered_json claims = nlohmann::ordered_json::object();
  for (int i = 0; i < kClaims; ++i) {
    const auto claim = static_cast<Claim>(i);
    if (report[claim] != Proof::not_claimed)
      claims[std::string(to_string(claim))] = to_string(report[claim]);
  }
  const CertificateKind kind = answer.certificate->kind;
  return io::json_dump(nlohmann::ordered_json{{"ok", report.ok},
                                              {"failure", report.failure},
                                              {"certificate", to_string(kind)},
                                              {"claims", claims}});
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// Queries may ask for the classic methods from here on.
TACTUS_EXPORT void tactus_enable_classic() { enable_classic_methods(); }

TACTUS_EXPORT const char* tactus_difference(const char* text, int size) {
  return text_of([&] {
    const io::Query q = read_query(text, size);
    return io::difference_picture(q.a, q.pose_a, q.b, q.pose_b);
  });
}

TACTUS_EXPORT const char* tactus_direction_sphere(const char* text, int size, int rows) {
  return text_of([&] {
    if (rows < 2 || rows > kMostRows) throw InvalidInput("rows", "must be 2 to 256");
    const io::Query q = read_query(text, size);
    return io::direction_sphere(q.a, q.pose_a, q.b, q.pose_b, rows);
  });
}

// Microseconds that the library takes for a query, the mean of `count`; without reading and writing
// its line. -1 after an error.
TACTUS_EXPORT double tactus_query_time(const char* text, int size, int count) {
  return guarded(-1.0, [&] {
    io::Query q = read_query(text, size);
    q.steps = false;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) io::answer_query(q);
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count() / std::max(count, 1);
  });
}

// A line of `tactus steps`, and its answer.
TACTUS_EXPORT const char* tactus_many_steps(const char* text, int size) {
  return text_of([&] { return io::many_steps({text, static_cast<std::size_t>(size)}); });
}

// Asks a query with its certificate, and lets the checker prove the answer anew.
TACTUS_EXPORT const char* tactus_check(const char* text, int size) {
  return text_of([&] { return check_query(read_query(text, size)); });
}
