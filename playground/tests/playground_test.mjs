#!/usr/bin/env node
// playground/tests/playground_test.mjs FOLDER PROGRAM [--tour] [--only PAGE] [--pictures FOLDER]
// Opens the pages of the playground in headless Chromium, from files, on a phone, uses them by touch, and compares what they show
// with the answers of the native PROGRAM; opens each from a server, on a desktop, and uses those of the plane there by mouse. With
// --tour all are.
// Fails on any console error. No step depends on how fast the machine is.
import {spawnSync} from 'node:child_process';
import {createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {deflateSync} from 'node:zlib';

import {finish, onPage, option, withBrowser} from '../../player/tests/player_browser.mjs';
import {drag, dragPixels, follow, hand, message, onBoard, open, press, settle, slide, text, until, values} from './playground_browser.mjs';
import {trySteps} from './steps_page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [folder, program] = process.argv.slice(2, 4).map((path) => resolve(path));
const pictures = option('pictures', null);
if (pictures) mkdirSync(pictures, {recursive: true});
const tour = process.argv.includes('--tour');
const kPages = ['steps', 'ball', 'comet', 'digitise', 'pile', 'machines', 'soft', 'own'].filter((name) => option('only', name) === name);
const kByMouse = ['ball', 'comet']; // the others differ by little from what a finger does, and take a minute
const problems = [];
const scratch = mkdtempSync(join(tmpdir(), 'tactus-pages-'));

function expect(condition, what) {
  if (!condition) problems.push(what);
}

const server = createServer((request, response) => {
  const path = join(folder, new URL(request.url, 'http://x').pathname);
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, {'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html'});
  createReadStream(path).pipe(response);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${server.address().port}`;
const onServer = (page) => `${address}/${page}.html`;
const onFile = (page) => pathToFileURL(join(folder, `${page}.html`)).href;

async function keepPicture(page, name) {
  if (pictures) await page.screenshot({path: join(pictures, `${name}.png`)});
}

function native(args, input) {
  const done = spawnSync(program, args, {input, encoding: 'utf8', maxBuffer: 1 << 28});
  if (done.error) throw done.error;
  return done.stdout.trim().split('\n').map((line) => JSON.parse(line));
}

function file(name, content) {
  writeFileSync(join(scratch, name), content);
  return join(scratch, name);
}

async function expectTouches(page, where) {
  await settle(page);
  const [right] = native(['planar', 'query', '-'], `${await text(page, 'line')}\n`);
  const shown = await values(page, 'touches');
  const wanted = right.touches.map(({point, segment, part, normal, angle, depth, kind}) => ({point, segment, part, normal, angle, depth, kind}));
  expect(JSON.stringify(shown) === JSON.stringify(wanted), `${where}: the page shows ${JSON.stringify(shown)}, the program says ${JSON.stringify(wanted)}`);
  return shown;
}

const ballAt = (page) => page.evaluate(() => [window.tactusPage.state.x, window.tactusPage.state.y]);

async function tryBall(page, where, touch, kind) {
  await open(page, where('ball'), {profile: 0, x: 0, y: 1, radius: 0.6});
  expect((await expectTouches(page, 'ball above')).length === 0, 'a ball in the air touches');
  for (const to of [[-0.8, -1.85], [-4, -0.1], [1.1, -0.2], [5.6, 1.1]]) {
    await drag(page, await ballAt(page), to, touch);
    const [x, y] = await ballAt(page);
    expect(Math.hypot(x - to[0], y - to[1]) < 0.1, `a drag to ${to} leaves the ball at ${x}, ${y}`);
    expect((await expectTouches(page, `ball at ${to}`)).length > 0, `no touch at ${to}`);
  }
  await keepPicture(page, `${kind}-ball`);
  // A corner that opens towards the ball: two touches.
  await open(page, where('ball'), {profile: 3, x: -3.5, y: -2, radius: 0.6});
  const corner = await expectTouches(page, 'corner');
  expect(corner.length === 2 && corner.every(({kind: at}) => at === 'concave') && corner[0].segment < corner[1].segment, `corner: ${JSON.stringify(corner)}`);
  expect((await text(page, 'touches')).includes('>'), 'no sign of a concave corner');
  await keepPicture(page, `${kind}-corner`);
  await press(page, '#profil');
  await until(page, () => document.getElementById('profile-name').textContent.startsWith('Bowl'));
  const before = await ballAt(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowUp');
  await settle(page);
  expect((await ballAt(page))[1] > before[1], 'an arrow key does not move the ball');
  await press(page, '#bounce');
  await until(page, (y) => Math.abs(window.tactusPage.state.y - y) > 0.3, before[1]);
  await press(page, '#bounce');
  await expectTouches(page, 'after bouncing');
  await until(page, () => decodeURIComponent(location.hash).includes('"profile":4'));
}

async function expectVerdict(page, where) {
  await settle(page);
  const shown = await values(page, 'verdicts');
  const [right] = native(['planar', 'query', '-'], `${await text(page, 'line')}\n`);
  const chosen = await page.evaluate(() => window.tactusPage.state.chosen);
  const pair = shown.find(({i, k}) => i === chosen || k === chosen);
  expect(pair && pair.overlap === right.overlap && pair.distance === right.distance && pair.lower === right.lower && pair.upper === right.upper,
    `${where}: the page shows ${JSON.stringify(pair)}, the program says ${JSON.stringify(right)}`);
  return pair;
}

async function tryComet(page, where, touch, kind) {
  await open(page, where('comet'), {bodies: [[0, -1, -0.6, 0], [1, 2.6, 2.6, 0.2]], chosen: 1, debug: true});
  expect((await expectVerdict(page, 'comet apart')).overlap === false, 'bodies apart collide');
  const handle = (name, i) => page.evaluate(([which, body]) => window.tactusPage[which](body), [name, i]);
  await drag(page, await handle('centroid', 1), [1.5, 0.9], touch);
  expect((await expectVerdict(page, 'comet moved')).overlap === true, 'the lander dragged onto the comet does not collide');
  const angle = await page.evaluate(() => window.tactusPage.state.bodies[1][3]);
  const [yellow, red] = [await handle('turner', 1), await handle('centroid', 1)];
  await drag(page, yellow, [red[0], red[1] + 0.8], touch);
  await expectVerdict(page, 'comet turned');
  expect(await page.evaluate(() => window.tactusPage.state.bodies[1][3]) !== angle, 'the yellow handle does not turn');
  await keepPicture(page, `${kind}-comet`);
  // A small body inside: no ray meets a segment, and yet the interiors meet.
  await open(page, where('comet'), {bodies: [[2, 0, 0, 0], [2, 0.9, 0.9, 0.5]], chosen: 0, debug: false});
  await expectVerdict(page, 'clamps');
  await press(page, '#add');
  await until(page, () => window.tactusPage.verdicts.length === 3);
  await press(page, '#debug');
  await press(page, '#item');
  expect((await text(page, 'chosen')).includes('2 clamp'), 'Item does not choose the next body');
  await press(page, '#remove');
  await until(page, () => window.tactusPage.verdicts.length === 1);
}

const fact = (page, name) => page.$$eval('#facts tr', (rows, which) =>
  rows.find((row) => row.cells[0].textContent === which)?.cells[1].textContent ?? '', name);

async function choose(page, paths) {
  await (await page.$('#files')).uploadFile(...paths);
}

// A picture of one grey value, compressed well.
function greyPng(width, height) {
  const table = Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
  });
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE((~body.reduce((c, byte) => (c >>> 8) ^ table[(c ^ byte) & 255], 0xffffffff)) >>> 0);
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0], 8);
  const rows = Buffer.alloc(Math.min(height, 100) * (1 + Math.ceil(width / 8)));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))]);
}

async function tryDigitise(page, where, touch, kind) {
  await open(page, where('digitise'), {by: 'points', points: 30});
  await settle(page);
  expect(await fact(page, 'shapes') === '3, holes 1', `the sample has ${await fact(page, 'shapes')}`);
  expect(await fact(page, 'verdict') === 'valid outlines', `the sample is ${await fact(page, 'verdict')}`);
  await keepPicture(page, `${kind}-digitise`);
  const ring = () => page.evaluate(() => window.tactusPage.outlines.rings[0].points);
  const count = () => page.evaluate(() => window.tactusPage.outlines.count);
  const before = await ring();
  // A point is moved, and the outline then crosses itself.
  await drag(page, before[0], [before[0][0] + 20, before[0][1] + 12], touch);
  const moved = await ring();
  expect(Math.hypot(moved[0][0] - before[0][0] - 20, moved[0][1] - before[0][1] - 12) < 3, `a point dragged by 20, 12 went from ${before[0]} to ${moved[0]}`);
  const third = Math.floor(moved.length / 3);
  await drag(page, moved[0], moved[third], touch);
  await settle(page);
  expect(/shape \d: .*cross|touch|meet/.test(await fact(page, 'verdict')), `an outline that crosses itself is ${await fact(page, 'verdict')}`);
  await keepPicture(page, `${kind}-digitise-crossing`);
  for (let i = 0; i < 2; ++i) await press(page, '#undo');
  await settle(page);
  expect(JSON.stringify(await ring()) === JSON.stringify(before), 'undoing does not lead back');
  // Points are added and deleted.
  const all = await count();
  await press(page, '[data-mode=add]');
  const length = (i) => Math.hypot(...[0, 1].map((k) => before[(i + 1) % before.length][k] - before[i][k]));
  const longest = before.reduce((best, _, i) => (length(i) > length(best) ? i : best), 0);
  const middle = [0, 1].map((k) => (before[longest][k] + before[(longest + 1) % before.length][k]) / 2);
  const [at] = await onBoard(page, [middle]);
  await dragPixels(page, at, [at[0] + 2, at[1] + 2], touch);
  await settle(page);
  expect(await count() === all + 1, 'no point is added');
  await press(page, '[data-mode=delete]');
  const [first] = await onBoard(page, [(await ring())[0]]);
  await dragPixels(page, first, first, touch);
  await settle(page);
  expect(await count() === all, 'no point is deleted');
  // The contour file is what the program reads.
  const regions = JSON.parse(await page.evaluate(() => window.tactusPage.outlines.text('regions')));
  expect(regions.regions.length === 3 && regions.regions[0].outer.length >= 3, 'the contour file holds no regions');
  // A file that is no picture, or too large a one, is named; then the page goes on.
  const large = file('large.png', '');
  truncateSync(large, 500e6);
  for (const [path, says] of [[file('words.png', 'no picture'), 'no picture'],
    [file('huge.png', greyPng(20000, 20000)), '20000 x 20000'], [large, '500 MB']]) {
    await choose(page, [path]);
    await until(page, (word) => document.getElementById('message').textContent.includes(word), says);
  }
  await press(page, '#sample');
  await until(page, () => document.getElementById('message').hidden && window.tactusPage.outlines.regions.length === 3);
  // Played with at once.
  await settle(page);
  await follow(page, '#to-comet', 'comet');
  expect(await page.evaluate(() => window.tactusPage.verdicts.length) === 3, 'the outlines do not come to the comet page');
  await expectVerdict(page, 'outlines from a picture');
  await keepPicture(page, `${kind}-digitise-comet`);
  await open(page, where('digitise'), {by: 'error', error: 0});
  await settle(page);
  await follow(page, '#to-ball', 'ball');
  await until(page, () => document.getElementById('profile-name').textContent.startsWith('From sample'));
  await expectTouches(page, 'ball on an outline from a picture');
  await keepPicture(page, `${kind}-digitise-ball`);
}

const shownStep = (page) => page.evaluate(() => Number(document.querySelector('#statistics td').textContent));

// Stops a page that plays, and waits until nothing is on its way.
async function pause(page) {
  await press(page, '#play');
  await until(page, () => document.getElementById('play').textContent === 'Play');
  await settle(page);
}

// Where a body can be pressed: what was poured lies above the canvas at first.
async function bodyOnCanvas(page) {
  return page.evaluate(() => {
    const {view} = window.tactusPage;
    const box = view.canvas.getBoundingClientRect();
    for (const body of view.moving) {
      const [x, y] = view.bodies.placeOnCanvas(body);
      const at = [x + box.left, y + box.top];
      if (document.elementFromPoint(...at) === view.canvas && view.bodies.pick(x, y) === body) return at;
    }
    return null;
  });
}

async function tryPile(page, where, touch, kind) {
  await open(page, where('pile'), {count: 20, playing: true, contacts: true, normals: true});
  await until(page, () => Number(document.querySelector('#statistics td').textContent) > 10);
  await pause(page);
  const found = await bodyOnCanvas(page);
  if (found === null) return problems.push('no body of the pile can be grabbed');
  // Pulled while single steps are taken, then thrown.
  const {down, move, up} = hand(page, touch);
  const paused = await shownStep(page);
  await down(found);
  await until(page, () => Boolean(window.tactusPage.view.held?.plane));
  await move([found[0] + 15, found[1] - 80]);
  for (let i = 0; i < 4; ++i) {
    await press(page, '#step');
    await settle(page);
  }
  await up();
  await settle(page);
  expect(await shownStep(page) === paused + 4, `four single steps lead from ${paused} to ${await shownStep(page)}`);
  await press(page, '#pour');
  await slide(page, 'gravity', 4);
  await slide(page, 'friction', 0.2);
  await press(page, '#play');
  await until(page, (before) => Number(document.querySelector('#statistics td').textContent) > before, paused + 10);
  await pause(page);
  const again = await bodyOnCanvas(page);
  if (again === null) return problems.push('no body of the pile can be chosen');
  await dragPixels(page, again, again, touch);
  await until(page, () => !document.getElementById('values-section').hidden);
  await settle(page);
  await keepPicture(page, `${kind}-pile`);
  await press(page, '#take');
  await until(page, () => document.getElementById('line').value !== '');
  const run = JSON.parse(await text(page, 'line'));
  const [replay] = native(['live', '-'], `${JSON.stringify(run)}\n`);
  expect(replay.hash === run.hash, `the pile ended with ${run.hash}, the program with ${replay.hash}`);
  const done = new Set(run.acts.map(([, act]) => act.do));
  expect(['pull', 'release', 'add', 'set'].every((what) => done.has(what)), `the pile was only ${[...done]}`);
  await press(page, '#restart');
  await until(page, () => Number(document.querySelector('#statistics td').textContent) === 0);
}

// Both worlds run from one set of controls, and each line gives the same bits natively.
async function tryMachines(page, where, touch, kind) {
  await open(page, where('machines'), {scene: 'drop', playing: true});
  const steps = () => page.$$eval('#statistics tr:first-child td', (cells) => cells.map((cell) => Number(cell.textContent)));
  await until(page, () => [...document.querySelectorAll('#statistics tr:first-child td')].every((cell) => Number(cell.textContent) > 10));
  await pause(page);
  const before = await steps();
  const found = await bodyOnCanvas(page);
  if (found === null) return problems.push('no body of a machine can be grabbed');
  const {down, move, up} = hand(page, touch);
  await down(found);
  await until(page, () => Boolean(window.tactusPage.view.held?.plane));
  await move([found[0] + 10, found[1] - 40]);
  await press(page, '#step');
  await settle(page);
  await up();
  await settle(page);
  expect(JSON.stringify(await steps()) === JSON.stringify(before.map((step) => step + 1)), `a single step leads from ${before} to ${await steps()}`);
  await keepPicture(page, `${kind}-machines`);
  for (const [name, at] of [['gravity', 4], ['friction', 0.2], ['restitution', 0.3]]) await slide(page, name, at);
  await press(page, '#step');
  await settle(page);
  await press(page, '#take');
  await until(page, () => document.getElementById('line').value.includes('\n'));
  const runs = (await text(page, 'line')).split('\n').map((line) => JSON.parse(line));
  native(['live', '-'], `${runs.map((run) => JSON.stringify(run)).join('\n')}\n`).forEach((replay, i) =>
    expect(replay.hash === runs[i].hash, `a machine ended with ${runs[i].hash}, the program with ${replay.hash}`));
  const set = runs.map(({acts}) => acts.filter(([, act]) => act.do === 'set').length);
  expect(runs.length === 2 && set.every((count) => count >= 3) && runs[0].acts.some(([, act]) => act.do === 'pull'), `the machines were set ${set} times`);
  // A row of balls: one leaves, and both worlds keep the energy.
  await press(page, '[data-scene=row]');
  await until(page, () => document.getElementById('remark').textContent.includes('row'));
  await settle(page);
  const energies = () => page.$$eval('#statistics tr:nth-child(2) td', (cells) => cells.map((cell) => Number(cell.textContent)));
  await press(page, '#step'); // figures come with a step
  await settle(page);
  const start = await energies();
  for (let i = 0; i < 40; ++i) await press(page, '#step');
  await settle(page);
  const end = await energies();
  expect(start.length === 2 && start.every((energy, i) => energy > 0 && Math.abs(end[i] - energy) <= 1e-3 * energy), `a row of balls went from the energies ${start} to ${end}`);
  await keepPicture(page, `${kind}-machines-row`);
}

async function trySoft(page, where, touch, kind) {
  await open(page, where('soft'), {scene: 'fall', playing: true, stress: true, contacts: true, normals: true});
  await until(page, () => Number(document.querySelector('#statistics td').textContent) > 8);
  await pause(page);
  const found = await page.evaluate(() => {
    const {view} = window.tactusPage;
    const box = view.canvas.getBoundingClientRect();
    for (let body = 0; body < view.picture.soft.length; ++body) {
      const found = view.placeOnCanvas(0, body);
      if (!found) continue;
      const at = [found[0] + box.left, found[1] + box.top];
      if (document.elementFromPoint(...at) === view.canvas) return at;
    }
    return null;
  });
  if (found === null) return problems.push('no soft body can be grabbed');
  const {down, move, up} = hand(page, touch);
  await down(found);
  await until(page, () => window.tactusPage.view.held !== null);
  await move([found[0] + 30, found[1] - 60]);
  for (let i = 0; i < 4; ++i) {
    await press(page, '#step');
    await settle(page);
  }
  await keepPicture(page, `${kind}-soft`);
  await up();
  await slide(page, 'young', 5);
  await press(page, '#step');
  await settle(page);
  await press(page, '#take');
  await until(page, () => document.getElementById('line').value.includes('\n'));
  const runs = (await text(page, 'line')).split('\n').map((line) => JSON.parse(line));
  native(['live', '-'], `${runs.map((run) => JSON.stringify(run)).join('\n')}\n`).forEach((replay, i) =>
    expect(replay.hash === runs[i].hash, `soft bodies ended with ${runs[i].hash}, the program with ${replay.hash}`));
  const done = new Set(runs[0].acts.map(([, act]) => act.do));
  expect(runs.length === 2 && ['pull', 'release', 'set'].every((what) => done.has(what)), `the soft bodies were only ${[...done]}`);
  // A fast dart: the discrete response lets it through, the continuous one does not.
  await press(page, '[data-scene=dart]');
  await until(page, () => Number(document.querySelector('#statistics td').textContent) === 0);
  await settle(page);
  await slide(page, 'speed', 60);
  await settle(page);
  for (let i = 0; i < 3; ++i) {
    await press(page, '#step');
    await settle(page);
  }
  const depths = await page.evaluate(() => {
    const {view} = window.tactusPage;
    const {first, vertices} = view.picture.soft[1];
    return view.frame.views.map(({positions}) => Math.max(...Array.from({length: vertices}, (_, i) => positions[3 * (first + i) + 2])));
  });
  expect(depths[0] > 0.4 && depths[1] < 0.3, `the dart ends at ${depths}: held by the continuous response, let through by the discrete one, was expected`);
  await keepPicture(page, `${kind}-soft-dart`);
  await press(page, '[data-scene=cloth]');
  await until(page, () => /no inside/.test(document.getElementById('labels').textContent));
  await press(page, '#play');
  await until(page, () => window.tactusPage.view.marks.points.count > 0); // the cloth lies on what it fell on
  await pause(page);
  await settle(page);
  await keepPicture(page, `${kind}-soft-cloth`);
}

async function upload(page, paths, pattern) {
  await choose(page, paths);
  await until(page, (what) => new RegExp(what).test(document.getElementById('message').textContent + document.getElementById('facts').textContent), pattern);
}

async function tryOwn(page, where, touch, kind) {
  await open(page, where('own'));
  await press(page, '[data-show=hull]');
  await until(page, () => /volume/.test(document.getElementById('facts').textContent));
  const hull = (await values(page, 'facts')).find((v) => v?.volume);
  expect(Math.abs(hull.volume - 18) < 1e-9, `the hull of the bracket has a volume of ${hull.volume}, not 18`);
  await settle(page);
  await keepPicture(page, `${kind}-own`);
  await upload(page, [file('second.off', 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n')], 'bracket');
  const apart = (await values(page, 'facts')).find((v) => v?.status);
  expect(apart?.status === 'converged' && Math.abs(apart.distance - 2) < 1e-12, `the second mesh is ${JSON.stringify(apart)}, not 2 away`);
  await upload(page, [file('garbage.stl', 'x'.repeat(300))], 'garbage\\.stl');
  if (touch) return;
  await press(page, '[data-show=boxes]');
  await until(page, () => /calipers/.test(document.getElementById('facts').textContent));
  await press(page, '[data-show=parts]');
  await until(page, () => /parts3/.test(document.getElementById('facts').textContent));
  await upload(page, [file('picture.png', 'x')], 'no known kind');
  await upload(page, [file('scene.json', '{"bodies": 3}')], 'bodies');
  const large = file('large.obj', '');
  truncateSync(large, 500e6);
  await upload(page, [large], '500 MB');
  await upload(page, [join(root, 'scenes/stack.json')], 'moving bodies');
  await keepPicture(page, `${kind}-own-scene`);
  const run = spawnSync(program, ['simulate', join(root, 'scenes/stack.json'), '--steps', '60', '--out', scratch], {encoding: 'utf8'});
  expect(run.status === 0 || run.status === 1, run.stderr);
  await upload(page, [join(root, 'scenes/stack.json'), join(scratch, 'stack.tactus')], 'duration');
  await keepPicture(page, `${kind}-own-recording`);
}

const kTries = {steps: (...page) => trySteps(...page, {expect, native, keepPicture}), ball: tryBall, comet: tryComet, digitise: tryDigitise, pile: tryPile, machines: tryMachines, soft: trySoft, own: tryOwn};

async function tryAll(page, names, where, touch, kind) {
  for (const name of names) {
    const start = Date.now();
    try {
      await kTries[name](page, where, touch, kind);
    } catch (error) {
      problems.push(`${kind}, ${name}: ${error.message}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(!wide, `${name} is wider than the screen (${kind})`);
    console.log(`${kind}, ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

async function tryDesktop(page) {
  const used = tour ? kPages : kPages.filter((name) => kByMouse.includes(name));
  await tryAll(page, used, onServer, false, 'desktop');
  for (const name of kPages) if (!used.includes(name)) await open(page, onServer(name));
}

// A page says which feature its browser lacks: pages of one browser, each prepared before its
// scripts run.
async function tryLacks(page) {
  await page.evaluateOnNewDocument(() => {
    const {getContext} = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest); };
  });
  await open(page, onFile('pile'), {count: 20});
  await until(page, () => Number(document.querySelector('#statistics td').textContent) > 5);
  expect(/WebGL/.test(await message(page)), 'nothing is said without WebGL');
  await page.evaluateOnNewDocument(() => {
    let module;
    Object.defineProperty(globalThis, 'tactusModule', {get: () => module, set: (value) => { module = {...value, hash: '0123456789abcdef'}; }});
  });
  await page.goto(onFile('ball'));
  expect(/different builds/.test(await message(page)), 'a module of another build is not told');
  await page.evaluateOnNewDocument(() => { WebAssembly.validate = () => false; });
  await page.goto(onFile('comet'));
  expect(/SIMD/.test(await message(page)), 'nothing is said without SIMD');
  await page.evaluateOnNewDocument(() => { delete globalThis.WebAssembly; });
  await page.goto(onFile('comet'));
  expect(/WebAssembly/.test(await message(page)), 'nothing is said without WebAssembly');
}

await withBrowser({size: '1100x700'}, async (browser) => {
  await onPage(browser, {size: '390x844', touch: true}, problems, (page) => tryAll(page, kPages, onFile, true, 'phone'));
  await onPage(browser, {size: '1100x700', server: address}, problems, tryDesktop);
  await onPage(browser, {size: '800x600'}, problems, tryLacks);
});
server.close();
rmSync(scratch, {recursive: true, force: true});
finish(problems, `${kPages.length} pages answer as the program does`);
