/**
 * Sizes and alignments in bytes, by libbpf's rules (`btf__pointer_size`,
 * `btf__resolve_size`, `btf__align_of`), without its limits on depth.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, visitMembers } from '#model/type-items.ts';
import { arrayData, kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { LoopGuard } from './loop-guard.ts';

const LONG_SPELLINGS: ReadonlySet<string> = new Set([
  'long',
  'long int',
  'int long',
  'unsigned long',
  'long unsigned',
  'unsigned long int',
  'unsigned int long',
  'long unsigned int',
  'long int unsigned',
  'int unsigned long',
  'int long unsigned',
]);

const pointerSizes = new WeakMap<TypeTable, 4 | 8>();

/**
 * Bytes of a pointer. BTF does not store it: as in libbpf, the first INT that is
 * some spelling of `long` tells, the base's before our own; 8 where none does.
 */
export function pointerSize(t: TypeTable): 4 | 8 {
  let size = pointerSizes.get(t);
  if (size === undefined) {
    size = findPointerSize(t);
    pointerSizes.set(t, size);
  }
  return size;
}

function findPointerSize(t: TypeTable): 4 | 8 {
  const tables: TypeTable[] = [];
  for (let table: TypeTable | null = t; table !== null; table = table.base) tables.unshift(table);
  for (const table of tables) {
    for (let i = 0; i < table.count; i++) {
      const id = typeId(table.firstId + i);
      if (kindOf(table, id) !== BtfKind.INT) continue;
      const size = sizeOrTypeOf(table, id);
      if ((size === 4 || size === 8) && LONG_SPELLINGS.has(nameOf(table, id))) return size;
    }
  }
  return 8;
}

/** Bytes that the type itself tells, or -1. */
function ownSize(t: TypeTable, id: TypeId, kind: number): number {
  switch (kind) {
    case BtfKind.INT:
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.DATASEC:
    case BtfKind.FLOAT:
      return sizeOrTypeOf(t, id);
    case BtfKind.PTR:
      return pointerSize(t);
    default:
      return -1;
  }
}

/** The type whose size it has, or of which an array has some; null where there is no size. */
function sizedBy(t: TypeTable, id: TypeId, kind: number): TypeId | null {
  switch (kind) {
    case BtfKind.TYPEDEF:
    case BtfKind.VOLATILE:
    case BtfKind.CONST:
    case BtfKind.RESTRICT:
    case BtfKind.VAR:
    case BtfKind.DECL_TAG:
    case BtfKind.TYPE_TAG:
      return typeId(sizeOrTypeOf(t, id));
    case BtfKind.ARRAY:
      return arrayData(t, id).elemType;
    default:
      return null;
  }
}

/** Beyond this many dimensions the exact number would have a million digits. */
const MAX_DIMENSIONS = 30_000;

/**
 * Bytes of a type, exact even where arrays of arrays pass 2^64. Null for what has
 * no size: void, FWD, functions, ids that do not exist, loops, arrays of these,
 * and arrays of more than 30,000 dimensions.
 */
export function sizeOf(t: TypeTable, id: TypeId): bigint | null {
  const guard = new LoopGuard();
  const factors: bigint[] = [];
  for (let at = id; ; ) {
    const kind = kindOf(t, at);
    const bytes = ownSize(t, at, kind);
    if (bytes >= 0) return product(factors) * BigInt(bytes);
    const next = sizedBy(t, at, kind);
    if (next === null || guard.cameRound(at) || factors.length > MAX_DIMENSIONS) return null;
    if (kind === BtfKind.ARRAY) factors.push(BigInt(arrayData(t, at).nelems));
    at = next;
  }
}

/** Pairwise, so that the factors stay of like length and many of them stay cheap. */
function product(factors: readonly bigint[]): bigint {
  let level = factors;
  while (level.length > 1) {
    const halved: bigint[] = [];
    for (let i = 0; i < level.length; i += 2) halved.push((level[i] ?? 1n) * (level[i + 1] ?? 1n));
    level = halved;
  }
  return level[0] ?? 1n;
}

/**
 * Bytes of every own type, `NaN` for what has no size. For sorting: numbers above
 * 2^53 are rounded. One pass, however deep the types refer to each other.
 */
