/** Compares two types line by line. */
import type { TypeId } from '#model/ids.ts';
import { NameIds } from '#model/name-ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { alignLines, type LinePair } from './align-lines.ts';
import { type Change, headChanges, lineChanges, lineName, shiftOf } from './changes.ts';
import { PairGraph, type Verdict } from './pair-graph.ts';
import { Side } from './side.ts';
import { holeLines, Scopes, type TypeLine, typeLines } from './type-lines.ts';

export type ComparedLine = {
  readonly a: TypeLine | null;
  readonly b: TypeLine | null;
  readonly changes: readonly Change[];
};

export type TypeComparison = {
  readonly verdict: Verdict;
  /** Differences that concern the whole type: kind, name, size … */
  readonly head: readonly Change[];
  readonly lines: readonly ComparedLine[];
  /** True if some anonymous types were not opened; the verdict still includes them. */
  readonly isCut: boolean;
};

/** Maximum number of compared bytes of a name; the kernel accepts 512 (KSYM_NAME_LEN). */
const MAX_NAME_BYTES = 1024;

/** Returns a graph for comparing types of two tables, or of one table if `a` is `b`. */
export function pairGraphOf(a: TypeTable, b: TypeTable): PairGraph {
  const names = new NameIds(MAX_NAME_BYTES);
  const before = new Side(a, names);
  return new PairGraph({ a: before, b: a === b ? before : new Side(b, names) });
}

/**
 * Compares `a` (before) and `b` (after) line by line, on request with the holes after each line.
 * Lines that `struct_group()` repeats are left out. Never throws.
 */
export function compareTypes(
  graph: PairGraph,
  a: TypeId,
  b: TypeId,
  options: { readonly hasHoles?: boolean } = {},
): TypeComparison {
  const { sides } = graph;
  const scopes = new Scopes();
  const before = typeLines(sides.a, a, scopes);
  const after = typeLines(sides.b, b, scopes);
  const pairs = alignLines(
    before.lines,
    after.lines,
    (x, y) => x.type === null || y.type === null || graph.isSameReference(x.type, y.type),
    { a: (line) => lineName(sides.a, line), b: (line) => lineName(sides.b, line) },
  );
  const partnerOf = new Map(pairs.map((pair) => [pair.a, pair.b] as const));
  const moves = new Moves();
  const compared = pairs.map((pair): ComparedLine => {
    const x = before.lines[pair.a] ?? null;
    const y = after.lines[pair.b] ?? null;
    if (x === null || y === null) {
      moves.explain();
      const what = x === null ? 'added' : 'removed';
      return { a: x, b: y, changes: [{ what, before: '', after: '' }] };
    }
    const changes = lineChanges(graph, x, y, {
      isContainerKept: x.parent < 0 ? y.parent < 0 : partnerOf.get(x.parent) === y.parent,
      isMoveExplained: moves.isExplained(pair, shiftOf(x, y)),
    });
    moves.pass(pair, shiftOf(x, y), changes);
    return { a: x, b: y, changes };
  });
  const all =
    options.hasHoles === true
      ? withHoles(compared, pairs, {
          a: holeLines(sides.a, a, before.lines),
          b: holeLines(sides.b, b, after.lines),
        })
      : compared;
  const lines = all.filter(({ a: x, b: y }) => !((x ?? y)?.isCopy && (y ?? x)?.isCopy));
  return {
    verdict: graph.verdictOf(a, b),
    head: headChanges(sides, a, b),
    lines,
    isCut: before.isCut || after.isCut,
  };
}

type Holes = ReadonlyMap<number, TypeLine>;

/** Inserts the holes of both sides, each after the line that it follows and its members. */
function withHoles(
  compared: readonly ComparedLine[],
  pairs: readonly LinePair[],
  holes: { readonly a: Holes; readonly b: Holes },
): ComparedLine[] {
  const lines: ComparedLine[] = [];
  const waiting: { readonly depth: number; readonly line: ComparedLine }[] = [];
  const flush = (depth: number) => {
    for (let next = waiting.at(-1); next !== undefined && next.depth >= depth; ) {
      lines.push(next.line);
      waiting.pop();
      next = waiting.at(-1);
    }
  };
  for (const [i, line] of compared.entries()) {
    const depth = (line.b ?? line.a)?.depth ?? 0;
    flush(depth);
    lines.push(line);
    const pair = pairs[i];
    const hole = comparedHole(holes.a.get(pair?.a ?? -1), holes.b.get(pair?.b ?? -1));
    if (hole !== null) waiting.push({ depth, line: hole });
  }
  flush(0);
  return lines;
}

function comparedHole(a: TypeLine | undefined, b: TypeLine | undefined): ComparedLine | null {
  if (a === undefined && b === undefined) return null;
  const [before, after] = [a?.bitfieldSize ?? 0, b?.bitfieldSize ?? 0];
  const what = a === undefined ? 'added' : b === undefined ? 'removed' : 'hole';
  const change: Change =
    what === 'hole'
      ? { what, before: `${before}`, after: `${after}` }
      : { what, before: '', after: '' };
  return { a: a ?? null, b: b ?? null, changes: before === after ? [] : [change] };
}

/** Tracks whether changes in the lines above explain the move of a line. */
class Moves {
  #shift = 0;
  #isNewShiftExplained = false;

  isExplained(pair: LinePair, shift: number): boolean {
    if (pair.isReordered) return false;
    return shift === this.#shift || this.#isNewShiftExplained || pair.isAfterGap;
  }

  /** Marks that a change explains the move of the next line. */
  explain(): void {
    this.#isNewShiftExplained = true;
  }

  /** Remembers the shift and changes of a line, which may explain the move of the next line. */
  pass({ isReordered }: LinePair, shift: number, changes: readonly Change[]): void {
    this.#isNewShiftExplained =
      isReordered || changes.some(({ what }) => what !== 'moved' && what !== 'value');
    if (!isReordered) this.#shift = shift;
  }
}

/** Returns true unless the change is a move that a line above explains. */
export function isNews(change: Change): boolean {
  return change.follows !== true;
}

/** Returns the lines of a type that exists on one side only. */
export function loneType(graph: PairGraph, side: 'a' | 'b', id: TypeId): TypeComparison {
  const { lines, isCut } = typeLines(graph.sides[side], id, new Scopes());
  const what = side === 'a' ? 'removed' : 'added';
  const changes: readonly Change[] = [{ what, before: '', after: '' }];
  return {
    verdict: 'direct',
    head: [],
    lines: lines
      .filter(({ isCopy }) => !isCopy)
      .map((line) =>
        side === 'a' ? { a: line, b: null, changes } : { a: null, b: line, changes },
      ),
    isCut,
  };
}
