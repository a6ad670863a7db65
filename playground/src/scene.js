// Scene: a scene's text to write and run.
import arch from '../../scenes/arch.json';
import bridge from '../../scenes/bridge.json';
import cradle from '../../scenes/cradle.json';
import joints from '../../scenes/joints.json';
import schema from '../../scenes/scene.schema.json';
import {SceneEditor} from './scene/editor.js';
import {packed, unpacked} from './scene/link.js';
import {element, fillLegend, fillRows, readState, saveFile, showMessage, wireKeys, writeState} from './shell.js';
import {LivePage, costRows} from './space/live_page.js';
import {stepParts} from './space/step_parts.js';
import {prefersStill, theme} from './theme.js';

fillLegend([
  ['disc', '#ffb000', 'chosen body, and where it is touched'],
  ['line', '#d4145a', 'arrow: force of a contact on the chosen body'],
  ...stepParts.map(([name, colour]) => ['line', theme()[colour], `time of a step: ${name}`]),
]);

const kExamples = {'Arch': arch, 'Bridge': bridge, 'Cradle': cradle, 'Joints': joints};
const kWait = 250; // milliseconds after a change until the scene is checked

const state = readState({scene: '', playing: !prefersStill()});
const area = element('scene-text');
const page = new LivePage(state, {contacts: false, normals: false}, [{canvas: 'canvas', name: 'World', scene: () => area.value}], showFigures);
let timer = 0;

function showFigures(frames) {
  const [{statistics: s}] = frames;
  fillRows(element('statistics'), [
    ['step', s.step], ['time', s.time.toFixed(2)], ['moving', s.moving], ['pairs', s.pairs], ['contact points', s.contactPoints], ...costRows(frames),
    ['mean penetration', `${(100 * s.meanPenetration).toFixed(3)} % of size`], ['kinetic energy', s.kineticEnergy.toPrecision(4)],
  ].map((cells) => ({cells})));
}

// Asks the program whether it takes the scene; the address keeps the text.
async function check() {
  const text = area.value;
  state.scene = await packed(text);
  if (text !== area.value) return; // a later text counts
  writeState(state);
  const found = await page.sides[0].engine.latest('checkScene', text);
  if (found === null) return;
  const wrong = found.error !== undefined;
  area.setAttribute('aria-invalid', wrong);
  element('verdict').classList.toggle('wrong', wrong);
  element('verdict').textContent = wrong ? found.error : `The program takes this scene: ${found.bodies} ${found.bodies === 1 ? 'body' : 'bodies'}.`;
}

function checkSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => check().catch((error) => showMessage(error.message)), kWait);
}

async function run() {
  await check();
  if (area.getAttribute('aria-invalid') === 'true') return area.focus();
  await page.restart();
}

async function firstText() {
  if (state.scene === '') return kExamples.Arch;
  try {
    return await unpacked(state.scene);
  } catch (error) {
    showMessage(error.message);
    return kExamples.Arch;
  }
}

async function begin() {
  area.value = await firstText();
  element('example').append(new Option('–', ''), ...Object.keys(kExamples).map((name) => new Option(name)));
  const acts = page.begin({restart: run, save: () => saveFile('scene.json', area.value)});
  new SceneEditor(area, element('fits'), JSON.parse(schema), checkSoon).suggest();
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.ctrlKey) return;
    event.preventDefault();
    acts.restart();
  });
  element('example').addEventListener('change', ({target}) => {
    if (!kExamples[target.value]) return;
    area.value = kExamples[target.value];
    acts.restart();
  });
  wireKeys({' ': acts.play, s: acts.step, r: acts.restart, k: acts.keep, b: acts['go-back'], Escape: () => page.inspector.choose(null)});
}

if (page.sides.length > 0) begin().catch((error) => showMessage(error.message));
globalThis.tactusPage = page;
