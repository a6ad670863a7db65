// The panel of the chosen body: pose, motion, mass, and the forces of its contacts.
import {Quaternion, Vector3} from 'three';

import {format, showList} from '../panels.js';

const kMostPartners = 8; // whose forces have a row

const element = (id) => document.getElementById(id);
const vector = ({x, y, z}) => [x, y, z].map((value) => format(Math.abs(value) < 1e-9 ? 0 : value)).join(', ');

/// Rows [name, text] of a body at a moment. What the recording does not hold has no row.
export function bodyLines(recording, body, at) {
  const {name, shape, moving, mass, scale} = recording.bodies[body];
  const lines = [['name', name], ['shape', recording.shapes[shape].name + (scale === 1 ? '' : ` x ${format(scale)}`)]];
  if (mass !== undefined) lines.push(['mass', format(mass)]);
  if (!recording.present(body, at.picture)) return [...lines, ['state', 'not in the world yet']];
  recording.poseOf(body, at, position, turn);
  lines.push(['position', vector(position)], ['turn w, x, y, z', [turn.w, turn.x, turn.y, turn.z].map((value) => value.toFixed(3)).join(', ')]);
  const motion = recording.motion(body, at.picture);
  if (!moving) lines.push(['speed', 'fixed']);
  else if (motion) {
    lines.push(['speed', `${format(motion.velocity.length())} /s`], ['velocity', vector(motion.velocity)], ['spin, rad/s', vector(motion.spin)]);
  }
  return lines;
}

/// Rows {partner, points, force} of a body's contacts, those of the largest forces first, and what is left out.
export function contactRows({met}) {
  const sorted = met.map((one) => ({...one, size: one.force.length()})).sort((a, b) => b.size - a.size || a.partner - b.partner);
  return {rows: sorted.slice(0, kMostPartners), more: Math.max(sorted.length - kMostPartners, 0)};
}

function showContacts(recording, body, picture) {
  const contacts = recording.contactsOf(body, picture);
  const {rows, more} = contactRows(contacts);
  const none = rows.length === 0;
  const {partners, points, total} = contacts;
  element('contact-caption').textContent = none ? `Touches nothing at ${format(recording.start + recording.contactTime(picture))} s`
    : `Touches ${partners.length} at ${points} points, ${format(recording.start + recording.contactTime(picture))} s`;
  element('contact-table').hidden = none;
  const key = JSON.stringify([body, rows.map(({partner, points: n, force}) => [partner, n, ...force.toArray()])]);
  if (element('contact-table').dataset.shown === key) return;
  element('contact-table').dataset.shown = key;
  const lines = rows.map(({partner, points: n, size}) => [recording.label(partner), n, format(size)]);
  if (more > 0) lines.push([`${more} more`, '', '']);
  lines.push(['all', points, format(total.length())]);
  element('contact-rows').replaceChildren(...lines.map((cells) => {
    const row = document.createElement('tr');
    row.append(...cells.map((text, i) => {
      const cell = document.createElement(i === 0 ? 'th' : 'td');
      if (i === 0) cell.scope = 'row';
      cell.textContent = text;
      return cell;
    }));
    return row;
  }));
}

/// Shows the chosen body at a time; null hides the panel.
export function showBody(recording, body, time) {
  element('inspector').hidden = body === null;
  if (body === null) return;
  const at = recording.pictureAt(time);
  element('inspector-title').textContent = `Body #${body + 1}`;
  showList(element('inspector-lines'), bodyLines(recording, body, at));
  element('inspector-contacts').hidden = recording.path !== null;
  if (recording.path === null) showContacts(recording, body, at.picture);
}

const position = new Vector3();
const turn = new Quaternion();
