#include "tactus/io/html/html_picture.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tactus/core.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// Coordinates are whole numbers, as many to the size of the picture.
constexpr double kSteps = 1e5;

// The place of `<!--picture-->` receives the data.
constexpr std::string_view kPage = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tactus</title>
<link rel="icon" href="data:,">
<style>
html, body { margin: 0; height: 100%; overflow: hidden; background: #d9e2ec; color: #1d2733;
  font: 14px/1.4 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
canvas { position: fixed; inset: 0; width: 100%; height: 100%; display: block; touch-action: none; }
section { position: fixed; top: 16px; left: 16px; max-width: 420px; max-height: calc(100% - 60px); overflow: auto; padding: 14px 18px;
  background: rgba(255, 255, 255, .85); border-radius: 14px; box-shadow: 0 6px 24px rgba(40, 55, 80, .14); }
h1 { margin: 0 0 8px; font-size: 16px; }
dl { margin: 0 0 10px; display: grid; grid-template-columns: 1fr auto; gap: 2px 18px; font-size: 12.5px; }
dt { color: #5d6b7a; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
label { display: flex; align-items: center; gap: 8px; cursor: pointer; }
i { width: 14px; height: 4px; border-radius: 2px; display: inline-block; }
input[type=range] { width: 100%; }
</style>
</head>
<body>
<canvas id="canvas" aria-label="Mesh and boxes; drag to turn, scroll to zoom"></canvas>
<section><h1 id="title"></h1><dl id="facts"></dl><div id="choice"></div></section>
<!--picture-->
<script>
'use strict';
const data = JSON.parse(document.getElementById('picture').textContent);
const by = (id) => document.getElementById(id);
document.title = by('title').textContent = data.title;
for (const [name, value] of data.facts) {
  by('facts').appendChild(document.createElement('dt')).textContent = name;
  by('facts').appendChild(document.createElement('dd')).textContent = value;
}
const canvas = by('canvas');
const gl = canvas.getContext('webgl', {preserveDrawingBuffer: true});
const shader = (type, text) => {
  const s = gl.createShader(type);
  gl.shaderSource(s, text);
  gl.compileShader(s);
  return s;
};
const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, `attribute vec3 place, normal; uniform mat3 turn; uniform vec2 zoom;
  uniform float shift; varying vec3 n; void main() { vec3 p = turn * place; n = turn * normal;
  gl_Position = vec4(p.xy * zoom, -0.3 * p.z - shift, 1.0); }`));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `precision mediump float; uniform vec4 color; varying vec3 n;
  void main() { float l = length(n); gl_FragColor = vec4(color.rgb * (l > 0.5 ? 0.35 + 0.65 * abs(n.z / l) : 1.0), color.a); }`));
gl.linkProgram(program);
gl.useProgram(program);
const slot = (name) => gl.getUniformLocation(program, name);
const uniforms = {turn: slot('turn'), zoom: slot('zoom'), shift: slot('shift'), color: slot('color')};
const upload = (values) => {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  return {buffer, count: values.length / 6};
};
const surface = (vertices, faces) => {
  const mesh = new Float32Array(faces.length * 6);
  for (let t = 0; t < faces.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((x) => vertices[3 * faces[t + k] + x] / data.steps));
    const u = b.map((v, x) => v - a[x]), v = c.map((w, x) => w - a[x]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const l = Math.hypot(...n) || 1;
    [a, b, c].forEach((p, k) => mesh.set([...p, n[0] / l, n[1] / l, n[2] / l], 6 * (t + k)));
  }
  return upload(mesh);
};
const body = surface(data.vertices, data.faces);
const layers = data.layers.map((layer) => {
  const values = new Float32Array(layer.lines.length * 2);
  for (let i = 0; i < layer.lines.length; i += 3) {
    for (let x = 0; x < 3; ++x) values[2 * i + x] = layer.lines[i + x] / data.steps;
  }
  const part = (k) => parseInt(layer.color.slice(1 + 2 * k, 3 + 2 * k), 16) / 255;
  return {...upload(values), solid: surface(layer.vertices, layer.faces), name: layer.name, color: layer.color, rgba: [part(0), part(1), part(2), 1], shown: !data.slider};
});
let showMesh = data.mesh, zoom = 0.9, turn = [1, 0, 0, 0, 1, 0, 0, 0, 1], waiting = false;
const times = (a, b) => a.map((_, i) => [0, 1, 2].reduce((s, k) => s + a[3 * k + i % 3] * b[3 * Math.floor(i / 3) + k], 0));
const rotate = (x, y) => {
  const [c, s, d, t] = [Math.cos(x), Math.sin(x), Math.cos(y), Math.sin(y)];
  turn = times(times([1, 0, 0, 0, d, t, 0, -t, d], [c, 0, -s, 0, 1, 0, s, 0, c]), turn);
};
rotate(0.6, 0);
rotate(0, 0.45);
const draw = () => {
  waiting = false;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0.85, 0.886, 0.925, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  const small = Math.min(canvas.width, canvas.height);
  gl.uniformMatrix3fv(uniforms.turn, false, turn);
  gl.uniform2f(uniforms.zoom, zoom * small / canvas.width, zoom * small / canvas.height);
  const show = (part, mode, color, shift) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, part.buffer);
    ['place', 'normal'].forEach((name, i) => {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 24, 12 * i);
    });
    gl.uniform4fv(uniforms.color, color);
    gl.uniform1f(uniforms.shift, shift);
    gl.drawArrays(mode, 0, part.count);
  };
  if (showMesh) show(body, gl.TRIANGLES, [0.93, 0.9, 0.84, 1], 0);
  for (const layer of layers) if (layer.shown) { show(layer.solid, gl.TRIANGLES, layer.rgba, 0); show(layer, gl.LINES, layer.rgba, 0.002); }
};
const redraw = () => { if (!waiting) { waiting = true; requestAnimationFrame(draw); } };
const tick = (name, color, shown, set) => {
  const label = by('choice').appendChild(document.createElement('label'));
  const box = label.appendChild(document.createElement('input'));
  box.type = 'checkbox';
  box.checked = shown;
  box.onchange = () => { set(box.checked); redraw(); };
  label.appendChild(document.createElement('i')).style.background = color;
  label.appendChild(document.createElement('span')).textContent = name;
};
tick('mesh', '#c9bfa8', showMesh, (on) => { showMesh = on; });
if (data.slider) {
  const name = by('choice').appendChild(document.createElement('div'));
  const range = by('choice').appendChild(document.createElement('input'));
  range.type = 'range';
  range.id = 'level';
  range.min = 0;
  range.max = layers.length - 1;
  range.value = Math.min(3, layers.length - 1);
  range.oninput = () => {
    layers.forEach((layer, i) => { layer.shown = i === Number(range.value); });
    name.textContent = layers[range.value].name;
    redraw();
  };
  range.oninput();
} else {
  layers.forEach((layer) => tick(layer.name, layer.color, true, (on) => { layer.shown = on; }));
}
canvas.onpointerdown = (e) => canvas.setPointerCapture(e.pointerId);
canvas.onpointermove = (e) => { if (e.buttons) { rotate(e.movementX * 0.008, e.movementY * 0.008); redraw(); } };
canvas.addEventListener('wheel', (e) => { e.preventDefault(); zoom *= Math.exp(-0.001 * e.deltaY); redraw(); }, {passive: false});
window.onresize = redraw;
draw();
</script>
</body>
</html>
)html";

