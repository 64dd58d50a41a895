/**
 * Compares the walks of two logs: of two kernels, two compilers, before and after a change. Their
 * paths are aligned by source line and instruction, then what the verifier knew is compared.
 */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import type { InsnText } from '#formats/verifier-log/insn-text.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import { type ComparedValues, compareValues } from './compare-values.ts';
import { type StepStates, slotName, statesOf } from './step-states.ts';
import type { Walk } from './walk.ts';

/** A step of one log. */
export type ComparedPlace = {
  readonly insn: number;
  /** Line of the step in the text, from 0. */
  readonly logLine: number;
};

/** A register or stack slot that the verifier knows otherwise in the second log. */
export type ValueDifference = ComparedValues & {
  readonly places: readonly [ComparedPlace, ComparedPlace];
  /** Names of the register or slot, which two compilers may choose differently. */
  readonly names: readonly [string, string];
  readonly values: readonly [Value, Value];
  /** True for the value after the instruction, false for the one that it uses. */
  readonly isAfter: boolean;
};

/** A source line of one log. Texts are raw. */
export type WalkLine = {
  readonly text: string;
  /** Base name; null up to Linux 6.6, and without source lines. */
  readonly file: string | null;
  readonly line: number | null;
  /** Number of walked instructions: its cost. */
  readonly steps: number;
  /** Line of the first walked instruction in the text. */
  readonly logLine: number;
};

/** A source line of both logs, or of one of them: the other is null. */
export type ComparedLine = {
  readonly sides: readonly [WalkLine | null, WalkLine | null];
  /** Differences on the compared paths, in their order. */
  readonly differences: readonly ValueDifference[];
};

export type WalkComparison = {
  /** Source lines in the order of the walk of the second log. */
  readonly lines: readonly ComparedLine[];
  /** Index of the line where the second log first knows less on the compared paths; -1 for none. */
  readonly firstLess: number;
  /** Number of walked instructions of each log. */
  readonly steps: readonly [number, number];
  /** Number of steps of the compared paths that both logs have. */
  readonly shared: number;
  /** Last steps before the paths part; null if one is the start of the other. */
  readonly apart: readonly [ComparedPlace, ComparedPlace] | null;
  /** The programs have the same instructions, but for constants and offsets. */
  readonly isSameCode: boolean;
  /** The values of some steps were not compared: the paths, or a loop in them, are too long. */
  readonly isCut: boolean;
};

/** Maximum number of steps of a path that are aligned. */
const MAX_STEPS = 500_000;
/** Maximum number of times that the values of one instruction are compared: rounds of a loop. */
const MAX_ROUNDS = 100;
/** Maximum number of steps whose values are compared. */
const MAX_COMPARED = 10_000;
/** Maximum number of differences of a line that are kept. */
const MAX_DIFFERENCES = 8;
/** Maximum number of lines, and of instructions, that are skipped to find equal ones. */
const MAX_SKIPPED = 40;
/** Share of equal instructions from which two programs are the same. */
const SAME_SHARE = 0.95;

/** Compares the path to the end of each walk; where only one was refused, to its refusal. */
export function compareWalks(
  first: Walk,
  second: Walk,
  isRefused: readonly [boolean, boolean],
): WalkComparison {
  const sides: Sides = [new Side(first), new Side(second)];
  const isSameCode = haveSameCode(sides);
  const guide = isRefused[1] || !isRefused[0] ? 1 : 0;
  const [leader, follower] = [sides[guide], sides[1 - guide] ?? sides[0]];
  const whole = leader.walk.pathTo(leader.walk.stepCount - 1);
  const own = whole.slice(0, MAX_STEPS);
  const other = isSameCode
    ? follower.follow(own, leader)
    : follower.walk.pathTo(follower.walk.stepCount - 1).slice(0, MAX_STEPS);
  const [one, two] = guide === 1 ? [other, own] : [own, other];
  const pairs = isSameCode
    ? one.slice(0, two.length).map((step, i) => [step, two[i] ?? 0] as const)
    : alignedSteps(sides, one, two);
  const comparison = new Comparison(sides, isSameCode);
  for (const pair of pairs) comparison.add(pair);
  const { lines, firstLess } = comparison.finish();
  const last = pairs.at(-1);
  const isApart = isSameCode && other.length < own.length && last !== undefined;
  const hasGoneOn = isApart && follower.childrenOf(last[1 - guide] ?? -1).length > 0;
  return {
    lines,
    firstLess,
    steps: [first.stepCount, second.stepCount],
    shared: pairs.length,
    apart: hasGoneOn ? [sides[0].placeOf(last[0]), sides[1].placeOf(last[1])] : null,
    isSameCode,
    isCut: comparison.isCut || whole.length > MAX_STEPS,
  };
}

