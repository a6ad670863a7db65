// The bodies of a room: one instanced mesh per shape and look.
import {
  BackSide, CircleGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, PlaneGeometry, Quaternion, Raycaster, Vector2, Vector3,
} from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import {shapeColour} from './colours.js';
import {partGeometry} from './geometry.js';
import {isDark} from './room.js';

const [kGround, kGroundByNight] = [new Color('#e6e9ee'), new Color('#4a5663')];
const kFixed = new Color('#b9c0c9');
const kChosen = new Color('#ffb000');
const kRim = 1.07; // size of the chosen body's rim, in sizes of the body
const kZ = new Vector3(0, 0, 1);
const kOne = new Vector3(1, 1, 1);

export class Bodies {
  /// `shapes`: [{parts}]; `bodies`: [{shape, scale, moving, color?, opacity?, position?, quaternion?}], fixed ones with their
  /// pose. A body is called by its index.
  constructor(room, shapes, bodies) {
    this.room = room;
    this.bodies = bodies;
    this.places = bodies.map(() => null); // where a body is drawn: {mesh, at}; planes have none
    const looks = new Map(); // shape and look -> indices of bodies
    bodies.forEach((body, index) => {
      const look = `${body.shape} ${body.moving} ${body.opacity ?? 1}`;
      if (!looks.has(look)) looks.set(look, []);
      looks.get(look).push(index);
    });
    this.meshes = [];
    for (const members of looks.values()) {
      const {parts} = shapes[bodies[members[0]].shape];
      const solid = parts.filter((part) => part.type !== 'halfspace');
      for (const part of parts.filter((p) => p.type === 'halfspace')) {
        for (const index of members) this.addHalfSpace(part, bodies[index]);
      }
      if (solid.length > 0) this.addInstances(solid, members);
    }
    this.addRim();
  }

  addInstances(parts, members) {
    const pieces = parts.map((part) => {
      const geometry = partGeometry(part);
      if (!part.position) return geometry;
      const [w, x, y, z] = part.quaternion;
      return geometry.applyMatrix4(new Matrix4().compose(new Vector3(...part.position), new Quaternion(x, y, z, w), kOne));
    });
    const geometry = pieces.length === 1 ? pieces[0]
      : mergeGeometries(pieces.map((piece) => (piece.index ? piece.toNonIndexed() : piece)));
    geometry.computeBoundingBox();
    const {moving, opacity = 1} = this.bodies[members[0]];
    const glass = opacity < 1;
    const material = new MeshStandardMaterial({roughness: glass ? 0.15 : 0.55, metalness: 0.02, transparent: glass,
      opacity, depthWrite: !glass});
    const mesh = new InstancedMesh(geometry, material, members.length);
    mesh.castShadow = !glass;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.renderOrder = glass ? 2 : 0;
    mesh.userData.members = members;
    // Glass walls are looked through, by the finger too.
    mesh.userData.pickable = moving || !glass;
    if (moving) mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    members.forEach((index, at) => {
      this.places[index] = {mesh, at};
      if (!moving) mesh.setMatrixAt(at, placed(this.bodies[index]));
      mesh.setColorAt(at, this.baseColour(index));
    });
    this.meshes.push(mesh);
    this.room.scene.add(mesh);
  }

  // The boundary of a half-space: ground when it faces up, else a pane that is seen from its free side only.
  addHalfSpace(part, body) {
    const {centre, radius, up} = this.room.stage;
    const {normal, point} = halfSpacePlane(part, body);
    const ground = normal.dot(up) > kGroundSlope;
    const anchor = centre.clone().addScaledVector(normal, point.sub(centre).dot(normal));
    const size = (ground ? 16 : 1.2) * radius;
    const material = new MeshStandardMaterial({color: body.color ?? (isDark() ? kGroundByNight : kGround), roughness: 0.95,
      transparent: !ground, opacity: ground ? 1 : body.opacity ?? 0.25});
    const mesh = new Mesh(ground ? new CircleGeometry(size, 96) : new PlaneGeometry(2 * size, 2 * size), material);
    mesh.quaternion.setFromUnitVectors(kZ, normal);
    // A hair below the surface, so that faces lying on it do not flicker.
    mesh.position.copy(anchor).addScaledVector(normal, -radius * 2e-4);
    mesh.receiveShadow = true;
    this.room.scene.add(mesh);
  }

