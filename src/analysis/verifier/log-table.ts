/** A text that has logs of the verifier, as columns: a row a line. */
import type { VerifierLine } from '#formats/verifier-log/line.ts';
import type { LogPart } from './log-parts.ts';

/** Columns of a log's lines. They can be transferred to another thread. */
export type LogColumns = {
  readonly lineCount: number;
  /** Offset in bytes of each line. */
  readonly starts: Uint32Array;
  /** Bytes at the start of each line that a logger wrote: `Nov 29 00:27:01 host app[1]: `. */
  readonly prefixes: Uint16Array;
  /** Indexes in `LINE_CLASSES`. */
  readonly classes: Uint8Array;
  /** Instruction that a line is about, else -1. */
  readonly insns: Int32Array;
  readonly parts: readonly LogPart[];
};

export type LogTable = LogColumns & {
  /** Returns the text of a line without prefix, colours and line end. */
  textOf(line: number): string;
  /** Returns the content of a line. */
  line(line: number): VerifierLine;
};
