// A flat drawing in pixels: bars, lines and words.
export class Panel {
  constructor(canvas) {
    Object.assign(this, {canvas, draw: () => {}, drawMs: 0});
    this.context = canvas.getContext('2d');
    new ResizeObserver(() => this.refresh()).observe(canvas);
  }

  /// Draws at the next frame.
  refresh() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const start = performance.now();
      const {canvas, context} = this;
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      this.width = canvas.clientWidth;
      this.height = canvas.clientHeight;
      canvas.width = Math.max(1, Math.round(this.width * ratio));
      canvas.height = Math.max(1, Math.round(this.height * ratio));
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = '#f7f9fc';
      context.fillRect(0, 0, this.width, this.height);
      this.draw(this);
      this.drawMs = performance.now() - start;
    });
  }

  bar(x, y, width, height, colour, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
    this.context.globalAlpha = 1;
  }

  line(x0, y0, x1, y1, colour, width = 1, dash = []) {
    const {context} = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    context.setLineDash([]);
  }

  text(words, x, y, colour, align = 'left') {
    const {context} = this;
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = align;
    context.fillStyle = colour;
    context.fillText(words, x, y);
    context.textAlign = 'left';
  }
}
