// The page "Many at once" under a hand: its steps and its answers are those of the native program, bit by bit, and what it draws
// follows from them.
import {dragPixels, open, press, settle, slide, text, until} from './playground_browser.mjs';

const kDrags = {hull: 14, search: 12, sweep: 12, hash: 12};
const kHeld = {hull: 'point', search: 'mesh', sweep: 'box', hash: 'vertex'};

const row = (count, make) => Array.from({length: count}, (_, i) => make(i));
const far = 1e5;
// Equal, in a line, flat, touching, one within the other, far: where algorithms take other branches.
const kDegenerate = [
  ['hull', 0, [[0, 0, 0]]], ['hull', 0, row(5, () => [1, 2, 3])], ['hull', 0, row(5, (i) => [i, i, i])], ['hull', 0, row(4, (i) => [i % 2, i > 1 ? 1 : 0, 0.5])],
  ['hull', 0, row(16, (i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1])], ['hull', 0, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1e-15], [0.5, 0.5, 0]]], ['hull', 1, row(9, (i) => [i % 3, Math.floor(i / 3), 0])],
  ['search', 0, [[0, 0, 0], [0, 0, 0]]], ['search', 2, [[-far, 0, 0], [far, 0, 0]]], ['search', 1, [[0, 0, 0], [0, 0, 0.45]]], ['search', 1, [[0, 0, 0], [0, 0, 0.4500001]]],
  ['sweep', 0, [[0, 0, 1, 1]]], ['sweep', 0, row(6, () => [0, 0, 1, 1])], ['sweep', 0, row(6, (i) => [i, i, i + 1, i + 1])], ['sweep', 0, row(5, () => [2, 2, 2, 2])], ['sweep', 0, row(6, (i) => [-i, 0, far, 1])],
  ['hash', 2, row(9, () => [1, 1, 1, 1])], ['hash', 2, row(9, (i) => [i % 3, i, i % 3, i])], ['hash', 2, row(9, (i) => [i, 0, -i, 0])], ['hash', 2, row(9, (i) => [i % 3, (i * i) % 5, far, i])],
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
export async function tryMany(page, where, touch, kind, {expect, native, keepPicture}) {
  const random = generator(20);
  const claims = [];
  const state = () => page.evaluate(() => window.tactusPage.state);
  const set = (more) => page.evaluate((value) => window.tactusPage.set(value), more);
  // Keeps an answer with the page's line, which the program answers all at once in the end.
  async function expectAnswer(what) {
    const line = await text(page, 'line');
    const {answer, frames, step} = await page.evaluate(() => ({answer: window.tactusPage.answer, frames: window.tactusPage.frames.length, step: window.tactusPage.state.step}));
    expect(!answer.error, `${what}: ${answer.error}`);
    expect(frames > 0 && step >= 0 && step < frames, `${what}: step ${step} of ${frames}`);
    claims.push({what, line, answer});
    return answer;
  }
  // A place of something that can be dragged, on the page.
  const spot = (seed) => page.evaluate((pick) => {
    const {sketch, state: now} = window.tactusPage;
    const {things} = now;
    const thing = things[Math.floor(pick * things.length)];
    const middle = now.algorithm === 'sweep' ? [(thing[0] + thing[2]) / 2, (thing[1] + thing[3]) / 2, 0] : now.algorithm === 'hash' ? [thing[2], thing[3], 0] : thing;
    const box = sketch.canvas.getBoundingClientRect();
    const [x, y] = sketch.toCanvas(middle);
    return {at: [x + box.left, y + box.top], box: [box.left, box.top, box.width, box.height]};
  }, seed);

  await open(page, where('many'));
  await settle(page);
  for (const id of ['legend', 'words', 'codes', 'sentence', 'why', 'about']) expect((await text(page, id)).length > 20, `the page has no ${id}`);
  for (const [id, drags] of Object.entries(kDrags)) {
    await page.select('#algorithm', id);
    await settle(page);
    const presets = await page.$$eval('#preset option', (all) => all.map(({value}) => value).filter((value) => value !== '-1'));
    for (const value of presets) {
      await page.select('#preset', value);
      await settle(page);
      await expectAnswer(`${id}, preset ${value}`);
      // A marked line and a sentence at each of some steps.
      const {length} = await page.evaluate(() => window.tactusPage.frames);
      for (const at of [0, 0.3, 0.6, 1]) {
        await slide(page, 'scrub', Math.round(at * (length - 1)));
        const shown = await page.evaluate(() => [document.querySelector('#codes [aria-current]')?.textContent ?? '', document.getElementById('sentence').textContent]);
        expect(shown.every((words) => words.length > 4 && !/undefined|NaN|null/.test(words)), `${id}, preset ${value}, at ${at} of the steps: ${shown}`);
        if (at === 0.6 && value === '0') {
          await settle(page);
          await keepPicture(page, `${kind}-many-${id}`);
        }
      }
    }
    await page.select('#preset', id === 'hull' ? '1' : '0');
    await settle(page);
    for (let i = 0; i < drags; ++i) {
      if (i === drags / 2 && id === 'hull') {
        await page.select('#preset', '0');
        await settle(page);
      }
      const before = JSON.stringify((await state()).things);
      const {at, box} = await spot(random());
      await dragPixels(page, at, [box[0] + box[2] * (0.2 + 0.6 * random()), box[1] + box[3] * (0.2 + 0.6 * random())], touch);
      await settle(page);
      expect(before !== JSON.stringify((await state()).things), `${id}, drag ${i} moves no ${kHeld[id]}`);
      await expectAnswer(`${id}, drag ${i}`);
    }
  }
  for (const [algorithm, scene, things] of kDegenerate) {
    await set({algorithm, scene, preset: -1, things, before: [], step: 1e9});
    await expectAnswer(`${algorithm} of ${JSON.stringify(things)}`);
  }

  // To and fro, and back from the address.
  await page.select('#algorithm', 'search');
  await settle(page);
  await press(page, '#forward');
  await press(page, '#forward');
  await press(page, '#back');
  expect((await state()).step === 1, 'two steps and one back do not end at the second');
  await set({algorithm: 'hull', scene: 0, preset: -1, things: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], step: 0});
  await press(page, '#play');
  await until(page, () => window.tactusPage.state.step === window.tactusPage.frames.length - 1);
  expect(await page.$eval('#play', (button) => button.textContent) === 'Play', 'it does not stop at the answer');
  await until(page, () => {
    const written = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return written.step === window.tactusPage.state.step && JSON.stringify(written.things).includes('[1,1,1]');
  });
  const link = await page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await until(page, () => window.tactusPage?.answer?.vertices?.length === 5 && window.tactusPage.state.step === window.tactusPage.frames.length - 1);
  expect((await state()).things.length === 5, 'the address does not bring the page back');

  const right = native(['steps', '-'], `${claims.map(({line}) => line).join('\n')}\n`);
  expect(right.length === claims.length, `${right.length} answers of the program to ${claims.length} lines`);
  claims.forEach(({what, answer}, i) => expect(JSON.stringify(answer) === JSON.stringify(right[i]), `${what}: the page's ${JSON.stringify(answer).slice(0, 300)} is not the program's ${JSON.stringify(right[i]).slice(0, 300)}`));
  console.log(`${kind}, many: ${claims.length} answers compared`);
}
