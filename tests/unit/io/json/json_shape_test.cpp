#include "tactus/io/json/json_shape.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/shape.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::io {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::refusal;

std::string shape_refusal(const char* text) {
  return refusal([&] { shape_from_json(parse_json(text)); });
}
std::string pose_refusal(const char* text) {
  return refusal([&] { pose_from_json(parse_json(text)); });
}

void expect_same_support(const Shape& a, const Shape& b) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    EXPECT_EQ(support(a, {x, y, z}), support(b, {x, y, z}));
  }
}

TEST(JsonText, AllowsComments) {
  EXPECT_EQ(parse_json("{ // note\n \"x\": /* here */ 1 }").at("x"), 1);
}

TEST(JsonText, RefusesWhatIsNoJson) {
  EXPECT_NE(refusal([] { parse_json("{\"x\": }"); }), "");
  EXPECT_NE(refusal([] { parse_json(""); }), "");
  EXPECT_NE(refusal([] { parse_json("{\"x\": NaN}"); }), "");
}

TEST(JsonShape, ReflectedMeshesKeepTheirInside) {
  for (unsigned signs = 0; signs < 8; ++signs) {
    nlohmann::json tetrahedron = parse_json(
        R"({"type":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
            "triangles":[[0,2,1],[0,1,3],[1,2,3],[2,0,3]]})");
    tetrahedron["scale"] = {(signs & 1u) != 0 ? -2.0 : 2.0, (signs & 2u) != 0 ? -1.0 : 1.0,
                            (signs & 4u) != 0 ? -3.0 : 3.0};
    const Shape shape = shape_from_json(tetrahedron);
    const Mesh& mesh = std::get<Mesh>(shape.geometry());
    EXPECT_TRUE(mesh.closed());
    EXPECT_FALSE(mesh.inward()) << signs;
  }
}

TEST(JsonText, RefusesNumbersBeyondDouble) {
  EXPECT_NE(refusal([] { parse_json("{\"x\": 1e999}"); }).find("1e999"), std::string::npos);
}

TEST(JsonText, RefusesTheLevelBeyondTheHundredth) {
  const auto nested = [](std::size_t levels) {
    return refusal([&] { parse_json(std::string(levels, '[') + std::string(levels, ']')); });
  };
  EXPECT_EQ(nested(100), "");
  EXPECT_EQ(nested(102), "nested deeper than 100 levels");
}

TEST(JsonText, RefusesAFieldGivenTwice) {
  EXPECT_EQ(refusal([] { parse_json(R"({"a":{"radius":1,"radius":2}})"); }),
            "radius: is given twice");
  // Not side by side, but in one object only.
  EXPECT_EQ(refusal([] { parse_json(R"({"radius":1,"length":2,"radius":2})"); }),
            "radius: is given twice");
  EXPECT_EQ(refusal([] { parse_json(R"({"a":{"radius":1},"radius":2,"b":{"radius":1}})"); }), "");
  EXPECT_EQ(refusal([] { parse_json(R"({"a":{"r":1},"b":{"r":2}})"); }), "");
}

TEST(JsonText, RefusesDeepNesting) {
  EXPECT_NE(refusal([] { parse_json(std::string(100000, '[')); }).find("nested"),
            std::string::npos);
}

TEST(JsonShape, ReadsEveryType) {
  const auto read = [](const char* text) { return shape_from_json(parse_json(text)); };
  EXPECT_EQ(std::get<Sphere>(read(R"({"type":"sphere","radius":2})").geometry()).radius(), 2.0);
  EXPECT_EQ(std::get<Box>(read(R"({"type":"box","size":[1,2,3]})").geometry()).size(),
            (Vec3{1, 2, 3}));
  EXPECT_EQ(read(R"({"type":"capsule","radius":1,"length":2})").type(), ShapeType::capsule);
  EXPECT_EQ(read(R"({"type":"cylinder","radius":1,"length":2})").type(), ShapeType::cylinder);
  EXPECT_EQ(read(R"({"type":"cone","radius":1,"length":2})").type(), ShapeType::cone);
  EXPECT_EQ(read(R"({"type":"ellipsoid","radii":[1,2,3]})").type(), ShapeType::ellipsoid);
  EXPECT_EQ(read(R"({"type":"halfspace","normal":[0,0,2],"offset":1})").type(),
            ShapeType::halfspace);
  EXPECT_EQ(read(R"({"type":"convex","vertices":[[0,0,0]]})").type(), ShapeType::convex);
  EXPECT_EQ(read(R"({"type":"box","size":[1,1,1],"rounding":0.5})").rounding_radius(), 0.5);
}

