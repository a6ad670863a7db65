#include "tactus/io/html/html_picture.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/core.hpp"

namespace tactus::io {
using namespace detail;
namespace {

using nlohmann::json;

TriangleMesh triangle() { return {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}}; }

json data_of(const std::string& page) {
  const std::size_t start = page.find('>', page.find("id=\"picture\"")) + 1;
  return json::parse(page.substr(start, page.find("</script>", start) - start));
}

TEST(HtmlPicture, HoldsMeshAndLinesWithinUnitSize) {
  const TriangleMesh mesh = triangle();
  MeshPicture picture;
  picture.title = "</script><b>";
  picture.facts = {{"name", "value < 3"}};
  picture.mesh = &mesh;
  picture.layers = {{"first", "#12abEF", {{{4, 4, 0}, {4, 4, 2}}}}, {"second", "#000000", {}}};
  picture.one_at_a_time = true;
  const std::string page = picture_page(picture);
  // Nothing of the texts is markup, and nothing is fetched.
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);

  const json data = data_of(page);
  EXPECT_EQ(data["title"], "</script><b>");
  EXPECT_EQ(data["facts"][0][1], "value < 3");
  EXPECT_EQ(data["slider"], true);
  EXPECT_EQ(data["faces"], json({0, 1, 2}));
  // All coordinates lie in the box from (0, 0, 0) to (4, 4, 2): middle (2, 2, 1), half diagonal 3.
  EXPECT_EQ(data["vertices"],
            json({-66667, -66667, -33333, 66667, -66667, -33333, -66667, 66667, -33333}));
  ASSERT_EQ(data["layers"].size(), 2u);
  EXPECT_EQ(data["layers"][0]["lines"], json({66667, 66667, -33333, 66667, 66667, 33333}));
}

TEST(HtmlPicture, OnePointIsAPicture) {
  const TriangleMesh mesh = {{{7, 7, 7}}, {{0, 0, 0}}};
  MeshPicture picture;
  picture.mesh = &mesh;
  EXPECT_EQ(data_of(picture_page(picture))["vertices"], json({0, 0, 0}));
}

TEST(HtmlPicture, RefusesWhatIsNoColor) {
  const TriangleMesh mesh = triangle();
  MeshPicture picture;
  picture.mesh = &mesh;
  picture.layers = {{"", "#000000", {}}, {"", "red", {}}};
  try {
    picture_page(picture);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "layers[1].color");
  }
}

}  // namespace
}  // namespace tactus::io
