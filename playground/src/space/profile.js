// The times of the last steps as bars.
import {fitCanvas} from '../drawing.js';
import {theme} from '../theme.js';

/// `times` in milliseconds; the line is the time that a step may take at 60 per second.
export function drawProfile(canvas, times) {
  const {context, width, height} = fitCanvas(canvas);
  const budget = 1000 / 60;
  const top = Math.max(budget * 1.2, ...times);
  const bar = width / 120;
  times.forEach((time, i) => {
    context.fillStyle = time > budget ? theme().red : theme().blue;
    context.fillRect(i * bar, height - (time / top) * height, Math.max(bar - 0.5, 1), (time / top) * height);
  });
  context.fillStyle = theme().soft;
  context.fillRect(0, height - (budget / top) * height, width, 1);
}

export const median = (numbers) => (numbers.length === 0 ? 0 : [...numbers].sort((a, b) => a - b)[numbers.length >> 1]);
