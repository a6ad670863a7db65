// The lit stage: camera, lights, ground, and one instanced mesh per part of every shape.
import {
  CircleGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight,
  DynamicDrawUsage, Fog, HemisphereLight, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PlaneGeometry, PMREMGenerator, Quaternion, Scene, SphereGeometry, Vector3,
  WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {RoomEnvironment} from 'three/examples/jsm/environments/RoomEnvironment.js';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import {rampColour, shapeColour} from './colours.js';
import {partGeometry} from './geometry.js';

const kBackground = new Color('#d9e2ec');
const kGround = new Color('#e6e9ee');
const kBusyContacts = 8; // touching bodies at which the colour ends
const kZ = new Vector3(0, 0, 1);
const kOne = new Vector3(1, 1, 1);

export class Stage {
  constructor(canvas, recording) {
    this.recording = recording;
    this.header = recording.header;
    this.up = new Vector3(...this.header.up);
    this.lower = new Vector3(...this.header.stage.lower);
    this.upper = new Vector3(...this.header.stage.upper);
    this.centre = this.lower.clone().add(this.upper).multiplyScalar(0.5);
    this.radius = Math.max(this.upper.distanceTo(this.lower) / 2, 1e-9);

    this.renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 0.92;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;

    this.scene = new Scene();
    this.scene.background = kBackground;
    this.scene.fog = new Fog(kBackground, 5 * this.radius, 14 * this.radius);
    const generator = new PMREMGenerator(this.renderer);
    this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.38;
    generator.dispose();

    this.addCamera(canvas);
    this.addLights();
    this.addBodies();
    this.addContacts();
    this.resize();
  }

  addCamera(canvas) {
    this.camera = new PerspectiveCamera(38, 1, this.radius / 200, 40 * this.radius);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 8 * this.radius;
    this.resetView();
  }

  /// The scene's own view, or one that shows everything from above the horizon.
  resetView() {
    const {view} = this.header;
    if (view) {
      this.camera.position.set(...view.from);
      this.controls.target.set(...view.to);
    } else {
      const side = new Vector3(1, 0, 0).cross(this.up).lengthSq() > 0.01 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
      const direction = side.addScaledVector(side.clone().cross(this.up), 1.4).addScaledVector(this.up, 0.75).normalize();
      this.camera.position.copy(this.centre).addScaledVector(direction, 2.9 * this.radius);
      this.controls.target.copy(this.centre);
    }
    this.controls.update();
  }

  addLights() {
    const sky = new HemisphereLight('#eef4ff', '#b9ad9c', 0.7);
    sky.position.copy(this.up);
    this.scene.add(sky);
    const sun = new DirectionalLight('#fff1dc', 2.5);
    const side = this.camera.position.clone().sub(this.controls.target).projectOnPlane(this.up).normalize();
    const right = side.clone().cross(this.up).negate();
    sun.position.copy(this.centre).addScaledVector(this.up, 1.9 * this.radius)
      .addScaledVector(side, 1.35 * this.radius).addScaledVector(right, 0.7 * this.radius);
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    const reach = 1.1 * this.radius;
    Object.assign(sun.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.radius,
      far: 5 * this.radius});
    sun.shadow.bias = -4e-4;
    sun.shadow.normalBias = this.radius / 600;
    sun.shadow.radius = 3;
    this.scene.add(sun, sun.target);
  }

  addBodies() {
    const members = new Map(); // instanced pictures: shape and look -> bodies
    let moving = 0;
    this.header.bodies.forEach((body) => {
      const entry = {...body, track: body.moving ? moving++ : -1};
      const look = `${body.shape} ${body.moving} ${body.opacity ?? 1}`;
      if (!members.has(look)) members.set(look, []);
      members.get(look).push(entry);
    });
    this.groups = [];
    for (const bodies of members.values()) {
      const shape = this.header.shapes[bodies[0].shape];
      const solid = shape.parts.filter((part) => part.type !== 'halfspace');
      for (const part of shape.parts.filter((p) => p.type === 'halfspace')) {
        bodies.forEach((body) => this.addHalfSpace(part, body));
      }
      if (solid.length > 0) this.groups.push(this.instances(solid, bodies));
    }
    this.recolour('shape', 0);
  }

  instances(parts, bodies) {
    const meshes = parts.map((part) => {
      const geometry = partGeometry(part);
      if (!part.position) return geometry;
      const [w, x, y, z] = part.quaternion;
      return geometry.applyMatrix4(new Matrix4().compose(new Vector3(...part.position), new Quaternion(x, y, z, w), kOne));
    });
    const geometry = meshes.length === 1 ? meshes[0] : mergeGeometries(meshes.map((m) => (m.index ? m.toNonIndexed() : m)));
    const {moving, opacity = 1} = bodies[0];
    const glass = opacity < 1;
    const material = new MeshStandardMaterial({roughness: glass ? 0.15 : 0.55, metalness: 0.02, transparent: glass,
      opacity, depthWrite: !glass});
    const mesh = new InstancedMesh(geometry, material, bodies.length);
    mesh.castShadow = !glass;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.renderOrder = glass ? 2 : 0;
    if (moving) mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    bodies.forEach((body, i) => {
      if (!moving) mesh.setMatrixAt(i, placed(body));
      mesh.setColorAt(i, baseColour(body));
    });
    this.scene.add(mesh);
    return {mesh, bodies, moving};
  }

  // The boundary of a half-space: ground when it faces up, else a pane that is seen from its free side only.
  addHalfSpace(part, body) {
    const pose = placed({...body, scale: 1});
    const normal = new Vector3(...part.normal).transformDirection(pose);
    const point = new Vector3(...part.normal).multiplyScalar(part.offset).applyMatrix4(pose);
    const ground = normal.dot(this.up) > 0.95;
    const anchor = this.centre.clone().addScaledVector(normal, point.sub(this.centre).dot(normal));
    const size = (ground ? 16 : 1.2) * this.radius;
    const material = new MeshStandardMaterial({color: body.color ?? kGround, roughness: 0.95,
      transparent: !ground, opacity: ground ? 1 : body.opacity ?? 0.25});
    const mesh = new Mesh(ground ? new CircleGeometry(size, 96) : new PlaneGeometry(2 * size, 2 * size), material);
    mesh.quaternion.setFromUnitVectors(kZ, normal);
    // A hair below the surface, so that faces lying on it do not flicker.
    mesh.position.copy(anchor).addScaledVector(normal, -this.radius * 2e-4);
    mesh.receiveShadow = true;
    this.scene.add(mesh);
  }

  addContacts() {
    const capacity = Math.max(1, this.header.contacts.counts.reduce((a, b) => Math.max(a, b), 0));
    const size = this.header.stage.body_size;
    const overlay = (geometry, colour) => {
      const mesh = new InstancedMesh(geometry, new MeshBasicMaterial({color: colour, depthTest: false,
        transparent: true, opacity: 0.9, toneMapped: false, fog: false}), capacity);
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.visible = false;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      this.scene.add(mesh);
      return mesh;
    };
    this.points = overlay(new SphereGeometry(0.045 * size, 10, 8), '#d4145a');
    const shaft = new CylinderGeometry(0.012 * size, 0.012 * size, 0.32 * size, 6).translate(0, 0.16 * size, 0);
    const tip = new ConeGeometry(0.04 * size, 0.11 * size, 8).translate(0, 0.37 * size, 0);
    this.normals = overlay(mergeGeometries([shaft, tip]), '#1b2a41');
  }

  showContacts(points, normals) {
    this.points.visible = points;
    this.normals.visible = normals;
  }

  /// Places everything for the time `picture` + `fraction`.
  moveTo(picture, fraction, colouring) {
    const matrix = new Matrix4();
    const position = new Vector3();
    const rotation = new Quaternion();
    const scale = new Vector3();
    for (const {mesh, bodies, moving} of this.groups) {
      if (!moving) continue;
      bodies.forEach((body, i) => {
        this.recording.pose(body.track, picture, fraction, position, rotation);
        // Before it enters the world a body has no size.
        scale.setScalar(picture < (body.since ?? 0) ? 0 : body.scale);
        mesh.setMatrixAt(i, matrix.compose(position, rotation, scale));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    if (this.colouring !== colouring || (this.colouredPicture !== picture && colouring !== 'shape')) {
      this.recolour(colouring, picture);
    }
    if (this.points.visible || this.normals.visible) this.placeContacts(picture);
  }

  placeContacts(picture) {
    const matrix = new Matrix4();
    const rotation = new Quaternion();
    const y = new Vector3(0, 1, 0);
    this.recording.forEachContact(picture, (i, position, normal) => {
      matrix.compose(position, rotation.setFromUnitVectors(y, normal), kOne);
      this.points.setMatrixAt(i, matrix);
      this.normals.setMatrixAt(i, matrix);
    });
    for (const mesh of [this.points, this.normals]) {
      mesh.count = this.recording.contactCount(picture);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  recolour(colouring, picture) {
    const colour = new Color();
    for (const {mesh, bodies, moving} of this.groups) {
      if (!moving) continue;
      bodies.forEach((body, i) => {
        if (colouring === 'speed') {
          rampColour(Math.sqrt(this.recording.speed(body.track, picture) / this.header.stage.top_speed), colour);
        } else if (colouring === 'contacts') {
          rampColour(this.recording.touchingCount(body.track, picture) / kBusyContacts, colour);
        } else {
          colour.copy(baseColour(body));
        }
        mesh.setColorAt(i, colour);
      });
      mesh.instanceColor.needsUpdate = true;
    }
    this.colouring = colouring;
    this.colouredPicture = picture;
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }
}

function baseColour(body) {
  if (body.color) return new Color(body.color);
  return body.moving ? shapeColour(body.shape) : new Color('#b9c0c9');
}

function placed(body) {
  const [w, x, y, z] = body.quaternion;
  return new Matrix4().compose(new Vector3(...body.position), new Quaternion(x, y, z, w),
    new Vector3().setScalar(body.scale));
}
