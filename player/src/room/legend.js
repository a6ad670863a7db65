// The strip of colours between two ends.
import {rampStyle} from './colours.js';

/// Shows the legend in `element` (which holds .ramp, .low and .high), or hides it when there is no text for the upper end.
export function showLegend(element, high) {
  element.hidden = high === null;
  element.querySelector('.ramp').style.background = rampStyle;
  element.querySelector('.low').textContent = '0';
  element.querySelector('.high').textContent = high ?? '';
}
