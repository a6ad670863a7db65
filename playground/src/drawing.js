// A drawing on a plain canvas: its size in device pixels, its next frame, strokes and fills.
import {onTheme} from './theme.js';

/// Gives a canvas as many pixels as the screen has for it, at most two by two for each of CSS, and clears it: {context, width, height} in CSS pixels.
export function fitCanvas(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.lineJoin = context.lineCap = 'round';
  return {context, width, height};
}

export class Drawing {
  constructor(canvas) {
    Object.assign(this, {canvas, context: canvas.getContext('2d'), draw: () => {}, drawMs: 0});
    new ResizeObserver(() => this.refresh()).observe(canvas);
    onTheme(() => this.refresh());
  }

  /// Draws at the next frame; `drawMs` then tells how long that took.
  refresh() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const start = performance.now();
      this.begin();
      this.draw(this);
      this.drawMs = performance.now() - start;
    });
  }

  begin() {
    const {width, height} = fitCanvas(this.canvas);
    Object.assign(this, {width, height});
  }

  /// Fills and strokes the path at hand.
  paint({fill, stroke, width = 1.5, dash = [], rule = 'nonzero'}) {
    const {context} = this;
    if (fill) {
      context.fillStyle = fill;
      context.fill(rule);
    }
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.stroke();
      context.setLineDash([]);
    }
    context.globalAlpha = 1;
  }
}
