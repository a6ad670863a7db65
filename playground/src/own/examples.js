// Files that the page shows before any are dropped.
import arm from './arm.urdf';

/// A bracket of two walls and a floor: not convex, closed.
export function bracketFile() {
  const outline = [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]];
  const lines = [0, 1.5].flatMap((y) => outline.map(([x, z]) => `v ${x} ${y} ${z}`));
  // The outline runs counter-clockwise in x and z, whose right-handed third axis is -y: faces are turned to look outwards.
  const quad = (...v) => lines.push(`f ${v.map((i) => i + 1).reverse().join(' ')}`);
  outline.forEach((_, i) => quad(i, (i + 1) % 8, 8 + ((i + 1) % 8), 8 + i));
  for (const corners of [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]]) {
    quad(...[...corners].reverse());
    quad(...corners.map((i) => i + 8));
  }
  return new File([lines.join('\n')], 'bracket.obj');
}

/// A ring: closed, with a hole through it.
export function ringFile() {
  const [turns, around, radius, tube] = [36, 18, 1, 0.35];
  const angle = (i, n) => (2 * Math.PI * i) / n;
  const lines = [];
  const faces = [];
  for (let i = 0; i < turns; ++i) {
    for (let k = 0; k < around; ++k) {
      const r = radius + tube * Math.cos(angle(k, around));
      lines.push([r * Math.cos(angle(i, turns)), r * Math.sin(angle(i, turns)), 1.5 + tube * Math.sin(angle(k, around))].join(' '));
      const at = (di, dk) => ((i + di) % turns) * around + ((k + dk) % around);
      faces.push(`4 ${at(0, 0)} ${at(1, 0)} ${at(1, 1)} ${at(0, 1)}`);
    }
  }
  return new File([`OFF\n${lines.length} ${faces.length} 0\n${lines.join('\n')}\n${faces.join('\n')}\n`], 'ring.off');
}

/// An arm with a gripper, and a configuration in which it is bent.
export const armFile = () => new File([arm], 'arm.urdf');
export const kArmBent = [0.4, -0.9, 1.6, 0.7, 0.5, 0.03];
