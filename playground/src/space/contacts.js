// Contacts of live worlds as marks of the picture room.
import {Vector3} from 'three';

const kContactNumbers = 10;
export const mostMarks = 4000;

/// Replaces the marks by those of `contacts`, ten numbers each: bodies, point, normal, depth, push. Gaps have none. `look`: {contacts,
/// normals}; those of the body `chosen` are shown anyway.
export function markContacts(marks, contacts, look, chosen = null) {
  marks.clear();
  const count = Math.min(contacts.length / kContactNumbers, mostMarks);
  for (let i = 0; i < count; ++i) {
    const c = contacts.subarray(i * kContactNumbers, (i + 1) * kContactNumbers);
    const own = chosen !== null && (c[0] === chosen || c[1] === chosen);
    if (c[8] < 0 || !(look.contacts || look.normals || own)) continue;
    marks.add(position.set(c[2], c[3], c[4]), direction.set(c[5], c[6], c[7]),
      {point: look.contacts || own, normal: look.normals || own, chosen: own});
  }
  marks.finish();
}

const position = new Vector3();
const direction = new Vector3();
