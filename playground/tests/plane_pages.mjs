// The pages of the plane under a hand: "Ball and contour", "Comet and lander", "Digitise". What they show is what the native program
// answers, bit by bit, the verdicts of the literal rules included.
import {truncateSync} from 'node:fs';
import {deflateSync} from 'node:zlib';

import {choose, drag, dragPixels, follow, hand, onBoard, open, press, settle, tap, text, until, values} from './playground_browser.mjs';

// A line through places of the board, in one go.
async function stroke(page, places, touch) {
  const {down, move, up} = hand(page, touch);
  const at = await onBoard(page, places);
  await down(at[0]);
  for (let i = 1; i < at.length; ++i) {
    for (const t of [0.25, 0.5, 0.75, 1]) await move([0, 1].map((k) => at[i - 1][k] + t * (at[i][k] - at[i - 1][k])));
  }
  await up();
}

async function expectTouches(page, where, {expect, native}) {
  await settle(page);
  const [right] = native(['planar', 'query', '-'], `${await text(page, 'line')}\n`);
  const shown = await values(page, 'touches');
  const wanted = right.touches.map(({point, segment, part, normal, angle, depth, kind}) => ({point, segment, part, normal, angle, depth, kind}));
  expect(JSON.stringify(shown) === JSON.stringify(wanted), `${where}: the page shows ${JSON.stringify(shown)}, the program says ${JSON.stringify(wanted)}`);
  // The page says of the source's rule the same as the program.
  const literal = await page.evaluate(() => window.tactusPage.found.literal.map(({point, segment, angle}) => ({point, segment, angle})));
  const named = right.literal?.touches.map(({point, segment, angle}) => ({point, segment, angle}));
  expect(JSON.stringify(literal) === JSON.stringify(named), `${where}: the page's rule says ${JSON.stringify(literal)}, the program's ${JSON.stringify(named)}`);
  const agrees = literal.length === wanted.filter(({depth}) => depth >= 0).length &&
    literal.every(({point, angle}) => wanted.some((touch) => Math.hypot(touch.point[0] - point[0], touch.point[1] - point[1]) < 1e-9 && Math.abs(touch.angle - angle) < 1e-9));
  const said = await text(page, 'literal');
  expect(/agrees/.test(said) === agrees, `${where}: "${said}", with ${JSON.stringify(literal)} beside ${JSON.stringify(wanted)}`);
  return shown;
}

const ballAt = (page) => page.evaluate(() => [window.tactusPage.state.x, window.tactusPage.state.y]);

