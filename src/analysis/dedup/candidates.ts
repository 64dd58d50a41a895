/**
 * Canonical types by signature, in libbpf's order: the first match is
 * taken, so that the order decides which ids remain.
 *
 * Source: libbpf, hashmap.c, `hashmap_insert` and `hashmap_grow`. A type is put before the others
 * of its bucket; each time that the map grows the types of a bucket are turned round.
 */
const NONE = 0;

export class Candidates {
  readonly #first = new Map<number, number>();
  readonly #next: Uint32Array;
  #size = 0;
  #capacity = 0;

  constructor(endId: number) {
    this.#next = new Uint32Array(endId);
  }

  /** Adds a type once. `hash` is that of `Signatures`. */
  add(hash: number, id: number): void {
    const isFull = Math.floor(((this.#size + 1) * 4) / 3) > this.#capacity;
    if (isFull) this.#grow();
    this.#size += 1;
    this.#next[id] = this.#first.get(hash) ?? NONE;
    this.#first.set(hash, id);
  }

  /** Yields the types of a signature, and others with the same hash. */
  *of(hash: number): Generator<number, void, void> {
    for (let id = this.#first.get(hash) ?? NONE; id !== NONE; id = this.#next[id] ?? NONE) yield id;
  }

  #grow(): void {
    this.#capacity = Math.max(4, this.#capacity * 2);
    for (const [hash, first] of this.#first) {
      let turned = NONE;
      for (let id = first; id !== NONE; ) {
        const next = this.#next[id] ?? NONE;
        this.#next[id] = turned;
        turned = id;
        id = next;
      }
      this.#first.set(hash, turned);
    }
  }
}
