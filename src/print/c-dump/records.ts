/**
 * The records of a table and its bases as one run of words, for printers of whole files.
 *
 * A dump of a kernel looks at some millions of fields. Here each is one read of
 * a `Uint32Array`: the type section as it stands where the machine can read it
 * so, else a copy of it in the machine's order. Word `at[id] + n` is word n of
 * the record of `id`; the walk that made the table has proved that the record
 * with all that its `vlen` counts is there.
 */
import { BtfKind, infoKind } from '#formats/btf/kinds.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';

export type Records = {
  readonly types: TypeTable;
  /** Ids run from 1 to this one. */
  readonly lastId: number;
  readonly words: Uint32Array;
  /** Index in `words` of the record of each id. */
  readonly at: Uint32Array;
  /** BTF_KIND_* by id; 0 for void, `NO_TYPE` for ids below the first that is at hand. */
  readonly kinds: Uint8Array;
};

/** What `kinds` has for an id without a record; kinds of BTF have 7 bits. */
export const NO_TYPE = 255;

/** Words of `struct btf_type` (name_off, info, size or type); what else a record has comes after them. */
export const ITEMS_AT = 3;
/** Words of a `struct btf_member`, and of a `struct btf_enum64`. */
export const MEMBER = 3;
export const ENUMERATOR64 = 3;
/** Words of a `struct btf_param`, and of a `struct btf_enum`. */
export const PARAM = 2;
export const ENUMERATOR = 2;

const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const known = new WeakMap<TypeTable, Records>();

/** The records of `t` and its bases; made once for each table. */
export function recordsOf(t: TypeTable): Records {
  let records = known.get(t);
  if (records === undefined) {
    records = joined(t);
    known.set(t, records);
  }
  return records;
}

function joined(t: TypeTable): Records {
  const tables: TypeTable[] = [];
  for (let table: TypeTable | null = t; table !== null; table = table.base) tables.unshift(table);
  const parts = tables.map(typeWords);
  const [only] = parts;
  const words =
    only !== undefined && parts.length === 1
      ? only
      : new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  const at = new Uint32Array(lastId(t) + 1);
  const kinds = new Uint8Array(lastId(t) + 1).fill(NO_TYPE, 1, tables[0]?.firstId ?? 1);
  let start = 0;
  for (const [i, { recordOff, firstId, count }] of tables.entries()) {
    const part = parts[i] ?? new Uint32Array(0);
    if (part !== words) words.set(part, start);
    const first = recordOff[0] ?? 0;
    for (let index = 0; index < count; index++) {
      const place = start + (((recordOff[index] ?? 0) - first) >>> 2);
      at[firstId + index] = place;
      kinds[firstId + index] = infoKind(words[place + 1] ?? 0);
    }
    start += part.length;
  }
  return { types: t, lastId: lastId(t), words, at, kinds };
}

/** From the first own record to the end of the last. Their lengths are multiples of 4, their start need not be. */
function typeWords({ blob, endian, recordOff, count }: TypeTable): Uint32Array {
  const start = recordOff[0] ?? 0;
  const length = (recordOff[count] ?? start) - start;
  const aligned = (blob.byteOffset + start) % 4 === 0;
  const native = (endian === 'little') === LITTLE;
  const bytes = aligned && native ? blob : blob.slice(start, start + length);
  const offset = bytes === blob ? blob.byteOffset + start : bytes.byteOffset;
  if (native) return new Uint32Array(bytes.buffer, offset, length >>> 2);
  const view = new DataView(bytes.buffer, offset, length);
  return Uint32Array.from({ length: length >>> 2 }, (_, i) =>
    view.getUint32(4 * i, endian === 'little'),
  );
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
