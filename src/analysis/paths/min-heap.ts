/** A binary heap of row numbers by key, in growing typed arrays instead of an object per entry. */
const FIRST_ROOM = 256;

export class MinHeap {
  #keys = new Float64Array(FIRST_ROOM);
  #rows = new Int32Array(FIRST_ROOM);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Smallest key in the heap, or Infinity if the heap is empty. */
  get leastKey(): number {
    return this.#size === 0 ? Infinity : (this.#keys[0] ?? Infinity);
  }

  clear(): void {
    this.#size = 0;
  }

  push(key: number, row: number): void {
    if (this.#size === this.#keys.length) this.#grow();
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const parentKey = this.#keys[parent] ?? 0;
      if (parentKey <= key) break;
      this.#keys[at] = parentKey;
      this.#rows[at] = this.#rows[parent] ?? 0;
      at = parent;
    }
    this.#keys[at] = key;
    this.#rows[at] = row;
  }

  /** Removes the row with the smallest key and returns it, or -1 if the heap is empty. */
  pop(): number {
    if (this.#size === 0) return -1;
    const least = this.#rows[0] ?? -1;
    this.#size--;
    const key = this.#keys[this.#size] ?? 0;
    const row = this.#rows[this.#size] ?? 0;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#keys[child + 1] ?? 0) < (this.#keys[child] ?? 0))
        child++;
      const childKey = this.#keys[child] ?? 0;
      if (childKey >= key) break;
      this.#keys[at] = childKey;
      this.#rows[at] = this.#rows[child] ?? 0;
      at = child;
    }
    this.#keys[at] = key;
    this.#rows[at] = row;
    return least;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    const rows = new Int32Array(2 * this.#rows.length);
    keys.set(this.#keys);
    rows.set(this.#rows);
    this.#keys = keys;
    this.#rows = rows;
  }
}
