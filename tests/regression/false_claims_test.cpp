#include <gtest/gtest.h>

#include <array>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

// Claims that are false, each of which a checker once called proved; and true ones that it could
// not do without throwing.
namespace tactus::detail {
namespace {

const Shape kUnitSphere = Sphere(1.0);
const Pose kFive = Pose::translation({5.0, 0.0, 0.0});

/// Answer of `distance` for unit spheres that are 3 apart.
DistanceResult answer_of_spheres() { return distance(kUnitSphere, Pose(), kUnitSphere, kFive); }
CheckReport check_spheres(const DistanceResult& claim, const Certificate* certificate = nullptr) {
  return check(kUnitSphere, Pose(), kUnitSphere, kFive, claim, certificate);
}

TEST(FalseClaims, WitnessesInTheEmptySpaceBetween) {
  DistanceResult claim = answer_of_spheres();
  ASSERT_TRUE(check_spheres(claim).ok);
  claim.lower = -10.0;
  claim.upper = claim.distance = 0.0;
  claim.point_a = claim.point_b = {2.5, 0.0, 0.0};
  const CheckReport report = check_spheres(claim);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report[Claim::upper], Proof::refuted);
  EXPECT_EQ(report[Claim::points], Proof::refuted);
  EXPECT_EQ(report[Claim::lower], Proof::proved);
}

TEST(FalseClaims, AStatusExcusesNothing) {
  DistanceResult claim = answer_of_spheres();
  claim.distance = claim.lower = claim.upper = 0.001;
  claim.status = Status::iteration_limit;
  claim.point_a = {17.0, 3.0, 0.0};
  const CheckReport report = check_spheres(claim);
  EXPECT_EQ(report[Claim::upper], Proof::refuted);
  EXPECT_EQ(report[Claim::points], Proof::refuted);
}

TEST(FalseClaims, ADistanceThatIsWrongByLittle) {
  for (const double by : {1.5e-7, 1e-12, 1e-13, -1.5e-7, -1e-13}) {
    DistanceResult claim = answer_of_spheres();
    claim.distance = claim.lower = claim.upper = 3.0 - by;
    const CheckReport report = check_spheres(claim);
    EXPECT_EQ(report[by > 0.0 ? Claim::upper : Claim::lower], Proof::refuted) << by;
    EXPECT_FALSE(report.ok);
  }
}

TEST(FalseClaims, FacesOfOnePoint) {
  Certificate certificate;
  certificate.kind = CertificateKind::faces;
  certificate.supports.push_back({{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}});
  certificate.faces.push_back({0, 0, 0});
  DistanceResult claim = answer_of_spheres();
  claim.distance = claim.lower = claim.upper = -2.0;
  claim.normal = {-1.0, 0.0, 0.0};
  EXPECT_NE(check_spheres(claim, &certificate)[Claim::upper], Proof::proved);
  claim.normal = {1.0, 0.0, 0.0};
  EXPECT_EQ(check_spheres(claim, &certificate)[Claim::upper], Proof::refuted);
}

TEST(FalseClaims, TheDistanceOfAnotherPart) {
  const Shape two = Compound({{kUnitSphere, Pose::translation({-5.0, 0.0, 0.0})},
                              {kUnitSphere, Pose::translation({0.5, 0.0, 0.0})}});
  const Pose pose_b = Pose::translation({3.0, 0.0, 0.0});
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const DistanceResult truth = distance(two, Pose(), kUnitSphere, pose_b, options);
  EXPECT_DOUBLE_EQ(truth.distance, 0.5);
  EXPECT_TRUE(check(two, Pose(), kUnitSphere, pose_b, truth, &certificate).ok);
  DistanceResult claim =
      distance(kUnitSphere, Pose::translation({-5.0, 0.0, 0.0}), kUnitSphere, pose_b);
  EXPECT_DOUBLE_EQ(claim.distance, 6.0);
  for (const std::int32_t part : {0, 1, -1}) {
    claim.part_a = part;
    const CheckReport report = check(two, Pose(), kUnitSphere, pose_b, claim, &certificate);
    EXPECT_NE(report[Claim::lower], Proof::proved) << part;
    EXPECT_FALSE(report.ok) << part;
  }
}

TEST(FalseClaims, ADepthWithoutACertificate) {
  const Pose near = Pose::translation({1.5, 0.0, 0.0});
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const DistanceResult truth = distance(kUnitSphere, Pose(), kUnitSphere, near, options);
  EXPECT_DOUBLE_EQ(truth.distance, -0.5);
  EXPECT_TRUE(check(kUnitSphere, Pose(), kUnitSphere, near, truth, &certificate).ok);
  DistanceResult claim = truth;
  claim.status = Status::iteration_limit;
  const CheckReport report = check(kUnitSphere, Pose(), kUnitSphere, near, claim);
  EXPECT_EQ(report[Claim::upper], Proof::unproved);
  EXPECT_FALSE(report.ok);
}

TEST(FalseClaims, ACastThatMissesItsHit) {
  // The gap of 3 is closed at 0.6.
  const Vec3 way{-5.0, 0.0, 0.0};
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const CastResult truth = cast(kUnitSphere, Pose(), {}, kUnitSphere, kFive, way, options);
  ASSERT_EQ(truth.hit, Overlap::yes);
  EXPECT_NEAR(truth.time, 0.6, 1e-12);
  const auto checked = [&](const CastResult& claim) {
    return check(kUnitSphere, Pose(), {}, kUnitSphere, kFive, way, claim, &certificate);
  };
  EXPECT_TRUE(checked(truth).ok) << checked(truth).failure;
  CastResult none = truth;
  none.hit = Overlap::no;
  none.time = none.time_upper = std::numeric_limits<double>::infinity();
  EXPECT_NE(checked(none)[Claim::verdict], Proof::proved);
  EXPECT_FALSE(checked(none).ok);
  CastResult late = truth;
  late.hit = Overlap::undecided;
  late.time = 0.9;
  late.status = Status::iteration_limit;
  EXPECT_NE(checked(late)[Claim::time], Proof::proved);
  EXPECT_FALSE(checked(late).ok);
}

TEST(FalseClaims, NoSizeMakesTheCheckerThrow) {
  for (const double size : {1e200, 1e308, 1e-200, 5e-324}) {
    const Shape ball = Sphere(size), box = Box({size, size, size});
    const Pose away = Pose::translation({3.0 * std::min(size, 1e300), 0.0, 0.0});
    const DistanceResult r = distance(ball, Pose(), box, away);
    EXPECT_FALSE(check(ball, Pose(), box, away, r).refuted()) << size;
    DistanceResult claim = answer_of_spheres();
    EXPECT_FALSE(check(ball, Pose(), box, away, claim).ok) << size;
  }
}

/// The depth that a checker must not believe, of bodies that are `gap` apart.
void expect_no_depth(const Shape& a, const Shape& b, const Pose& pose_b, double depth,
                     CertificateKind kind) {
  DistanceResult claim = distance(a, Pose(), b, pose_b);
  ASSERT_GT(claim.lower, 0.0);
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  distance(a, Pose(), b, pose_b, options);
  certificate.kind = kind;
  claim.distance = claim.lower = claim.upper = -depth;
  EXPECT_EQ(check(a, Pose(), b, pose_b, claim, &certificate)[Claim::upper], Proof::refuted)
      << to_string(a.type()) << ' ' << to_string(b.type());
  DistanceResult nearer = distance(a, Pose(), b, pose_b);
  nearer.upper = nearer.distance = nearer.lower = 0.5 * nearer.lower;
  EXPECT_NE(check(a, Pose(), b, pose_b, nearer, &certificate)[Claim::upper], Proof::proved);
}

// Beside a flat difference of cores every normal of a face shows the balls alone.
TEST(FalseClaims, FlatCoresBesideEachOther) {
  const Vec3 corners[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const Shape triangle(Convex(corners), 0.1);
  expect_no_depth(triangle, Sphere(0.2), Pose::translation({2.0, 2.0, 0.0}), 0.3,
                  CertificateKind::axes);
  // In one plane, and end to side.
  const Quat quarter{std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0};
  for (const Vec3& place : {Vec3{2.0, 0.0, 0.0}, Vec3{1.5, 0.0, 0.3}, Vec3{0.0, 0.0, 1.2}})
    expect_no_depth(Capsule(0.2, 1.0), Capsule(0.2, 1.0), Pose(place, quarter), 0.4,
                    CertificateKind::axes);
  expect_no_depth(triangle, Capsule(0.2, 1.0), Pose({-1.0, 0.3, 0.0}, quarter), 0.3,
                  CertificateKind::axes);
}

// Cores give away no larger ball than they have.
TEST(FalseClaims, BallsThatAreTooLarge) {
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const Shape capsule = Capsule(0.3, 1.0), ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  for (const Shape* a : {&capsule, &ellipsoid}) {
    for (const double more : {1e-13, 1e-6, 0.1}) {
      const Pose pose_b = Pose::translation({0.55, 0.0, 0.1});
      const DistanceResult truth = distance(*a, Pose(), capsule, pose_b, options);
      ASSERT_LT(truth.upper, 0.0);
      DistanceResult claim = truth;
      claim.distance = claim.lower = claim.upper = truth.lower - 2.0 * more;
      certificate.shrink_a += more;
      certificate.shrink_b += more;
      EXPECT_NE(check(*a, Pose(), capsule, pose_b, claim, &certificate)[Claim::upper],
                Proof::proved)
          << to_string(a->type()) << more;
    }
  }
}

// A surface around the origin that lacks its nearest face shows nothing.
TEST(FalseClaims, FacesWithAHole) {
  const Vec3 corners[] = {{1.0, 0.0, 0.0},  {-1.0, 0.2, 0.0}, {0.0, 1.0, 0.3},
                          {0.0, -1.0, 0.1}, {0.1, 0.0, 1.0},  {0.0, 0.2, -1.0}};
  const Shape hull = Convex(corners), box = Box({0.6, 0.8, 0.7});
  const Pose pose({0.3, 0.2, 0.4}, normalized(Quat{1.0, 0.3, 0.2, 0.1}));
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  options.method = Method::epa;
  const DistanceResult truth = distance(hull, Pose(), box, pose, options);
  ASSERT_EQ(certificate.kind, CertificateKind::faces);
  ASSERT_TRUE(check(hull, Pose(), box, pose, truth, &certificate).ok);
  DistanceResult claim = truth;
  claim.distance = claim.lower = claim.upper = truth.lower - 1e-4;
  for (std::size_t i = 0; i < certificate.faces.size(); ++i) {
    Certificate torn = certificate;
    torn.faces.erase(torn.faces.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(check(hull, Pose(), box, pose, claim, &torn)[Claim::upper], Proof::proved);
    EXPECT_NE(check(hull, Pose(), box, pose, truth, &torn)[Claim::upper], Proof::refuted);
  }
}

// A far side of the difference alone, whichever way a ray from the origin leaves it.
TEST(FalseClaims, FacesOfTheFarSideAlone) {
  const Shape cube = Box({1.0, 1.0, 1.0});
  const double depth = 0.1;
  for (int choice = 0; choice < 36; ++choice) {
    const int axis = choice % 3, near = choice / 3 % 3;
    if (near == axis) continue;
    const double side = choice / 9 % 2 == 0 ? -1.0 : 1.0, way = choice < 18 ? -1.0 : 1.0;
    // The cubes overlap by `depth` along `near`, and by 1 along `axis`.
    Vec3 place;
    place[near] = way * (1.0 - depth);
    const Pose pose_b = Pose::translation(place);
    Certificate forged;
    forged.kind = CertificateKind::faces;
    for (unsigned corner = 0; corner < 4; ++corner) {
      Vec3 of_a;
      unsigned bit = 0;
      for (int k = 0; k < 3; ++k)
        of_a[k] = k == axis ? 0.5 * side : (corner >> bit++ & 1u) != 0 ? 0.5 : -0.5;
      forged.supports.push_back({of_a, -of_a});
    }
    forged.faces = {{0, 1, 3}, {0, 3, 2}};
    DistanceResult claim = distance(cube, Pose(), cube, pose_b);
    ASSERT_NEAR(claim.distance, -depth, 1e-12);
    claim.distance = claim.lower = claim.upper = -0.9;
    EXPECT_NE(check(cube, Pose(), cube, pose_b, claim, &forged)[Claim::upper], Proof::proved);
  }
}

// A half-space is looked at along its own normal, whatever the certificate says.
TEST(FalseClaims, AStretchedDirectionOfAHalfSpace) {
  const Shape floor = HalfSpace({0.0, 0.0, 1.0}, 0.0);
  const Shape box = Box({1.0, 1.0, 1.0});
  const Pose pose = Pose::translation({0.0, 0.0, 0.4});
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  DistanceResult claim = distance(box, pose, floor, Pose(), options);
  ASSERT_TRUE(check(box, pose, floor, Pose(), claim, &certificate).ok);
  claim.distance = claim.lower = claim.upper = 1.5 * claim.distance;
  certificate.direction *= 1.5;
  EXPECT_EQ(check(box, pose, floor, Pose(), claim, &certificate)[Claim::upper], Proof::refuted);
}

// From far away a first-order distance of a point from an ellipsoid is too short.
TEST(FalseClaims, NearerToAnEllipsoidThanItIs) {
  const Shape ellipsoid = Ellipsoid({1.0, 0.2, 0.5});
  const Shape ball = Sphere(0.1);
  const Pose pose_b = Pose({1.5, 1.0, 0.3}, Quat{});
  DistanceResult claim = distance(ellipsoid, Pose(), ball, pose_b);
  for (const double by : {1e-1, 1e-2, 1e-4, 1e-10}) {
    claim.distance = claim.lower = claim.upper = claim.lower * (1.0 - by);
    EXPECT_EQ(check(ellipsoid, Pose(), ball, pose_b, claim)[Claim::upper], Proof::refuted) << by;
  }
}

// Far from the world's origin the points of an answer are rounded, those of a certificate not.
TEST(FalseClaims, FarFromTheOrigin) {
  const Pose pose_a = Pose::translation({1e6, -7e5, 3e5});
  const Pose pose_b = Pose::translation({1e6 + 1.9, -7e5 + 0.8, 3e5 + 0.7});
  const Shape a = Box({1.0, 0.7, 0.9}), b = Cylinder(0.5, 1.0);
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const DistanceResult truth = distance(a, pose_a, b, pose_b, options);
  ASSERT_GT(truth.lower, 0.0);
  EXPECT_TRUE(check(a, pose_a, b, pose_b, truth, &certificate).ok);
  DistanceResult claim = truth;
  claim.distance = claim.lower = claim.upper = truth.lower - 1e-12;
  EXPECT_EQ(check(a, pose_a, b, pose_b, claim, &certificate)[Claim::upper], Proof::refuted);
}

// Unions with half-spaces among their parts are cast like others.
TEST(FalseClaims, ACastOfAUnionWithAHalfSpaceIsAnswered) {
  const Shape floor =
      Compound({{HalfSpace({0.0, 0.0, 1.0}, 0.0), Pose()}, {Box({1.0, 1.0, 1.0}), Pose()}});
  const CastResult r =
      cast(floor, Pose(), {}, Sphere(0.5), Pose::translation({0.0, 0.0, 3.0}), {0.0, 0.0, -4.0});
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_NEAR(r.time, 0.5, 1e-12);
}

}  // namespace
}  // namespace tactus::detail
