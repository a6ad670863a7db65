#!/usr/bin/env node
// tools/player_test.mjs PAGE.html [--size WxH] [--picture FILE.png [--anchor t=SECONDS|end&bare&...]]
// Opens a page that `tactus simulate` wrote from its file in headless Chromium, presses its buttons, and fails on any
// console error, when pixels don't change while playing, or when they change while paused. With --picture it only takes a
// still picture of what the anchor asks for (player/src/main.js). The browser is $CHROMIUM, or /usr/bin/chromium.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../player/package.json', import.meta.url));
const puppeteer = require('puppeteer-core');

const kFrames = 4; // animation frames in which a change shows
const kGlide = 24; // animation frames in which the camera's glide ends
const kPatience = 120_000; // milliseconds for the page to show its first picture

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

const page_file = process.argv[2];
if (!page_file || page_file.startsWith('--')) {
  console.error('usage: player_test.mjs PAGE.html [--size WxH] [--picture FILE.png [--anchor t=SECONDS|end&bare&...]]');
  process.exit(2);
}
const [width, height] = option('size', '760x480').split('x').map(Number);
const profile = mkdtempSync(join(tmpdir(), 'tactus-browser-'));
const problems = [];

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  userDataDir: profile,
  protocolTimeout: kPatience,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
    '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', `--window-size=${width},${height}`],
});

try {
  const page = await browser.newPage();
  await page.setViewport({width, height});
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`network: ${request.url()}`);
  });
  if (process.argv.includes('--picture')) await takePicture(page);
  else await tryControls(page);
} catch (error) {
  problems.push(error.message);
} finally {
  await browser.close();
  rmSync(profile, {recursive: true, force: true});
}
for (const problem of problems) console.error(`FAILED ${problem}`);
if (problems.length === 0 && !process.argv.includes('--picture')) console.log(`${page_file}: the player works`);
process.exit(problems.length === 0 ? 0 : 1);

async function open(page, anchor) {
  await page.goto(pathToFileURL(resolve(page_file)).href + anchor, {timeout: kPatience});
  await page.waitForFunction(() => document.getElementById('time').textContent !== '', {timeout: kPatience});
  await frames(page, kFrames);
}

// Waits for animation frames, however long software rendering takes for them.
function frames(page, count) {
  return page.evaluate((n) => new Promise((done) => {
    const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
    next(n);
  }), count);
}

async function takePicture(page) {
  await open(page, `#${option('anchor', 't=end')}`);
  writeFileSync(option('picture'), await page.screenshot({type: 'png'}));
}

// The drawing itself, without the controls over it: the page keeps what it drew.
function pixels(page) {
  return page.evaluate(() => document.getElementById('canvas').toDataURL());
}

function shownTime(page) {
  return page.evaluate(() => Number.parseFloat(document.getElementById('time').textContent));
}

function expect(condition, what) {
  if (!condition) problems.push(what);
}

// Does the drawing change when `act` is done?
async function changes(page, act) {
  const before = await pixels(page);
  await act();
  await frames(page, kFrames);
  return (await pixels(page)) !== before;
}

async function tryControls(page) {
  await open(page, '#t=0');
  const blank = await page.evaluate(() => {
    const canvas = document.getElementById('canvas');
    const small = document.createElement('canvas');
    small.width = small.height = 64;
    const context = small.getContext('2d');
    context.drawImage(canvas, 0, 0, 64, 64);
    return new Set(new Uint32Array(context.getImageData(0, 0, 64, 64).data.buffer)).size < 16;
  });
  expect(!blank, 'the picture is blank');

  expect(!await changes(page, async () => {}), 'something moves before playing');
  await page.select('#speed', '0.25'); // a short recording shall not end meanwhile
  expect(await changes(page, () => page.click('#play')), 'nothing moves while playing');
  const before = await shownTime(page);
  expect(before > 0, 'time stands still while playing');
  await frames(page, kFrames);
  expect(await shownTime(page) > before, 'time stands still while playing on');
  await page.click('#play');
  await frames(page, kFrames);
  expect(!await changes(page, async () => {}), 'something moves while paused');

  const scrubTo = (share) => page.$eval('#scrub', (scrub, s) => {
    scrub.value = s * Number(scrub.max);
    scrub.dispatchEvent(new Event('input'));
  }, share);
  expect(await changes(page, () => scrubTo(0.5)), 'scrubbing shows no other picture');
  expect(await shownTime(page) > 0, 'scrubbing does not set the time');
  expect(await changes(page, () => page.click('[data-colouring=speed]')), 'color by speed changes nothing');
  expect(await changes(page, () => page.click('[data-colouring=contacts]')), 'color by contacts changes nothing');
  expect(await changes(page, () => page.click('[data-colouring=shape]')), 'color by shape changes nothing');
  await scrubTo(1);
  await frames(page, kFrames);
  expect(await changes(page, () => page.click('#points')), 'contact points are not shown');
  expect(await changes(page, () => page.click('#normals')), 'contact normals are not shown');
  expect(await changes(page, async () => {
    await page.mouse.move(width / 2, 0.7 * height);
    await page.mouse.down();
    await page.mouse.move(width / 2 + 120, 0.7 * height - 20, {steps: 4});
    await page.mouse.up();
  }), 'dragging does not turn the camera');
  await frames(page, kGlide);
  expect(await changes(page, () => page.mouse.wheel({deltaY: -300})), 'the wheel does not zoom');
  await frames(page, kGlide);
  expect(await changes(page, () => page.click('#reset-view')), 'the view is not reset');
  await page.click('#restart');
  await frames(page, kFrames);
  expect(await shownTime(page) === 0, 'going back to the start does not');
  expect(await changes(page, () => page.keyboard.press('Space')), 'the space bar does not play');
}
