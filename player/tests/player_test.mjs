#!/usr/bin/env node
// player/tests/player_test.mjs PAGE.html [--size WxH] [--pictures FOLDER] [--only joints|periods|path]
// Opens a page that `tactus simulate` wrote from its file in headless Chromium, uses it on a desktop, on a phone and without
// WebGL, and fails on any console error and on whatever does not do what it should. --pictures keeps what was seen; --only joints
// looks at what the page draws of its joints alone, --only periods at bodies that pass the faces of a periodic space; there
// must be some. --only path takes the page of `tactus robot path --html`.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {tryInspector} from './inspector_page.mjs';
import {finish, follow, frames, open, option, withPage} from './player_browser.mjs';

const kGlide = 24; // animation frames in which the camera's glide ends
const kFinger = 44; // pixels that a finger needs

const page_file = process.argv[2];
if (!page_file || page_file.startsWith('--')) {
  console.error('usage: player_test.mjs PAGE.html [--size WxH] [--pictures FOLDER]');
  process.exit(2);
}
const size = option('size', '760x480');
const [width, height] = size.split('x').map(Number);
const folder = option('pictures', null);
if (folder) mkdirSync(folder, {recursive: true});
const problems = [];

if (option('only', null) === 'joints') {
  await withPage({size}, problems, async (page) => {
    await open(page, page_file, '#t=0');
    await setQuality(page, 1e9);
    expect(await tryJoints(page) > 0, 'the recording has no joints');
  });
  finish(problems, `${page_file}: the player draws its joints`);
}
if (option('only', null) === 'periods') {
  await withPage({size}, problems, async (page) => {
    await open(page, page_file, '#t=0');
    expect(await tryPeriods(page) > 0, 'no body passes a face of a periodic space');
  });
  finish(problems, `${page_file}: bodies pass the faces of its space`);
}
if (option('only', null) === 'path') {
  await withPage({size}, problems, tryPath);
  await withPage({size: '390x844', touch: true}, problems, tryPathOnPhone);
  await withPage({size, flags: ['--disable-3d-apis']}, problems, async (page) => {
    await open(page, page_file, '#t=0');
    expect(await box(page, '#path svg') !== null && await box(page, '#blind') !== null, 'no plot without WebGL');
  });
  finish(problems, `${page_file}: the page of a path works`);
}
await withPage({size}, problems, async (page) => {
  await tryControls(page);
  await setQuality(page, 1e9); // software rendering is slow
  await tryKeyboard(page);
  await tryStatistics(page);
  await tryAnchors(page);
  await tryChoice(page);
  await tryInspector(page, expect);
  await keepPicture(page, 'desktop-inspector');
  await tryJoints(page);
  await tryCamera(page);
  await tryQuality(page);
});
await withPage({size: '390x844', touch: true}, problems, tryPhone);
await withPage({size: '844x390', touch: true}, problems, tryLyingPhone);
await withPage({size, flags: ['--disable-3d-apis']}, problems, tryWithoutWebGl);
finish(problems, `${page_file}: the player works`);

function expect(condition, what) {
  if (!condition) problems.push(what);
}

async function keepPicture(page, name) {
  if (folder) await page.screenshot({path: join(folder, `${name}.png`)});
}

// The drawing itself, without the controls over it: the page keeps what it drew.
function pixels(page) {
  return page.evaluate(() => document.getElementById('canvas').toDataURL());
}

function shownTime(page) {
  return page.evaluate(() => Number.parseFloat(document.getElementById('time').textContent));
}

function isPlaying(page) {
  return page.evaluate(() => document.getElementById('play').getAttribute('aria-label') === 'Pause');
}

function text(page, id) {
  return page.$eval(`#${id}`, (element) => element.textContent);
}

// The box of an element on the screen, or null when it is not shown.
function box(page, selector) {
  return page.$eval(selector, (element) => {
    const {left, top, right, bottom, width: w, height: h} = element.getBoundingClientRect();
    return w > 0 && h > 0 ? {left, top, right, bottom, width: w, height: h} : null;
  });
}

// Does the drawing change when `act` is done?
async function changes(page, act) {
  const before = await pixels(page);
  await act();
  await frames(page);
  return (await pixels(page)) !== before;
}

