/**
 * The types of a table and its bases as a version of pahole loads them.
 *
 * In: a `TypeTable` and a dialect. Out: one run of words for all records and one text
 * for all names, read by index. A character of a name is a byte of it. Left out on
 * purpose, as pahole has no type under these ids: FUNC, VAR and DATASEC (it keeps
 * them elsewhere, or not at all), DECL_TAG (1.31 keeps its text with the function that
 * it is on, and prints no functions here), and what came later (it says "Unknown kind"
 * and goes on). The rules: btf__load_types of pahole's btf_loader.c.
 */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import {
  BTF_MEMBER,
  BTF_PARAM,
  BTF_TYPE_SIZE,
  BtfKind,
  infoKindFlag,
  infoVlen,
  thirdWordRole,
} from '#formats/btf/kinds.ts';
import { joinedWords, tablesOf } from '#model/joined-words.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import type { VersionOf } from '#print/tool-versions.ts';
import { byteText } from './text.ts';

/** Words of `struct btf_type`: what follows the record's head begins here. */
export const HEAD_WORDS = BTF_TYPE_SIZE / 4;

/** Words of a `struct btf_member` and of a `struct btf_param`. */
export const MEMBER_WORDS = BTF_MEMBER.size / 4;
export const PARAM_WORDS = BTF_PARAM.size / 4;

const { FUNC, VAR, DATASEC, DECL_TAG, TYPE_TAG, ENUM64 } = BtfKind;
const LEFT_OUT: ReadonlySet<number> = new Set([FUNC, VAR, DATASEC, DECL_TAG]);

/** What versions of pahole read or print differently. */
export type Dialect = {
  /** Is a TYPE_TAG a type, written as what it refers to? Else nothing is there. */
  readonly hasTypeTags: boolean;
  /** Are values of enumerations signed where kind_flag says so? Else none is. */
  readonly hasSignedEnums: boolean;
  /** Is all told of a struct that is a member: holes, bits and flexible arrays? Else only padding in bytes. */
  readonly tellsOfMembers: boolean;
  /**
   * Is an alignment inferred for a member without bytes too, and after a bit-field from the bytes that
   * its bits reach into? Else not, and from all bytes of its type.
   */
  readonly infersFromBits: boolean;
  /**
   * Is a hole an int, so that overlapping members have none? Else it has 16 bits without a sign. Read in
   * the source after 1.31 (struct class_member); no text of 1.31 shows it.
   */
  readonly hasSignedHoles: boolean;
  /**
   * Is the name written after a union without a tag that is behind a `const`? Else it is lost. Read in
   * the source after 1.31 (union_decl__fprintf); no text of 1.31 shows it.
   */
  readonly namesConstUnions: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'pahole'>, Dialect>> = {
  '1.31': {
    hasTypeTags: true,
    hasSignedEnums: true,
    tellsOfMembers: true,
    infersFromBits: true,
    hasSignedHoles: true,
    namesConstUnions: true,
  },
  '1.24': {
    hasTypeTags: false,
    hasSignedEnums: false,
    tellsOfMembers: false,
    infersFromBits: false,
    hasSignedHoles: false,
    namesConstUnions: false,
  },
};

export class Records {
  readonly dialect: Dialect;
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

  constructor(t: TypeTable, dialect: Dialect) {
    this.dialect = dialect;
    const tables = tablesOf(t);
    const lowest = tables[0] ?? t;
    this.first = lowest.firstId;
    this.last = lastId(t);
    this.#namesFirst = lowest.strBase;
    this.#names = joinedNames(tables, lowest);
    const { words, at, kinds } = joinedWords(t, this.first);
    this.words = words;
    this.#starts = at;
    const isLeftOut = (kind: number) =>
      kind > ENUM64 || LEFT_OUT.has(kind) || (kind === TYPE_TAG && !dialect.hasTypeTags);
    this.#kinds = kinds.map((kind) => (isLeftOut(kind) ? 0 : kind));
    this.#count = kinds.length;
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

  /** The type itself, or behind type tags the type that they are on. */
  behindTags(id: number): number {
    if (this.kind(id) !== TYPE_TAG) return id;
    const guard = new LoopGuard();
    let at = id;
    while (this.kind(at) === TYPE_TAG && !guard.cameRound(at)) at = this.refOf(at);
    return at;
  }

  /** A type that is there and refers to its own id. */
  refersToItself(id: number): boolean {
    return this.refers(id, id);
  }

  /** Is `from` there, and refers to `to`? */
  refers(from: number, to: number): boolean {
    const kind = this.kind(from);
    const refers = kind === BtfKind.ARRAY || thirdWordRole(kind) !== null;
    return refers && this.refOf(from) === to;
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

function joinedNames(tables: readonly TypeTable[], lowest: TypeTable): string {
  let names = '';
  for (const t of tables) {
    const start = t.strBase - lowest.strBase;
    names = names.slice(0, start) + byteText(t.blob.subarray(t.strStart, t.strEnd));
  }
  return names;
}
