// Puts a recording into a picture room.
import {Color, Quaternion, Vector3} from 'three';

import {nearestAt} from './path.js';
import {Bodies, groundHeight} from './room/bodies.js';
import {rampColour} from './room/colours.js';
import {ContactMarks} from './room/contact_marks.js';
import {ForceArrows} from './room/force_arrows.js';
import {JointMarks} from './room/joint_marks.js';
import {NearestMark} from './room/nearest_mark.js';
import {PictureRoom} from './room/room.js';
import {surfaceMesh, surfaceMoved} from './room/surfaces.js';

const kBusyContacts = 8; // touching bodies at which the colour ends

export class Replay {
  constructor(canvas, recording) {
    const {shapes, bodies, up, view, stage} = recording;
    this.recording = recording;
    this.room = new PictureRoom(canvas, {up, view, lower: stage.lower, upper: stage.upper,
      ground: groundHeight(shapes, bodies, up)});
    this.bodies = new Bodies(this.room, shapes, bodies);
    this.marks = new ContactMarks(this.room, recording.mostContacts, stage.markSize);
    this.forces = new ForceArrows(this.room, recording.mostContacts, stage.markSize, recording.referenceForce);
    this.joints = new JointMarks(this.room, recording.joints, stage.bodySize, (way) => recording.shorten(way));
    this.nearest = new NearestMark(this.room, stage.bodySize);
    this.surfaces = recording.surfaces.map((surface, i) => surfaceMesh(surface, i));
    for (const mesh of this.surfaces) this.room.scene.add(mesh);
    this.moving = bodies.flatMap((body, index) => (body.moving ? [index] : []));
    this.coloured = '';
  }

  /// Draws a moment. `look`: {colouring: shape, speed or contacts; points, normals, joints, nearest: booleans; chosen: a body or null}.
  draw(time, look) {
    const at = this.recording.pictureAt(time);
    for (const index of this.moving) {
      this.recording.pose(index, at, position, rotation);
      // Before it enters the world a body has no size.
      const scale = this.recording.present(index, at.picture) ? this.recording.bodies[index].scale : 0;
      this.bodies.place(index, position, rotation, scale);
    }
    this.deform(at);
    this.recolour(look.colouring, at.picture);
    if (this.bodies.chosen !== look.chosen) this.bodies.choose(look.chosen);
    this.bodies.followChosen();
    this.mark(at.picture, look);
    this.joints.draw(look.joints, at.picture, (body, place, turn) => this.recording.poseOf(body, at, place, turn));
    this.nearest.draw(look.nearest && this.recording.path ? nearestAt(this.recording.path, at) : null);
    this.room.render();
  }

  deform(at) {
    let [body, vertex] = [0, 0];
    this.recording.forEachVertex(at, (x, y, z) => {
      while (vertex === this.recording.surfaces[body].vertices) [body, vertex] = [body + 1, 0];
      this.surfaces[body].geometry.attributes.position.setXYZ(vertex++, x, y, z);
    });
    this.surfaces.forEach(surfaceMoved);
  }

  // Contact points and normals; of the chosen body the forces that act on it, in place of normals.
  mark(picture, {points, normals, chosen}) {
    this.marks.clear();
    this.forces.clear();
    if (points || normals || chosen !== null) {
      this.recording.forEachContact(picture, (a, b, place, normal, force) => {
        const own = chosen !== null && (a === chosen || b === chosen);
        this.marks.add(place, normal, {point: points || own, normal: normals, chosen: own});
        if (own) this.forces.add(place, a === chosen ? force.negate() : force);
      });
    }
    this.marks.finish();
    this.forces.finish();
  }

  recolour(colouring, picture) {
    const wanted = colouring === 'shape' ? colouring : `${colouring} ${picture}`;
    if (wanted === this.coloured) return;
    this.coloured = wanted;
    const {stage} = this.recording;
    for (const index of this.moving) {
      if (colouring === 'speed') {
        rampColour(Math.sqrt(this.recording.speed(index, picture) / stage.topSpeed), colour);
      } else if (colouring === 'contacts') {
        rampColour(this.recording.touchingCount(index, picture) / kBusyContacts, colour);
      } else {
        colour.copy(this.bodies.baseColour(index));
      }
      this.bodies.setColour(index, colour);
    }
  }
}

/// Text for the upper end of the legend; null when colours tell shapes.
export function legendEnd(colouring, recording, format) {
  if (colouring === 'speed') return `${format(recording.stage.topSpeed)} /s`;
  return colouring === 'contacts' ? `${kBusyContacts}+ touching` : null;
}

const colour = new Color();
const position = new Vector3();
const rotation = new Quaternion();
