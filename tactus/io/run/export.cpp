#include "tactus/io/run/export.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/folder_lock.hpp"
#include "tactus/io/run/vtu_file.hpp"

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

VtuPoints bodies_of(const RunCheckpoint& run, const Picture& picture) {
  VtuPoints points;
  std::vector<double> id, orientation, linear, angular;
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
  }
  points.values = {{"body", 1, std::move(id)},
                   {"orientation_wxyz", 4, std::move(orientation)},
                   {"velocity", 3, std::move(linear)},
                   {"angular_velocity", 3, std::move(angular)}};
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
                                 const std::string& name) {
  const FolderLock lock(folder);
  Series bodies(folder, name + "_bodies"), contacts(folder, name + "_contacts");
  pictures.rewind();
  for (Picture picture; pictures.next(picture);) {
    const double time = time_of(pictures.run(), picture);
    bodies.add(time, bodies_of(pictures.run(), picture));
    if (picture.has_contacts) contacts.add(time, contacts_of(pictures.run(), picture));
  }
  return {bodies.finish(), contacts.finish()};
}

}  // namespace tactus::io
