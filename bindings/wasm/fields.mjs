// Reads the fields of an object, and refuses what nobody reads.
import {TactusError} from './memory.mjs';

const kAxes = ['x', 'y', 'z', 'rx', 'ry', 'rz'];

export class Fields {
  constructor(object, path = '') {
    if (object === null || typeof object !== 'object' || Array.isArray(object)) throw new TactusError(`${path || 'value'}: must be an object`);
    this.object = object;
    this.path = path;
    this.read = new Set();
  }

  fail(name, reason) { throw new TactusError(`${this.path ? `${this.path}.` : ''}${name}: ${reason}`); }

  /// Calls f; what it refuses receives the path of the field.
  within(name, f) {
    try {
      return f();
    } catch (error) {
      if (!(error instanceof TactusError)) throw error;
      throw new TactusError(`${this.path ? `${this.path}.` : ''}${name}.${error.message}`);
    }
  }

  find(name) {
    this.read.add(name);
    return this.object[name];
  }

  has(name) { return this.object[name] !== undefined; }

  require(name) {
    const value = this.find(name);
    return value === undefined ? this.fail(name, 'is missing') : value;
  }

  /// NaN stands for one that is not given, where `otherwise` is NaN.
  number(name, otherwise) {
    const value = otherwise === undefined ? this.require(name) : this.find(name) ?? otherwise;
    return typeof value === 'number' && (Number.isFinite(value) || Object.is(value, otherwise)) ? value : this.fail(name, 'must be a finite number');
  }

  whole(name, otherwise, least = 0) {
    const value = this.number(name, otherwise);
    return Object.is(value, otherwise) || (Number.isSafeInteger(value) && value >= least) ? value : this.fail(name, `must be a whole number, at least ${least}`);
  }

  vector(name, otherwise, count = 3) {
    const value = otherwise === undefined ? this.require(name) : this.find(name);
    if (value === undefined) return otherwise;
    const numbers = ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value) : [];
    return numbers.length === count && numbers.every(Number.isFinite) ? numbers : this.fail(name, `must be ${count} numbers`);
  }

  flag(name, otherwise = false) {
    const value = this.find(name) ?? otherwise;
    return typeof value === 'boolean' ? value : this.fail(name, 'must be true or false');
  }

  /// The place of a word in a list of words.
  choice(name, words, otherwise) {
    const value = otherwise === undefined ? this.require(name) : this.find(name) ?? otherwise;
    const place = words.indexOf(value);
    return place >= 0 ? place : this.fail(name, `must be one of ${words.join(', ')}`);
  }

  pose(name) {
    const value = this.find(name);
    return value === undefined ? poseNumbers() : poseNumbers(value, this.path ? `${this.path}.${name}` : name);
  }

  locks(name) {
    const value = this.find(name) ?? [];
    if (!Array.isArray(value)) this.fail(name, 'must be a list of axes');
    return value.reduce((bits, axis) => bits | (kAxes.includes(axis) ? 1 << kAxes.indexOf(axis) : this.fail(name, `must be of ${kAxes.join(', ')}`)), 0);
  }

  finish() {
    const unknown = Object.keys(this.object).find((name) => !this.read.has(name));
    if (unknown !== undefined) this.fail(unknown, `is not known; known are ${[...this.read].join(', ')}`);
  }
}

/// Seven numbers of a pose: an object of position and quaternion w, x, y, z, or these numbers.
export function poseNumbers(value = [0, 0, 0, 1, 0, 0, 0], path = 'pose') {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    if (value.length !== 7) throw new TactusError(`${path}: must be seven numbers, or position and quaternion`);
    return Array.from(value);
  }
  const fields = new Fields(value, path);
  const numbers = [...fields.vector('position'), ...fields.vector('quaternion', undefined, 4)];
  fields.finish();
  return numbers;
}