TEST(JsonShape, ReadsCompoundsWithPoses) {
  const Shape shape = shape_from_json(parse_json(R"({"type":"compound","parts":[
      {"shape":{"type":"sphere","radius":1}},
      {"shape":{"type":"box","size":[1,1,1]},
       "pose":{"position":[1,2,3],"quaternion":[1,0,0,0]}}]})"));
  const auto& parts = std::get<Compound>(shape.geometry()).parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].pose.position(), (Vec3{1, 2, 3}));
}

TEST(JsonShape, ScaleIsANumberOrThree) {
  const auto vertex = [](const char* text) {
    const Shape shape = shape_from_json(parse_json(text));
    return std::get<Convex>(shape.geometry()).hull().vertices.front();
  };
  EXPECT_EQ(vertex(R"({"type":"convex","vertices":[[1,2,3]],"scale":2})"), (Vec3{2, 4, 6}));
  EXPECT_EQ(vertex(R"({"type":"convex","vertices":[[1,2,3]],"scale":[1,0,-1]})"), (Vec3{1, 0, -3}));
}

TEST(JsonShape, AReflectedMeshKeepsItsOutside) {
  const Shape shape = shape_from_json(parse_json(
      R"({"type":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[[0,1,2]],"scale":[-1,1,1]})"));
  const TriangleMesh& mesh = std::get<Mesh>(shape.geometry()).mesh();
  const auto& t = mesh.triangles.front();
  const Vec3 normal =
      cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
  EXPECT_GT(normal.z, 0.0);
}

TEST(JsonShape, ErrorsNameTheField) {
  EXPECT_EQ(shape_refusal(R"({"type":"sphere","radius":-1})"),
            "radius: must be finite and not negative, is -1");
  EXPECT_EQ(shape_refusal(R"({"type":"sphere"})"), "radius: is missing");
  EXPECT_EQ(shape_refusal(R"({"type":"sphere","radius":"1"})"),
            "radius: must be a number, not string");
  EXPECT_EQ(shape_refusal(R"({"type":"sphere","radius":1,"colour":2})"), "colour: unknown field");
  EXPECT_EQ(shape_refusal(R"({"type":"ball","radius":1})"),
            "type: unknown shape 'ball'; known are sphere, box, capsule, cylinder, cone, "
            "ellipsoid, convex, mesh, "
            "halfspace, compound, prism, heightfield");
  EXPECT_EQ(shape_refusal(R"({"radius":1})"), "type: is missing");
  EXPECT_EQ(shape_refusal(R"({"type":"box","size":[1,2]})"),
            "size: must be an array of three numbers");
  EXPECT_EQ(shape_refusal(R"({"type":"box","size":[1,2,null]})"),
            "size[2]: must be a number, not null");
  EXPECT_EQ(shape_refusal(R"({"type":"convex","vertices":[]})").substr(0, 9), "vertices:");
  EXPECT_EQ(shape_refusal(R"({"type":"convex","vertices":[[0,0,0],[1,2]]})").substr(0, 12),
            "vertices[1]:");
  EXPECT_NE(shape_refusal(R"({"type":"convex"})"), "");
  EXPECT_NE(shape_refusal(R"({"type":"convex","vertices":[[0,0,0]],"file":"x.obj"})"), "");
  EXPECT_EQ(shape_refusal(R"({"type":"mesh","vertices":[[0,0,0]],"triangles":[[0,0,-1]]})"),
            "triangles[0][2]: must be the index of a vertex");
  EXPECT_EQ(shape_refusal(R"({"type":"halfspace","normal":[0,0,1],"offset":0,"rounding":1})"),
            "rounding: not possible for a halfspace");
  EXPECT_EQ(shape_refusal("[1]"), "must be an object, not array");
}

TEST(JsonShape, ErrorsInPartsNameTheWholePath) {
  EXPECT_EQ(shape_refusal(R"({"type":"compound","parts":[{"shape":{"type":"sphere","radius":1}},
                              {"shape":{"type":"sphere","radius":-2}}]})"),
            "parts[1].shape.radius: must be finite and not negative, is -2");
  EXPECT_EQ(shape_refusal(R"({"type":"compound","parts":[{"shape":{"type":"sphere","radius":1},
                              "pose":{"position":[0,0,0],"quaternion":[2,0,0,0]}}]})")
                .substr(0, 25),
            "parts[0].pose.quaternion:");
  EXPECT_EQ(shape_refusal(R"({"type":"compound","parts":[{"shape":{"type":"sphere","radius":1},
                              "mass":1}]})"),
            "parts[0].mass: unknown field");
  EXPECT_EQ(shape_refusal(R"({"type":"compound","parts":[]})").substr(0, 6), "parts:");
}

TEST(JsonShape, AMissingFileIsAnErrorOfItsField) {
  const std::string message = shape_refusal(R"({"type":"convex","file":"no/such.obj"})");
  EXPECT_EQ(message.substr(0, 5), "file:");
  EXPECT_NE(message.find("such.obj"), std::string::npos);
}

