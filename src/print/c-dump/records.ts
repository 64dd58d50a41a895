/**
 * The records of a table and its bases as one run of words, with what a C dump asks of them.
 * Word `at[id] + n` is word n of the record of `id`; the walk that made the table has
 * checked that the record with all items that its `vlen` counts is there.
 */
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_MEMBER,
  BTF_PARAM,
  BTF_TYPE_SIZE,
  BtfKind,
} from '#formats/btf/kinds.ts';
import { type JoinedWords, joinedWords } from '#model/joined-words.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

/** By id; kinds are 0 for void, `NO_TYPE` for ids below the first that is at hand. */
export type Records = JoinedWords & {
  readonly types: TypeTable;
  /** Ids run from 1 to this one. */
  readonly lastId: number;
};

/** What `kinds` has for an id without a record; kinds of BTF have 7 bits. */
export const NO_TYPE = 255;

/** Words of `struct btf_type`; what else a record has comes after them. */
export const ITEMS_AT = BTF_TYPE_SIZE / 4;
/** Words of an item. */
export const MEMBER = BTF_MEMBER.size / 4;
export const PARAM = BTF_PARAM.size / 4;
export const ENUMERATOR = BTF_ENUM.size / 4;
export const ENUMERATOR64 = BTF_ENUM64.size / 4;

const known = new WeakMap<TypeTable, Records>();

/** The records of `t` and its bases; made once for each table. */
export function recordsOf(t: TypeTable): Records {
  let records = known.get(t);
  if (records === undefined) {
    records = { types: t, lastId: lastId(t), ...joinedWords(t, 0, NO_TYPE) };
    known.set(t, records);
  }
  return records;
}

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
for (const kind of [
  BtfKind.PTR,
  BtfKind.VOLATILE,
  BtfKind.CONST,
  BtfKind.RESTRICT,
  BtfKind.TYPE_TAG,
]) {
  LINKS[kind] = 1;
}
LINKS[BtfKind.ARRAY] = 2;

/** The type that a PTR, a qualifier, a TYPE_TAG or an ARRAY is made of; -1 for other kinds. */
export function linkOf({ words, at, kinds }: Records, id: number): number {
  const link = LINKS[kinds[id] ?? NO_TYPE] ?? 0;
  return link === 0 ? -1 : (words[(at[id] ?? 0) + 1 + link] ?? 0);
}

/** Members of one struct or union that are meant, when not all are. */
export type MemberChoice = {
  readonly type: number;
  readonly indices: ReadonlySet<number>;
  /** Do the others leave their room behind? */
  readonly isPadded: boolean;
};

/** Is member `index` of `id` to be left out? */
export function isLeftOut(choice: MemberChoice | null, id: number, index: number): boolean {
  return choice !== null && choice.type === id && !choice.indices.has(index);
}

/** The same for the reference of a record at `place`, an index in `words`. */
export function isReferenceLeftOut(
  { at }: Records,
  choice: MemberChoice,
  id: number,
  place: number,
): boolean {
  return isLeftOut(choice, id, Math.floor((place - (at[id] ?? 0) - ITEMS_AT) / MEMBER));
}
