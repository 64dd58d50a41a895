/**
 * The walk of the verifier through a program, as its log tells it: a step for each instruction that
 * was walked, and the path that led to it. Source: kernel/bpf/verifier.c, do_check(), push_stack(),
 * pop_stack(): branches that wait are taken last in, first out.
 */
import { getOrCreate } from '#bytes/cache.ts';
import { type InsnText, readInsnText } from '#formats/verifier-log/insn-text.ts';
import { classIndex, type LogPart } from './log-parts.ts';
import type { LogTable } from './log-table.ts';

/** End of a path whose state is no wider than one that was walked before. */
export type Prune = {
  readonly line: number;
  readonly insn: number;
  /** Last step of the path that ends; -1 if it is not in the log. */
  readonly parent: number;
  /** Latest earlier step at the same instruction: its state, or an older one, was wide enough; or -1. */
  readonly earlier: number;
};

/** A line of source code that the log has for a step. */
export type StepSource = {
  readonly text: string;
  /** Base name; null up to Linux 6.6. */
  readonly file: string | null;
  readonly line: number | null;
  /** The log of another path was cut out between the line and the step: it may be of another line. */
  readonly isUncertain: boolean;
};

/** How the verifier came from the parent of a step to the step. */
export const EDGES = ['next', 'popped', 'root'] as const;
export type Edge = (typeof EDGES)[number];

type Columns = {
  readonly insns: Int32Array;
  readonly lines: Int32Array;
  readonly parents: Int32Array;
  readonly edges: Uint8Array;
  readonly frames: Uint8Array;
  readonly entryLines: Int32Array;
  readonly sourceLines: Int32Array;
  readonly isUncertain: Uint8Array;
};

/** The walked instructions of one log, in order. A step is an index in the columns. */
export class Walk {
  readonly table: LogTable;
  readonly stepCount: number;
  /** Instruction of each step. */
  readonly insns: Int32Array;
  /** Line of each step in the text. */
  readonly lines: Int32Array;
  /** Previous step on the path of each step; -1 at the start of a path. */
  readonly parents: Int32Array;
  /** Indexes in `EDGES`. */
  readonly edges: Uint8Array;
  /** Depth of calls of each step; 0 in the main program. */
  readonly frames: Uint8Array;
  /** Line with the state before each step; -1 where the log has only the changes. */
  readonly entryLines: Int32Array;
  /** Latest line of source before each step; -1 if there is none. */
  readonly sourceLines: Int32Array;
  readonly prunes: readonly Prune[];
  /** 1 for a step whose line of source may be one that was cut out with another path. */
  readonly #isUncertain: Uint8Array;
  readonly #texts = new Map<number, InsnText | null>();
  readonly #lastSteps = new Map<number, number>();

  constructor(table: LogTable, columns: Columns, prunes: readonly Prune[]) {
    this.table = table;
    this.stepCount = columns.insns.length;
    this.insns = columns.insns;
    this.lines = columns.lines;
    this.parents = columns.parents;
    this.edges = columns.edges;
    this.frames = columns.frames;
    this.entryLines = columns.entryLines;
    this.sourceLines = columns.sourceLines;
    this.#isUncertain = columns.isUncertain;
    this.prunes = prunes;
  }

  /** Returns the instruction of a step. */
  insnOf(step: number): number {
    return this.insns[step] ?? -1;
  }

  /** Returns the previous step on the path of a step; null at its start. */
  parentOf(step: number): number | null {
    const parent = this.parents[step] ?? -1;
    return parent < 0 ? null : parent;
  }

  /** Returns how the verifier came to a step. */
  edgeOf(step: number): Edge {
    return EDGES[this.edges[step] ?? 0] ?? 'next';
  }

  /** Returns the depth of calls of a step. */
  frameOf(step: number): number {
    return this.frames[step] ?? 0;
  }

  /** Returns what the instruction of a step does; null if its text is not readable. */
  textOf(step: number): InsnText | null {
    const insn = this.insnOf(step);
    let text = this.#texts.get(insn);
    if (text === undefined) {
      text = readInsnText(this.printedOf(step));
      this.#texts.set(insn, text);
    }
    return text;
  }

  /** Returns the text of a step's instruction as printed. */
  printedOf(step: number): string {
    const line = this.table.line(this.lines[step] ?? 0);
    return line.class === 'insn' ? line.text : '';
  }

