// The heat map of the page "Your own", and meshes from COLLADA files: the program measures the same.
import {spawnSync} from 'node:child_process';

import {choose, hand, open, press, settle, slide, text, until, values} from './playground_browser.mjs';

export const kParams = ['X', 'Y', 'Z'].map((name) => `<param name="${name}" type="float"/>`).join('');

// A scene of nested nodes in centimetres: a cube of triangles, turned and shown twice, and a concave plate of polygons with normals beside the
// corners.
const kCollada = `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset><library_geometries>
<geometry id="cube"><mesh><source id="cp"><float_array id="ca" count="24">0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1</float_array><technique_common><accessor source="#ca" count="8" stride="3">${kParams}</accessor></technique_common></source>
<vertices id="cv"><input semantic="POSITION" source="#cp"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#cv" offset="0"/><p>0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7</p></triangles></mesh></geometry>
<geometry id="plate"><mesh><source id="pp"><float_array id="pa" count="36">0 0 0 4 0 0 4 3 0 1 1 0 0 3 0 9 9 9 0 0 1 4 0 1 4 3 1 1 1 1 0 3 1 9 9 9</float_array><technique_common><accessor source="#pa" count="12" stride="3">${kParams}</accessor></technique_common></source>
<source id="pn"><float_array id="na" count="3">0 0 1</float_array><technique_common><accessor source="#na" count="1" stride="3">${kParams}</accessor></technique_common></source>
<vertices id="pv"><input semantic="POSITION" source="#pp"/></vertices>
<polylist count="7"><input semantic="VERTEX" source="#pv" offset="0"/><input semantic="NORMAL" source="#pn" offset="1"/><vcount>5 5 4 4 4 4 4</vcount>
<p>4 0 3 0 2 0 1 0 0 0 6 0 7 0 8 0 9 0 10 0 0 0 1 0 7 0 6 0 1 0 2 0 8 0 7 0 2 0 3 0 9 0 8 0 3 0 4 0 10 0 9 0 4 0 0 0 6 0 10 0</p></polylist></mesh></geometry></library_geometries>
<library_nodes><node id="two"><matrix>0 -2 0 10 2 0 0 0 0 0 2 0 0 0 0 1</matrix><instance_geometry url="#cube"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 5</translate><rotate>0 0 1 30</rotate><scale>1 2 3</scale><instance_geometry url="#cube"/>
<node><translate>20 0 0</translate><instance_geometry url="#plate"/></node></node><node><instance_node url="#two"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`;

const kFaults = [[['count="8" stride="3"', 'count="9" stride="3"'], /<accessor>: does not fit/],
  [['0 2 1 0 3 2', '0 2 1 0 3 8'], /geometry 'cube': <p>: index 8 is out of range/], [['url="#two"', 'url="#three"'], /<instance_node>: there is no '#three'/],
  [['5 5 4 4 4 4 4', '5 5 4 4 4 4 3'], /geometry 'plate': <p>: has 30 corners where its counts sum up to 29/], [['1 1 0 0 1 0 0 0 1', '1 x 0 0 1 0 0 0 1'], /<float_array>: holds what is no finite number/]];

async function tryCollada(page, {expect, file, program}) {
  const path = file('model.dae', kCollada);
  await choose(page, [path]);
  await until(page, () => document.querySelector('#bodies tr').textContent.includes('model.dae') && /Y_UP.*turns nothing.*0\.01/.test(document.getElementById('message').textContent));
  await press(page, '[data-show=report]');
  await until(page, () => /self crossings/.test(document.getElementById('facts').textContent));
  const mine = Object.assign({}, ...await values(page, 'facts'));
  const right = JSON.parse(spawnSync(program, ['mesh', path, '--json'], {encoding: 'utf8'}).stdout || 'null');
  const near = (x, y) => Math.abs(x - y) <= 1e-6 * Math.max(Math.abs(x), Math.abs(y), 1e-3); // the program's reader has single precision
  expect(right && mine.triangles === right.triangles && mine.closed && right.closed && mine.inside_out === right.inside_out && near(mine.volume, right.volume) && near(mine.area, right.area)
    && mine.box.flat().every((x, i) => near(x, right.box.flat()[i])), `a COLLADA file is read as ${JSON.stringify(mine)}, by the program as ${JSON.stringify(right)}`);
  for (const [[from, to], pattern] of kFaults) {
    await choose(page, [file('model.dae', kCollada.replace(from, to))]);
    await until(page, (wanted) => new RegExp(wanted).test(document.getElementById('message').textContent), pattern.source);
  }
}

