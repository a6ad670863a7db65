// Outlines that are edited: regions of an outer contour and holes, points [x, y].

const kMostUndo = 100;

const copy = (regions) => regions.map(({outer, holes}) => ({outer: outer.map((p) => [...p]), holes: holes.map((h) => h.map((p) => [...p]))}));

export class Outlines {
  constructor() {
    this.set([]);
  }

  /// Begins anew.
  set(regions) {
    this.regions = regions;
    this.past = [];
    this.edited = false;
  }

  /// All contours: {region, hole (-1: the outer one), points}.
  get rings() {
    return this.regions.flatMap(({outer, holes}, region) => [{region, hole: -1, points: outer},
      ...holes.map((points, hole) => ({region, hole, points}))]);
  }

  get count() {
    return this.rings.reduce((sum, {points}) => sum + points.length, 0);
  }

  /// To be called before a change.
  keep() {
    this.past.push(copy(this.regions));
    if (this.past.length > kMostUndo) this.past.shift();
    this.edited = true;
  }

  undo() {
    if (this.past.length === 0) return false;
    this.regions = this.past.pop();
    return true;
  }

  /// {ring, at} of the point nearest to a place within reach, or null.
  nearestPoint([x, y], reach) {
    let best = null;
    this.rings.forEach(({points}, ring) => points.forEach(([u, v], at) => {
      const distance = Math.hypot(u - x, v - y);
      if (distance <= (best?.distance ?? reach)) best = {ring, at, distance};
    }));
    return best;
  }

  /// {ring, at} of the nearest segment: the one after the point `at`.
  nearestSegment([x, y], reach) {
    let best = null;
    this.rings.forEach(({points}, ring) => points.forEach(([u, v], at) => {
      const [p, q] = points[(at + 1) % points.length];
      const [dx, dy] = [p - u, q - v];
      const t = Math.min(Math.max(((x - u) * dx + (y - v) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      const distance = Math.hypot(u + t * dx - x, v + t * dy - y);
      if (distance <= (best?.distance ?? reach)) best = {ring, at, distance};
    }));
    return best;
  }

  /// The region that holds a place, -1: none does.
  regionAt(place) {
    return this.regions.findIndex(({outer, holes}) => isInside([outer, ...holes], place));
  }

  /// A new point behind `at`; where it is.
  insert({ring, at}, place) {
    this.rings[ring].points.splice(at + 1, 0, [...place]);
    return {ring, at: at + 1};
  }

  /// Without this point; a contour of three points goes as a whole, an outer one with its holes.
  remove({ring, at}) {
    const {region, hole, points} = this.rings[ring];
    if (points.length > 3) points.splice(at, 1);
    else if (hole >= 0) this.regions[region].holes.splice(hole, 1);
    else this.regions.splice(region, 1);
  }

  /// The file that the program reads: regions, or the same outlines as closed curves.
  text(what) {
    const list = what === 'regions'
      ? this.regions.map(({outer, holes}) => JSON.stringify({outer, holes}))
      : this.rings.map(({points}) => JSON.stringify({points, closed: true}));
    return `{"${what}":[\n${list.join(',\n')}\n]}\n`;
  }
}

/// Inside of contours, by the even-odd rule.
export function isInside(contours, [x, y]) {
  let odd = false;
  for (const points of contours) {
    points.forEach(([u, v], i) => {
      const [p, q] = points[(i + 1) % points.length];
      if ((v > y) !== (q > y) && x < u + ((y - v) * (p - u)) / (q - v)) odd = !odd;
    });
  }
  return odd;
}

const shoelace = (points) => points.reduce((sum, [x, y], i) => {
  const [u, v] = points[(i + 1) % points.length];
  return sum + (x * v - u * y) / 2;
}, 0);

export const areaOf = (points) => Math.abs(shoelace(points));

export function boxOf(contours) {
  const [lower, upper] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (const [x, y] of contours.flat()) {
    [lower[0], lower[1]] = [Math.min(lower[0], x), Math.min(lower[1], y)];
    [upper[0], upper[1]] = [Math.max(upper[0], x), Math.max(upper[1], y)];
  }
  return {lower, upper};
}

/// A map that puts the box into one of this size about the origin, on a grid of 1/10000.
export function fitInto({lower, upper}, width, height) {
  const scale = Math.min(width / Math.max(upper[0] - lower[0], 1e-9), height / Math.max(upper[1] - lower[1], 1e-9));
  return ([x, y]) => [x - (lower[0] + upper[0]) / 2, y - (lower[1] + upper[1]) / 2].map((v) => Math.round(v * scale * 1e4) / 1e4);
}