type Sides = readonly [Side, Side];
type StepPair = readonly [first: number, second: number];

/** One of the two walks, with its source lines by number. */
class Side {
  readonly walk: Walk;
  readonly states: StepStates;
  /** Source line of each step, an index in `lines`; 0 is for steps without one. */
  readonly lineOfStep: Int32Array;
  readonly lines: (Omit<WalkLine, 'steps'> & { steps: number })[] = [];
  #children: Map<number, number[]> | null = null;
  readonly #shapes = new Map<number, string>();

  constructor(walk: Walk) {
    this.walk = walk;
    this.states = statesOf(walk);
    this.lineOfStep = new Int32Array(walk.stepCount);
    const ids = new Map<string, number>();
    const byTextLine = new Map<number, number>();
    for (let step = 0; step < walk.stepCount; step++) {
      const id = getOrCreate(byTextLine, walk.sourceLines[step] ?? -1, () => {
        const { text = '', file = null, line = null } = walk.sourceOf(step) ?? {};
        return getOrCreate(ids, JSON.stringify([file, line, text]), () => {
          const logLine = walk.lines[step] ?? 0;
          return this.lines.push({ text: text.trim(), file, line, steps: 0, logLine }) - 1;
        });
      });
      this.lineOfStep[step] = id;
      const own = this.lines[id];
      if (own !== undefined) own.steps += 1;
    }
  }

  placeOf(step: number): ComparedPlace {
    return { insn: this.walk.insnOf(step), logLine: this.walk.lines[step] ?? 0 };
  }

  /** Returns the text of the source line of a step; empty without one. */
  sourceTextOf(step: number): string {
    return this.lines[this.lineOfStep[step] ?? -1]?.text ?? '';
  }

  /** Returns the steps after a step, on all paths; for -1 those at which paths start. */
  childrenOf(step: number): readonly number[] {
    if (this.#children === null) {
      this.#children = new Map();
      const { parents, stepCount } = this.walk;
      for (let at = 0; at < stepCount; at++) addTo(this.#children, parents[at] ?? -1, at);
    }
    return this.#children.get(step) ?? [];
  }

  /** Returns the path that has the instructions of `path` of another walk, as far as there is one. */
  follow(path: readonly number[], leader: Side): number[] {
    const found: number[] = [];
    let at = -1;
    for (const step of path) {
      const insn = leader.walk.insnOf(step);
      const next = this.childrenOf(at).find((child) => this.walk.insnOf(child) === insn);
      if (next === undefined) break;
      found.push(next);
      at = next;
    }
    return found;
  }

  /** Returns the number of references that are held after a step; null if its line does not tell. */
  heldAfter(step: number): number | null {
    return this.states.changesOf(step)?.refs.length ?? null;
  }

  /** Returns what an instruction does, without registers, constants and offsets. */
  shapeOf(step: number): string {
    return getOrCreate(this.#shapes, this.walk.insnOf(step), () => {
      const text = this.walk.textOf(step);
      if (text === null) return this.walk.printedOf(step);
      const { form, op, mem, call, src } = text;
      return [form, op, mem?.size ?? '', call?.name ?? '', src === null ? 'imm' : 'reg'].join(' ');
    });
  }

  /** Returns an instruction for each index that was walked: a step of it. */
  stepsByInsn(): ReadonlyMap<number, number> {
    const steps = new Map<number, number>();
    for (let step = 0; step < this.walk.stepCount; step++) {
      if (!steps.has(this.walk.insnOf(step))) steps.set(this.walk.insnOf(step), step);
    }
    return steps;
  }
}

/** True if most of the instructions that both walks have are the same, with their registers. */
function haveSameCode([a, b]: Sides): boolean {
  const others = b.stepsByInsn();
  let common = 0;
  let equal = 0;
  for (const [insn, step] of a.stepsByInsn()) {
    const other = others.get(insn);
    if (other === undefined) continue;
    common += 1;
    if (isSameInsn(a.walk.textOf(step), b.walk.textOf(other))) equal += 1;
  }
  return common > 0 && equal >= SAME_SHARE * common;
}

/**
 * True for instructions that differ at most in constants, offsets and the name of what they call.
 * Linux 7.3 turns a branch that is always taken into a jump.
 */
function isSameInsn(one: InsnText | null, two: InsnText | null): boolean {
  if (one === null || two === null) return one === two;
  if (one.jump !== null) return one.jump === two.jump;
  const registersOf = ({ reads, writes }: InsnText) => `${reads.join()} ${writes.join()}`;
  return (
    one.form === two.form &&
    one.op === two.op &&
    one.mem?.size === two.mem?.size &&
    registersOf(one) === registersOf(two)
  );
}

