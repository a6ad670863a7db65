// Wires the controls to the recording, the clock and the picture.
import {parseAnchor} from './anchor.js';
import {Clock} from './clock.js';
import {hideBody, showBody} from './inspector/body_panel.js';
import {BodyTree, branchesOf} from './inspector/body_tree.js';
import {actionOf} from './keyboard.js';
import {format, setSheet, showStatistics} from './panels.js';
import {PathPanel} from './path.js';
import {Recording} from './recording.js';
import {legendEnd, Replay} from './replay.js';
import {showLegend} from './room/legend.js';
import {Quality, qualityLevels} from './room/quality.js';
import {canDraw} from './room/room.js';
import {onTap} from './taps.js';

const element = (id) => document.getElementById(id);
const icons = {play: 'M7 4.5v15l12.5-7.5z', pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z'};

const recording = new Recording();
const clock = new Clock(recording.duration);
const look = {colouring: 'shape', points: false, normals: false, joints: false, nearest: true, chosen: null};
const quality = new Quality(qualityLevels(window.devicePixelRatio));
const replay = canDraw() ? new Replay(element('canvas'), recording) : null; // without WebGL there is no picture
const tree = new BodyTree(element('body-tree'), choose);
const path = recording.path ? new PathPanel(element('path'), recording, seek) : null;
let dirty = true;
let lastTick = performance.now();
let lastDrawn = false;

function setPlaying(playing) {
  clock.setPlaying(playing);
  showPlaying();
  dirty = true;
}

function showPlaying() {
  element('play-icon').setAttribute('d', clock.playing ? icons.pause : icons.play);
  element('play').setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
}

function seek(time) {
  clock.seek(time);
  dirty = true;
}

function step(pictures) {
  setPlaying(false);
  seek((Math.round(clock.time / recording.pictureTime) + pictures) * recording.pictureTime);
}

function setColouring(colouring) {
  look.colouring = colouring;
  for (const button of document.querySelectorAll('[data-colouring]')) {
    button.setAttribute('aria-pressed', button.dataset.colouring === colouring);
  }
  showLegend(element('legend'), legendEnd(colouring, recording, format));
  dirty = true;
}

function setMarks(points, normals) {
  look.points = element('points').checked = points;
  look.normals = element('normals').checked = normals;
  dirty = true;
}

function setJoints(joints) {
  look.joints = element('joints').checked = joints;
  dirty = true;
}

function choose(body) {
  look.chosen = body;
  tree.select(body);
  dirty = true;
}

function showChosen(time) {
  const {chosen} = look;
  if (chosen === null) return hideBody();
  const at = recording.pictureAt(time);
  showBody(chosen, recording.bodyAt(chosen, at), path ? null : recording.contactsOf(chosen, at.picture),
    {time: recording.start + recording.contactTime(at.picture), label: (body) => recording.label(body)});
}

function draw() {
  replay?.draw(clock.time, look);
  const {time, duration} = clock;
  const scrub = element('scrub');
  scrub.value = time / recording.pictureTime;
  scrub.style.setProperty('--done', `${(100 * time) / Math.max(duration, 1e-9)}%`);
  const [now, end] = [time, duration].map((t) => (recording.start + t).toFixed(2));
  scrub.setAttribute('aria-valuetext', `${now} s`);
  element('time').textContent = `${now} / ${end} s`;
  if (path) path.draw(time, recording.pictureAt(time));
  else showStatistics(recording.statisticsAt(time));
  showChosen(time);
}

function tick(now) {
  const seconds = (now - lastTick) / 1000;
  lastTick = now;
  if (clock.advance(seconds)) {
    dirty = true;
    if (!clock.playing) showPlaying();
  }
  if (replay) {
    replay.room.orbit.update();
    // Only the time between two frames that were both drawn tells how fast drawing is.
    if (lastDrawn && dirty && quality.measure(seconds)) replay.room.setQuality(quality.settings);
  }
  // Nothing is drawn while nothing changes: a paused page costs nothing.
  lastDrawn = dirty;
  if (dirty) {
    dirty = false;
    draw();
  }
  requestAnimationFrame(tick);
}

function openAnchor() {
  const wanted = parseAnchor(location.hash, {duration: recording.duration, bodies: recording.bodies.length});
  document.body.classList.toggle('bare', wanted.bare);
  setColouring(wanted.colouring);
  setMarks(wanted.contacts, wanted.contacts);
  setJoints(wanted.joints);
  choose(wanted.body);
  if (wanted.time !== null) seek(wanted.time);
  setPlaying(wanted.time === null);
}

const kActs = {
  toggle: () => setPlaying(!clock.playing),
  forward: () => step(1),
  back: () => step(-1),
  start: () => seek(0),
  end: () => seek(recording.duration),
  dismiss: () => choose(null),
};

function wireControls() {
  element('play').addEventListener('click', kActs.toggle);
  element('restart').addEventListener('click', kActs.start);
  element('scrub').addEventListener('input', (event) => seek(Number(event.target.value) * recording.pictureTime));
  element('speed').addEventListener('change', (event) => { clock.speed = Number(event.target.value); });
  element('more').addEventListener('click', () => setSheet(!document.body.classList.contains('open')));
  element('inspector-close').addEventListener('click', kActs.dismiss);
  for (const id of ['points', 'normals']) {
    element(id).addEventListener('change', () => setMarks(element('points').checked, element('normals').checked));
  }
  element('joints').addEventListener('change', () => setJoints(element('joints').checked));
  element('nearest').addEventListener('change', () => { look.nearest = element('nearest').checked; dirty = true; });
  for (const button of document.querySelectorAll('[data-colouring]')) {
    button.addEventListener('click', () => setColouring(button.dataset.colouring));
  }
  window.addEventListener('keydown', (event) => {
    const action = actionOf(event, document.activeElement);
    if (action === null) return;
    kActs[action]();
    event.preventDefault();
  });
  window.addEventListener('hashchange', openAnchor);
}

function wirePicture() {
  const {room, bodies} = replay;
  room.setQuality(quality.settings);
  element('reset-view').addEventListener('click', () => { room.orbit.reset(); dirty = true; });
  room.orbit.controls.addEventListener('change', () => { dirty = true; });
  onTap(element('canvas'), (x, y, reach) => choose(bodies.pick(x, y, reach)));
  window.addEventListener('resize', () => { room.resize(); dirty = true; });
  const setLost = (lost) => { element('lost').hidden = !lost; dirty = true; };
  element('canvas').addEventListener('webglcontextlost', () => setLost(true));
  element('canvas').addEventListener('webglcontextrestored', () => setLost(false));
}

document.title = `${recording.title} · Tactus`;
element('title').textContent = element('title').title = recording.title;
element('scrub').max = recording.pictures - 1;
document.body.classList.toggle('blind', replay === null);
element('joints').parentElement.hidden = recording.joints.length === 0;
// A robot's path has a clearance in place of contacts and statistics.
element('path').hidden = element('nearest').parentElement.hidden = path === null;
for (const shown of [element('figures'), element('points').parentElement, element('normals').parentElement,
  document.querySelector('[data-colouring=contacts]')]) shown.hidden = path !== null;
tree.fill(branchesOf(recording.shapes, recording.bodies));
wireControls();
if (replay) wirePicture();
openAnchor();
window.tactusPlayer = {recording, replay, clock, quality};
requestAnimationFrame(tick);