bool is_color(const std::string& text) {
  const auto hexadecimal = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return text.size() == 7 && text[0] == '#' &&
         std::all_of(text.begin() + 1, text.end(), hexadecimal);
}

/// All coordinates within [-1, 1], then rounded.
class View {
 public:
  explicit View(const MeshPicture& picture) {
    Vec3 low = picture.mesh->vertices[0], high = low;
    const auto include = [&](const Vec3& p) {
      low = component_min(low, p);
      high = component_max(high, p);
    };
    for (const Vec3& p : picture.mesh->vertices) include(p);
    for (const PictureLayer& layer : picture.layers) {
      for (const auto& [from, to] : layer.lines) {
        include(from);
        include(to);
      }
      for (const Vec3& p : layer.faces.vertices) include(p);
    }
    middle_ = low * 0.5 + high * 0.5;
    const Vec3 half = high * 0.5 - low * 0.5;
    const double most = max_abs(half);
    reach_ = most > 0.0 ? most * norm(half / most) : 1.0;
  }
  void append(const Vec3& p, json& numbers) const {
    for (int i = 0; i < 3; ++i)
      numbers.push_back(std::lround((p[i] - middle_[i]) / reach_ * kSteps));
  }

 private:
  Vec3 middle_;
  double reach_ = 1.0;
};

}  // namespace

std::string picture_page(const MeshPicture& picture) {
  const View view(picture);
  json vertices = json::array(), faces = json::array(), layers = json::array();
  for (const Vec3& p : picture.mesh->vertices) view.append(p, vertices);
  for (const auto& triangle : picture.mesh->triangles) {
    for (const std::uint32_t corner : triangle) faces.push_back(corner);
  }
  for (std::size_t i = 0; i < picture.layers.size(); ++i) {
    const PictureLayer& layer = picture.layers[i];
    if (!is_color(layer.color))
      throw InvalidInput("layers[" + std::to_string(i) + "].color", "must be #rrggbb");
    json lines = json::array();
    for (const auto& [from, to] : layer.lines) {
      view.append(from, lines);
      view.append(to, lines);
    }
    json corners = json::array(), triangles = json::array();
    for (const Vec3& p : layer.faces.vertices) view.append(p, corners);
    for (const auto& triangle : layer.faces.triangles) {
      for (const std::uint32_t corner : triangle) triangles.push_back(corner);
    }
    layers.push_back({{"name", layer.name},
                      {"color", layer.color},
                      {"lines", std::move(lines)},
                      {"vertices", std::move(corners)},
                      {"faces", std::move(triangles)}});
  }
  const json data = {
      {"title", picture.title},          {"facts", picture.facts},    {"steps", kSteps},
      {"vertices", std::move(vertices)}, {"faces", std::move(faces)}, {"layers", std::move(layers)},
      {"slider", picture.one_at_a_time}, {"mesh", picture.show_mesh}};
  static constexpr std::string_view kPlace = "<!--picture-->";
  const std::size_t place = kPage.find(kPlace);
  std::string page(kPage.substr(0, place));
  page += "<script id=\"picture\" type=\"application/json\">" + json_for_script(data) + "</script>";
  page += kPage.substr(place + kPlace.size());
  return page;
}

}  // namespace tactus::io
