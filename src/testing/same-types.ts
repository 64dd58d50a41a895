/** Compares the types in a link with the types from which the link was made. */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import {
  enumeratorsOf,
  isComposite,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

type Pair = readonly [TypeId, TypeId];

/**
 * Compares the types that `root` and `carried` reach. Returns the first difference, or null. If the
 * link has only the declaration of a type, the declaration must be right.
 */
export function firstUnlike(
  t: TypeTable,
  root: TypeId,
  link: TypeTable,
  carried: TypeId,
): string | null {
  const open: Pair[] = [[root, carried]];
  const seen = new Set<string>();
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (seen.has(`${a} ${b}`)) continue;
    seen.add(`${a} ${b}`);
    const [one, other] = [factsOf(t, a), factsOf(link, b)];
    if (isDeclarationOf(t, a, link, b)) continue;
    if (one.words !== other.words) return `${one.words} is carried as ${other.words}`;
    for (const [i, ref] of one.refs.entries()) {
      const there = other.refs[i];
      if (there === undefined) return `${one.words} lost a reference`;
      open.push([ref, there]);
    }
  }
  return null;
}

function isDeclarationOf(t: TypeTable, a: TypeId, link: TypeTable, b: TypeId): boolean {
  if (nameOf(t, a) !== nameOf(link, b) || nameOf(t, a) === '') return false;
  const [kind, there] = [kindOf(t, a), kindOf(link, b)];
  if (isComposite(kind) && there === BtfKind.FWD) {
    return kindFlagOf(link, b) === (kind === BtfKind.UNION);
  }
  const isEnum = kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
  return isEnum && there === kind && enumeratorsOf(link, b).length === 0;
}

/** Returns the data words of a record as text, and the type ids that it contains. */
function factsOf(t: TypeTable, id: TypeId): { words: string; refs: readonly TypeId[] } {
  const kind = kindOf(t, id);
  const { elemType, indexType, nelems } = arrayData(t, id);
  const isReference = refOf(t, id) !== null;
  const items = [
    ...membersOf(t, id).map((m) => [m.name, m.bitOffset, m.bitfieldSize, m.type] as const),
    ...paramsOf(t, id).map((p) => [p.name, 0, 0, p.type] as const),
    ...varSecinfosOf(t, id).map((v) => ['', v.offset, v.size, v.type] as const),
  ];
  const size =
    isReference || kind === BtfKind.ARRAY || kind === BtfKind.FWD ? 0 : sizeOrTypeOf(t, id);
  const { encoding, bitOffset, bits } = intData(t, id);
  return {
    words: [
      kindName(kind),
      nameOf(t, id),
      `flag ${kindFlagOf(t, id)}`,
      `size ${size}`,
      `int ${encoding} ${bitOffset} ${bits}`,
      `nelems ${nelems}`,
      ...enumeratorsOf(t, id).map((e) => `${e.name}=${e.value}`),
      ...items.map(([name, offset, size]) => `${name}@${offset}:${size}`),
    ].join(' '),
    refs: [
      ...(isReference ? [refOf(t, id) ?? id] : []),
      ...(kind === BtfKind.ARRAY ? [elemType, indexType] : []),
      ...items.map(([, , , type]) => type),
    ],
  };
}
