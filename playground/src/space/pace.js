// Steps worlds in time with the page: a frame is sent when the page has drawn the one before.

const kMostBehind = 0.25; // seconds that are made up for; slower worlds run slowly instead of ever later
const kSlice = 30; // milliseconds of steps in one go: calls are answered between
const kTick = 4; // milliseconds between two looks at the clock

export class Pace {
  /// `step()` advances, `frame()` is what the page draws, `send(frame)` hands it over.
  constructor(step, frame, send) {
    Object.assign(this, {step, frame, send, playing: false, wanted: true, due: 0, last: 0, timer: null});
  }

  /// From now on so many steps per second.
  begin(rate) {
    Object.assign(this, {rate, due: 0, last: performance.now(), wanted: true});
    this.timer ??= setInterval(() => this.tick(), kTick);
  }

  play(on) {
    Object.assign(this, {playing: on, due: 0, last: performance.now()});
  }

  drawn() { this.wanted = true; }

  tick() {
    if (!this.playing) return;
    const now = performance.now();
    this.due = Math.min(this.due + (now - this.last) / 1000, kMostBehind);
    this.last = now;
    let stepped = false;
    try {
      while (this.due >= 1 / this.rate && performance.now() - now < kSlice) {
        this.step();
        this.due -= 1 / this.rate;
        stepped = true;
      }
    } catch (error) {
      this.playing = false;
      return this.send({error: String(error?.message ?? error)});
    }
    if (!stepped || !this.wanted) return;
    this.wanted = false;
    this.send(this.frame());
  }
}
