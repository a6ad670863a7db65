// Soft bodies in the player's picture room, one picture for each response.
import {BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, Quaternion, Raycaster, Vector3} from 'three';

import {Bodies, groundHeight} from '../../../player/src/room/bodies.js';
import {rampColour} from '../../../player/src/room/colours.js';
import {ContactMarks} from '../../../player/src/room/contact_marks.js';
import {Quality, qualityLevels} from '../../../player/src/room/quality.js';
import {PictureRoom} from '../../../player/src/room/room.js';
import {surfaceMesh, surfaceMoved} from '../../../player/src/room/surfaces.js';
import {markContacts, mostMarks} from './contacts.js';
import {Grip, rayThrough} from './grip.js';

const kBodyNumbers = 8;
const kReach = 0.3; // part of a body's radius that follows the pointer

export class SoftView {
  /// `opened` as the worker's openSoft hands it out, `stage` the box to be seen, `look`: {stress, young, contacts, normals}.
  constructor(canvas, engine, {picture, frame}, stage, look) {
    this.canvas = canvas;
    this.engine = engine;
    this.look = look;
    this.picture = picture;
    const up = [0, 0, 1];
    this.room = new PictureRoom(canvas, {up, view: null, lower: stage.lower, upper: stage.upper, ground: groundHeight(picture.shapes, picture.bodies, up)});
    this.obstacles = new Bodies(this.room, picture.shapes, picture.bodies);
    this.groups = frame.views.map(() => this.addGroup());
    this.marks = new ContactMarks(this.room, mostMarks, picture.stage.mark_size);
    this.line = new Line(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(6), 3)),
      new LineBasicMaterial({color: '#ffb000', depthTest: false}));
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.room.scene.add(this.line);
    this.quality = new Quality(qualityLevels(window.devicePixelRatio));
    this.quality.change(1);
    this.applyQuality();
    this.alive = true;
    this.show(frame);
    this.wire();
    requestAnimationFrame((now) => this.tick(now));
  }

  addGroup() {
    const group = new Group();
    this.picture.soft.forEach((body, i) => group.add(surfaceMesh(body, i)));
    this.room.scene.add(group);
    return group;
  }

  show(frame) {
    this.frame = frame;
    this.dirty = true;
  }

  close() {
    this.alive = false;
    this.observer.disconnect();
    this.room.renderer.dispose();
  }

  applyQuality() {
    this.room.setQuality(this.quality.settings);
    this.fit();
  }

  /// One picture beside the other; one over the other where that leaves them wider.
  cells() {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const count = this.groups.length;
    const beside = width >= height;
    this.canvas.parentElement.classList.toggle('stacked', !beside);
    const [w, h] = beside ? [width / count, height] : [width, height / count];
    return this.groups.map((_, i) => ({x: beside ? i * w : 0, y: beside ? 0 : i * h, width: Math.max(w, 1), height: Math.max(h, 1)}));
  }

  fit() {
    this.room.resize();
    const [{width, height}] = this.cells();
    this.room.orbit.setAspect(width / height);
    this.dirty = true;
  }

  tick(now) {
    if (!this.alive) return;
    const seconds = (now - (this.last ?? now)) / 1000;
    this.last = now;
    this.room.orbit.update();
    if (this.dirty) {
      this.dirty = false;
      this.draw();
      if (this.wasDirty && this.quality.measure(seconds)) this.applyQuality();
      this.wasDirty = true;
      this.engine.call('drawnSoft');
    } else {
      this.wasDirty = false;
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  draw() {
    this.frame.views.forEach((view, i) => this.groups[i].children.forEach((mesh) => this.fill(mesh, view)));
    const {renderer, scene, orbit} = this.room;
    const height = this.canvas.clientHeight;
    renderer.setScissorTest(true);
    this.cells().forEach((cell, i) => {
      const box = [cell.x, height - cell.y - cell.height, cell.width, cell.height];
      renderer.setViewport(...box);
      renderer.setScissor(...box);
      this.groups.forEach((group, k) => { group.visible = k === i; });
      this.placeBodies(this.frame.views[i]);
      markContacts(this.marks, this.frame.views[i], this.look);
      this.drawLine(i);
      renderer.render(scene, orbit.camera);
    });
  }

  fill(mesh, {positions, energies}) {
    const {first, vertices} = this.picture.soft[mesh.userData.body];
    const {position, color} = mesh.geometry.attributes;
    position.array.set(positions.subarray(3 * first, 3 * (first + vertices)));
    surfaceMoved(mesh);
    const stress = this.look.stress && energies;
    for (let i = 0; i < vertices; ++i) {
      // Energy density over Young's modulus is half the square of a strain; the ramp ends at a quarter.
      const c = stress ? rampColour(4 * Math.sqrt(Math.max(0, 2 * energies[first + i]) / this.look.young) || 0, colour) : mesh.userData.colour;
      color.setXYZ(i, c.r, c.g, c.b);
    }
    color.needsUpdate = true;
  }

  placeBodies({poses}) {
    for (let i = 0, at = 0; at < poses.length; ++i, at += kBodyNumbers) {
      this.obstacles.place(i, place.fromArray(poses, at), rotation.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]), poses[at + 7]);
    }
  }

  vertexPlace(view, body, vertex) {
    const at = 3 * (this.picture.soft[body].first + vertex);
    return this.frame.views[view].positions.subarray(at, at + 3);
  }

  drawLine(view) {
    const {held, line} = this;
    line.visible = Boolean(held?.to);
    if (!line.visible) return;
    line.geometry.attributes.position.array.set([...this.vertexPlace(view, held.body, held.vertex), ...held.to]);
    line.geometry.attributes.position.needsUpdate = true;
  }

  wire() {
    const {canvas, room} = this;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(canvas);
    room.orbit.controls.addEventListener('change', () => { this.dirty = true; });
    this.grip = new Grip(canvas, room, {find: (x, y, reach) => this.find(x, y, reach), pull: (held, to) => this.pull(held, to),
      ray: (x, y, held) => this.rayAt(x, y, held.view).ray, release: () => { this.dirty = true; this.engine.call('actSoft', {do: 'release'}); }});
  }

  /// The picture under a place of the canvas, and the ray through it.
  rayAt(x, y, view = null) {
    const cells = this.cells();
    const found = view ?? Math.max(cells.findIndex((c) => x >= c.x && x < c.x + c.width && y >= c.y && y < c.y + c.height), 0);
    const cell = cells[found];
    return {view: found, ray: rayThrough(this.room, x - cell.x, y - cell.y, cell.width, cell.height)};
  }

  /// {view, body, vertex, place} of the body under a place of the canvas, or null.
  pick(x, y, reach = 0) {
    const under = (u, v) => {
      const {view, ray} = this.rayAt(u, v);
      raycaster.ray.copy(ray);
      const [hit] = raycaster.intersectObjects(this.groups[view].children, false);
      if (!hit) return null;
      const {body} = hit.object.userData;
      const distance = (i) => hit.point.distanceTo(place.fromArray(this.vertexPlace(view, body, i)));
      const vertex = [hit.face.a, hit.face.b, hit.face.c].reduce((best, i) => (distance(i) < distance(best) ? i : best));
      return {view, body, vertex, place: new Vector3().fromArray(this.vertexPlace(view, body, vertex))};
    };
    const found = under(x, y);
    if (found || reach === 0) return found;
    for (let k = 0; k < 8; ++k) {
      const near = under(x + reach * Math.cos((k * Math.PI) / 4), y + reach * Math.sin((k * Math.PI) / 4));
      if (near) return near;
    }
    return null;
  }

  radiusOf(view, body) {
    const {first, vertices} = this.picture.soft[body];
    const {positions} = this.frame.views[view];
    const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    for (let i = first; i < first + vertices; ++i) {
      place.fromArray(positions, 3 * i);
      low.min(place);
      high.max(place);
    }
    return high.distanceTo(low) / 2;
  }

  get held() { return this.grip.held; }

  find(x, y, reach) {
    const found = this.pick(x, y, reach);
    if (!found) return null;
    const held = {...found, reach: kReach * this.radiusOf(found.view, found.body)};
    this.pull(held, found.place.toArray());
    return held;
  }

  pull(held, to) {
    held.to = to;
    this.dirty = true;
    this.engine.call('actSoft', {do: 'pull', body: held.body + 1, vertex: held.vertex, to, reach: held.reach});
  }

  /// A place of the canvas (CSS pixels) where a body of a picture is found, or null.
  placeOnCanvas(view, body) {
    const {first, vertices} = this.picture.soft[body];
    const sum = new Vector3();
    for (let i = first; i < first + vertices; ++i) sum.add(place.fromArray(this.frame.views[view].positions, 3 * i));
    const cell = this.cells()[view];
    const p = sum.divideScalar(vertices).project(this.room.orbit.camera);
    const [x, y] = [cell.x + ((1 + p.x) * cell.width) / 2, cell.y + ((1 - p.y) * cell.height) / 2];
    return this.pick(x, y)?.body === body ? [x, y] : null;
  }
}

const colour = new Color();
const rotation = new Quaternion();
const place = new Vector3();
const raycaster = new Raycaster();
