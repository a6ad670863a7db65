// The inspector and the timeline of the pages of live worlds.
import {Timeline} from '../src/space/timeline.js';
import {press, settle, slide, text, until} from './playground_browser.mjs';

const cells = (page, table) => page.$$eval(`#${table} tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
const rowOf = async (page, table, name) => (await cells(page, table)).find(([first]) => first === name)?.slice(1) ?? [];

async function stepOften(page, count) {
  for (let i = 0; i < count; ++i) await press(page, '#step');
  await settle(page);
}

/// Tries the list and the panel of a paused page, some of whose bodies rest on others. The body that most points touch is chosen.
export async function tryInspector(page, name, {expect}) {
  const most = await page.evaluate(() => {
    const [{frame, bodies}] = globalThis.tactusPage.sides;
    const points = new Map();
    for (let i = 0; i < frame.contacts.length; i += 10) {
      if (frame.contacts[i + 8] < 0) continue;
      for (const body of [frame.contacts[i], frame.contacts[i + 1]]) if (bodies[body].moving) points.set(body, (points.get(body) ?? 0) + 1);
    }
    return [...points].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  });
  if (most === null) return expect(false, `no body of ${name} touches another one`);
  // By keys: the first branch is opened, its first body chosen; then the one with contacts by hand.
  await page.focus('#body-tree [tabindex="0"]');
  for (const key of ['ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await settle(page);
  expect(/^Body #\d+$/.test(await text(page, 'inspector-title')) && (await page.$$('#body-tree [aria-selected=true]')).length === 1, `keys choose no body of ${name}`);
  await page.evaluate((body) => globalThis.tactusPage.inspector.choose(body), most);
  await settle(page);
  const shown = await page.evaluate(() => {
    const {sides, view, inspector: {chosen}} = globalThis.tactusPage;
    const [{frame}] = sides;
    const forces = [];
    for (let i = 0; i < frame.contacts.length / 10; ++i) {
      const c = frame.contacts.subarray(10 * i, 10 * i + 10);
      if (c[8] >= 0 && (c[0] === chosen || c[1] === chosen)) forces.push([...frame.forces.subarray(3 * i, 3 * i + 3)].map((x) => (c[0] === chosen ? -x : x)));
    }
    const total = Math.hypot(...[0, 1, 2].map((k) => forces.reduce((sum, force) => sum + force[k], 0)));
    return {title: document.getElementById('inspector-title').textContent, lines: [...document.querySelectorAll('#inspector-lines dt')].map((term) => term.textContent),
      points: Number(document.querySelector('#contact-rows tr:last-child td').textContent), count: forces.length, total,
      told: Number(document.querySelector('#contact-rows tr:last-child td:last-child').textContent.replaceAll(',', '')),
      arrows: view.forces.shafts.mesh.count, drawn: forces.filter((force) => Math.hypot(...force) > 0).length,
      selected: [...document.querySelectorAll('#body-tree [aria-selected=true]')].map((line) => Number(line.dataset.body))};
  });
  expect(shown.title === `Body #${most + 1}` && String(shown.selected) === String([most]), `${name}: body ${most} is shown as ${JSON.stringify(shown)}`);
  expect(['shape', 'mass', 'position', 'velocity', 'spin, rad/s', 'kinetic energy'].every((line) => shown.lines.includes(line)), `${name}: the panel tells ${shown.lines}`);
  expect(shown.points === shown.count && shown.count > 0 && shown.arrows === shown.drawn && Math.abs(shown.told - shown.total) <= 0.006 * shown.total + 1e-3,
    `${name}: the contacts of the chosen body are shown as ${JSON.stringify(shown)}`);
  const [memory] = await rowOf(page, 'statistics', 'memory');
  expect(parseFloat(memory) > 1, `${name} takes ${memory} of memory`);
  const parts = (await cells(page, 'statistics')).filter(([first]) => first.startsWith('time of ')).map(([, first]) => parseFloat(first));
  expect(parts.length === 4 && parts.every((time) => time >= 0), `${name}: the parts of a step take ${parts}`);
}

