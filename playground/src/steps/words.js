// A sentence for each step, and the words of the page.

const number = (x) => (x === null || x === undefined ? 'unknown' : Math.abs(x) < 5e-13 ? '0' : Number(x.toPrecision(4)).toString());
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const kSimplices = ['no point', 'a point', 'a segment', 'a triangle', 'a tetrahedron'];
const kFeatures = (corners) => ['', 'a vertex', 'an edge'][corners?.length] ?? 'a face';
export {number};

const kSentences = {
  gjk({simplex: s, lower, upper}) {
    if (s.points.length === 0) {
      const f = dot(s.direction, s.support);
      return f < 0 ? `The first support point, along n from A to B: A − B ends ${number(-f)} before the origin, so the bodies are at least so far apart.`
        : `The first support point, along n from A to B: A − B reaches ${number(f)} beyond the origin. Nothing is decided yet.`;
    }
    if (upper === 0) return 'The simplex holds the origin: the bodies overlap, and the polytope takes over.';
    const own = -dot(s.direction, s.support);
    const best = own < lower - 1e-12 ? ` This direction proves only ${number(own)}: bounds need not grow, so the best one, ${number(lower)}, is kept.` : '';
    return `The simplex is ${kSimplices[s.points.length]}, its nearest point ${number(upper)} away; the support point towards the origin proves ${number(lower)}.${best}`;
  },
  epa({simplex: s, cap, upper, lower, polytope}) {
    if (cap) return `In all directions of this cap the depth is at least ${number(cap.depth)}: curved bodies need no faces there.`;
    return `The nearest of ${polytope?.faces.length ?? 'the'} faces: the depth is at least ${number(-upper)}; the support point beyond it says at most ${number(-lower)}${s ? '' : '.'}.`;
  },
  newton({plane, cap}) {
    if (cap) return `Proved: for every direction of this cap f is at least ${number(cap.depth)}, so none of them frees the bodies sooner.`;
    return plane.offset < 0 ? `f is ${number(plane.offset)} here: this direction separates the bodies by ${number(-plane.offset)}.`
      : `f is ${number(plane.offset)} here: moving A so far against this direction frees it. Newton’s step looks for a lower f.`;
  },
  mpr({simplex: s, lower, upper}) {
    if (lower > 0) return `The support point does not reach the origin: a direction that separates by ${number(lower)}.`;
    if (s.points.length < 4) return `Looking for the portal: ${s.points.length - 1} of three corners around the ray.`;
    return upper < 0 ? `The origin lies behind the portal: overlap is proved, at most ${number(-lower)} deep. Its normal need not be the shortest way out.`
      : 'The ray passes the portal, but the origin still lies beyond it: a support point along its normal comes next.';
  },
  chung_wang({plane, lower}) {
    return plane.offset < 0 ? `n·w = ${number(plane.offset)}: this direction separates the bodies by ${number(lower)}.`
      : `n·w = ${number(plane.offset)}: the support point lies on the wrong side, and the direction is reflected by it or moved to the middle of what is left.`;
  },
  sat({plane, lower}) {
    const best = -plane.offset >= lower ? 'the best so far' : `the best so far is ${number(lower)}`;
    return plane.offset < 0 ? `Along this axis there is a gap of ${number(-plane.offset)}: the bodies are apart.`
      : `Along this axis they overlap by ${number(plane.offset)}, ${best}.`;
  },
  v_clip({segment: s}) {
    return `At ${kFeatures(s.feature_a)} of A and ${kFeatures(s.feature_b)} of B; is each in the other’s Voronoi region?`;
  },
  ray_cast({ray, simplex: s}) {
    return `Up to the time ${number(ray.time)} the bodies are proved apart; the simplex seen from there is ${kSimplices[s.points.length]}.`;
  },
  impact({segment: s, lower}) {
    const gap = Math.hypot(...s.point_b.map((x, i) => x - s.point_a[i]));
    return gap < 1e-9 ? `At the time ${number(lower)} they have arrived: no gap is left beyond rounding.`
      : `At the time ${number(lower)} they are ${number(gap)} apart; no point comes nearer along the normal faster than the bound says, so the time goes on.`;
  },
  result({answer: a}) {
    if (a.status === 'unsupported') return 'This algorithm does not serve this pair.';
    if (a.hit !== undefined) return a.hit === true ? `First contact at the time ${number(a.time)}, proved within [${number(a.time)}, ${number(a.time_upper)}].` : a.hit === false ? 'They never meet on this way: proved.' : 'Undecided: they come within rounding of each other.';
    const narrow = a.upper - a.lower < 1e-4 * Math.abs(a.distance);
    const within = `the bracket is ${(a.upper - a.lower).toExponential(1)} wide`;
    if (a.lower > 0) return narrow ? `Apart by ${number(a.distance)}; ${within}.` : `Apart, by ${number(a.lower)} to ${number(a.upper)}: no more is proved.`;
    if (a.upper < 0) return narrow ? `Overlapping, ${number(-a.distance)} deep; ${within}.` : `Overlapping, ${number(-a.upper)} to ${number(-a.lower)} deep: no more is proved.`;
    return `Undecided: the bracket [${number(a.lower)}, ${number(a.upper)}] holds zero.`;
  },
};
kSentences.gjk_classic = kSentences.gjk;
kSentences.epa_classic = kSentences.epa;
kSentences.separating_plane = kSentences.sat;

export const sentence = (frame) => kSentences[frame.stage](frame);

/// Every word that the page uses in a sense of its own.
export const glossary = [
  ['A − B', 'all differences a − b of a point of A and one of B. The bodies overlap exactly when it holds the origin; else its distance from the origin is theirs, and in overlap the way from the origin to its surface is the depth.'],
  ['support point s(n)', 'the point of A − B farthest along n: that of A along n less that of B along −n. All algorithms here see the bodies through it.'],
  ['f(n)', 'n·s(n): how far A − B reaches along n. f(n) < 0 proves a gap of −f(n); in overlap the depth is the least f.'],
  ['simplex', 'one to four support points: a point, segment, triangle or tetrahedron inside of A − B.'],
  ['polytope', 'a closed surface of support points around the origin, inside of A − B.'],
  ['portal', 'a triangle of support points that the ray from an inner point through the origin passes.'],
  ['bracket', 'two bounds, lower and upper, that hold the true signed distance: positive apart, minus the depth in overlap. Of a motion it is one of time.'],
  ['cap', 'all directions within an angle of one; proved together.'],
  ['feature', 'a vertex, edge or face of a polytope; its Voronoi region is all that is nearer to it than to any other.'],
  ['certificate', 'what the answer hands out so that the checker, which shares no search with it, can prove it anew.'],
  ['as printed', 'what the source’s own form says with its margin, stop or spheres. Nothing proves it; the bracket does not rest on it.'],
  ['effort', 'how many support points (of a motion: poses) were asked for.'],
];
