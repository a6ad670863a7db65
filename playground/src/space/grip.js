// A hand on the bodies of a picture room.
import {Plane, Raycaster, Vector2, Vector3} from 'three';

const kFingerReach = 14; // pixels around a finger

/// The ray of a room's camera through a place of its canvas (CSS pixels); `width`, `height`: of the picture there.
export function rayThrough(room, x, y, width = room.renderer.domElement.clientWidth, height = room.renderer.domElement.clientHeight) {
  raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), room.orbit.camera);
  return raycaster.ray;
}

/// Holds what the pointer presses, and moves it within the plane that faces the camera; beside it the pointer turns the view.
export class Grip {
  /// `find(x, y, reach)` gives what is held at a place of the canvas, or null: {place: a point of it, or a promise of one, ...};
  /// `ray(x, y, held)` the ray through a place; `pull(held, to)` is told where the point is to go, `release(held)` of the end.
  constructor(canvas, room, {find, pull, release = () => {}, ray = (x, y) => rayThrough(room, x, y)}) {
    Object.assign(this, {canvas, room, find, pull, onrelease: release, ray, held: null});
    canvas.addEventListener('pointerdown', (event) => this.grab(event), {capture: true});
    canvas.addEventListener('pointermove', (event) => this.follow(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => this.release());
  }

  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  async grab(event) {
    if (event.button !== 0 || this.held) return;
    const held = this.find(...this.placeOf(event), event.pointerType === 'touch' ? kFingerReach : 0);
    if (!held) return;
    const {orbit} = this.room;
    orbit.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.held = held;
    const facing = orbit.camera.getWorldDirection(new Vector3());
    const place = await held.place;
    if (this.held === held) held.plane = new Plane().setFromNormalAndCoplanarPoint(facing, place);
  }

  follow(event) {
    const {held} = this;
    if (!held?.plane) return;
    const to = this.ray(...this.placeOf(event), held).intersectPlane(held.plane, new Vector3());
    if (to) this.pull(held, to.toArray());
  }

  release() {
    const {held} = this;
    if (!held) return;
    this.held = null;
    this.room.orbit.controls.enabled = true;
    this.onrelease(held);
  }
}

const raycaster = new Raycaster();
