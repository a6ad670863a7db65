// The camera: a view that shows everything, and an orbit that stays above the ground.
import {MathUtils, PerspectiveCamera, Vector3} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

const kFieldOfView = 38; // degrees, of a picture that is wide enough
const kWidestView = 60; // degrees; what a narrow picture still lacks, distance gives
const kWideEnough = 1.2; // ratio of width to height
const kClearance = 0.01; // the camera's least height over the ground, in radii of the stage

export class OrbitCamera {
  /// `stage`: up, centre, radius, ground (height of the ground along up, or null); `view`: {from, to} or null.
  constructor(canvas, stage, view) {
    this.stage = stage;
    this.view = view;
    this.camera = new PerspectiveCamera(kFieldOfView, 1, stage.radius / 200, 40 * stage.radius);
    this.camera.up.copy(stage.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 10 * stage.radius;
    this.retreat = 1;
    this.reset();
  }

  /// A picture that is higher than wide shows as much of the scene's width as a square one.
  setAspect(aspect) {
    const lack = Math.max(1, kWideEnough / aspect);
    const half = Math.tan(MathUtils.degToRad(kFieldOfView / 2));
    const widest = Math.tan(MathUtils.degToRad(kWidestView / 2));
    const opened = Math.min(half * lack, widest);
    const retreat = (half * lack) / opened;
    this.camera.fov = 2 * MathUtils.radToDeg(Math.atan(opened));
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    this.camera.position.sub(this.controls.target).multiplyScalar(retreat / this.retreat).add(this.controls.target);
    this.retreat = retreat;
  }

  /// The scene's own view, or one that shows everything from above the horizon.
  reset() {
    const {up, centre, radius} = this.stage;
    const {position} = this.camera;
    const {target} = this.controls;
    if (this.view) {
      position.set(...this.view.from);
      target.set(...this.view.to);
    } else {
      const x = new Vector3(1, 0, 0);
      const side = x.clone().cross(up).lengthSq() > 0.01 ? x : new Vector3(0, 1, 0);
      const direction = side.addScaledVector(side.clone().cross(up), 1.4).addScaledVector(up, 0.75).normalize();
      position.copy(centre).addScaledVector(direction, 2.9 * radius);
      target.copy(centre);
    }
    position.sub(target).multiplyScalar(this.retreat).add(target);
    this.update();
  }

  /// To be called once per frame; true when the camera moved.
  update() {
    this.stayAboveGround();
    return this.controls.update();
  }

  /// Height of the camera over the ground; infinite without one.
  height() {
    const {up, ground} = this.stage;
    return ground === null ? Infinity : this.camera.position.dot(up) - ground;
  }

  // The steepest way down ends where the camera, at its distance from the target, would touch the ground.
  stayAboveGround() {
    const {up, ground, radius} = this.stage;
    if (ground === null) return;
    const {target} = this.controls;
    const clearance = kClearance * radius;
    const below = ground - target.dot(up);
    if (below > 0) {
      target.addScaledVector(up, below);
      this.camera.position.addScaledVector(up, below);
    }
    const lowest = ground + clearance - target.dot(up);
    const distance = Math.max(this.camera.position.distanceTo(target), 1e-9 * radius);
    this.controls.maxPolarAngle = Math.acos(Math.min(Math.max(lowest / distance, -1), 1));
  }
}
