/** Logs in a text: the lines of each, and what its lines say of the whole. */
import { BLOCK_TITLE, type DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';
import { LINE_CLASSES, type LineClass } from '#formats/verifier-log/line.ts';
import type { LineHead } from '#formats/verifier-log/line-reader.ts';
import { isStateAt } from '#formats/verifier-log/state.ts';
import { messageLength, type SummaryCounts } from '#formats/verifier-log/summary.ts';

/** Counters of the last lines of a log; null where a line is missing. */
export type LogSummary = SummaryCounts & {
  /** Microseconds; only with level 4. */
  readonly timeUsec: number | null;
  /** Bytes of stack of each subprogram; only with level 4. */
  readonly stackDepths: readonly number[];
};

export type Verdict = 'accepted' | 'rejected' | 'cut' | 'unknown';

/** Consecutive lines of a text that belong to one log. Line indexes count from 0. */
export type LogPart = {
  readonly kind: 'verifier' | 'btf' | 'loader';
  readonly firstLine: number;
  /** Index of the last line. */
  readonly lastLine: number;
  readonly program: string | null;
  /** Loader or tool that printed the log: `libbpf`, `cilium`, `aya`, `veristat`, `bpftrace` … */
  readonly loader: string | null;
  readonly verdict: Verdict;
  /** Bits of the log level that its lines show: 1 path, 2 all states, 4 statistics. */
  readonly level: number | null;
  readonly summary: LogSummary | null;
  readonly block: DiagnosticBlock | null;
  /** Lines of the verdict's message. */
  readonly errorLines: readonly number[];
  /** The verifier's last lines in the one line of an error of cilium/ebpf. */
  readonly excerpt: string | null;
  /** Number of lines that cilium/ebpf left out. */
  readonly omitted: number;
  readonly isHeadCut: boolean;
  readonly isTailCut: boolean;
};

/** What is known of a text's lines outside of their form. */
export type LineKnowledge = {
  /** True if the line is of a loader, or of the kernel's check of BTF, which is `btf`. */
  readonly sourceOf: (text: string) => 'btf' | 'loader' | null;
  /** Returns whether a line is a message of the verifier; null if that is not known. */
  readonly isMessage: (text: string) => boolean | null;
};

/** A log whose end has not been read. */
export class OpenPart {
  readonly firstLine: number;
  program: string | null = null;
  loader: string | null = null;
  summary: LogSummary | null = null;
  block: DiagnosticBlock | null = null;
  readonly errorLines: number[] = [];
  excerpt: string | null = null;
  /** A section of a diagnostic block whose title was cut off. */
  hasBlockTail = false;
  omitted = 0;
  isHeadCut = false;
  isTailCut = false;
  /** True inside of the marks of a loader's frame. */
  isFramed = false;
  /** Verdict in the words of the loader. */
  told: Verdict | null = null;
  /** First line of the messages at the end so far; -1 if the last line is none. */
  runStart = -1;
  /** Last line of these messages; the lines of a block do not end them. */
  runEnd = -1;
  /** True if a message precedes the end that is not only a note. */
  hasMessage = false;
  /** True while no line but walked instructions without a state was seen. */
  bareInsns = true;
  /** True if a line has shown where the log begins. */
  hasHead = false;
  /** True if the last message is one that is known. */
  isKnown = false;
  blockStart = -1;
  readonly blockLines: string[] = [];
  hasWalk = false;
  hasLevel2 = false;
  hasTime = false;
  timeUsec: number | null = null;
  stackDepths: readonly number[] = [];
  lastClass: LineClass = 'empty';

  constructor(firstLine: number) {
    this.firstLine = firstLine;
  }

  /** True after a line of the walk, or of the tables before it. */
  get hasBegun(): boolean {
    return this.hasWalk || this.hasLevel2;
  }

  /** Returns the finished part. */
  toPart(lastLine: number, verdict: Verdict): LogPart {
    return {
      kind: 'verifier',
      firstLine: this.firstLine,
      lastLine,
      program: this.program,
      loader: this.loader,
      verdict,
      level: levelOf(this),
      summary: this.summary,
      block: this.block,
      errorLines: this.errorLines,
      excerpt: this.excerpt,
      omitted: this.omitted,
      isHeadCut: this.isHeadCut,
      isTailCut: this.isTailCut,
    };
  }
}

const CLASS_INDEX = new Map(LINE_CLASSES.map((name, index) => [name, index]));

/** Returns the index of a class in `LINE_CLASSES`. */
export function classIndex(lineClass: LineClass): number {
  return CLASS_INDEX.get(lineClass) ?? 0;
}

/** A part of which nothing but its lines is known. */
export const EMPTY: LogPart = {
  kind: 'loader',
  firstLine: 0,
  lastLine: 0,
  program: null,
  loader: null,
  verdict: 'unknown',
  level: null,
  summary: null,
  block: null,
  errorLines: [],
  excerpt: null,
  omitted: 0,
  isHeadCut: false,
  isTailCut: false,
};

/** True if a line outside of a log can only be of the verifier. */
export function opens(head: LineHead, text: string): boolean {
  switch (head.class) {
    case 'other':
      return messageLength(text) < text.length;
    case 'source':
    case 'empty':
    case 'listing':
      return head.class === 'listing' && head.insn < 0;
    case 'state':
      return isStateAt(text, text.indexOf(':') + 1 + (text.includes(': ') ? 1 : 0));
    default:
      return true;
  }
}

/** True if a log cannot begin with this line. */
export function isCutHead(head: LineHead, text: string): boolean {
  switch (head.class) {
    case 'insn':
    case 'state':
      return head.insn > 0;
    case 'liveness':
      return !text.startsWith('Live regs ');
    case 'listing':
      return head.insn >= 0;
    case 'prune':
    case 'scc':
    case 'mark_precise':
    case 'from-to':
      return true;
    case 'block':
      return !text.startsWith(BLOCK_TITLE);
    default:
      return false;
  }
}

function levelOf({ hasLevel2, hasWalk, hasTime }: OpenPart): number | null {
  const walk = hasLevel2 ? 2 : hasWalk ? 1 : 0;
  const level = walk + (hasTime ? 4 : 0);
  return level === 0 ? null : level;
}

/** Returns the verdict that the lines of a part tell. */
export function verdictOf(part: OpenPart): Verdict {
  if (part.block !== null || part.hasBlockTail || part.lastClass === 'state-title')
    return 'rejected';
  const isRefused = part.hasMessage && (part.errorLines.length > 0 || !part.hasWalk);
  if (isRefused) {
    const isWhole = part.summary !== null || part.told !== null || part.isKnown;
    return isWhole ? 'rejected' : 'cut';
  }
  if (part.told !== null) return part.told;
  if (part.summary !== null) return 'accepted';
  return 'cut';
}

/** Messages about arguments whose types the verifier cannot use: they refuse no program. */
export const NOTE =
  /^(?:arg#\d{1,3} reference type\(.*\) size cannot be determined: -?\d{1,10}|arg#\d{1,3} type is not a struct|Unrecognized arg#\d{1,3} type .*|reg type unsupported for arg#\d{1,3} function .*|Global function .* doesn't return scalar\. Only those are supported\.)$/;

/** Classes of lines that do not show whether the start of a log is missing. */
export const IS_NO_HEAD: ReadonlySet<LineClass> = new Set([
  'other',
  'source',
  'empty',
  'loader',
  'unknown',
]);
