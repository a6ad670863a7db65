// Robots from URDF, as the program reads them.
import {kStill, turnOfAngles} from '../space/poses.js';

const kTypes = ['fixed', 'revolute', 'continuous', 'prismatic', 'planar', 'floating'];
const kUnlooked = ['material', 'transmission', 'gazebo'];

function originOf(element) {
  const origin = element.only('origin');
  if (!origin) return kStill;
  return [...origin.vector('xyz', [0, 0, 0]), ...turnOfAngles(origin.vector('rpy', [0, 0, 0]))];
}

// A shape as in a query line, or a mesh with its scale.
function geometryOf(geometry) {
  const [kind = geometry.fail('holds no shape'), second] = geometry.children();
  second?.fail('is a second shape of one geometry');
  switch (kind.name) {
    case 'box': {
      const size = kind.vector('size', null) ?? kind.fail('has no size');
      if (size.some((x) => x < 0)) kind.fail('size must be at least 0');
      return {shape: {type: 'box', size}};
    }
    case 'sphere':
      return {shape: {type: 'sphere', radius: kind.notNegative('radius')}};
    case 'cylinder':
    case 'capsule':
      return {shape: {type: kind.name, radius: kind.notNegative('radius'), length: kind.notNegative('length')}};
    case 'mesh': {
      const scale = kind.vector('scale', [1, 1, 1]);
      if (scale.some((x) => x === 0)) kind.fail('scale must not be zero');
      return {mesh: kind.requiredText('filename'), scale};
    }
    default:
      return kind.fail('is no shape (box, sphere, cylinder, capsule, mesh)');
  }
}

function linkOf(element, what) {
  const name = element.requiredText('name');
  const own = element.of(`link '${name}'`);
  return {name, bodies: own.children(what).map((part) => {
    const geometry = part.required('geometry');
    return {...geometryOf(geometry), origin: originOf(part), place: geometry.children()[0].place};
  })};
}

function limitsOf(element, type) {
  if (type === 'continuous') return [-Infinity, Infinity];
  if (type !== 'revolute' && type !== 'prismatic') return [0, 0];
  const limit = element.only('limit') ?? element.fail(`is ${type} and has no <limit>`);
  const limits = [limit.number('lower', 0), limit.number('upper', 0)];
  if (limits[0] > limits[1]) limit.fail('lower must not exceed upper');
  return limits;
}

function axisOf(element, type) {
  const axis = type === 'fixed' || type === 'floating' ? null : element.only('axis');
  const given = axis?.vector('xyz', null) ?? [1, 0, 0];
  const length = Math.hypot(...given);
  if (!(length > 0)) axis.fail('must not be zero');
  return given.map((x) => x / length);
}

function jointOf(element, links, joints) {
  const name = element.requiredText('name');
  const own = element.of(`joint '${name}'`);
  const type = own.requiredText('type');
  if (!kTypes.includes(type)) own.fail(`type '${type}' is none of ${kTypes.join(', ')}`);
  const linkAt = (role) => {
    const end = own.required(role);
    const link = end.requiredText('link');
    return links.get(link) ?? end.fail(`there is no link '${link}'`);
  };
  const joint = {name, type, parent: linkAt('parent'), child: linkAt('child'), origin: originOf(own), axis: axisOf(own, type), limits: limitsOf(own, type), mimic: null,
    place: own.place};
  const mimic = own.only('mimic');
  if (mimic) {
    const led = mimic.requiredText('joint');
    joint.mimic = {joint: joints.get(led) ?? mimic.fail(`there is no joint '${led}'`), multiplier: mimic.number('multiplier', 1), offset: mimic.number('offset', 0)};
  }
  if (type === 'planar' || type === 'floating') own.note(`is ${type}: this page holds it at 0`);
  return joint;
}

// Places of elements by their names, each given once.
function namesOf(elements, kind) {
  const names = new Map();
  for (const element of elements) {
    const name = element.requiredText('name');
    if (names.has(name)) element.of(`${kind} '${name}'`).fail('the name is given twice');
    names.set(name, names.size);
  }
  return names;
}

/// {name, links: [{name, bodies: [{shape | mesh and scale, origin, place}]}], joints: [{name, type, parent, child, origin, axis, limits, mimic, place}]}
/// of a root element; `what`: the shapes taken, 'collision' or 'visual'.
export function readUrdf(root, what) {
  if (root.name !== 'robot') root.fail(root.name === 'mujoco' || root.name === 'sdf' ? 'the page reads URDF alone; the program tactus reads MJCF and SDF too' : 'is no robot: the root of URDF is <robot>');
  if ([...root.element.getElementsByTagName('*')].some(({prefix}) => prefix === 'xacro')) root.fail('holds xacro, which is to be expanded first');
  const [linkElements, jointElements] = ['link', 'joint'].map((name) => root.children(name));
  const [linkNames, jointNames] = [namesOf(linkElements, 'link'), namesOf(jointElements, 'joint')];
  for (const other of root.children()) if (!['link', 'joint', ...kUnlooked].includes(other.name)) other.note('is not looked at');
  if (linkElements.length === 0) root.fail('has no link');
  return {name: root.requiredText('name'), links: linkElements.map((element) => linkOf(element, what)),
    joints: jointElements.map((element) => jointOf(element, linkNames, jointNames))};
}

/// Pairs of link names that an SRDF file disables.
export function readDisabledPairs(root) {
  if (root.name !== 'robot') root.fail('is no SRDF: its root is <robot>');
  return root.children('disable_collisions').map((element) => ['link1', 'link2'].map((end) => element.requiredText(end)));
}
