// The ball: touches of a circle with a contour, and a mover that bounces it off along the normals.

const kRate = 240; // moves per second
const kThrust = 0.9; // of the radius: the longest way in one move

export function ball(tactus) {
  let contour = null;

  // The speed is reflected about each touched normal that it runs against; what went too deep is put back.
  function move(state, {gravity, restitution}) {
    const {radius} = state;
    const dt = 1 / kRate;
    let [vx, vy] = [state.vx, state.vy - gravity * dt];
    const speed = Math.sqrt(vx * vx + vy * vy);
    if (speed * dt > kThrust * radius) [vx, vy] = [(vx * kThrust * radius) / (speed * dt), (vy * kThrust * radius) / (speed * dt)];
    let [x, y] = [state.x + vx * dt, state.y + vy * dt];
    for (const {normal: [nx, ny], depth} of contour.touches([[x, y]], radius)[0]) {
      const along = vx * nx + vy * ny;
      if (along < 0) [vx, vy] = [vx - (1 + restitution) * along * nx, vy - (1 + restitution) * along * ny];
      [x, y] = [x + depth * nx, y + depth * ny];
    }
    return {...state, x, y, vx, vy};
  }

  function reflectAtFrame(state, [left, bottom], [right, top]) {
    const {radius} = state;
    if (state.x < left + radius) [state.x, state.vx] = [left + radius, Math.abs(state.vx)];
    if (state.x > right - radius) [state.x, state.vx] = [right - radius, -Math.abs(state.vx)];
    if (state.y < bottom + radius) [state.y, state.vy] = [bottom + radius, Math.abs(state.vy)];
    if (state.y > top - radius) [state.y, state.vy] = [top - radius, -Math.abs(state.vy)];
    return state;
  }

  function look(x, y, radius) {
    return {touches: contour.touches([[x, y]], radius)[0], literal: contour.literalTouches([x, y], radius)};
  }

  return {
    setContour(points, closed) {
      const next = tactus.contour(points, {closed});
      contour?.close();
      contour = next;
    },
    touch: look,
    bounce(state, laws, seconds, lower, upper) {
      const moves = Math.min(Math.max(Math.round(seconds * kRate), 1), 24);
      for (let i = 0; i < moves; ++i) state = reflectAtFrame(move(state, laws), lower, upper);
      return {state, ...look(state.x, state.y, state.radius)};
    },
  };
}
