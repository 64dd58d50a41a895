/** Shows the current work in one line of a terminal once it has taken a second. */

export type Terminal = {
  isTerminal(): boolean;
  isOutTerminal(): boolean;
  /** Returns the milliseconds since the process began. */
  now(): number;
  write(text: string): void;
};

const FIRST_MS = 1000;
const BETWEEN_MS = 100;
/** Limit in columns: a longer line would wrap, and only its last row could be erased. */
const MAX_COLUMNS = 79;
/** Control sequence: moves to the first column and erases the line. */
const ERASE = '\r\u001b[K';

export class ProgressLine {
  readonly #terminal: Terminal;
  #isShown = false;
  /** True once the command has written to the same terminal, perhaps without a line end. */
  #isOver = false;
  #next = FIRST_MS;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows the text and the seconds, at most 10 times per second; `null` erases the line. */
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

  /** Erases the line before the command writes to standard output. */
  beforeOut(): void {
    this.show(null);
    this.#isOver ||= this.#terminal.isOutTerminal();
  }
}
