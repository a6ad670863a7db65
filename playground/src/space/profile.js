// The times of the last steps as bars, part upon part.
import {fitCanvas} from '../drawing.js';
import {theme} from '../theme.js';
import {stepParts, sum} from './step_parts.js';

const kSteps = 120; // bars across the canvas

/// `steps`: `partsOf` each; the line is the time that a step may take at 60 per second.
export function drawProfile(canvas, steps) {
  const {context, width, height} = fitCanvas(canvas);
  const budget = 1000 / 60;
  const top = Math.max(budget * 1.2, ...steps.map(sum));
  const bar = width / kSteps;
  steps.forEach((parts, i) => {
    let base = height;
    parts.forEach((time, part) => {
      const tall = (time / top) * height;
      context.fillStyle = theme()[stepParts[part][1]];
      context.fillRect(i * bar, base -= tall, Math.max(bar - 0.5, 1), tall);
    });
  });
  context.fillStyle = theme().red;
  context.fillRect(0, height - (budget / top) * height, width, 1);
}
