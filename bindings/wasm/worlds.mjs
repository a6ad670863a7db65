// Worlds of rigid bodies that code builds, in numbers.
import {Fields, poseNumbers} from './fields.mjs';
import {Kept, TactusError, counted} from './memory.mjs';
import {Queries, takeShape} from './queries.mjs';

const kQualities = ['default', 'fast'];
const kPlanes = ['none', 'xy'];
const kAxes = ['x', 'y', 'z'];
const kBodyTypes = ['fixed', 'kinematic', 'moving'];
const kJointTypes = ['fixed', 'ball', 'hinge', 'slider', 'distance'];
const kSettings = ['load_overlap', 'contact_threshold', 'contact_frequency', 'contact_damping', 'max_push_speed', 'restitution_threshold',
  'least_impact', 'sleep_time', 'sleep_speed', 'linear_damping', 'angular_damping'];
const kMaterial = ['friction', 'restitution', 'rolling_friction', 'torsional_friction', 'adhesion', 'density'];
const kNone = [NaN, NaN, NaN];
const kBodyNumbers = 8, kContactNumbers = 10;

function settingNumbers(value = {}) {
  const f = new Fields(value, 'world');
  const numbers = [f.choice('quality', kQualities, 'default'), f.choice('plane', kPlanes, 'none'), ...f.vector('gravity', kNone),
    1 / f.number('step_rate', 60), f.whole('substeps', NaN, 1), ...kSettings.map((name) => f.number(name, NaN))];
  const periodic = new Fields(f.find('periodic') ?? {}, 'world.periodic');
  for (const axis of kAxes) numbers.push(...periodic.vector(axis, [NaN, NaN], 2));
  periodic.finish();
  numbers.push(...elasticNumbers(f.find('elastic')), ...shearNumbers(f.find('shear')));
  f.finish();
  return numbers;
}

function elasticNumbers(value) {
  if (value === undefined) return kNone;
  const f = new Fields(value, 'world.elastic');
  const numbers = [f.number('young'), f.number('poisson', NaN), f.number('rayleigh_part', NaN)];
  f.finish();
  return numbers;
}

function shearNumbers(value) {
  if (value === undefined) return kNone;
  const f = new Fields(value, 'world.shear');
  const numbers = [f.choice('flow', kAxes), f.choice('gradient', kAxes), f.number('rate')];
  f.finish();
  return numbers;
}

const materialNumbers = (value, path) => {
  const f = new Fields(value, path);
  const numbers = kMaterial.map((name) => f.number(name, NaN));
  f.finish();
  return numbers;
};

function inertiaNumbers(f) {
  const value = f.find('inertia');
  if (value === undefined) return Array(9).fill(NaN);
  if (value.length !== 3) return f.vector('inertia', undefined, 9);
  const [x, y, z] = f.vector('inertia');
  return [x, 0, 0, 0, y, 0, 0, 0, z];
}

function surfaceNumbers(f) {
  const value = f.find('surface_velocity') ?? {};
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return [...f.vector('surface_velocity'), 0, 0, 0];
  const velocity = new Fields(value, 'surface_velocity');
  const numbers = [...velocity.vector('linear', [0, 0, 0]), ...velocity.vector('angular', [0, 0, 0])];
  velocity.finish();
  return numbers;
}

function filterNumbers(value = {}) {
  const f = new Fields(value, 'filter');
  const numbers = [f.whole('category', 1), f.whole('mask', NaN)];
  f.finish();
  return numbers;
}

const idOf = (value, name) => (Number.isSafeInteger(value) && value > 0 ? value : new Fields({}).fail(name, 'must be an id'));
const vectorOf = (value, name) => new Fields({[name]: value}).vector(name);
const placeOf = (value, name) => new Fields({[name]: value}).vector(name, kNone);

const pairOr = (f, name) => f.vector(name, [NaN, NaN], 2);

