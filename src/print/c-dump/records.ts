/** Records of a table and its bases as one array: word n of `id` is `words[at[id] + n]`. */
import { alignmentsOf, pointerSize, takesSize } from '#analysis/types/sizes.ts';
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { memoized } from '#bytes/cache.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_MEMBER,
  BTF_PARAM,
  BTF_TYPE_SIZE,
  BtfKind,
  hasSize,
  infoKindFlag,
  infoVlen,
} from '#formats/btf/kinds.ts';
import { type JoinedWords, joinedWords } from '#model/joined-words.ts';
import { isComposite } from '#model/type-items.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** Words of the records by id. Void has kind 0, ids below the first table have `NO_TYPE`. */
export type Records = JoinedWords & {
  readonly types: TypeTable;
  /** The last id; ids start at 1. */
  readonly lastId: number;
  readonly alignments: ReturnType<typeof alignmentsOf>;
  /** Groups of types that are written as one type with the items of all. bpftool groups none. */
  readonly joined?: JoinedTypes;
};

export type JoinedTypes = {
  /** By id of a type in a group: the first id of the group. */
  readonly first: ReadonlyMap<number, number>;
  /** By first id of a group: the ids of all its types. */
  readonly all: ReadonlyMap<number, readonly number[]>;
};

/** Returns the first id of the group of `id`; `id` itself if it has no group. */
export function firstOf({ joined }: Records, id: number): number {
  return joined?.first.get(id) ?? id;
}

/** Returns the ids of the types in the group of `id`; only `id` if it has no group. */
export function partsOf({ joined }: Records, id: number): readonly number[] {
  return joined?.all.get(id) ?? [id];
}

/** Kind of an id without a record. It differs from all kinds of BTF, which have 7 bits. */
export const NO_TYPE = 255;

/** Index of the first item in a record: the words of `struct btf_type` come before. */
export const ITEMS_AT = BTF_TYPE_SIZE / 4;
/** Number of words of one member, enumerator or parameter. */
export const MEMBER = BTF_MEMBER.size / 4;
export const PARAM = BTF_PARAM.size / 4;
export const ENUMERATOR = BTF_ENUM.size / 4;
export const ENUMERATOR64 = BTF_ENUM64.size / 4;

/** Returns the records of `t` and its bases. Computes them once per table. */
export const recordsOf = memoized(
  (t: TypeTable): Records => ({
    types: t,
    lastId: lastId(t),
    alignments: alignmentsOf(t),
    ...joinedWords(t, 0, NO_TYPE),
  }),
);

/** Returns the BTF_KIND_* of `id`; `NO_TYPE` if `id` has no record. */
export function kindAt({ kinds }: Records, id: number): number {
  return kinds[id] ?? NO_TYPE;
}

/** Returns word `n` of the record of `id`. The record must exist. */
export function wordAt({ words, at }: Records, id: number, n: number): number {
  return words[(at[id] ?? 0) + n] ?? 0;
}

/** By kind, the place of the target's id: 1 = third word, 2 = fourth word, 0 = no target. */
const LINKS = new Uint8Array(NO_TYPE + 1);
const { PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG, ARRAY } = BtfKind;
for (const kind of [PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG]) LINKS[kind] = 1;
LINKS[ARRAY] = 2;

/** Returns the target of a PTR, qualifier, TYPE_TAG or ARRAY; -1 for other kinds. */
export function linkOf({ words, at, kinds }: Records, id: number): number {
  const link = LINKS[kinds[id] ?? NO_TYPE] ?? 0;
  return link === 0 ? -1 : (words[(at[id] ?? 0) + 1 + link] ?? 0);
}

/** A choice of the members and enumerators to write. */
export type MemberChoice = {
  /** The struct or union to which the choice applies; null = it applies to all types. */
  readonly type: number | null;
  /** Returns true if item `index` of `id` is written (an enumerator only if `type` is null). */
  readonly has: (id: number, index: number) => boolean;
  /** Returns true if prototype `id` is written, false if it is replaced by void. Default: true. */
  readonly hasPrototype?: (id: number) => boolean;
  /** True if padding replaces omitted members. */
  readonly isPadded: boolean;
};

/** Returns the choice if it applies to type `id`, otherwise null. */
export function choiceFor(choice: MemberChoice | null, id: number): MemberChoice | null {
  return choice !== null && (choice.type === null || choice.type === id) ? choice : null;
}

/** Returns true if item `index` of `id` is omitted. */
export function isLeftOut(choice: MemberChoice | null, id: number, index: number): boolean {
  return choice !== null && choiceFor(choice, id)?.has(id, index) === false;
}

/** Returns true if the item whose reference is at `place` in `words` is omitted. */
export function isReferenceLeftOut(
  records: Records,
  choice: MemberChoice,
  id: number,
  place: number,
): boolean {
  const item = place - (records.at[id] ?? 0) - ITEMS_AT;
  return isComposite(kindAt(records, id)) && isLeftOut(choice, id, Math.floor(item / MEMBER));
}

/** Returns true if void replaces prototype `id`. */
export function isPrototypeLeftOut(choice: MemberChoice | null, id: number): boolean {
  return choice?.hasPrototype?.(id) === false;
}

/** Sizes and packing in 32 bits, as in libbpf's `btf__align_of`, `btf_is_struct_packed`. */

/** Number of modifiers and arrays after which `btf__resolve_size` gives up. */
const MAX_RESOLVE_DEPTH = 32;

/** Returns the size of a type in bytes; 0 for a type without a size, or above 32 bits. */
export function sizeAt(records: Records, id: number): number {
  const { words, at, types } = records;
  let nelems = 1;
  let type = id;
  for (let depth = 0; depth < MAX_RESOLVE_DEPTH; depth++) {
    const place = at[type] ?? 0;
    const kind = kindAt(records, type);
    if (hasSize(kind)) return total(nelems, words[place + 2] ?? 0);
    if (kind === BtfKind.PTR) return total(nelems, pointerSize(types));
    if (kind === BtfKind.ARRAY) {
      nelems *= words[place + 5] ?? 0;
      if (nelems > MAX_U32) return 0;
      type = words[place + 3] ?? 0;
    } else if (takesSize(kind)) {
      type = words[place + 2] ?? 0;
    } else {
      return 0;
    }
  }
  return 0;
}

function total(nelems: number, size: number): number {
  const bytes = nelems * size;
  return bytes > MAX_U32 ? 0 : bytes;
}

/** Returns true if a struct or union, with only the members of `choice`, needs `packed`. */
export function isPacked(records: Records, id: number, choice: MemberChoice | null): boolean {
  const { words, at, alignments } = records;
  const start = at[id] ?? 0;
  const info = words[start + 1] ?? 0;
  const vlen = infoVlen(info);
  const kindFlag = infoKindFlag(info);
  let max = 1;
  for (let index = 0; index < vlen; index++) {
    if (isLeftOut(choice, id, index)) continue;
    const member = start + ITEMS_AT + MEMBER * index;
    const align = alignments.of(words[member + 1] ?? 0);
    const offset = words[member + 2] ?? 0;
    // If kind_flag is set, the top byte of the offset is the width of a bit-field.
    const isBitfield = kindFlag && offset >>> 24 !== 0;
    if (align !== 0 && !isBitfield && offset % (8 * align) !== 0) return true;
    max = Math.max(max, align);
  }
  return (words[start + 2] ?? 0) % max !== 0;
}