TEST(JsonShape, FilesAreReadOncePerScale) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "t.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  ShapeReader reader(folder.path());
  const json one = {{"type", "convex"}, {"file", "t.obj"}};
  const json two = {{"type", "convex"}, {"file", "t.obj"}, {"scale", 2.0}};
  const auto hull = [&](const json& value) {
    const Shape shape = reader.read(value);
    return &std::get<Convex>(shape.geometry()).hull();
  };
  const ConvexHull* first = hull(one);
  EXPECT_EQ(first->vertices.size(), 4u);
  EXPECT_EQ(hull(one), first);
  EXPECT_NE(hull(two), first);
  json rounded = one;
  rounded["rounding"] = 0.1;
  EXPECT_EQ(reader.read(rounded).rounding_radius(), 0.1);
  EXPECT_EQ(hull(rounded), first);
}

TEST(JsonShape, CompoundsComeFromFilesOfParts) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::ofstream(folder / "sub/t.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  // A file beside the one that names it.
  std::ofstream(folder / "sub/parts.json") << R"({"parts":[ // two
    {"shape":{"type":"convex","file":"t.obj"}},
    {"shape":{"type":"sphere","radius":0.5},"pose":{"position":[3,0,0]}}]})";
  ShapeReader reader(folder.path());
  const auto read = [&](const char* text) { return reader.read(parse_json(text)); };
  const Shape plain = read(R"({"type":"compound","file":"sub/parts.json"})");
  ASSERT_EQ(std::get<Compound>(plain.geometry()).parts().size(), 2u);
  EXPECT_EQ(&std::get<Compound>(read(R"({"type":"compound","file":"sub/parts.json"})").geometry())
                 .parts(),
            &std::get<Compound>(plain.geometry()).parts());
  EXPECT_EQ(support(plain, {1, 0, 0}), (Vec3{3.5, 0, 0}));
  const Shape twice = read(R"({"type":"compound","file":"sub/parts.json","scale":2})");
  EXPECT_EQ(support(twice, {1, 0, 0}), (Vec3{7.0, 0, 0}));
  const auto refused = [&](const char* text) { return refusal([&] { read(text); }); };
  EXPECT_NE(refused(R"({"type":"compound","file":"sub/parts.json","scale":[1,2,1]})")
                .find("scale: must be one positive number, since part 1 is a sphere"),
            std::string::npos);
  EXPECT_EQ(refused(R"({"type":"compound","file":"a.json","parts":[]})"),
            "needs either `parts` or `file`");
  std::ofstream(folder / "loop.json")
      << R"({"parts":[{"shape":{"type":"compound","file":"loop.json"}}]})";
  EXPECT_NE(refused(R"({"type":"compound","file":"loop.json"})").find("is a part of itself"),
            std::string::npos);
  std::ofstream(folder / "bad.json") << R"({"parts":[{"shape":{"type":"sphere","radius":-1}}]})";
  const std::string bad = refused(R"({"type":"compound","file":"bad.json"})");
  EXPECT_EQ(bad.substr(0, 5), "file:");
  EXPECT_NE(bad.find("bad.json: parts[0].shape.radius:"), std::string::npos) << bad;
}

TEST(JsonShape, CompoundsComeFromTheObjectsOfAnObjFile) {
  const test::TemporaryFolder folder;
  const TriangleMesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  TriangleMesh other = corner;
  for (Vec3& v : other.vertices) v.x += 5.0;
  const NamedMesh objects[] = {{"one", corner}, {"two", other}};
  write_obj(folder / "hulls.obj", objects);
  ShapeReader reader(folder.path());
  const Shape shape =
      reader.read(parse_json(R"({"type":"compound","file":"hulls.obj","scale":[1,2,1]})"));
  const auto& parts = std::get<Compound>(shape.geometry()).parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(std::get<Convex>(parts[0].shape.geometry()).hull().vertices.size(), 4u);
  EXPECT_EQ(support(parts[1].shape, {1, 0, 0}), (Vec3{6, 0, 0}));
  EXPECT_EQ(support(parts[1].shape, {0, 1, 0}), (Vec3{5, 2, 0}));
}

