#include "tactus/io/run/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/folder_lock.hpp"
#include "tactus/io/run/vtu_file.hpp"
#include "tactus/io/scene/bodies.hpp"

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

using Floats = std::array<float, 3>;

Vec3 place(const RunCheckpoint& run, const Floats& p) {
  return run.origin + Vec3{p[0], p[1], p[2]};
}

double time_of(const RunCheckpoint& run, const Picture& picture) {
  return static_cast<double>(picture.step) * run.time_step;
}

/// Scene bodies are numbered from 1, as the bodies of the world.
std::uint64_t id_of(std::uint32_t body) { return std::uint64_t{body} + 1; }

/// Places carry the nine digits of a float.
void append(fmt::memory_buffer& line, const Vec3& v) {
  fmt::format_to(std::back_inserter(line), ",{:.9g},{:.9g},{:.9g}", v.x, v.y, v.z);
}
void append(fmt::memory_buffer& line, std::span<const float> values) {
  for (const float x : values) fmt::format_to(std::back_inserter(line), ",{}", x);
}

/// A text as a cell: in quotes where it holds what ends one.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

/// A VTU file per picture of one kind, and the list of their times.
class Series {
 public:
  Series(const fs::path& folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  void add(double time, const VtuPoints& points) {
    const std::string file = fmt::format("{}_{:06}.vtu", name_, count_++);
    write_vtu(points, folder_ / file);
    list_ += fmt::format("    <DataSet timestep=\"{:.12g}\" file=\"{}\"/>\n", time, file);
  }
  fs::path finish() const {
    const fs::path file = folder_ / (name_ + ".pvd");
    write_atomically(file,
                     "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                     "byte_order=\"LittleEndian\">\n  <Collection>\n" +
                         list_ + "  </Collection>\n</VTKFile>\n");
    return file;
  }

 private:
  fs::path folder_;
  std::string name_, list_;
  std::uint64_t count_ = 0;
};

/// Columns of bodies that do not change, by their places in the scene.
struct Unchanging {
  std::vector<double> shape, radius, mass;
  explicit Unchanging(const Scene* scene) {
    if (scene == nullptr) return;
    for (const SceneBody& body : scene->bodies) {
      shape.push_back(static_cast<double>(body.shape));
      radius.push_back(bounding_radius(body.definition.shape));
      const std::optional<BodyMass> known = mass_of(body);
      mass.push_back(known ? known->mass : 0.0);
    }
  }
};

VtuPoints bodies_of(const RunCheckpoint& run, const Picture& picture, const Unchanging& always) {
  VtuPoints points;
  std::vector<double> id, orientation, linear, angular, shape, radius, mass;
  const auto add = [](std::vector<double>& to, std::span<const float> values) {
    to.insert(to.end(), values.begin(), values.end());
  };
  for (std::size_t i = 0; i < picture.bodies.size(); ++i) {
    const BodySample& body = picture.bodies[i];
    if (!body.has_entered()) continue;
    points.places.push_back(place(run, body.position));
    id.push_back(static_cast<double>(run.tracks[i]));
    add(orientation, body.orientation);
    add(linear, body.linear_velocity);
    add(angular, body.angular_velocity);
    if (always.shape.empty()) continue;
    const std::size_t at = run.tracks[i] - 1;
    shape.push_back(always.shape[at]);
    radius.push_back(always.radius[at]);
    mass.push_back(always.mass[at]);
  }
  points.values = {{"body", 1, std::move(id)},
                   {"orientation_wxyz", 4, std::move(orientation)},
                   {"velocity", 3, std::move(linear)},
                   {"angular_velocity", 3, std::move(angular)}};
  if (always.shape.empty()) return points;
  points.values.push_back({"shape", 1, std::move(shape)});
  points.values.push_back({"radius", 1, std::move(radius)});
  points.values.push_back({"mass", 1, std::move(mass)});
  return points;
}

VtuPoints contacts_of(const RunCheckpoint& run, const Picture& picture) {
  VtuPoints points;
  std::vector<double> bodies, normal, depth, force, friction;
  for (const ContactSample& contact : picture.contacts) {
    points.places.push_back(place(run, contact.position));
    for (const std::uint32_t body : contact.bodies) {
      bodies.push_back(static_cast<double>(id_of(body)));
    }
    depth.push_back(static_cast<double>(contact.depth));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto n = static_cast<double>(contact.normal[axis]);
      const auto f = static_cast<double>(contact.friction_force[axis]);
      normal.push_back(n);
      friction.push_back(f);
      force.push_back(n * static_cast<double>(contact.normal_force) + f);
    }
  }
  points.values = {{"bodies", 2, std::move(bodies)},
                   {"normal", 3, std::move(normal)},
                   {"depth", 1, std::move(depth)},
                   {"force", 3, std::move(force)},
                   {"friction_force", 3, std::move(friction)}};
  return points;
}

