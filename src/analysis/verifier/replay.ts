/**
 * Moves in the walk of a log: along a path, to branches, to the other side of a branch, in and out
 * of subprograms. A step is an index in the columns.
 */
import { lowerBound, upperBound } from '#bytes/arrays.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { type InsnText, readInsnText } from '#formats/verifier-log/insn-text.ts';
import type { ReplayColumns, ReplaySource } from './replay-columns.ts';
import { EDGES, type Prune } from './walk.ts';

const NEXT = EDGES.indexOf('next');
const ROOT = EDGES.indexOf('root');

/** A part of a path between two branches: steps that follow each other in the log. */
export type Segment = {
  readonly first: number;
  /** Last step; before `first` if the path was pruned where it starts. */
  readonly last: number;
  /** Number of branches that lead to the segment. */
  readonly depth: number;
  /** Branch that it starts at; -1 at the start of a program or function. */
  readonly parent: number;
  readonly prune: Prune | null;
};

/** Other side of a branch: the step that walks it, what pruned it, or null if the log has neither. */
export type OtherSide =
  | { readonly kind: 'walked'; readonly step: number }
  | { readonly kind: 'pruned'; readonly prune: Prune }
  | null;

export class Replay {
  readonly columns: ReplayColumns;
  readonly stepCount: number;
  /** Step at which the program fails, else the last one. */
  readonly end: number;
  readonly #texts = new Map<number, InsnText | null>();
  #branches: Map<number, number[]> | null = null;
  #pruned: Map<number, Prune[]> | null = null;
  #segments: readonly Segment[] | null = null;
  #toFault: Int32Array | null = null;
  /** The path that was asked for last, beside the one to the failing step. */
  #path: Int32Array | null = null;
  #counts: Map<number, number> | null = null;

  /** `fault` is the failing step; null if there is none. */
  constructor(columns: ReplayColumns, fault: number | null) {
    this.columns = columns;
    this.stepCount = columns.insns.length;
    this.end = fault ?? this.stepCount - 1;
  }

  insnOf(step: number): number {
    return this.columns.insns[step] ?? -1;
  }

  frameOf(step: number): number {
    return this.columns.frames[step] ?? 0;
  }

  /** Returns the step before on the same path; -1 at its start. */
  parentOf(step: number): number {
    return this.columns.parents[step] ?? -1;
  }

  /** True at the start of a program, or of a function that is checked on its own. */
  isRoot(step: number): boolean {
    return this.columns.edges[step] === ROOT;
  }

  /** Returns the line of C of a step as the log has it. */
  sourceOf(step: number): ReplaySource | null {
    return this.columns.sources[this.columns.sourceIds[step] ?? -1] ?? null;
  }

  /** Returns the text of an instruction as printed; empty if it was not walked. */
  printedOf(insn: number): string {
    return this.columns.texts.get(insn) ?? '';
  }

  /** Returns what an instruction does; null if its text is not readable. */
  textOf(insn: number): InsnText | null {
    return getOrCreate(this.#texts, insn, () => readInsnText(this.printedOf(insn)));
  }

  /** Returns how often each instruction was walked. */
  get counts(): ReadonlyMap<number, number> {
    if (this.#counts === null) {
      this.#counts = new Map();
      for (const insn of this.columns.insns) {
        this.#counts.set(insn, (this.#counts.get(insn) ?? 0) + 1);
      }
    }
    return this.#counts;
  }

  /** Path to the failing step. */
  get #faultPath(): Int32Array {
    this.#toFault ??= this.#pathTo(this.end);
    return this.#toFault;
  }

