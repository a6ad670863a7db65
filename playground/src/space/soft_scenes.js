// Scenes of the page of soft bodies, as the program reads them.

const upright = [1, 0, 0, 0];
const floor = {name: 'floor', type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}};
const at = (x, y, z) => ({position: [x, y, z], quaternion: upright});
const ball = (radius, edge) => ({type: 'sphere', radius, edge});
const box = (size, cells) => ({type: 'box', size, cells});

const kHeld = 0.48; // of a plate of width 1: vertices from here on are held

function plate(material) {
  const sides = [[[-1, -1], [-kHeld, 1]], [[kHeld, -1], [1, 1]], [[-1, -1], [1, -kHeld]], [[-1, kHeld], [1, 1]]];
  return {name: 'membrane', structure: box([1, 1, 0.05], [10, 10, 1]), material, pose: at(0, 0, 0.5),
    led: sides.map(([[a, b], [c, d]]) => ({inside: {lower: [a, b, 0], upper: [c, d, 1]}}))};
}

// A sheet whose rim is held.
function rimmed(material) {
  const rim = 0.499;
  const sides = [[[-1, -1], [-rim, 1]], [[rim, -1], [1, 1]], [[-1, -1], [1, -rim]], [[-1, rim], [1, 1]]];
  return {name: 'sheet', structure: {type: 'sheet', size: [1, 1], cells: [12, 12]}, material: {...material, density: 300, thickness: 0.004}, pose: at(0, 0, 0.45),
    led: sides.map(([[a, b], [c, d]]) => ({inside: {lower: [a, b, 0], upper: [c, d, 1]}}))};
}

export const softScenes = {
  fall: {
    label: 'Fall', both: true, stage: {lower: [-0.6, -0.6, 0], upper: [0.6, 0.6, 1.3]},
    build: (material) => ({bodies: [floor], deformables: [
      {name: 'ball', structure: ball(0.2, 0.12), material, pose: at(-0.05, 0, 0.26)},
      {name: 'box', structure: box([0.3, 0.3, 0.3], [3, 3, 3]), material, pose: at(0.08, 0.04, 0.68)},
      {name: 'bar', structure: box([0.8, 0.14, 0.14], [9, 2, 2]), material, pose: at(0, -0.04, 1.0)},
      {name: 'small ball', structure: ball(0.14, 0.09), material, pose: at(0.12, 0.02, 1.3)},
    ]}),
  },
  dart: {
    label: 'Dart and membrane', both: true, weightless: true, stage: {lower: [-0.55, -0.55, 0.1], upper: [0.55, 0.55, 1.1]},
    build: (material, {speed}) => ({bodies: [floor], deformables: [
      plate(material),
      {name: 'dart', structure: box([0.16, 0.14, 0.16], [1, 1, 1]), material: {...material, density: 2000}, pose: at(0.013, 0.017, 0.98),
        linear_velocity: [0, 0, -speed]},
    ]}),
  },
  trampoline: {
    label: 'Trampoline', both: false, stage: {lower: [-0.6, -0.6, 0], upper: [0.6, 0.6, 1.1]},
    build: (material) => ({materials: {light: {density: 60, friction: 0.6}},
      bodies: [floor, {name: 'ball', material: 'light', shape: {type: 'sphere', radius: 0.13}, pose: at(-0.14, 0.05, 0.8)},
        {name: 'crate', material: 'light', shape: {type: 'box', size: [0.24, 0.2, 0.16]}, pose: at(0.16, -0.06, 0.95)}],
      deformables: [rimmed(material)]}),
  },
  cloth: {
    label: 'Cloth', both: false, stage: {lower: [-0.6, -0.6, 0], upper: [0.6, 0.6, 0.9]},
    build: (material) => ({bodies: [floor, {name: 'sphere', type: 'fixed', shape: {type: 'sphere', radius: 0.3}, pose: at(0, 0, 0.31)}], deformables: [
      {name: 'cloth', structure: {type: 'sheet', size: [1, 1], cells: [12, 12]}, material: {...material, density: 300}, pose: at(0.01, 0.02, 0.68)},
      {name: 'ball', structure: ball(0.14, 0.09), material, pose: at(0.04, 0, 0.95)},
    ]}),
  },
};

/// The scene of a state: {scene, young, poisson, damping, friction, gravity, speed}.
export function softScene(state) {
  const {label, build, weightless} = softScenes[state.scene];
  const {poisson, damping, friction} = state;
  const material = {young: 10 ** state.young, poisson, damping, friction, density: 800};
  return {title: label, world: {gravity: [0, 0, weightless ? 0 : -state.gravity]}, ...build(material, state), deformable: {sweeps: 15, rounds: 6, tolerance: 1e-3}};
}