  /** Returns the source line of a step as far as the log has it. */
  sourceOf(step: number): StepSource | null {
    const at = this.sourceLines[step] ?? -1;
    if (at < 0) return null;
    const line = this.table.line(at);
    if (line.class !== 'source') return null;
    const isUncertain = this.#isUncertain[step] === 1;
    return { text: line.text, file: line.file, line: line.line, isUncertain };
  }

  /** Returns the last step of an instruction, or null if it was not walked. */
  lastStepOf(insn: number): number | null {
    if (this.#lastSteps.size === 0) {
      for (let step = 0; step < this.stepCount; step++)
        this.#lastSteps.set(this.insnOf(step), step);
    }
    return this.#lastSteps.get(insn) ?? null;
  }

  /** Returns the steps that lead to `step`, in order, with it. At most the last `limit`. */
  pathTo(step: number, limit = Infinity): number[] {
    const path: number[] = [];
    for (let at = step; at >= 0 && path.length < limit; at = this.parents[at] ?? -1) path.push(at);
    return path.reverse();
  }
}

const INSN = classIndex('insn');
const STATE = classIndex('state');
const FROM_TO = classIndex('from-to');
const PRUNE = classIndex('prune');
const SOURCE = classIndex('source');
const FUNC = classIndex('func');
const PRECISION = classIndex('mark_precise');

const NEXT = EDGES.indexOf('next');
const POPPED = EDGES.indexOf('popped');
const ROOT = EDGES.indexOf('root');

