// Scenes that both kinds of world can move, as the program reads them.

const floor = {name: 'floor', type: 'fixed', material: 'all', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}};
const about = (axis, angle) => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];
const at = (position, quaternion = [1, 0, 0, 0]) => ({position, quaternion});
const kSlope = 0.35;

export const machineScenes = {
  drop: {
    label: 'Drop', gravity: 9.81, restitution: 0.7,
    remark: 'Bounces die out: World lets the bodies rest, ImpulseWorld goes on in micro-collisions too small to see.',
    bodies: () => [floor,
      {shape: {type: 'sphere', radius: 0.2}, pose: at([-0.8, 0, 1.2])},
      {shape: {type: 'box', size: [0.4, 0.3, 0.3]}, pose: at([0, 0, 1.2], about([0.6, 0.8, 0], 0.7))},
      {shape: {type: 'cylinder', radius: 0.2, length: 0.3}, pose: at([0.8, 0, 1.2], about([1, 0, 0], 0.4))}],
  },
  row: {
    label: 'Row of balls', gravity: 0, restitution: 1,
    remark: 'A ball hits a row that touches. With restitution 1 the last one leaves, and no energy is lost.',
    bodies: () => [
      {name: 'left wall', type: 'fixed', shape: {type: 'box', size: [0.1, 1, 1]}, pose: at([-1.45, 0, 0])},
      {name: 'right wall', type: 'fixed', shape: {type: 'box', size: [0.1, 1, 1]}, pose: at([1.45, 0, 0])},
      {shape: {type: 'sphere', radius: 0.15}, pose: at([-1, 0, 0]), linear_velocity: [2, 0, 0]},
      ...[0, 1, 2, 3].map((i) => ({shape: {type: 'sphere', radius: 0.15}, pose: at([-0.2 + 0.3 * i, 0, 0])}))],
  },
  slope: {
    label: 'Slope', gravity: 9.81, restitution: 0,
    remark: `Blocks slide where friction is below the slope's tangent, ${Math.tan(kSlope).toFixed(3)}.`,
    bodies: () => {
      const [n, turn] = [[Math.sin(kSlope), 0, Math.cos(kSlope)], about([0, 1, 0], kSlope)];
      const lying = (down, y, height) => at([down * n[2] + height * n[0], y, height * n[2] - down * n[0]], turn);
      return [{name: 'slope', type: 'fixed', shape: {type: 'box', size: [4, 1.6, 0.1]}, pose: lying(0.6, 0, -0.05)},
        {shape: {type: 'box', size: [0.3, 0.3, 0.15]}, pose: lying(-0.8, -0.4, 0.075)},
        {shape: {type: 'cylinder', radius: 0.15, length: 0.15}, pose: lying(-0.8, 0, 0.075)},
        {shape: {type: 'sphere', radius: 0.12}, pose: lying(-0.8, 0.4, 0.12)}];
    },
  },
  top: {
    label: 'Turning T', gravity: 0, restitution: 1,
    remark: 'Weightless and turning about its middle axis of inertia, the T turns over again and again.',
    bodies: () => [{name: 'T', angular_velocity: [0.02, 0, 7], pose: at([0, 0, 0]), shape: {type: 'compound', parts: [
      {shape: {type: 'cylinder', radius: 0.08, length: 1}, pose: at([0, 0, 0], about([1, 0, 0], Math.PI / 2))},
      {shape: {type: 'cylinder', radius: 0.08, length: 0.5}, pose: at([0.33, 0, 0], about([0, 1, 0], Math.PI / 2))}]}}],
  },
};

/// The scene of a state {scene, gravity, friction, restitution} for one type of world.
export function machineScene({scene, gravity, friction, restitution}, type) {
  const {label, bodies} = machineScenes[scene];
  return {title: label, world: {type, gravity: [0, 0, -gravity], step_rate: 120}, materials: {all: {friction, restitution}},
    bodies: bodies().map((body) => ({material: 'all', ...body}))};
}
