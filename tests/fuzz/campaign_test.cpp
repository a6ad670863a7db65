#include "fuzz/campaign.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "fuzz/claims.hpp"
#include "fuzz/mesh_maker.hpp"
#include "fuzz/minimise.hpp"
#include "fuzz/query_text.hpp"
#include "tactus/core.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::fuzz {
namespace {

nlohmann::json without_time(const Campaign& campaign) {
  nlohmann::json state = campaign.save();
  state.erase("seconds");
  return state;
}

TEST(FuzzGenerator, AQueryDependsOnSeedAndIndexAlone) {
  const Generator one(7), same(7), other(8);
  int different = 0;
  for (std::uint64_t index : {0U, 5U, 38U, 1000003U, 17U, 5U}) {
    EXPECT_EQ(line_of(one.make(index), "q"), line_of(same.make(index), "q"));
    different += line_of(one.make(index), "q") != line_of(other.make(index), "q") ? 1 : 0;
  }
  EXPECT_EQ(different, 6);
}

TEST(FuzzGenerator, EveryPairOfShapesComesUp) {
  const Generator generator(1);
  std::set<std::pair<ShapeType, ShapeType>> pairs;
  for (std::uint64_t index = 0; index < 12000; ++index) {
    const io::Query query = generator.make(index);
    EXPECT_EQ(query.category, Generator::class_of(index));
    pairs.insert({query.a.type(), query.b.type()});
  }
  // Eleven types; a custom body is not paired with half-spaces and compounds.
  EXPECT_EQ(pairs.size(), 11U * 11U - 4U);
}

TEST(FuzzGenerator, LinesReadBackAsTheSameQuery) {
  const Generator generator(3);
  for (std::uint64_t index = 0; index < 200; ++index) {
    const io::Query made = generator.make(index);
    // The normal of a half-space is normalised again when it is read.
    if (made.a.type() == ShapeType::halfspace || made.b.type() == ShapeType::halfspace) continue;
    if (made.a.type() == ShapeType::compound || made.b.type() == ShapeType::compound) continue;
    const std::string line = line_of(made, "q");
    const auto query = query_of(line);
    ASSERT_TRUE(query) << line;
    EXPECT_EQ(line_of(*query, "q"), line);
  }
}

TEST(FuzzCampaign, ThreadsAndInterruptionsChangeNothing) {
  const auto count = static_cast<std::uint64_t>(test::effort(300));
  const Selection selection{5, 100, {"halfspace", "parallel", "options"}};
  Campaign whole(selection);
  whole.advance(count, 2);
  Campaign first(selection);
  first.advance(count / 3, 1);
  Campaign second(selection);
  second.restore(nlohmann::json::parse(first.save().dump()));
  second.advance(count - count / 3, 1);
  EXPECT_EQ(whole.asked(), count);
  EXPECT_EQ(without_time(whole), without_time(second));
}

TEST(FuzzCampaign, MeshesAndMotionsKeepTheirClaims) {
  const auto count = static_cast<std::uint64_t>(test::effort(200));
  Campaign campaign({3, 0, {"mesh", "contacts", "casts", "impacts", "compound"}});
  campaign.advance(count, 1);
  EXPECT_EQ(campaign.tallies().size(), 5U);
  for (const Finding& finding : campaign.findings())
    ADD_FAILURE() << finding.failure << '\n' << finding.line;
}

TEST(FuzzGenerator, MeshesAndMotionsReadBackAsTheSameQuery) {
  const Generator generator(4);
  int open = 0, refused = 0, moving = 0;
  for (std::uint64_t index = 0; index < 2400; ++index) {
    const std::string_view name = Generator::class_of(index);
    if (name != "mesh" && name != "casts" && name != "impacts") continue;
    const io::Query made = generator.make(index);
    EXPECT_EQ(made.motion.has_value(), name != "mesh");
    moving += made.motion ? 1 : 0;
    const bool bare = has_open_mesh(made.a) || has_open_mesh(made.b);
    open += bare ? 1 : 0;
    refused += bare && made.options.signed_distance ? 1 : 0;
    const auto holds_plane_or_parts = [](const Shape& shape) {
      return shape.type() == ShapeType::halfspace || shape.type() == ShapeType::compound;
    };
    if (holds_plane_or_parts(made.a) || holds_plane_or_parts(made.b)) continue;
    const std::string line = line_of(made, "q");
    const auto query = query_of(line);
    ASSERT_TRUE(query) << line;
    EXPECT_EQ(line_of(*query, "q"), line);
  }
  EXPECT_EQ(moving, 200);
  EXPECT_GT(open, 50);
  EXPECT_GT(refused, 10);
}

TEST(FuzzCampaign, ClassesAndStatesOfOtherCampaignsAreRefused) {
  EXPECT_THROW(Campaign({1, 0, {"no such class"}}), InvalidInput);
  const Campaign one({1, 0, {}});
  Campaign other({2, 0, {}});
  EXPECT_THROW(other.restore(one.save()), InvalidInput);
  EXPECT_THROW(other.restore(nlohmann::json::object()), InvalidInput);
}

TEST(FuzzCampaign, ClassesCanBeChosen) {
  Campaign campaign({1, 0, {"touching", "far"}});
  campaign.advance(20, 1);
  ASSERT_EQ(campaign.tallies().size(), 2U);
  EXPECT_EQ(campaign.tallies().at("far").count, 10U);
}

// No convex body: its support points jump far out in a cone of directions.
class Liar : public SupportFunction {
 public:
  Vec3 support(const Vec3& direction) const noexcept override {
    const Vec3 n = normalized(direction);
    return n.x > 0.9 ? n * 3.0 : n * 0.5;
  }
};

TEST(FuzzClaims, ASupportFunctionThatLiesIsFound) {
  const io::Query query{CustomConvex(std::make_shared<Liar>()), Pose(), Box({1.0, 1.0, 1.0}),
                        Pose::translation({1.5, 0.2, 0.1})};
  EXPECT_NE(examine(query).failure, "");
}

TEST(FuzzClaims, HonestPairsPass) {
  const io::Query query{Cylinder(0.5, 1.0), Pose(), Box({1.0, 1.0, 1.0}),
                        Pose::translation({1.5, 0.2, 0.1})};
  EXPECT_EQ(examine(query).failure, "");
}

TEST(FuzzMinimiser, FindsTheSimplestLineThatStillFails) {
  const std::string line =
      R"({"id":"q","a":{"type":"compound","parts":[)"
      R"({"shape":{"type":"box","size":[1,2,3]}},)"
      R"({"shape":{"type":"sphere","radius":1.7354623},"pose":[1,0,0,0.123,0,1,0,7,0,0,1,0]}]},)"
      R"("b":{"type":"convex","vertices":[[0,0,0],[1.5,0,0],[0,1.25,0],[0,0,1.75]],"rounding":0.3},)"
      R"("pose_a":[0,-1,0,0.31,1,0,0,0.77,0,0,1,-0.2],"ask":"distance","tolerance":1e-10})";
  // Fails while A holds a ball larger than 1.7, and B a vertex beyond x = 1.
  const auto fails = [](const std::string& text) {
    const auto query = query_of(text);
    if (!query || query->b.type() != ShapeType::convex) return false;
    const Shape* ball = &query->a;
    if (const auto* compound = std::get_if<Compound>(&ball->geometry())) {
      if (compound->parts().size() > 1) return true;
      ball = &compound->parts()[0].shape;
    }
    const auto* sphere = std::get_if<Sphere>(&ball->geometry());
    return sphere != nullptr && sphere->radius() > 1.7 &&
           std::get<Convex>(query->b.geometry()).upper().x > 1.0;
  };
  ASSERT_TRUE(fails(line));
  const auto least = nlohmann::json::parse(minimise(line, fails, 2000));
  EXPECT_EQ(least, nlohmann::json::parse(
                       R"({"id":"q","a":{"type":"sphere","radius":2.0},)"
                       R"("b":{"type":"convex","vertices":[[2.0,0,0]]},"ask":"distance"})"));
}

}  // namespace
}  // namespace tactus::detail::fuzz
