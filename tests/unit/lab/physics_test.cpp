#include <gtest/gtest.h>

#include <algorithm>

#include "lab/experiment.hpp"
#include "lab/physics/trials.hpp"
#include "tests/support/effort.hpp"

// The scenes of the physics experiment: that they pass where the world is right, and see when it is
// not.
namespace tactus::detail::lab::physics {
namespace {

std::vector<Finding> run_trial(const std::string& name, const Conditions& conditions = {}) {
  for (const Trial& trial : trials()) {
    if (trial.name == name) return trial.run(conditions);
  }
  ADD_FAILURE() << "no trial " << name;
  return {};
}

bool passes(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.deviation <= f.bound; });
}

TEST(LabPhysics, BouncesFollowTheory) {
  EXPECT_TRUE(passes(run_trial("peaks")));
  EXPECT_TRUE(passes(run_trial("spinning ball")));
}

TEST(LabPhysics, SeesAnotherGravity) {
  Conditions weaker;
  weaker.settings.gravity = {0, 0, -9.0};
  EXPECT_FALSE(passes(run_trial("slide", weaker)));
}

TEST(LabPhysics, RollingFollowsItsEquations) {
  int rollers = 0;
  for (const Trial& trial : trials()) {
    if (trial.name.rfind("rolling: ", 0) != 0 || rollers++ >= test::effort(20)) continue;
    EXPECT_TRUE(passes(trial.run({}))) << trial.name;
  }
  EXPECT_EQ(rollers, 20);
  Conditions weaker;
  weaker.settings.gravity = {0, 0, -9.75};
  EXPECT_FALSE(passes(run_trial("rolling: coin, nods", weaker)));
}

TEST(LabPhysics, SeesContactsThatAreTooSoft) {
  Conditions soft;
  soft.settings.substeps = 1;
  for (const char* name : {"tower of 50", "load"})
    EXPECT_FALSE(passes(run_trial(name, soft))) << name;
}

TEST(LabPhysics, SeesImpactsThatDoNotBounce) {
  Conditions dull;
  dull.settings.restitution_threshold = 1e3;
  for (const char* name : {"spinning ball", "peaks"})
    EXPECT_FALSE(passes(run_trial(name, dull))) << name;
}

// Every row of the report is a bar, in the order of the trials.
TEST(LabPhysics, EveryFindingIsJudged) {
  Finding finding = compare("x", "m", 2.0, 2.1, 0.01);
  EXPECT_NEAR(finding.deviation, 0.05, 1e-12);
  finding = at_most("x", "m", 0.5, 0.1);
  EXPECT_GT(finding.deviation, finding.bound);
  EXPECT_NE(find_experiment("physics"), nullptr);
}

}  // namespace
}  // namespace tactus::detail::lab::physics
