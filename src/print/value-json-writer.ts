/**
 * JSON piece by piece, laid out as bpftool's writer does: four spaces a level, names
 * on lines of their own, elements of arrays one behind the other, and the bracket
 * that closes on a line of its own unless nothing stands before it.
 */
export class JsonWriter {
  readonly #sink: (text: string) => void;
  readonly #isPretty: boolean;
  #depth = 0;
  #length = 0;
  /** What stands between this piece and the last: nothing, or a comma. */
  #separator = '';

  /** `isPretty`: over several lines, as `bpftool -p` and the dump without options. */
  constructor(write: (text: string) => void, isPretty: boolean) {
    this.#sink = write;
    this.#isPretty = isPretty;
  }

  /** Characters written so far. */
  get length(): number {
    return this.#length;
  }

  open(bracket: '{' | '['): void {
    this.raw(bracket);
    this.#depth++;
    this.#separator = '';
  }

  close(bracket: '}' | ']'): void {
    this.#depth--;
    if (this.#separator !== '') this.#newline();
    this.#write(bracket);
    this.#separator = ',';
  }

  name(text: string): void {
    this.#write(this.#separator);
    this.#newline();
    this.#write(`${JSON.stringify(text)}:${this.#isPretty ? ' ' : ''}`);
    this.#separator = '';
  }

  /** A value that is written as it stands. */
  raw(text: string): void {
    this.#write(`${this.#separator}${text}`);
    this.#separator = ',';
  }

  string(text: string): void {
    this.raw(JSON.stringify(text));
  }

  #newline(): void {
    if (this.#isPretty) this.#write(`\n${'    '.repeat(this.#depth)}`);
  }

  #write(text: string): void {
    this.#length += text.length;
    this.#sink(text);
  }
}