function scrubTo(page, share) {
  return page.$eval('#scrub', (scrub, s) => {
    scrub.value = s * Number(scrub.max);
    scrub.dispatchEvent(new Event('input'));
  }, share);
}

async function tryControls(page) {
  await open(page, page_file, '#t=0');
  await keepPicture(page, 'desktop-start');
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
  await frames(page);
  expect(await shownTime(page) > before, 'time stands still while playing on');
  await page.click('#play');
  await frames(page);
  expect(!await changes(page, async () => {}), 'something moves while paused');

  expect(await changes(page, () => scrubTo(page, 0.5)), 'scrubbing shows no other picture');
  expect(await shownTime(page) > 0, 'scrubbing does not set the time');
  expect(await changes(page, () => page.click('[data-colouring=speed]')), 'color by speed changes nothing');
  expect(await changes(page, () => page.click('[data-colouring=contacts]')), 'color by contacts changes nothing');
  expect(await changes(page, () => page.click('[data-colouring=shape]')), 'color by shape changes nothing');
  await scrubTo(page, 1);
  await frames(page);
  expect(await changes(page, () => page.click('#points')), 'contact points are not shown');
  expect(await changes(page, () => page.click('#normals')), 'contact normals are not shown');
  expect(await changes(page, () => drag(page, 120, -20)), 'dragging does not turn the camera');
  await frames(page, kGlide);
  expect(await changes(page, () => page.mouse.wheel({deltaY: -300})), 'the wheel does not zoom');
  await frames(page, kGlide);
  expect(await changes(page, () => page.click('#reset-view')), 'the view is not reset');
  await page.click('#restart');
  await frames(page);
  expect(await shownTime(page) === 0, 'going back to the start does not');
}

async function drag(page, right, down, button = 'left') {
  await page.mouse.move(width / 2, 0.7 * height);
  await page.mouse.down({button});
  await page.mouse.move(width / 2 + right, 0.7 * height + down, {steps: 4});
  await page.mouse.up({button});
}

async function tryKeyboard(page) {
  await follow(page, '#t=1');
  const press = async (selector, key) => {
    if (selector) await page.focus(selector);
    else await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(key);
    await frames(page);
  };
  await press(null, 'Space');
  expect(await isPlaying(page), 'the space bar does not play');
  await press(null, 'Space');
  expect(!await isPlaying(page), 'the space bar does not pause');
  await press('#play', 'Space');
  expect(await isPlaying(page), 'the space bar presses a focused play button not once');
  await press('#play', 'Space');
  await press('#restart', 'Space');
  expect(!await isPlaying(page) && await shownTime(page) === 0, 'the space bar on a focused button does more than press it');
  await press('#points', 'Space');
  expect(!await isPlaying(page) && await page.$eval('#points', (b) => b.checked), 'the space bar does not tick a focused box');
  await press('#scrub', 'ArrowRight');
  const step = await page.evaluate(() => window.tactusPlayer.clock.time / window.tactusPlayer.recording.pictureTime);
  expect(Math.abs(step - 1) < 1e-6, `an arrow on the slider goes ${step} pictures on`);
  await press(null, 'ArrowRight');
  await press(null, 'ArrowRight');
  await press(null, 'ArrowLeft');
  const steps = await page.evaluate(() => window.tactusPlayer.clock.time / window.tactusPlayer.recording.pictureTime);
  expect(Math.abs(steps - 2) < 1e-6, `two arrows to the right and one to the left go ${steps - 1} pictures on`);
  const speed = await page.$eval('#speed', (list) => list.value);
  const before = await shownTime(page);
  await press('#speed', 'ArrowDown');
  expect(await page.$eval('#speed', (list) => list.value) !== speed && await shownTime(page) === before,
    'an arrow on the list of speeds does not choose a speed only');
  await press(null, 'End');
  expect(await page.evaluate(() => window.tactusPlayer.clock.time === window.tactusPlayer.recording.duration), 'End does not go to the end');
  await press(null, 'Home');
  expect(await shownTime(page) === 0, 'Home does not go to the start');
}

