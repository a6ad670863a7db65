// Pile: a live world to drag, throw and pour.
import {element, fillLegend, fillRows, readState, showMessage, wireKeys, wireRange, wireTick, writeState} from './shell.js';
import {LivePage, costRows} from './space/live_page.js';
import {mixedPile} from './space/scenes.js';
import {stepParts} from './space/step_parts.js';
import {prefersStill, theme} from './theme.js';

fillLegend([
  ['disc', '#ffb000', 'chosen body, and where it is touched'],
  ['line', '#d4145a', 'arrow: force of a contact on the chosen body'],
  ['disc', '#d4145a', 'contact point; dark arrow: the normal there'],
  ...stepParts.map(([name, colour]) => ['line', theme()[colour], `time of a step: ${name}`]),
]);

const state = readState({count: 60, gravity: 9.81, friction: 0.5, restitution: 0.1, substeps: 4, contacts: false, normals: false, playing: !prefersStill()});
for (const [name, low, high] of [['count', 10, 300], ['gravity', -5, 20], ['friction', 0, 1.5], ['restitution', 0, 1], ['substeps', 1, 20]]) {
  state[name] = Math.min(Math.max(Number(state[name]) || 0, low), high);
}
state.substeps = Math.round(state.substeps);
state.count = Math.round(state.count / 10) * 10;
const look = {contacts: state.contacts, normals: state.normals};

const page = new LivePage(state, look, [{canvas: 'canvas', name: 'World', scene: () => JSON.stringify(mixedPile(state))}], showFigures);

function showFigures(frames) {
  const [{statistics: s}] = frames;
  fillRows(element('statistics'), [
    ['step', s.step], ['moving', s.moving], ['pairs', s.pairs], ['contact points', s.contactPoints], ...costRows(frames),
    ['mean penetration', `${(100 * s.meanPenetration).toFixed(3)} % of size`], ['kinetic energy', s.kineticEnergy.toPrecision(4)],
  ].map((cells) => ({cells})));
}

async function pour(count = 5) {
  const acts = Array.from({length: count}, () => page.view?.pour() ?? []).flat();
  if (acts.length === 0) return showMessage('No more bodies: restart to pour again.');
  await page.act(...acts);
}

if (page.sides.length > 0) {
  const acts = page.begin({pour: () => pour()});
  wireRange('count', state.count, (value) => { state.count = value; writeState(state); acts.restart(); });
  page.wireSettings(['gravity', 'friction', 'restitution', 'substeps']);
  for (const name of ['contacts', 'normals']) wireTick(name, state, look, () => page.view);
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart, p: acts.pour, k: acts.keep, b: acts['go-back'], Escape: () => page.inspector.choose(null)});
}
globalThis.tactusPage = page;
