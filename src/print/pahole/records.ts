/**
 * The types of a table and its bases as a version of pahole loads them: one array of words, and one
 * text of names with a byte per character. FUNC, VAR, DATASEC, DECL_TAG and later kinds are
 * omitted, since pahole has no type with their ids. The rules: btf__load_types of pahole's
 * btf_loader.c.
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

/** Words of `struct btf_type`, before the items. */
export const HEAD_WORDS = BTF_TYPE_SIZE / 4;

/** Words of a `struct btf_member` and of a `struct btf_param`. */
export const MEMBER_WORDS = BTF_MEMBER.size / 4;
export const PARAM_WORDS = BTF_PARAM.size / 4;

const { FUNC, VAR, DATASEC, DECL_TAG, TYPE_TAG, ENUM64 } = BtfKind;
const OMITTED: ReadonlySet<number> = new Set([FUNC, VAR, DATASEC, DECL_TAG]);

/** Differences between versions of pahole in loading and printing. */
export type Dialect = {
  /** True if a TYPE_TAG is a type, written as its target; otherwise it is missing. */
  readonly hasTypeTags: boolean;
  /** True if enumerator values are signed according to kind_flag; otherwise all are unsigned. */
  readonly hasSignedEnums: boolean;
  /** True if remarks on a struct member include holes, bits and flexible arrays; otherwise only padding in bytes. */
  readonly remarksOnMembers: boolean;
  /**
   * True if an alignment is also inferred for a member without bytes, and after a bit-field from
   * the bytes that its bits reach; otherwise only for members with bytes, and from all bytes of the
   * type.
   */
  readonly infersFromBits: boolean;
  /**
   * True if a hole is an int, so that overlapping members have none; otherwise it has 16 unsigned
   * bits. Source: the code after 1.31 (struct class_member); no output of 1.31 shows it.
   */
  readonly hasSignedHoles: boolean;
  /**
   * True if the name is written after a union without a tag that follows a `const`; otherwise it is
   * lost. Source: the code after 1.31 (union_decl__fprintf); no output of 1.31 shows it.
   */
  readonly namesConstUnions: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'pahole'>, Dialect>> = {
  '1.31': {
    hasTypeTags: true,
    hasSignedEnums: true,
    remarksOnMembers: true,
    infersFromBits: true,
    hasSignedHoles: true,
    namesConstUnions: true,
  },
  '1.24': {
    hasTypeTags: false,
    hasSignedEnums: false,
    remarksOnMembers: false,
    infersFromBits: false,
    hasSignedHoles: false,
    namesConstUnions: false,
  },
};

export class Records {
  readonly dialect: Dialect;
  /** Ids run from `first` to `last`; without the base of a split BTF, `first` is above 1. */
  readonly first: number;
  readonly last: number;
  readonly words: Uint32Array;
  /** All strings with their NULs. */
  readonly #names: string;
  /** String offset of the first name. */
  readonly #namesFirst: number;
  readonly #kinds: Uint8Array;
  readonly #starts: Uint32Array;
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
      kind > ENUM64 || OMITTED.has(kind) || (kind === TYPE_TAG && !dialect.hasTypeTags);
    this.#kinds = kinds.map((kind) => (isLeftOut(kind) ? 0 : kind));
    this.#count = kinds.length;
  }

  /** Returns BTF_KIND_*; 0 for void and for types that pahole does not load. */
  kind(id: number): number {
    const index = id - this.first;
    return index >= 0 && index < this.#count ? (this.#kinds[index] ?? 0) : 0;
  }

  /** Returns the index of the record in `words`; only for ids whose kind is not 0. */
  start(id: number): number {
    return this.#starts[id - this.first] ?? 0;
  }

  /** Returns the name of an existing type, one byte per character; null = none. */
  name(id: number): string | null {
    return this.nameAt(this.start(id));
  }

  /** Returns the name whose `name_off` is at `words[at]`; null for offset 0 and one outside the strings. */
  nameAt(at: number): string | null {
    const nameOff = this.words[at] ?? 0;
    const start = nameOff - this.#namesFirst;
    if (nameOff === 0 || start < 0 || start >= this.#names.length) return null;
    const end = this.#names.indexOf('\0', start);
    return this.#names.slice(start, end < 0 ? this.#names.length : end);
  }

  isNamed(id: number): boolean {
    const nameOff = this.words[this.start(id)] ?? 0;
    const start = nameOff - this.#namesFirst;
    return nameOff !== 0 && start >= 0 && start < this.#names.length;
  }

  kindFlag(id: number): boolean {
    return infoKindFlag(this.words[this.start(id) + 1] ?? 0);
  }

  /** Returns the number of members, enumerators or parameters; 0 for a FWD, whatever its record says. */
  vlen(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : infoVlen(this.words[this.start(id) + 1] ?? 0);
  }

  /** Returns the third word of a type with a `size`; 0 for a FWD. */
  size(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : (this.words[this.start(id) + 2] ?? 0);
  }

  /** Returns the type that a record refers to, by its third word or as an ARRAY; only for kinds with a reference. */
  refOf(id: number): number {
    const at = this.start(id);
    return this.words[this.kind(id) === BtfKind.ARRAY ? at + HEAD_WORDS : at + 2] ?? 0;
  }

  nelems(id: number): number {
    return this.words[this.start(id) + HEAD_WORDS + 2] ?? 0;
  }

  /** Returns the type without its type tags. */
  behindTags(id: number): number {
    if (this.kind(id) !== TYPE_TAG) return id;
    const guard = new LoopGuard();
    let at = id;
    while (this.kind(at) === TYPE_TAG && !guard.cameRound(at)) at = this.refOf(at);
    return at;
  }

  /** True if the type exists and refers to its own id. */
  refersToItself(id: number): boolean {
    return this.refers(id, id);
  }

  /** True if `from` exists and refers to `to`. */
  refers(from: number, to: number): boolean {
    const kind = this.kind(from);
    const refers = kind === BtfKind.ARRAY || thirdWordRole(kind) !== null;
    return refers && this.refOf(from) === to;
  }

  /** Returns pahole's keyword for a type: `struct`, `union` or `enum`; null for other kinds. */
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