function motorNumbers(value) {
  if (value === undefined || value === null) return [NaN, NaN];
  const f = new Fields(value, 'motor');
  const numbers = [f.number('speed'), f.number(f.has('maxForce') ? 'maxForce' : 'max_force')];
  f.finish();
  return numbers;
}

function driveNumbers(value) {
  if (value === undefined || value === null) return [NaN, NaN, NaN, NaN];
  const f = new Fields(value, 'drive');
  const numbers = [f.number('target', 0), f.number('stiffness', 0), f.number('damping', 0), f.number('max_force', Infinity)];
  f.finish();
  return numbers;
}

function springNumbers(value) {
  if (value === undefined) return [NaN, NaN];
  const f = new Fields(value, 'spring');
  const numbers = [f.number('frequency'), f.number('damping_ratio', 0)];
  f.finish();
  return numbers;
}

function jointNumbers(value) {
  const f = new Fields(value);
  const type = f.choice('type', kJointTypes);
  const numbers = [type, ...f.vector('bodies', undefined, 2)];
  if (kJointTypes[type] === 'distance') {
    const anchors = f.require('anchors');
    if (!Array.isArray(anchors) || anchors.length !== 2) f.fail('anchors', 'must have two entries');
    numbers.push(...anchors.flatMap((place, i) => vectorOf(place, `anchors[${i}]`)), 0, 0, 1);
  } else {
    const limited = f.has('swing') || f.has('twist') || (f.has('drive') && f.has('axis'));
    const axis = kJointTypes[type] === 'hinge' || kJointTypes[type] === 'slider' || (kJointTypes[type] === 'ball' && limited);
    numbers.push(...f.vector('anchor'), 0, 0, 0, ...(axis ? f.vector('axis') : [0, 0, 1]));
  }
  numbers.push(...pairOr(f, 'limits'), f.number('swing', NaN), ...pairOr(f, 'twist'), ...motorNumbers(f.find('motor')),
    ...driveNumbers(f.find('drive')), f.number('break_force', NaN), f.number('break_torque', NaN), ...springNumbers(f.find('spring')),
    f.number('length', NaN), f.flag('touch') ? 1 : 0);
  f.finish();
  return numbers;
}

function selectionNumbers({mask, ignored, sensors} = {}) {
  const f = new Fields({mask, ignored, sensors});
  return [f.whole('mask', NaN), f.whole('ignored', 0), f.flag('sensors', true) ? 1 : 0];
}

