/// Makes a way in a space that repeats the shortest one between the same places. `periods`: along each axis, 0 along those that
/// do not repeat.
export function shorten(way, periods) {
  ['x', 'y', 'z'].forEach((axis, i) => {
    const period = periods[i];
    if (period > 0) way[axis] -= period * Math.round(way[axis] / period);
  });
  return way;
}
