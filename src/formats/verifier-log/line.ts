/**
 * Types of the lines of the kernel verifier's log, of Linux 5.4 to 7.3. Names, source text and
 * messages are raw text of the input: escape them when drawn. Numbers in values are text as the
 * kernel printed them, decimal or hexadecimal.
 */

/** Class of a line. `classes` of a log table has indexes in this list. */
export const LINE_CLASSES = [
  'unknown',
  /** State before an instruction: `7: R0=0 R10=fp0`, or a state without an index. */
  'state',
  /** Walked instruction, with the registers that it changed: `7: (b7) r0 = 0  ; R0=0`. */
  'insn',
  /** Line of C: `; x = 1; @ a.c:7`. */
  'source',
  /** Start of another path: `from 3 to 7: R0=0 R10=fp0`. */
  'from-to',
  'mark_precise',
  /** Counters at the end, time and stack depth. */
  'summary',
  /** The verdict's message: the last lines before the summary. */
  'error',
  /** Lines about functions: the list at the top, calls and returns, checks of global functions. */
  'func',
  /** Type of an argument that a tracing program reads: `func 'f' arg0 has btf_id …`. */
  'arg-info',
  /** End of a path whose state was seen before: `7: safe`. */
  'prune',
  /** The two states of an infinite loop: `cur state: …`, `old state: …`. */
  'state-title',
  /** Live registers before each instruction, and changes of live stack slots. */
  'liveness',
  /** Entry to, exit of and back-edges in a strongly connected component. */
  'scc',
  'empty',
  /** Message that is not the verdict's. */
  'other',
  /** Row of a table before the walk: it may be equal to the line of a walked instruction. */
  'listing',
  /** Line of a `Verification failed:` block, which Linux 7.3 prints. */
  'block',
  /** Line outside of the verifier's log: of a loader, a tool, or the kernel's check of BTF. */
  'loader',
] as const;

export type LineClass = (typeof LINE_CLASSES)[number];

/**
 * A register's or stack slot's value. Types and keys have the spelling of newer kernels: `inv` is
 * `scalar`, `smin_value` is `smin`. Bounds that are printed joined are separate.
 */
export type Value = {
  /** `scalar`, `map_value_or_null`, `trusted_ptr_task_struct`, `fp`; `slots` for bytes only. */
  readonly type: string;
  /** Text in brackets, in the order of the line; the value of a key without `=` is empty. */
  readonly kv: readonly (readonly [key: string, value: string])[];
  /** Known number of a scalar. */
  readonly const?: string;
  /** Offset after the type: `-8` in `fp-8`. */
  readonly off?: string;
  readonly precise?: true;
  /** Frame of the stack that the pointer points into, where it is printed: 0 in `fp[0]-8`. */
  readonly frame?: number;
  /** Liveness marks up to Linux 6.12: `w`, `rw`, `rwD`. */
  readonly live?: string;
  /** Kind of each byte of a stack slot; the byte at the highest address is the first. */
  readonly bytes?: string;
  /** Only the type is printed, without brackets, number or offset: `arena`. */
  readonly isBare?: true;
};

export type State = {
  readonly frame: number;
  /** Registers `R0` to `R10`, in the order of the line. */
  readonly regs: ReadonlyMap<string, Value>;
  /** Stack slots by name, such as `fp-8`, in the order of the line. */
  readonly stack: ReadonlyMap<string, Value>;
  /** Ids of references that are held. */
  readonly refs: readonly number[];
  /** `cb` in a callback, `async_cb` in an asynchronous one. */
  readonly flags: readonly string[];
  /** Every register that is set is listed, not only the changed ones. */
  readonly isFull: boolean;
};

/** A line's content. */
export type VerifierLine =
  | {
      readonly class: 'insn';
      readonly i: number;
      /** Opcode in hexadecimal, two digits; empty if the kernel's printer does not know it. */
      readonly op: string;
      /** Text of the instruction, without the state. */
      readonly text: string;
      /** Changed registers, or the state of another instruction if `stateAt` is its index. */
      readonly state: State | null;
      readonly stateAt: number | null;
    }
  | {
      readonly class: 'state';
      /** Instruction that follows the state; null if the line does not tell. */
      readonly i: number | null;
      readonly state: State;
    }
  | {
      readonly class: 'source';
      readonly text: string;
      /** Base name of the file; null up to Linux 6.6. */
      readonly file: string | null;
      readonly line: number | null;
    }
  | {
      readonly class: 'from-to';
      readonly from: number;
      readonly to: number;
      readonly isSpeculative: boolean;
      readonly state: State;
    }
  | { readonly class: 'state-title'; readonly which: 'cur' | 'old'; readonly state: State }
  | { readonly class: 'prune'; readonly i: number; readonly from: number | null }
  | {
      readonly class: Exclude<
        LineClass,
        'insn' | 'state' | 'source' | 'from-to' | 'state-title' | 'prune'
      >;
    };
