#include "classes.hpp"

#include "tactus/io.hpp"
#include "tactus/robot.hpp"

namespace tactus::python {
namespace {

template <class T, class... Options>
void add(const py::handle& scope, const char* name, const char* path = nullptr) {
  class_of<T, Options...>(scope, name, doc(path == nullptr ? name : path));
}

void add_worlds_and_bodies(py::module_& m) {
  add<Body>(m, "Body");
  add<RigidWorld>(m, "RigidWorld");
  add<World, RigidWorld>(m, "World");
  add<ImpulseWorld, RigidWorld>(m, "ImpulseWorld");
  add<CharacterController>(m, "CharacterController");
  add<Robot>(m, "Robot");
  add<RobotCollision>(m, "RobotCollision");
  const py::object soft = m.attr("soft"), io = m.attr("io");
  add<soft::DeformableWorld>(soft, "DeformableWorld", "soft::DeformableWorld");
  add<io::RunSummary>(io, "RunSummary", "io::RunSummary");
  add<io::RunRecorder>(io, "RunRecorder", "io::RunRecorder");
  add<io::PictureReader>(io, "PictureReader", "io::PictureReader");
}

}  // namespace

void add_classes(py::module_& m) {
  add<Pose>(m, "Pose");
  add<Sphere>(m, "Sphere");
  add<Box>(m, "Box");
  add<Capsule>(m, "Capsule");
  add<Cylinder>(m, "Cylinder");
  add<Cone>(m, "Cone");
  add<Ellipsoid>(m, "Ellipsoid");
  add<HalfSpace>(m, "HalfSpace");
  add<Convex>(m, "Convex");
  add<Mesh>(m, "Mesh");
  add<SupportFunction, PythonSupport, std::shared_ptr<SupportFunction>>(m, "SupportFunction");
  add<CustomConvex>(m, "CustomConvex");
  add<Compound>(m, "Compound");
  add<Shape>(m, "Shape");
  add<Observer, PythonObserver>(m, "Observer");
  add<QueryCache>(m, "QueryCache");
  add<SweepAndPrune>(m, "SweepAndPrune");
  add<BruteForce>(m, "BruteForce");
  add<HashGrid>(m, "HashGrid");
  add<DynamicTree>(m, "DynamicTree");
  add<AutoBroadPhase>(m, "AutoBroadPhase");
  const py::object planar = m.attr("planar");
  add<planar::Pose2>(planar, "Pose2", "planar::Pose2");
  add<planar::Circle>(planar, "Circle", "planar::Circle");
  add<planar::Contour>(planar, "Contour", "planar::Contour");
  add<planar::Region>(planar, "Region", "planar::Region");
  add<planar::PlanarContacts>(planar, "PlanarContacts", "planar::PlanarContacts");
  add_worlds_and_bodies(m);
}

}  // namespace tactus::python
