// Chooses how fine the picture is by the measured time between frames that were drawn one after the other.

const kSlow = 1 / 28; // seconds; slower frames ask for a coarser picture
const kFast = 1 / 50; // faster ones for a finer picture
const kFewFrames = 12; // drawn at one level before it is judged too fine
const kManyFrames = 150; // and too coarse

function median(times) {
  return [...times].sort((a, b) => a - b)[times.length >> 1];
}

/// Levels from the finest to the coarsest on a screen with so many pixels per CSS pixel.
export function qualityLevels(screenRatio) {
  const finest = Math.min(screenRatio, 2);
  return [
    {pixelRatio: finest, shadows: 2048},
    {pixelRatio: Math.min(finest, 1.25), shadows: 1024},
    {pixelRatio: Math.min(finest, 1), shadows: 512},
    {pixelRatio: Math.min(finest, 0.75), shadows: 0},
  ];
}

export class Quality {
  constructor(levels) {
    this.levels = levels;
    this.level = 0;
    this.finest = 0; // a level that was too slow is not tried again
    this.times = [];
  }

  get settings() {
    return this.levels[this.level];
  }

  /// Takes in the seconds between two frames; true when the settings changed.
  measure(seconds) {
    this.times.push(seconds);
    if (this.times.length < kFewFrames) return false;
    if (median(this.times.slice(-kFewFrames)) > kSlow && this.level + 1 < this.levels.length) {
      this.finest = this.level + 1;
      return this.change(this.level + 1);
    }
    if (this.times.length < kManyFrames) return false;
    if (median(this.times) < kFast && this.level > this.finest) return this.change(this.level - 1);
    this.times = [];
    return false;
  }

  change(level) {
    this.level = level;
    this.times = [];
    return true;
  }
}