async function tryStatistics(page) {
  const rows = () => page.$$eval('#statistics dd', (cells) => cells.map((cell) => cell.textContent));
  await follow(page, '#t=0');
  const start = await rows();
  const present = await page.evaluate(() => {
    const {recording} = window.tactusPlayer;
    return recording.bodies.filter((body, i) => recording.present(i, 0)).length.toLocaleString('en');
  });
  expect(start[0] === present && start.slice(1).every((cell) => cell === '–'),
    `before the first second has ended the table says ${start.join(' ')}`);
  await follow(page, '#t=1');
  const [time, row] = await page.evaluate(() => {
    const {time: t, lines} = window.tactusPlayer.recording.statisticsAt(1);
    return [t, lines.map(([, value]) => value)];
  });
  expect(time === 1 && row.every((value) => value !== null), 'no statistics when the first second has ended');
  expect((await rows()).every((cell) => cell !== '–'), 'the table lacks something when the first second has ended');
  await follow(page, '#t=0.98');
  expect((await rows()).slice(1).every((cell) => cell === '–'), 'the table knows a second that has not ended');
}

async function tryAnchors(page) {
  const duration = await page.evaluate(() => window.tactusPlayer.recording.duration);
  for (const [anchor, time] of [['t=-5', 0], ['t=1e99', duration], ['t=end', duration], ['t=1', 1]]) {
    await follow(page, `#${anchor}`);
    const shown = await shownTime(page);
    expect(Math.abs(shown - time) < 0.006 && !await isPlaying(page), `#${anchor} shows ${shown} s`);
  }
  for (const anchor of ['t=abc', 't=NaN', 't=', 't=1&colour=pink&body=1e9']) {
    await follow(page, `#${anchor}`);
    expect(Number.isFinite(await shownTime(page)), `#${anchor} shows no time`);
    expect(await isPlaying(page) === !anchor.startsWith('t=1'), `#${anchor} does not do as if the nonsense were not there`);
  }
  // The first of them on a new page, which reads its anchor on another way.
  await open(page, page_file, '#t=abc');
  expect(Number.isFinite(await shownTime(page)) && await isPlaying(page), 'a page opened with #t=abc does not play');
}

// A point of the canvas where one finds a body that touches others: [body, x, y].
// At a whole pixel, as events of the mouse and of fingers are.
function touchingBody(page) {
  return page.evaluate(() => {
    const {recording, replay, clock} = window.tactusPlayer;
    const {picture} = recording.pictureAt(clock.time);
    for (const body of replay.moving) {
      const [x, y] = replay.bodies.placeOnCanvas(body).map(Math.round);
      const covered = document.elementFromPoint(x, y)?.id !== 'canvas';
      if (!covered && replay.bodies.pick(x, y) === body && recording.contactsOf(body, picture).points > 1) return [body, x, y];
    }
    return null;
  });
}

async function tryChoice(page) {
  await follow(page, '#t=end');
  const found = await touchingBody(page);
  if (found === null) return problems.push('no body of the last picture can be clicked');
  const [body, x, y] = found;
  expect(await box(page, '#inspector') === null, 'a body is chosen before a click');
  expect(await changes(page, () => page.mouse.click(x, y)), 'a click on a body shows nothing');
  await keepPicture(page, 'desktop-body');
  const shown = `${await text(page, 'inspector-title')} ${await text(page, 'inspector-lines')} ${await text(page, 'contact-rows')}`;
  const known = await page.evaluate((index) => {
    const {recording, clock, replay} = window.tactusPlayer;
    const {picture} = recording.pictureAt(clock.time);
    const {partners, points} = recording.contactsOf(index, picture);
    return {shape: recording.shapes[recording.bodies[index].shape].name, partners, points,
      touching: recording.touchingCount(index, picture), marks: replay.marks.points.count};
  }, body);
  expect(shown.includes(`#${body + 1}`) && shown.includes(known.shape) && /speed.* \/s/.test(shown), `a click shows ${shown}`);
  expect(known.partners.length > 8 || known.partners.every((p) => shown.includes(`#${p + 1}`)), 'whom the body touches is not shown');
  expect(known.partners.length === known.touching, 'the contact points are not those of the bodies that touch');
  expect(known.marks === known.points, `${known.marks} contact points are marked, not ${known.points}`);
  await drag(page, 60, 0);
  expect(await box(page, '#inspector') !== null, 'turning the view lets the chosen body go');
  await page.keyboard.press('Escape');
  await frames(page, kGlide);
  expect(await box(page, '#inspector') === null, 'Escape does not let the chosen body go');
}

