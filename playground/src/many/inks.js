// Colours of the page, safe for the colour-blind, and never the only sign.
export const inks = {a: '#0072b2', b: '#c8500a', now: '#9b3d7d', seen: '#b37400', good: '#00805c', plain: '#44546a', faint: '#77839a', dark: '#1d2733'};

/// Numbers in [0, 1), the same on every run.
export function generator(seed) {
  let x = seed;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return x / 2 ** 32;
  };
}

export const rounded = (x) => Math.round(x * 100) / 100;

/// The nearest of the places within reach of a spot on the canvas, or -1.
export function nearest(sketch, places, x, y, reach) {
  let best = -1, least = reach + 8;
  places.forEach((p, i) => {
    const [u, v] = sketch.toCanvas(p);
    const d = Math.hypot(u - x, v - y);
    if (d < least) [best, least] = [i, d];
  });
  return best;
}
