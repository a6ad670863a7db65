import type {Kept, LoadOptions, Point3, Pose, Queries, Shape} from './tactus_queries.js';

export * from './tactus_queries.js';

/** Reads the compiled library. Throws TactusError when it is of another build than the script. */
export function load(options?: LoadOptions): Promise<Worlds>;

export interface Worlds extends Queries {
  /** A world that code builds while it runs. Bodies and joints are named by ids in all of its calls and answers. */
  simulation(setup?: Omit<SimulationSetup, 'surface_pairs'>): Simulation;
}

/** As in scenes. */
export interface Material {
  friction?: number;
  restitution?: number;
  rolling_friction?: number;
  torsional_friction?: number;
  adhesion?: number;
  density?: number;
}

/** The parts of a scene that bodies refer to. */
export interface SimulationSetup {
  title?: string;
  /** Gravity, step rate, substeps, sleep_time, quality, periodic and all else of a scene's world. */
  world?: {gravity?: Point3; step_rate?: number; substeps?: number; sleep_time?: number; quality?: 'default' | 'fast';
    /** Contacts are springs; moving bodies are spheres. */
    elastic?: {young: number; poisson?: number; rayleigh_part?: number};
    shear?: {flow: 'x' | 'y' | 'z'; gradient: 'x' | 'y' | 'z'; rate: number}; [field: string]: unknown};
  materials?: Record<string, Material>;
  surface_pairs?: ({materials: [string, string]} & Material)[];
  shapes?: Record<string, object>;
}

/** A body as in scenes: `shape` is a name of the set-up or an object, as `material` is. */
export interface BodySetup {
  shape: string | object;
  pose?: Pose;
  type?: 'moving' | 'fixed' | 'kinematic';
  material?: string | Material;
  mass?: number;
  sensor?: boolean;
  linear_velocity?: Point3;
  angular_velocity?: Point3;
  gravity_scale?: number;
  linear_damping?: number;
  angular_damping?: number;
  lock?: string[];
  filter?: {categories?: number[]; collides_with?: number[]; [field: string]: unknown};
  [field: string]: unknown;
}

/** A joint as in scenes, between bodies as they lie now; places and axes are the world's. */
export interface JointSetup {
  type: 'ball' | 'hinge' | 'slider' | 'fixed' | 'distance';
  bodies: [number, number];
  anchor?: Point3;
  axis?: Point3;
  [field: string]: unknown;
}

export interface Selection {
  /** Bodies one of whose categories is in it. */
  mask?: number;
  /** Not this body. */
  ignored?: number;
  /** Sensors too (true). */
  sensors?: boolean;
}

export interface BodyState {
  type: 'moving' | 'fixed' | 'kinematic';
  mass: number;
  pose: Pose;
  center_of_mass: Point3;
  linear_velocity: Point3;
  angular_velocity: Point3;
  asleep: boolean;
}

export interface Touches {
  /** Pairs of bodies that touched in the last step, that began to, and that touch no longer. */
  touching: [number, number][];
  begun: [number, number][];
  ended: [number, number][];
  /** Joints that broke in the last step. */
  broken: number[];
}

export interface RayHit { body: number; distance: number; point: Point3; normal: Point3; part: number }
export interface ShapeHit { body: number; time: number; point: Point3; normal: Point3 }
export interface NearestBody {
  body: number;
  distance: number;
  lower: number;
  upper: number;
  normal: Point3;
  point_a: Point3;
  point_b: Point3;
}

/** Calls throw TactusError, which names the field, and change nothing then. */
export interface Simulation extends Kept {
  /** Returns the id, which no other body ever gets. */
  addBody(body: BodySetup): number;
  removeBodies(...bodies: number[]): void;
  addJoint(joint: JointSetup): number;
  removeJoint(joint: number): void;
  setMotor(joint: number, motor: {speed: number; maxForce: number} | null): void;
  setDrive(joint: number, drive: {target?: number; stiffness?: number; damping?: number; max_force?: number} | null): void;
  setPose(body: number, pose: Pose): void;
  setVelocity(body: number, linear: Point3, angular?: Point3): void;
  /** Of a kinematic body: brings it there within that time, and carries what stands on it. */
  moveTo(body: number, pose: Pose, duration: number): void;
  /** Momentum at a place (the centre of mass). */
  push(body: number, impulse: Point3, point?: Point3): void;
  /** During the next step. */
  applyForce(body: number, force: Point3, point?: Point3): void;
  applyTorque(body: number, torque: Point3): void;
  step(count?: number): void;
  /** Ids, ascending, and 8 numbers per body: position, quaternion w, x, y, z, 0 for one that sleeps, else 1. Stand until the next call. */
  bodies(): {ids: Float64Array; poses: Float64Array};
  /** 10 numbers per contact point: bodies (ids), point, normal, depth, impulse. Stands until the next call. */
  contacts(): Float64Array;
  body(body: number): BodyState;
  joint(joint: number): {bodies: [number, number]; force: Point3; torque: Point3; position: number; swing: number};
  touches(): Touches;
  rayCast(origin: Point3, direction: Point3, options?: {maxDistance?: number; mask?: number}): RayHit | null;
  /** The first body that a shape meets on a straight way. */
  castShape(shape: string | object, pose: Pose, motion: Point3, selection?: Selection): ShapeHit | null;
  overlapping(shape: string | object, pose: Pose, selection?: Selection): number[];
  nearest(shape: string | object, pose: Pose, options?: Selection & {maxDistance?: number}): NearestBody | null;
  /** A snapshot of all bodies, joints and motions: `restore` brings them back to the bit, also those that were removed since. */
  save(): number;
  restore(snapshot: number): void;
  forget(snapshot: number): void;
  /** Hash of the state: 16 hexadecimal digits. */
  hash(): string;
}