/** Pairs the steps of two paths: first the runs of one source line, then instructions in them. */
function alignedSteps(sides: Sides, one: readonly number[], two: readonly number[]): StepPair[] {
  const [runsOne, runsTwo] = [runsOf(sides[0], one), runsOf(sides[1], two)];
  const textOf = (side: Side) => (run: readonly number[]) => side.sourceTextOf(run[0] ?? -1);
  const runs = aligned(runsOne.map(textOf(sides[0])), runsTwo.map(textOf(sides[1])));
  return runs.flatMap(([i, j]) => {
    const [a, b] = [runsOne[i] ?? [], runsTwo[j] ?? []];
    const shapes = [
      a.map((step) => sides[0].shapeOf(step)),
      b.map((step) => sides[1].shapeOf(step)),
    ] as const;
    return aligned(...shapes).map(([x, y]): StepPair => [a[x] ?? 0, b[y] ?? 0]);
  });
}

/** Cuts a path where its source line changes. */
function runsOf(side: Side, path: readonly number[]): number[][] {
  const runs: number[][] = [];
  let last = -1;
  for (const step of path) {
    const line = side.lineOfStep[step] ?? -1;
    if (line === last) runs.at(-1)?.push(step);
    else runs.push([step]);
    last = line;
  }
  return runs;
}

/** Returns the indexes of equal texts in the order of both lists; skips few where they differ. */
function aligned(one: readonly string[], two: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < one.length && j < two.length; ) {
    const [x, y] = skipped(one, two, i, j);
    if (x < 0) {
      i += 1;
      j += 1;
      continue;
    }
    pairs.push([i + x, j + y]);
    i += x + 1;
    j += y + 1;
  }
  return pairs;
}

/** Returns how many texts of each list are skipped to the next equal ones; -1 if they are far. */
function skipped(
  one: readonly string[],
  two: readonly string[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let distance = 0; distance <= MAX_SKIPPED; distance++) {
    for (let x = 0; x <= distance; x++) {
      const y = distance - x;
      if (i + x >= one.length || j + y >= two.length) continue;
      if (one[i + x] === two[j + y]) return [x, y];
    }
  }
  return [-1, -1];
}

type Row = { sides: [number | null, number | null]; readonly differences: ValueDifference[] };

class Comparison {
  readonly #sides: Sides;
  readonly #isSameCode: boolean;
  /** Row of each line of the first and of the second log. */
  readonly #rows: readonly [Map<number, Row>, Map<number, Row>] = [new Map(), new Map()];
  readonly #seen = new Set<string>();
  /** How often each instruction of the second log was compared. */
  readonly #rounds = new Map<number, number>();
  #firstLess: Row | null = null;
  #compared = 0;
  /** True if values of later steps were not compared. */
  isCut = false;

  constructor(sides: Sides, isSameCode: boolean) {
    this.#sides = sides;
    this.#isSameCode = isSameCode;
  }

  add(pair: StepPair): void {
    const [a, b] = this.#sides;
    const lineA = a.lineOfStep[pair[0]] ?? 0;
    const lineB = b.lineOfStep[pair[1]] ?? 0;
    const row = this.#rowOf(lineA, lineB);
    const insn = b.walk.insnOf(pair[1]);
    const round = (this.#rounds.get(insn) ?? 0) + 1;
    this.#rounds.set(insn, round);
    if (round > MAX_ROUNDS || this.#compared >= MAX_COMPARED) {
      this.isCut = true;
      return;
    }
    this.#compared += 1;
    for (const difference of this.#differences(pair)) {
      if (difference.second === 'less') this.#firstLess ??= row;
      if (row.differences.length >= MAX_DIFFERENCES) continue;
      const key = [insn, difference.names.join(), difference.isAfter, difference.kinds].join(' ');
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      row.differences.push(difference);
    }
  }

  /** Returns the row of two lines that a pair of steps has; a line keeps its first partner. */
  #rowOf(lineA: number, lineB: number): Row {
    const [rowsA, rowsB] = this.#rows;
    const known = rowsB.get(lineB);
    if (known !== undefined) return known;
    const isFree = !rowsA.has(lineA);
    const row: Row = { sides: [isFree ? lineA : null, lineB], differences: [] };
    if (isFree) rowsA.set(lineA, row);
    rowsB.set(lineB, row);
    return row;
  }

