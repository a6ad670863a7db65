#include "apps/tactus/planar_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "apps/tactus/added_answers.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/json/planar_line.hpp"

namespace tactus::app {
namespace {

// Complaints named one by one on standard error before they are only counted.
constexpr int kNamedComplaints = 20;

/// One run of the command over all its files.
class PlanarRun {
 public:
  explicit PlanarRun(const PlanarQueryCommand& command) : command_(command) {}

  /// Each line is answered before the program waits for the next one.
  void answer_file(const std::string& name) {
    io::LineFile file(name);
    io::PlanarAnswerer answerer(file.folder());
    std::string line;
    while (file.next(line)) {
      take(answerer.answer(line, {command_.check, command_.certificate, literal_planar}),
           file.place());
      if (!file.ready()) std::fflush(stdout);
    }
  }

  int finish() {
    if (!command_.out.empty()) {
      io::write_atomically(command_.out, content_);
      wrote(command_.out);
    }
    if (complaints_ > kNamedComplaints) {
      fmt::print(stderr, "... and {} more\n", complaints_ - kNamedComplaints);
    }
    if (command_.check) print_figures();
    return complaints_ > 0 ? 1 : 0;
  }

 private:
  void take(const io::PlanarOutcome& outcome, const std::string& place) {
    ++lines_;
    if (!command_.check || command_.answers || !command_.out.empty()) write(outcome.text);
    proved_ += outcome.proved;
    unproved_ += outcome.unproved;
    refuted_ += outcome.refuted;
    if (outcome.judged) {
      ++judged_;
      worst_error_ = std::max(worst_error_, outcome.error);
      worst_width_ = std::max(worst_width_, outcome.width);
    }
    const bool counts = !outcome.valid || (command_.check && !outcome.complaint.empty());
    if (counts && complaints_++ < kNamedComplaints) {
      fmt::print(stderr, "{}: {}\n", place, outcome.complaint);
    }
  }

  void write(const std::string& line) {
    if (command_.out.empty()) {
      fmt::print("{}\n", line);
    } else {
      content_ += line + '\n';
    }
  }

  void print_figures() const {
    if (command_.json) {
      fmt::print(
          "{{\"lines\":{},\"judged\":{},\"contradicted\":{},\"worst_error\":{},"
          "\"worst_width\":{},\"proved\":{},\"unproved\":{},\"refuted\":{}}}\n",
          lines_, judged_, complaints_, worst_error_, worst_width_, proved_, unproved_, refuted_);
    } else {
      fmt::print("{} lines, {} with a right answer, {} complaints\n", lines_, judged_, complaints_);
      fmt::print("claims: {} proved, {} unproved, {} refuted\n", proved_, unproved_, refuted_);
      fmt::print("worst error {:.1e}, widest bracket {:.1e} of the size\n", worst_error_,
                 worst_width_);
    }
  }

  const PlanarQueryCommand& command_;
  std::string content_;
  int lines_ = 0, judged_ = 0, complaints_ = 0;
  int proved_ = 0, unproved_ = 0, refuted_ = 0;
  double worst_error_ = 0.0, worst_width_ = 0.0;
};

}  // namespace

int run_planar_query(const PlanarQueryCommand& command) {
  try {
    PlanarRun run(command);
    for (const std::string& name : command.files) run.answer_file(name);
    return run.finish();
  } catch (const FileError& error) {
    fmt::print(stderr, "tactus planar query: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
