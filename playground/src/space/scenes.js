// The scene of the pile page: bodies of every kind between glass walls.
import mixed from '../../../scenes/mixed.json';

const plain = JSON.parse(mixed.replaceAll(/^\s*\/\/.*$/gm, ''));

export function mixedPile({count, gravity, friction, restitution, substeps}) {
  const scene = structuredClone(plain);
  scene.world = {...scene.world, quality: 'fast', gravity: [0, 0, -gravity], substeps};
  scene.materials.toy = {...scene.materials.toy, friction, restitution};
  const [pour] = scene.generators;
  pour.count = count;
  pour.region.upper[2] = 1 + count * 0.06;
  // Seen from near, so that the pile fills the picture; a large one from a little farther.
  const away = 1 + count / 500;
  scene.recording = {...scene.recording, view: {from: [1.9 * away, -2.9 * away, 0.5 + 1.5 * away], to: [0, 0, 0.22 + count / 600]}};
  return scene;
}
