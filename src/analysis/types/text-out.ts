/**
 * Writes text in pieces up to a limit, and writes nested text without recursion. A few bytes of BTF
 * can describe gigabytes of C (repeated names, holes filled with padding) at any depth of nesting.
 */
export class TextOut {
  readonly limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  /** Takes the maximum length of the text, in UTF-16 units. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** True if the limit is exceeded. Later text is dropped. */
  get full(): boolean {
    return this.#length > this.limit;
  }

  write(text: string): void {
    if (this.full) return;
    this.#parts.push(text.length > this.limit ? text.slice(0, this.limit + 1) : text);
    this.#length += text.length;
  }

  /** Writes the same text `count` times. */
  writeRepeated(text: string, count: number): void {
    const room = Math.ceil((this.limit - this.#length) / Math.max(1, text.length)) + 1;
    if (count > 0 && !this.full) this.write(text.repeat(Math.min(count, room)));
  }

  /** Returns the written text, cut at the limit. */
  toString(): string {
    const text = this.#parts.join('');
    return this.full ? text.slice(0, this.limit) : text;
  }
}

/** A generator that writes a piece of text. It yields the generators of nested pieces. */
export type Emission = Generator<Emission, void, void>;

/** Runs `root` and all generators that it yields, without recursion. Stops when `out` is full. */
export function emit(root: Emission, out: TextOut): void {
  const stack: Emission[] = [root];
  for (let top = stack.at(-1); top !== undefined && !out.full; top = stack.at(-1)) {
    const step = top.next();
    if (step.done) stack.pop();
    else stack.push(step.value);
  }
}
