#include "apps/tactus/ccd_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/format/ccd_file.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

// Each query is timed so often; the least counts.
constexpr int kRepeats = 5;
// Missed contacts that are named one by one.
constexpr int kNamed = 20;

using io::CcdQuery;

ccd::CcdResult vertex_face_of(const CcdQuery& q, const ccd::CcdOptions& options) {
  const Vec3* p = q.point;
  return vertex_face({p[0], {p[1], p[2], p[3]}, p[4], {p[5], p[6], p[7]}}, options);
}

ccd::CcdResult edge_edge_of(const CcdQuery& q, const ccd::CcdOptions& options) {
  const Vec3* p = q.point;
  return edge_edge({{p[0], p[1]}, {p[2], p[3]}, {p[4], p[5]}, {p[6], p[7]}}, options);
}

/// Results and times of the queries of one kind.
struct Tally {
  std::string kind;
  int queries = 0, hits = 0, proved = 0, capped = 0, false_positives = 0, false_negatives = 0;
  std::vector<double> ns;

  double mean() const {
    return std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
  }
  /// `ns` must be sorted.
  double quantile(double part) const {
    return ns[static_cast<std::size_t>(part * static_cast<double>(ns.size() - 1))];
  }
};

void write_answers(const std::string& file, const std::string& content) {
  if (file.empty()) return;
  io::write_atomically(file, content);
  wrote(file);
}

class Run {
 public:
  explicit Run(const CcdCommand& command) : command_(command) {
    options_.min_separation = command.min_separation;
    options_.max_intervals = command.max_intervals;
    options_.method =
        from_string<ccd::CcdMethod>(command.method).value_or(ccd::CcdMethod::conservative);
  }

  template <class Answer>
  void take(const std::vector<std::string>& files, const std::string& kind, const Answer& answer) {
    if (files.empty()) return;
    Tally tally;
    tally.kind = kind;
    for (const std::string& file : files) {
      int number = 0;
      for (const CcdQuery& query : io::read_ccd_queries(file)) {
        ++number;
        const ccd::CcdResult r =
            command_.check ? timed(query, answer, tally) : answer(query, options_);
        if (command_.check) {
          judge(query, r, file, number, tally);
        } else {
          write(kind, file, number, r);
        }
      }
    }
    tallies_.push_back(std::move(tally));
  }

  int finish() {
    write_answers(command_.out, content_);
    if (!command_.check) return 0;
    int missed = 0;
    for (Tally& tally : tallies_) {
      std::sort(tally.ns.begin(), tally.ns.end());
      missed += tally.false_negatives;
    }
    command_.json ? print_json() : print_table();
    if (missed > kNamed) fmt::print(stderr, "... and {} more\n", missed - kNamed);
    return missed > 0 ? 1 : 0;
  }

 private:
  template <class Answer>
  ccd::CcdResult timed(const CcdQuery& query, const Answer& answer, Tally& tally) {
    using Clock = std::chrono::steady_clock;
    ccd::CcdResult r;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kRepeats; ++i) {
      const Clock::time_point start = Clock::now();
      r = answer(query, options_);
      least =
          std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
    tally.ns.push_back(least);
    return r;
  }

  void judge(const CcdQuery& query, const ccd::CcdResult& r, const std::string& file, int number,
             Tally& tally) {
    ++tally.queries;
    tally.hits += query.hit ? 1 : 0;
    tally.proved += r.proved ? 1 : 0;
    tally.capped += r.status == Status::iteration_limit ? 1 : 0;
    tally.false_positives += r.hit && !query.hit ? 1 : 0;
    if (r.hit || !query.hit) return;
    ++tally.false_negatives;
    if (missed_++ < kNamed)
      fmt::print(stderr, "{}: query {} ({}) is a hit, and was missed\n", file, number, tally.kind);
  }

