/**
 * Computes the size and alignment of types in bytes by libbpf's rules (`btf__pointer_size`,
 * `btf__resolve_size`, `btf__align_of`). libbpf's limits on depth do not apply.
 */
import { memoized } from '#bytes/cache.ts';
import { BtfKind, hasSize } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { isComposite, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  firstAtHand,
  isModifier,
  kindOf,
  lastId,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { LoopGuard } from './loop-guard.ts';

/** Names of the INTs whose size is that of a pointer. Source: determine_ptr_size of libbpf. */
export const LONG_SPELLINGS: ReadonlySet<string> = new Set([
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

/** Returns the size of the first INT `long` with 4 or 8 bytes, base first; 0 if there is none. */
export const longSize = memoized((t: TypeTable): 4 | 8 | 0 => {
  for (let n = firstAtHand(t); n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) !== BtfKind.INT) continue;
    const size = sizeOrTypeOf(t, id);
    if ((size === 4 || size === 8) && LONG_SPELLINGS.has(nameOf(t, id))) return size;
  }
  return 0;
});

/**
 * Returns the size of a pointer by libbpf's rules (btf_parse_elf, determine_ptr_size). BTF does not
 * store the size. The class of the ELF file decides, then the base; raw BTF uses the size of
 * `long`, or 8 if there is no `long`.
 */
export function pointerSize(t: TypeTable): 4 | 8 {
  for (let table: TypeTable | null = t; table !== null; table = table.base) {
    if (table.pointerBytes !== null) return table.pointerBytes;
  }
  return longSize(t) || 8;
}

/** Returns the size that the record itself states or implies, or -1. */
function ownSize(t: TypeTable, id: TypeId, kind: number): number {
  if (hasSize(kind)) return sizeOrTypeOf(t, id);
  return kind === BtfKind.PTR ? pointerSize(t) : -1;
}

/** Returns true for kinds whose size is the size of the referenced type. */
export function takesSize(kind: number): boolean {
  return isModifier(kind) || kind === BtfKind.VAR || kind === BtfKind.DECL_TAG;
}

/** Returns the type that determines the size of an array, modifier, VAR or DECL_TAG, else null. */
function sizedBy(t: TypeTable, id: TypeId, kind: number): TypeId | null {
  if (kind === BtfKind.ARRAY) return arrayData(t, id).elemType;
  if (isModifier(kind)) return skipModifiers(t, id);
  return takesSize(kind) ? typeId(sizeOrTypeOf(t, id)) : null;
}

/** Chains with more steps than this are cached. */
const UNCACHED_STEPS = 16;

/** Limits exact sizes: the size of an array of many dimensions could have a million digits. */
const SIZE_LIMIT = 1n << 4096n;

/** Caches the sizes of the types of walks that are longer than UNCACHED_STEPS. */
const longWalkSizes = memoized((_: TypeTable) => new Map<TypeId, bigint | null>());

/**
 * Returns the size of a type in bytes, exact even beyond 2^64. Null without a size: void, FWD,
 * functions, absent ids, cycles, arrays of such types, and sizes from SIZE_LIMIT on.
 */
export function sizeOf(t: TypeTable, id: TypeId): bigint | null {
  const guard = new LoopGuard();
  const passed: TypeId[] = [];
  let size: bigint | null = null;
  for (let at = id; ; ) {
    const known = passed.length > UNCACHED_STEPS ? longWalkSizes(t).get(at) : undefined;
    if (known !== undefined) {
      size = known;
      break;
    }
    const kind = kindOf(t, at);
    const bytes = ownSize(t, at, kind);
    if (bytes >= 0) {
      size = BigInt(bytes);
      break;
    }
    const next = sizedBy(t, at, kind);
    if (next === null || guard.cameRound(at)) break;
    passed.push(at);
    at = next;
  }
  const isLong = passed.length > UNCACHED_STEPS;
  for (let at = passed.pop(); at !== undefined; at = passed.pop()) {
    if (size !== null && kindOf(t, at) === BtfKind.ARRAY) {
      size *= BigInt(arrayData(t, at).nelems);
      if (size >= SIZE_LIMIT) size = null;
    }
    if (isLong) longWalkSizes(t).set(at, size);
  }
  return size;
}

/**
 * Returns true if the size of a type is in a base that is not at hand: split BTF without its base
 * has ids of types that it does not contain.
 */
export function isSizeInBase(t: TypeTable, id: TypeId): boolean {
  const first = firstAtHand(t);
  if (first <= 1) return false;
  const guard = new LoopGuard();
  for (let at = id; ; ) {
    if (at < first) return at !== VOID;
    const next = sizedBy(t, at, kindOf(t, at));
    if (next === null || guard.cameRound(at)) return false;
    at = next;
  }
}

/** Returns the sizes of all types outside the base, rounded above 2^53; NaN if there is no size. */
export function approximateSizes(t: TypeTable): Float64Array {
  const sizes = new Float64Array(t.count).fill(NaN);
  const seen = new Uint8Array(t.count);
  const chain: number[] = [];
  for (let first = 0; first < t.count; first++) {
    let size = NaN;
    for (let index = first; ; ) {
      // The size of this type is known, or is NaN since the type is part of a cycle.
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
        size = bytes >= 0 ? bytes : Number((next === null ? null : sizeOf(t, next)) ?? NaN);
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

export const alignmentsOf = memoized((t: TypeTable) => new Alignments(t));

/**
 * Returns the natural alignment in bytes by the rules of libbpf's C printer: at most the size of a
 * pointer; 1 for a packed struct; 0 for a type that has no size or contains such a type.
 */
export function alignOf(t: TypeTable, id: TypeId): number {
  return alignmentsOf(t).of(id);
}

/** Maps every type id in a long chain to the last type of the chain. */
const longChains = memoized((_: TypeTable) => new Map<TypeId, TypeId>());

/** Returns the type that determines the alignment, after modifiers and arrays; void for a cycle. */
export function alignedThing(t: TypeTable, id: TypeId): TypeId {
  let at = id;
  for (let steps = 0; steps < UNCACHED_STEPS; steps++) {
    const next = wrapped(t, at);
    if (next === null) return at;
    at = next;
  }
  return endOfLongChain(t, id);
}

/** Returns the last type of a long chain, and caches it for every id of the chain. */
function endOfLongChain(t: TypeTable, id: TypeId): TypeId {
  const ends = longChains(t);
  const path: TypeId[] = [];
  let at = id;
  let end = ends.get(at);
  while (end === undefined) {
    path.push(at);
    // A walk that comes back to `at` is in a cycle.
    ends.set(at, VOID);
    const next = wrapped(t, at);
    end = next === null ? at : ends.get(next);
    at = next ?? at;
  }
  for (const passed of path) ends.set(passed, end);
  return end;
}

/** Returns the target of a modifier or the element of an array, or null for other kinds. */
function wrapped(t: TypeTable, id: TypeId): TypeId | null {
  const kind = kindOf(t, id);
  if (kind === BtfKind.ARRAY) return arrayData(t, id).elemType;
  return isModifier(kind) ? typeId(sizeOrTypeOf(t, id)) : null;
}

function scalarAlign(t: TypeTable, id: TypeId): number {
  const kind = kindOf(t, id);
  if (kind === BtfKind.DATASEC) return 0;
  return Math.min(pointerSize(t), Math.max(0, ownSize(t, id, kind)));
}

type Frame = { readonly id: TypeId; index: number; max: number };

class Alignments {
  readonly #types: TypeTable;
  readonly #firstId: number;
  /** Alignment + 1 by type, from the first loaded id on; 0 for an unknown alignment. */
  readonly #known: Uint8Array;

  constructor(types: TypeTable) {
    this.#types = types;
    this.#firstId = firstAtHand(types);
    this.#known = new Uint8Array(lastId(types) - this.#firstId + 1);
  }

  /** Returns the alignment of a type, as `alignOf` does. */
  of(id: number): number {
    const known = this.#known[id - this.#firstId] ?? 0;
    return known === 0 ? this.#find(typeId(id)) : known - 1;
  }

  #find(id: TypeId): number {
    const at = alignedThing(this.#types, id);
    if (this.#alignOfThing(at) === null) this.#findComposite(at);
    const align = this.#alignOfThing(at) ?? 0;
    this.#keep(id, align);
    return align;
  }

  #keep(id: TypeId, align: number): void {
    this.#known[id - this.#firstId] = align + 1;
  }

  /** Computes the alignment of nested structs. Uses no recursion: the depth is unlimited. */
  #findComposite(root: TypeId): void {
    const stack: Frame[] = [{ id: root, index: 0, max: 1 }];
    // Store 0 first, as for a type without a size: the struct may contain itself.
    this.#keep(root, 0);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const result = this.#alignSoFar(frame);
      if (typeof result === 'number') {
        this.#keep(frame.id, result);
        stack.pop();
      } else {
        this.#keep(result.descend, 0);
        stack.push({ id: result.descend, index: 0, max: 1 });
      }
    }
  }

  #alignSoFar(frame: Frame): number | { readonly descend: TypeId } {
    const members = readMembers(this.#types, frame.id);
    for (; frame.index < members.count; frame.index++) {
      const type = members.type(frame.index);
      const known = this.#known[type - this.#firstId] ?? 0;
      let align = known - 1;
      if (known === 0) {
        const at = alignedThing(this.#types, type);
        const found = this.#alignOfThing(at);
        if (found === null) return { descend: at };
        align = found;
      }
      if (align === 0) return 0;
      frame.max = Math.max(frame.max, align);
      const isBitfield = members.bitfieldSize(frame.index) !== 0;
      if (!isBitfield && members.bitOffset(frame.index) % (8 * align) !== 0) return 1;
    }
    return sizeOrTypeOf(this.#types, frame.id) % frame.max === 0 ? frame.max : 1;
  }

  /** Returns the alignment of an `alignedThing`, or null for a composite that is not cached. */
  #alignOfThing(at: TypeId): number | null {
    const known = this.#known[at - this.#firstId] ?? 0;
    if (known !== 0) return known - 1;
    if (isComposite(kindOf(this.#types, at))) return null;
    const align = scalarAlign(this.#types, at);
    this.#keep(at, align);
    return align;
  }
}