  // The chosen body: a rim around it, and a veil that shows it through others.
  addRim() {
    const options = {color: kChosen, transparent: true, toneMapped: false, fog: false};
    this.rim = new Group();
    this.rim.add(new Mesh(undefined, new MeshBasicMaterial({...options, side: BackSide, opacity: 0.95})),
      new Mesh(undefined, new MeshBasicMaterial({...options, depthTest: false, opacity: 0.3})));
    this.rim.children[0].renderOrder = 1;
    this.rim.children[1].renderOrder = 2;
    this.rim.matrixAutoUpdate = false;
    this.rim.visible = false;
    this.room.scene.add(this.rim);
    this.chosen = null;
  }

  baseColour(index) {
    const body = this.bodies[index];
    if (body.color) return new Color(body.color);
    return body.moving ? shapeColour(body.shape) : kFixed;
  }

  place(index, position, quaternion, scale) {
    const place = this.places[index];
    if (place === null) return;
    place.mesh.setMatrixAt(place.at, matrix.compose(position, quaternion, size.setScalar(scale)));
    place.mesh.instanceMatrix.needsUpdate = true;
  }

  setColour(index, colour) {
    const place = this.places[index];
    if (place === null) return;
    place.mesh.setColorAt(place.at, colour);
    place.mesh.instanceColor.needsUpdate = true;
  }

  /// Marks a body, or none (null).
  choose(index) {
    this.chosen = index !== null && this.places[index] ? index : null;
    if (this.chosen !== null) {
      for (const child of this.rim.children) child.geometry = this.places[this.chosen].mesh.geometry;
    }
    this.followChosen();
  }

  /// Moves the rim to where the chosen body is now.
  followChosen() {
    this.rim.visible = this.chosen !== null;
    if (this.chosen === null) return;
    const {mesh, at} = this.places[this.chosen];
    mesh.getMatrixAt(at, this.rim.matrix);
    const [rim] = this.rim.children;
    mesh.geometry.boundingBox.getCenter(rim.position).multiplyScalar(1 - kRim);
    rim.scale.setScalar(kRim);
    this.rim.matrixWorldNeedsUpdate = true;
  }

  // The first hit of a ray through a point of the canvas, among bodies that can be picked.
  hit(x, y) {
    const {clientWidth: width, clientHeight: height} = this.room.renderer.domElement;
    const targets = this.meshes.filter((mesh) => mesh.userData.pickable);
    for (const mesh of targets) mesh.computeBoundingSphere();
    raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.room.orbit.camera);
    return raycaster.intersectObjects(targets, false)[0] ?? null;
  }

  /// The nearest body under a point of the canvas (CSS pixels), or null. A finger also finds what is `reach` pixels away.
  pick(x, y, reach = 0) {
    const under = (u, v) => {
      const hit = this.hit(u, v);
      return hit ? hit.object.userData.members[hit.instanceId] : null;
    };
    const found = under(x, y);
    if (found !== null || reach === 0) return found;
    for (let k = 0; k < 8; ++k) {
      const near = under(x + reach * Math.cos((k * Math.PI) / 4), y + reach * Math.sin((k * Math.PI) / 4));
      if (near !== null) return near;
    }
    return null;
  }

  /// The place on a body under a point of the canvas, or null.
  pointUnder(x, y) { return this.hit(x, y)?.point ?? null; }

  /// Where the origin of a body is on the canvas (CSS pixels).
  placeOnCanvas(index) {
    const {clientWidth: width, clientHeight: height} = this.room.renderer.domElement;
    const {mesh, at} = this.places[index];
    mesh.getMatrixAt(at, matrix);
    const point = new Vector3().setFromMatrixPosition(matrix).project(this.room.orbit.camera);
    return [((1 + point.x) * width) / 2, ((1 - point.y) * height) / 2];
  }
}

const kGroundSlope = 0.95; // cosine to the vertical from which on a half-space is ground

function halfSpacePlane(part, body) {
  const pose = placed({...body, scale: 1});
  const normal = new Vector3(...part.normal).transformDirection(pose);
  return {normal, point: new Vector3(...part.normal).multiplyScalar(part.offset).applyMatrix4(pose)};
}

/// Height of the highest ground along `up` (an array), or null without one.
export function groundHeight(shapes, bodies, up) {
  const upwards = new Vector3(...up);
  let height = null;
  for (const body of bodies) {
    for (const part of shapes[body.shape].parts) {
      if (part.type !== 'halfspace') continue;
      const {normal, point} = halfSpacePlane(part, body);
      if (normal.dot(upwards) > kGroundSlope) height = Math.max(height ?? -Infinity, point.dot(upwards));
    }
  }
  return height;
}

function placed(body) {
  const [w, x, y, z] = body.quaternion;
  return new Matrix4().compose(new Vector3(...body.position), new Quaternion(x, y, z, w), kOne.clone().multiplyScalar(body.scale));
}

const matrix = new Matrix4();
const size = new Vector3();
const raycaster = new Raycaster();
