/** Kinds of change between two types, and the differences of a line. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind, hasSize, IntEncoding, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  stringAt,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import type { TypeComparison } from './compare-types.ts';
import { linePlace } from './comparison-text.ts';
import type { PairGraph } from './pair-graph.ts';
import { NoKey, type Side, type Sides } from './side.ts';
import type { TypeLine } from './type-lines.ts';

/** Group of each kind of change; null for a change inside a contained type. */
const CHANGE_FACETS = {
  kind: 'other',
  name: 'other',
  size: 'size',
  encoding: 'type',
  sign: 'type',
  linkage: 'other',
  tag: 'other',
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  nested: 'other',
  bitfield: 'type',
  nelems: 'type',
  type: 'type',
  value: 'value',
  hole: null,
  inside: null,
} as const;

export type ChangeKind = keyof typeof CHANGE_FACETS;

export type Change = {
  readonly what: ChangeKind;
  /** Text of the old side, not escaped; empty if the line or fact was added. */
  readonly before: string;
  readonly after: string;
  /** True if a change in a line above explains the new offset or value. */
  readonly follows?: boolean;
};

/** Returns the differences of two types that concern the whole type, not single lines. */
export function headChanges({ a: old, b: now }: Sides, a: TypeId, b: TypeId): Change[] {
  const changes: Change[] = [];
  const put = (what: ChangeKind, before: string, after: string) => {
    if (before !== after) changes.push({ what, before, after });
  };
  const kindA = kindOf(old.types, a);
  const kindB = kindOf(now.types, b);
  put('kind', kindWords(old, a), kindWords(now, b));
  put('name', nameOf(old.types, a), nameOf(now.types, b));
  if (hasSize(kindA) && hasSize(kindB)) {
    put('size', `${sizeOrTypeOf(old.types, a)}`, `${sizeOrTypeOf(now.types, b)}`);
  }
  put('tag', tagText(old, a), tagText(now, b));
  const [detail, before] = detailOf(old, a);
  if (kindA === kindB && detail !== null) put(detail, before, detailOf(now, b)[1]);
  return changes;
}

/** Returns a type's encoding, sign, linkage or array length as text, and the kind of its change. */
function detailOf({ types }: Side, id: TypeId): readonly [ChangeKind | null, string] {
  switch (kindOf(types, id)) {
    case BtfKind.INT:
      return ['encoding', intText(types, id)];
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return ['sign', kindFlagOf(types, id) ? 'signed' : 'unsigned'];
    case BtfKind.FUNC:
      return ['linkage', `${vlenOf(types, id)}`];
    case BtfKind.VAR:
      return ['linkage', `${varLinkage(types, id)}`];
    case BtfKind.ARRAY:
      return ['nelems', `${arrayData(types, id).nelems}`];
    default:
      return [null, ''];
  }
}

/** Returns the distance from a line's old position, in bits, parameters or enumerator values. */
export function shiftOf(a: TypeLine, b: TypeLine): number {
  if (a.role === 'param') return b.index - a.index;
  if (a.value !== null && b.value !== null) return Number(b.value - a.value);
  return (b.bitOffset ?? 0) - (a.bitOffset ?? 0);
}

/** Returns the differences of a line that exists on both sides. */
export function lineChanges(
  graph: PairGraph,
  a: TypeLine,
  b: TypeLine,
  around: {
    /** True if the line is in the same anonymous type as before, or in none on both sides. */
    readonly isContainerKept: boolean;
    /** True if a change in a line above explains the line's new position. */
    readonly isMoveExplained: boolean;
  },
): Change[] {
  const { a: old, b: now } = graph.sides;
  const changes: Change[] = [];
  const put = (what: ChangeKind, before: unknown, after: unknown, more = {}) =>
    changes.push({ what, before: `${before}`, after: `${after}`, ...more });
  const { isContainerKept, isMoveExplained: follows } = around;
  if (a.nameId !== b.nameId) put('renamed', lineName(old, a), lineName(now, b));
  if (a.value !== b.value) put('value', a.value, b.value, { follows });
  if (a.bitfieldSize !== b.bitfieldSize) put('bitfield', a.bitfieldSize, b.bitfieldSize);
  if (a.size !== b.size) put('size', a.size, b.size);
  append(changes, referenceChanges(graph, a, b));
  if (a.value === null && shiftOf(a, b) !== 0) {
    put('moved', linePlace(a), linePlace(b), { follows });
  }
  if (!isContainerKept) put('nested', '', '');
  return changes;
}

function referenceChanges(graph: PairGraph, a: TypeLine, b: TypeLine): Change[] {
  if (a.type === null || b.type === null) return [];
  // The members of an opened anonymous type are compared as separate lines.
  if (a.opens !== null && b.opens !== null) {
    const before = kindName(kindOf(graph.sides.a.types, a.opens)).toLowerCase();
    const after = kindName(kindOf(graph.sides.b.types, b.opens)).toLowerCase();
    return before === after ? [] : [{ what: 'type', before, after }];
  }
  if (graph.isSameReference(a.type, b.type)) {
    return graph.isChangedInside(a.type, b.type) ? [insideChange(graph, a.type, b.type)] : [];
  }
  return [typeChange(graph, a.type, b.type)];
}

