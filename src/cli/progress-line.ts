/** Shows the current work in one line of a terminal if it takes over a second. */

export type Terminal = {
  isTerminal(): boolean;
  isOutTerminal(): boolean;
  /** Milliseconds since the process began. */
  now(): number;
  write(text: string): void;
};

const FIRST_MS = 1000;
const BETWEEN_MS = 100;
/** Limit in columns: a terminal wraps a longer line, and only its second row is erased. */
const MAX_COLUMNS = 79;
/** Moves to the first column and erases the line. */
const ERASE = '\r\u001b[K';

export class ProgressLine {
  readonly #terminal: Terminal;
  #isShown = false;
  /** Has the command written to the same terminal? Its text may end in the middle of a line. */
  #isOver = false;
  #next = FIRST_MS;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows the text and the seconds, at most 10 times per second; null erases the line. */
  show(text: string | null): void {
    if (text === null) {
      if (this.#isShown) this.#terminal.write(ERASE);
      this.#isShown = false;
      return;
    }
    const now = this.#terminal.now();
    if (this.#isOver || now < this.#next || !this.#terminal.isTerminal()) return;
    this.#next = now + BETWEEN_MS;
    this.#isShown = true;
    const seconds = ` (${Math.floor(now / 1000)} s)`;
    this.#terminal.write(`${ERASE}${text.slice(0, MAX_COLUMNS - seconds.length)}${seconds}`);
  }

  /** Erases the line before a write to standard output. */
  beforeOut(): void {
    this.show(null);
    this.#isOver ||= this.#terminal.isOutTerminal();
  }
}
