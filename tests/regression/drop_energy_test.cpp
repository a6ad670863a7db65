// Coins, cones and boxes that roll, rock or land gained up to 3e-4 of their first energy: rims
// that came down between two looks were pushed out again, the sliding of a rolling rim was that of
// half a substep earlier, and what arrived at the end of a step was reported as if it were pushed
// on. The drops are those of `tactus lab physics` with the largest rises.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus {
namespace {

struct Drop {
  Shape shape;
  Quat turned;
  Vec3 linear, angular;
  double friction, restitution;
};

std::vector<Drop> drops() {
  const Shape coin = Cylinder(0.2, 0.1), cone = Cone(0.2, 0.4), box = Box({0.4, 0.3, 0.35}),
              egg = Ellipsoid({0.2, 0.15, 0.12});
  return {
      {coin,
       {-0.2965947428804544, -0.029730104092601833, -0.11791305270464901, -0.94722974584215358},
       {-1.4159229275264344, 0.10233908652362356, -0.12346175392077141},
       {-1.5674148011921596, -7.5561110085096743, 9.7544057280057643},
       0.9867559819026932,
       0.093997971760112708},
      {cone,
       {0.24013552545167782, -0.22087702093619974, -0.50047910628258263, 0.80191579059960116},
       {-1.6989246716981059, -1.8522881110149232, -0.62465193119484175},
       {-3.7782894679455925, -2.7695173544265606, 5.4437540219110296},
       0.97938210347957155,
       0.40710645679678972},
      {coin,
       {-0.21339683742217591, -0.10996380322804299, 0.86237781713432649, 0.44572889997449328},
       {0.68411867700237883, -0.98500231375284431, 0.90815414221897806},
       {-3.9547496015648531, -2.6883791488433428, -1.2567269793976488},
       0.91275057941582849,
       0.11160797449440443},
      {coin,
       {-0.32184074097783671, 0.11352283648374467, 0.92298756869135412, -0.17783433606799537},
       {1.3029772792067789, -0.87730389972348632, -0.74286352628363739},
       {-4.3897557941733449, -5.8603313270480335, 8.5012081647586886},
       0.87302973842213039,
       0.20399024292946741},
      {cone,
       {-0.2250934023686352, 0.56315897552984595, 0.12793639950176694, -0.78474021572289154},
       {0.44366981264329031, 0.20357372589519063, 0.89061172012409084},
       {8.7290201494015403, -5.6438588355266965, -4.0904903332072262},
       0.96421562600932609,
       0.10942403862104821},
      {box,
       {0.52607247223145692, -0.1499357447548032, 0.69924787095356022, -0.4602384614219226},
       {-1.4619565231674856, 1.5763184155764969, 1.3370103556268145},
       {-9.6229407222011343, 1.7911717283065287, -1.2573869239613322},
       0.47874556833412441,
       0.14595761694329965},
      {egg,
       {-0.39398724315874567, 0.59121282289560506, 0.32619875977586249, -0.62356701275217441},
       {-1.6558031856778448, -1.5855145709230629, 1.755698975450386},
       {-5.2884081559078666, 9.0264921657369541, 0.54145745877089535},
       0.099272762646553492,
       0.76020130652089135},
      // A rim that was apart from the ground at the detection, and reaches it in the step.
      {coin,
       {-0.9179489159185733, 0.18731027729472371, -0.01427173564290303, -0.34940086626313482},
       {1.3648048073101848, -0.12490780297624759, 0.028285033962372808},
       {6.8719732322891858, -3.3079690028590436, 8.1947120786689638},
       0.84428883050337156,
       0.70365891606274689},
      // The inertia of before the motion of a substep, used after it.
      {coin,
       {-0.51093204904781742, -0.11906542287559403, -0.18677362066695991, 0.83059465502386254},
       {0.11195103694395092, 1.9162196089085355, 1.1151647745494602},
       {6.465593724221101, 7.0727559733818417, -2.5690553073301814},
       0.14593023363554936,
       0.4435149619472229},
      {coin,
       {0.7272904200047341, -0.55584371285726175, -0.40009573988710623, 0.044830913113390006},
       {-0.48558478797954896, 1.0594096624743297, 0.83962898626893345},
       {-8.2372027864472557, 4.3681513270052612, -9.1173902622263938},
       0.97098677973209879,
       0.33104223446397169},
      {egg,
       {-0.86609518008634023, 0.13324007306617835, -0.1132798301682737, -0.46828826809730806},
       {1.4143915590248155, 1.3713983875134641, -0.75355599294029707},
       {4.2000301962304594, 6.9445055891722447, -0.14880452869520333},
       0.75785776584741193,
       0.25740505930620072},
  };
}

/// Kinetic and potential.
double energy_of(const World& world, BodyId id) {
  const Body& body = world.body(id);
  return body.kinetic_energy() + body.mass().mass * 9.81 * body.center_of_mass().z;
}

TEST(DropEnergy, RisesByLessThanATenThousandth) {
  for (const Drop& drop : drops()) {
    World world;
    const Material material{.friction = drop.friction, .restitution = drop.restitution};
    world.add(
        {.shape = HalfSpace({0.0, 0.0, 1.0}, 0.0), .type = BodyType::fixed, .material = material});
    const BodyId id = world.add({.shape = drop.shape,
                                 .pose = Pose({0.0, 0.0, 1.0}, drop.turned),
                                 .linear_velocity = drop.linear,
                                 .angular_velocity = drop.angular,
                                 .material = material});
    const double start = energy_of(world, id);
    double least = start, rise = 0.0, depth = 0.0;
    for (int step = 0; step < 180; ++step) {
      world.step();
      const double now = energy_of(world, id);
      rise = std::max(rise, (now - least) / start);
      least = std::min(least, now);
      const Body& body = world.body(id);
      depth = std::max(
          depth,
          -distance(body.shape(), body.pose(), HalfSpace({0.0, 0.0, 1.0}, 0.0), Pose()).distance);
    }
    EXPECT_LT(rise, 1e-4) << to_string(drop.shape.type());
    EXPECT_LT(depth, 0.0035 * 0.4) << to_string(drop.shape.type());
  }
}

}  // namespace
}  // namespace tactus
