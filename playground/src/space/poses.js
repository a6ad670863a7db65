// Poses as seven numbers: position, and unit quaternion w, x, y, z.

export const kStill = [0, 0, 0, 1, 0, 0, 0];

/// The turn by `b`, then by `a`.
export function turnProduct([aw, ax, ay, az], [bw, bx, by, bz]) {
  return [aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw];
}

export function turnAbout([x, y, z], angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * x, s * y, s * z];
}

/// The turn of roll, pitch and yaw: about fixed x, then y, then z.
export function turnOfAngles([roll, pitch, yaw]) {
  return turnProduct(turnAbout([0, 0, 1], yaw), turnProduct(turnAbout([0, 1, 0], pitch), turnAbout([1, 0, 0], roll)));
}

export function turned([w, x, y, z], [px, py, pz]) {
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
}

/// The place of a point of a posed body.
export function placed(pose, point) {
  const [x, y, z] = turned(pose.slice(3), point);
  return [pose[0] + x, pose[1] + y, pose[2] + z];
}

export const poseProduct = (a, b) => [...placed(a, b.slice(0, 3)), ...turnProduct(a.slice(3), b.slice(3))];
