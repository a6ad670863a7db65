// Draws a curve by hand from nothing: corner by corner with presses, or in one go with a drag.

const kStep = 5; // pixels between two points of a drag
const kSmooth = 1.5; // pixels by which a dragged line is simplified
const kNear = 18; // pixels within which a press is one at the first point, or at the last
const kFewest = 8; // points of a drag that makes a whole curve

// Douglas and Peucker: the least points whose polyline stays within `error` of the given one.
function simplified(points, error) {
  if (points.length < 3) return points;
  const [[x, y], [u, v]] = [points[0], points[points.length - 1]];
  const [dx, dy] = [u - x, v - y];
  const length = Math.hypot(dx, dy);
  const away = ([p, q]) => (length > 0 ? Math.abs((p - x) * dy - (q - y) * dx) / length : Math.hypot(p - x, q - y));
  let far = 0;
  points.forEach((p, i) => { if (away(p) > away(points[far])) far = i; });
  if (far === 0 || away(points[far]) <= error) return [points[0], points[points.length - 1]];
  return [...simplified(points.slice(0, far + 1), error).slice(0, -1), ...simplified(points.slice(far), error)];
}

export class Pen {
  /// `open`: curves may stay open; `done(points, closed)` is called with a curve of three points at least, of two when it is open.
  constructor(board, {open = false, done, change = () => {}}) {
    Object.assign(this, {board, open, done, change, active: false, points: []});
  }

  start() { this.set(true); }
  cancel() { this.set(false); }
  toggle() { this.set(!this.active); }

  set(on) {
    Object.assign(this, {active: on, points: [], dragged: 0});
    this.change(on);
    this.board.refresh();
  }

  near(place, other) {
    return Math.hypot(place[0] - other[0], place[1] - other[1]) * this.board.scale < kNear;
  }

  press(place) {
    const {points} = this;
    this.dragged = 0;
    if (points.length >= 3 && this.near(place, points[0])) return this.finish(true);
    if (points.length >= 2 && this.near(place, points[points.length - 1])) return this.finish(!this.open);
    points.push(place);
    this.board.refresh();
  }

  drag(place) {
    if (!this.active || this.points.length === 0) return;
    const [x, y] = this.points[this.points.length - 1];
    if (Math.hypot(place[0] - x, place[1] - y) * this.board.scale < kStep) return;
    this.points.push(place);
    ++this.dragged;
    this.board.refresh();
  }

  lift() {
    if (!this.active || this.dragged < kFewest) return;
    const closed = !this.open || this.near(this.points[0], this.points[this.points.length - 1]);
    this.finish(closed, kSmooth / this.board.scale);
  }

  /// Ends the curve that is being drawn; shorter ones are dropped.
  finish(closed = !this.open, error = 0) {
    let points = error > 0 ? simplified(this.points, error) : this.points;
    // A line that comes back to its start needs no second point there.
    if (closed && error > 0 && points.length > 3 && this.near(points[0], points[points.length - 1])) points = points.slice(0, -1);
    this.set(false);
    if (points.length >= (closed ? 3 : 2)) this.done(points, closed);
  }

  draw(colour) {
    if (!this.active || this.points.length === 0) return;
    const {board, points} = this;
    board.line(points, {colour, width: 2.5});
    points.forEach((point, i) => board.dot(point, i === 0 ? 6 : 3, i === 0 ? '#fff' : colour, colour));
  }
}
