// Sums of the contacts of one body.
import {Vector3} from 'three';

/// Contact points of a body: whom it touches (`partners`, by index), their number `points`, for each partner the force that all
/// its points exert on the body ({partner, points, force}), and the sum `total`. `forEachContact(visit)` calls
/// visit(a, b, place, normal, force) for each point, where the force acts on b.
export function sumContacts(body, forEachContact) {
  const partners = new Map();
  const total = new Vector3();
  let points = 0;
  forEachContact((a, b, place, normal, force) => {
    if (a !== body && b !== body) return;
    const partner = a === body ? b : a;
    if (!partners.has(partner)) partners.set(partner, {partner, points: 0, force: new Vector3()});
    const met = partners.get(partner);
    if (a === body) force.negate();
    met.force.add(force);
    total.add(force);
    ++met.points;
    ++points;
  });
  const met = [...partners.values()].sort((a, b) => a.partner - b.partner);
  return {partners: met.map(({partner}) => partner), points, met, total};
}
