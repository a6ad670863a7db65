// A line drawing of bodies in space on a plain canvas: parallel projection, faces from back to front, labels. It needs no WebGL.
import {Drawing} from '../drawing.js';

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const scale = (a, s) => [s * a[0], s * a[1], s * a[2]];
export const sub = (a, b) => add(a, b, -1);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.sqrt(dot(a, a));
export const unit = (a) => scale(a, 1 / (norm(a) || 1));

const kRoom = 1.12; // about what is to be seen
const kTitle = 28; // pixels for the name above a picture
// Cosines from which on two faces show no edge: of a curved body, and of one plane but for rounding.
const kCrease = 0.9, kPlane = 1 - 1e-9;

/// A surface as `difference` gives it, ready to be drawn at a shift.
export class Surface {
  constructor({vertices, faces, smooth}) {
    this.points = Array.from({length: vertices.length / 3}, (_, i) => vertices.slice(3 * i, 3 * i + 3));
    this.faces = faces;
    this.normals = faces.map(([i, j, k]) => unit(cross(sub(this.points[j], this.points[i]), sub(this.points[k], this.points[i]))));
    const edges = new Map();
    faces.forEach((face, f) => face.forEach((from, i) => {
      const to = face[(i + 1) % face.length];
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      if (edges.has(key)) edges.get(key).right = f;
      else edges.set(key, {from, to, left: f, right: f});
    }));
    this.edges = [...edges.values()];
    for (const edge of this.edges) edge.crease = edge.left === edge.right || dot(this.normals[edge.left], this.normals[edge.right]) < (smooth ? kCrease : kPlane);
  }

  /// The surface after a turn about the z axis.
  turned(angle) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turn = ([x, y, z]) => [c * x - s * y, s * x + c * y, z];
    return Object.assign(Object.create(Surface.prototype), this, {points: this.points.map(turn), normals: this.normals.map(turn)});
  }
}

export class Sketch extends Drawing {
  /// `camera`: {azimuth, elevation, zoom}, shared by sketches that turn together.
  constructor(canvas, camera) {
    super(canvas);
    Object.assign(this, {camera, reach: 2, half: null, centre: [0, 0, 0]});
  }

  begin() {
    super.begin();
    const {width, height, half, camera} = this;
    const [ca, sa, ce, se] = [Math.cos(camera.azimuth), Math.sin(camera.azimuth), Math.cos(camera.elevation), Math.sin(camera.elevation)];
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    this.toEye = [ce * ca, ce * sa, se];
    const room = height - kTitle;
    this.scale = camera.zoom * (half ? Math.min(width / half[0], room / half[1]) : Math.min(width, room) / this.reach) / 2;
  }

  /// Centre and scale so that all points are seen from every side; `flat`: from above.
  hold(points, flat) {
    const range = (i) => [Math.min(...points.map((p) => p[i])), Math.max(...points.map((p) => p[i]))];
    const ranges = [0, 1, 2].map((i) => (flat && i === 2 ? [0, 0] : range(i)));
    this.centre = ranges.map(([low, high]) => (low + high) / 2);
    this.reach = kRoom * Math.max(...points.map(([x, y, z]) => norm(sub([x, y, flat ? 0 : z], this.centre))), 1e-6);
    this.half = flat ? ranges.slice(0, 2).map(([low, high]) => Math.max(kRoom * (high - low) / 2, 0.05 * this.reach)) : null;
  }

  toCanvas(p) {
    const d = sub(p, this.centre);
    return [this.width / 2 + this.scale * dot(d, this.right), (this.height + kTitle) / 2 - this.scale * dot(d, this.up)];
  }

  /// The way in space that a way on the canvas stands for.
  toSpace(dx, dy) {
    return add(scale(this.right, dx / this.scale), this.up, -dy / this.scale);
  }

  polygon(points, {fill, stroke, width = 1.5, dash = [], alpha = 1}) {
    const {context} = this;
    context.globalAlpha = alpha;
    context.beginPath();
    points.forEach((p, i) => context[i === 0 ? 'moveTo' : 'lineTo'](...this.toCanvas(p)));
    context.closePath();
    this.paint({fill, stroke, width, dash});
  }

  line(from, to, {stroke, width = 2, dash = [], alpha = 1}) {
    const {context} = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(...this.toCanvas(from));
    context.lineTo(...this.toCanvas(to));
    this.paint({stroke, width, dash});
  }

  arrow(from, to, style) {
    this.line(from, to, style);
    const [a, b] = [this.toCanvas(from), this.toCanvas(to)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 3) return;
    const [u, v] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const head = Math.min(10, length / 2);
    const {context} = this;
    context.beginPath();
    context.moveTo(b[0], b[1]);
    context.lineTo(b[0] - head * (u + 0.45 * v), b[1] - head * (v - 0.45 * u));
    context.lineTo(b[0] - head * (u - 0.45 * v), b[1] - head * (v + 0.45 * u));
    context.closePath();
    this.paint({fill: style.stroke});
  }

