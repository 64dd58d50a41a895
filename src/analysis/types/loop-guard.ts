/**
 * Tells when a walk along single references (typedef to const to pointer …) has
 * come round. Brent's method: no memory, and found within a few rounds of the
 * loop, so that a walk over hostile input costs no more than its own length.
 */
export class LoopGuard {
  #mark = -1;
  #steps = 0;
  #limit = 1;

  /** Call once for each id on the way; true as soon as the walk is known to be in a loop. */
  cameRound(id: number): boolean {
    if (id === this.#mark) return true;
    this.#steps++;
    if (this.#steps === this.#limit) {
      this.#mark = id;
      this.#limit *= 2;
      this.#steps = 0;
    }
    return false;
  }
}
