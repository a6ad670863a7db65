// The table that decides how a pair is answered, against what the cores are.
#include "tactus/query/plan/pair_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tactus/query.hpp"
#include "tests/support/every_kind.hpp"

namespace tactus::detail {
namespace {

template <class Visit>
void for_all_pairs(const Visit& visit) {
  for (int a = 0; a < kShapeTypes; ++a) {
    for (int b = 0; b < kShapeTypes; ++b)
      visit(static_cast<ShapeType>(a), static_cast<ShapeType>(b));
  }
}

bool is_mirrored(LaneKind x, LaneKind y) {
  if (x == LaneKind::sphere_box) return y == LaneKind::box_sphere;
  if (x == LaneKind::box_sphere) return y == LaneKind::sphere_box;
  return x == y;
}

TEST(PairTable, AnswersBOnAAsAOnB) {
  for_all_pairs([](ShapeType a, ShapeType b) {
    const PairRow &row = pair_row(a, b), &back = pair_row(b, a);
    EXPECT_EQ(row.kind, back.kind) << to_string(a) << " " << to_string(b);
    EXPECT_EQ(row.formula, back.formula) << to_string(a) << " " << to_string(b);
    EXPECT_EQ(row.search, back.search) << to_string(a) << " " << to_string(b);
    EXPECT_EQ(row.leaf == nullptr, back.leaf == nullptr) << to_string(a) << " " << to_string(b);
    EXPECT_EQ(row.leaf == nullptr, row.touch == nullptr) << to_string(a) << " " << to_string(b);
    EXPECT_TRUE(is_mirrored(row.lanes, back.lanes)) << to_string(a) << " " << to_string(b);
  });
}

TEST(PairTable, ALeafIsAClosedFormAndLanesAreALeaf) {
  int leaves = 0, lanes = 0;
  for_all_pairs([&](ShapeType a, ShapeType b) {
    const PairRow& row = pair_row(a, b);
    leaves += row.leaf != nullptr ? 1 : 0;
    lanes += row.lanes != LaneKind::none ? 1 : 0;
    if (row.leaf != nullptr) {
      EXPECT_EQ(row.formula, PairFormula::closed) << to_string(a) << " " << to_string(b);
    }
    if (row.lanes != LaneKind::none) {
      EXPECT_NE(row.leaf, nullptr) << to_string(a) << " " << to_string(b);
    }
    if (row.kind != PairKind::convex) {
      EXPECT_EQ(row.formula, PairFormula::none) << to_string(a) << " " << to_string(b);
    }
  });
  EXPECT_EQ(leaves, 14);
  EXPECT_EQ(lanes, 4);
}

// Steps need a model of both support functions, and a curved one to be worth their price.
TEST(PairTable, StepsAreForSmoothCores) {
  const auto is_curved = [](ShapeType t) {
    return t == ShapeType::cylinder || t == ShapeType::cone || t == ShapeType::ellipsoid;
  };
  const auto has_model = [&](ShapeType t) {
    return is_curved(t) || t == ShapeType::sphere || t == ShapeType::box || t == ShapeType::capsule;
  };
  for_all_pairs([&](ShapeType a, ShapeType b) {
    const bool steps = has_model(a) && has_model(b) && (is_curved(a) || is_curved(b));
    EXPECT_EQ(pair_row(a, b).search == PairSearch::steps, steps)
        << to_string(a) << " " << to_string(b);
  });
}

TEST(PairTable, ABallIsASphereByWhateverName) {
  const Shape ball = Ellipsoid({0.5, 0.5, 0.5}), sphere = Sphere(0.5);
  for (const Shape& other : {Shape(Box({1.0, 2.0, 1.0})), Shape(Cone(0.3, 0.5)), sphere, ball,
                             Shape(Ellipsoid({0.5, 0.4, 0.5}))}) {
    EXPECT_EQ(&pair_row(ball, other), &pair_row(sphere, other)) << to_string(other.type());
    EXPECT_EQ(&pair_row(other, ball), &pair_row(other, sphere)) << to_string(other.type());
    const Pose pose_b = Pose::translation({1.5, 0.25, 0.125});
    const DistanceResult x = distance(ball, Pose(), other, pose_b);
    const DistanceResult y = distance(sphere, Pose(), other, pose_b);
    EXPECT_EQ(x.distance, y.distance) << to_string(other.type());
    EXPECT_EQ(x.method, Method::closed_form) << to_string(other.type());
  }
}

// By the shapes themselves: which of them are convex bodies, and that each pair but one is
// answered.
TEST(PairTable, KindsAreThoseOfTheShapes) {
  Random random(3);
  const std::vector<test::NamedShape> shapes = test::every_kind(random);
  QueryOptions options;
  options.signed_distance = false;  // an open mesh has no inside
  for (const auto& [name_a, a] : shapes) {
    for (const auto& [name_b, b] : shapes) {
      const PairKind kind = pair_row(a, b).kind;
      EXPECT_EQ(kind == PairKind::convex, a.is_convex_body() && b.is_convex_body())
          << name_a << ", " << name_b;
      const Pose pose_b = Pose::translation({9.0, 0.5, 0.25});
      const DistanceResult r = distance(a, Pose(), b, pose_b, options);
      EXPECT_EQ(kind == PairKind::unsupported, r.status == Status::unsupported)
          << name_a << ", " << name_b;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