TEST(JsonShape, AMeshIsTakenApartOnRequest) {
  // An L of two boxes.
  const char* const text = R"({"type":"mesh","decompose":0.05,
    "vertices":[[0,0,0],[2,0,0],[2,1,0],[1,1,0],[1,2,0],[0,2,0],
                [0,0,1],[2,0,1],[2,1,1],[1,1,1],[1,2,1],[0,2,1]],
    "triangles":[[0,3,1],[1,3,2],[0,5,3],[3,5,4],[6,7,9],[7,8,9],[6,9,11],[9,10,11],
                 [0,1,7],[0,7,6],[1,2,8],[1,8,7],[2,3,9],[2,9,8],[3,4,10],[3,10,9],
                 [4,5,11],[4,11,10],[5,0,6],[5,6,11]]})";
  const Shape shape = shape_from_json(parse_json(text));
  ASSERT_EQ(shape.type(), ShapeType::compound);
  EXPECT_EQ(std::get<Compound>(shape.geometry()).parts().size(), 2u);
  EXPECT_NEAR(mass_properties(shape).volume, 3.0, 1e-9);
  EXPECT_EQ(shape_refusal(R"({"type":"mesh","file":"x.obj","decompose":0})").substr(0, 10),
            "decompose:");
  EXPECT_EQ(shape_refusal(R"({"type":"convex","file":"x.obj","decompose":0.1})"),
            "decompose: unknown field");
}

TEST(JsonShape, ShapesSurviveTheRoundTrip) {
  const Shape shapes[] = {Sphere(0.1),
                          Shape(Box({0.1, 0.2, 1.0 / 3.0}), 1e-3),
                          Capsule(0.7, 1e-300),
                          Cylinder(1e300, 0.3),
                          Cone(0.1, 0.2),
                          Ellipsoid({0.1, 0.7, 123456.789}),
                          Convex(std::vector<Vec3>{{0, 0, 0}, {0.1, 0, 0}, {0, 0.3, 0}, {0, 0, 7}}),
                          HalfSpace({0, 0, 1}, 0.1)};
  for (const Shape& shape : shapes) {
    const Shape back = shape_from_json(parse_json(shape_to_json(shape).dump()));
    EXPECT_EQ(back.type(), shape.type());
    EXPECT_EQ(back.rounding_radius(), shape.rounding_radius());
    if (shape.type() != ShapeType::halfspace) expect_same_support(shape, back);
    EXPECT_EQ(shape_to_json(back), shape_to_json(shape));
  }
}

TEST(JsonShape, CompoundsAndMeshesSurviveTheRoundTrip) {
  const Pose pose({0.1, 0.2, 0.3}, normalized(Quat{0.3, -0.5, 0.7, 0.1}));
  const Shape compound = Compound({{Sphere(0.3), pose}, {Box({1, 2, 3}), Pose()}});
  const Shape mesh = Mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  for (const Shape& shape : {compound, mesh}) {
    const json written = shape_to_json(shape);
    EXPECT_EQ(shape_to_json(shape_from_json(parse_json(written.dump()))), written);
  }
}

TEST(JsonShape, CustomShapesHaveNoWrittenForm) {
  struct Point : SupportFunction {
    Vec3 support(const Vec3&) const noexcept override { return {}; }
  };
  const Shape shape = CustomConvex(std::make_shared<Point>());
  EXPECT_EQ(refusal([&] { shape_to_json(shape); }).substr(0, 5), "type:");
}

TEST(JsonPose, ReadsBothForms) {
  const Pose matrix = pose_from_json(parse_json("[0,-1,0,1, 1,0,0,2, 0,0,1,3]"));
  EXPECT_EQ(matrix.to_world({1, 0, 0}), (Vec3{1, 3, 3}));
  const Pose moved = pose_from_json(parse_json(R"({"position":[1,2,3],"quaternion":[1,0,0,0]})"));
  EXPECT_EQ(moved, Pose::translation({1, 2, 3}));
}

TEST(JsonPose, SurvivesTheRoundTripBitByBit) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double w = random.uniform(-1.0, 1.0), x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0), z = random.uniform(-1.0, 1.0);
    const Pose pose({x * 1e4, y, z}, normalized(Quat{w, x, y, z}));
    EXPECT_EQ(pose_from_json(parse_json(pose_to_json(pose).dump())), pose);
  }
}

TEST(JsonPose, ErrorsNameTheField) {
  EXPECT_NE(pose_refusal("[1,2,3]"), "");
  EXPECT_NE(pose_refusal("7"), "");
  EXPECT_EQ(pose_refusal("[1,0,0,0, 0,1,0,0, 0,0,\"1\",0]").substr(0, 5), "[10]:");
  EXPECT_EQ(pose_refusal("[2,0,0,0, 0,1,0,0, 0,0,1,0]").substr(0, 9), "rotation:");
  EXPECT_EQ(pose_refusal("[-1,0,0,0, 0,1,0,0, 0,0,1,0]").substr(0, 9), "rotation:");
  EXPECT_EQ(pose_refusal(R"({"position":[0,0,0],"quaternion":[1.1,0,0,0]})").substr(0, 11),
            "quaternion:");
  EXPECT_EQ(pose_refusal(R"({"position":[0,0,0],"quaternion":[1,0,0]})").substr(0, 11),
            "quaternion:");
  EXPECT_EQ(pose_refusal(R"({"position":[0,0,0],"angle":1})"), "angle: unknown field");
}

}  // namespace
}  // namespace tactus::io
