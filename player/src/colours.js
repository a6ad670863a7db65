import {Color} from 'three';

// One calm hue per shape, far apart for neighbours in the list.
const kPalette = ['#4e8fd6', '#f2a541', '#5fb58c', '#e2655f', '#9a7fd1', '#3fb3c2', '#e88bb3', '#a8b545', '#c98a5b',
  '#6d7fcc', '#58a55c', '#d9777f', '#7c93a8', '#d6b23e'].map((c) => new Color(c));

// Dark blue, teal, green, yellow, orange: lightness grows with the value.
const kRamp = ['#2c3e8f', '#2b7fb8', '#3bb28f', '#d8d75a', '#f58a3c'].map((c) => new Color(c));

export function shapeColour(index) {
  return kPalette[index % kPalette.length];
}

/// Colour of a value in [0, 1].
export function rampColour(value, target) {
  const x = Math.min(Math.max(value, 0), 1) * (kRamp.length - 1);
  const i = Math.min(Math.floor(x), kRamp.length - 2);
  return target.copy(kRamp[i]).lerp(kRamp[i + 1], x - i);
}

export const rampStyle = `linear-gradient(90deg, ${kRamp.map((c) => `#${c.getHexString()}`).join(', ')})`;
