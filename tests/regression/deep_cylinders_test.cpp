// Newton's steps had found the minimum of these cylinders, but not proved it in their share of
// support points. Their last direction went on to the polytope as a known minimum, with pieces that
// it did not name: the patch proved about it was that of other pieces, and the polytope grew to its
// cap of iterations.
#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

void expect_proved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.upper - r.lower, 1e-12);
  EXPECT_LE(r.iterations, 200);
  const CheckReport report = check(a, pose_a, b, pose_b, r, &certificate);
  EXPECT_TRUE(report.ok) << report.failure;
}

TEST(Regression, DeepCylindersAreProvedAfterStepsThatAreNot) {
  expect_proved(
      Cylinder(0.8884524032838188, 1.4633386731107914),
      detail::unchecked_pose({-1.9152599708871989, 0.55108562406284922, -1.4440127023673377},
                             {{{0.97056416851740801, -0.033718197901357175, -0.23847070662955108},
                               {-0.0074262155592013136, 0.98549080414254209, -0.16956628872790136},
                               {0.24072815812152257, 0.16634589889976442, 0.95623166429827489}}}),
      Cylinder(0.46957585119921075, 1.8221157202014635),
      detail::unchecked_pose(
          {-1.7178894881300035, -0.59682133695048634, -0.20790885307836204},
          {{{-0.055858844004808672, -0.7627827661275135, 0.64423772106677013},
            {-0.37768246903416092, 0.6134423305825325, 0.69357368724147184},
            {-0.92424874472768781, -0.20457506873597744, -0.32235585789770216}}}));
  expect_proved(
      Cylinder(0.47243090132192389, 0.65333378239743822),
      detail::unchecked_pose(
          {0.029641295109678074, 0.82622761331681283, -0.4020929096771691},
          {{{-0.66893930824315251, -0.095552919024523286, -0.73714980943704056},
            {0.73696021716391535, 0.044162887595288414, -0.67449186627932023},
            {0.097004330856343801, -0.99444420608958173, 0.040876408476946402}}}),
      Cylinder(0.3281371634378572, 1.3172006478187626),
      detail::unchecked_pose({0.089935482890825549, 0.82215731421648386, -0.50172945699008054},
                             {{{-0.29038503753505007, 0.81357413736204987, -0.50375951900819127},
                               {-0.033320131884895798, 0.51752802373391416, 0.85501725915986193},
                               {0.95632959736010525, 0.26506955250587666, -0.12317399704236931}}}));
}

}  // namespace
}  // namespace tactus::detail
