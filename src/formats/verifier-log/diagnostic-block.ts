/** The `Verification failed:` block of Linux 7.3 as a structure. */

/** A line of source code or an instruction around a place. */
export type ContextRow = {
  /** Line number, or index of the instruction. */
  readonly number: number;
  /** Text; `...` for a line that the BTF does not have. A long text is cut and ends in `...`. */
  readonly text: string;
  readonly isMarked: boolean;
};

export type Place = {
  /** Null if the kernel has no line information for the instruction. */
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Instruction: the marked row of the instruction context, or `insn N`. */
  readonly insn: number | null;
  readonly source: readonly ContextRow[];
  readonly insns: readonly ContextRow[];
  /** `error`, `update`, `spilled`, `invalidated`, `acquired`, `released`, `context`, `branch`. */
  readonly label: string;
  readonly message: string;
};

export type DiagnosticBlock = {
  /** `Register Type Safety`, `Memory Safety` … */
  readonly category: string;
  /** `Invalid dereference` … */
  readonly problem: string;
  readonly reason: string;
  readonly at: Place | null;
  /** Events from the value's origin to the error; empty if the kernel has none. */
  readonly causalPath: readonly Place[];
  /** Sentence in place of events, or about events that were dropped; empty if there is none. */
  readonly pathNote: string;
  readonly activeLock: Place | null;
  readonly suggestion: string;
  /** Index of the first and the last line of the block. */
  readonly lines: readonly [first: number, last: number];
};
