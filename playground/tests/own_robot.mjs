// Robots on the page "Your own": the program says the same of each configuration; bad descriptions are told by link and element.
import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {kParams} from './own_heat.mjs';
import {choose, message, open, press, settle, slide, text, until, values} from './playground_browser.mjs';

const kArm = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'own', 'arm.urdf');
const kSame = 1e-9; // metres: both walk the same joints, by quaternions and by matrices
const kSingle = 1e-7; // where a mesh is of COLLADA, which the program reads in single precision
const kRandom = 4;

const kTetrahedron = [[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.4]];
const kFaces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
const kObj = `${kTetrahedron.map((p) => `v ${p.join(' ')}`).join('\n')}\n${kFaces.map((f) => `f ${f.map((i) => i + 1).join(' ')}`).join('\n')}\n`;
const kStl = `solid t\n${kFaces.map((f) => `facet normal 0 0 0\nouter loop\n${f.map((i) => `vertex ${kTetrahedron[i].join(' ')}`).join('\n')}\nendloop\nendfacet`).join('\n')}\nendsolid t\n`;
const kDae = `<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">${kTetrahedron.flat().map((x) => 100 * x).join(' ')}</float_array><technique_common><accessor source="#a" count="4" stride="3">${kParams}</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>${kFaces.flat().join(' ')}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>`;

