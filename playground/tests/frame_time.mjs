// Time of a frame of a live world without its drawing: the module's step, and the page's scripts.
import {open, press, settle, until} from './playground_browser.mjs';

const kBodies = 200;
const kFrames = 150;
const kMostMedian = 50; // milliseconds; three frames of 1/60 s: other work on the machine may take as much again

/// Drops 200 bodies on the page "Pile" and measures the frames in which they fall and come to rest.
export async function tryFrameTime(page, where, kind, {expect}) {
  await open(page, where('pile'), {count: kBodies, playing: false});
  await settle(page);
  await page.evaluate(() => {
    const {engine, view} = window.tactusPage;
    const measured = {frames: [], script: 0, module: 0};
    window.measured = measured;
    const timed = (act) => (...args) => {
      const start = performance.now();
      const result = act(...args);
      measured.script += performance.now() - start;
      return result;
    };
    const shown = timed(engine.onframe);
    engine.onframe = (frame) => {
      shown(frame);
      measured.module = frame.statistics.totalMs;
    };
    view.room.render = () => {}; // the drawing itself
    const draw = timed(() => Object.getPrototypeOf(view).draw.call(view));
    view.draw = () => {
      draw();
      if (measured.module > 0) measured.frames.push([measured.module, measured.script]);
      measured.script = measured.module = 0;
    };
  });
  await press(page, '#play');
  await until(page, (count) => window.measured.frames.length >= count, kFrames);
  await press(page, '#play');
  await settle(page);
  const frames = await page.evaluate(() => window.measured.frames);
  const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  const [modules, scripts, sums] = [([m]) => m, ([, s]) => s, ([m, s]) => m + s].map((of) => frames.map(of));
  const longest = Math.max(...sums);
  console.log(`${kind}, pile of ${kBodies}: a frame takes ${median(sums).toFixed(1)} ms without drawing (module ${median(modules).toFixed(1)}, scripts ${median(scripts).toFixed(1)}), medians of ${frames.length}; ` +
    `the longest ${longest.toFixed(1)} ms, ${sums.filter((t) => t > 100).length} over 100 ms`);
  expect(median(sums) <= kMostMedian, `a frame of ${kBodies} bodies takes ${median(sums).toFixed(1)} ms without drawing, not ${kMostMedian}`);
}
