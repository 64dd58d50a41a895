/** Logs in one text: of several programs or tries, and the lines of loaders around them. */
import type { DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';

/** Counters of the last lines of a log; null where a line is missing. */
export type LogSummary = {
  readonly insns: number;
  readonly limit: number;
  readonly maxStatesPerInsn: number | null;
  readonly totalStates: number | null;
  readonly peakStates: number | null;
  readonly markRead: number | null;
  /** Microseconds; only with level 4. */
  readonly timeUsec: number | null;
  /** Bytes of stack of each subprogram; only with level 4. */
  readonly stackDepths: readonly number[];
};

/** Consecutive lines of a text that belong to one log. Line indexes count from 0. */
export type LogPart = {
  readonly kind: 'verifier' | 'btf' | 'loader';
  readonly firstLine: number;
  /** Index of the last line. */
  readonly lastLine: number;
  readonly program: string | null;
  /** Loader or tool that printed the log: `libbpf`, `cilium`, `aya`, `bpftool`, `veristat` … */
  readonly loader: string | null;
  readonly verdict: 'accepted' | 'rejected' | 'cut' | 'unknown';
  /** Level of the log as far as its lines tell. Bits: 1 path, 2 all states, 4 statistics. */
  readonly level: number | null;
  readonly summary: LogSummary | null;
  readonly block: DiagnosticBlock | null;
  /** Lines of the verdict's message. */
  readonly errorLines: readonly number[];
  /** Number of lines that cilium/ebpf left out. */
  readonly omitted: number;
  readonly isHeadCut: boolean;
  readonly isTailCut: boolean;
};
