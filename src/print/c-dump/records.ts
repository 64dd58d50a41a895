/**
 * The records of a table and its bases as one run of words, with what a C dump asks of them.
 * Word `at[id] + n` is word n of the record of `id`; the walk that made the table has
 * checked that the record with all items that its `vlen` counts is there.
 */
import { alignmentsOf, pointerSize, takesSize } from '#analysis/types/sizes.ts';
import { oncePer } from '#bytes/keep.ts';
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

/** By id; kinds are 0 for void, `NO_TYPE` for ids below the first that is at hand. */
export type Records = JoinedWords & {
  readonly types: TypeTable;
  /** Ids run from 1 to this one. */
  readonly lastId: number;
  readonly alignments: ReturnType<typeof alignmentsOf>;
  /** Types that are written as one with the items of all; none in what bpftool writes. */
  readonly joined?: JoinedTypes;
};

export type JoinedTypes = {
  /** By the id of each but the first: the first. */
  readonly first: ReadonlyMap<number, number>;
  /** By the id of the first: all. */
  readonly all: ReadonlyMap<number, readonly number[]>;
};

/** The id under which `id` is written. */
export function firstOf({ joined }: Records, id: number): number {
  return joined?.first.get(id) ?? id;
}

/** All that is written under `id`. */
export function partsOf({ joined }: Records, id: number): readonly number[] {
  return joined?.all.get(id) ?? [id];
}

/** What `kinds` has for an id without a record; kinds of BTF have 7 bits. */
export const NO_TYPE = 255;

/** Words of `struct btf_type`; what else a record has comes after them. */
export const ITEMS_AT = BTF_TYPE_SIZE / 4;
/** Words of an item. */
export const MEMBER = BTF_MEMBER.size / 4;
export const PARAM = BTF_PARAM.size / 4;
export const ENUMERATOR = BTF_ENUM.size / 4;
export const ENUMERATOR64 = BTF_ENUM64.size / 4;

/** The records of `t` and its bases; made once for each table. */
export const recordsOf = oncePer(
  (t: TypeTable): Records => ({
    types: t,
    lastId: lastId(t),
    alignments: alignmentsOf(t),
    ...joinedWords(t, 0, NO_TYPE),
  }),
);

/** BTF_KIND_* of `id`; `NO_TYPE` where there is no record. */
export function kindAt({ kinds }: Records, id: number): number {
  return kinds[id] ?? NO_TYPE;
}

/** Word `n` of the record of `id`, which must exist. */
export function wordAt({ words, at }: Records, id: number, n: number): number {
  return words[(at[id] ?? 0) + n] ?? 0;
}

/** How the C of a type leads on: by its third word (1), as an array by its fourth (2), or not at all (0). */
const LINKS = new Uint8Array(NO_TYPE + 1);
const { PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG, ARRAY } = BtfKind;
for (const kind of [PTR, VOLATILE, CONST, RESTRICT, TYPE_TAG]) LINKS[kind] = 1;
LINKS[ARRAY] = 2;

/** The type that a PTR, a qualifier, a TYPE_TAG or an ARRAY is made of; -1 for other kinds. */
export function linkOf({ words, at, kinds }: Records, id: number): number {
  const link = LINKS[kinds[id] ?? NO_TYPE] ?? 0;
  return link === 0 ? -1 : (words[(at[id] ?? 0) + 1 + link] ?? 0);
}

/** What is written, when not all is. */
export type MemberChoice = {
  /** The struct or union of which only some members are meant; null = all types. */
  readonly type: number | null;
  /** Is item `index` (a member, of all types an enumerator too) of `id` written? */
  readonly has: (id: number, index: number) => boolean;
  /** Is the prototype `id` spelled out? Else it is void. All are, unless given. */
  readonly hasPrototype?: (id: number) => boolean;
  /** Do the others leave their room behind? */
  readonly isPadded: boolean;
};

/** The choice, where it is one of items of `id`. */
export function choiceFor(choice: MemberChoice | null, id: number): MemberChoice | null {
  return choice !== null && (choice.type === null || choice.type === id) ? choice : null;
}

/** Is item `index` of `id` to be left out? */
export function isLeftOut(choice: MemberChoice | null, id: number, index: number): boolean {
  return choice !== null && choiceFor(choice, id)?.has(id, index) === false;
}

/** The same for the reference of a record at `place`, an index in `words`. */
export function isReferenceLeftOut(
  records: Records,
  choice: MemberChoice,
  id: number,
  place: number,
): boolean {
  const item = place - (records.at[id] ?? 0) - ITEMS_AT;
  return isComposite(kindAt(records, id)) && isLeftOut(choice, id, Math.floor(item / MEMBER));
}

/** Is `id` a prototype that is written as void? */
export function isPrototypeLeftOut(choice: MemberChoice | null, id: number): boolean {
  return choice?.hasPrototype?.(id) === false;
}

/**
 * Sizes and packing as libbpf's C printer works them out, for every member of a kernel.
 *
 * In: records as words. Out: 32-bit numbers, as the C code has them, so that sizes
 * beyond them come out as they do there. `analysis/types/sizes.ts` has them exactly.
 *
 * Source: libbpf, `btf__align_of`, `btf__resolve_size`, `btf_is_struct_packed`.
 */

/** Modifiers and array dimensions that `btf__resolve_size` follows before it gives up. */
const MAX_RESOLVE_DEPTH = 32;

/** Bytes of a type, 0 for what has none or too many for 32 bits. */
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
      if (nelems > 0xffffffff) return 0;
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
  return bytes > 0xffffffff ? 0 : bytes;
}

/**
 * Does the layout of a struct or union, with its members or the `choice` of them, contradict natural
 * alignment, so that it must have been packed? Only members that have a size count.
 */
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
    // With kind_flag the width of a bit-field is in the top byte.
    const isBitfield = kindFlag && offset >>> 24 !== 0;
    if (align !== 0 && !isBitfield && offset % (8 * align) !== 0) return true;
    max = Math.max(max, align);
  }
  return (words[start + 2] ?? 0) % max !== 0;
}
