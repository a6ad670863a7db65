/// <reference lib="esnext.disposable" />
import type {Kept, LoadOptions, Numbers, Point3, Pose, Queries, Status} from './tactus_queries.js';
import type {Simulation, SimulationSetup} from './tactus_worlds.js';

export * from './tactus_worlds.js';

/** Reads the compiled library. Throws TactusError when it is of another build than the script. */
export function load(options?: LoadOptions): Promise<Tactus>;

/** [x, y] each, or x and y one after the other. */
export type Points2 = Float64Array | readonly (readonly [number, number])[];
export type Point2 = [number, number];

export interface Tactus extends Queries {
  /** Answers the lines of a query file: the answers of `tactus query`, to the bit. */
  query(lines: string, options?: {certificate?: boolean}): string;
  /** Answers the lines of a planar query file: the answers of `tactus planar query`, to the bit. */
  planarQuery(lines: string): string;
  /** One query as an object, and its answer. */
  ask(query: object, options?: {certificate?: boolean}): Record<string, unknown>;
  askPlanar(query: object): Record<string, unknown>;
  /** One query of two convex bodies, and its answer with the steps of the algorithm as it ran. Throws TactusError naming the field. */
  steps(query: object): Record<string, unknown> & {steps: Step[]; steps_left_out?: number};
  /** A question of `tactus steps` (hull, distance of meshes, sweep and prune, moving hash): its answer with the steps of the algorithm as it ran. Throws TactusError naming the field. */
  manySteps(question: {ask: 'hull' | 'distance' | 'sweep' | 'hash'; [field: string]: unknown}): Record<string, unknown> & {steps: ({kind: string} & Record<string, unknown>)[]};
  /** The bodies of a query and their difference as surfaces to draw. */
  difference(query: object): DifferencePicture;
  /** f(n) = max n.x over A - B on a grid of directions: rows from +z to -z, twice as many columns as rows (2 to 256). */
  directionSphere(query: object, rows: number): Float64Array;
  /** Microseconds that the library takes for a query: the mean of `count` (100). */
  queryTime(query: object, count?: number): number;
  /** Asks a query with its certificate, and lets the independent checker prove the answer anew. */
  check(query: object): CheckReport;
  /** A polyline: a curve without inside. */
  contour(points: Points2, options?: {closed?: boolean; crossing?: boolean}): Outline;
  /** The plane set inside `outer` and outside all holes. */
  region(outer: Points2, holes?: readonly Points2[]): Outline;
  /** Signed distance of two regions at poses [x, y, angle]; negative: minus the least translation that parts them. */
  regionDistance(a: Outline, poseA: Numbers, b: Outline, poseB: Numbers): RegionDistance;
  /** Contacts of two regions that touch, overlap, or are at most `margin` apart: both ends of each stretch, and its deepest place. */
  regionContacts(a: Outline, poseA: Numbers, b: Outline, poseB: Numbers, options?: {margin?: number}): PlanarContact[];
  /** Moves a ball by `dt` seconds between contours, exactly in time: it passes none. Throws TactusError naming the field. */
  advance(ball: Ball, contours: readonly Outline[], dt: number, settings?: {gravity?: Point2; restitution?: number}): Advance;
  /** The literal rules of the method's source for regions; unsafe, for comparison. */
  literalCollision(regions: readonly Outline[], poses: Numbers): LiteralVerdict;
  /** A live world from a scene: an object, or the text of a scene file. */
  world(scene: object | string): World;
  /** Bytes of the module's memory: all objects, and what they left; it never shrinks. */
  memoryBytes(): number;
  /** A world that code builds while it runs. Bodies and joints are named by ids in all of its calls and answers. */
  simulation(setup?: SimulationSetup): Simulation;
  /** Live deformables from a scene: an object, or the text of a scene file. */
  soft(scene: object | string): Soft;
  /** Contours in a picture: four bytes per pixel, rows from the top, as a canvas gives them. Bits of `tactus contour`. */
  trace(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, options?: TraceOptions): Tracing;
  /** A triangle surface from a file's bytes; the name's ending decides: obj, stl, ply, off, glb, gltf, xyz. */
  surface(name: string, bytes: Uint8Array): Surface;
  /** The blocks of a page that plays a recording (.tactus) of the scene. */
  recording(scene: string, bytes: Uint8Array): string;
}

/** Where an algorithm stands: the frame is the world's. Values that are unbounded or not known are null. */
export interface StepState {
  /** The algorithm: 'newton', 'gjk', 'epa', 'sat', 'ray_cast', 'impact', classic methods by their names, 'answer'. */
  stage: string;
  iteration: number;
  /** Bracket of the signed distance so far; of a cast or impact, of time. */
  lower: number | null;
  upper: number | null;
  /** Radii of both bodies that the points leave out: the step looks at the bodies shrunk by them. */
  radii: number;
}

