// A drawing board over the plane: world coordinates, y upwards, on a canvas.
import {Drawing} from '../drawing.js';
import {theme} from '../theme.js';

export class Board extends Drawing {
  /// `lower`, `upper`: the box that is always seen.
  constructor(canvas, lower, upper) {
    super(canvas);
    Object.assign(this, {lower, upper});
  }

  /// Where the box lies on the canvas.
  measure() {
    const {canvas: {clientWidth: width, clientHeight: height}, lower, upper} = this;
    this.scale = Math.min(width / (upper[0] - lower[0]), height / (upper[1] - lower[1]));
    this.origin = [width / 2 - (this.scale * (lower[0] + upper[0])) / 2, height / 2 + (this.scale * (lower[1] + upper[1])) / 2];
  }

  begin() {
    super.begin();
    this.measure();
    this.context.fillStyle = theme().paper;
    this.context.fillRect(0, 0, this.width, this.height);
  }

  toCanvas([x, y]) {
    return [this.origin[0] + this.scale * x, this.origin[1] - this.scale * y];
  }

  toWorld(x, y) {
    return [(x - this.origin[0]) / this.scale, (this.origin[1] - y) / this.scale];
  }

  path(points, closed) {
    const {context} = this;
    points.forEach((point, i) => context[i === 0 ? 'moveTo' : 'lineTo'](...this.toCanvas(point)));
    if (closed) context.closePath();
  }

  line(points, {colour, width = 2, closed = false, dash = []}) {
    this.context.beginPath();
    this.path(points, closed);
    this.paint({stroke: colour, width, dash});
  }

  fill(contours, colour) {
    this.context.beginPath();
    for (const points of contours) this.path(points, true);
    this.paint({fill: colour, rule: 'evenodd'});
  }

  /// A picture over the box.
  image(picture, lower, upper) {
    const [[left, bottom], [right, top]] = [this.toCanvas(lower), this.toCanvas(upper)];
    this.context.imageSmoothingEnabled = right - left < 3 * picture.width;
    this.context.drawImage(picture, left, top, right - left, bottom - top);
  }

  /// The part of a picture that lies inside contours, turned and moved with them: `place` leads from the frame of the box
  /// `lower`, `upper` to the world.
  imageWithin(contours, picture, {lower, upper}, place) {
    const {context} = this;
    const [origin, right, up] = [[lower[0], upper[1]], [upper[0], upper[1]], lower].map((p) => this.toCanvas(place(p)));
    context.save();
    context.beginPath();
    for (const points of contours) this.path(points, true);
    context.clip('evenodd');
    context.transform((right[0] - origin[0]) / picture.width, (right[1] - origin[1]) / picture.width, (up[0] - origin[0]) / picture.height,
      (up[1] - origin[1]) / picture.height, origin[0], origin[1]);
    context.drawImage(picture, 0, 0);
    context.restore();
  }

  /// Lines one unit apart, and a bar that says so.
  grid() {
    const {lower, upper} = this;
    const {faint, soft} = theme();
    for (let x = Math.ceil(lower[0]); x <= upper[0]; ++x) this.line([[x, lower[1]], [x, upper[1]]], {colour: faint, width: 1});
    for (let y = Math.ceil(lower[1]); y <= upper[1]; ++y) this.line([[lower[0], y], [upper[0], y]], {colour: faint, width: 1});
    const at = [lower[0] + 10 / this.scale, lower[1] + 10 / this.scale];
    this.line([at, [at[0] + 1, at[1]]], {colour: soft, width: 3});
    this.text(at, '1 u', soft, [0, -7]);
  }

  disc(centre, radius, {fill, stroke, width = 2, dash = []}) {
    this.context.beginPath();
    this.context.arc(...this.toCanvas(centre), radius * this.scale, 0, 2 * Math.PI);
    this.paint({fill, stroke, width, dash});
  }

  /// A mark of `pixels`.
  dot(centre, pixels, fill, stroke) {
    this.context.beginPath();
    this.context.arc(...this.toCanvas(centre), pixels, 0, 2 * Math.PI);
    this.paint({fill, stroke});
  }

  square(centre, pixels, fill, stroke) {
    const [x, y] = this.toCanvas(centre);
    this.context.beginPath();
    this.context.rect(x - pixels, y - pixels, 2 * pixels, 2 * pixels);
    this.paint({fill, stroke});
  }

  arrow(from, to, colour, width = 2.5) {
    const [a, b] = [this.toCanvas(from), this.toCanvas(to)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 1)) return;
    const [u, v] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const head = Math.min(10, length / 2);
    const {context} = this;
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.moveTo(b[0] - head * (u + 0.5 * v), b[1] - head * (v - 0.5 * u));
    context.lineTo(...b);
    context.lineTo(b[0] - head * (u - 0.5 * v), b[1] - head * (v + 0.5 * u));
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }

  text(at, text, colour, [dx, dy] = [8, -8]) {
    const [x, y] = this.toCanvas(at);
    this.context.font = '13px system-ui, "DejaVu Sans", sans-serif';
    this.context.fillStyle = colour;
    this.context.fillText(text, x + dx, y + dy);
  }

  /// `grab(point, reach)` returns what is under the pointer (or null), `move(held, point)` follows it, `drop(held)` ends.
  onDrag({grab, move, drop = () => {}}) {
    const {canvas} = this;
    let held = null;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return this.toWorld(event.clientX - box.left, event.clientY - box.top);
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || held !== null) return;
      held = grab(place(event), (event.pointerType === 'touch' ? 24 : 10) / this.scale);
      if (held === null) return;
      canvas.setPointerCapture(event.pointerId);
      canvas.style.cursor = 'grabbing';
      move(held, place(event));
    });
    canvas.addEventListener('pointermove', (event) => { if (held !== null) move(held, place(event)); });
    const end = () => {
      if (held !== null) drop(held);
      held = null;
      canvas.style.cursor = '';
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }
}
