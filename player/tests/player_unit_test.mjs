// node --test player/tests/player_unit_test.mjs   the player's modules that need no browser
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {parseAnchor} from '../src/anchor.js';
import {Clock} from '../src/clock.js';
import {contactRows} from '../src/inspector/body_panel.js';
import {branchesOf} from '../src/inspector/body_tree.js';
import {actionOf} from '../src/keyboard.js';
import {nearestAt} from '../src/path.js';
import {shortest, spinOf} from '../src/recording.js';
import {Quality, qualityLevels} from '../src/room/quality.js';

const run = {duration: 6, bodies: 10};

test('an anchor gives a time within the recording, or none', () => {
  const times = {'': null, '#': null, '#t=': null, '#t=abc': null, '#t=NaN': null, '#t=Infinity': null, '#t=1e999': 6,
    '#t=0x10': null, '#t=2s': null, '#t=%': null, '#t=1e99': 6, '#t=-5': 0, '#t=-0': 0, '#t=3.5': 3.5, '#t=.5': 0.5,
    '#t=1e-3': 0.001, '#t=end': 6, 't=2': 2};
  for (const [hash, time] of Object.entries(times)) {
    const found = parseAnchor(hash, run).time;
    assert.equal(found === null ? found : found + 0, time, hash);
  }
});

test('an anchor gives colours and bodies that there are', () => {
  assert.equal(parseAnchor('#colour=speed', run).colouring, 'speed');
  assert.equal(parseAnchor('#colour=pink', run).colouring, 'shape');
  const bodies = {'#body=1': 0, '#body=10': 9, '#body=0': null, '#body=11': null, '#body=-1': null, '#body=1.5': null,
    '#body=x': null, '': null};
  for (const [hash, body] of Object.entries(bodies)) assert.equal(parseAnchor(hash, run).body, body, hash);
  const {contacts, bare, joints} = parseAnchor('#contacts&bare', run);
  assert.ok(contacts && bare && !joints);
  assert.ok(parseAnchor('#t=1&joints', run).joints);
});

test('a page that was in the background goes on where it was', () => {
  const clock = new Clock(100);
  clock.setPlaying(true);
  clock.advance(3600);
  assert.ok(clock.time > 0 && clock.time <= 0.25, `${clock.time} s`);
  clock.advance(-1);
  assert.ok(clock.time <= 0.25);
});

test('the clock stops at the end and starts again from it', () => {
  const clock = new Clock(1);
  clock.setPlaying(true);
  clock.speed = 4;
  assert.ok(clock.advance(0.25));
  assert.deepEqual([clock.time, clock.playing], [1, false]);
  assert.ok(!clock.advance(0.1));
  clock.setPlaying(true);
  assert.equal(clock.time, 0);
});

test('the clock takes no nonsense', () => {
  const clock = new Clock(5);
  for (const [time, expected] of [[2, 2], [Number.NaN, 2], [-1, 0], [1e99, 5], [Infinity, 5]]) {
    clock.seek(time);
    assert.equal(clock.time, expected);
  }
});

test('the nearest points of a path move on while the pair stays', () => {
  const path = {wanted: 0.5, distance: [2, 1, 0.5, null], pair: [0, 0, 1, null], pairs: ['a b', 'a c'],
    points: [[0, 0, 0, 2, 0, 0], [0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1.5, 0], [0, 0, 0, 0, 0, 0]].flat()};
  assert.deepEqual(nearestAt(path, {picture: 0, fraction: 0.5}), {distance: 1.5, pair: 'a b', points: [0, 0, 0, 1.5, 0, 0], near: false});
  assert.deepEqual(nearestAt(path, {picture: 1, fraction: 0.5}), {distance: 1, pair: 'a b', points: [0, 0, 0, 1, 0, 0], near: false});
  assert.deepEqual(nearestAt(path, {picture: 2, fraction: 0.9}), {distance: 0.5, pair: 'a c', points: [0, 1, 0, 0, 1.5, 0], near: true});
  assert.equal(nearestAt(path, {picture: 3, fraction: 0}), null);
});

test('bodies are listed by their shapes, with their numbers and names', () => {
  const branches = branchesOf([{name: 'ball'}, {name: 'none'}, {name: 'box'}], [{name: 'p', shape: 2}, {name: 'q', shape: 0}, {name: 'r', shape: 2}]);
  assert.deepEqual(branches, [{label: 'ball', members: [{body: 1, label: '#2 q'}]}, {label: 'box', members: [{body: 0, label: '#1 p'}, {body: 2, label: '#3 r'}]}]);
});

