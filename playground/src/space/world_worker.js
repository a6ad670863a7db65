// A live world, stepped in time with the page.
import {Pace} from './pace.js';
import {partsOf} from './step_parts.js';
import {Timeline} from './timeline.js';

const kProfile = 120; // steps in the profile

export function world(tactus, send) {
  let live = null;
  let timeline = null;
  let watched = null; // a body whose values go with each frame
  let settings = {}; // what was set since the beginning
  let seen = null; // what the state of now shows
  let steps = []; // times of the last ones by parts
  const pace = new Pace(stepOnce, frame, send);

  const look = () => ({contacts: live.contacts().slice(), forces: live.forces().slice(), statistics: live.statistics(), settings});

  function stepOnce() {
    live.step();
    seen = null;
    const statistics = live.statistics();
    steps.push(partsOf(statistics));
    if (steps.length > kProfile) steps.shift();
    if (timeline.isDue(statistics.step)) timeline.record(seen = look());
  }

  // A body that has not yet entered has a picture of no size, and no values.
  const isThere = (poses, body) => poses[8 * body + 7] > 0;

  function frame() {
    const poses = live.poses().slice();
    seen ??= look();
    return {poses, ...seen, steps: steps.slice(), memory: tactus.memoryBytes(), timeline: timeline.summary, hash: pace.playing ? null : live.hash(),
      watched, values: watched !== null && isThere(poses, watched) ? live.body(watched) : null};
  }

  // Shows a state that was saved before.
  function restored(as) {
    pace.play(false);
    ({settings} = as);
    seen = as;
    if (watched !== null && watched >= live.poses().length / 8) watched = null;
    return frame();
  }

  return {
    openWorld(scene) {
      const next = tactus.world(scene);
      live?.close();
      live = next;
      steps = [];
      watched = null;
      settings = {};
      timeline = new Timeline(live);
      timeline.record(seen = look());
      const picture = live.picture();
      pace.begin(picture.settings.step_rate);
      return {picture, frame: frame()};
    },
    /// Tries a scene: {bodies}, or {error}, the text in which the program refuses it.
    checkScene(scene) {
      try {
        const made = tactus.world(scene);
        const bodies = made.poses().length / 8;
        made.close();
        return {bodies};
      } catch ({message}) {
        return {error: message};
      }
    },
    play(on) {
      pace.play(on && live !== null);
      return live && frame();
    },
    stepWorld(count) {
      for (let i = 0; i < count; ++i) stepOnce();
      return frame();
    },
    drawn() { pace.drawn(); },
    act(...acts) {
      seen ??= look(); // until the next step, whatever is set
      for (const act of acts) {
        live.act(act);
        if (act.do === 'set') settings = {...settings, ...act};
      }
      seen = {...seen, settings};
      timeline.acted(seen.statistics.step);
    },
    ray: (origin, direction) => live.ray(origin, direction),
    watch(index) {
      watched = index;
      return frame();
    },
    goTo: (step) => restored(timeline.goTo(step)),
    keepState() {
      timeline.keep(seen ??= look());
      return frame();
    },
    goToKept: () => restored(timeline.goToKept()),
    worldLine: () => live.line(),
  };
}
