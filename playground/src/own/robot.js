// A robot on the page: a slider for each joint, the nearest pair of links with its distance and points.
import {Color} from 'three';

import {NearestMark} from '../../../player/src/room/nearest_mark.js';
import {element, fillRows, showLine, wireRange} from '../shell.js';
import {findNamed, meshOf, pathOf} from './files.js';
import {poseProduct} from '../space/poses.js';
import {RobotTree} from './robot_tree.js';
import {readDisabledPairs, readUrdf} from './urdf.js';
import {parseXml} from './xml.js';

const kMarkSize = 0.2; // of the stage: of which the points of the nearest pair are a twentieth
const kStep = 1 / 400; // of a slider's range
const [kLink, kOtherLink, kNear] = ['#9fb4cc', '#c6ccd6', '#ffb000'].map((colour) => new Color(colour));

const sliderEnds = ({limits}) => (limits.every(Number.isFinite) ? limits : [-Math.PI, Math.PI]);
const digits = (value, type) => (type === 'prismatic' ? `${value.toFixed(3)} m` : `${((value * 180) / Math.PI).toFixed(1)}°`);
const metres = (x) => `${Number(x).toPrecision(6)} m`;

/// Reads a robot from dropped files: {name, tree, bodies, pairs, notes, srdf}. Bodies: {link, origin, shape | mesh and scale, place}; pairs
/// are of bodies. Meshes that are missing are left out and noted.
async function readRobot(file, files, what) {
  const notes = [];
  const robot = readUrdf(parseXml(await file.text(), file.name, notes), what);
  const read = new Map();
  for (const [link, {bodies}] of robot.links.entries()) {
    for (const body of bodies.filter(({mesh}) => mesh)) {
      const {file: found, reason} = findNamed(body.mesh, files);
      if (!found) notes.push(body.place + reason);
      else if (!read.has(found)) read.set(found, await meshOf(found, notes).catch((error) => { throw new Error(body.place + error.message); }));
      body.mesh = found ? read.get(found) : null;
    }
    robot.links[link].bodies = bodies.filter((body) => body.shape || body.mesh);
  }
  const tree = new RobotTree(robot);
  const bodies = robot.links.flatMap((link, i) => link.bodies.map((body) => ({...body, link: i})));
  if (bodies.length === 0) throw new Error(`${file.name}: no link has ${what === 'visual' ? 'a visual shape' : 'a shape for collision'} (see the switch "Visual shapes")`);
  const srdf = files.find(({name}) => /\.srdf$/i.test(name)) ?? null;
  const disabled = new Set((srdf ? readDisabledPairs(parseXml(await srdf.text(), srdf.name, notes)) : []).flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const pairs = tree.movablePairs().filter(([a, b]) => !disabled.has(`${robot.links[a].name} ${robot.links[b].name}`));
  const of = (link) => bodies.flatMap((body, i) => (body.link === link ? [i] : []));
  return {name: robot.name, tree, bodies, linkPairs: pairs, notes, srdf, pairs: pairs.flatMap(([a, b]) => of(a).flatMap((i) => of(b).map((k) => [i, k])))};
}

export class RobotDesk {
  /// `page`: {draw, facts, work, changed}: draws things on a stage, shows facts, says that work lasts, is told of the configuration.
  constructor(engine, page) {
    Object.assign(this, {engine, page, robot: null, view: null});
    element('joints-start').addEventListener('click', () => this.go(this.robot.tree.coordinates.map(({start}) => start)));
    element('joints-random').addEventListener('click', () => this.go(this.robot.tree.coordinates.map((coordinate) => {
      const [lower, upper] = sliderEnds(coordinate);
      return lower + Math.random() * (upper - lower);
    })));
  }

  /// Opens the robot of `file` with the meshes among `files`; answers with notes of what was left out.
  async open(file, files, what, configuration = []) {
    const robot = await this.page.work(`Reading ${file.name}`, readRobot(file, files, what));
    const pictures = await this.page.work(`Reading ${file.name}`, this.engine.call('openRobot', robot.bodies.map(({shape, mesh, scale, place}) => ({shape, mesh, scale, place})), robot.pairs));
    const {coordinates} = robot.tree;
    this.given = {file, files, what};
    this.robot = robot;
    this.configuration = coordinates.map(({start, limits}, i) => (Number.isFinite(configuration[i]) ? Math.min(Math.max(configuration[i], limits[0]), limits[1]) : start));
    this.drawRobot(pictures);
    this.fillSliders();
    await this.show();
    return robot.notes;
  }

  /// Opens it anew, after the worker has forgotten all.
  reopen() {
    const {file, files, what} = this.given;
    return this.open(file, files, what, this.configuration);
  }

  bodyPoses() {
    const links = this.robot.tree.linkPoses(this.configuration);
    return this.robot.bodies.map(({link, origin}) => poseProduct(links[link], origin));
  }

  drawRobot(pictures) {
    const poses = this.bodyPoses();
    const ends = (sign) => [0, 1, 2].map((axis) => sign * Math.max(...poses.map((pose, i) => sign * pose[axis] + pictures[i].reach)));
    const things = pictures.map(({parts}, i) => ({parts, moving: true, color: `#${this.colourOf(i).getHexString()}`}));
    this.view = this.page.draw({lower: ends(-1), upper: ends(1)}, things);
    this.mark = this.view && new NearestMark(this.view.room, kMarkSize * this.view.size);
    this.near = [];
  }

  colourOf(body) { return this.robot.bodies[body].link % 2 ? kOtherLink : kLink; }

  fillSliders() {
    const {joints} = this.robot.tree.robot;
    const {coordinates, values} = this.robot.tree;
    element('joints').replaceChildren(...joints.flatMap(({name}, i) => {
      if (!values[i]) return [];
      const label = document.createElement('label');
      label.className = 'joint';
      const title = document.createElement('span');
      title.textContent = name;
      const input = document.createElement('input');
      Object.assign(input, {type: 'range', id: `joint-${i}`});
      const follows = joints[i].mimic !== null;
      // The limits of a coordinate keep those that follow it within theirs, too.
      const [lower, upper] = sliderEnds(follows ? joints[i] : coordinates[values[i].coordinate]);
      Object.assign(input, {min: lower, max: upper, step: (upper - lower) * kStep || 'any', disabled: follows});
      if (follows) title.textContent += ` (follows ${coordinates[values[i].coordinate].name})`;
      label.append(title, document.createElement('output'), input);
      return [label];
    }));
    this.sliders = joints.map(({type}, i) => {
      if (!values[i]) return null;
      return wireRange(`joint-${i}`, 0, (value) => this.set(values[i].coordinate, value), (value) => digits(value, type));
    });
  }

  set(coordinate, value) {
    this.configuration[coordinate] = value;
    return this.show();
  }

  go(configuration) {
    this.configuration = configuration;
    return this.show();
  }

  /// Shows the present configuration everywhere; marks and figures follow when the worker has answered.
  async show() {
    const {tree} = this.robot;
    tree.jointValues(this.configuration).forEach((value, i) => this.sliders[i]?.(value));
    const poses = this.bodyPoses();
    poses.forEach((pose, i) => this.view?.place(i, pose));
    this.page.changed(this.configuration);
    const joints = tree.coordinates.map(({name}, i) => `${name}=${this.configuration[i]}`).join(',');
    const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    showLine(`tactus robot clearance ${quoted(pathOf(this.given.file))}${this.given.what === 'visual' ? ' --visual' : ''}` +
      `${this.robot.srdf ? ` --srdf ${quoted(pathOf(this.robot.srdf))}` : ''} --joints ${quoted(joints)} --json`);
    const found = await this.engine.latest('clearance', Float64Array.from(poses.flat()), 0);
    if (found) this.tell(found);
  }

  linkName(body) { return this.robot.tree.robot.links[this.robot.bodies[body].link].name; }

  tell({least, lower, below, measured, milliseconds}) {
    const {view, robot: {name, tree: {robot}, bodies, linkPairs, pairs}} = this;
    const pairName = ({a, b}) => `${this.linkName(a)} – ${this.linkName(b)}`;
    if (view) {
      this.mark.draw(least && {points: [...least.pointA, ...least.pointB], near: least.distance <= 0});
      for (const body of this.near) view.bodies.setColour(body, this.colourOf(body));
      this.near = least ? bodies.flatMap(({link}, i) => ([least.a, least.b].some((body) => bodies[body].link === link) ? [i] : [])) : [];
      for (const body of this.near) view.bodies.setColour(body, kNear);
      view.dirty = true;
    }
    const text = least ? `${least.distance < 0 ? 'depth' : 'distance'} ${metres(Math.abs(least.distance))}` : 'no pair is asked';
    element('nearest').textContent = least ? `${pairName(least)}: ${text}` : text;
    const touching = [...new Set(below.map(pairName))];
    this.page.facts([['robot', name], ['links, joints', `${robot.links.length}, ${robot.joints.length}`], ['pairs of links', linkPairs.length],
      ...(least ? [['nearest links', pairName(least)],
        [least.distance < 0 ? 'depth' : 'distance', metres(Math.abs(least.distance)), {...least, linkA: this.linkName(least.a), linkB: this.linkName(least.b)}],
        ['bracket', (least.distance < 0 ? [-least.upper, -lower] : [lower, least.upper]).map(metres).join(' .. ')]] : [['nearest links', 'no pair is asked']]),
      ['touching', touching.length > 0 ? touching.join('; ') : 'none'],
      ['measured', `${measured} of ${pairs.length} pairs of bodies, ${milliseconds.toFixed(1)} ms`]]);
  }

  close() {
    this.robot = this.view = null;
    showLine('');
    return this.engine.call('closeRobot');
  }
}
