/** What can change between two types, and how one line of them differs. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { append } from '#bytes/append.ts';
import { hexPlace } from '#bytes/text.ts';
import { BtfKind, hasSize, kindName } from '#formats/btf/kinds.ts';
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
import type { PairGraph } from './pair-graph.ts';
import { NoKey, type Side, type Sides } from './side.ts';
import type { TypeLine } from './type-lines.ts';

/** Each kind of change, with the group that people ask for it by; null for one that is in another type. */
export const CHANGE_FACETS = {
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
  inside: null,
} as const;

export type ChangeKind = keyof typeof CHANGE_FACETS;

export type Change = {
  readonly what: ChangeKind;
  /** As it was and as it is; empty where there is nothing to say. Raw text. */
  readonly before: string;
  readonly after: string;
  /** Of a move or a value: something above it explains it, and so it is no news. */
  readonly follows?: boolean;
};

/** How the two differ as a whole, without what is in them. */
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

/** What a kind says beside name and size, and under which word a change of it goes. */
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

/** How far a line is from where it was: in bits, in parameters, or in the value of an enumerator. */
export function shiftOf(a: TypeLine, b: TypeLine): number {
  if (a.role === 'param') return b.index - a.index;
  if (a.value !== null && b.value !== null) return Number(b.value - a.value);
  return (b.bitOffset ?? 0) - (a.bitOffset ?? 0);
}

/** How a line that both have differs. */
export function lineChanges(
  graph: PairGraph,
  a: TypeLine,
  b: TypeLine,
  around: {
    /** It is in the same anonymous type as it was, or in none. */
    readonly isContainerKept: boolean;
    /** What is above tells why it stands somewhere else. */
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
    put('moved', placeWords(a), placeWords(b), { follows });
  }
  if (!isContainerKept) put('nested', '', '');
  return changes;
}

function referenceChanges(graph: PairGraph, a: TypeLine, b: TypeLine): Change[] {
  if (a.type === null || b.type === null) return [];
  // What stands in an anonymous type that is opened is told line by line.
  if (a.opens !== null && b.opens !== null) {
    const before = kindName(kindOf(graph.sides.a.types, a.opens)).toLowerCase();
    const after = kindName(kindOf(graph.sides.b.types, b.opens)).toLowerCase();
    return before === after ? [] : [{ what: 'type', before, after }];
  }
  if (graph.isSameReference(a.type, b.type)) {
    return graph.isChangedInside(a.type, b.type) ? [{ what: 'inside', before: '', after: '' }] : [];
  }
  return [typeChange(graph, a.type, b.type)];
}

/** How a reference differs: in the length of an array, in the sign of an integer, or as a whole. */
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
  return (intData(side.types, id).encoding & 1) !== 0;
}

/** The name of a line; a line without one is told by its anonymous type. Raw text. */
export function lineName(side: Side, line: TypeLine): string {
  return line.nameOff === 0 ? '' : stringAt(side.types, line.nameOff);
}

function placeWords({ role, index, bitOffset }: TypeLine): string {
  return role === 'param' ? `#${index + 1}` : hexPlace(bitOffset ?? 0);
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
