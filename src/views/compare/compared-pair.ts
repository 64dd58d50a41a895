import {
  type ComparedLine,
  compareTypes,
  loneType,
  pairGraphOf,
  type TypeComparison,
} from '#analysis/compare/compare-types.ts';
import { counterpartOf } from '#analysis/compare/match-types.ts';
import type { PairGraph } from '#analysis/compare/pair-graph.ts';
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { arrayData, kindOf, nameOffOf, refOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import type { FileId } from '#store/session/session.ts';
import { compareState } from './state.ts';

/** Types to compare, before and after. A type is null if its file does not have the type. */
export type ComparedPair = { readonly a: TypeId | null; readonly b: TypeId | null };

/** Keys of the two types in the address. `b` was chosen when `a` was selected. */
type PairParams = { readonly a: string | null; readonly b: string | null };

/** Value of `a` in the address if only `b` is a type. */
const NO_TYPE = 'void:~0';

/** Returns the pair to compare. A chosen `b` is valid only while the type `a` is selected. */
export function comparedPair(
  before: TypeTable,
  after: TypeTable,
  selected: TypeId | null,
  params: PairParams,
): ComparedPair {
  if (selected === null) {
    return { a: null, b: params.a === NO_TYPE ? typeOfKey(after, params.b) : null };
  }
  const isChosen = params.a !== null && params.a === keyText(before, selected);
  const chosen = isChosen ? typeOfKey(after, params.b) : null;
  return { a: selected, b: chosen ?? counterpartOf(graphOf(before, after), selected) };
}

/** Compares two types and writes the keys of both types to the address. */
export function showPair(before: TypeTable, after: TypeTable, { a, b }: ComparedPair): void {
  compareState.set({
    a: a === null ? NO_TYPE : keyText(before, a),
    b: b === null ? null : keyText(after, b),
    show: 'types',
  });
  select(a === null ? NO_SELECTION : typeSelection(a), 'compare');
}

/** Returns the named types that a line refers to, without pointers and qualifiers; or null. */
export function heldPair(
  before: TypeTable,
  after: TypeTable,
  { a, b }: ComparedLine,
): ComparedPair | null {
  const x = a === null || a.type === null ? null : namedIn(before, a.type);
  const y = b === null || b.type === null ? null : namedIn(after, b.type);
  return x === null && y === null ? null : { a: x, b: y };
}

function namedIn(types: TypeTable, type: TypeId): TypeId | null {
  const guard = new LoopGuard();
  let at = type;
  while (!guard.cameRound(at)) {
    if (nameOffOf(types, at) !== 0 && kindOf(types, at) !== BtfKind.TYPE_TAG) return at;
    const isArray = kindOf(types, at) === BtfKind.ARRAY;
    const next = isArray ? arrayData(types, at).elemType : refOf(types, at);
    if (next === null || next === 0) return null;
    at = next;
  }
  return null;
}

function typeOfKey(types: TypeTable, text: string | null): TypeId | null {
  const key = text === null ? null : parseTypeKey(text);
  return key === null ? null : findTypeKey(types, key);
}

function keyText(types: TypeTable, id: TypeId): string {
  return formatTypeKey(typeKeyOf(types, id));
}

/** File of a comparison, before or after. */
export type CompareSide = {
  readonly id: FileId;
  /** Name of the file, not escaped. */
  readonly name: string;
  readonly types: TypeTable;
};

const graphs = memoized((_a: TypeTable) => new WeakMap<TypeTable, PairGraph>());

/** Returns the graph of two type tables. Each pair of tables has one cached graph. */
function graphOf(a: TypeTable, b: TypeTable): PairGraph {
  return getOrCreate(graphs(a), b, () => pairGraphOf(a, b));
}

/** Compares two types line by line. For a single type, returns its lines; for none, null. */
export function comparisonOf(
  before: TypeTable,
  after: TypeTable,
  { a, b }: ComparedPair,
): TypeComparison | null {
  const graph = graphOf(before, after);
  if (a !== null && b !== null) return compareTypes(graph, a, b, { hasHoles: true });
  if (a !== null) return loneType(graph, 'a', a);
  return b === null ? null : loneType(graph, 'b', b);
}