/** Points are differences (a point of A less one of B) but for those named after a body, which are places. */
export type Step = StepState & (
  /** The simplex, face or portal (its inner point first) that the search rests on, and the support point found along `direction`. */
  | {kind: 'simplex'; points: Point3[]; direction: Point3; support: Point3; support_a: Point3; support_b: Point3}
  /** A pair of points, with the corners of the two features of V-Clip. */
  | {kind: 'segment'; point_a: Point3; point_b: Point3; normal: Point3; feature_a?: Point3[]; feature_b?: Point3[]}
  /** A - B lies in direction.x <= offset; a negative offset separates. */
  | {kind: 'plane'; direction: Point3; offset: number}
  /** Proved: f(m) >= depth for all unit m with m.direction >= cosine. */
  | {kind: 'cap'; direction: Point3; cosine: number; depth: number}
  /** The origin as it moves against A - B. */
  | {kind: 'ray'; point: Point3; motion: Point3; time: number}
  /** The expanding polytope before the next support point joins it. */
  | {kind: 'polytope'; points: Point3[]; faces: [number, number, number][]}
);

export interface SurfacePicture {
  /** Edges between faces are there for the picture alone. */
  smooth: boolean;
  /** x, y, z one after the other. */
  vertices: number[];
  /** Corners, counter-clockwise seen from outside. */
  faces: number[][];
}

export interface DifferencePicture {
  a: SurfacePicture;
  b: SurfacePicture;
  /** A - B without the radii that the bodies are grown by, and with them (null: none). */
  cores: SurfacePicture;
  bodies: SurfacePicture | null;
}

export interface CheckReport {
  ok: boolean;
  /** The first claim that is not proved, and why. */
  failure: string;
  /** What proves the lower bound of a depth: 'none', 'separation', 'axes', 'faces', 'ball', ... */
  certificate: string;
  claims: Record<string, 'proved' | 'unproved' | 'refuted'>;
}

export interface Touch {
  point: Point2;
  normal: Point2;
  angle: number;
  depth: number;
  part: number;
  segment: number;
  contour: number;
  kind: 'segment' | 'convex' | 'concave' | 'end';
}

export interface LiteralTouch {
  found: boolean;
  touching: boolean;
  segment: number;
  part: number;
  distance: number;
  point: Point2;
  angle: number;
  corner: boolean;
}

export interface Outline extends Kept {
  /** Of a region: area, centroid, second moment about it, radius of a disc about it that holds the region. */
  mass(): {area: number; centroid: Point2; inertia: number; radius: number};
  /** For each centre the touches of a circle there. */
  touches(centres: Points2, radius: number, options?: {pose?: Numbers; threshold?: number}): Touch[][];
  /** Every touch by the literal rule of the method's source for a circle and a contour, for comparison. */
  literalTouches(centre: Numbers, radius: number, options?: {pose?: Numbers}): Omit<LiteralTouch, 'found' | 'touching'>[];
  /** The nearest place alone by that rule, touching or not; `corners` with its rule for convex corners. */
  literalTouch(centre: Numbers, radius: number, options?: {pose?: Numbers; corners?: boolean}): LiteralTouch;
}

export interface RegionDistance {
  distance: number;
  lower: number;
  upper: number;
  normal: Point2;
  pointA: Point2;
  pointB: Point2;
  status: Status;
  overlap: boolean;
}

export interface PlanarContact {
  pointA: Point2;
  pointB: Point2;
  /** From A to B. */
  normal: Point2;
  /** Negative: a gap. */
  depth: number;
  /** Contacts of one stretch of touching boundary have one number. */
  stretch: number;
}

export interface Ball {
  radius: number;
  position: Point2;
  velocity: Point2;
}

export interface Advance {
  ball: Ball;
  /** Reflections, in the order of their times since the start; normals from the contour to the ball. */
  bounces: {time: number; point: Point2; normal: Point2; contour: number; segment: number}[];
  /** It has bounced too often for one step, and goes on with the next. */
  waits: boolean;
}

export interface LiteralVerdict {
  collision: boolean;
  active: {body: number; place: Point2}[];
  hits: {initiator: number; opponent: number; from: Point2; to: Point2; place: Point2}[];
  tests_all: number;
  tests_after_circles: number;
  tests_made: number;
}

/** Bodies are named by ids here: their place in the scene's list plus one. */
export type Act =
  | {do: 'set'; gravity?: Point3; substeps?: number; friction?: number; restitution?: number}
  | {do: 'push'; body: number; impulse: Point3; point: Point3}
  | {do: 'pull'; body: number; point: Point3; to: Point3}
  | {do: 'release'}
  | {do: 'add'; like: number; pose: object; linear_velocity?: Point3; angular_velocity?: Point3};

export interface Statistics {
  step: number;
  time: number;
  moving: number;
  pairs: number;
  contactPoints: number;
  deepestPenetration: number;
  meanPenetration: number;
  kineticEnergy: number;
  potentialEnergy: number;
  broadMs: number;
  narrowMs: number;
  solveMs: number;
  totalMs: number;
}

