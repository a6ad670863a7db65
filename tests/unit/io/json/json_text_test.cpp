#include "tactus/io/json/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

TEST(JsonText, WritesWhatIsNoUtf8) {
  EXPECT_EQ(json_dump(json("a\xff"
                           "b")),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(json_dump(json{{"x", 1}}, 1), "{\n \"x\": 1\n}");
  nlohmann::ordered_json ordered;
  ordered["b"] = "\xc3";
  ordered["a"] = 1;
  EXPECT_EQ(json_dump(ordered), "{\"b\":\"\xef\xbf\xbd\",\"a\":1}");
}

// Whatever the text, it is read or refused, and what is said of it is UTF-8.
TEST(JsonText, RefusesAnyBytesWithAMessageInUtf8) {
  detail::Random random(7);
  const std::string good = R"({"id":"x","a":[1,2.5e3,null],"b":{"c":"\u00e9"}})";
  int refused = 0;
  for (int i = 0; i < detail::test::effort(2000); ++i) {
    std::string text = good;
    for (int k = 0; k < 2; ++k)
      text[static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(text.size()))] =
          static_cast<char>(random.next());
    try {
      const json value = parse_json(text);
      EXPECT_NO_THROW(value.dump());
    } catch (const InvalidInput& error) {
      ++refused;
      EXPECT_NO_THROW(json(std::string(error.what())).dump());
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tactus::io