test('the largest forces have a row, the others are counted', () => {
  const met = Array.from({length: 11}, (_, partner) => ({partner, points: 1, force: {length: () => partner % 5}}));
  const {rows, more} = contactRows({met});
  assert.deepEqual(rows.map(({partner}) => partner), [4, 9, 3, 8, 2, 7, 1, 6]);
  assert.equal(more, 3);
});

test('a spin turns the shorter way', () => {
  const half = 0.05;
  for (const sign of [1, -1]) {
    const {x, y, z} = spinOf({w: sign * Math.cos(half), x: 0, y: 0, z: sign * -Math.sin(half)}, 0.02);
    assert.ok(Math.abs(z + 5) < 1e-12 && x + 0 === 0 && y + 0 === 0, `${[x, y, z]}`);
  }
  assert.equal(spinOf({w: 1, x: 0, y: 0, z: 0}, 0.02).length(), 0);
});

test('a way through the faces of a space under shear is the straight one', () => {
  const periods = [4, 0, 3], shear = {flow: 0, gradient: 2, rate: 0.7}, time = 12.5;
  const along = (x, y, z) => ({x, y, z});
  for (const passed of [1, -1, 0]) {
    // Where the body goes on, and its place in the space: an image of that.
    const straight = along(0.3, 5, -0.4 * passed);
    const offset = shear.rate * periods[2] * time;
    const seen = along(straight.x + passed * offset - 4 * Math.floor(offset / 4) * passed, 5, straight.z + 3 * passed);
    const found = shortest({...seen}, periods, shear, time);
    for (const axis of ['x', 'y', 'z']) assert.ok(Math.abs(found[axis] - straight[axis]) < 1e-9, `${axis} of ${passed}: ${found[axis]}`);
  }
  assert.deepEqual(shortest(along(3.5, 9, -2.75), periods, null, time), along(-0.5, 9, 0.25));
});

test('form elements keep their keys', () => {
  const act = (code, element, more = {}) => actionOf({code, ...more}, element);
  const body = {tagName: 'BODY'}, button = {tagName: 'BUTTON'}, slider = {tagName: 'INPUT', type: 'range'};
  const box = {tagName: 'INPUT', type: 'checkbox'}, list = {tagName: 'SELECT'};
  assert.equal(act('Space', body), 'toggle');
  assert.equal(act('Space', null), 'toggle');
  assert.equal(act('Space', slider), 'toggle');
  for (const element of [button, box, list]) assert.equal(act('Space', element), null);
  for (const element of [slider, list]) {
    for (const code of ['ArrowLeft', 'ArrowRight', 'Home', 'End']) assert.equal(act(code, element), null);
  }
  assert.equal(act('ArrowRight', button), 'forward');
  assert.equal(act('ArrowLeft', box), 'back');
  assert.equal(act('Escape', list), 'dismiss');
  assert.equal(act('KeyA', body), null);
  for (const key of ['ctrlKey', 'altKey', 'metaKey']) assert.equal(act('Home', body, {[key]: true}), null);
  assert.equal(act('Space', body, {repeat: true}), null);
});

test('slow frames make the picture coarser, fast ones finer, and never as fine as what was slow', () => {
  const levels = qualityLevels(3);
  assert.equal(levels[0].pixelRatio, 2);
  const quality = new Quality(levels);
  const spend = (seconds, frames) => { for (let k = 0; k < frames; ++k) quality.measure(seconds); };
  spend(1 / 60, 1000);
  assert.equal(quality.level, 0);
  spend(0.2, 11);
  spend(5, 1); // one long pause among them
  assert.equal(quality.level, 1);
  spend(0.2, 500);
  assert.equal(quality.level, levels.length - 1);
  assert.equal(quality.settings.shadows, 0);
  spend(1 / 60, 5000);
  assert.equal(quality.level, levels.length - 1);
});

test('a level that was fast enough is tried again', () => {
  const quality = new Quality(qualityLevels(1));
  quality.change(2);
  for (let k = 0; k < 150; ++k) quality.measure(1 / 60);
  assert.equal(quality.level, 1);
});
