// The bracket of each step as a bar, from the first step on top down to the present one: it shrinks.
import {fitCanvas} from '../drawing.js';
import {number} from './words.js';

const kInk = '#1d2733';

// The range that all finite ends fit in.
function rangeOf(runs, truth) {
  const ends = runs.flatMap(({frames}) => frames.flatMap(({lower, upper}) => [lower, upper])).filter(Number.isFinite);
  if (Number.isFinite(truth)) ends.push(truth);
  if (ends.length === 0) return [-1, 1];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const margin = 0.12 * (high - low) || 0.5;
  return [low - margin, high + margin];
}

/// `runs`: [{name, frames, step, colour}]; `truth`: the library's answer, or null.
export function drawBrackets(canvas, runs, truth) {
  const {context, width, height} = fitCanvas(canvas);
  const [low, high] = rangeOf(runs, truth);
  const x = (value, otherwise) => (Number.isFinite(value) ? ((value - low) / (high - low)) * width : otherwise);
  const part = (height - 18) / runs.length;
  runs.forEach(({name, frames, step, colour}, k) => {
    const named = runs.length > 1 ? 13 : 0;
    const top = 2 + k * part + named;
    const each = Math.min(8, (part - 6 - named) / frames.length);
    if (named) {
      context.fillStyle = colour;
      context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
      context.textAlign = 'left';
      context.fillText(name, 0, top - 3);
    }
    for (let i = 0; i <= Math.min(step, frames.length - 1); ++i) {
      const {lower, upper} = frames[i];
      const [from, to] = [x(lower, 0), x(upper, width)];
      context.globalAlpha = i === step ? 1 : 0.35;
      context.fillStyle = colour;
      context.fillRect(from - (to - from < 3 ? 1.5 : 0), top + i * each, Math.max(to - from, 3), Math.max(each - 1, 0.7));
    }
    context.globalAlpha = 1;
  });
  const rule = (value, dash, label) => {
    const at = x(value, null);
    if (at === null || at < 0 || at > width) return;
    context.setLineDash(dash);
    context.strokeStyle = kInk;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(at, 0);
    context.lineTo(at, height - 14);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = kInk;
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = at < 40 ? 'left' : at > width - 40 ? 'right' : 'center';
    context.fillText(label, at, height - 3);
  };
  const near = Number.isFinite(truth) && Math.abs(x(truth, 0) - x(0, 0)) < 44;
  rule(0, [], near ? '' : '0');
  if (Number.isFinite(truth)) rule(truth, [4, 3], number(truth));
}
