#include "tactus/io/steps/step_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace tactus::io {
namespace {

// JSON has no infinity: an unbounded value is null.
void append(std::string& text, double value) {
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(text), "{}", value);
  } else {
    text += "null";
  }
}

void append(std::string& text, const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    text += i == 0 ? '[' : ',';
    append(text, v[i]);
  }
  text += ']';
}

void append_name(std::string& text, const char* name) {
  fmt::format_to(std::back_inserter(text), ",\"{}\":", name);
}

}  // namespace

// False where the step is left out.
bool StepWriter::begin(const char* kind, const SearchState& state) {
  const std::string_view stage = state.stage;
  if (only_ != nullptr && stage != only_) return false;
  if (count_ == kMost) {
    ++left_out_;
    return false;
  }
  if (count_++ > 0) text_ += ',';
  fmt::format_to(std::back_inserter(text_), R"({{"kind":"{}","stage":"{}","iteration":{})", kind,
                 state.stage, state.iteration);
  if (stage == "impact") pose_a_ = pose_at(start_, motion_a_, state.lower);
  const double radii = stage == "ray_cast" ? 0.0 : state.radii;
  number("lower", state.lower - radii);
  number("upper", state.upper - radii);
  number("radii", state.radii);
  return true;
}

void StepWriter::number(const char* name, double value) {
  append_name(text_, name);
  append(text_, value);
}

void StepWriter::direction(const char* name, const Vec3& v) {
  append_name(text_, name);
  append(text_, pose_a_.direction_to_world(v));
}

void StepWriter::place(const char* name, const Vec3& v) {
  append_name(text_, name);
  append(text_, pose_a_.to_world(v));
}

void StepWriter::places(const char* name, std::span<const Vec3> points, bool differences) {
  append_name(text_, name);
  text_ += '[';
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) text_ += ',';
    append(text_,
           differences ? pose_a_.direction_to_world(points[i]) : pose_a_.to_world(points[i]));
  }
  text_ += ']';
}

void StepWriter::simplex(const SimplexEvent& event) {
  if (!begin("simplex", event.state)) return;
  places("points", event.points, true);
  direction("direction", event.direction);
  direction("support", event.support);
  place("support_a", event.support_a);
  place("support_b", event.support_b);
  text_ += '}';
}

void StepWriter::segment(const SegmentEvent& event) {
  if (!begin("segment", event.state)) return;
  place("point_a", event.point_a);
  place("point_b", event.point_b);
  direction("normal", event.normal);
  if (!event.feature_a.empty()) places("feature_a", event.feature_a, false);
  if (!event.feature_b.empty()) places("feature_b", event.feature_b, false);
  text_ += '}';
}

void StepWriter::plane(const PlaneEvent& event) {
  if (!begin("plane", event.state)) return;
  direction("direction", event.normal);
  number("offset", event.offset);
  text_ += '}';
}

void StepWriter::cap(const CapEvent& event) {
  if (!begin("cap", event.state)) return;
  direction("direction", event.axis);
  number("cosine", event.cosine);
  number("depth", event.depth - event.state.radii);
  text_ += '}';
}

void StepWriter::ray(const RayEvent& event) {
  if (!begin("ray", event.state)) return;
  direction("point", event.point);
  direction("motion", event.motion);
  number("time", event.time);
  text_ += '}';
}

void StepWriter::polytope(const PolytopeEvent& event) {
  if (!begin("polytope", event.state)) return;
  const bool grown = event.points.size() >= polytope_.size() &&
                     std::equal(polytope_.begin(), polytope_.end(), event.points.begin());
  const std::size_t kept = grown ? polytope_.size() : 0;
  fmt::format_to(std::back_inserter(text_), ",\"kept\":{}", kept);
  places("points", event.points.subspan(kept), true);
  polytope_.assign(event.points.begin(), event.points.end());
  append_name(text_, "faces");
  for (std::size_t i = 0; i < event.faces.size(); ++i) {
    const auto& f = event.faces[i];
    fmt::format_to(std::back_inserter(text_), "{}[{},{},{}]", i == 0 ? "[" : ",", f[0], f[1], f[2]);
  }
  text_ += event.faces.empty() ? "[]}" : "]}";
}

std::string StepWriter::fields() const {
  std::string out = ",\"steps\":[" + text_ + ']';
  if (left_out_ > 0) out += fmt::format(",\"steps_left_out\":{}", left_out_);
  return out;
}

}  // namespace tactus::io
