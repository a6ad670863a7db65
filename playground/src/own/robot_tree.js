// The tree of a robot: what its joints move, which pairs of links are asked, and where links are.
import {poseProduct, kStill, turnAbout} from '../space/poses.js';

const kOneCoordinate = ['revolute', 'continuous', 'prismatic'];

// Links, parents first, as [link, joint above].
function parentsFirst({links, joints}) {
  const above = links.map(() => null);
  joints.forEach((joint, i) => {
    if (joint.child === joint.parent) throw new Error(`${joint.place}is its own parent`);
    if (above[joint.child] !== null) throw new Error(`${joint.place}link '${links[joint.child].name}' is the child of joint '${joints[above[joint.child]].name}' already`);
    above[joint.child] = i;
  });
  const roots = links.flatMap((_, i) => (above[i] === null ? [i] : []));
  if (roots.length > 1) throw new Error(`link '${links[roots[1]].name}' is a second root beside '${links[roots[0]].name}': no joint leads to it`);
  const order = roots.map((link) => [link, null]);
  for (const [link] of order) joints.forEach((joint, i) => { if (joint.parent === link) order.push([joint.child, i]); });
  if (order.length < links.length) {
    const reached = new Set(order.map(([link]) => link));
    const closing = joints.find(({child}) => !reached.has(child));
    throw new Error(`${closing.place}joints close a cycle: no way leads from a root to link '${links[closing.child].name}'`);
  }
  return order;
}

// Each joint's value is multiplier * that of a coordinate + offset; null: none moves it.
function valuesOf({joints}) {
  const leads = new Map();
  const valueOf = (i, seen = []) => {
    const {type, mimic, place} = joints[i];
    if (seen.includes(i)) throw new Error(`${place}joints follow each other in a cycle`);
    if (!mimic) return kOneCoordinate.includes(type) ? {leader: i, multiplier: 1, offset: 0} : null;
    for (const j of [i, mimic.joint]) {
      if (!kOneCoordinate.includes(joints[j].type)) throw new Error(`${place}joint '${joints[j].name}' is ${joints[j].type}: a joint with one coordinate alone follows or is followed`);
    }
    const led = valueOf(mimic.joint, [...seen, i]);
    return {leader: led.leader, multiplier: mimic.multiplier * led.multiplier, offset: mimic.multiplier * led.offset + mimic.offset};
  };
  const values = joints.map((_, i) => valueOf(i));
  values.forEach((value, i) => { if (value?.leader === i) leads.set(i, leads.size); });
  return {values: values.map((value) => value && {...value, coordinate: leads.get(value.leader)}), leaders: [...leads.keys()]};
}

// The limits of a coordinate that keep all joints that follow it within theirs too; its own ones where nothing is left.
function sharedLimits(joints, values, leader) {
  let [lower, upper] = joints[leader].limits;
  values.forEach((value, i) => {
    if (value?.leader !== leader || value.multiplier === 0) return;
    const ends = joints[i].limits.map((limit) => (limit - value.offset) / value.multiplier).sort((a, b) => a - b);
    [lower, upper] = [Math.max(lower, ends[0]), Math.min(upper, ends[1])];
  });
  return lower <= upper ? [lower, upper] : joints[leader].limits;
}

export class RobotTree {
  /// `robot` as readUrdf hands it out.
  constructor(robot) {
    this.robot = robot;
    const {joints} = robot;
    this.order = parentsFirst(robot);
    const {values, leaders} = valuesOf(robot);
    this.values = values;
    /// [{name, type, limits, start}], in the order of the joints.
    this.coordinates = leaders.map((leader) => {
      const limits = sharedLimits(joints, values, leader);
      return {name: joints[leader].name, type: joints[leader].type, limits, start: Math.min(Math.max(0, limits[0]), limits[1])};
    });
  }

  /// The value of each joint, null of those that nothing moves.
  jointValues(configuration) {
    return this.values.map((value) => value && value.multiplier * configuration[value.coordinate] + value.offset);
  }

  /// The poses of all links; the root's frame is the world.
  linkPoses(configuration) {
    const {links, joints} = this.robot;
    const values = this.jointValues(configuration);
    const poses = links.map(() => kStill);
    for (const [link, above] of this.order) {
      if (above === null) continue;
      const {parent, origin, axis, type} = joints[above];
      const at = poseProduct(poses[parent], origin);
      const value = values[above];
      poses[link] = value === null ? at : poseProduct(at, type === 'prismatic' ? [...axis.map((x) => value * x), 1, 0, 0, 0] : [0, 0, 0, ...turnAbout(axis, value)]);
    }
    return poses;
  }

  /// All pairs of links with bodies but those that no joint moves against each other, and adjacent ones: a link and the next one above
  /// it that has bodies.
  movablePairs() {
    const {links, joints} = this.robot;
    const group = links.map(() => -1); // the link that the link is fixed to
    const anchor = links.map(() => -1);
    for (const [link, above] of this.order) {
      group[link] = above === null || joints[above].type !== 'fixed' ? link : group[joints[above].parent];
      if (above === null) continue;
      const {parent} = joints[above];
      anchor[link] = links[parent].bodies.length === 0 ? anchor[parent] : parent;
    }
    const bodied = links.flatMap(({bodies}, i) => (bodies.length > 0 ? [i] : []));
    return bodied.flatMap((a, i) => bodied.slice(i + 1).filter((b) => anchor[a] !== b && anchor[b] !== a && group[a] !== group[b]).map((b) => [a, b]));
  }
}
