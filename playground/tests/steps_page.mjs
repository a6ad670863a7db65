// The page "See it think" under a hand: what each algorithm ends with is the answer of the native program, bit by bit.
import {dragPixels, open, press, settle, slide, text, until} from './playground_browser.mjs';

const kDrags = 50;
const kSolids = ['box', 'pebble', 'cone', 'octahedron', 'ellipsoid', 'tetrahedron', 'cylinder', 'plate', 'capsule', 'cube', 'sphere'];
const kMethods = ['gjk', 'gjk_signed_volumes', 'gjk_nesterov', 'auto', 'closed_form', 'epa_classic', 'epa_margin', 'epa_spheres', 'mpr', 'chung_wang', 'sat', 'separating_plane', 'v_clip', 'cast',
  'impact'];
const kStill = [1, 0, 0, 0];
const kQuarter = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

// Touching, concentric, equal, parallel, level, far, flat on flat: where algorithms take other branches.
const kDegenerate = [
  ['cube', 'cube', [1, 0, 0]], ['cube', 'cube', [0, 0, 0]], ['cube', 'cube', [0.5, 0, 0]], ['cube', 'cube', [1, 1, 0]], ['cube', 'cube', [1, 1, 1]],
  ['cube', 'cube', [0.5, 0, 0], kQuarter], ['cube', 'cube', [1 + 1e-12, 0, 0]], ['cube', 'cube', [1 - 1e-12, 0, 0]], ['sphere', 'sphere', [1.2, 0, 0]],
  ['sphere', 'sphere', [0, 0, 0]], ['octahedron', 'octahedron', [0, 0, 0]], ['octahedron', 'octahedron', [1.6, 0, 0]], ['plate', 'plate', [0, 0, 0.2]],
  ['plate', 'box', [0.3, 0, 0]], ['capsule', 'capsule', [0.7, 0, 0]], ['capsule', 'capsule', [0, 0, 0]], ['cylinder', 'cylinder', [1, 0, 0]],
  ['cylinder', 'cone', [0, 0, 1.25]], ['ellipsoid', 'ellipsoid', [0, 0, 0], kQuarter], ['cone', 'tetrahedron', [1e5, 0, 0]],
];

// Numbers in [0, 1), the same on every run.
function generator(seed) {
  let x = seed;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return x / 2 ** 32;
  };
}