// Returns the number of joints. Those that break do so before the end. Anchors coincide but for those of distances, whose line has its length; the box is there when there are joints.
async function tryJoints(page) {
  await follow(page, '#t=1');
  const all = await page.evaluate(() => window.tactusPlayer.recording.joints);
  const shown = (await box(page, '#joints')) !== null;
  expect(shown === all.length > 0, `${all.length} joints, but the box for them is ${shown ? '' : 'not '}shown`);
  if (all.length === 0) return 0;
  const drawn = () => page.evaluate(() => {
    const {anchors, lines} = window.tactusPlayer.replay.joints;
    const columns = (mesh) => Array.from({length: mesh.count}, (_, i) => [...mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16)]);
    return {anchors: columns(anchors).map((m) => m.slice(12, 15)), lines: columns(lines).map((m) => Math.hypot(m[4], m[5], m[6]))};
  });
  expect((await drawn()).anchors.length === 0, 'joints are drawn before they are asked for');
  expect(await changes(page, () => page.click('#joints')), 'joints are not shown');
  await keepPicture(page, 'desktop-joints');
  for (const at of ['#t=0&joints', '#t=end&joints']) {
    await follow(page, at);
    const {anchors, lines} = await drawn();
    // One that broke is not drawn any more.
    const joints = all.filter(({until}) => at.startsWith('#t=0') || until === undefined);
    const size = await page.evaluate(() => window.tactusPlayer.recording.stage.bodySize);
    expect(anchors.length === 2 * joints.length, `${anchors.length} anchors of ${joints.length} joints are drawn`);
    expect(lines.length === joints.filter(({axis, line}) => axis || line).length, `${lines.length} lines of joints are drawn`);
    let line = 0;
    joints.forEach((joint, i) => {
      const [a, b] = anchors.slice(2 * i, 2 * i + 2);
      const apart = Math.hypot(...a.map((x, axis) => x - b[axis]));
      if (joint.line) expect(Math.abs(lines[line] - apart) < 1e-4 * size, `${at}: the line of joint ${i} is ${lines[line]} long, its anchors are ${apart} apart`);
      else if (joint.type !== 'slider') expect(apart < 0.01 * size, `${at}: the anchors of joint ${i}, a ${joint.type}, are ${apart} apart`);
      if (joint.axis || joint.line) ++line;
    });
  }
  expect(await page.$eval('#joints', (tick) => tick.checked), 'an address with joints does not tick their box');
  await follow(page, '#t=end');
  expect((await drawn()).anchors.length === 0, 'joints stay drawn');
  return all.length;
}

// Returns how often a body passes a face. From one picture to the next it goes straight on, not back through the space.
async function tryPeriods(page) {
  const {passes, worst, fastest, speeds} = await page.evaluate(() => {
    const {recording, replay} = window.tactusPlayer;
    const [start, middle, end] = Array.from({length: 3}, () => replay.room.stage.centre.clone());
    const turn = replay.room.orbit.camera.quaternion.clone();
    const found = {passes: 0, worst: 0, fastest: 0, speeds: recording.stage.topSpeed};
    for (const body of replay.moving) {
      for (let picture = 0; picture + 1 < recording.pictures; ++picture) {
        recording.pose(body, {picture, fraction: 0}, start, turn);
        recording.pose(body, {picture, fraction: 0.5}, middle, turn);
        recording.pose(body, {picture: picture + 1, fraction: 0}, end, turn);
        const passed = ['x', 'y', 'z'].some((axis, i) => recording.periods[i] > 0 && Math.abs(end[axis] - start[axis]) > recording.periods[i] / 2);
        if (!passed) continue;
        ++found.passes;
        found.worst = Math.max(found.worst, start.distanceTo(middle) / recording.pictureTime);
        found.fastest = Math.max(found.fastest, recording.speed(body, picture));
      }
    }
    return found;
  });
  expect(worst < 2 * speeds && fastest < 4 * speeds, `a body that passes a face is drawn at ${2 * worst} /s and is said to have ${fastest} /s; the fastest have ${speeds}`);
  return passes;
}