export interface World extends Kept {
  /** Shapes and bodies as a picture needs them. */
  picture(): Record<string, unknown>;
  /** Acts before the next step. Throws TactusError, and changes nothing then. */
  act(act: Act): void;
  step(count?: number): void;
  /** 8 numbers per body: position, quaternion w, x, y, z, scale (0: not yet there). Stands until the next call. */
  poses(): Float64Array;
  /** 10 numbers per contact point: bodies (indices), point, normal, depth, impulse. Stands until the next call. */
  contacts(): Float64Array;
  /** The force of each contact point on its second body, 3 numbers each, in their order. Stands until the next call. */
  forces(): Float64Array;
  statistics(): Statistics;
  /** The first body on a ray: its index, the distance, and the place in the body's frame. */
  ray(origin: Numbers, direction: Numbers): {body: number; distance: number; point: Point3} | null;
  /** What is known of one body, by its index. */
  body(index: number): Record<string, unknown>;
  /** The run so far as one line of JSON, which `tactus live` replays to the same bits. */
  line(): string;
  /** A snapshot of the run: `restore` goes on from there with the same bits, and `line` tells the acts that led there. */
  save(): number;
  restore(snapshot: number): void;
  forget(snapshot: number): void;
  /** Bytes that a snapshot takes. */
  snapshotBytes(snapshot: number): number;
  /** Hash of the state: 16 hexadecimal digits. */
  hash(): string;
}

export type SoftAct =
  | {do: 'set'; gravity?: Point3; young?: number; poisson?: number; damping?: number; friction?: number;
      response?: 'continuous' | 'discrete' | 'freeze_continuous' | 'freeze_discrete'}
  | {do: 'pull'; body: number; vertex: number; to: Point3; reach: number}
  | {do: 'release'};

export interface SoftStatistics {
  step: number;
  time: number;
  vertices: number;
  elements: number;
  contacts: number;
  leastGap: number;
  sweeps: number;
  rounds: number;
  converged: number;
  corrections: number;
  heldBack: number;
  kineticEnergy: number;
  elasticEnergy: number;
  contactEnergy: number;
  potentialEnergy: number;
  /** Of motion and of gravity: moving rigid bodies. */
  rigidEnergy: number;
  totalMs: number;
}

export interface Soft extends Kept {
  /** Surfaces of the deformables, shapes and bodies of the obstacles. */
  picture(): Record<string, unknown>;
  /** Acts before the next step. Throws TactusError, and changes nothing then. */
  act(act: SoftAct): void;
  step(count?: number): void;
  /** 3 numbers per vertex of all bodies; on demand the density of the elastic energy. Stands until the next call. */
  vertices(options?: {energies?: boolean}): {positions: Float64Array; energies: Float64Array | null};
  /** 8 numbers per rigid body of the scene: position, quaternion w x y z, scale. Stands until the next call. */
  poses(): Float64Array;
  /**
   * 10 numbers per contact of the last step: bodies (indices, deformables after the rigid ones), point, normal, depth (what lacks to
   * the contact distance of deformables), normal force; in single precision, for pictures. Stands until the next call.
   */
  contacts(): Float64Array;
  statistics(): SoftStatistics;
  /** Edges that meet a triangle now. */
  crossings(): number;
  /** The run so far as one line of JSON, which `tactus live` replays to the same bits. */
  line(): string;
  /** Hash of the state: 16 hexadecimal digits. */
  hash(): string;
}

export interface TraceOptions {
  channel?: 'automatic' | 'grey' | 'alpha';
  /** In (0, 1); Otsu's without it. */
  threshold?: number;
  invert?: boolean;
  saddle?: 'mean' | 'join' | 'split';
  /** Least area in pixels. */
  despeckle?: number;
  /** Bound of the distance from the trace, in pixels; or `points`: at most so many for each contour. */
  error?: number;
  points?: number;
  y?: 'up' | 'down';
  scale?: number;
}

export interface TracedContour {
  /** x and y one after the other. */
  points: Float64Array;
  traced: number;
  error: number;
}

export interface Tracing {
  regions: {outer: TracedContour; holes: TracedContour[]}[];
  channel: 'grey' | 'alpha';
  threshold: number;
  dark: boolean;
  binary: boolean;
  specks: number;
  restored: number;
}

export interface Surface extends Kept {
  picture(): Record<string, unknown>;
  /** Counts, measures and faults, as `tactus mesh` tells them; `volume` is null where the surface has no inside. */
  report(): Record<string, unknown>;
  hull(): Record<string, unknown>;
  boxes(): Record<string, unknown>;
  /** Few convex parts; `concavity` bounds the distance to the surface, of the model scaled to [-1, 1]. */
  parts(options?: {concavity?: number; most?: number}): Record<string, unknown>;
  /** The bytes of a file; `parts` are those of the last call of `parts`, which must have been this surface's. */
  file(what: 'surface' | 'hull' | 'parts', ending: 'stl' | 'glb' | 'json'): Uint8Array;
  /** Distance to another surface; poses of seven numbers. */
  distance(pose: Numbers, other: Surface, otherPose: Numbers): Record<string, unknown>;
}
