// A flat drawing in pixels: bars, lines and words.
import {Drawing} from '../drawing.js';

const kFont = '600 12px system-ui, "DejaVu Sans", sans-serif';

export class Panel extends Drawing {
  bar(x, y, width, height, colour, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
    this.context.globalAlpha = 1;
  }

  line(x0, y0, x1, y1, colour, width = 1, dash = []) {
    const {context} = this;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    this.paint({stroke: colour, width, dash});
  }

  text(words, x, y, colour, align = 'left') {
    const {context} = this;
    context.font = kFont;
    context.textAlign = align;
    context.fillStyle = colour;
    context.fillText(words, x, y);
    context.textAlign = 'left';
  }

  /// Pixels that words take.
  widthOf(words) {
    this.context.font = kFont;
    return this.context.measureText(words).width;
  }
}