  /// A mark of some pixels: 'disc', 'square', 'diamond' or 'cross', so that no mark is told by its colour alone.
  mark(at, form, colour, size = 5) {
    const [x, y] = this.toCanvas(at);
    const {context} = this;
    context.beginPath();
    if (form === 'disc') context.arc(x, y, size, 0, 2 * Math.PI);
    if (form === 'square') context.rect(x - size, y - size, 2 * size, 2 * size);
    if (form === 'diamond') [[0, -1], [1, 0], [0, 1], [-1, 0]].forEach(([u, v], i) => context[i === 0 ? 'moveTo' : 'lineTo'](x + 1.4 * size * u, y + 1.4 * size * v));
    if (form === 'cross') {
      for (const [u, v] of [[1, 0], [0, 1]]) {
        context.moveTo(x - 1.6 * size * u, y - 1.6 * size * v);
        context.lineTo(x + 1.6 * size * u, y + 1.6 * size * v);
      }
      return this.paint({stroke: colour, width: 2.5});
    }
    if (form !== 'disc') context.closePath();
    this.paint({fill: colour, stroke: '#fff', width: 1.5});
  }

  /// Words beside a place, within the canvas as long as the place is. `taken`: boxes of words written before; over one of them nothing is written, and false is returned.
  text(at, text, colour, [dx, dy] = [9, -9], taken = []) {
    const {context} = this;
    context.font = '600 13px system-ui, "DejaVu Sans", sans-serif';
    let [x, y] = this.toCanvas(at);
    const wide = context.measureText(text).width;
    if (x >= 0 && x <= this.width) x = Math.min(Math.max(x, 2 - dx), this.width - 3 - wide - dx);
    if (y >= 0 && y <= this.height) y = Math.min(Math.max(y, 13 - dy), this.height - 4 - dy);
    const box = [x + dx, y + dy - 11, x + dx + wide, y + dy + 2];
    if (taken.some(([x0, y0, x1, y1]) => x0 < box[2] && box[0] < x1 && y0 < box[3] && box[1] < y1)) return false;
    taken.push(box);
    context.lineWidth = 3;
    context.strokeStyle = 'rgba(255,255,255,.9)';
    context.strokeText(text, x + dx, y + dy);
    context.fillStyle = colour;
    context.fillText(text, x + dx, y + dy);
    return true;
  }

  /// A surface in one colour: its far edges dashed, its faces shaded, its near edges and outline drawn.
  surface(surface, {colour, shift = [0, 0, 0], opacity = 0.25, lines = 1}) {
    const {toEye, context} = this;
    const spots = surface.points.map((p) => this.toCanvas(add(p, shift)));
    const faces = surface.normals.map((n) => dot(n, toEye) > 0);
    const stroke = (edges, width, alpha, dash) => {
      context.beginPath();
      for (const {from, to} of edges) {
        context.moveTo(...spots[from]);
        context.lineTo(...spots[to]);
      }
      context.globalAlpha = alpha;
      this.paint({stroke: colour, width, dash});
    };
    const outline = surface.edges.filter(({left, right}) => faces[left] !== faces[right] || left === right);
    const hidden = surface.edges.filter(({left, right, crease}) => crease && !faces[left] && !faces[right]);
    const near = surface.edges.filter(({left, right, crease}) => crease && faces[left] && faces[right] && left !== right);
    if (lines > 0) stroke(hidden, 1, 0.3 * lines, [3, 4]);
    const light = unit(add(add(toEye, this.up, 0.5), this.right, -0.4));
    surface.faces.forEach((face, f) => {
      if (!faces[f] && surface.faces.length > 1) return;
      context.beginPath();
      face.forEach((i, k) => context[k === 0 ? 'moveTo' : 'lineTo'](...spots[i]));
      context.closePath();
      context.globalAlpha = opacity * (0.55 + 0.6 * (1 - Math.max(0, dot(surface.normals[f], light))));
      context.fillStyle = colour;
      context.fill();
    });
    if (lines > 0) {
      stroke(near, 1, 0.6 * lines, []);
      stroke(outline, 1.8, lines, []);
    }
    context.globalAlpha = 1;
  }

  /// Is a place of the canvas on the picture of a surface? Where it is, how near its face is to the eye.
  pick(surface, shift, x, y) {
    let best = null;
    surface.faces.forEach((face, f) => {
      if (dot(surface.normals[f], this.toEye) <= 0 && surface.faces.length > 1) return;
      const spots = face.map((i) => this.toCanvas(add(surface.points[i], shift)));
      const inside = spots.reduce((on, [x1, y1], i) => {
        const [x2, y2] = spots[(i + 1) % spots.length];
        return (y1 > y) !== (y2 > y) && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !on : on;
      }, false);
      if (inside) best = Math.max(best ?? -Infinity, dot(add(surface.points[face[0]], shift), this.toEye));
    });
    return best;
  }
}
