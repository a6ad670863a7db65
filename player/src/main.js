// Wires the controls to the recording and the stage.
import {rampStyle} from './colours.js';
import {Recording} from './recording.js';
import {Stage} from './stage.js';

const element = (id) => document.getElementById(id);
const recording = new Recording();
const {header} = recording;
const stage = new Stage(element('canvas'), recording);

const state = {time: 0, playing: true, speed: 1, colouring: 'shape'};
let dirty = true;
let lastTick = performance.now();

document.title = `${header.title} · Tactus`;
element('title').textContent = header.title;
element('scrub').max = recording.duration;

const icons = {play: 'M7 4.5v15l12.5-7.5z', pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z'};

function setPlaying(playing) {
  if (playing && state.time >= recording.duration) state.time = 0;
  state.playing = playing;
  lastTick = performance.now();
  element('play-icon').setAttribute('d', playing ? icons.pause : icons.play);
  element('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  dirty = true;
}

function seek(time) {
  state.time = Math.min(Math.max(time, 0), recording.duration);
  dirty = true;
}

function setColouring(colouring) {
  state.colouring = colouring;
  for (const button of document.querySelectorAll('[data-colouring]')) {
    button.setAttribute('aria-pressed', button.dataset.colouring === colouring);
  }
  const legend = element('legend');
  legend.hidden = colouring === 'shape';
  element('ramp').style.background = rampStyle;
  element('legend-low').textContent = '0';
  element('legend-high').textContent = colouring === 'speed' ? `${format(header.stage.top_speed)} /s` : '8+ touching';
  dirty = true;
}

function showContacts() {
  stage.showContacts(element('points').checked, element('normals').checked);
  dirty = true;
}

function format(value) {
  if (value === null || value === undefined) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en');
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : value.toPrecision(3);
}

// The summary row of the last full second at or before the time.
function statisticsAt(time) {
  const {columns, rows} = header.statistics;
  let found = null;
  for (const row of rows) {
    if (found === null || row[0] <= time + 1e-9) found = row;
  }
  return found === null ? [] : columns.map((name, i) => [name, found[i]]).slice(1);
}

function showStatistics() {
  const lines = statisticsAt(state.time).map(([name, value]) => `<dt>${name}</dt><dd>${format(value)}</dd>`);
  const html = lines.join('');
  if (html !== showStatistics.shown) element('statistics').innerHTML = html;
  showStatistics.shown = html;
}

function draw() {
  const at = Math.min(state.time * header.fps, recording.pictures - 1);
  const picture = Math.floor(at);
  stage.moveTo(picture, at - picture, state.colouring);
  stage.render();
  element('scrub').value = state.time;
  element('scrub').style.setProperty('--done', `${(100 * state.time) / Math.max(recording.duration, 1e-9)}%`);
  element('time').textContent = `${state.time.toFixed(2)} / ${recording.duration.toFixed(2)} s`;
  showStatistics();
}

function tick(now) {
  if (state.playing) {
    state.time += ((now - lastTick) / 1000) * state.speed;
    if (state.time >= recording.duration) {
      state.time = recording.duration;
      setPlaying(false);
    }
    dirty = true;
  }
  lastTick = now;
  stage.controls.update();
  // Nothing is drawn while nothing changes: a paused page costs nothing.
  if (dirty) {
    dirty = false;
    draw();
  }
  requestAnimationFrame(tick);
}

element('play').addEventListener('click', () => setPlaying(!state.playing));
element('restart').addEventListener('click', () => seek(0));
element('scrub').addEventListener('input', (event) => seek(Number(event.target.value)));
element('speed').addEventListener('change', (event) => { state.speed = Number(event.target.value); });
element('reset-view').addEventListener('click', () => { stage.resetView(); dirty = true; });
element('points').addEventListener('change', showContacts);
element('normals').addEventListener('change', showContacts);
for (const button of document.querySelectorAll('[data-colouring]')) {
  button.addEventListener('click', () => setColouring(button.dataset.colouring));
}
stage.controls.addEventListener('change', () => { dirty = true; });
window.addEventListener('resize', () => { stage.resize(); dirty = true; });
window.addEventListener('keydown', (event) => {
  if (event.target.tagName === 'SELECT') return;
  const picture = 1 / header.fps;
  if (event.code === 'Space') setPlaying(!state.playing);
  else if (event.code === 'ArrowRight') { setPlaying(false); seek(state.time + picture); }
  else if (event.code === 'ArrowLeft') { setPlaying(false); seek(state.time - picture); }
  else if (event.code === 'Home') seek(0);
  else if (event.code === 'End') seek(recording.duration);
  else return;
  event.preventDefault();
});

// `#t=3.5` opens the page at that time, paused (`t=end`: at the end); `colour=speed`, `contacts` and `bare` (no controls)
// may follow with `&`, for still pictures.
const anchor = new URLSearchParams(location.hash.slice(1));
setColouring(anchor.get('colour') ?? state.colouring);
setPlaying(!anchor.has('t'));
if (anchor.has('t')) seek(anchor.get('t') === 'end' ? recording.duration : Number(anchor.get('t')));
if (anchor.has('contacts')) {
  element('points').checked = element('normals').checked = true;
  showContacts();
}
document.body.classList.toggle('bare', anchor.has('bare'));
requestAnimationFrame(tick);
