// The common part of the pages of live worlds: workers and pictures, play and single steps, the inspector, figures, lines of the runs.
import {canDraw} from '../../../player/src/room/room.js';
import {Engine} from '../engine.js';
import {element, showLine, showMessage, wireLine, wireRange, writeState} from '../shell.js';
import {LiveInspector} from './live_inspector.js';
import {LiveView, newCanvas} from './live_view.js';
import {drawProfile} from './profile.js';
import {bytesText, medians, stepParts} from './step_parts.js';
import {TimelinePanel} from './timeline_panel.js';
import {Transport} from './transport.js';

const kFormats = {gravity: (value) => `${value} m/s²`};

/// One world with its own worker and picture.
class Side {
  /// `canvas`: id of its picture; `scene()`: the text of what it runs.
  constructor(page, engine, {canvas, name, scene}) {
    Object.assign(this, {page, engine, canvas, name, scene, view: null, frame: null});
    engine.onframe = (frame) => this.show(frame);
  }

  show(frame) {
    this.frame = frame;
    this.view?.show(frame);
    this.page.show();
  }

  restored(frame) {
    this.view?.restored(frame);
    this.show(frame);
  }

  /// Calls a function of the worker that answers with a frame.
  async ask(name, ...args) { this.show(await this.engine.call(name, ...args)); }

  /// Begins with the scene of now; false: overtaken by a later call.
  async open() {
    const opened = await this.engine.latest('openWorld', this.scene());
    if (opened === null) return false;
    this.view?.close();
    this.view = canDraw() ? new LiveView(newCanvas(this.canvas), this.engine, opened, this.page.look) : null;
    this.picture = opened.picture;
    this.bodies = this.view?.known ?? opened.picture.bodies;
    if (this.view) this.view.onchoose = (body) => this.page.choose(body, this);
    this.frame = opened.frame;
    return true;
  }
}

export class LivePage {
  /// `worlds`: [{canvas, name, scene}], as `Side` takes them; `onshow(frames)` shows the figures of all.
  constructor(state, look, worlds, onshow) {
    Object.assign(this, {state, look, onshow, sliders: {}, begun: {...state}});
    const engines = worlds.map(() => Engine.start());
    this.sides = engines.every(Boolean) ? worlds.map((world, i) => new Side(this, engines[i], world)) : [];
    this.transport = new Transport(state, (on) => this.onAll((side) => side.ask('play', on)), () => this.onAll((side) => side.ask('stepWorld', 1)));
  }

  onAll(f) { return Promise.all(this.sides.map(f)); }

  /// Lets all worlds do acts, and shows what has changed.
  async act(...acts) {
    await this.onAll(({engine}) => engine.call('act', ...acts));
    if (!this.state.playing) await this.onAll((side) => side.ask('stepWorld', 0));
  }

  /// The first world's picture; without WebGL there is none.
  get view() { return this.sides[0]?.view ?? null; }
  /// As of one `Engine`: is anything asked that has no answer yet?
  get engine() {
    const engines = this.sides.map(({engine}) => engine);
    return engines.length === 1 ? engines[0] : {get quiet() { return engines.every((e) => e.quiet); }, get unanswered() { return engines.flatMap((e) => e.unanswered); }};
  }

  /// Wires the sliders of what may be set while the worlds run.
  wireSettings(names) {
    for (const name of names) {
      this.sliders[name] = wireRange(name, this.state[name], (value) => safely(() => this.set(name, value))(), kFormats[name]);
    }
  }

  set(name, value) {
    this.state[name] = value;
    writeState(this.state);
    return this.act({do: 'set', [name]: name === 'gravity' ? [0, 0, -value] : value});
  }

  /// Lets the sliders tell `settings`, those that were set since the last restart.
  showSettings({gravity, ...settings}) {
    const set = {...this.begun, ...settings, ...(gravity && {gravity: -gravity[2]})};
    for (const [name, show] of Object.entries(this.sliders)) show(this.state[name] = set[name]);
    writeState(this.state);
  }

  choose(body, side) {
    if (this.sides.length > 1) this.inspector.tell(side);
    this.inspector.choose(body);
  }

  show() {
    const frames = this.sides.map(({frame}) => frame);
    if (!frames.every(Boolean)) return;
    this.sides.forEach(({canvas, frame}) => drawProfile(element(`profile-${canvas}`), frame.steps));
    this.inspector.show();
    this.timeline.show(frames);
    this.onshow(frames);
  }

  /// Begins anew with the scenes of now.
  async restart() {
    this.begun = {...this.state};
    const opened = await this.onAll((side) => side.open());
    if (!opened.every(Boolean)) return;
    if (!canDraw()) {
      showMessage('This browser shows no 3D picture: WebGL 2 is switched off or missing. The world runs all the same, as the figures tell.');
      this.unseen ??= setInterval(() => this.onAll(({engine}) => engine.call('drawn')), 100); // frames arrive, where nothing is drawn
    }
    this.inspector.begin();
    this.show();
    showLine('');
    await this.transport.setPlaying(this.state.playing);
  }

  /// Wires the controls that all have and begins; `acts`: those of the page by the ids of their buttons. Answers with all acts.
  begin(acts) {
    this.inspector = new LiveInspector(this.sides);
    this.timeline = new TimelinePanel(this);
    const all = {play: () => this.transport.toggle(), step: () => this.transport.stepOnce(), restart: () => this.restart(),
      take: async () => showLine((await this.onAll(({engine}) => engine.call('worldLine'))).join('\n')),
      keep: () => this.onAll((side) => side.ask('keepState')), 'go-back': () => this.timeline.restore('goToKept'), ...acts};
    const safe = Object.fromEntries(Object.entries(all).map(([id, act]) => [id, safely(act)]));
    for (const [id, act] of Object.entries(safe)) element(id).addEventListener('click', act);
    wireLine();
    this.onAll(({engine}) => engine.ready).then(safe.restart);
    return safe;
  }
}

/// `act`, a promise's maker, as a handler of events that shows what goes wrong.
export const safely = (act) => () => Promise.resolve(act()).catch((error) => showMessage(error.message));

/// Rows of what the steps of worlds cost.
export function costRows(frames) {
  const costs = frames.map(({steps}) => medians(steps));
  return [...['median', ...stepParts.map(([name]) => `time of ${name}`)].map((name, i) => [name, ...costs.map((times) => times[i])]),
    ['memory', ...frames.map(({memory}) => bytesText(memory))]];
}
