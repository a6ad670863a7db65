// Contacts of live worlds, and their marks in the picture room.
import {Vector3} from 'three';

const kContactNumbers = 10;
export const mostMarks = 4000;

/// Calls visit(a, b, place, normal, force) for each contact point that is no gap. `contacts`: ten numbers each: bodies, point,
/// normal, depth, push; `forces`: three each, on b. The vectors are those of the next point too.
export function forEachContact({contacts, forces = null}, visit) {
  for (let i = 0, at = 0; at < contacts.length; ++i, at += kContactNumbers) {
    if (contacts[at + 8] < 0) continue;
    if (forces) force.fromArray(forces, 3 * i);
    visit(contacts[at], contacts[at + 1], position.fromArray(contacts, at + 2), normal.fromArray(contacts, at + 5), force);
  }
}

/// Replaces the marks by those of a frame's contacts. `look`: {contacts, normals}. Points of the body `chosen` are shown anyway, and
/// the forces on it as `arrows`.
export function markContacts(marks, frame, look, chosen = null, arrows = null) {
  let count = 0;
  marks.clear();
  arrows?.clear();
  if (look.contacts || look.normals || chosen !== null) {
    forEachContact(frame, (a, b, place, direction, push) => {
      const own = chosen !== null && (a === chosen || b === chosen);
      if (!(look.contacts || look.normals || own) || ++count > mostMarks) return;
      marks.add(place, direction, {point: look.contacts || own, normal: look.normals, chosen: own});
      if (own) arrows?.add(place, a === chosen ? push.negate() : push);
    });
  }
  marks.finish();
  arrows?.finish();
}

const [position, normal, force] = Array.from({length: 3}, () => new Vector3());