/// Tries the timeline of a paused page: back to saved states, on from there with the same bits, another future, a kept state.
export async function tryTimeline(page, name, {expect}) {
  const steps = () => page.evaluate(() => globalThis.tactusPage.timeline.steps);
  const now = () => page.evaluate(() => globalThis.tactusPage.sides.map(({frame}) => frame.statistics.step));
  const hashes = () => rowOf(page, 'state', 'state hash');
  const back = async (index) => { await slide(page, 'moment', index); await settle(page); };
  await page.evaluate(() => globalThis.tactusPage.restart());
  await settle(page);
  await stepOften(page, 35);
  const end = await hashes();
  expect(String(await steps()) === '0,10,20,30' && end.every((hash) => /^[0-9a-f]{16}$/.test(hash)), `${name} saved the states ${await steps()}, the hash is ${end}`);
  await back(1);
  expect((await now()).every((step) => step === 10) && String(await hashes()) !== String(end), `${name} went back to ${await now()}`);
  const points = await page.evaluate(() => globalThis.tactusPage.sides.map(({frame}) => frame.contacts.length));
  await stepOften(page, 25);
  const replayed = await rowOf(page, 'state', 'replayed');
  expect(String(await hashes()) === String(end) && replayed.every((words) => /^2 states, the same bits/.test(words)),
    `${name} came from step 10 to ${await hashes()} in place of ${end}: ${replayed}`);
  await back(1);
  expect(String(points) === String(await page.evaluate(() => globalThis.tactusPage.sides.map(({frame}) => frame.contacts.length))), `${name} shows other contacts when it is back again`);

  // A kept state, and another future from an earlier one, in which gravity differs.
  await back(3);
  await stepOften(page, 5);
  await press(page, '#keep');
  await settle(page);
  expect(/step 35/.test(await text(page, 'kept')), `${name} tells of the kept state: ${await text(page, 'kept')}`);
  const pulled = () => page.evaluate(() => document.getElementById('gravity')?.value);
  const before = await pulled();
  await back(2);
  if (before === undefined) await page.evaluate(() => globalThis.tactusPage.act({do: 'set', gravity: [0, 0, 4]}));
  else await slide(page, 'gravity', -4);
  await settle(page);
  expect(String(await steps()) === '0,10,20', `${name} still has the states ${await steps()} after another act`);
  await stepOften(page, 15);
  expect(String(await hashes()) !== String(end), `${name} comes to the same state with other gravity`);
  await press(page, '#go-back');
  await settle(page);
  expect(String(await hashes()) === String(end) && (await now()).every((step) => step === 35), `${name} went back to ${await hashes()} in place of ${end}`);
  expect(await pulled() === before && String(await steps()) === '0,10,20', `${name}: gravity is ${await pulled()}, the states ${await steps()}, once it is back`);
}

/// Tries the bound of a timeline with a world of the module: states lie farther apart then, and what is left gives the same bits.
export function tryBound(tactus, {expect}) {
  const live = tactus.world({bodies: [{type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}},
    {shape: {type: 'box', size: [1, 1, 1]}, pose: {position: [0, 0, 0.8]}}]});
  const timeline = new Timeline(live, {every: 2, states: 5});
  const seen = () => ({contacts: live.contacts().slice(), forces: live.forces().slice(), statistics: live.statistics()});
  const run = (count) => {
    for (let i = 0; i < count; ++i) {
      live.step();
      if (timeline.isDue(live.statistics().step)) timeline.record(seen());
    }
  };
  timeline.record(seen());
  run(40);
  const {steps, every, bytes} = timeline.summary;
  expect(every === 16 && String(steps) === '0,16,32' && bytes > 0, `a timeline of 5 states holds ${steps}, one in ${every} steps`);
  const end = live.hash();
  timeline.goTo(16);
  run(24);
  expect(live.hash() === end && timeline.summary.replayed === 1 && timeline.summary.differing === 0, `from step 16 the state is ${live.hash()} in place of ${end}`);
  live.act({do: 'push', body: 2, impulse: [1, 0, 0], point: [0, 0, 0.5]});
  timeline.acted(40);
  timeline.goTo(32); // before the push: what came after it is no future of this state
  run(16);
  expect(String(timeline.summary.steps) === '0,16,32,48' && timeline.summary.differing === 0, `after a push the states are ${timeline.summary.steps}`);
  live.close();
}