  void write(const std::string& kind, const std::string& file, int number,
             const ccd::CcdResult& r) {
    std::string line =
        fmt::format(R"({{"file":{},"query":{},"kind":"{}","status":"{}","hit":{})",
                    io::json_dump(nlohmann::json(file)), number, kind, to_string(r.status), r.hit);
    if (r.hit) {
      line += fmt::format(
          R"(,"time":{},"time_upper":{},"proved":{},"normal":[{},{},{}],"weights":[{},{},{}])",
          r.time, r.time_upper, r.proved, r.normal.x, r.normal.y, r.normal.z, r.weights.x,
          r.weights.y, r.weights.z);
    }
    line += fmt::format(R"(,"intervals":{}}})", r.intervals);
    if (command_.out.empty()) {
      fmt::print("{}\n", line);
    } else {
      content_ += line + '\n';
    }
  }

  void print_table() const {
    fmt::print("{:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9}\n", "kind",
               "queries", "hits", "false +", "false -", "proved", "capped", "ns mean", "median",
               "99 %", "most");
    for (const Tally& t : tallies_) {
      fmt::print("{:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}", t.kind, t.queries, t.hits,
                 t.false_positives, t.false_negatives, t.proved, t.capped);
      if (!t.ns.empty()) {
        fmt::print(" {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f}", t.mean(), t.quantile(0.5),
                   t.quantile(0.99), t.ns.back());
      }
      fmt::print("\n");
    }
  }

  void print_json() const {
    std::string text;
    for (const Tally& t : tallies_) {
      text += fmt::format(
          R"({}{{"kind":"{}","queries":{},"hits":{},"false_positives":{},"false_negatives":{},"proved":{},"capped":{})",
          text.empty() ? "" : ",", t.kind, t.queries, t.hits, t.false_positives, t.false_negatives,
          t.proved, t.capped);
      if (!t.ns.empty()) {
        text +=
            fmt::format(R"(,"ns_mean":{:.0f},"ns_median":{:.0f},"ns_99":{:.0f},"ns_most":{:.0f})",
                        t.mean(), t.quantile(0.5), t.quantile(0.99), t.ns.back());
      }
      text += '}';
    }
    fmt::print("{{\"method\":\"{}\",\"kinds\":[{}]}}\n", command_.method, text);
  }

  const CcdCommand& command_;
  ccd::CcdOptions options_;
  std::vector<Tally> tallies_;
  std::string content_;
  int missed_ = 0;
};

/// A surface in its two files.
struct Surface {
  TriangleMesh start, end;

  Surface(const std::pair<std::string, std::string>& files, const std::string& up)
      : start(read_mesh_file(files.first, up)), end(read_mesh_file(files.second, up)) {
    if (start.vertices.size() != end.vertices.size()) {
      throw FileError(fmt::format("{}: {} vertices, but {} has {}", files.second,
                                  end.vertices.size(), files.first, start.vertices.size()));
    }
    if (start.triangles != end.triangles)
      throw FileError(fmt::format("{}: other triangles than {}", files.second, files.first));
  }
  ccd::MovingSurface moving() const { return {start.vertices, end.vertices, start.triangles}; }
};

std::string text_of(const std::string& surfaces, const ccd::SurfaceImpact& i) {
  const bool edges = i.kind == ccd::SurfaceImpact::Kind::edge_edge;
  const std::string a = edges ? fmt::format("[{},{}]", i.a, i.other_a) : fmt::format("{}", i.a);
  const std::string b = edges ? fmt::format("[{},{}]", i.b, i.other_b) : fmt::format("{}", i.b);
  return fmt::format(
      R"({{"surfaces":"{}","kind":"{}","a":{},"b":{},"time":{},"time_upper":{},"proved":{},"normal":[{},{},{}]}})",
      surfaces, to_string(i.kind), a, b, i.contact.time, i.contact.time_upper, i.contact.proved,
      i.contact.normal.x, i.contact.normal.y, i.contact.normal.z);
}

