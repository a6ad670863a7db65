// A server that learns late what its players did: it goes back to the step of each input, does it there, and steps up to now again.
// The state is that of a server that knew all inputs in time, to the last bit; so clients that predict end with the same hash.
//
//   npm install tactus && node rollback.mjs
import assert from 'node:assert';

import {load} from 'tactus';

const kKept = 12; // steps back that an input may come late
const tactus = await load();

class Server {
  constructor() {
    this.run = tactus.simulation({
      world: {sleep_time: 0.5},
      materials: {rubber: {friction: 0.8, restitution: 0.4}},
      shapes: {ball: {type: 'sphere', radius: 0.5}, crate: {type: 'box', size: [1, 1, 1]}},
    });
    this.run.addBody({type: 'fixed', shape: {type: 'halfspace', normal: [0, 0, 1], offset: 0}});
    for (let i = 0; i < 12; ++i) this.run.addBody({shape: 'crate', material: 'rubber', pose: at(2 + i % 2, i % 3 - 1, 0.5 + Math.floor(i / 6))});
    this.players = [0, 1].map((i) => this.run.addBody({shape: 'ball', material: 'rubber', pose: at(-2, 2 * i - 1, 0.5)}));
    this.step = 0;
    this.inputs = new Map(); // by step: what the players do before it
    this.snapshots = []; // one before each of the last steps
  }

  advance() {
    this.snapshots.push({step: this.step, state: this.run.save()});
    if (this.snapshots.length > kKept) this.run.forget(this.snapshots.shift().state);
    // Inputs of one step come in the order of the players, whenever they arrive.
    const inputs = (this.inputs.get(this.step) ?? []).sort((a, b) => a.player - b.player);
    for (const {player, impulse} of inputs) this.run.push(this.players[player], impulse);
    this.run.step();
    ++this.step;
  }

  /// An input that was meant for a step; false where that is too long ago.
  receive(input) {
    const oldest = this.snapshots[0]?.step ?? this.step;
    if (input.step < oldest) return false;
    this.inputs.set(input.step, [...(this.inputs.get(input.step) ?? []), input]);
    if (input.step >= this.step) return true;
    const now = this.step;
    const back = this.snapshots.findIndex(({step}) => step === input.step);
    this.run.restore(this.snapshots[back].state);
    for (const {state} of this.snapshots.splice(back)) this.run.forget(state);
    this.step = input.step;
    while (this.step < now) this.advance();
    return true;
  }
}

function at(x, y, z) { return {position: [x, y, z], quaternion: [1, 0, 0, 0]}; }

// Two players push their balls at crates; what they do reaches one server at once, and the other one up to ten steps later.
const inputs = Array.from({length: 24}, (_, i) => ({step: 5 + 7 * i, player: i % 2, impulse: [900, 40 * (i % 5 - 2), 150], late: 3 * i % 11}));
const kSteps = 200;
const prompt = new Server(), late = new Server();
let replayed = 0;
for (let step = 0; step < kSteps; ++step) {
  for (const input of inputs) {
    if (input.step === step) assert(prompt.receive(input));
    if (input.step + input.late === step) {
      assert(late.receive(input));
      replayed += input.late;
    }
  }
  prompt.advance();
  late.advance();
}
assert.equal(late.run.hash(), prompt.run.hash());
console.log(`${kSteps} steps, ${replayed} of them done again for ${inputs.length} late inputs; both servers end with ${late.run.hash()}`);