/// A table row by row: `rows` appends those of a picture, each without its first two columns.
template <class Rows>
void export_table(PictureReader& pictures, const fs::path& file, std::string_view head,
                  const Rows& rows) {
  AtomicFile out(file);
  out.write(head);
  pictures.rewind();
  fmt::memory_buffer lines;
  for (Picture picture; pictures.next(picture);) {
    lines.clear();
    const std::string moment =
        fmt::format("{},{:.9g}", picture.step, time_of(pictures.run(), picture));
    rows(picture, moment, lines);
    out.write({lines.data(), lines.size()});
  }
  out.commit();
}

}  // namespace

void export_csv(PictureReader& pictures, const fs::path& file) {
  const RunCheckpoint& run = pictures.run();
  export_table(pictures, file, "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n",
               [&](const Picture& picture, const std::string& moment, fmt::memory_buffer& lines) {
                 for (std::size_t i = 0; i < picture.bodies.size(); ++i) {
                   const BodySample& body = picture.bodies[i];
                   if (!body.has_entered()) continue;
                   fmt::format_to(std::back_inserter(lines), "{},{}", moment, run.tracks[i]);
                   append(lines, place(run, body.position));
                   append(lines, body.orientation);
                   append(lines, body.linear_velocity);
                   append(lines, body.angular_velocity);
                   lines.push_back('\n');
                 }
               });
}

void export_contacts_csv(PictureReader& pictures, const fs::path& file) {
  const RunCheckpoint& run = pictures.run();
  export_table(pictures, file,
               "step,time,body_a,body_b,x,y,z,nx,ny,nz,depth,normal_force,fx,fy,fz\n",
               [&](const Picture& picture, const std::string& moment, fmt::memory_buffer& lines) {
                 for (const ContactSample& contact : picture.contacts) {
                   fmt::format_to(std::back_inserter(lines), "{},{},{}", moment,
                                  id_of(contact.bodies[0]), id_of(contact.bodies[1]));
                   append(lines, place(run, contact.position));
                   append(lines, contact.normal);
                   append(lines, std::array{contact.depth, contact.normal_force});
                   append(lines, contact.friction_force);
                   lines.push_back('\n');
                 }
               });
}

std::vector<fs::path> export_vtk(PictureReader& pictures, const fs::path& folder,
                                 const std::string& name, const Scene* scene) {
  const Unchanging always(scene);
  const FolderLock lock(folder);
  Series bodies(folder, name + "_bodies"), contacts(folder, name + "_contacts");
  pictures.rewind();
  for (Picture picture; pictures.next(picture);) {
    const double time = time_of(pictures.run(), picture);
    bodies.add(time, bodies_of(pictures.run(), picture, always));
    if (picture.has_contacts) contacts.add(time, contacts_of(pictures.run(), picture));
  }
  return {bodies.finish(), contacts.finish()};
}

void export_bodies_csv(const Scene& scene, const fs::path& file) {
  fmt::memory_buffer lines;
  const auto out = std::back_inserter(lines);
  fmt::format_to(out,
                 "body,name,type,shape,shape_index,scale,radius,volume,mass,cx,cy,cz,ixx,iyy,izz,"
                 "ixy,ixz,iyz\n");
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const Shape& shape = body.definition.shape;
    fmt::format_to(out, "{},{},{},{},{},{}", i + 1, csv_text(body.name),
                   to_string(body.definition.type), to_string(shape.type()), body.shape,
                   body.scale);
    const double radius = bounding_radius(shape);
    std::isfinite(radius) ? fmt::format_to(out, ",{}", radius) : fmt::format_to(out, ",");
    if (shape.type() == ShapeType::halfspace || shape.type() == ShapeType::custom) {
      fmt::format_to(out, ",");
    } else {
      fmt::format_to(out, ",{}", mass_properties(shape).volume);
    }
    if (const std::optional<BodyMass> known = mass_of(body)) {
      const Mat3& m = known->inertia;
      fmt::format_to(out, ",{}", known->mass);
      for (const double x : {known->center.x, known->center.y, known->center.z, m(0, 0), m(1, 1),
                             m(2, 2), m(0, 1), m(0, 2), m(1, 2)})
        fmt::format_to(out, ",{}", x);
    } else {
      fmt::format_to(out, ",,,,,,,,,,");
    }
    lines.push_back('\n');
  }
  write_atomically(file, {lines.data(), lines.size()});
}

}  // namespace tactus::io
