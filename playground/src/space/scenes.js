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
  return scene;
}
