/**
 * The types of a table and its bases as pahole 1.24 loads them.
 *
 * In: a `TypeTable`. Out: one run of words for all records and one text for all
 * names, read by index. A character of a name is a byte of it. Left out on
 * purpose, as pahole has no type under these ids: FUNC, VAR and DATASEC (it keeps
 * them elsewhere, or not at all), and DECL_TAG, TYPE_TAG and what came later (it
 * says "Unknown kind" and goes on).
 */
import { BTF_TYPE_SIZE, BtfKind, infoKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import { byteText } from './text.ts';

/** Words of `struct btf_type`: what follows the record's head begins here. */
export const HEAD_WORDS = BTF_TYPE_SIZE / 4;

/** Words of a `struct btf_member` and of a `struct btf_param`. */
export const MEMBER_WORDS = 3;
export const PARAM_WORDS = 2;

const LOADED: ReadonlySet<number> = new Set([
  BtfKind.INT,
  BtfKind.PTR,
  BtfKind.ARRAY,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.FWD,
  BtfKind.TYPEDEF,
  BtfKind.VOLATILE,
  BtfKind.CONST,
  BtfKind.RESTRICT,
  BtfKind.FUNC_PROTO,
  BtfKind.FLOAT,
  BtfKind.ENUM64,
]);

/** By kind: the kind, or 0 where pahole has no type for it. */
const LOADED_KINDS = Uint8Array.from({ length: 128 }, (_, kind) => (LOADED.has(kind) ? kind : 0));

const IS_LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

export class Records {
  /** Ids run from `first` to `last`; without the base of a split BTF, `first` is over 1. */
  readonly first: number;
  readonly last: number;
  /** All records, one after the other. */
  readonly words: Uint32Array;
  /** All strings, with their NULs. */
  readonly #names: string;
  /** Offset of the first of them. */
  readonly #namesFirst: number;
  readonly #kinds: Uint8Array;
  readonly #starts: Uint32Array;
  /** Number of kinds and starts. */
  readonly #count: number;

  constructor(t: TypeTable) {
    const tables: TypeTable[] = [];
    for (let table: TypeTable | null = t; table !== null; table = table.base) tables.unshift(table);
    const lowest = tables[0] ?? t;
    this.first = lowest.firstId;
    this.last = t.firstId + t.count - 1;
    this.#namesFirst = lowest.strBase;
    this.#names = joinedNames(tables, lowest);
    this.#count = this.last - this.first + 1;
    this.#kinds = new Uint8Array(this.#count);
    this.#starts = new Uint32Array(this.#count);
    const inPlace = tables.length === 1 ? wordsInPlace(t) : null;
    this.words =
      inPlace ?? new Uint32Array(tables.reduce((sum, table) => sum + wordCount(table), 0));
    if (inPlace !== null) this.#index(t);
    else {
      let end = 0;
      for (const table of tables) end = this.#copy(table, end);
    }
  }

  #index({ recordOff, count }: TypeTable): void {
    const { words } = this;
    const kinds = this.#kinds;
    const starts = this.#starts;
    const from = recordOff[0] ?? 0;
    for (let i = 0; i < count; i++) {
      const start = ((recordOff[i] ?? 0) - from) >> 2;
      starts[i] = start;
      kinds[i] = LOADED_KINDS[infoKind(words[start + 1] ?? 0)] ?? 0;
    }
  }

  #copy(t: TypeTable, end: number): number {
    const view = new DataView(t.blob.buffer, t.blob.byteOffset, t.blob.byteLength);
    const little = t.endian === 'little';
    const { words } = this;
    const kinds = this.#kinds;
    const starts = this.#starts;
    let to = end;
    for (let i = 0; i < t.count; i++) {
      const from = t.recordOff[i] ?? 0;
      const index = t.firstId - this.first + i;
      kinds[index] = LOADED_KINDS[infoKind(view.getUint32(from + 4, little))] ?? 0;
      starts[index] = to;
      const stop = (t.recordOff[i + 1] ?? 0) - 3;
      for (let at = from; at < stop; at += 4) words[to++] = view.getUint32(at, little);
    }
    return to;
  }

  /** BTF_KIND_*; 0 for void and where pahole has no type. */
  kind(id: number): number {
    const index = id - this.first;
    return index >= 0 && index < this.#count ? (this.#kinds[index] ?? 0) : 0;
  }

  /** Index in `words` of the record; only for ids whose kind is not 0. */
  start(id: number): number {
    return this.#starts[id - this.first] ?? 0;
  }

  /** The name of a type that is there, a byte a character; null when it has none. */
  name(id: number): string | null {
    return this.nameAt(this.start(id));
  }

  /** The name whose `name_off` stands at `words[at]`; null for offset 0, and one outside the strings. */
  nameAt(at: number): string | null {
    const nameOff = this.words[at] ?? 0;
    const start = nameOff - this.#namesFirst;
    if (nameOff === 0 || start < 0 || start >= this.#names.length) return null;
    const end = this.#names.indexOf('\0', start);
    return this.#names.slice(start, end < 0 ? this.#names.length : end);
  }

  /** Has the type a name? */
  isNamed(id: number): boolean {
    const nameOff = this.words[this.start(id)] ?? 0;
    const start = nameOff - this.#namesFirst;
    return nameOff !== 0 && start >= 0 && start < this.#names.length;
  }

  kindFlag(id: number): boolean {
    return infoKindFlag(this.words[this.start(id) + 1] ?? 0);
  }

  /** Number of members, enumerators or parameters. A FWD has none, whatever its record says. */
  vlen(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : infoVlen(this.words[this.start(id) + 1] ?? 0);
  }

  /** The third word of a type with a `size`. A FWD has none. */
  size(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : (this.words[this.start(id) + 2] ?? 0);
  }

  /** The type that a record refers to, by its third word or as an ARRAY; only for kinds that do. */
  refOf(id: number): number {
    const at = this.start(id);
    return this.words[this.kind(id) === BtfKind.ARRAY ? at + HEAD_WORDS : at + 2] ?? 0;
  }

  /** Number of elements of an ARRAY. */
  nelems(id: number): number {
    return this.words[this.start(id) + HEAD_WORDS + 2] ?? 0;
  }

  /** A type that is there and refers to its own id. */
  refersToItself(id: number): boolean {
    switch (this.kind(id)) {
      case BtfKind.PTR:
      case BtfKind.ARRAY:
      case BtfKind.TYPEDEF:
      case BtfKind.VOLATILE:
      case BtfKind.CONST:
      case BtfKind.RESTRICT:
      case BtfKind.FUNC_PROTO:
        return this.refOf(id) === id;
      default:
        return false;
    }
  }

  /** What pahole calls a type of this id: `struct`, `union` or `enum`; null for all others. */
  keyword(id: number): Keyword | null {
    switch (this.kind(id)) {
      case BtfKind.STRUCT:
        return 'struct';
      case BtfKind.UNION:
        return 'union';
      case BtfKind.FWD:
        return this.kindFlag(id) ? 'union' : 'struct';
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return 'enum';
      default:
        return null;
    }
  }
}

export type Keyword = 'struct' | 'union' | 'enum';

function wordCount(t: TypeTable): number {
  return Math.ceil(((t.recordOff[t.count] ?? 0) - (t.recordOff[0] ?? 0)) / 4);
}

/** The records as they lie in the blob; null where that is not in words of this machine. */
function wordsInPlace(t: TypeTable): Uint32Array | null {
  const { recordOff, count, blob } = t;
  const from = recordOff[0] ?? 0;
  const start = blob.byteOffset + from;
  if (start % 4 !== 0 || (t.endian === 'little') !== IS_LITTLE) return null;
  // Records of unknown kinds may be of any length.
  let lengths = 0;
  for (let i = 0; i <= count; i++) lengths |= (recordOff[i] ?? 0) - from;
  if ((lengths & 3) !== 0) return null;
  return new Uint32Array(blob.buffer, start, ((recordOff[count] ?? 0) - from) >> 2);
}

function joinedNames(tables: readonly TypeTable[], lowest: TypeTable): string {
  let names = '';
  for (const t of tables) {
    const start = t.strBase - lowest.strBase;
    names = names.slice(0, start) + byteText(t.blob.subarray(t.strStart, t.strEnd));
  }
  return names;
}
