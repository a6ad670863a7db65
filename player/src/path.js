// The clearance of a robot along its path: what the page tells of it, and the plot over time.
import {format, showList} from './panels.js';

const kSvg = 'http://www.w3.org/2000/svg';
const kWidth = 240;
const kHeight = 96;

function shape(parent, kind, attributes) {
  const made = document.createElementNS(kSvg, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return parent.appendChild(made);
}

/// The nearest pair at a time, from a page's `path`: {distance, pair, points, near}; null where no pair is asked.
export function nearestAt(path, {picture, fraction}) {
  const distance = path.distance[picture];
  if (distance === null) return null;
  const next = Math.min(picture + 1, path.distance.length - 1);
  // Between two pictures with one nearest pair its points move on; else they stay until the next picture.
  const on = path.pair[next] === path.pair[picture] ? fraction : 0;
  const points = Array.from({length: 6}, (_, i) => (1 - on) * path.points[6 * picture + i] + on * path.points[6 * next + i]);
  return {distance: (1 - on) * distance + on * path.distance[next], pair: path.pairs[path.pair[picture]], points,
    near: distance <= path.wanted};
}

export class PathPanel {
  /// The panel of `recording.path`; seek(time) is called where the plot is clicked or dragged.
  constructor(panel, recording, seek) {
    this.path = recording.path;
    this.duration = Math.max(recording.duration, 1e-9);
    this.list = panel.querySelector('dl');
    this.drawPlot(panel.querySelector('svg'));
    const plot = panel.querySelector('svg');
    const go = (event) => {
      const {left, width} = plot.getBoundingClientRect();
      seek(Math.min(Math.max((event.clientX - left) / width, 0), 1) * this.duration);
    };
    plot.addEventListener('pointerdown', (event) => { plot.setPointerCapture(event.pointerId); go(event); });
    plot.addEventListener('pointermove', (event) => { if (event.buttons) go(event); });
  }

  drawPlot(plot) {
    const {distance, wanted, bracket, start} = this.path;
    const known = distance.filter((d) => d !== null);
    const top = Math.max(...known, wanted, 1e-12) * 1.05;
    const bottom = Math.min(...known, 0);
    const x = (time) => (kWidth * time) / this.duration;
    const y = (d) => kHeight - 2 - ((kHeight - 4) * (d - bottom)) / (top - bottom);
    plot.setAttribute('viewBox', `0 0 ${kWidth} ${kHeight}`);
    if (bracket) {
      const [from, to] = bracket.map((time) => x(time - start));
      shape(plot, 'rect', {class: 'met', x: from - 1, y: 0, width: to - from + 2, height: kHeight});
    }
    shape(plot, 'line', {class: 'zero', x1: 0, x2: kWidth, y1: y(0), y2: y(0)});
    if (wanted > 0) shape(plot, 'line', {class: 'wanted', x1: 0, x2: kWidth, y1: y(wanted), y2: y(wanted)});
    const step = kWidth / Math.max(distance.length - 1, 1);
    const points = distance.flatMap((d, i) => (d === null ? [] : [`${(i * step).toFixed(2)},${y(d).toFixed(2)}`]));
    shape(plot, 'polyline', {class: 'curve', points: points.join(' ')});
    this.cursor = shape(plot, 'line', {class: 'cursor', y1: 0, y2: kHeight});
  }

  draw(time, at) {
    const {verdict, wanted, bracket} = this.path;
    const nearest = nearestAt(this.path, at);
    const x = (kWidth * time) / this.duration;
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
    const lines = [['the path is', verdict], ['clearance asked for', format(wanted)]];
    if (bracket) lines.push([verdict === 'below' ? 'first met at' : 'undecided from', format(bracket[0])]);
    lines.push(['clearance now', format(nearest?.distance)], ['nearest', nearest?.pair ?? 'no pair']);
    showList(this.list, lines);
  }
}