/// `tools`: {expect, native, keepPicture} of the test of all pages.
export async function trySteps(page, where, touch, kind, {expect, native, keepPicture}) {
  // Keeps the last step of each method with the page's lines, which the program answers all at once in the end.
  const claims = [];
  async function expectAnswers(what) {
    const lines = (await text(page, 'line')).split('\n');
    const shown = await page.evaluate(() => window.tactusPage.runs.map(({answer, frames}) => {
      const {steps, ...rest} = answer;
      const {lower, upper} = frames.at(-1);
      return {rest, steps: steps.length, last: steps.at(-1) ?? null, lower, upper};
    }));
    expect(shown.length === lines.length, `${what}: ${shown.length} methods for ${lines.length} lines`);
    shown.forEach((one, i) => claims.push({what, line: lines[i], ...one}));
    return shown;
  }
  function compareAnswers() {
    const right = native(['query', '-'], `${claims.map(({line}) => line).join('\n')}\n`);
    claims.forEach(({what, rest, steps, last, lower, upper}, i) => {
      const {steps: wanted, id, ...answer} = right[i];
      delete rest.id;
      expect(JSON.stringify(rest) === JSON.stringify(answer), `${what}: the page shows ${JSON.stringify(rest)}, the program says ${JSON.stringify(right[i]).slice(0, 400)}`);
      expect(steps === wanted.length && JSON.stringify(last) === JSON.stringify(wanted.at(-1) ?? null), `${what}: ${steps} steps, the program takes ${wanted.length}`);
      const ends = answer.time === undefined ? [answer.lower, answer.upper] : [answer.time, answer.time_upper];
      expect(lower === ends[0] && upper === ends[1], `${what}: the last step says [${lower}, ${upper}], the answer is [${ends}]`);
    });
    console.log(`${kind}, steps: ${claims.length} answers compared`);
  }
  // Done once the page shows the answers.
  const set = (more) => page.evaluate((state) => window.tactusPage.set(state), more);
  const state = () => page.evaluate(() => window.tactusPage.state);
  const spot = (name) => page.evaluate((which) => {
    const {sketches: {bodies}, state: now} = window.tactusPage;
    const box = bodies.canvas.getBoundingClientRect();
    const [x, y] = bodies.toCanvas(now[which]);
    return {at: [x + box.left, y + box.top], box: [box.left, box.top, box.width, box.height]};
  }, name);

  await open(page, where('steps'));
  await settle(page);
  for (const id of ['legend', 'words', 'codes', 'sentence', 'why', 'about']) expect((await text(page, id)).length > 20, `the page has no ${id}`);
  expect((await page.$$eval('h1', (all) => all.length)) === 1 && (await page.$$eval('#words dt', (all) => all.length)) >= 10, 'no heading, or no words explained');
  await expectAnswers('first preset');
  // To and fro.
  await press(page, '#forward');
  await press(page, '#forward');
  await press(page, '#back');
  expect((await state()).step === 1, 'two steps and one back do not end at the second');
  const line = () => page.$eval('#codes [aria-current]', (item) => item.textContent);
  await slide(page, 'scrub', 2);
  expect((await state()).step === 2 && (await line()).length > 0, 'the slider does not choose a step, or no line of the pseudo-code is marked');
  await press(page, '#play');
  await until(page, () => window.tactusPage.state.step === window.tactusPage.runs[0].frames.length - 1);
  expect(await page.$eval('#play', (button) => button.textContent) === 'Play', 'it does not stop at the answer');
  await keepPicture(page, `${kind}-steps`);
  // The answer is proved anew in the page.
  await until(page, () => window.tactusPage.proofs.length === 1);
  expect(await page.evaluate(() => window.tactusPage.proofs[0].ok), 'the checker does not prove the answer');

  const random = generator(11);
  for (let i = 0; i < kDrags; ++i) {
    const [a, b] = [kSolids[i % kSolids.length], kSolids[(3 * i + 1) % kSolids.length]];
    const [method, other] = [kMethods[i % kMethods.length], kMethods[(5 * i + 3) % kMethods.length]];
    await set({flat: false, a: i % 2 ? a : 'box', b: i % 3 ? b : 'octahedron', at: [-0.5, 0, 0], to: [0.5, 0.2, 0.1], turnB: kStill, method, other, step: 0});
    await settle(page);
    const {at, box} = await spot(random() < 0.5 ? 'at' : 'to');
    const before = await state();
    await dragPixels(page, at, [box[0] + box[2] * (0.2 + 0.6 * random()), box[1] + box[3] * (0.2 + 0.6 * random())], touch);
    await settle(page);
    const after = await state();
    expect(JSON.stringify([before.at, before.to]) !== JSON.stringify([after.at, after.to]) || JSON.stringify(before.way) !== JSON.stringify(after.way),
      `drag ${i} moves nothing`);
    await expectAnswers(`drag ${i}, ${method} beside ${other}`);
  }
  for (const [i, [a, b, to, turnB = kStill]] of kDegenerate.entries()) {
    for (let k = i % 2; k < kMethods.length; k += 2) {
      await set({a, b, at: [0, 0, 0], to, turnA: kStill, turnB, method: kMethods[k], other: kMethods[(k + 1) % kMethods.length], step: 1e9});
      await expectAnswers(`${a} and ${b} at ${to}, ${kMethods[k]}`);
    }
  }

  // Every preset shows something, and its answers are those of the program.
  const presets = await page.$$eval('#preset option', (all) => all.map(({value}) => value).filter((value) => value !== '-1'));
  for (const value of presets) {
    await page.select('#preset', value);
    await settle(page);
    const answers = await expectAnswers(`preset ${value}`);
    expect(answers.some(({rest}) => rest.status !== 'unsupported'), `preset ${value} has no answer`);
    await page.evaluate(() => document.getElementById('to-end').click()); // switched off where there is one step
    await settle(page);
    if (['0', '3', '6', '7'].includes(value)) await keepPicture(page, `${kind}-steps-${value}`);
  }
  // Published forms are told beside the bracket that is proved; the three depths of MPR have the bits of the program.
  const choosePreset = async (name) => {
    const value = await page.$$eval('#preset option', (all, wanted) => all.find(({textContent}) => textContent === wanted)?.value, name);
    await page.select('#preset', value);
    await settle(page);
    return page.evaluate(() => window.tactusPage.runs.map(({answer: {steps, ...answer}, depths}) => ({answer, depths})));
  };
  const [{answer: margin}] = await choosePreset('A margin with a coarse stop');
  expect(margin.upper < 0 && margin.literal.collision === false, `a margin with a coarse stop: ${JSON.stringify(margin)}`);
  const [{answer: bulge}] = await choosePreset('Spheres for faces');
  expect(bulge.literal.collision && bulge.literal.distance < 1.3 * bulge.lower && bulge.lower < 0, `spheres for faces: ${JSON.stringify(bulge)}`);
  const [{depths}, {answer: least}] = await choosePreset('MPR’s three depths');
  const {ray, ...asked} = JSON.parse((await text(page, 'line')).split('\n')[0]);
  const [own, along] = native(['query', '-'], [{...asked, portal_tolerance: 1e-9}, {...asked, ray}].map((line) => `${JSON.stringify(line)}\n`).join('')).map(({literal}) => literal);
  expect(JSON.stringify(depths.map(({depth}) => depth)) === JSON.stringify([own.ray_upper, along.ray_upper, own.normal_depth]), `the depths are ${JSON.stringify(depths)}, the program says ${JSON.stringify([own, along])}`);
  expect(depths.every(({depth}) => depth > -1.5 * least.distance), `the depths ${JSON.stringify(depths)} are near the least one, ${least.distance}`);
  expect(/along A’s motion/.test(await text(page, 'answer')), 'the table has no depth along the motion');
  await page.evaluate(() => document.getElementById('to-end').click());
  await settle(page);
  await keepPicture(page, `${kind}-steps-depths`);
  // Two methods beside each other, the painted sphere, and back from the address.
  await set({a: 'ellipsoid', b: 'cylinder', at: [-0.3, 0, 0], to: [0.4, 0.1, 0], method: 'auto', other: 'epa_classic', sphere: true, step: 3});
  await settle(page);
  await keepPicture(page, `${kind}-steps-sphere`);
  await until(page, () => decodeURIComponent(location.hash).includes('"sphere":true'));
  const link = await page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await until(page, () => window.tactusPage?.runs.length === 2 && window.tactusPage.state.step === 3);
  expect((await state()).other === 'epa_classic' && !(await page.$eval('#second-view', (view) => view.hidden)), 'the address does not bring the page back');
  compareAnswers();
  const times = await page.evaluate(async () => {
    const all = [];
    for (let i = 0; i < 15; ++i) {
      await window.tactusPage.set({to: [0.4 + 0.02 * i, 0.1, 0]});
      await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
      const {times: t, sketches} = window.tactusPage;
      all.push([t.worker, t.show + Object.values(sketches).reduce((sum, {drawMs}) => sum + drawMs, 0)]);
    }
    return [0, 1].map((k) => all.map((row) => row[k]).sort((x, y) => x - y)[7]);
  });
  console.log(`${kind}, steps: ${times[0].toFixed(1)} ms in the module, ${times[1].toFixed(1)} ms in the page for a drag, medians`);
}
