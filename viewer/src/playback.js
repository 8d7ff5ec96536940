// The time that the page shows: one for all scenes and plots. The frames are those of the scene that has the most.

export class Playback {
  constructor(scene) {
    this.times = scene.times;
    this.frame_indices = scene.frame_indices;
    this.frame_count = scene.frame_count;
    this.frame = 0;
    this.speed = 1;
    this.playing = false;
    this.listeners = [];
  }

  get time() {
    return this.times[this.frame];
  }

  get duration() {
    return this.times[this.times.length - 1] - this.times[0];
  }

  on_change(listener) {
    this.listeners.push(listener);
  }

  notify() {
    this.listeners.forEach((listener) => listener(this));
  }

  show(frame) {
    this.frame = Math.max(0, Math.min(this.times.length - 1, frame));
    this.clock = this.time;
    this.notify();
  }

  // Shows the frame nearest to a time [s].
  show_time(time) {
    let nearest = 0;
    this.times.forEach((each, i) => { if (Math.abs(each - time) < Math.abs(this.times[nearest] - time)) nearest = i; });
    this.show(nearest);
  }

  // Shows the run's frame `index`, or the nearest one that the page holds.
  show_index(index) {
    let nearest = 0;
    this.frame_indices.forEach((each, i) => { if (Math.abs(each - index) < Math.abs(this.frame_indices[nearest] - index)) nearest = i; });
    this.show(nearest);
  }

  step(count) {
    this.pause();
    this.show(this.frame + count);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  pause() {
    this.playing = false;
    this.notify();
  }

  play() {
    if (this.playing || this.times.length < 2) return;
    this.playing = true;
    if (this.frame === this.times.length - 1) this.frame = 0;
    this.clock = this.time;
    let before = performance.now();
    const advance = (now) => {
      if (!this.playing) return;
      // A tab that slept does not jump.
      this.clock += Math.min(0.25, (now - before) / 1000) * this.speed;
      before = now;
      const end = this.times[this.times.length - 1];
      if (this.clock > end + 0.5 * this.speed) this.clock = this.times[0];  // holds the end for half a second, then starts over
      const frame = this.frame_at(this.clock);
      if (frame !== this.frame) {
        this.frame = frame;
        this.notify();
      }
      requestAnimationFrame(advance);
    };
    this.notify();
    requestAnimationFrame(advance);
  }

  // The last frame not after `time`, searched from where the clip stands.
  frame_at(time) {
    let frame = this.times[this.frame] <= time ? this.frame : 0;
    while (frame + 1 < this.times.length && this.times[frame + 1] <= time) ++frame;
    return frame;
  }
}
