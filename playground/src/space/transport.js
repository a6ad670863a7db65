// Play, pause and single steps of the pages that run on.
import {element, setPressed, writeState} from '../shell.js';

export class Transport {
  /// `play(on)` and `step()` ask the worker and show what it answers; the address keeps `state.playing`.
  constructor(state, play, step) {
    Object.assign(this, {state, play, step});
  }

  async setPlaying(on) {
    this.state.playing = on;
    setPressed('play', on);
    element('play').textContent = on ? 'Pause' : 'Play';
    writeState(this.state);
    await this.play(on);
  }

  toggle() { return this.setPlaying(!this.state.playing); }

  async stepOnce() {
    await this.setPlaying(false);
    await this.step();
  }
}