  #follows(step: number): boolean {
    const { parents, edges } = this.columns;
    return step < this.stepCount && parents[step] === step - 1 && edges[step] === NEXT;
  }

  #pathTo(tip: number): Int32Array {
    let count = 0;
    for (let at = tip; at >= 0; at = this.parentOf(at)) count += 1;
    const steps = new Int32Array(count);
    for (let at = tip; at >= 0; at = this.parentOf(at)) steps[--count] = at;
    return steps;
  }

  /** Returns the steps of the path that `step` is on, in order: to the fault, else to its end. */
  pathOf(step: number): Int32Array {
    if (placeIn(this.#faultPath, step) >= 0) return this.#faultPath;
    if (this.#path !== null && placeIn(this.#path, step) >= 0) return this.#path;
    let tip = step;
    while (this.#follows(tip + 1)) tip += 1;
    this.#path = this.#pathTo(tip);
    return this.#path;
  }

  /** Returns the place of a step in its path, from 0. */
  placeOf(step: number): number {
    return placeIn(this.pathOf(step), step);
  }

  /** True if `step` is on the path to the failing step. */
  isOnFaultPath(step: number): boolean {
    return placeIn(this.#faultPath, step) >= 0;
  }

  /** Returns the step `by` steps after `step` on its path; null beyond its ends. */
  along(step: number, by: number): number | null {
    const path = this.pathOf(step);
    return path[placeIn(path, step) + by] ?? null;
  }

  isBranch(step: number): boolean {
    return this.textOf(this.insnOf(step))?.form === 'branch';
  }

  /** Returns the next branch of the path in a direction, or null. */
  branchFrom(step: number, by: 1 | -1): number | null {
    return this.#find(step, by, (at) => this.isBranch(at));
  }

  /** Returns the first step of the next subprogram that the path enters or leaves, or null. */
  frameChange(step: number, direction: 'in' | 'out'): number | null {
    const frame = this.frameOf(step);
    return this.#find(step, 1, (at) =>
      direction === 'in' ? this.frameOf(at) > frame : this.frameOf(at) < frame,
    );
  }

  #find(step: number, by: 1 | -1, test: (step: number) => boolean): number | null {
    const path = this.pathOf(step);
    for (let place = placeIn(path, step) + by; ; place += by) {
      const at = path[place];
      if (at === undefined) return null;
      if (test(at)) return at;
    }
  }

  /** Returns the branch at or before a step of a path, or null. */
  branchAt(step: number): number | null {
    return this.isBranch(step) ? step : this.branchFrom(step, -1);
  }

  /** Returns the other side of a branch, as seen from a step after it. */
  otherSide(branch: number, from: number): OtherSide {
    const path = this.pathOf(from);
    const taken = path[placeIn(path, branch) + 1] ?? -1;
    const steps = getOrCreate(this.#children(), branch, () => []);
    const step = steps.find((at) => at !== taken);
    if (step !== undefined) return { kind: 'walked', step };
    const [prune] = this.#prunesAt().get(branch) ?? [];
    return prune === undefined ? null : { kind: 'pruned', prune };
  }

  /** Steps after each branch of which more than one side was walked, or another than the next step. */
  #children(): Map<number, number[]> {
    if (this.#branches === null) {
      this.#branches = new Map();
      const { parents } = this.columns;
      for (let step = 1; step < this.stepCount; step++) {
        const parent = parents[step] ?? -1;
        if (parent >= 0 && parent !== step - 1) {
          const first = parents[parent + 1] === parent ? [parent + 1] : [];
          getOrCreate(this.#branches, parent, () => first).push(step);
        } else if (parent >= 0 && this.columns.edges[step] !== NEXT) {
          addTo(this.#branches, parent, step);
        }
      }
    }
    return this.#branches;
  }

  #prunesAt(): ReadonlyMap<number, readonly Prune[]> {
    if (this.#pruned === null) {
      this.#pruned = new Map();
      for (const prune of this.columns.prunes) addTo(this.#pruned, prune.parent, prune);
    }
    return this.#pruned;
  }

  /** Returns the prunes at the end of the path of `step`: the state was seen before. */
  pruneAfter(step: number): Prune | null {
    return this.#prunesAt().get(step)?.[0] ?? null;
  }

  /** The segments of all paths, in the order of the log: a tree in which children follow parents. */
  get segments(): readonly Segment[] {
    this.#segments ??= this.#readSegments();
    return this.#segments;
  }

  #readSegments(): Segment[] {
    const { prunes, lines } = this.columns;
    const segments: Segment[] = [];
    const starts: number[] = [];
    const depthAt = (step: number): number => depths[upperBound(starts, step) - 1] ?? 0;
    const depths: number[] = [];
    let nextPrune = 0;
    const addPruned = (before: number) => {
      for (; (prunes[nextPrune]?.line ?? Infinity) < before; nextPrune++) {
        const prune = prunes[nextPrune];
        const own = segments.at(-1);
        if (prune === undefined) continue;
        if (own !== undefined && own.prune === null && prune.parent === own.last) {
          segments[segments.length - 1] = { ...own, prune };
        } else {
          const { parent } = prune;
          const depth = parent < 0 ? 0 : depthAt(parent) + 1;
          segments.push({ first: 0, last: -1, depth, parent, prune });
        }
      }
    };
    for (let first = 0; first < this.stepCount; ) {
      let last = first;
      while (this.#follows(last + 1)) last += 1;
      addPruned(lines[first] ?? 0);
      const parent = this.parentOf(first);
      const depth = parent < 0 ? 0 : depthAt(parent) + 1;
      starts.push(first);
      depths.push(depth);
      segments.push({ first, last, depth, parent, prune: null });
      first = last + 1;
    }
    addPruned(Infinity);
    return segments;
  }

  /** Returns the step of an instruction that is shown first: on the path to the fault, the last. */
  stepOfInsn(insn: number): number | null {
    const path = this.#faultPath;
    for (let place = path.length - 1; place >= 0; place--) {
      const step = path[place] ?? -1;
      if (this.insnOf(step) === insn) return step;
    }
    return lastIndexOf(this.columns.insns, insn);
  }

  /** Returns the step that a line of the text is about, or the last one before it. */
  stepAtLine(line: number): number | null {
    const after = upperBound(this.columns.lines, line);
    return after === 0 ? null : after - 1;
  }

  /** Returns the calls that lead to the frame of a step, outermost first. */
  callers(step: number): readonly number[] {
    const calls: number[] = [];
    let frame = this.frameOf(step);
    for (let at = this.parentOf(step); at >= 0 && frame > 0; at = this.parentOf(at)) {
      if (this.frameOf(at) >= frame) continue;
      frame = this.frameOf(at);
      calls.unshift(at);
    }
    return calls;
  }
}

function lastIndexOf(insns: Int32Array, insn: number): number | null {
  const step = insns.lastIndexOf(insn);
  return step < 0 ? null : step;
}

/** Returns the place of a step in a path, which ascends; -1 if the path does not have it. */
function placeIn(path: Int32Array, step: number): number {
  const place = lowerBound(path, step);
  return path[place] === step ? place : -1;
}