// The page of a robot's path: plot, nearest pair, slider.
async function tryPath(page) {
  await open(page, page_file, '#t=0');
  await setQuality(page, 1e9);
  const story = await page.evaluate(() => window.tactusPlayer.recording.path);
  expect(story !== null && story.distance.length === story.pair.length, 'the page has no path');
  expect(await box(page, '#figures') === null && await box(page, '#points') === null, 'a path shows contacts and statistics');
  const shown = () => page.$eval('#path dl', (list) => list.textContent);
  expect((await shown()).includes(story.verdict) && (await shown()).includes(story.pairs[story.pair[0]]), `the panel says ${await shown()}`);
  // The curve has a point for each picture, as high as its distance.
  const curve = await page.$eval('#path .curve', (line) => line.getAttribute('points').split(' ').map((p) => p.split(',').map(Number)));
  expect(curve.length === story.distance.filter((d) => d !== null).length, 'the plot lacks times');
  const order = (list) => list.map((_, i) => i).sort((i, k) => list[i] - list[k])[0];
  expect(order(curve.map(([, y]) => -y)) === order(story.distance), 'the lowest point of the plot is not the least clearance');
  const marks = () => page.evaluate(() => {
    const {points, line} = window.tactusPlayer.replay.nearest;
    const columns = (mesh) => Array.from({length: mesh.count}, (_, i) => [...mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16)]);
    return {points: columns(points.mesh).map((m) => m.slice(12, 15)), lines: columns(line.mesh).map((m) => Math.hypot(m[4], m[5], m[6]))};
  });
  const last = story.distance.length - 1;
  for (const [at, picture] of [['#t=0', 0], ['#t=end', last]]) {
    await follow(page, at);
    const {points, lines} = await marks();
    const distance = story.distance[picture];
    const apart = points.length === 2 ? Math.hypot(...points[0].map((x, i) => x - points[1][i])) : NaN;
    expect(Math.abs(apart - Math.abs(distance)) < 1e-5 && Math.abs(lines[0] - apart) < 1e-5,
      `${at}: the nearest points are drawn ${apart} apart, not ${distance}`);
  }
  await keepPicture(page, 'path-end');
  await follow(page, '#t=0');
  expect(await changes(page, () => page.click('#nearest')), 'the nearest pair cannot be hidden');
  await page.click('#nearest');
  const plot = await box(page, '#path svg');
  expect(await changes(page, () => page.mouse.click(plot.left + 0.5 * plot.width, plot.top + 0.5 * plot.height)), 'a click on the plot shows no other time');
  const half = await page.evaluate(() => window.tactusPlayer.clock.time / window.tactusPlayer.recording.duration);
  expect(Math.abs(half - 0.5) < 0.02, `a click on the middle of the plot goes to ${half} of the time`);
  await keepPicture(page, 'path-middle');
  expect(await changes(page, () => scrubTo(page, 0.9)), 'the slider shows no other time');
  expect(await changes(page, () => page.click('[data-colouring=speed]')), 'color by speed changes nothing');
}

async function tryPathOnPhone(page) {
  await open(page, page_file, '#t=0');
  await setQuality(page, 1e9);
  expect(await box(page, '#path') === null, 'the plot shows while the sheet is closed');
  await page.tap('#more');
  await frames(page);
  expect(await box(page, '#path svg') !== null, 'the open sheet shows no plot');
  await keepPicture(page, 'path-phone');
}

async function tryCamera(page) {
  await follow(page, '#t=0');
  const height_over_ground = () => page.evaluate(() => window.tactusPlayer.replay.room.orbit.height());
  expect(Number.isFinite(await height_over_ground()), 'the scene has no ground, so that nothing is tried');
  for (const [right, down, button] of [[0, -300, 'left'], [0, -300, 'right'], [40, -300, 'left'], [0, -300, 'left']]) {
    await drag(page, right, down, button);
    await frames(page, kGlide);
    expect(await height_over_ground() > 0, `the camera is ${await height_over_ground()} over the ground`);
  }
  await keepPicture(page, 'desktop-low');
}

// Levels count from the finest, 0, to the coarsest.
async function setQuality(page, level) {
  await page.evaluate((wanted) => {
    const {quality, replay} = window.tactusPlayer;
    quality.change(Math.min(wanted, quality.levels.length - 1));
    replay.room.setQuality(quality.settings);
    window.dispatchEvent(new Event('resize'));
  }, level);
  await frames(page);
}

