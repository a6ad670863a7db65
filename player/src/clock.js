// The time that is shown: it runs while playing and ends with the recording.

// Longest step, in seconds: a page that was in the background goes on where it was.
const kLongestStep = 0.25;

export class Clock {
  constructor(duration) {
    this.duration = duration;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
  }

  /// Playing from the end starts again.
  setPlaying(playing) {
    if (playing && this.time >= this.duration) this.time = 0;
    this.playing = playing;
  }

  /// Times beyond an end are that end; what is no number changes nothing.
  seek(time) {
    if (!Number.isNaN(time)) this.time = Math.min(Math.max(time, 0), this.duration);
  }

  /// Goes on by so many seconds on the wall; true while the time runs. Stops at the end.
  advance(seconds) {
    if (!this.playing) return false;
    this.seek(this.time + Math.min(Math.max(seconds, 0), kLongestStep) * this.speed);
    if (this.time >= this.duration) this.playing = false;
    return true;
  }
}
