// The page "Your own" with files of all kinds.
import {spawnSync} from 'node:child_process';
import {truncateSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {tryHeat} from './own_heat.mjs';
import {tryRobots} from './own_robot.mjs';
import {choose, open, press, settle, slide, until, values} from './playground_browser.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

async function upload(page, paths, pattern) {
  await choose(page, paths);
  await until(page, (what) => new RegExp(what).test(document.getElementById('message').textContent + document.getElementById('facts').textContent), pattern);
}

export async function tryOwn(page, where, touch, kind, tools) {
  for (const [name, attempt] of Object.entries({meshes: tryMeshes, heat: tryHeat, robots: tryRobots})) {
    const start = Date.now();
    await attempt(page, where, touch, kind, tools);
    console.log(`${kind}, own, ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

async function tryMeshes(page, where, touch, kind, {expect, keepPicture, file, scratch, program}) {
  await open(page, where('own'));
  await press(page, '[data-show=hull]');
  await until(page, () => /volume/.test(document.getElementById('facts').textContent));
  const hull = (await values(page, 'facts')).find((v) => v?.volume);
  expect(Math.abs(hull.volume - 18) < 1e-9, `the hull of the bracket has a volume of ${hull.volume}, not 18`);
  await settle(page);
  await keepPicture(page, `${kind}-own`);
  const shown = async (key) => (await values(page, 'facts')).find((v) => v && key in v)?.[key];
  const untilBodies = (...names) => until(page, (...wanted) =>
    JSON.stringify([...document.querySelectorAll('#bodies tr')].map((row) => row.cells[1].textContent)) === JSON.stringify(wanted), ...names);
  // The example is right side out, as the report of the program tells it.
  await press(page, '[data-show=report]');
  await until(page, () => /inside out/.test(document.getElementById('facts').textContent));
  expect(await shown('inside_out') === false && await shown('volume') === 12 && await shown('self_crossings') === 0, `the example is ${JSON.stringify(await values(page, 'facts'))}`);
  // Halfway up two walls are cut: 1 x 1.5 each.
  await press(page, '[data-show=slice]');
  await until(page, () => /area/.test(document.getElementById('facts').textContent) && /segments/.test(document.getElementById('facts').textContent));
  expect(Math.abs(await shown('area') - 3) < 1e-6 && Math.abs(await shown('length') - 10) < 1e-6, `a slice has an area of ${await shown('area')}, a length of ${await shown('length')}`);
  await settle(page);
  await keepPicture(page, `${kind}-own-slice`);
  // Files of what is shown: the program reads the same from them.
  const saved = async (what, ending) => Buffer.from(await page.evaluate(async ([of, kind_]) =>
    [...await window.tactusPage.engine.call('surfaceFile', 0, of, kind_)], [what, ending]));
  for (const ending of ['stl', 'glb']) {
    const path = join(scratch, `saved.${ending}`);
    writeFileSync(path, await saved('surface', ending));
    const told = JSON.parse(spawnSync(program, ['mesh', path, '--json'], {encoding: 'utf8'}).stdout || 'null');
    expect(told?.volume === 12 && told.closed, `the program reads ${JSON.stringify(told)} from a saved ${ending}`);
  }
  const hullShape = JSON.parse(String(await saved('hull', 'json')));
  expect(hullShape.type === 'convex' && hullShape.vertices.length === 8, `the hull is saved as ${JSON.stringify(hullShape)}`);
  // The first file takes the place of the example, the second one is the second body.
  const small = 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n';
  const large = small.replaceAll(/^([01]) ([01]) ([01])$/gm, (_, x, y, z) => `${4 * x} ${4 * y} ${4 * z}`);
  await choose(page, [file('first.off', large)]);
  await untilBodies('first.off', 'none yet');
  await choose(page, [file('second.off', small)]);
  await untilBodies('first.off', 'second.off');
  await until(page, () => /bracket/.test(document.getElementById('facts').textContent));
  const apart = (await values(page, 'facts')).find((v) => v?.status);
  expect(apart?.status === 'converged' && Math.abs(apart.distance - 2) < 1e-12, `the second mesh is ${JSON.stringify(apart)}, not 2 away`);
  await press(page, '#swap');
  await until(page, () => document.querySelector('#bodies tr').textContent.includes('second.off'));
  await choose(page, [join(scratch, 'first.off'), join(scratch, 'second.off')]);
  await untilBodies('first.off', 'second.off');
  await settle(page);
  // Pushed into each other: a depth, which the bracket holds.
  await slide(page, 'shift', -0.15);
  await until(page, () => /depth/.test(document.getElementById('facts').textContent));
  await settle(page);
  await keepPicture(page, `${kind}-own-depth`);
  await upload(page, [file('garbage.stl', 'x'.repeat(300))], 'garbage\\.stl');
  if (touch) return;
  await press(page, '#example');
  await until(page, () => document.querySelector('#bodies tr').textContent.includes('bracket.obj'));
  await press(page, '[data-show=boxes]');
  await until(page, () => /least of all/.test(document.getElementById('facts').textContent));
  await press(page, '[data-show=parts]');
  await until(page, () => /parts3/.test(document.getElementById('facts').textContent));
  await settle(page);
  await keepPicture(page, `${kind}-own-parts`);
  expect(JSON.parse(await page.evaluate(async () => new TextDecoder().decode(await window.tactusPage.engine.call('surfaceFile', 0, 'parts', 'json')))).parts.length === 3,
    'three parts are not saved');
  // A saved file is read again; heavy work can be cancelled, and the page goes on.
  await upload(page, [join(scratch, 'saved.glb')], 'saved\\.glb|vertices');
  await page.evaluate(() => { window.tactusPage.engine.call('parts', 0, 0.02).catch(() => {}); });
  await page.$eval('#cancel', (button) => button.click());
  await until(page, () => document.getElementById('message').textContent === 'Cancelled.');
  await press(page, '[data-show=hull]');
  await until(page, () => /proved/.test(document.getElementById('facts').textContent));
  await upload(page, [file('model.dae', 'x')], 'model\\.dae: line 1: broken XML');
  await upload(page, [file('picture.png', 'x')], 'no known kind');
  await upload(page, [file('scene.json', '{"bodies": 3}')], 'bodies');
  const heavy = file('large.obj', '');
  truncateSync(heavy, 500e6);
  await upload(page, [heavy], '500 MB');
  await upload(page, [join(root, 'scenes/stack.json')], 'moving bodies');
  await keepPicture(page, `${kind}-own-scene`);
  const run = spawnSync(program, ['simulate', join(root, 'scenes/stack.json'), '--steps', '60', '--out', scratch], {encoding: 'utf8'});
  expect(run.status === 0 || run.status === 1, run.stderr);
  await upload(page, [join(root, 'scenes/stack.json'), join(scratch, 'stack.tactus')], 'duration');
  await keepPicture(page, `${kind}-own-recording`);
}
