// Live soft bodies: one world for each response, all with the same acts.
import {Pace} from './pace.js';

const kTimes = 30; // steps whose median is shown

export function soft(tactus, send) {
  let worlds = [];
  let energies = false; // they go with each frame
  const pace = new Pace(stepOnce, frame, send);

  function stepOnce() {
    for (const world of worlds) {
      world.soft.step();
      world.times.push(world.soft.statistics().totalMs);
      if (world.times.length > kTimes) world.times.shift();
    }
  }

  function frame() {
    return {views: worlds.map(({soft: world, times}) => {
      const found = world.vertices({energies});
      const vertices = {positions: Float32Array.from(found.positions), energies: found.energies && Float32Array.from(found.energies)};
      return {...vertices, poses: Float32Array.from(world.poses()), contacts: Float32Array.from(world.contacts()),
        statistics: world.statistics(), crossings: world.crossings(), times: times.slice()};
    })};
  }

  return {
    openSoft(scene, responses) {
      const next = [];
      try {
        for (const response of responses) {
          const world = tactus.soft(scene);
          next.push({soft: world, times: []});
          world.act({do: 'set', response});
        }
      } catch (error) {
        next.forEach((world) => world.soft.close());
        throw error;
      }
      worlds.forEach((world) => world.soft.close());
      worlds = next;
      const picture = worlds[0].soft.picture();
      pace.begin(picture.step_rate);
      return {picture, frame: frame()};
    },
    playSoft(on) {
      pace.play(on && worlds.length > 0);
      return frame();
    },
    stepSoft(count) {
      for (let i = 0; i < count; ++i) stepOnce();
      return frame();
    },
    drawnSoft() { pace.drawn(); },
    actSoft(...acts) {
      for (const act of acts) worlds.forEach((world) => world.soft.act(act));
    },
    colourSoft(on) {
      energies = on;
      return frame();
    },
    softLines: () => worlds.map((world) => world.soft.line()),
  };
}
