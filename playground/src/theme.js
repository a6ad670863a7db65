// Colours of the pages' drawings, light and dark. The vivid ones are told apart by the colour-blind (Tol's vibrant scheme), and
// each sign has a form or a letter of its own beside its colour.

const kVivid = {blue: '#0077bb', cyan: '#33bbee', teal: '#009988', orange: '#ee7733', red: '#cc3311', magenta: '#ee3377', yellow: '#f5c400'};
const kLight = {...kVivid, paper: '#f3f6fa', ink: '#1d2733', outline: '#56616e', faint: '#dde4ec', frame: '#9aa7b5', soft: '#5d6b7a', ray: '#7fa8ee', tint: '99'};
const kDark = {...kVivid, paper: '#141b24', ink: '#e8eef5', outline: '#b4c0cd', faint: '#222d3a', frame: '#5b6a7a', soft: '#9fb0c2', ray: '#7fa8ee', tint: 'cc'};

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const still = window.matchMedia('(prefers-reduced-motion: reduce)');

/// The colours of now.
export const theme = () => (dark.matches ? kDark : kLight);

/// Calls `change()` when the colours change.
export function onTheme(change) {
  dark.addEventListener('change', change);
}

/// Nothing is to move that was not asked to.
export const prefersStill = () => still.matches;
