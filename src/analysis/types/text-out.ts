/**
 * Text that is written piece by piece up to a limit, and writers that stand for
 * nested text without nesting calls.
 *
 * A few bytes of BTF can ask for gigabytes of C (anonymous structs inside each
 * other, names used a thousand times, holes of half a gigabyte filled with
 * padding), and for any depth of nesting.
 */
export class TextOut {
  readonly limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  /** `limit` in UTF-16 units. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Has more been written than the limit allows? What is written from then on is dropped. */
  get full(): boolean {
    return this.#length > this.limit;
  }

  write(text: string): void {
    if (this.full) return;
    this.#parts.push(text.length > this.limit ? text.slice(0, this.limit + 1) : text);
    this.#length += text.length;
  }

  /** `count` times the same text. */
  writeRepeated(text: string, count: number): void {
    const room = Math.ceil((this.limit - this.#length) / Math.max(1, text.length)) + 1;
    if (count > 0 && !this.full) this.write(text.repeat(Math.min(count, room)));
  }

  /** What was written, cut at the limit. */
  toString(): string {
    const text = this.#parts.join('');
    return this.full ? text.slice(0, this.limit) : text;
  }
}

/** A piece of text under way; it yields the pieces that stand inside it. */
export type Emission = Generator<Emission, void, void>;

/** Runs `root` and all that it yields, depth first, on a stack of its own; stops early when `out` is full. */
export function emit(root: Emission, out: TextOut): void {
  const stack: Emission[] = [root];
  for (let top = stack.at(-1); top !== undefined && !out.full; top = stack.at(-1)) {
    const step = top.next();
    if (step.done) stack.pop();
    else stack.push(step.value);
  }
}
