// A drawing board that zooms by wheel and two fingers, and moves where nothing is grabbed.
import {Board} from './board.js';

const kWheel = 0.0015; // zoom per pixel of the wheel
const kMostZoom = 400;

export class ZoomBoard extends Board {
  constructor(canvas, lower, upper) {
    super(canvas, lower, upper);
    this.setHome(lower, upper);
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(this.placeOf(event), Math.exp(-kWheel * event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
    }, {passive: false});
  }

  /// The box that is seen from now on.
  setHome(lower, upper) {
    this.home = {lower, upper};
    [this.lower, this.upper] = [[...lower], [...upper]];
    this.measure();
    this.refresh();
  }

  zoom([x, y], factor) {
    const now = (this.home.upper[0] - this.home.lower[0]) / (this.upper[0] - this.lower[0]);
    const f = Math.min(Math.max(now * factor, 0.5), kMostZoom) / now;
    const about = (p) => [x + (p[0] - x) / f, y + (p[1] - y) / f];
    [this.lower, this.upper] = [about(this.lower), about(this.upper)];
    this.measure();
    this.refresh();
  }

  shift(dx, dy) {
    for (const corner of [this.lower, this.upper]) {
      corner[0] -= dx;
      corner[1] -= dy;
    }
    this.measure();
    this.refresh();
  }

  pixelOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  placeOf(event) {
    return this.toWorld(...this.pixelOf(event));
  }

  onDrag({grab, move, drop = () => {}}) {
    const {canvas} = this;
    const fingers = new Map();
    let held = null;
    const middle = () => [...fingers.values()].reduce(([x, y], [u, v]) => [x + u / fingers.size, y + v / fingers.size], [0, 0]);
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1);
    };
    const letGo = () => {
      if (held !== null) drop(held);
      held = null;
      canvas.style.cursor = '';
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || fingers.size === 2) return;
      fingers.set(event.pointerId, this.pixelOf(event));
      canvas.setPointerCapture(event.pointerId);
      if (fingers.size === 2) return letGo();
      held = grab(this.placeOf(event), (event.pointerType === 'touch' ? 24 : 10) / this.scale);
      if (held !== null) canvas.style.cursor = 'grabbing';
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!fingers.has(event.pointerId)) return;
      if (held !== null) {
        fingers.set(event.pointerId, this.pixelOf(event));
        return move(held, this.placeOf(event));
      }
      const [before, wide] = [middle(), fingers.size === 2 ? spread() : 1];
      fingers.set(event.pointerId, this.pixelOf(event));
      const after = middle();
      this.shift((after[0] - before[0]) / this.scale, (before[1] - after[1]) / this.scale);
      if (fingers.size === 2) this.zoom(this.toWorld(...after), spread() / wide);
    });
    const end = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      letGo();
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }
}