/// A world that code builds while it runs. Calls are those of the whole package's `simulation`, with its bits.
class Simulation extends Kept {
  constructor(memory, setup) {
    super();
    this.memory = memory;
    const f = new Fields(setup);
    const settings = Float64Array.from(settingNumbers(f.find('world')));
    this.materials = {...f.find('materials')};
    for (const [name, value] of Object.entries(this.materials)) this.materials[name] = materialNumbers(value, `materials.${name}`);
    const shapes = Object.entries(f.find('shapes') ?? {});
    f.find('title');
    f.finish();
    this.shapes = new Map();
    this.number = memory.with([settings], (at) => memory.positive(memory.module._tactus_built_open(at)));
    try {
      for (const [name, value] of shapes) this.shapes.set(name, takeShape(memory, value, `shapes.${name}`));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  // Calls an export with numbers.
  tell(name, ...values) {
    const {memory} = this;
    const numbers = Float64Array.from(values.pop());
    return memory.with([numbers], (at) => memory.module[name](this.number, ...values, at));
  }
  do(name, ...values) { this.memory.positive(this.tell(name, ...values)); }
  // The numbers that an export finds, as an array.
  find(name, ...values) {
    const {memory} = this;
    memory.notNegative(memory.module[name](this.number, ...values));
    return Array.from(memory.found());
  }
  ask(name, ...values) {
    this.memory.notNegative(this.tell(name, ...values));
    return Array.from(this.memory.found());
  }

  // Calls f with the number of a shape: one of the set-up by its name, a shape, or an object that is a shape for this call.
  withShape(value, f) {
    if (typeof value === 'string') {
      const known = this.shapes.get(value);
      if (known === undefined) throw new TactusError(`shape: there is no shape named '${value}'`);
      return f(known.number);
    }
    const shape = takeShape(this.memory, value, 'shape');
    try {
      return f(shape.number);
    } finally {
      shape.close();
    }
  }

  material(value) {
    if (typeof value !== 'string') return materialNumbers(value ?? {}, 'material');
    const known = this.materials[value];
    return known ?? new Fields({}).fail('material', `there is no material named '${value}'`);
  }

  addBody(body) {
    const f = new Fields(body);
    const shape = f.require('shape');
    const type = f.choice('type', kBodyTypes, 'moving');
    const pose = f.pose('pose');
    const still = [0, 0, 0];
    const numbers = [type, ...pose, ...['linear_velocity', 'angular_velocity', 'force', 'torque'].flatMap((name) => f.vector(name, still)),
      ...surfaceNumbers(f), ...f.vector('one_way', kNone), f.number('gravity_scale', 1), f.number('linear_damping', NaN),
      f.number('angular_damping', NaN), f.locks('lock'), f.flag('sensor') ? 1 : 0, ...filterNumbers(f.find('filter')),
      ...this.material(f.find('material')), f.number('mass', NaN), ...f.vector('center', kNone), ...inertiaNumbers(f)];
    f.find('name');
    f.finish();
    return this.withShape(shape, (number) => this.memory.positive(this.tell('_tactus_built_add_body', number, numbers)));
  }

  removeBodies(...bodies) {
    const {memory} = this;
    const ids = Float64Array.from(bodies, (id, i) => idOf(id, `bodies[${i}]`));
    memory.with([ids], (at) => memory.positive(memory.module._tactus_built_remove_bodies(this.number, at, ids.length)));
  }

  addJoint(joint) { return this.memory.positive(this.tell('_tactus_built_add_joint', jointNumbers(joint))); }
  removeJoint(joint) { this.memory.positive(this.memory.module._tactus_built_remove_joint(this.number, idOf(joint, 'joint'))); }
  setMotor(joint, motor) { this.do('_tactus_built_set_motor', idOf(joint, 'joint'), motorNumbers(motor)); }
  setDrive(joint, drive) { this.do('_tactus_built_set_drive', idOf(joint, 'joint'), driveNumbers(drive)); }

  setPose(body, pose) { this.do('_tactus_built_set_pose', idOf(body, 'body'), poseNumbers(pose)); }
  setVelocity(body, linear, angular = [0, 0, 0]) {
    this.do('_tactus_built_set_velocity', idOf(body, 'body'), [...vectorOf(linear, 'linear'), ...vectorOf(angular, 'angular')]);
  }
  moveTo(body, pose, duration) {
    this.do('_tactus_built_move_to', idOf(body, 'body'), [...poseNumbers(pose), new Fields({duration}).number('duration')]);
  }
  push(body, impulse, point) { this.act(body, 0, vectorOf(impulse, 'impulse'), point); }
  applyForce(body, force, point) { this.act(body, 1, vectorOf(force, 'force'), point); }
  applyTorque(body, torque) { this.act(body, 2, vectorOf(torque, 'torque')); }
  act(body, what, by, point) { this.do('_tactus_built_push', idOf(body, 'body'), what, [...by, ...placeOf(point, 'point')]); }

  step(count = 1) { this.memory.positive(this.memory.module._tactus_built_step(this.number, counted(count))); }

  /// Ids and, eight numbers each, poses of all bodies. Views of the module's memory that stand until the next call.
  bodies() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_built_find_bodies(this.number));
    return {ids: memory.doubles(memory.module._tactus_built_ids(this.number), count),
      poses: memory.doubles(memory.module._tactus_built_poses(this.number), kBodyNumbers * count)};
  }