  /** Yields the values that an instruction uses or sets and that the logs know differently. */
  *#differences([stepA, stepB]: StepPair): Generator<ValueDifference> {
    const [a, b] = this.#sides;
    const [one, two] = [a.walk.textOf(stepA), b.walk.textOf(stepB)];
    if (one === null || two === null || one.form !== two.form) return;
    const places = [a.placeOf(stepA), b.placeOf(stepB)] as const;
    // How many arguments a call has is not known: of other code, the rest are other values.
    const reads = one.form === 'call' && !this.#isSameCode ? [] : one.reads;
    for (const [i, register] of [...reads, ...one.writes].entries()) {
      const isAfter = i >= reads.length;
      const partner = isAfter ? two.writes[i - reads.length] : two.reads[i];
      if (partner === undefined) continue;
      const values = [
        isAfter
          ? a.states.registerAfter(stepA, register)
          : a.states.registerBefore(stepA, register),
        isAfter ? b.states.registerAfter(stepB, partner) : b.states.registerBefore(stepB, partner),
      ] as const;
      const names = [`R${register}`, `R${partner}`] as const;
      yield* difference(places, names, values, isAfter);
    }
    if (one.form === 'call') yield* referencesDifference(this.#sides, [stepA, stepB], places);
    const slots = [slotOf(one), slotOf(two)] as const;
    if (one.form !== 'load' || slots[0] === null || slots[1] === null) return;
    const values = [
      a.states.before(stepA).stack.get(slots[0]),
      b.states.before(stepB).stack.get(slots[1]),
    ] as const;
    yield* difference(places, [slots[0], slots[1]], values, false);
  }

  finish(): Pick<WalkComparison, 'lines' | 'firstLess'> {
    const [a, b] = this.#sides;
    this.#pairByText();
    const [rowsA, rowsB] = this.#rows;
    const ordered = new Set<Row>();
    const after = new Map<Row | null, Row[]>();
    let previous: Row | null = null;
    for (const line of a.lines.keys()) {
      const row: Row = getOrCreate(rowsA, line, () => ({ sides: [line, null], differences: [] }));
      if (row.sides[1] === null) addTo(after, previous, row);
      else previous = row;
    }
    for (const row of after.get(null) ?? []) ordered.add(row);
    for (const line of b.lines.keys()) {
      const row: Row = getOrCreate(rowsB, line, () => ({ sides: [null, line], differences: [] }));
      ordered.add(row);
      for (const lone of after.get(row) ?? []) ordered.add(lone);
    }
    const rows = [...ordered];
    return {
      lines: rows.map(({ sides: [lineA, lineB], differences }) => ({
        sides: [
          lineA === null ? null : (a.lines[lineA] ?? null),
          lineB === null ? null : (b.lines[lineB] ?? null),
        ],
        differences,
      })),
      firstLess: this.#firstLess === null ? -1 : rows.indexOf(this.#firstLess),
    };
  }

  /** Pairs lines off the compared paths: those whose text both logs have once more. */
  #pairByText(): void {
    const [a, b] = this.#sides;
    const [rowsA, rowsB] = this.#rows;
    const free = new Map<string, number[]>();
    for (const [line, { text }] of a.lines.entries()) {
      if (!rowsA.has(line)) addTo(free, text, line);
    }
    for (const [line, { text }] of b.lines.entries()) {
      if (rowsB.has(line)) continue;
      const partner = free.get(text)?.shift();
      if (partner === undefined) continue;
      const row: Row = { sides: [partner, line], differences: [] };
      rowsA.set(partner, row);
      rowsB.set(line, row);
    }
  }
}

function* difference(
  places: ValueDifference['places'],
  names: ValueDifference['names'],
  [first, second]: readonly [Value | undefined, Value | undefined],
  isAfter: boolean,
): Generator<ValueDifference> {
  if (first === undefined || second === undefined) return;
  const found = compareValues(first, second);
  if (found !== null) yield { ...found, places, names, values: [first, second], isAfter };
}

/** Yields the difference of the references that are held after a call. */
function* referencesDifference(
  sides: Sides,
  steps: StepPair,
  places: ValueDifference['places'],
): Generator<ValueDifference> {
  const counts = [sides[0].heldAfter(steps[0]), sides[1].heldAfter(steps[1])] as const;
  if (counts[0] === null || counts[1] === null || counts[0] === counts[1]) return;
  const numberValue = (count: number): Value => ({ type: 'scalar', kv: [], const: `${count}` });
  yield {
    kinds: ['references'],
    second: 'other',
    places,
    names: ['references', 'references'],
    values: [numberValue(counts[0]), numberValue(counts[1])],
    isAfter: true,
  };
}

/** Returns the stack slot that an instruction reads through R10, or null. */
function slotOf({ mem }: InsnText): string | null {
  return mem?.base === 10 ? slotName(mem.off) : null;
}