const FROM = /^from (\d{1,10}) to (\d{1,10})/;
const FRAME = /^[^=(]{0,80}frame(\d{1,3}):/;
/** R10 has a value everywhere: a state without it has only the registers that changed. */
const WHOLE = /(?:^| )R10[_=]/;
const JOINED = / \d{1,10}:(?: frame\d{1,3}:)? R\d{1,2}[_=]/;
const JUMP = /^\d{1,10}: \([0-9a-f]{2}\) (?:if|may_goto) .{0,60}?pc([+-]\d{1,10})/;
/** Instructions after which another path may wait: jumps, and calls of callbacks and iterators. */
const BRANCH = /^\d{1,10}: \([0-9a-f]{2}\) (?:if|may_goto|goto|call)/;
const EXIT = /^\d{1,10}: \(95\)/;

const walks = new WeakMap<LogPart, Walk>();

/** Returns the walk of one log of a table; reads it once. */
export function walkOf(table: LogTable, part: LogPart): Walk {
  return getOrCreate(walks, part, () => buildWalk(table, part));
}

/** Reads the walk of one log. */
export function buildWalk(table: LogTable, part: LogPart): Walk {
  const builder = new Builder(table, part);
  for (let line = part.firstLine; line <= part.lastLine; line++) builder.read(line);
  return builder.finish();
}

class Builder {
  readonly #table: LogTable;
  readonly #columns: Columns;
  readonly #prunes: Prune[] = [];
  readonly #alive = new AliveSteps();
  readonly #roles = new Map<number, 'exit' | 'branch' | 'other'>();
  #count = 0;
  /** Line of the state before the next step, or -1. */
  #entry = -1;
  #isEntryWhole = false;
  /** Frame that the state before the next step names; -1 without such a state. */
  #entryFrame = -1;
  #edge = ROOT;
  #parent = -1;
  #source = -1;
  /**
   * True from the start of a path to its first line of source. Below level 2, what was printed for
   * the path before is cut out, and a line of source that was the last one is not printed again.
   */
  #isStale = false;
  readonly #isCutting: boolean;
  /** A path has ended, and nothing says yet where the next one starts. */
  #isEnded = false;

  constructor(table: LogTable, { firstLine, lastLine, level }: LogPart) {
    this.#table = table;
    this.#isCutting = ((level ?? 1) & 2) === 0;
    let count = 0;
    for (let line = firstLine; line <= lastLine; line++) {
      if (table.classes[line] === INSN) count += 1;
    }
    this.#columns = {
      insns: new Int32Array(count),
      lines: new Int32Array(count),
      parents: new Int32Array(count),
      edges: new Uint8Array(count),
      frames: new Uint8Array(count),
      entryLines: new Int32Array(count),
      sourceLines: new Int32Array(count),
      isUncertain: new Uint8Array(count),
    };
  }

  read(line: number): void {
    switch (this.#table.classes[line]) {
      case INSN:
        this.#step(line);
        break;
      case STATE:
        // The search for what a precise number depends on prints states of earlier instructions.
        if (this.#table.classes[line - 1] !== PRECISION || this.#table.insns[line] !== -1) {
          this.#state(line, this.#table.textOf(line));
        }
        break;
      case FROM_TO:
        this.#branch(line, this.#table.textOf(line));
        break;
      case PRUNE:
        this.#prune(line);
        break;
      case SOURCE:
        this.#source = line;
        this.#isStale = false;
        break;
      case FUNC:
        // A global function is checked on its own.
        if (this.#table.textOf(line).startsWith('Validating ')) {
          this.#start(ROOT, -1);
          this.#isEnded = false;
        }
        break;
      default:
    }
  }

  finish(): Walk {
    return new Walk(this.#table, this.#columns, this.#prunes);
  }

  #start(edge: number, parent: number): void {
    this.#edge = edge;
    this.#parent = parent;
    this.#entry = -1;
    this.#isEntryWhole = false;
    this.#entryFrame = -1;
  }

  #step(line: number): void {
    const { insns, lines, parents, edges, frames, entryLines, sourceLines, isUncertain } =
      this.#columns;
    const step = this.#count;
    const insn = this.#table.insns[line] ?? -1;
    if (this.#isEnded && this.#isEntryWhole) this.#findBranch(insn);
    this.#isEnded = false;
    if (this.#edge === POPPED && this.#source < this.#entry) this.#isStale ||= this.#isCutting;
    isUncertain[step] = this.#isStale ? 1 : 0;
    const parent = this.#parent;
    const frame = this.#entryFrame >= 0 ? this.#entryFrame : (frames[parent] ?? 0);
    insns[step] = insn;
    lines[step] = line;
    parents[step] = parent;
    edges[step] = this.#edge;
    frames[step] = Math.min(frame, 255);
    entryLines[step] = this.#entry;
    sourceLines[step] = this.#source;
    this.#alive.add(step, insn, parent);
    this.#count += 1;
    // The exit of the main program ends a path: what follows has a `from A to B`, or is a start.
    const role = this.#roleOf(insn, line);
    this.#isEnded = frame === 0 && role === 'exit';
    if (this.#isEnded) this.#start(ROOT, -1);
    else this.#start(NEXT, step);
    if (role === 'branch') this.#readJoined(line, step);
  }

  /** Reads the state of another path in the line of the branch that led there. */
  #readJoined(line: number, step: number): void {
    const text = this.#table.textOf(line);
    const joined = JOINED.exec(text)?.index ?? -1;
    const changes = text.indexOf(';');
    if (joined >= 0 && (changes < 0 || joined < changes)) {
      this.#state(line, text.slice(joined));
      this.#edge = POPPED;
      this.#parent = step;
    }
  }

  /** Returns whether an instruction ends a path or may start one. */
  #roleOf(insn: number, line: number): 'exit' | 'branch' | 'other' {
    let role = this.#roles.get(insn);
    if (role === undefined) {
      const text = this.#table.textOf(line);
      if (EXIT.test(text)) role = 'exit';
      else role = BRANCH.test(text) ? 'branch' : 'other';
      this.#roles.set(insn, role);
    }
    return role;
  }

  /** Up to Linux 5.16, level 2 does not print which branch is taken after the end of a path. */
  #findBranch(insn: number): void {
    const parent = this.#alive.popBranch(insn, (step) => {
      const jump = JUMP.exec(this.#printed(step));
      return jump === null ? null : (this.#columns.insns[step] ?? 0) + 1 + Number(jump[1]);
    });
    if (parent < 0) return;
    this.#edge = POPPED;
    this.#parent = parent;
  }

  #isExit(step: number): boolean {
    return EXIT.test(this.#printed(step));
  }

  #printed(step: number): string {
    return this.#table.textOf(this.#columns.lines[step] ?? 0);
  }

  #state(line: number, text: string): void {
    const isWhole = WHOLE.test(text);
    if (this.#isEntryWhole && !isWhole) return;
    this.#entry = line;
    this.#isEntryWhole = isWhole;
    const frame = FRAME.exec(text);
    if (isWhole) this.#entryFrame = Number(frame?.[1] ?? 0);
  }

  #branch(line: number, text: string): void {
    const [all = '', from = '0', to = '0'] = FROM.exec(text) ?? [];
    this.#isEnded = false;
    const parent = this.#alive.pop(Number(from), Number(to));
    this.#start(parent >= 0 && this.#isExit(parent) ? NEXT : POPPED, parent);
    this.#state(line, text.slice(all.length));
  }

  #prune(line: number): void {
    const from = FROM.exec(this.#table.textOf(line));
    const insn = this.#table.insns[line] ?? -1;
    const parent = from === null ? this.#parent : this.#alive.pop(Number(from[1]), Number(from[2]));
    const earlier = this.#alive.last(insn);
    this.#prunes.push({ line, insn, parent, earlier });
    this.#start(ROOT, -1);
    this.#isEnded = true;
  }
}

