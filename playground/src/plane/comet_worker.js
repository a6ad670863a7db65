// Regions: the exact verdict of each pair beside the literal one, their contacts, and a world in which they fall.
import {Pace} from '../space/pace.js';

const kMargin = 0.01; // units: contacts are told from this gap on
const kBodyNumbers = 8;
const kHeight = 0.2; // of the prisms that the world makes of regions
const kWall = 0.5; // thickness of the walls about the picture

// Bodies in a frame; each is a prism, whose contacts are those of its region.
function sceneOf(outlines, poses, held, {gravity, friction, restitution}, [left, bottom], [right, top]) {
  const body = (outer, holes, [x, y, angle], more) => ({material: 'all', shape: {type: 'prism', height: kHeight, outer, holes},
    pose: {position: [x, y, 0], quaternion: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]}, ...more});
  const wall = (x0, y0, x1, y1) => body([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], [], [0, 0, 0], {type: 'fixed'});
  return {title: 'Regions that fall', world: {plane: 'xy', gravity: [0, -gravity, 0], step_rate: 120},
    materials: {all: {friction, restitution, density: 1}},
    bodies: [...outlines.map(({points, holes = []}, i) => body(points, holes, poses[i], held.includes(i) ? {type: 'fixed'} : {})),
      wall(left - kWall, bottom - kWall, right + kWall, bottom), wall(left - kWall, top, right + kWall, top + kWall),
      wall(left - kWall, bottom, left, top), wall(right, bottom, right + kWall, top)]};
}

export function comet(tactus, send) {
  let regions = [];
  let outlines = [];
  let world = null;
  const pace = new Pace(() => world.step(), frame, send);

  function verdict(i, k, poses) {
    const exact = tactus.regionDistance(regions[i], poses[i], regions[k], poses[k]);
    const literal = tactus.literalCollision([regions[i], regions[k]], [...poses[i], ...poses[k]]);
    const contacts = exact.lower <= kMargin ? tactus.regionContacts(regions[i], poses[i], regions[k], poses[k], {margin: kMargin}) : [];
    return {i, k, exact, literal, contacts};
  }

  function verdicts(poses) {
    const pairs = [];
    for (let i = 0; i < regions.length; ++i) {
      for (let k = i + 1; k < regions.length; ++k) pairs.push(verdict(i, k, poses));
    }
    return pairs;
  }

  function frame() {
    const numbers = world.poses().slice();
    const poses = regions.map((_, i) => {
      const [x, y, , w, , , z] = numbers.subarray(kBodyNumbers * i, kBodyNumbers * (i + 1));
      return [x, y, 2 * Math.atan2(z, w)];
    });
    const {time, kineticEnergy} = world.statistics();
    return {poses, verdicts: verdicts(poses), time, kineticEnergy};
  }

  return {
    setRegions(given) {
      const next = given.map(({points, holes}) => tactus.region(points, holes));
      regions.forEach((region) => region.close());
      regions = next;
      outlines = given;
      return regions.map((region) => region.mass());
    },
    verdicts,
    /// From here on they fall, between walls; `held` ones (indices) stay.
    openFall(poses, held, laws, lower, upper) {
      const next = tactus.world(sceneOf(outlines, poses, held, laws, lower, upper));
      world?.close();
      world = next;
      pace.begin(world.picture().settings.step_rate);
      return frame();
    },
    playFall(on) {
      pace.play(on && world !== null);
      return world && frame();
    },
    stepFall(count) {
      for (let i = 0; i < count; ++i) world.step();
      return frame();
    },
    drawnFall() { pace.drawn(); },
    actFall(act) { world?.act(act); },
    fallLine: () => world.line(),
  };
}
