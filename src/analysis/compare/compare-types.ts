/** Compares two types line by line. */
import type { TypeId } from '#model/ids.ts';
import { NameIds } from '#model/name-ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { alignLines, type LinePair } from './align-lines.ts';
import { type Change, headChanges, lineChanges, lineName, shiftOf } from './changes.ts';
import { PairGraph, type Verdict } from './pair-graph.ts';
import { Side } from './side.ts';
import { Scopes, type TypeLine, typeLines } from './type-lines.ts';

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

/** Compares `a` (before) and `b` (after) line by line. Never throws. */
export function compareTypes(graph: PairGraph, a: TypeId, b: TypeId): TypeComparison {
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
  const lines = pairs.map((pair): ComparedLine => {
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
  return {
    verdict: graph.verdictOf(a, b),
    head: headChanges(sides, a, b),
    lines,
    isCut: before.isCut || after.isCut,
  };
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
    lines: lines.map((line) =>
      side === 'a' ? { a: line, b: null, changes } : { a: null, b: line, changes },
    ),
    isCut,
  };
}