export async function tryHeat(page, where, touch, kind, tools) {
  const {expect, keepPicture, file, program} = tools;
  await open(page, where('own'), {example: 'pair', show: 'heat', shift: -0.4});
  await settle(page);
  await keepPicture(page, `${kind}-own-heat`);
  const facts = async () => (await values(page, 'facts')).find((v) => v && 'inside' in v);
  const seen = await facts();
  expect(seen.measured === seen.of && seen.of > 2000 && seen.inside > 20 && seen.low < 0 && seen.high > 2, `the heat map shows ${JSON.stringify(seen)}`);
  expect(/ 4 \(units of the file\)$/.test(` ${await page.$eval('#heat-scale .high', (end) => end.textContent)}`), 'the scale has no end with units');

  // The program finds the nearest places of the same points: all that are not inside have these distances.
  const {points, distances} = await page.evaluate(async () => {
    const {heat, engine} = window.tactusPage;
    const {distances: found} = await engine.call('heat', heat.offset, 0, 1e9);
    const every = Math.ceil(found.length / 300);
    const kept = Array.from({length: Math.floor(found.length / every)}, (_, i) => i * every);
    return {points: kept.map((i) => [0, 1, 2].map((k) => heat.heat.vertices[3 * i + k] - heat.offset[k])), distances: kept.map((i) => found[i])};
  });
  const other = file('second.off', Buffer.from(await page.evaluate(() => [...window.tactusPage.meshes[1].file.bytes])));
  const run = spawnSync(program, ['mesh', other, '--nearest', file('points.xyz', points.map((p) => p.join(' ')).join('\n')), '--json'], {encoding: 'utf8'});
  const nearest = JSON.parse(run.stdout).nearest;
  expect(nearest.length === distances.length && nearest.length >= 200, `the program answers for ${nearest.length} of ${distances.length} points`);
  nearest.forEach(({distance}, i) => expect(Math.abs(Math.abs(distances[i]) - distance) < 1e-6, `point ${points[i]} is ${distances[i]} away, the program says ${distance}`));

  // However little time there is, each point has a distance, of its neighbourhood; and more is measured later.
  const little = await page.evaluate(async () => {
    const {heat, engine} = window.tactusPage;
    const {measured, of, distances: all} = await engine.call('heat', heat.offset, 0, 1);
    return {measured, of, finite: all.every(Number.isFinite)};
  });
  expect(little.measured > 0 && little.measured < little.of && little.finite, `in one millisecond: ${JSON.stringify(little)}`);

  // Dragged by hand, and moved by a slider: colours and figures follow.
  const place = await page.evaluate(() => {
    const {view} = window.tactusPage;
    const box = view.canvas.getBoundingClientRect();
    for (let x = 0.3; x < 0.9; x += 0.02) {
      for (let y = 0.3; y < 0.9; y += 0.02) {
        const at = [x * box.width, y * box.height];
        if (view.bodies.pick(...at) !== null) return [at[0] + box.left, at[1] + box.top];
      }
    }
    return null;
  });
  const shift = () => page.evaluate(() => ['shift', 'shiftY', 'shiftZ'].map((name) => window.tactusPage.state[name]));
  const colours = () => page.evaluate(() => window.tactusPage.heat.mesh.geometry.attributes.color.array.reduce((sum, c) => sum + c, 0));
  const [before, painted] = [await shift(), await colours()];
  const least = async () => (await values(page, 'facts')).find((v) => v && 'lower' in v);
  const close = await least();
  // While the hand holds it already.
  const {down, move, up} = hand(page, touch);
  await down(place);
  await move([place[0] + 40, place[1] - 60]);
  await until(page, (sum) => window.tactusPage.heat.mesh.geometry.attributes.color.array.reduce((all, c) => all + c, 0) !== sum, painted);
  await settle(page);
  const held = await least();
  expect(held.distance !== close.distance, `the distance stays ${held.distance} while the body is dragged`);
  await up();
  await settle(page);
  const after = await shift();
  expect(after.every((x, i) => Math.abs(x - before[i]) > 1e-3) && await colours() !== painted, `a drag leads from ${before} to ${after}`);
  expect(Number(await text(page, 'shift')).toFixed(2) === Math.min(3, Math.max(-1.5, after[0])).toFixed(2), 'the slider does not follow the hand');
  for (const [name, to] of [['shift', 1], ['shiftY', 0], ['shiftZ', 0]]) await slide(page, name, to);
  await settle(page);
  const apart = await facts();
  expect(apart.inside === 0 && Math.abs(apart.low - 4) < 1e-9, `a gap of the body's width leaves ${JSON.stringify(apart)}`);
  const {lower, upper} = await least();
  expect(lower <= 4 + 1e-12 && upper >= 4 - 1e-12 && upper - lower < 1e-6, `a gap of 4 has the bracket ${lower} .. ${upper}`);
  expect(lower <= apart.low + 1e-9, `a point is nearer, ${apart.low}, than the lower end ${lower}`);
  if (touch) return;
  await press(page, '#example');
  await settle(page);
  await tryCollada(page, tools);
}
