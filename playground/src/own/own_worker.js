// Dropped meshes: report, hull, boxes, parts, files, distance of two.
import {Heat} from './heat.js';
import {kStill} from '../space/poses.js';

export function own(tactus) {
  const surfaces = [null, null];
  let heat = null;

  function surface(slot) {
    if (!surfaces[slot]) throw new Error(slot === 0 ? 'Drop a mesh first' : 'Drop a second mesh first');
    return surfaces[slot];
  }

  function closeSurface(slot) {
    surfaces[slot]?.close();
    surfaces[slot] = null;
  }

  const between = (offset) => surface(0).distance(kStill, surface(1), [...offset, 1, 0, 0, 0]);

  return {
    openSurface(slot, name, bytes) {
      const next = tactus.surface(name, bytes);
      closeSurface(slot);
      surfaces[slot] = next;
      return next.picture();
    },
    closeSurface,
    report: (slot) => surface(slot).report(),
    hull: (slot) => surface(slot).hull(),
    boxes: (slot) => surface(slot).boxes(),
    parts: (slot, concavity) => surface(slot).parts({concavity}),
    surfaceFile: (slot, what, ending) => surface(slot).file(what, ending),
    between,
    /// Points and triangles of the first surface, for the picture of their distances to the second one.
    openHeat() {
      heat?.close();
      heat = new Heat(tactus, surface(0), surface(1));
      return heat.picture();
    },
    /// As `Heat.look`; the first picture at an offset comes with the distance of the whole bodies.
    heat: (offset, from, milliseconds) => ({least: from === 0 ? between(offset) : null, ...heat.look(offset, from, milliseconds)}),
    recording: (scene, bytes) => tactus.recording(scene, bytes),
  };
}
