// The ball: touches of a circle with a contour, and its flight, whose bounces are exact in time.

const kRate = 240; // flights per second
const kMost = 24; // flights for one picture
const kRests = 1e-6; // a ball that lies still touches what is no farther away

const ask = (tactus, query) => tactus.askPlanar({id: 'ball', ask: 'distance', ...query});

export function ball(tactus) {
  let shape = null; // of the contour, as a query line has it
  let contour = null;
  let frame = null;

  // A flight begins where nothing is in the way: out of the contour by the least translation, then inside of the frame.
  function freed({x, y, radius}, [left, bottom], [right, top]) {
    const {distance, normal: [nx, ny]} = ask(tactus, {a: {type: 'circle', radius}, pose_a: [x, y, 0], b: shape});
    const way = distance < 0 ? (1 + 1e-12) * distance - 1e-12 : 0;
    const within = (v, low, high) => Math.min(Math.max(v, low + radius), high - radius);
    return [within(x + way * nx, left, right), within(y + way * ny, bottom, top)];
  }

  function look(x, y, radius, threshold = 0) {
    return {touches: contour.touches([[x, y]], radius, {threshold})[0], literal: contour.literalTouches([x, y], radius), threshold};
  }

  return {
    setContour(points, closed, crossing) {
      const next = tactus.contour(points, {closed, crossing});
      contour?.close();
      contour = next;
      shape = {type: 'contour', points, closed, crossing};
    },
    touch: look,
    /// Where a flight begins from here.
    takeOff(state, lower, upper) {
      frame?.close();
      frame = tactus.contour([lower, [upper[0], lower[1]], upper, [lower[0], upper[1]]]);
      return freed(state, lower, upper);
    },
    /// The ball {x, y, radius, vx, vy} some time later, with its bounces on the contour: each with its time since the call, in seconds.
    fly({x, y, radius, vx, vy}, {gravity, restitution}, seconds) {
      let flying = {radius, position: [x, y], velocity: [vx, vy]};
      const moves = Math.min(Math.max(Math.round(seconds * kRate), 1), kMost);
      const bounces = [];
      for (let i = 0; i < moves; ++i) {
        const moved = tactus.advance(flying, [contour, frame], 1 / kRate, {gravity: [0, -gravity], restitution});
        flying = moved.ball;
        bounces.push(...moved.bounces.filter((bounce) => bounce.contour === 0).map((bounce) => ({...bounce, time: bounce.time + i / kRate})));
      }
      const [px, py] = flying.position;
      return {x: px, y: py, vx: flying.velocity[0], vy: flying.velocity[1], bounces, seconds: moves / kRate, ...look(px, py, radius, kRests)};
    },
  };
}
