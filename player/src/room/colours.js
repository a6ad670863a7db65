import {Color} from 'three';

// One calm hue per shape, far apart for neighbours in the list.
const kPalette = ['#3d7fd0', '#f0982d', '#38a876', '#dd4f4a', '#8a67cc', '#25a5b8', '#e5739f', '#9bab2e', '#bd7842',
  '#5568c4', '#3f9648', '#d3606b', '#68829b', '#d4a922', '#b05bb5', '#4fb3a0'].map((c) => new Color(c));

// Dark blue, teal, green, lime, pale yellow: lightness grows with the value, so that the colour-blind read it too.
const kRamp = ['#2c3e8f', '#2b7fb8', '#3bb28f', '#a9d65c', '#fdf3a0'].map((c) => new Color(c));

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
