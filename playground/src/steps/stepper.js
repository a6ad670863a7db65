// To and fro through steps: buttons, slider, keys, play.
import {element, setPressed} from '../shell.js';

const kPause = 700; // milliseconds between two steps that play

/// Moves `state.step` between 0 and `last()` and calls `show()` for each; wires the page's transport.
export function wireStepper(state, last, show) {
  let playing = 0;
  function play(on) {
    clearInterval(playing);
    playing = on ? setInterval(() => goTo(state.step + 1), kPause) : 0;
    setPressed('play', on);
    element('play').textContent = on ? 'Pause' : 'Play';
  }
  function goTo(step) {
    state.step = step;
    show();
    if (playing && state.step === last()) play(false);
  }
  function startPlaying() {
    if (playing) return play(false);
    if (state.step === last()) goTo(0);
    play(true);
  }
  const by = (steps) => () => { play(false); goTo(state.step + steps); };
  const acts = {'to-start': () => { play(false); goTo(0); }, back: by(-1), play: startPlaying, forward: by(1), 'to-end': () => { play(false); goTo(last()); }};
  for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);
  element('scrub').addEventListener('input', () => { play(false); goTo(Number(element('scrub').value)); });
  return {play, goTo, keys: {ArrowLeft: acts.back, ArrowRight: acts.forward, Home: acts['to-start'], End: acts['to-end'], ' ': startPlaying},
    /// Brings the step between its limits and the controls in line with it.
    refresh(count, sentence) {
      state.step = Math.min(Math.max(Math.round(state.step) || 0, 0), last());
      element('scrub').max = last();
      element('scrub').value = state.step;
      element('count').textContent = count();
      element('sentence').textContent = sentence();
      element('back').disabled = element('to-start').disabled = state.step === 0;
      element('forward').disabled = element('to-end').disabled = state.step === last();
    }};
}
