/**
 * Types as a version of pahole has them: one array of words and one text of names with a byte per
 * character. Of a table and its bases, FUNC, VAR, DATASEC, DECL_TAG and later kinds are omitted:
 * pahole has no types with their ids. Source: pahole, btf_loader.c, btf__load_types.
 */
import { typeSize } from '#analysis/encode/type-sizes.ts';
import { ArrayType, Composite, type Unit } from '#analysis/encode/unit-tags.ts';
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
import { DW_TAG } from '#formats/dwarf/constants.ts';
import { joinedWords, tablesOf } from '#model/joined-words.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import type { VersionOf } from '#print/tool-versions.ts';
import { byteText } from './text.ts';

/** Number of words of `struct btf_type`, which precede the items. */
export const HEAD_WORDS = BTF_TYPE_SIZE / 4;

/** Number of words of a `struct btf_member` and of a `struct btf_param`. */
export const MEMBER_WORDS = BTF_MEMBER.size / 4;
export const PARAM_WORDS = BTF_PARAM.size / 4;

const { FUNC, VAR, DATASEC, DECL_TAG, TYPE_TAG, ENUM64 } = BtfKind;
const OMITTED: ReadonlySet<number> = new Set([FUNC, VAR, DATASEC, DECL_TAG]);

/** Differences between pahole versions in loading and printing types. */
export type Dialect = {
  /** True if a TYPE_TAG is read and printed as its target; false if it is a missing type. */
  readonly hasTypeTags: boolean;
  /** True if kind_flag determines the sign of enumerator values; false if all are unsigned. */
  readonly hasSignedEnums: boolean;
  /** True if remarks on struct members include holes and more, false if only padding bytes. */
  readonly remarksOnMembers: boolean;
  /**
   * True if alignment is also inferred for members without bytes, and after a bit-field from the
   * bits of the field. False if it is inferred only for members with bytes, and after a bit-field
   * from all bytes of the type.
   */
  readonly infersFromBits: boolean;
  /**
   * True if the size of a hole is an int: overlapping members then have no hole. False if it has 16
   * unsigned bits. Source: the code after 1.31 (struct class_member); no output of 1.31 shows it.
   */
  readonly hasSignedHoles: boolean;
  /**
   * True if the name after a `const` union without a tag is printed; false if it is lost. Source:
   * the code after 1.31 (union_decl__fprintf); no output of 1.31 shows it.
   */
  readonly namesConstUnions: boolean;
  /**
   * True if a typedef of a struct or union without a tag has narrow columns, as a nested one has.
   * Source: typedef__fprintf, union_decl__fprintf.
   */
  readonly narrowsTypedefs: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'pahole'>, Dialect>> = {
  '1.31': {
    hasTypeTags: true,
    hasSignedEnums: true,
    remarksOnMembers: true,
    infersFromBits: true,
    hasSignedHoles: true,
    namesConstUnions: true,
    narrowsTypedefs: true,
  },
  '1.24': {
    hasTypeTags: false,
    hasSignedEnums: false,
    remarksOnMembers: false,
    infersFromBits: false,
    hasSignedHoles: false,
    namesConstUnions: false,
    narrowsTypedefs: false,
  },
};

/** Types as columns. */
export type RecordColumns = {
  readonly first: number;
  readonly last: number;
  readonly words: Uint32Array;
  /** Index in `words` of the record of each id, from `first` on. */
  readonly starts: Uint32Array;
  /** BTF_KIND_* of each id, from `first` on. */
  readonly kinds: Uint8Array;
  /** All strings, each with its NUL. */
  readonly names: string;
  /** String offset of the first character of `names`. */
  readonly namesFirst: number;
  /** Unit of DWARF with the types by id; null for BTF. */
  readonly unit: Unit | null;
};

export class Records {
  readonly dialect: Dialect;
  /** First and last id. `first` is above 1 for split BTF that was opened without its base. */
  readonly first: number;
  readonly last: number;
  readonly words: Uint32Array;
  readonly unit: Unit | null;
  readonly #names: string;
  readonly #namesFirst: number;
  readonly #kinds: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #count: number;

  constructor(columns: RecordColumns, dialect: Dialect) {
    this.dialect = dialect;
    this.first = columns.first;
    this.last = columns.last;
    this.words = columns.words;
    this.unit = columns.unit;
    this.#names = columns.names;
    this.#namesFirst = columns.namesFirst;
    this.#kinds = columns.kinds;
    this.#starts = columns.starts;
    this.#count = columns.kinds.length;
  }

  /** Returns the BTF_KIND_* of `id`; 0 for void and types that pahole does not load. */
  kind(id: number): number {
    const index = id - this.first;
    return index >= 0 && index < this.#count ? (this.#kinds[index] ?? 0) : 0;
  }

  /** Returns the index of the record of `id` in `words`. The kind of `id` must not be 0. */
  start(id: number): number {
    return this.#starts[id - this.first] ?? 0;
  }

  /** Returns the name of an existing type, one byte per character; null if it has none. */
  name(id: number): string | null {
    return this.nameAt(this.start(id));
  }

  /** Returns the name whose `name_off` is at `words[at]`; null for 0 and outside the strings. */
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

  /** Returns the number of members, enumerators or parameters; always 0 for a FWD. */
  vlen(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : infoVlen(this.words[this.start(id) + 1] ?? 0);
  }

  /** Returns the size that the record of a type states; always 0 for a FWD. */
  size(id: number): number {
    return this.kind(id) === BtfKind.FWD ? 0 : (this.words[this.start(id) + 2] ?? 0);
  }

  /** Returns the target or element type of `id`, whose kind must have a reference. */
  refOf(id: number): number {
    const at = this.start(id);
    return this.words[this.kind(id) === BtfKind.ARRAY ? at + HEAD_WORDS : at + 2] ?? 0;
  }

  nelems(id: number): number {
    return this.words[this.start(id) + HEAD_WORDS + 2] ?? 0;
  }

  /** Returns the first type behind type tags. */
  behindTags(id: number): number {
    if (this.kind(id) !== TYPE_TAG) return id;
    const guard = new LoopGuard();
    let at = id;
    while (this.kind(at) === TYPE_TAG && !guard.cameRound(at)) at = this.refOf(at);
    return at;
  }

  /** Returns true if the type exists and refers to itself. */
  refersToItself(id: number): boolean {
    return this.refers(id, id);
  }

  /** Returns true if `from` exists and refers to `to`. */
  refers(from: number, to: number): boolean {
    const kind = this.kind(from);
    const refers = kind === BtfKind.ARRAY || thirdWordRole(kind) !== null;
    return refers && this.refOf(from) === to;
  }

  /** Returns the qualifier of a CONST: of DWARF, `_Atomic` is one. */
  qualifier(id: number): 'const ' | '_Atomic ' {
    return this.isAtomic(id) ? '_Atomic ' : 'const ';
  }

  /** Returns true for `_Atomic` of DWARF. */
  isAtomic(id: number): boolean {
    return this.unit?.types[id]?.tag === DW_TAG.atomic_type;
  }

  /** Returns true for a CONST that is not `_Atomic`. */
  isConst(id: number): boolean {
    return this.kind(id) === BtfKind.CONST && this.qualifier(id) === 'const ';
  }

  /** Returns the size of a vector of DWARF in bytes; null for other arrays. */
  vectorSize(id: number): number | null {
    const array = this.unit?.types[id];
    if (this.unit === null || !(array instanceof ArrayType) || !array.isVector) return null;
    const count = array.dimensions.reduce((product, each) => product * each, 1) || 1;
    return count * (typeSize(this.unit, array.type) ?? 0);
  }

  /** Returns a struct or union of DWARF; null for BTF and other types. */
  composite(id: number): Composite | null {
    const type = this.unit?.types[id];
    return type instanceof Composite ? type : null;
  }

  /** Returns `struct`, `union` or `enum` as pahole prints a type; null for other kinds. */
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

/** Returns the records of a table and its bases. */
export function recordsOf(t: TypeTable, dialect: Dialect): Records {
  const tables = tablesOf(t);
  const lowest = tables[0] ?? t;
  const first = lowest.firstId;
  const { words, at, kinds } = joinedWords(t, first);
  const isLeftOut = (kind: number) =>
    kind > ENUM64 || OMITTED.has(kind) || (kind === TYPE_TAG && !dialect.hasTypeTags);
  return new Records(
    {
      first,
      last: lastId(t),
      words,
      starts: at,
      kinds: kinds.map((kind) => (isLeftOut(kind) ? 0 : kind)),
      names: joinedNames(tables, lowest),
      namesFirst: lowest.strBase,
      unit: null,
    },
    dialect,
  );
}

function joinedNames(tables: readonly TypeTable[], lowest: TypeTable): string {
  let names = '';
  for (const t of tables) {
    const start = t.strBase - lowest.strBase;
    names = names.slice(0, start) + byteText(t.blob.subarray(t.strStart, t.strEnd));
  }
  return names;
}
