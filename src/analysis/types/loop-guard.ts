/**
 * Detects a cycle in a walk along references (typedef to const to pointer …) by Brent's method.
 * Needs constant memory, and time proportional to the length of the walk.
 */
export class LoopGuard {
  #mark = -1;
  #steps = 0;
  #limit = 1;

  /** Returns true if the walk is in a cycle. Call this once for each visited id. */
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
