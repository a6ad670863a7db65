// The timeline of a page: a slider over the saved states of its worlds, and one state that is kept.
import {element, fillRows, showMessage} from '../shell.js';
import {bytesText} from './step_parts.js';

const states = (count) => `${count} ${count === 1 ? 'state' : 'states'}`;

export class TimelinePanel {
  /// `page`: the `LivePage` whose worlds go back together.
  constructor(page) {
    Object.assign(this, {page, steps: [], asked: 0});
    element('moment').addEventListener('input', () => {
      this.restore('goTo', this.steps[Number(element('moment').value)]).catch((error) => showMessage(error.message));
    });
  }

  /// Lets all worlds go to a state by a function of the worker, and shows it.
  async restore(name, ...args) {
    const {page} = this;
    ++this.asked;
    let frames;
    try {
      if (page.state.playing) await page.transport.setPlaying(false);
      frames = await page.onAll(({engine}) => engine.latest(name, ...args));
    } finally {
      --this.asked;
    }
    if (!frames.every(Boolean)) return; // a later place of the slider counts
    page.sides.forEach((side, i) => side.restored(frames[i]));
    page.showSettings(frames[0].settings);
  }

  /// Shows the timelines of frames, one of each world.
  show(frames) {
    const timelines = frames.map(({timeline}) => timeline);
    this.steps = timelines[0].steps.filter((step) => timelines.every(({steps}) => steps.includes(step)));
    const now = frames[0].statistics.step;
    const input = element('moment');
    input.max = this.steps.length - 1;
    if (this.asked === 0) input.value = this.steps.findLastIndex((step) => step <= now);
    input.setAttribute('aria-valuetext', `step ${this.steps[input.value]}`);
    element('moment-step').textContent = this.steps[input.value];
    const {kept} = timelines[0];
    element('go-back').disabled = kept === null;
    element('kept').textContent = kept === null ? '' : `Kept: the state of step ${kept}.`;
    const row = (name, value) => ({cells: [name, ...timelines.map(value)]});
    fillRows(element('state'), [
      {cells: ['state hash', ...frames.map(({hash}) => hash ?? 'told while paused')]},
      row('saved', ({steps, every, bytes}) => `${states(steps.length)}, one in ${every} steps, ${bytesText(bytes)}`),
      row('replayed', ({replayed, differing}) => (replayed === 0 ? 'nothing yet' : `${states(replayed)}, ${differing === 0 ? 'the same bits' : `${differing} DIFFER`}`)),
    ]);
  }
}
