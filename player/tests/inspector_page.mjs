// The list of bodies, and the panel of the chosen one with the forces on it.
import {follow, frames} from './player_browser.mjs';

const kGravity = 9.81; // of the scenes that are tried
const kBalance = 0.1; // part of its weight by which what holds a body may differ, in the middle of all bodies

const chosenLines = (page) => page.$$eval('#body-tree [aria-selected=true]', (lines) => lines.map((line) => {
  const [frame, box] = [line.closest('[role=tree]').getBoundingClientRect(), line.getBoundingClientRect()];
  return {body: Number(line.dataset.body), text: line.textContent, seen: box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1 && box.height > 0};
}));

async function tryTree(page, expect) {
  const tree = await page.evaluate(() => {
    const {bodies} = window.tactusPlayer.recording;
    const branches = [...document.querySelectorAll('#body-tree > [role=treeitem]')];
    return {bodies: bodies.length, shapes: new Set(bodies.map(({shape}) => shape)).size, branches: branches.length,
      counted: branches.reduce((sum, branch) => sum + Number(/\((\d+)\)$/.exec(branch.firstChild.textContent)[1]), 0),
      reached: document.querySelectorAll('#body-tree [tabindex="0"]').length};
  });
  expect(tree.branches === tree.shapes && tree.counted === tree.bodies && tree.reached === 1, `the list of bodies: ${JSON.stringify(tree)}`);

  // By keys alone, which are the tree's own while it has the focus.
  const time = () => page.evaluate(() => window.tactusPlayer.clock.time);
  const before = await time();
  await page.focus('#body-tree [tabindex="0"]');
  const closed = await page.evaluate(() => document.activeElement.getAttribute('aria-expanded') === 'false');
  for (const key of [...(closed ? ['ArrowRight'] : []), 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await frames(page);
  const [line, ...others] = await chosenLines(page);
  const title = () => page.$eval('#inspector-title', (element) => element.textContent);
  expect(line && others.length === 0 && await title() === `Body #${line.body + 1}` && line.text.startsWith(`#${line.body + 1} `),
    `keys in the list choose ${JSON.stringify([line, ...others])}, the panel shows ${await title()}`);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')) === 'false', 'the left arrow does not close a branch');
  expect(await time() === before, 'keys in the list move the time');
}

async function tryPicture(page, expect) {
  await follow(page, '#t=end');
  const found = await page.evaluate(() => {
    const {replay} = window.tactusPlayer;
    for (const body of [...replay.moving].reverse()) {
      const [x, y] = replay.bodies.placeOnCanvas(body).map(Math.round);
      if (document.elementFromPoint(x, y)?.id === 'canvas' && replay.bodies.pick(x, y) === body) return [body, x, y];
    }
    return null;
  });
  if (found === null) return expect(false, 'no body can be clicked');
  await page.mouse.click(found[1], found[2]);
  await frames(page);
  const lines = await chosenLines(page);
  expect(lines.length === 1 && lines[0].body === found[0] && lines[0].seen, `a click on body #${found[0] + 1} marks ${JSON.stringify(lines)} in the list`);
}

// Arrows are as many and as long as the forces; what rests is held by its contacts with its weight.
async function tryForces(page, expect) {
  await follow(page, '#t=end');
  const {arrows, forces, held} = await page.evaluate(() => {
    const {recording, replay, clock} = window.tactusPlayer;
    const {picture} = recording.pictureAt(clock.time);
    const {up} = replay.room.stage;
    const supported = [];
    let [most, chosen] = [0, 0];
    for (const body of replay.moving) {
      const {points, total} = recording.contactsOf(body, picture);
      if (points > most) [most, chosen] = [points, body];
      if (points > 0) supported.push(total.dot(up) / recording.bodies[body].mass);
    }
    const sizes = [];
    recording.forEachContact(picture, (a, b, place, normal, force) => { if (a === chosen || b === chosen) sizes.push(force.length()); });
    replay.draw(clock.time, {colouring: 'shape', points: false, normals: false, chosen});
    const {mesh} = replay.forces.shafts;
    const drawn = Array.from({length: mesh.count}, (_, i) => Math.hypot(...mesh.instanceMatrix.array.slice(16 * i + 4, 16 * i + 7)));
    return {arrows: drawn, forces: sizes.filter((size) => size > 0).map((size) => [size, replay.forces.lengthOf(size)]), held: supported.sort((x, y) => x - y)};
  });
  expect(arrows.length === forces.length && arrows.length > 1, `${arrows.length} arrows for ${forces.length} forces`);
  arrows.forEach((length, i) => expect(Math.abs(length - forces[i][1]) < 1e-4 * length, `the arrow of a force of ${forces[i][0]} is ${length} long`));
  const sorted = [...forces].sort(([a], [b]) => a - b);
  expect(sorted.every(([, length], i) => i === 0 || length >= sorted[i - 1][1]), 'a larger force has a shorter arrow');
  const middle = held[held.length >> 1] / kGravity;
  expect(Math.abs(middle - 1) < kBalance, `in the middle contacts hold bodies with ${middle} of their weight`);
}

/// Tries the list and the panel of a recording whose bodies come to rest under gravity; nothing is chosen afterwards.
export async function tryInspector(page, expect) {
  await follow(page, '#t=1');
  await tryTree(page, expect);
  await tryPicture(page, expect);
  await tryForces(page, expect);
  await page.focus('canvas');
}