export async function tryBall(page, where, touch, kind, tools) {
  const {expect, keepPicture} = tools;
  await open(page, where('ball'), {profile: 0, x: 0, y: 1, radius: 0.6});
  expect((await expectTouches(page, 'ball above', tools)).length === 0, 'a ball in the air touches');
  for (const to of [[-0.8, -1.85], [-4, -0.1], [1.1, -0.2], [5.6, 1.1]]) {
    await drag(page, await ballAt(page), to, touch);
    const [x, y] = await ballAt(page);
    expect(Math.hypot(x - to[0], y - to[1]) < 0.1, `a drag to ${to} leaves the ball at ${x}, ${y}`);
    expect((await expectTouches(page, `ball at ${to}`, tools)).length > 0, `no touch at ${to}`);
  }
  await keepPicture(page, `${kind}-ball`);
  // A corner that opens towards the ball: two touches.
  await open(page, where('ball'), {profile: 3, x: -3.5, y: -2, radius: 0.6});
  const corner = await expectTouches(page, 'corner', tools);
  expect(corner.length === 2 && corner.every(({kind: at}) => at === 'concave') && corner[0].segment < corner[1].segment, `corner: ${JSON.stringify(corner)}`);
  expect((await text(page, 'touches')).includes('>'), 'no sign of a concave corner');
  await keepPicture(page, `${kind}-corner`);
  // Both places of a concave corner are those of the source.
  expect(/places, β without the side|agrees/.test(await text(page, 'literal')), `in a corner the page says "${await text(page, 'literal')}"`);
  await press(page, '#rule');
  expect(await page.$eval('#literal', (note) => note.hidden), 'the rule of the source is not switched off');
  await press(page, '#rule');
  await press(page, '#profil');
  await until(page, () => document.getElementById('profile-name').textContent.startsWith('Bowl'));
  const before = await ballAt(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowUp');
  await settle(page);
  expect((await ballAt(page))[1] > before[1], 'an arrow key does not move the ball');
  // It flies, and bounces exactly in time: the place of a bounce lies on the contour, the centre a radius away.
  await drag(page, await ballAt(page), [1.5, 2.5], touch);
  await press(page, '#bounce');
  await until(page, () => window.tactusPage.flight?.bounces.length > 1);
  const {bounces, radius, points} = await page.evaluate(() => ({bounces: window.tactusPage.flight.bounces, radius: window.tactusPage.state.radius,
    points: JSON.parse(document.getElementById('line').value).b.points}));
  await press(page, '#bounce');
  for (const {point, segment} of bounces.slice(0, 4)) {
    const [[x, y], [u, v]] = [points[segment], points[segment + 1]];
    const off = Math.abs((point[0] - x) * (v - y) - (point[1] - y) * (u - x)) / Math.hypot(u - x, v - y);
    expect(off < 1e-9 * radius + 1e-12, `a bounce lies ${off} beside its segment`);
  }
  const depths = (await expectTouches(page, 'after bouncing', tools)).map(({depth}) => depth);
  expect(depths.every((depth) => depth < 1e-9), `the ball has flown ${depths} into the contour`);
  await until(page, () => decodeURIComponent(location.hash).includes('"profile":4'));
  // A curve drawn by hand from nothing: in one go, open, under a ball above it.
  await page.evaluate(() => { window.tactusPage.state.x = 0; window.tactusPage.state.y = 3; });
  await press(page, '#draw');
  await stroke(page, [[-3, 0], [-2, -1], [-1, -1.8], [0, -2], [1, -1.8], [2, -1], [3, 0]], touch);
  await until(page, () => document.getElementById('profile-name').textContent.startsWith('Drawn'));
  const drawn = await page.evaluate(() => window.tactusPage.state.own);
  expect(drawn.points.length >= 3 && !drawn.closed, `a drawn line became ${JSON.stringify(drawn)}`);
  await settle(page);
  await drag(page, await ballAt(page), [0, -1.7], touch);
  expect((await expectTouches(page, 'ball on a drawn curve', tools)).length > 0, 'the ball touches nothing drawn');
  // Corner by corner, closed at the first one.
  await press(page, '#draw');
  for (const place of [[-1, 0], [1, 0], [0, 1.5], [-1, 0]]) await tap(page, place, touch);
  await until(page, () => window.tactusPage.state.own.closed && window.tactusPage.state.own.points.length === 3);
  await settle(page);
  await keepPicture(page, `${kind}-ball-drawn`);
}

async function expectVerdict(page, where, {expect, native}) {
  await settle(page);
  const shown = await values(page, 'verdicts');
  const [right, touching] = native(['planar', 'query', '-'], `${await text(page, 'line')}\n`);
  const chosen = await page.evaluate(() => window.tactusPage.state.chosen);
  const pair = shown.find(({i, k}) => i === chosen || k === chosen);
  expect(pair && pair.overlap === right.overlap && pair.distance === right.distance && pair.lower === right.lower && pair.upper === right.upper,
    `${where}: the page shows ${JSON.stringify(pair)}, the program says ${JSON.stringify(right)}`);
  if (right.literal) expect(pair.literal === right.literal.collision, `${where}: the page's literal rules say ${pair.literal}, the program's ${right.literal.collision}`);
  const found = pair.contacts.map(({pointA, pointB, depth}) => [pointA, pointB, depth]);
  const wanted = touching.contacts.map((contact) => [contact.point_a, contact.point_b, contact.depth]);
  if (right.lower <= 0.01) expect(JSON.stringify(found) === JSON.stringify(wanted), `${where}: contacts ${JSON.stringify(found)}, the program says ${JSON.stringify(wanted)}`);
  return pair;
}

export async function tryComet(page, where, touch, kind, tools) {
  const {expect, keepPicture} = tools;
  await open(page, where('comet'), {bodies: [[0, -1, -0.6, 0], [1, 2.6, 2.6, 0.2]], chosen: 1, debug: true});
  expect((await expectVerdict(page, 'comet apart', tools)).overlap === false, 'bodies apart collide');
  const handle = (name, i) => page.evaluate(([which, body]) => window.tactusPage[which](body), [name, i]);
  await drag(page, await handle('centroid', 1), [1.5, 0.9], touch);
  expect((await expectVerdict(page, 'comet moved', tools)).overlap === true, 'the lander dragged onto the comet does not collide');
  const angle = await page.evaluate(() => window.tactusPage.state.bodies[1][3]);
  const [yellow, red] = [await handle('turner', 1), await handle('centroid', 1)];
  await drag(page, yellow, [red[0], red[1] + 0.8], touch);
  await expectVerdict(page, 'comet turned', tools);
  expect(await page.evaluate(() => window.tactusPage.state.bodies[1][3]) !== angle, 'the yellow handle does not turn');
  await keepPicture(page, `${kind}-comet`);
  // A small body inside: no ray meets a segment, and yet the interiors meet.
  await open(page, where('comet'), {bodies: [[2, 0, 0, 0], [2, 0.9, 0.9, 0.5]], chosen: 0, debug: false});
  await expectVerdict(page, 'clamps', tools);
  await press(page, '#add');
  await until(page, () => window.tactusPage.verdicts.length === 3);
  await press(page, '#debug');
  await press(page, '#item');
  expect((await text(page, 'chosen')).includes('2 clamp'), 'Item does not choose the next body');
  await press(page, '#remove');
  await until(page, () => window.tactusPage.verdicts.length === 1);
  // Two parallel edges on each other: two contacts, the ends of one stretch.
  await open(page, where('comet'), {bodies: [[2, 0, -1, 0], [3, 0.3, 0.805, 0]], chosen: 0});
  const {contacts} = await expectVerdict(page, 'parallel edges', tools);
  expect(contacts.length >= 2 && contacts[0].stretch === contacts[1].stretch, `parallel edges have ${JSON.stringify(contacts)}`);
  await press(page, '#literal');
  expect(await page.$$eval('#verdicts tr', (rows) => rows.every((row) => row.cells.length === 3)), 'the literal verdict is not switched off');
  await keepPicture(page, `${kind}-comet-edges`);
  // The lander falls on the held comet and bounces; the run is replayed natively to the same bits.
  await open(page, where('comet'), {bodies: [[0, -1, -1.6, 0], [1, 0.6, 2.6, 0.2]], chosen: 1, gravity: 6});
  await press(page, '#fall');
  await until(page, () => window.tactusPage.fall?.time > 0.2);
  await press(page, '#take');
  await until(page, () => document.getElementById('command').textContent.includes('live'));
  const run = JSON.parse(await text(page, 'line'));
  const [replay] = tools.native(['live', '-'], `${JSON.stringify(run)}\n`);
  expect(replay.hash === run.hash, `the fall ended with ${run.hash}, the program with ${replay.hash}`);
  const places = () => page.evaluate(() => structuredClone(window.tactusPage.state.bodies));
  const fallen = await places();
  expect(fallen[1][2] < 2.5 && JSON.stringify(fallen[0]) === JSON.stringify([0, -1, -1.6, 0]), `after the fall bodies are at ${JSON.stringify(fallen)}`);
  await press(page, '#back');
  await settle(page);
  expect(JSON.stringify(await places()) === JSON.stringify([[0, -1, -1.6, 0], [1, 0.6, 2.6, 0.2]]), 'Back does not lead back');
  await press(page, '#fall');
  await until(page, () => window.tactusPage.fall?.time > 0);
  await page.evaluate(() => window.tactusPage.stepFall(240));
  await press(page, '#fall');
  await settle(page);
  expect((await places())[1][2] > -4.2, 'the lander has left the picture');
  await keepPicture(page, `${kind}-comet-fallen`);
  // A body drawn by hand.
  await press(page, '#draw');
  for (const place of [[-5, 2], [-3.5, 2], [-3.5, 3.2], [-5, 3.2], [-5, 2]]) await tap(page, place, touch);
  await until(page, () => window.tactusPage.verdicts.length === 3);
  await expectVerdict(page, 'drawn body', tools);
}

const fact = (page, name) => page.$$eval('#facts tr', (rows, which) =>
  rows.find((row) => row.cells[0].textContent === which)?.cells[1].textContent ?? '', name);

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

export async function tryDigitise(page, where, touch, kind, tools) {
  const {expect, file, keepPicture} = tools;
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
  // Beyond the far side, so that the outline is left on the way.
  const centre = [0, 1].map((k) => moved.reduce((sum, point) => sum + point[k] / moved.length, 0));
  await drag(page, moved[0], moved[third].map((x, k) => centre[k] + 1.4 * (x - centre[k])), touch);
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
  expect(await page.evaluate(() => window.tactusPage.state.photo.startsWith('data:image/')), 'the photo does not come along');
  await expectVerdict(page, 'outlines from a picture', tools);
  await keepPicture(page, `${kind}-digitise-comet`);
  await open(page, where('digitise'), {by: 'error', error: 0});
  await settle(page);
  await follow(page, '#to-ball', 'ball');
  await until(page, () => document.getElementById('profile-name').textContent.startsWith('From sample'));
  await expectTouches(page, 'ball on an outline from a picture', tools);
  expect(await page.evaluate(() => window.tactusPage.state.own.image.startsWith('data:image/')), 'the photo does not lie under the curve');
  await keepPicture(page, `${kind}-digitise-ball`);
  // From nothing: a shape in one go, and a hole in it corner by corner.
  await open(page, where('digitise'));
  await press(page, '#blank');
  await until(page, () => window.tactusPage.pen.active && window.tactusPage.outlines.regions.length === 0);
  await settle(page);
  await stroke(page, [[80, 60], [240, 40], [400, 60], [420, 160], [400, 260], [240, 280], [80, 260], [60, 160], [80, 62]], touch);
  await until(page, () => window.tactusPage.outlines.regions.length === 1);
  await press(page, '#draw');
  for (const place of [[200, 120], [280, 120], [280, 200], [200, 200], [200, 120]]) await tap(page, place, touch);
  await settle(page);
  expect(await fact(page, 'shapes') === '1, holes 1' && await fact(page, 'verdict') === 'valid outlines',
    `drawn by hand: ${await fact(page, 'shapes')}, ${await fact(page, 'verdict')}`);
  await keepPicture(page, `${kind}-digitise-drawn`);
}
