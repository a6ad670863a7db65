// Surfaces of deformables: a mesh each, whose vertices move.
import {BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, FrontSide, Mesh, MeshStandardMaterial} from 'three';

import {shapeColour} from './colours.js';

/// A mesh over `vertices` vertices, with a colour at each; `index` chooses the one it starts with (`userData.colour`).
export function surfaceMesh({vertices, triangles, solid}, index) {
  const geometry = new BufferGeometry();
  for (const name of ['position', 'color']) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
  }
  geometry.setIndex(triangles);
  const material = new MeshStandardMaterial({roughness: 0.6, metalness: 0.02, vertexColors: true, side: solid ? FrontSide : DoubleSide});
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  mesh.userData = {body: index, colour: shapeColour(index + 1)};
  for (let i = 0; i < vertices; ++i) geometry.attributes.color.setXYZ(i, ...mesh.userData.colour.toArray());
  return mesh;
}

/// After the positions have changed.
export function surfaceMoved({geometry}) {
  geometry.attributes.position.needsUpdate = true;
  geometry.computeVertexNormals();
  geometry.boundingSphere = null;
}