  /// Ten numbers per contact point: bodies (ids), point, normal, depth, impulse. A view, as `bodies`.
  contacts() {
    const {memory} = this;
    const count = memory.notNegative(memory.module._tactus_built_find_contacts(this.number));
    return memory.doubles(memory.module._tactus_built_contacts(this.number), kContactNumbers * count);
  }

  body(body) {
    const n = this.find('_tactus_built_body', idOf(body, 'body'));
    return {type: kBodyTypes[n[0]], mass: n[1], pose: {position: n.slice(2, 5), quaternion: n.slice(5, 9)}, center_of_mass: n.slice(9, 12),
      linear_velocity: n.slice(12, 15), angular_velocity: n.slice(15, 18), asleep: n[18] === 1};
  }

  joint(joint) {
    const n = this.find('_tactus_built_joint', idOf(joint, 'joint'));
    return {bodies: n.slice(0, 2), force: n.slice(2, 5), torque: n.slice(5, 8), position: n[8], swing: n[9]};
  }

  touches() {
    const n = this.find('_tactus_built_touches');
    let next = 0;
    const list = () => Array.from({length: n[next++]}, () => [n[next++], n[next++]]);
    return {touching: list(), begun: list(), ended: list(), broken: Array.from({length: n[next++]}, () => n[next++])};
  }

  rayCast(origin, direction, {maxDistance = Infinity, mask} = {}) {
    const n = this.ask('_tactus_built_ray', [...vectorOf(origin, 'origin'), ...vectorOf(direction, 'direction'), maxDistance,
      selectionNumbers({mask})[0]]);
    return n.length === 0 ? null : {body: n[0], distance: n[1], point: n.slice(2, 5), normal: n.slice(5, 8), part: n[8]};
  }

  castShape(shape, pose, motion, selection) {
    const n = this.withShape(shape, (number) =>
      this.ask('_tactus_built_cast', number, [...poseNumbers(pose), ...selectionNumbers(selection), ...vectorOf(motion, 'motion')]));
    return n.length === 0 ? null : {body: n[0], time: n[1], point: n.slice(2, 5), normal: n.slice(5, 8)};
  }

  overlapping(shape, pose, selection) {
    return this.withShape(shape, (number) => this.ask('_tactus_built_overlapping', number, [...poseNumbers(pose), ...selectionNumbers(selection)]));
  }

  nearest(shape, pose, {maxDistance = Infinity, ...selection} = {}) {
    const n = this.withShape(shape, (number) =>
      this.ask('_tactus_built_nearest', number, [...poseNumbers(pose), ...selectionNumbers(selection), maxDistance]));
    return n.length === 0 ? null : {body: n[0], distance: n[1], lower: n[2], upper: n[3], normal: n.slice(4, 7), point_a: n.slice(7, 10),
      point_b: n.slice(10, 13)};
  }

  /// All bodies, joints and motions as they are now; `restore` brings them back to the bit.
  save() { return this.memory.positive(this.memory.module._tactus_built_save(this.number)); }
  restore(snapshot) { this.memory.positive(this.memory.module._tactus_built_restore(this.number, idOf(snapshot, 'snapshot'), 0)); }
  forget(snapshot) { this.memory.positive(this.memory.module._tactus_built_restore(this.number, idOf(snapshot, 'snapshot'), 1)); }

  hash() { return this.memory.answer(this.memory.module._tactus_built_hash(this.number)); }

  close() {
    for (const shape of this.shapes.values()) shape.close();
    this.shapes.clear();
    this.memory.module._tactus_built_close(this.number);
  }
}

export class Worlds extends Queries {
  /// A world that code builds: `world`, `materials` and `shapes` of a scene, all optional.
  simulation(setup = {}) { return new Simulation(this.memory, setup); }
}
