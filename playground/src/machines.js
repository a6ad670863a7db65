// Machines: the same bodies in a World and in an ImpulseWorld, side by side.
import {element, fillLegend, fillRows, readState, setPressed, wireKeys} from './shell.js';
import {LivePage, costRows, safely} from './space/live_page.js';
import {machineScene, machineScenes} from './space/machine_scenes.js';
import {stepParts} from './space/step_parts.js';
import {prefersStill, theme} from './theme.js';

fillLegend([
  ['letter', '', 'World: contacts that last', 'left'],
  ['letter', '', 'ImpulseWorld: single collisions (below on a phone)', 'right'],
  ['disc', '#ffb000', 'chosen body, and where it is touched'],
  ['line', '#d4145a', 'arrow: force of a contact on the chosen body'],
  ...stepParts.map(([name, colour]) => ['line', theme()[colour], `time of a step: ${name}`]),
]);

const state = readState({scene: 'drop', gravity: 9.81, friction: 0.5, restitution: 0.7, playing: !prefersStill()});
if (!(state.scene in machineScenes)) state.scene = 'drop';
for (const [name, low, high] of [['gravity', -5, 20], ['friction', 0, 1.5], ['restitution', 0, 1]]) {
  state[name] = Math.min(Math.max(Number(state[name]) || 0, low), high);
}
const page = new LivePage(state, {contacts: false, normals: false}, [
  {canvas: 'canvas', name: 'World', scene: () => JSON.stringify(machineScene(state, 'contact'))},
  {canvas: 'canvas-impulse', name: 'ImpulseWorld', scene: () => JSON.stringify(machineScene(state, 'impulse'))}], showFigures);

function showFigures(frames) {
  const row = (name, value) => [name, ...frames.map(value)];
  fillRows(element('statistics'), [
    row('step', ({statistics: s}) => s.step), row('kinetic energy', ({statistics: s}) => s.kineticEnergy.toPrecision(4)),
    row('contacts', ({statistics: s}) => s.contactPoints), row('mean penetration', ({statistics: s}) => `${(100 * s.meanPenetration).toFixed(4)} %`),
    ...costRows(frames),
  ].map((cells) => ({cells})));
}

function showScene() {
  element('remark').textContent = machineScenes[state.scene].remark;
  for (const name of Object.keys(machineScenes)) setPressed(`scene-${name}`, name === state.scene);
}

async function choose(scene) {
  const {gravity, restitution} = machineScenes[scene];
  state.scene = scene;
  page.showSettings({gravity: [0, 0, -gravity], restitution, friction: state.friction});
  showScene();
  await page.restart();
}

if (page.sides.length > 0) {
  element('scenes').append(...Object.entries(machineScenes).map(([name, {label}]) => {
    const button = document.createElement('button');
    Object.assign(button, {type: 'button', id: `scene-${name}`, textContent: label});
    button.dataset.scene = name;
    button.addEventListener('click', safely(() => choose(name)));
    return button;
  }));
  showScene();
  page.wireSettings(['gravity', 'friction', 'restitution']);
  const acts = page.begin();
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart, k: acts.keep, b: acts['go-back'], Escape: () => page.inspector.choose(null)});
}
globalThis.tactusPage = page;