/** Longest search for the branch that a path comes from. */
const MAX_SEARCH = 1000;

/**
 * The steps whose other branch may still wait: those of the current path, and those before a step
 * of it. When a branch is taken, all steps after it are done.
 */
class AliveSteps {
  /** Pairs of first step and step after the last, ascending. */
  readonly #ranges: number[] = [];
  readonly #lastOf = new Map<number, number>();
  /** Latest step of each instruction that may be alive; `#previous` links the ones before. */
  readonly #lastAlive = new Map<number, number>();
  readonly #previous: number[] = [];
  readonly #insns: number[] = [];
  readonly #parents: number[] = [];
  /** Steps whose branch `popBranch` has returned. */
  readonly #taken = new Set<number>();
  #isJoined = false;

  add(step: number, insn: number, parent: number): void {
    this.#previous.push(this.#lastAlive.get(insn) ?? -1);
    this.#lastAlive.set(insn, step);
    this.#insns.push(insn);
    this.#parents.push(parent);
    this.#lastOf.set(insn, step);
    if (this.#isJoined) this.#ranges[this.#ranges.length - 1] = step + 1;
    else this.#ranges.push(step, step + 1);
    this.#isJoined = true;
  }

  /** Returns the latest step of an instruction; -1 if there is none. */
  last(insn: number): number {
    return this.#lastOf.get(insn) ?? -1;
  }

  /** Returns the step of `from` whose branch to `to` is taken now, or -1; forgets those after it. */
  pop(from: number, to: number): number {
    let step = this.#lastAlive.get(from) ?? -1;
    // A step that is not alive never is again.
    while (step >= 0 && !this.#isAlive(step)) step = this.#previous[step] ?? -1;
    this.#lastAlive.set(from, step);
    for (let searched = 0, at = step; at >= 0 && searched < MAX_SEARCH; searched++) {
      const isWalked = this.#parents[at + 1] === at && this.#insns[at + 1] === to;
      if (this.#isAlive(at) && !isWalked) {
        step = at;
        break;
      }
      at = this.#previous[at] ?? -1;
    }
    if (step >= 0) this.#forgetAfter(step);
    this.#isJoined = false;
    return step;
  }

  /** Returns the latest step with a branch to `insn` that was not taken, or -1; forgets those after it. */
  popBranch(insn: number, targetOf: (step: number) => number | null): number {
    const ranges = this.#ranges;
    this.#isJoined = false;
    let searched = 0;
    for (let end = ranges.length - 1; end > 0; end -= 2) {
      const first = ranges[end - 1] ?? 0;
      for (let step = (ranges[end] ?? 0) - 1; step >= first; step--) {
        if (++searched > MAX_SEARCH) return -1;
        const target = targetOf(step);
        const next = (this.#insns[step] ?? 0) + 1;
        if (target === null || (target !== insn && next !== insn) || this.#taken.has(step))
          continue;
        const isWalked = this.#parents[step + 1] === step && this.#insns[step + 1] === insn;
        if (isWalked && target !== next) continue;
        this.#taken.add(step);
        this.#forgetAfter(step);
        return step;
      }
    }
    return -1;
  }

  #forgetAfter(step: number): void {
    const ranges = this.#ranges;
    while (ranges.length > 0 && (ranges[ranges.length - 2] ?? 0) > step) ranges.length -= 2;
    const end = ranges.length - 1;
    if (end > 0 && (ranges[end] ?? 0) > step + 1) ranges[end] = step + 1;
  }

  #isAlive(step: number): boolean {
    const ranges = this.#ranges;
    let low = 0;
    let high = ranges.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ranges[2 * middle + 1] ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    return low < ranges.length / 2 && (ranges[2 * low] ?? 0) <= step;
  }
}
