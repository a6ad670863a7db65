// A small game: balls are thrown at a wall of crates, beside a wrecking ball on a chain. Rendering is three.js's, motion tactus's.
//
//   npm install tactus three esbuild
//   npx esbuild game.mjs --bundle --format=esm --loader:.wasm=file --outfile=game.bundle.js   and serve this folder
import {load} from 'tactus';
import wasm from 'tactus/tactus_module.wasm';
import * as three from 'three';

const kStep = 1 / 60, kMostSteps = 4; // of a frame: a slow machine runs slower instead of ever later
const kBall = 0.25, kSpeed = 24, kMostBalls = 24;
const kColors = {floor: 0xc9d3dc, crate: 0xb98b58, hit: 0xe5533c, ball: 0x31618f, link: 0x556070};

const tactus = await load({wasm});
const run = tactus.simulation({
  world: {gravity: [0, 0, -9.81], quality: 'fast', sleep_time: 0.5},
  materials: {wood: {friction: 0.6, density: 600}, rubber: {friction: 0.7, restitution: 0.5, density: 1500},
    iron: {friction: 0.5, restitution: 0.2, density: 5000}},
  shapes: {crate: {type: 'box', size: [0.6, 0.6, 0.6]}, ball: {type: 'sphere', radius: kBall}, weight: {type: 'sphere', radius: 0.5},
    link: {type: 'capsule', radius: 0.06, length: 0.38}},
});
const at = (x, y, z, quaternion = [1, 0, 0, 0]) => ({position: [x, y, z], quaternion});

// --- the picture

const renderer = new three.WebGLRenderer({antialias: true});
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const stage = new three.Scene();
stage.background = new three.Color(0xeef3f7);
stage.add(new three.HemisphereLight(0xffffff, 0x8899aa, 1.6));
const sun = new three.DirectionalLight(0xffffff, 2);
sun.position.set(-4, -5, 9);
sun.castShadow = true;
Object.assign(sun.shadow.camera, {left: -8, right: 8, top: 8, bottom: -8});
stage.add(sun);
const camera = new three.PerspectiveCamera(50, 1, 0.1, 60);
camera.up.set(0, 0, 1);
camera.position.set(-8, -3, 3.4);
camera.lookAt(1, 0, 1.2);

const forms = {
  crate: new three.BoxGeometry(0.6, 0.6, 0.6),
  ball: new three.SphereGeometry(kBall, 32, 16),
  weight: new three.SphereGeometry(0.5, 32, 16),
  link: new three.CapsuleGeometry(0.06, 0.38, 4, 12).rotateX(Math.PI / 2), // tactus's capsules lie along z
};
const meshes = new Map(); // by id

function add(shape, color, body) {
  const id = run.addBody({shape, ...body});
  const mesh = new three.Mesh(forms[shape], new three.MeshStandardMaterial({color}));
  mesh.castShadow = mesh.receiveShadow = true;
  stage.add(mesh);
  meshes.set(id, mesh);
  return id;
}

function remove(id) {
  run.removeBodies(id);
  stage.remove(meshes.get(id));
  meshes.get(id).material.dispose();
  meshes.delete(id);
}

// --- the world

const floor = run.addBody({type: 'fixed', material: 'wood', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}});
const ground = new three.Mesh(new three.PlaneGeometry(60, 60), new three.MeshStandardMaterial({color: kColors.floor}));
ground.receiveShadow = true;
stage.add(ground);

const crates = new Set();
for (let row = 0; row < 5; ++row)
  for (let k = 0; k < 6; ++k)
    crates.add(add('crate', kColors.crate, {material: 'wood', pose: at(2, 0.61 * (k - 2.5) + 0.1 * (row % 2), 0.3 + 0.6 * row)}));

// A chain hangs from the air: six links on ball joints, and a weight that is heavy for them.
const hook = run.addBody({type: 'fixed', shape: 'ball', pose: at(0, 3.4, 5)});
let before = hook;
for (let k = 0; k < 6; ++k) {
  const link = add('link', kColors.link, {material: 'wood', pose: at(0, 3.4, 4.75 - 0.5 * k)});
  run.addJoint({type: 'ball', bodies: [before, link], anchor: [0, 3.4, 5 - 0.5 * k]});
  before = link;
}
const weight = add('weight', kColors.link, {material: 'rubber', pose: at(0, 3.4, 1.5), linear_velocity: [2, -5, 0]});
run.addJoint({type: 'ball', bodies: [before, weight], anchor: [0, 3.4, 2]});

const balls = [];
function shoot(x, y) {
  const ray = new three.Raycaster();
  ray.setFromCamera(new three.Vector2(x, y), camera);
  const {origin, direction} = ray.ray;
  const from = origin.clone().addScaledVector(direction, 1.5);
  balls.push(add('ball', kColors.ball, {material: 'iron', pose: at(from.x, from.y, from.z), linear_velocity: direction.clone().multiplyScalar(kSpeed).toArray()}));
  if (balls.length > kMostBalls) remove(balls.shift());
}
renderer.domElement.addEventListener('pointerdown', (event) =>
  shoot(2 * event.clientX / innerWidth - 1, 1 - 2 * event.clientY / innerHeight));

// --- events: a crate that falls on the floor from above the first row is down

const down = new Set();
function score() {
  for (const [a, b] of run.touches().begun) {
    const other = a === floor ? b : b === floor ? a : 0;
    if (!crates.has(other) || down.has(other) || run.body(other).pose.position[0] < 2.25) continue;
    down.add(other);
    meshes.get(other).material.color.set(kColors.hit);
  }
  document.querySelector('#score').textContent = `${down.size} of ${crates.size} down`;
}

// --- frames

function draw() {
  const {ids, poses} = run.bodies();
  for (let i = 0; i < ids.length; ++i) {
    const mesh = meshes.get(ids[i]);
    if (!mesh) continue;
    const p = poses.subarray(8 * i, 8 * i + 8);
    mesh.position.set(p[0], p[1], p[2]);
    mesh.quaternion.set(p[4], p[5], p[6], p[3]);
  }
  renderer.render(stage, camera);
}

function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

let due = 0, last = performance.now();
renderer.setAnimationLoop((now) => {
  due = Math.min(due + (now - last) / 1000, kMostSteps * kStep);
  last = now;
  for (; due >= kStep; due -= kStep) {
    run.step();
    score();
  }
  draw();
});

globalThis.game = {run, shoot, down}; // for the curious, and for the test
