// Numbers and text in and out of a compiled module's memory.
const kMostCount = 2 ** 31 - 1;

/// Bad input: the message names the field and the reason.
export class TactusError extends Error {
  get name() { return 'TactusError'; }
}

// Carries numbers and text in and out of the module's memory.
export class Memory {
  constructor(module) {
    this.module = module;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
  }

  fail() {
    throw new TactusError(this.readText(this.module._tactus_error()));
  }

  readText(at) {
    const bytes = this.module.HEAPU8;
    let end = at;
    while (bytes[end] !== 0) ++end;
    return this.decoder.decode(bytes.slice(at, end));
  }

  /// Calls f with the addresses of copies of typed arrays, and of rooms of zero bytes for answers.
  with(arrays, f) {
    const places = [];
    try {
      for (const array of arrays) {
        if (!(array instanceof Room) && !ArrayBuffer.isView(array)) throw new TactusError('bytes: must be a typed array');
        const size = array.byteLength;
        const at = this.module._malloc(size + 1);
        if (at === 0) throw new TactusError('not enough memory');
        places.push(at);
        const room = this.module.HEAPU8.subarray(at, at + size);
        if (array instanceof Room) room.fill(0);
        else room.set(new Uint8Array(array.buffer, array.byteOffset, size));
      }
      return f(...places);
    } finally {
      for (const at of places) this.module._free(at);
    }
  }

  /// A view of memory, to be copied before the next call.
  doubles(at, count) {
    return new Float64Array(this.module.HEAPU8.buffer, at, count);
  }

  integers(at, count) {
    return new Uint32Array(this.module.HEAPU8.buffer, at, count);
  }

  /// The numbers that the last call left, to be copied before the next one.
  found() {
    return this.doubles(this.module._tactus_numbers(), this.module._tactus_number_count());
  }

  /// `count` records of `size` numbers each that a call has left, each through `make`.
  records(count, size, make) {
    const numbers = this.doubles(this.module._tactus_numbers(), count * size);
    return Array.from({length: count}, (_, i) => make(numbers.subarray(i * size, (i + 1) * size)));
  }

  /// The text that a call answered with, whose address it returned.
  answer(at) {
    return this.decoder.decode(this.bytes(at));
  }

  /// The bytes that a call answered with, whose address it returned.
  bytes(at) {
    if (at === 0) this.fail();
    return this.module.HEAPU8.slice(at, at + this.module._tactus_text_size());
  }

  positive(number) {
    if (number <= 0) this.fail();
    return number;
  }

  notNegative(number) {
    if (number < 0) this.fail();
    return number;
  }
}

/// Bytes in the module's memory that a call writes its answer to.
export class Room {
  constructor(byteLength) { this.byteLength = byteLength; }
}
export const room = (doubles) => new Room(8 * doubles);

export const doubles = (numbers) => (numbers instanceof Float64Array ? numbers : Float64Array.from(numbers));
export const vector = (numbers, count, name) => {
  const values = doubles(numbers);
  if (values.length !== count) throw new TactusError(`${name}: must be ${count} numbers`);
  return values;
};
export const pairs = (points) => (points instanceof Float64Array ? points : Float64Array.from(points.flat()));
export const counted = (steps) => {
  if (!Number.isInteger(steps) || steps < 0 || steps > kMostCount) throw new TactusError('count: must be a whole number, 0 to 2^31 - 1');
  return steps;
};
export const posesOf = (numbers, count, each) => {
  const poses = doubles(numbers);
  if (poses.length !== count * each) throw new TactusError(`poses: must be ${count} times ${each} numbers`);
  return poses;
};

/// An object that keeps memory of the module until it is closed; `using` closes it at the end of its block.
export class Kept {
  close() {}
}
const kDispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
Kept.prototype[kDispose] = function dispose() { this.close(); };

/// The number of an object that a call takes, which must be of this kind.
export const numberOf = (kind, object, name) => {
  if (!(object instanceof kind)) throw new TactusError(`${name}: must be a ${kind.title}`);
  return object.number;
};
