// The page "Scene": completion, the program's errors, runs, and a scene in a link.
import {tryInspector, tryTimeline} from './live_tools.mjs';
import {open, press, settle, text, until} from './playground_browser.mjs';

const kScene = `// two boxes
{
  "materials": {"m": {"friction": 0.4}},
  "bodies": [
    {"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"shape": {"type": "box", "size": [1, 1, 1]}, "material": "m", "pose": {"position": [0, 0, 0.5]}},
    {"shape": {"type": "box", "size": [1, 1, 1]}, "material": "m", "pose": {"position": [0, 0, 1.5]}}
  ]
}
`;
const verdict = (page, words) => until(page, (pattern) => new RegExp(pattern).test(document.getElementById('verdict').textContent), words);

// Replaces the text as a hand does, and puts the cursor behind `before`.
async function write(page, content, before = content) {
  await page.$eval('#scene-text', (area, [all, at]) => {
    area.focus();
    area.value = all;
    area.setSelectionRange(at, at);
    area.dispatchEvent(new InputEvent('input'));
  }, [content, content.indexOf(before) + before.length]);
}

async function tryCompletion(page, {expect}) {
  const fits = () => page.$$eval('#fits li', (lines) => lines.map((line) => line.textContent.replace(/:.*/, '')));
  await write(page, '{"world": {}}', '{"world": {');
  await page.keyboard.type('"grav');
  expect(String(await fits()) === 'gravity,gravity_scale' || (await fits())[0] === 'gravity', `"grav is completed by ${await fits()}`);
  expect(await page.$eval('#scene-text', (area) => document.getElementById(area.getAttribute('aria-activedescendant'))?.textContent.startsWith('gravity')), 'no line of the list is active');
  await page.keyboard.press('Enter');
  await page.keyboard.type('[0, 0, -1], "quality": "f');
  await page.keyboard.press('Tab');
  expect(await text(page, 'scene-text') === '{"world": {"gravity": [0, 0, -1], "quality": "fast"}}', `completed: ${await text(page, 'scene-text')}`);
  expect(await page.evaluate(() => document.activeElement.id) === 'scene-text', 'Tab leaves the text while it completes');
  await write(page, '{"bodies": [{"shape": {"type": "capsule", ', '"capsule", ');
  expect(String(await fits()) === 'radius,length,rounding', `a capsule has ${await fits()}`);
  await page.keyboard.down('Control');
  await page.keyboard.press(' ');
  await page.keyboard.up('Control');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect((await text(page, 'scene-text')).endsWith('"capsule", "length": '), `keys complete to ${await text(page, 'scene-text')}`);
}

export async function tryScene(page, where, touch, kind, tools) {
  const {expect, native, keepPicture} = tools;
  await open(page, where('scene'), {playing: false});
  await settle(page);
  await verdict(page, 'takes this scene');
  await tryCompletion(page, tools);
  await keepPicture(page, `${kind}-scene-completion`);
  // Errors are the program's own, with the field.
  await write(page, kScene.replace('"friction": 0.4', '"friction": -1'));
  await verdict(page, 'friction');
  expect(await page.$eval('#scene-text', (area) => area.getAttribute('aria-invalid')) === 'true', 'the text is not marked as wrong');
  const before = await page.evaluate(() => globalThis.tactusPage.sides[0].picture.bodies.length);
  await press(page, '#restart');
  await settle(page);
  expect(await page.evaluate(() => globalThis.tactusPage.sides[0].picture.bodies.length) === before, 'a scene that is refused runs');
  await write(page, kScene.replace('"m": {', '"m": {"fricton": 1, '));
  await verdict(page, 'fricton');
  await write(page, kScene.replace('[1, 1, 1]', '[1, 1,'));
  await verdict(page, 'line|column|parse|expected');
  await keepPicture(page, `${kind}-scene-error`);
  await write(page, kScene);
  await verdict(page, '3 bodies');
  await press(page, '#restart');
  await until(page, () => globalThis.tactusPage.sides[0].picture.bodies.length === 3);
  await settle(page);
  for (let i = 0; i < 5; ++i) await press(page, '#step');
  await settle(page);
  await tryInspector(page, 'a scene', tools);
  await keepPicture(page, `${kind}-scene`);
  await tryTimeline(page, 'a scene', tools);
  await press(page, '#take');
  await until(page, () => document.getElementById('line').value !== '');
  const run = JSON.parse(await text(page, 'line'));
  const [replay] = native(['live', '-'], `${JSON.stringify(run)}\n`);
  expect(replay.hash === run.hash, `a scene ended with ${run.hash}, the program with ${replay.hash}`);
  // The address holds the scene, deflated or not.
  const {scene} = await page.evaluate(() => globalThis.tactusPage.state);
  await open(page, where('scene'), {scene, playing: false});
  expect(await text(page, 'scene-text') === kScene && scene[0] === 'z', `the link ${scene.slice(0, 20)} opens ${await text(page, 'scene-text')}`);
  await open(page, where('scene'), {scene: `p${Buffer.from(kScene).toString('base64url')}`, playing: false});
  expect(await text(page, 'scene-text') === kScene, 'a link of a browser that cannot deflate is not read');
  await open(page, where('scene'), {scene: `${scene.slice(0, 30)}`, playing: false});
  await until(page, () => /cannot be read/.test(document.getElementById('message').textContent));
}
