// A live world, stepped in time with the page.
import {Pace} from './pace.js';

const kProfile = 120; // steps in the profile

export function pile(tactus, send) {
  let world = null;
  let watched = null; // a body whose values go with each frame
  let times = [];
  const pace = new Pace(stepOnce, frame, send);

  function stepOnce() {
    world.step();
    times.push(world.statistics().totalMs);
    if (times.length > kProfile) times.shift();
  }

  function frame() {
    return {poses: world.poses().slice(), contacts: world.contacts().slice(), statistics: world.statistics(), times: times.slice(),
      values: watched === null ? null : world.body(watched)};
  }

  return {
    openWorld(scene) {
      const next = tactus.world(scene);
      world?.close();
      world = next;
      times = [];
      watched = null;
      const picture = world.picture();
      pace.begin(picture.settings.step_rate);
      return {picture, frame: frame()};
    },
    play(on) {
      pace.play(on && world !== null);
      return world && frame();
    },
    stepWorld(count) {
      for (let i = 0; i < count; ++i) stepOnce();
      return frame();
    },
    drawn() { pace.drawn(); },
    act(...acts) {
      for (const act of acts) world.act(act);
      return world.statistics().step;
    },
    ray: (origin, direction) => world.ray(origin, direction),
    watch(index) {
      watched = index;
      return frame();
    },
    worldLine: () => world.line(),
  };
}
