#!/usr/bin/env node
// playground/tests/playground_test.mjs FOLDER PROGRAM [--tour] [--only PAGE] [--pictures FOLDER]
// Opens the pages of the playground in headless Chromium, from files, on a phone, uses them by touch, and compares what they show
// with the answers of the native PROGRAM; opens each from a server, on a desktop, and uses those of the plane there by mouse. With
// --tour all are.
// Fails on any console error. No step depends on how fast the machine is.
import {spawnSync} from 'node:child_process';
import {createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {finish, onPage, option, withBrowser} from '../../player/tests/player_browser.mjs';
import {dragPixels, hand, message, open, press, settle, slide, text, until} from './playground_browser.mjs';
import {tryDesign} from './design.mjs';
import {tryFrameTime} from './frame_time.mjs';
import {tryBound, tryInspector, tryTimeline} from './live_tools.mjs';
import {tryMany} from './many_page.mjs';
import {tryOwn} from './own_page.mjs';
import {tryBall, tryComet, tryDigitise} from './plane_pages.mjs';
import {tryScene} from './scene_page.mjs';
import {trySteps} from './steps_page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [folder, program] = process.argv.slice(2, 4).map((path) => resolve(path));
const pictures = option('pictures', null);
if (pictures) mkdirSync(pictures, {recursive: true});
const tour = process.argv.includes('--tour');
const kPages = ['steps', 'many', 'ball', 'comet', 'digitise', 'pile', 'machines', 'scene', 'soft', 'own'].filter((name) => option('only', name) === name);
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
  await until(page, () => !document.getElementById('inspector').hidden);
  await settle(page);
  await keepPicture(page, `${kind}-pile`);
  await press(page, '#take');
  await until(page, () => document.getElementById('line').value !== '');
  const run = JSON.parse(await text(page, 'line'));
  const [replay] = native(['live', '-'], `${JSON.stringify(run)}\n`);
  expect(replay.hash === run.hash, `the pile ended with ${run.hash}, the program with ${replay.hash}`);
  await tryInspector(page, 'the pile', tools);
  await keepPicture(page, `${kind}-pile-inspector`);
  await tryTimeline(page, 'the pile', tools);
  await keepPicture(page, `${kind}-pile-timeline`);
  await tryFrameTime(page, where, kind, tools);
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
  await press(page, '[data-scene=slope]');
  await until(page, () => document.getElementById('remark').textContent.includes('slope'));
  await settle(page);
  for (let i = 0; i < 10; ++i) await press(page, '#step');
  await settle(page);
  await tryInspector(page, 'a machine', tools);
  await keepPicture(page, `${kind}-machines-inspector`);
  await tryTimeline(page, 'a machine', tools);
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
  // It is shot again and again.
  await press(page, '#play');
  await until(page, () => {
    const [before, now] = [window.stepBefore ?? 0, Number(document.querySelector('#statistics td').textContent)];
    window.stepBefore = now;
    return now < before;
  });
  await pause(page);
  await press(page, '[data-scene=cloth]');
  await until(page, () => /no inside/.test(document.getElementById('labels').textContent));
  await press(page, '#play');
  await until(page, () => window.tactusPage.view.marks.points.count > 0); // the cloth lies on what it fell on
  await pause(page);
  await settle(page);
  await keepPicture(page, `${kind}-soft-cloth`);
}

const tools = {expect, native, keepPicture, file, scratch, program, pictures};
const withTools = (attempt) => (...page) => attempt(...page, tools);
const kTries = {steps: withTools(trySteps), many: withTools(tryMany), ball: withTools(tryBall), comet: withTools(tryComet), digitise: withTools(tryDigitise), pile: tryPile, machines: tryMachines,
  scene: withTools(tryScene), soft: trySoft, own: withTools(tryOwn)};

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

if (kPages.includes('pile')) {
  const {load} = await import(join(root, 'build/wasm/npm/tactus_node.mjs'));
  tryBound(await load(), tools);
}
await withBrowser({size: '1100x700'}, async (browser) => {
  await onPage(browser, {size: '390x844', touch: true}, problems, (page) => tryAll(page, kPages, onFile, true, 'phone'));
  await onPage(browser, {size: '1100x700', server: address}, problems, tryDesktop);
  await onPage(browser, {size: '800x600'}, problems, tryLacks);
  await tryDesign(browser, kPages, onFile, problems, tools);
});
server.close();
rmSync(scratch, {recursive: true, force: true});
finish(problems, `${kPages.length} pages answer as the program does`);