void print_impacts(const std::string& surfaces, const ccd::SurfaceImpacts& found,
                   const CcdCommand& command, std::string& content) {
  const Report to({command.out});
  if (command.json) {
    to.print(fmt::format(
        R"({{"surfaces":"{}","impacts":{},"vertex_face_candidates":{},"edge_edge_candidates":{},"tree_seconds":{:.4f},"search_seconds":{:.4f},"first":{}}})"
        "\n",
        surfaces, found.impacts.size(), found.vertex_face_candidates, found.edge_edge_candidates,
        found.tree_seconds, found.search_seconds,
        found.impacts.empty() ? "null" : text_of(surfaces, found.impacts.front())));
  } else {
    to.print(fmt::format("{}: {} impacts of {} vertex-face and {} edge-edge candidates\n", surfaces,
                         found.impacts.size(), found.vertex_face_candidates,
                         found.edge_edge_candidates));
    if (found.hash.found > 0) {
      to.print(fmt::format("  hash: {} entries, {} of other cells, {} boxes meet, {} ways pass\n",
                           found.hash.found, found.hash.collisions, found.hash.boxes,
                           found.hash.paths));
    }
    to.print(fmt::format("  seconds: trees {:.4f}, search {:.4f}\n", found.tree_seconds,
                         found.search_seconds));
    if (!found.impacts.empty())
      to.print(fmt::format("  first: {}\n", text_of(surfaces, found.impacts.front())));
  }
  if (command.out.empty()) return;
  for (const ccd::SurfaceImpact& i : found.impacts) content += text_of(surfaces, i) + '\n';
}

int run_surfaces(const CcdCommand& command) {
  if (command.meshes.size() > 2) {
    fmt::print(stderr, "tactus ccd: at most two surfaces, each as --mesh START END\n");
    return 2;
  }
  std::vector<Surface> surfaces;
  surfaces.reserve(command.meshes.size());
  for (const auto& files : command.meshes) surfaces.emplace_back(files, command.up);
  ccd::SurfaceCcdOptions options;
  options.primitives.min_separation = command.min_separation;
  options.primitives.max_intervals = command.max_intervals;
  options.vertex_face =
      from_string<ccd::SurfaceBroad>(command.broad).value_or(ccd::SurfaceBroad::tree);
  options.max_threads = command.threads;
  std::string content;
  if (surfaces.size() == 2) {
    print_impacts("1-2", ccd::surface_impacts(surfaces[0].moving(), surfaces[1].moving(), options),
                  command, content);
  }
  if (surfaces.size() == 1 || command.self) {
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      print_impacts(fmt::format("{}-{}", i + 1, i + 1),
                    ccd::self_impacts(surfaces[i].moving(), options), command, content);
    }
  }
  write_answers(command.out, content);
  return 0;
}

}  // namespace

int run_ccd(const CcdCommand& command) {
  if (command.vertex_face.empty() && command.edge_edge.empty() && command.meshes.empty()) {
    fmt::print(stderr, "tactus ccd: name files by --vertex-face, --edge-edge or --mesh\n");
    return 2;
  }
  if (!command.up.empty() && command.meshes.empty()) {
    fmt::print(stderr, "tactus ccd: --up turns the surfaces of --mesh only\n");
    return 2;
  }
  const bool asks_files = !command.vertex_face.empty() || !command.edge_edge.empty();
  if (!command.meshes.empty() && (asks_files || command.check)) {
    fmt::print(stderr, "tactus ccd: --mesh takes none of --vertex-face, --edge-edge and --check\n");
    return 2;
  }
  try {
    if (!command.meshes.empty()) return run_surfaces(command);
    Run run(command);
    run.take(command.vertex_face, "vertex-face", vertex_face_of);
    run.take(command.edge_edge, "edge-edge", edge_edge_of);
    return run.finish();
  } catch (const FileError& error) {
    fmt::print(stderr, "tactus ccd: {}\n", error.what());
  } catch (const InvalidInput& error) {
    fmt::print(stderr, "tactus ccd: {}\n", error.what());
  }
  return 2;
}

}  // namespace tactus::app
