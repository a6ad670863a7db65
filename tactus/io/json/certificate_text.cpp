#include "tactus/io/json/certificate_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tactus::io {
namespace {

using Text = fmt::memory_buffer;

template <class... Args>
void append(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

void append_vector(Text& text, const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    append(text, "{}", i == 0 ? "[" : ",");
    if (std::isfinite(v[i])) {
      append(text, "{}", v[i]);
    } else {
      append(text, "null");
    }
  }
  append(text, "]");
}

void append_vector(Text& text, const char* name, const Vec3& v) {
  append(text, ",\"{}\":", name);
  append_vector(text, v);
}

// A list, each item by `item`.
template <class List, class Item>
void append_list(Text& text, const List& list, Item&& item) {
  const char* separator = "[";
  for (const auto& x : list) {
    append(text, "{}", separator);
    item(x);
    separator = ",";
  }
  append(text, "{}", list.empty() ? "[]" : "]");
}

void append_step(Text& text, const Certificate::Step& step) {
  using Kind = Certificate::Step::Kind;
  append(text, "[\"{}\",", to_string(step.kind));
  if (step.kind == Kind::apart) append_vector(text, step.direction);
  if (step.kind == Kind::split_a || step.kind == Kind::split_b) append(text, "{}", step.count);
  if (step.kind == Kind::split_time) append(text, "{}", step.time);
  append(text, "]");
}

void append_orders(Text& text, const char* name, const std::vector<Certificate::Order>& orders) {
  if (orders.empty()) return;
  append(text, ",\"{}\":", name);
  append_list(text, orders, [&](const Certificate::Order& order) {
    append(text, "{{\"part\":{},\"triangles\":", order.part);
    append_list(text, order.triangles, [&](std::uint32_t t) { append(text, "{}", t); });
    append(text, "}}");
  });
}

void append_apart(Text& text, const Certificate& c) {
  append_orders(text, "order_a", c.order_a);
  append_orders(text, "order_b", c.order_b);
  append(text, ",\"apart\":");
  append_list(text, c.apart, [&](const Certificate::Apart& apart) {
    append(text, "{{\"part_a\":{},\"part_b\":{}", apart.part_a, apart.part_b);
    append_vector(text, "shift", apart.shift);
    append(text, ",\"steps\":");
    append_list(text, apart.steps, [&](const auto& step) { append_step(text, step); });
    append(text, "}}");
  });
}

void append_polytope(Text& text, const std::vector<Certificate::Support>& supports,
                     const std::vector<std::array<std::uint32_t, 3>>& faces) {
  append(text, ",\"supports\":");
  append_list(text, supports, [&](const Certificate::Support& support) {
    append(text, "{{\"point_a\":");
    append_vector(text, support.point_a);
    append_vector(text, "point_b", support.point_b);
    append(text, "}}");
  });
  append(text, ",\"faces\":");
  append_list(text, faces, [&](const std::array<std::uint32_t, 3>& face) {
    append(text, "[{},{},{}]", face[0], face[1], face[2]);
  });
}

void append_covers(Text& text, const Certificate& c) {
  append(text, ",\"covers\":");
  append_list(text, c.covers, [&](const Certificate::Cover& cover) {
    append(text, "{{\"triangle_a\":{},\"triangle_b\":{}", cover.triangle_a, cover.triangle_b);
    if (cover.part_a >= 0) append(text, ",\"part_a\":{}", cover.part_a);
    if (cover.part_b >= 0) append(text, ",\"part_b\":{}", cover.part_b);
    append_polytope(text, cover.supports, cover.faces);
    if (cover.held) {
      append(text, ",\"held_in\":\"{}\"", cover.held_in_a ? "a" : "b");
      append_vector(text, "point", cover.point);
      append_vector(text, "shift", cover.shift);
    }
    append(text, "}}");
  });
}

void append_depth(Text& text, const Certificate& c) {
  append(text, ",\"part_a\":{},\"part_b\":{},\"triangle_a\":{},\"triangle_b\":{}", c.part_a,
         c.part_b, c.triangle_a, c.triangle_b);
  append(text, ",\"shrink_a\":{},\"shrink_b\":{}", c.shrink_a, c.shrink_b);
  if (c.kind == CertificateKind::separation || c.kind == CertificateKind::axes) {
    append_vector(text, "core_point_a", c.core_point_a);
    append_vector(text, "core_point_b", c.core_point_b);
  }
  if (c.kind == CertificateKind::faces) append_polytope(text, c.supports, c.faces);
  if (c.kind == CertificateKind::covered) append_covers(text, c);
  if (c.kind == CertificateKind::inside) {
    append_vector(text, "inside_point", c.inside_point);
    append(text, ",\"inside_radius\":{},\"inside_of\":\"{}\"", c.inside_radius,
           c.inside_of_a ? "a" : "b");
  }
}

}  // namespace

std::string certificate_to_json(const Certificate& c) {
  Text text;
  append(text, "{{\"kind\":\"{}\"", to_string(c.kind));
  append_vector(text, "direction", c.direction);
  append_depth(text, c);
  append_apart(text, c);
  append(text, "}}");
  return fmt::to_string(text);
}

std::string motion_certificate_to_json(const Certificate& c) {
  Text text;
  append(text, "{{\"direction\":");
  append_vector(text, c.direction);
  append_apart(text, c);
  if (c.touches) {
    append_vector(text, "touch_a", c.touch_a);
    append_vector(text, "touch_b", c.touch_b);
  }
  append(text, "}}");
  return fmt::to_string(text);
}

}  // namespace tactus::io