/** Returns a change inside, with both texts of the integer that causes it, such as `char`. */
function insideChange(graph: PairGraph, a: TypeId, b: TypeId): Change {
  const { a: old, b: now } = graph.sides;
  const cause = graph.causeOf(a, b) ?? { a, b };
  const areInts =
    kindOf(old.types, cause.a) === BtfKind.INT && kindOf(now.types, cause.b) === BtfKind.INT;
  if (!areInts) return { what: 'inside', before: '', after: '' };
  const before = `${nameOf(old.types, cause.a)}: ${intText(old.types, cause.a)}`;
  return { what: 'inside', before, after: intText(now.types, cause.b) };
}

/** Returns the change of a referenced type: array length, integer sign, or the whole type. */
function typeChange({ sides }: PairGraph, a: TypeId, b: TypeId): Change {
  const { a: old, b: now } = sides;
  const texts = { before: typeExpression(old.types, a), after: typeExpression(now.types, b) };
  if (kindOf(old.types, a) === BtfKind.ARRAY && kindOf(now.types, b) === BtfKind.ARRAY) {
    const before = arrayData(old.types, a);
    const after = arrayData(now.types, b);
    const key = old.keyOf(before.elemType);
    if (
      before.nelems !== after.nelems &&
      key === now.keyOf(after.elemType) &&
      key !== NoKey.unkeyed
    ) {
      return { what: 'nelems', before: `${before.nelems}`, after: `${after.nelems}` };
    }
  }
  if (kindOf(old.types, a) === BtfKind.INT && kindOf(now.types, b) === BtfKind.INT) {
    const sameSize = sizeOrTypeOf(old.types, a) === sizeOrTypeOf(now.types, b);
    if (sameSize && isSigned(old, a) !== isSigned(now, b)) return { what: 'sign', ...texts };
  }
  return { what: 'type', ...texts };
}

function isSigned(side: Side, id: TypeId): boolean {
  return (intData(side.types, id).encoding & IntEncoding.SIGNED) !== 0;
}

/** Returns the name of a line; without a name, the text of its anonymous type. Not escaped. */
export function lineName(side: Side, line: TypeLine): string {
  return line.nameOff === 0 ? '' : stringAt(side.types, line.nameOff);
}

function kindWords({ types }: Side, id: TypeId): string {
  const kind = kindOf(types, id);
  if (kind === 0) return 'void';
  if (kind === BtfKind.FWD)
    return kindFlagOf(types, id) ? 'union declaration' : 'struct declaration';
  return kindName(kind).toLowerCase();
}

function tagText(side: Side, id: TypeId): string {
  return side
    .tagsOf(id)
    .map(({ nameOff, componentIdx }) => {
      const name = stringAt(side.types, nameOff);
      return componentIdx < 0 ? name : `${name} on #${componentIdx}`;
    })
    .sort()
    .join(', ');
}

function intText(types: TypeTable, id: TypeId): string {
  const { encoding, bits, bitOffset } = intData(types, id);
  const words = ['unsigned', 'signed', 'char', 'signed char', 'bool'];
  const at = bitOffset === 0 ? '' : ` at bit ${bitOffset}`;
  return `${words[encoding] ?? `encoding ${encoding}`}, ${bits} bits${at}`;
}

export const FACETS = [
  'size',
  'added',
  'removed',
  'renamed',
  'moved',
  'type',
  'value',
  'other',
] as const;
export type Facet = (typeof FACETS)[number];

/** Returns the number of changes per group, in the order of `FACETS`. */
export function facetCounts({ head, lines }: TypeComparison): number[] {
  const counts = FACETS.map(() => 0);
  const count = (what: ChangeKind) => {
    const facet: Facet | null = CHANGE_FACETS[what];
    const at = facet === null ? -1 : FACETS.indexOf(facet);
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  };
  for (const { what } of head) count(what);
  for (const { a, b, changes } of lines) {
    const line = b ?? a;
    const isMember = line !== null && line.role !== 'hole' && !isContainer(line);
    for (const { what } of changes) if (isMember || !MEMBER_CHANGES.has(what)) count(what);
  }
  return counts;
}

/** Changes that count members: an anonymous struct or union and a hole are no members. */
const MEMBER_CHANGES: ReadonlySet<ChangeKind> = new Set(['added', 'removed', 'moved', 'nested']);

/** Returns true for the line of an anonymous struct or union, which has members but no name. */
function isContainer({ opens, nameOff, role }: TypeLine): boolean {
  return role === 'member' && opens !== null && nameOff === 0;
}

/** Returns the weight of a change for sorting: 1 per changed line; explained moves add 1 in all. */
export function changeWeight({ head, lines }: TypeComparison): number {
  let weight = head.length;
  let follows = 0;
  for (const { changes } of lines) {
    const direct = changes.filter(({ what }) => what !== 'inside' && what !== 'hole');
    if (direct.some((change) => change.follows !== true)) weight++;
    else if (direct.length > 0) follows = 1;
  }
  return weight + follows;
}
