// Saved states of a live world, every few steps, within a bound of memory: one goes back to any of them, and on with the same bits.

const kEvery = 10; // steps between two states, at first
const kMostStates = 240;
const kMostBytes = 64 * 2 ** 20;

export class Timeline {
  /// `live`: the module's world, whose states are forgotten when it is closed.
  constructor(live, {every = kEvery, states = kMostStates, bytes = kMostBytes} = {}) {
    Object.assign(this, {live, every, mostStates: states, mostBytes: bytes, moments: [], kept: null, replayed: 0, differing: 0});
    this.acts = this.lastActs = 0; // names what was done on the way to the state of now: states of one name have one future
  }

  // `seen`: what a picture of the state shows beside the poses, which a restored world knows only after its next step.
  take(seen) {
    const {live} = this;
    const snapshot = live.save();
    const bytes = live.snapshotBytes(snapshot) + seen.contacts.byteLength + seen.forces.byteLength;
    return {step: seen.statistics.step, acts: this.acts, snapshot, hash: live.hash(), bytes, seen};
  }

  isDue(step) { return step % this.every === 0; }

  /// A step has led to a state that is due: it is saved, or compared with the one that was saved here before.
  record(seen) {
    const now = seen.statistics.step;
    this.keepOnly(({step, acts}) => step < now || acts === this.acts);
    const known = this.moments.find(({step}) => step === now);
    if (known) {
      ++this.replayed;
      if (known.hash !== this.live.hash()) ++this.differing;
      return;
    }
    this.moments.push(this.take(seen));
    while (this.moments.length > 1 && (this.moments.length > this.mostStates || this.bytes > this.mostBytes)) this.thin();
  }

  // Twice as many steps between two states from now on.
  thin() {
    this.every *= 2;
    this.keepOnly(({step}) => this.isDue(step));
  }

  keepOnly(holds) {
    for (const moment of this.moments) if (!holds(moment)) this.live.forget(moment.snapshot);
    this.moments = this.moments.filter(holds);
  }

  /// Something was done at this step: states after it are not ahead any more.
  acted(now) {
    this.acts = ++this.lastActs;
    this.keepOnly(({step}) => step <= now);
  }

  /// Keeps the state of now, in place of one that was kept before.
  keep(seen) {
    if (this.kept) this.live.forget(this.kept.snapshot);
    this.kept = {...this.take(seen), before: new Set(this.moments.filter(({step}) => step <= seen.statistics.step))};
  }

  /// Goes to the saved state of a step; answers with what it showed.
  goTo(step) {
    const moment = this.moments.find((one) => one.step === step);
    if (!moment) throw new Error(`The state of step ${step} is not saved any more.`);
    return this.restore(moment);
  }

  restore({snapshot, acts, seen}) {
    this.live.restore(snapshot);
    this.acts = acts;
    return seen;
  }

  /// Goes to the kept state; of the saved ones those that led there stay, and those that it leads to.
  goToKept() {
    const {kept} = this;
    if (!kept) throw new Error('No state is kept.');
    this.keepOnly((moment) => kept.before.has(moment) || (moment.step > kept.step && moment.acts === kept.acts));
    return this.restore(kept);
  }

  get bytes() { return this.moments.reduce((sum, {bytes}) => sum + bytes, this.kept?.bytes ?? 0); }

  /// The figures that the page tells.
  get summary() {
    return {steps: this.moments.map(({step}) => step), bytes: this.bytes, every: this.every, kept: this.kept?.step ?? null, replayed: this.replayed,
      differing: this.differing};
  }
}
