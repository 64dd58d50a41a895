/** One line on a terminal that says what is being worked on, while that takes over a second. */

export type Terminal = {
  /** Is standard error a terminal? */
  isTerminal(): boolean;
  /** Is standard output one? */
  isOutTerminal(): boolean;
  /** Milliseconds since the process began. */
  now(): number;
  /** Writes to standard error. */
  write(text: string): void;
};

const FIRST_MS = 1000;
const BETWEEN_MS = 100;
/** A longer line would be broken in two, and only the second is erased. */
const MAX_COLUMNS = 79;
/** To the first column, and erase the line. */
const ERASE = '\r\u001b[K';

export class ProgressLine {
  readonly #terminal: Terminal;
  #isShown = false;
  /** Text of the command on the same terminal may end in the middle of a line. */
  #isOver = false;
  #next = FIRST_MS;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows the text and the seconds, now and then; null erases the line. */
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

  /** Makes room for standard output. */
  beforeOut(): void {
    this.show(null);
    this.#isOver ||= this.#terminal.isOutTerminal();
  }
}