const link = (name, geometry, origin = '') => `<link name="${name}"><collision>${origin}<geometry>${geometry}</geometry></collision></link>`;
const joint = (name, type, parent, child, more = '<limit lower="-2" upper="2"/>') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="0.5 0.1 0" rpy="0.3 -0.2 0.9"/><axis xyz="0 1 2"/>${more}</joint>`;
const robot = (...parts) => `<robot name="made">\n${parts.join('\n')}\n</robot>`;

// Meshes of three kinds, one mirrored; a chain of mimics whose last one has the narrowest limits.
const kMade = robot(link('base', '<mesh filename="package://made_description/meshes/base.STL" scale="1 1 2"/>'),
  link('mid', '<mesh filename="../meshes/mid.obj" scale="-1 1 1"/>', '<origin xyz="0.1 0 0" rpy="0 1 0"/>'), link('end', '<mesh filename="package://made_description/meshes/end.dae"/>'),
  link('tip', '<capsule radius="0.05" length="0.2"/>'), joint('one', 'revolute', 'base', 'mid'), joint('two', 'revolute', 'mid', 'end', '<limit lower="-1" upper="1"/><mimic joint="one" multiplier="-0.5" offset="0.25"/>'),
  joint('three', 'prismatic', 'end', 'tip', '<limit lower="-0.3" upper="0.4"/><mimic joint="two" multiplier="0.5"/>'));

const kBad = [
  [robot(link('a', '<box size="1 -1 1"/>')), /bad\.urdf: link 'a': <box>: size must be at least 0/],
  [robot(link('a', '<torus/>')), /link 'a': <torus>: is no shape/],
  [robot(link('a', '<sphere radius="big"/>')), /link 'a': <sphere>: radius='big' is not a finite number/],
  [robot(link('a', '<box size="1 1 1"/>'), link('b', '<box size="1 1 1"/>'), joint('j', 'revolute', 'a', 'b', '')), /joint 'j': <joint>: is revolute and has no <limit>/],
  [robot(link('a', '<box size="1 1 1"/>'), joint('j', 'fixed', 'a', 'c', '')), /joint 'j': <child>: there is no link 'c'/],
  [robot(link('a', '<box size="1 1 1"/>'), link('b', '<box size="1 1 1"/>')), /link 'b' is a second root beside 'a'/],
  [robot(link('a', '<box size="1 1 1"/>'), link('b', '<box size="1 1 1"/>'), joint('j', 'continuous', 'a', 'b', '<mimic joint="j"/>')), /joint 'j': <joint>: joints follow each other in a cycle/],
  ['<robot name="r"><link name="a"></robot>', /bad\.urdf: line \d+: broken XML/],
  ['<robot name="r" xmlns:xacro="x"><xacro:box/></robot>', /<robot>: holds xacro/], ['<mujoco/>', /<mujoco>: the page reads URDF alone/],
  [robot(link('a', '<mesh filename="package://x/none.stl"/>'), link('b', '<box size="1 1 1"/>'), joint('j', 'fixed', 'a', 'b', '')), /link 'a': <mesh>: no file 'package:\/\/x\/none\.stl' among those dropped/],
];

export async function tryRobots(page, where, touch, kind, {expect, keepPicture, file, scratch, program}) {
  const shown = async () => (await values(page, 'facts')).find((v) => v?.pointA);

  // The command that the page shows, on `path`: the program's answer.
  async function native(path, more = []) {
    const joints = /--joints (\S+)/.exec(await text(page, 'line'))[1].replaceAll("'", '');
    const run = spawnSync(program, ['robot', 'clearance', path, '--joints', joints, '--json', ...more], {encoding: 'utf8'});
    if (run.status > 1) throw new Error(run.stderr);
    return JSON.parse(run.stdout);
  }

  // The nearest pair as the page shows it, and every pair, which tells where each link is.
  async function compare(path, what, same = kSame) {
    await settle(page);
    const [mine, right] = [await shown(), await native(path, ['--below', '100'])];
    const least = right.least;
    const gap = (p, q) => Math.hypot(...p.map((x, i) => x - q[i]));
    const between = (r) => r.pointA.map((x, i) => (r.pointA[i] + r.pointB[i]) / 2);
    expect(mine && Math.abs(mine.distance - least.distance) < same && mine.lower <= right.upper + same && right.lower <= mine.upper + same,
      `${what}: the nearest pair is ${JSON.stringify(mine)}, the program says ${JSON.stringify(least)}`);
    // Several pairs may be equally near, and flat faces have several nearest points.
    if (mine.linkA === least.a && mine.linkB === least.b && mine.unique && mine.distance > 0) {
      expect(Math.abs(gap(mine.pointA, mine.pointB) - mine.distance) < kSame && between(mine).every(Number.isFinite), `${what}: its points are ${JSON.stringify(mine)}`);
    }
    const all = await page.evaluate(async () => {
      const {robot: desk, engine} = window.tactusPage;
      const {below} = await engine.call('clearance', Float64Array.from(desk.bodyPoses().flat()), 100);
      return below.map(({a, b, distance}) => [[desk.linkName(a), desk.linkName(b)].join(' '), distance]);
    });
    const wanted = new Map(right.below.map(({a, b, distance}) => [`${a} ${b}`, distance]));
    expect(all.length === wanted.size && all.length > 0, `${what}: ${all.length} pairs, the program has ${wanted.size}`);
    for (const [pair, distance] of all) expect(Math.abs(distance - wanted.get(pair)) < same, `${what}: ${pair} are ${distance} apart, the program says ${wanted.get(pair)}`);
  }

  async function randomly(path, what, same = kSame) {
    for (let i = 0; i < kRandom; ++i) {
      await press(page, '#joints-random');
      await compare(path, `${what}, configuration ${i}`, same);
    }
  }

  await open(page, where('own'), {example: 'robot'});
  await compare(kArm, 'the arm as it is opened');
  await keepPicture(page, `${kind}-own-robot`);
  await randomly(kArm, 'the arm');
  await press(page, '#joints-start');
  await settle(page);
  expect((await page.$$eval('#joints input', (all) => all.map(({disabled}) => disabled))).join() === 'false,false,false,false,false,false,true', 'six joints have a slider, one follows');
  await slide(page, 'joint-5', 0.0175);
  await settle(page);
  expect(await text(page, 'joint-6') === '0.0175' && Math.abs((await shown()).distance - 0.041) < kSame, `the second finger follows to ${await text(page, 'joint-6')}, ${JSON.stringify(await shown())}`);
  await page.focus('#joint-2');
  const before = await text(page, 'joint-2');
  await page.keyboard.press('ArrowRight');
  await settle(page);
  expect(Number(await text(page, 'joint-2')) > Number(before), 'an arrow key moves no joint');
  await until(page, () => JSON.parse(decodeURIComponent(location.hash.slice(1))).joints?.[5] === 0.0175);
  expect(/left_finger – right_finger: distance 0\.041/.test(await text(page, 'nearest')), `the picture says ${await text(page, 'nearest')}`);

  // A dropped folder, with meshes by package and by path.
  const folder = join(scratch, 'made_description');
  const files = {'urdf/made.urdf': kMade, 'meshes/base.STL': kStl, 'meshes/mid.obj': kObj, 'meshes/end.dae': kDae, 'readme.txt': 'x'};
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), content);
  }
  await page.evaluate((contents) => {
    const entry = (path, tree) => (typeof tree === 'string'
      ? {isDirectory: false, fullPath: path, file: (done) => done(new File([tree], path.split('/').pop()))}
      : {isDirectory: true, fullPath: path, createReader: () => {
        let rest = Object.entries(tree).map(([name, below]) => entry(`${path}/${name}`, below));
        return {readEntries: (done) => { const some = rest.slice(0, 1); rest = rest.slice(1); done(some); }};
      }});
    const tree = {};
    for (const [path, content] of Object.entries(contents)) {
      const parts = path.split('/');
      const last = parts.pop();
      parts.reduce((at, part) => at[part] ??= {}, tree)[last] = content;
    }
    const drop = new Event('drop', {cancelable: true});
    drop.dataTransfer = {items: [{webkitGetAsEntry: () => entry('/made_description', tree)}], files: []};
    document.body.dispatchEvent(drop);
  }, files);
  await until(page, () => /made/.test(document.getElementById('facts').textContent));
  const path = join(folder, 'urdf/made.urdf');
  await compare(path, 'a dropped folder', kSingle);
  await keepPicture(page, `${kind}-own-folder`);
  await randomly(path, 'a dropped folder', kSingle);
  // The slider of "one" ends where "two" and "three" end: -0.5 x + 0.25 in [-1, 1] and half of that in [-0.3, 0.4].
  const ends = await page.$eval('#joint-0', ({min, max}) => [Number(min), Number(max)]);
  expect(Math.abs(ends[0] + 1.1) < 1e-12 && Math.abs(ends[1] - 1.7) < 1e-12, `the first slider goes from ${ends}`);
  // Pairs that an SRDF file disables are not asked.
  await choose(page, [...Object.keys(files).map((name) => join(folder, name)), file('made.srdf', '<robot name="made"><disable_collisions link1="mid" link2="tip"/></robot>')]);
  await until(page, () => /--srdf/.test(document.getElementById('line').value));
  await settle(page);
  expect(await page.evaluate(() => window.tactusPage.robot.robot.linkPairs.length) === 2, 'a disabled pair is asked');

  for (const [content, wanted] of kBad) {
    await choose(page, [file('bad.urdf', content)]);
    await until(page, (pattern) => new RegExp(pattern).test(document.getElementById('message').textContent), wanted.source);
  }
  expect(/no file/.test(await message(page)) && (await page.$$eval('#joints input', (all) => all.length)) === 0, 'a robot without its mesh is not shown');
  await press(page, '#example');
  await until(page, () => document.getElementById('robot-tools').hidden && !document.getElementById('mesh-tools').hidden);
}
