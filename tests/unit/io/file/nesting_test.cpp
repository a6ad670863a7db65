#include "tactus/io/file/nesting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::io {
namespace {

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string binary_gltf(const std::string& json) {
  std::string file = "glTF";
  const auto add = [&](std::size_t value) {
    for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(value >> (8 * i)));
  };
  add(2);
  add(20 + json.size());
  add(json.size());
  return file + "JSON" + json;
}

// A random value with brackets in strings, of exactly so many levels.
std::string nested(detail::Random& random, int levels) {
  std::string before, after;
  for (int i = 0; i < levels; ++i) {
    const bool is_list = random.uniform(0.0, 1.0) < 0.5;
    const char* const beside = random.uniform(0.0, 1.0) < 0.5 ? R"("[[{\"{", [], )" : "";
    before += is_list ? std::string("[") + beside : R"({"[\\": )";
    after.insert(0, is_list ? "]" : R"(, "b": "}"})");
  }
  return before + (levels > 0 ? "1" : "2") + after;
}

TEST(Nesting, CountsLevelsOfJsonAnywhere) {
  detail::Random random(3);
  for (int i = 0; i < detail::test::effort(200); ++i) {
    const int levels = static_cast<int>(random.uniform(kDeepestJson - 3.0, kDeepestJson + 3.0));
    std::string text = nested(random, levels);
    // A list beside may be the innermost level.
    const bool deep = json_is_too_deep(text);
    if (levels != kDeepestJson) {
      EXPECT_EQ(deep, levels > kDeepestJson) << text;
    }
    EXPECT_EQ(is_too_deep(text), deep);
    EXPECT_EQ(is_too_deep("\xef\xbb\xbf \n" + text), deep);
    EXPECT_EQ(is_too_deep(binary_gltf(text)), deep);
  }
  EXPECT_TRUE(is_too_deep(repeated("[", 200000)));
  EXPECT_TRUE(is_too_deep(repeated(R"({"a":)", 200000)));
}

TEST(Nesting, CountsLevelsOfXmlAndOfBrackets) {
  for (const int levels : {1, 999, 1000, 1001, 100000}) {
    const bool deep = levels > 1000;
    EXPECT_EQ(is_too_deep(repeated("<node a='1'>", levels)), deep);
    EXPECT_EQ(is_too_deep("<?xml version='1.0'?><!-- <a><a> -->" + repeated("<n>", levels) +
                          "<empty/>" + repeated("</n>", levels)),
              deep);
    EXPECT_EQ(is_too_deep("xof 0303txt\n" + repeated("Frame {", levels)), deep);
    EXPECT_FALSE(is_too_deep("<a>" + repeated("<n></n><m/><![CDATA[<x>]]>", levels) + "</a>"));
    EXPECT_FALSE(is_too_deep("x " + repeated("{}", levels)));
  }
  for (const char* text : {"", " ", "<", "</", "<a", "glTF", "{", "\"", "<![CDATA["})
    EXPECT_FALSE(is_too_deep(text)) << text;
}

}  // namespace
}  // namespace tactus::io
