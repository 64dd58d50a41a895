/** Records of a table and its bases as one array of words: word `at[id] + n` is word n of `id`. */
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

/** Words by id; kinds are 0 for void, `NO_TYPE` for ids below the first in the tables. */
export type Records = JoinedWords & {
  readonly types: TypeTable;
  /** Ids run from 1 to this one. */
  readonly lastId: number;
  readonly alignments: ReturnType<typeof alignmentsOf>;
  /** Types that are written as one, with the items of all; bpftool joins none. */
  readonly joined?: JoinedTypes;
};

export type JoinedTypes = {
  /** Id of the first type, by the id of each other. */
  readonly first: ReadonlyMap<number, number>;
  /** Ids of all types, by the id of the first. */
  readonly all: ReadonlyMap<number, readonly number[]>;
};

/** Returns the id that represents `id` in the text. */
export function firstOf({ joined }: Records, id: number): number {
  return joined?.first.get(id) ?? id;
}

/** Returns all types that are written as `id`. */
export function partsOf({ joined }: Records, id: number): readonly number[] {
  return joined?.all.get(id) ?? [id];
}

/** Kind of an id without a record; kinds of BTF have 7 bits. */
export const NO_TYPE = 255;

/** Words of `struct btf_type`; the items come after them. */
export const ITEMS_AT = BTF_TYPE_SIZE / 4;
/** Words of an item. */
export const MEMBER = BTF_MEMBER.size / 4;
export const PARAM = BTF_PARAM.size / 4;
export const ENUMERATOR = BTF_ENUM.size / 4;
export const ENUMERATOR64 = BTF_ENUM64.size / 4;

/** Returns the records of `t` and its bases; computed once per table. */
export const recordsOf = memoized(
  (t: TypeTable): Records => ({
    types: t,
    lastId: lastId(t),
    alignments: alignmentsOf(t),
    ...joinedWords(t, 0, NO_TYPE),
  }),
);

/** Returns BTF_KIND_* of `id`; `NO_TYPE` if it has no record. */
export function kindAt({ kinds }: Records, id: number): number {
  return kinds[id] ?? NO_TYPE;
}

/** Returns word `n` of the record of `id`, which must exist. */
export function wordAt({ words, at }: Records, id: number, n: number): number {
  return words[(at[id] ?? 0) + n] ?? 0;
}

/** Link of a type in C: its third word (1), an array's fourth (2), or none (0). */
const LINKS = new Uint8Array(NO_TYPE + 1);
const { PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG, ARRAY } = BtfKind;
for (const kind of [PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG]) LINKS[kind] = 1;
LINKS[ARRAY] = 2;

/** Returns the type under a PTR, qualifier, TYPE_TAG or ARRAY; -1 for other kinds. */
export function linkOf({ words, at, kinds }: Records, id: number): number {
  const link = LINKS[kinds[id] ?? NO_TYPE] ?? 0;
  return link === 0 ? -1 : (words[(at[id] ?? 0) + 1 + link] ?? 0);
}

/** Choice of the items to write, if not all are written. */
export type MemberChoice = {
  /** The struct or union with a choice of members; null = all types. */
  readonly type: number | null;
  /** True if item `index` of `id` is written: a member or, if all types have a choice, an enumerator. */
  readonly has: (id: number, index: number) => boolean;
  /** True if prototype `id` is spelled out, false if it is void. Default: all are spelled out. */
  readonly hasPrototype?: (id: number) => boolean;
  /** True if omitted members leave padding. */
  readonly isPadded: boolean;
};

/** Returns the choice if it applies to the items of `id`. */
export function choiceFor(choice: MemberChoice | null, id: number): MemberChoice | null {
  return choice !== null && (choice.type === null || choice.type === id) ? choice : null;
}

/** True if item `index` of `id` is omitted. */
export function isLeftOut(choice: MemberChoice | null, id: number, index: number): boolean {
  return choice !== null && choiceFor(choice, id)?.has(id, index) === false;
}

/** True if the item with the reference at `place`, an index in `words`, is omitted. */
export function isReferenceLeftOut(
  records: Records,
  choice: MemberChoice,
  id: number,
  place: number,
): boolean {
  const item = place - (records.at[id] ?? 0) - ITEMS_AT;
  return isComposite(kindAt(records, id)) && isLeftOut(choice, id, Math.floor(item / MEMBER));
}

/** True if prototype `id` is written as void. */
export function isPrototypeLeftOut(choice: MemberChoice | null, id: number): boolean {
  return choice?.hasPrototype?.(id) === false;
}

/** Sizes and packing in 32 bits, as in libbpf's `btf__align_of` and `btf_is_struct_packed`. */

/** Modifiers and array dimensions that `btf__resolve_size` follows before it gives up. */
const MAX_RESOLVE_DEPTH = 32;

/** Returns the bytes of a type; 0 for a type without a size or with one above 32 bits. */
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

/** True if a struct or union, with the `choice` of its members, must be packed for its layout. */
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
    // With kind_flag, the top byte is the width of a bit-field.
    const isBitfield = kindFlag && offset >>> 24 !== 0;
    if (align !== 0 && !isBitfield && offset % (8 * align) !== 0) return true;
    max = Math.max(max, align);
  }
  return (words[start + 2] ?? 0) % max !== 0;
}