async function tryQuality(page) {
  const side = () => page.evaluate(() => document.getElementById('canvas').width);
  await setQuality(page, 0);
  const [fine, fine_side] = [await pixels(page), await side()];
  await setQuality(page, 1e9);
  expect(await side() < fine_side && await pixels(page) !== fine, 'a coarser picture has no fewer pixels');
  await keepPicture(page, 'desktop-coarse');
}

// Everything that can be touched is large enough and on the screen.
async function expectFingers(page, selectors) {
  const [w, h] = await page.evaluate(() => [innerWidth, innerHeight]);
  for (const selector of selectors) {
    await page.$eval(selector, (element) => element.scrollIntoView({block: 'nearest'}));
    const place = await box(page, selector);
    if (place === null) { problems.push(`${selector} is not shown on a phone`); continue; }
    expect(place.height >= kFinger - 0.5 && place.width >= kFinger - 0.5,
      `${selector} is ${place.width} x ${place.height} on a phone`);
    expect(place.left >= 0 && place.top >= 0 && place.right <= w && place.bottom <= h, `${selector} leaves the screen`);
  }
}

async function tryPhone(page) {
  await open(page, page_file, '#t=1');
  await keepPicture(page, 'phone');
  const title = await box(page, '#title');
  const sheet = await box(page, '#sheet');
  expect(title !== null && title.left >= 0 && title.right <= 390 && title.bottom < 60, 'the title is not whole on a phone');
  expect(sheet.height < 100 && sheet.bottom <= 844, `the closed sheet is ${sheet.height} high`);
  expect(await box(page, '#figures') === null && await box(page, '#look') === null, 'panels show while the sheet is closed');
  await expectFingers(page, ['#play', '#scrub', '#more']);

  await page.tap('#more');
  await frames(page);
  await keepPicture(page, 'phone-open');
  const opened = await box(page, '#sheet');
  expect(opened.top > title.bottom && opened.left >= 0 && opened.right <= 390, 'the open sheet covers the title');
  expect(opened.height < 0.7 * 844, `the open sheet is ${opened.height} high`);
  await expectFingers(page, ['#play', '#restart', '#speed', '#more', '[data-colouring=speed]', '#reset-view']);
  await page.tap('[data-colouring=speed]');
  await frames(page);
  expect(await box(page, '#legend') !== null, 'a tap on a colouring shows no legend');
  await page.tap('#more');
  await frames(page, kGlide);

  const found = await touchingBody(page);
  if (found === null) return problems.push('no body can be tapped');
  await page.touchscreen.tap(found[1], found[2]);
  await frames(page);
  await keepPicture(page, 'phone-body');
  expect((await text(page, 'inspector-title')).includes(`#${found[0] + 1}`) && await box(page, '#inspector') !== null,
    `a tap on body #${found[0] + 1} shows ${await text(page, 'inspector-title')}`);
  await expectFingers(page, ['#inspector-close']);
  await page.tap('#inspector-close');
  await frames(page);
  expect(await box(page, '#inspector') === null, 'the chosen body is not let go');
}

async function tryLyingPhone(page) {
  await open(page, page_file, '#t=1');
  await page.tap('#more');
  await frames(page);
  await keepPicture(page, 'phone-lying');
  const title = await box(page, '#title');
  const sheet = await box(page, '#sheet');
  expect(sheet.top >= title.bottom && sheet.bottom <= 390, 'the open sheet covers the title of a lying phone');
}

async function tryWithoutWebGl(page) {
  await open(page, page_file, '#t=1');
  await keepPicture(page, 'without-webgl');
  expect(await box(page, '#blind') !== null && /WebGL/.test(await text(page, 'blind')), 'nothing is said without WebGL');
  expect(await box(page, '#title') !== null, 'no title without WebGL');
  expect((await page.$$eval('#statistics dd', (cells) => cells.length)) > 3 && await box(page, '#figures') !== null,
    'no statistics without WebGL');
  const message = await box(page, '#blind');
  const figures = await box(page, '#figures');
  expect(message.left >= figures.right && message.right <= width, 'the message without WebGL covers the statistics');
  const before = await text(page, 'statistics-of');
  await scrubTo(page, 1);
  await frames(page);
  expect(await text(page, 'statistics-of') !== before, 'the statistics do not follow the slider without WebGL');
  await page.click('#play');
  await frames(page);
  expect(await isPlaying(page), 'nothing plays without WebGL');
}