export function approximateSizes(t: TypeTable): Float64Array {
  const sizes = new Float64Array(t.count).fill(NaN);
  const seen = new Uint8Array(t.count);
  const chain: number[] = [];
  for (let first = 0; first < t.count; first++) {
    let size = NaN;
    for (let index = first; ; ) {
      // Known by now, or in a loop: then it still is NaN.
      if (seen[index] === 1) {
        size = sizes[index] ?? NaN;
        break;
      }
      seen[index] = 1;
      chain.push(index);
      const id = typeId(t.firstId + index);
      const kind = kindOf(t, id);
      const bytes = ownSize(t, id, kind);
      const next = bytes >= 0 ? null : sizedBy(t, id, kind);
      if (next === null || next < t.firstId || next >= t.firstId + t.count) {
        size = bytes >= 0 ? bytes : numberOr(next === null ? null : sizeOf(t, next), NaN);
        break;
      }
      index = next - t.firstId;
    }
    for (let index = chain.pop(); index !== undefined; index = chain.pop()) {
      const id = typeId(t.firstId + index);
      if (kindOf(t, id) === BtfKind.ARRAY) size *= arrayData(t, id).nelems;
      sizes[index] = size;
    }
  }
  return sizes;
}

function numberOr(n: bigint | null, otherwise: number): number {
  return n === null ? otherwise : Number(n);
}

const alignments = new WeakMap<TypeTable, Map<TypeId, number>>();

/**
 * Natural alignment in bytes as libbpf's C printer counts it: at most that of a
 * pointer, 1 for a struct that must have been packed, 0 for what has no size
 * (a struct that holds such a thing included).
 */
export function alignOf(t: TypeTable, id: TypeId): number {
  let known = alignments.get(t);
  if (known === undefined) {
    known = new Map();
    alignments.set(t, known);
  }
  const at = alignedThing(t, id);
  if (!isComposite(kindOf(t, at))) return scalarAlign(t, at);
  return known.get(at) ?? compositeAlign(t, at, known);
}

/** Follows modifiers and arrays to the type whose alignment counts; void when they lead in a circle. */
function alignedThing(t: TypeTable, id: TypeId): TypeId {
  const guard = new LoopGuard();
  for (let at = id; ; ) {
    if (guard.cameRound(at)) return typeId(0);
    switch (kindOf(t, at)) {
      case BtfKind.TYPEDEF:
      case BtfKind.VOLATILE:
      case BtfKind.CONST:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        at = typeId(sizeOrTypeOf(t, at));
        break;
      case BtfKind.ARRAY:
        at = arrayData(t, at).elemType;
        break;
      default:
        return at;
    }
  }
}

function scalarAlign(t: TypeTable, id: TypeId): number {
  switch (kindOf(t, id)) {
    case BtfKind.INT:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.FLOAT:
      return Math.min(pointerSize(t), sizeOrTypeOf(t, id));
    case BtfKind.PTR:
      return pointerSize(t);
    default:
      return 0;
  }
}

type Frame = { readonly id: TypeId; index: number; max: number };

/** Structs in structs: an explicit stack, since the file decides how deep they go. */
function compositeAlign(t: TypeTable, root: TypeId, known: Map<TypeId, number>): number {
  const stack: Frame[] = [{ id: root, index: 0, max: 1 }];
  // A struct that holds itself finds this 0 on its way and so has no size.
  known.set(root, 0);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const result = alignSoFar(t, frame, known);
    if (typeof result === 'number') {
      known.set(frame.id, result);
      stack.pop();
    } else {
      known.set(result.descend, 0);
      stack.push({ id: result.descend, index: 0, max: 1 });
    }
  }
  return known.get(root) ?? 0;
}

function alignSoFar(
  t: TypeTable,
  frame: Frame,
  known: ReadonlyMap<TypeId, number>,
): number | { readonly descend: TypeId } {
  let end: number | { readonly descend: TypeId } | null = null;
  visitMembers(t, frame.id, frame.index, (index, type, bitOffset, bitfieldSize) => {
    frame.index = index;
    const at = alignedThing(t, type);
    const align = isComposite(kindOf(t, at)) ? known.get(at) : scalarAlign(t, at);
    if (align === undefined) end = { descend: at };
    else if (align === 0) end = 0;
    else {
      frame.max = Math.max(frame.max, align);
      if (bitfieldSize === 0 && bitOffset % (8 * align) !== 0) end = 1;
    }
    return end === null;
  });
  if (end !== null) return end;
  return sizeOrTypeOf(t, frame.id) % frame.max === 0 ? frame.max : 1;
}
