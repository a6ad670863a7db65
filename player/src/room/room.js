// A picture room: renderer, camera and lights around a stage. What stands in it comes from bodies.js and contact_marks.js.
import {Color, Fog, NeutralToneMapping, PCFShadowMap, Scene, Vector3, WebGLRenderer} from 'three';

import {OrbitCamera} from './camera.js';
import {addLights} from './lights.js';

const [kDay, kNight] = [new Color('#d9e2ec'), new Color('#18212b')];

/// Does the page want dark colours?
export const isDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/// Can this browser draw? Asked before a room is built, which would fail with a message on the console.
export function canDraw() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

export class PictureRoom {
  /// `up`, `lower` and `upper` (arrays): the box to be seen; `ground`: height along up, or null; `view`: {from, to} or null.
  constructor(canvas, {up, lower, upper, ground, view}) {
    const low = new Vector3(...lower);
    const high = new Vector3(...upper);
    this.stage = {up: new Vector3(...up), centre: low.clone().add(high).multiplyScalar(0.5),
      radius: Math.max(high.distanceTo(low) / 2, 1e-9), ground};

    this.renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 0.92;
    this.renderer.shadowMap.type = PCFShadowMap;

    this.scene = new Scene();
    const background = isDark() ? kNight : kDay;
    this.scene.background = background;
    this.scene.fog = new Fog(background, 7 * this.stage.radius, 18 * this.stage.radius);
    this.orbit = new OrbitCamera(canvas, this.stage, view);
    const towards = this.orbit.camera.position.clone().sub(this.orbit.controls.target);
    this.sun = addLights(this.scene, this.renderer, this.stage, towards);
  }

  /// Pixels per CSS pixel, and the side of the shadow map (0: no shadows).
  setQuality({pixelRatio, shadows}) {
    this.renderer.setPixelRatio(pixelRatio);
    // Materials are compiled for the presence of shadows.
    if (this.renderer.shadowMap.enabled !== shadows > 0) {
      this.renderer.shadowMap.enabled = shadows > 0;
      this.scene.traverse((object) => { if (object.material) object.material.needsUpdate = true; });
    }
    this.sun.castShadow = shadows > 0;
    if (shadows > 0 && this.sun.shadow.mapSize.x !== shadows) {
      this.sun.shadow.mapSize.set(shadows, shadows);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    }
    this.resize();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.renderer.domElement;
    this.renderer.setSize(width, height, false);
    this.orbit.setAspect(Math.max(width, 1) / Math.max(height, 1));
  }

  render() {
    this.renderer.render(this.scene, this.orbit.camera);
  }
}
