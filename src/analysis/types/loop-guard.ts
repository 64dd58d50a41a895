/**
 * Detects a cycle in a walk along single references (typedef to const to pointer …) by Brent's method,
 * without memory, in time proportional to the length of the walk.
 */
export class LoopGuard {
  #mark = -1;
  #steps = 0;
  #limit = 1;

  /** Returns true when the walk is in a cycle. Callers call it once per visited id. */
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
