// A surface coloured by its distance to a second one, which is dragged: coarse at once, fine when the hand rests.
import {Color, Vector3} from 'three';

import {rampColour} from '../../../player/src/room/colours.js';
import {showLegend} from '../../../player/src/room/legend.js';
import {surfaceMesh, surfaceMoved} from '../../../player/src/room/surfaces.js';
import {element} from '../shell.js';
import {Grip} from '../space/grip.js';

const kLive = 30; // milliseconds of measuring for one picture
export const kInside = '#d4145a';

// The next round number: the colours stay while the body moves a little.
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((x) => x * power).find((x) => x >= value * (1 - 1e-12));
}

const format = (x) => Number(x.toPrecision(6)).toString();

/// Rows of the distance of two bodies, or of the depth where they overlap, with its bracket.
export function leastRows(least) {
  const depth = least.distance < 0;
  const ends = depth ? [-least.upper, -least.lower] : [least.lower, least.upper];
  const text = (x) => (x === null ? 'not known' : Number(x).toPrecision(6));
  return [[depth ? 'depth' : 'distance', text(Math.abs(least.distance)), least], ['bracket', ends.map(text).join(' .. ')]];
}

export class HeatDesk {
  /// `view`: a stage with the second body as its only thing, or null; `heat`: the picture of the worker's openHeat; `moved(offset)` is
  /// told where the body is dragged to; `facts` shows rows.
  constructor(engine, view, heat, {moved, facts}) {
    Object.assign(this, {engine, view, heat, facts, turn: 0});
    if (!view) return;
    this.mesh = surfaceMesh({vertices: heat.vertices.length / 3, triangles: heat.triangles, solid: false}, 0);
    this.mesh.material.flatShading = true;
    this.mesh.geometry.attributes.position.array.set(heat.vertices);
    surfaceMoved(this.mesh);
    view.room.scene.add(this.mesh);
    new Grip(view.canvas, view.room, {
      find: (x, y, reach) => {
        if (view.bodies.pick(x, y, reach) === null) return null;
        const place = view.bodies.pointUnder(x, y) ?? new Vector3(...this.offset);
        return {place, from: [...this.offset], start: place.toArray()};
      },
      pull: ({from, start}, to) => moved(from.map((x, i) => x + to[i] - start[i])),
    });
  }

  /// Puts the second body to `offset`, and measures until all points are, or it is put elsewhere.
  async put(offset) {
    this.offset = offset;
    this.view?.place(0, [...offset, 1, 0, 0, 0]);
    const turn = ++this.turn;
    let next = 0;
    do {
      const found = await this.engine.latest('heat', offset, next, kLive);
      if (!found || turn !== this.turn) return;
      next = found.measured;
      this.least = found.least ?? this.least;
      this.show(found);
      if (next === found.of) return;
    } while (turn === this.turn);
  }

  show({distances, measured, of}) {
    let [low, high, inside] = [Infinity, -Infinity, 0];
    for (const d of distances) {
      low = Math.min(low, d);
      high = Math.max(high, d);
      if (d < 0) ++inside;
    }
    const top = roundUp(high);
    showLegend(element('heat-scale'), `${format(top)} (units of the file)`);
    if (this.view) {
      const {color} = this.mesh.geometry.attributes;
      distances.forEach((d, i) => {
        const {r, g, b} = d < 0 ? insideColour : rampColour(d / top, colour);
        color.setXYZ(i, r, g, b);
      });
      color.needsUpdate = true;
      this.view.dirty = true;
    }
    this.facts([...leastRows(this.least), ['nearest point', format(low), {low, high, inside, measured, of}], ['farthest point', format(high)],
      ['points inside', this.heat.signed ? `${inside} of ${of}` : 'the second body is open: no inside'],
      ['measured', measured === of ? `all ${of} points: ${this.heat.own} vertices, the others between them` : `${measured} of ${of} points; the others as their neighbours`]]);
  }

  close() { ++this.turn; }
}

const colour = new Color();
const insideColour = new Color(kInside);
