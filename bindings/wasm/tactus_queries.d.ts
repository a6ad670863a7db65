/// <reference lib="esnext.disposable" />
/** Names the build: the hash of the compiled modules that belong to these files. */
export const contentHash: string;

/** Bad input: the message names the field and the reason. */
export class TactusError extends Error {}

export interface LoadOptions {
  /** Address, bytes or compiled module of the .wasm file; by default it lies beside the script. */
  wasm?: string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module;
}

/** Reads the compiled library. Throws TactusError when it is of another build than the script. */
export function load(options?: LoadOptions): Promise<Queries>;

export type Numbers = Float64Array | readonly number[];
export type Point3 = [number, number, number];
export type Quaternion = [number, number, number, number];
/** Place and quaternion w, x, y, z of a shape's frame. */
export interface Pose { position: Point3; quaternion: Quaternion }
/** A pose, its seven numbers (position, quaternion w, x, y, z), or nothing: the identity. */
export type PoseLike = Pose | Numbers | undefined;
export type Status = 'converged' | 'iteration_limit' | 'precision_limit' | 'invalid_input' | 'unsupported' | 'local_minimum';
export type Verdict = 'no' | 'yes' | 'undecided';

/** An object that keeps memory of the module until it is closed; `using` closes it at the end of its block. */
export interface Kept {
  close(): void;
  /** As `close`; in engines without `Symbol.dispose` under `Symbol.for('Symbol.dispose')`. */
  [Symbol.dispose](): void;
}

export interface Shape extends Kept {}

export interface QueryOptions {
  /** Wanted width of the bracket, relative to the pair's size (1e-8). */
  tolerance?: number;
  /** Stops when the bodies are proved farther apart. */
  maxDistance?: number;
  /** Contacts are found up to this gap (0). */
  margin?: number;
  /** The algorithm; 'auto' serves all pairs. */
  method?: string;
  maxIterations?: number;
  /** False: the distance of a mesh's bare surface. */
  signed?: boolean;
  /** True: the depth of a compound is that of its union, in place of the deepest part's. */
  unionDepth?: boolean;
}

/** lower <= truth <= upper, whatever the status. Negative: minus the least translation that parts the bodies. */
export interface Distance {
  distance: number;
  lower: number;
  upper: number;
  /** Unit, from A to B; pointB - pointA = distance * normal. */
  normal: Point3;
  pointA: Point3;
  pointB: Point3;
  status: Status;
  method: string;
  iterations: number;
  /** False where several normals or points are equally good. */
  unique: boolean;
  /** Parts of compounds and triangles of meshes that the answer refers to, else -1. */
  partA: number;
  partB: number;
  triangleA: number;
  triangleB: number;
}

/** No contact before `time`; of a hit, some contact up to `timeUpper`. */
export interface Cast {
  hit: Verdict;
  time: number;
  timeUpper: number;
  distance: number;
  normal: Point3;
  pointA: Point3;
  pointB: Point3;
  status: Status;
  method: string;
  iterations: number;
  unique: boolean;
  partA: number;
  partB: number;
}

/** Points with one normal, from A to B; `depth` is negative for a gap. */
export interface Patch {
  normal: Point3;
  partA: number;
  partB: number;
  points: {pointA: Point3; pointB: Point3; depth: number}[];
}

export interface Velocity { linear?: Point3; angular?: Point3 }

export interface Queries {
  readonly contentHash: string;
  /** A shape as in a query line. Throws TactusError naming the field. */
  shape(value: object): Shape;
  /** Signed distance with its proof. */
  distance(a: Shape, poseA: PoseLike, b: Shape, poseB: PoseLike, options?: QueryOptions): Distance;
  /** Do the bodies share a point? `undecided` of a touch within rounding. */
  overlap(a: Shape, poseA: PoseLike, b: Shape, poseB: PoseLike, options?: QueryOptions): {overlap: Verdict; proof: Distance};
  /** Contact patches up to the gap `margin`. */
  contacts(a: Shape, poseA: PoseLike, b: Shape, poseB: PoseLike, options?: QueryOptions): {distance: Distance; patches: Patch[]};
  /** First contact of bodies that move along straight lines without turning. */
  cast(a: Shape, poseA: PoseLike, motionA: Point3, b: Shape, poseB: PoseLike, motionB: Point3, options?: QueryOptions): Cast;
  /** First contact of bodies that move and turn at constant velocities from time 0 to 1. */
  impact(a: Shape, poseA: PoseLike, motionA: Velocity, b: Shape, poseB: PoseLike, motionB: Velocity, options?: QueryOptions): Cast;
  /** Where origin + t * direction, 0 <= t <= maxTime, first meets a shape. */
  ray(shape: Shape, pose: PoseLike, origin: Point3, direction: Point3, maxTime?: number): Cast;
  /**
   * Signed distances of one pair of shapes at many poses (7 numbers each: position, quaternion w, x, y, z). 13 numbers each:
   * distance, lower, upper, normal from A to B, point on A, point on B, status (index into Status).
   */
  distances(a: Shape, posesA: Numbers, b: Shape, posesB: Numbers): Float64Array;
  /** The convex hull of points (x, y, z one after the other). */
  hull(points: Numbers): {vertices: Float64Array; triangles: Uint32Array};
}
