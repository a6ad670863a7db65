// The panel of the chosen body: pose, motion, mass, and the forces of its contacts.
import {format, showList} from '../panels.js';

const kMostPartners = 8; // whose forces have a row

const element = (id) => document.getElementById(id);
const vector = ({x, y, z}) => [x, y, z].map((value) => format(Math.abs(value) < 1e-9 ? 0 : value)).join(', ');

/// Rows [name, text] of a body {name, shape, scale, moving, mass?, present, position, turn, motion: {velocity, spin} or null,
/// more: further rows}. What is not known has no row.
export function bodyLines({name, shape, scale = 1, moving, mass, present, position, turn, motion, more = []}) {
  const lines = [['name', name], ['shape', shape + (scale === 1 ? '' : ` x ${format(scale)}`)]];
  if (mass !== undefined) lines.push(['mass', format(mass)]);
  if (!present) return [...lines, ['state', 'not in the world yet']];
  lines.push(['position', vector(position)], ['turn w, x, y, z', [turn.w, turn.x, turn.y, turn.z].map((value) => value.toFixed(3)).join(', ')]);
  if (!moving) lines.push(['speed', 'fixed']);
  else if (motion) {
    lines.push(['speed', `${format(motion.velocity.length())} /s`], ['velocity', vector(motion.velocity)], ['spin, rad/s', vector(motion.spin)]);
  }
  return [...lines, ...more];
}

/// Rows {partner, points, force} of a body's contacts, those of the largest forces first, and what is left out.
export function contactRows({met}) {
  const sorted = met.map((one) => ({...one, size: one.force.length()})).sort((a, b) => b.size - a.size || a.partner - b.partner);
  return {rows: sorted.slice(0, kMostPartners), more: Math.max(sorted.length - kMostPartners, 0)};
}

function showContacts(body, contacts, {time, label}) {
  const {rows, more} = contactRows(contacts);
  const none = rows.length === 0;
  const {partners, points, total} = contacts;
  element('contact-caption').textContent = none ? `Touches nothing at ${format(time)} s`
    : `Touches ${partners.length} at ${points} points, ${format(time)} s`;
  element('contact-table').hidden = none;
  const key = JSON.stringify([body, rows.map(({partner, points: n, force}) => [partner, n, ...force.toArray()])]);
  if (element('contact-table').dataset.shown === key) return;
  element('contact-table').dataset.shown = key;
  const lines = rows.map(({partner, points: n, size}) => [label(partner), n, format(size)]);
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

/// Shows the body of an index, as `bodyLines` takes it, with its contacts as `sumContacts` finds them, their `time` and the `label`
/// of each partner; `contacts` null: none are known.
export function showBody(body, state, contacts, {time, label} = {}) {
  element('inspector').hidden = false;
  element('inspector-title').textContent = `Body #${body + 1}`;
  showList(element('inspector-lines'), bodyLines(state));
  element('inspector-contacts').hidden = contacts === null;
  if (contacts) showContacts(body, contacts, {time, label});
}

export function hideBody() {
  element('inspector').hidden = true;
}
