/** The types of a file, as other programs see them: handles on the type table, decoded when they are read. */
import { innerMembers } from '#analysis/types/inner-members.ts';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow as Row, structLayout } from '#analysis/types/struct-layout.ts';
import { findNamedType, findTypeKey, formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { oncePer } from '#bytes/keep.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import {
  enumeratorsOf,
  type Param as ModelParam,
  memberAt,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  intData,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

/** The kind of a type, as `bpftool btf dump` names it, in lower case. */
export type Kind =
  | 'void'
  | 'int'
  | 'ptr'
  | 'array'
  | 'struct'
  | 'union'
  | 'enum'
  | 'fwd'
  | 'typedef'
  | 'volatile'
  | 'const'
  | 'restrict'
  | 'func'
  | 'func_proto'
  | 'var'
  | 'datasec'
  | 'float'
  | 'decl_tag'
  | 'type_tag'
  | 'enum64'
  | 'loc_param'
  | 'loc_proto'
  | 'locsec'
  | `kind_${number}`;

/** A member of a struct or union. */
export type Member = {
  readonly kind: 'member';
  /** As declared, from 0. */
  readonly index: number;
  /** Empty for an anonymous member. As in the file: escape it before it is shown. */
  readonly name: string;
  readonly type: Type;
  /** Bits from the start of the struct that was asked. */
  readonly bitOffset: number;
  /** The byte that holds the first of its bits. */
  readonly byteOffset: number;
  /** 0 for flexible arrays and for what has no size. */
  readonly bitSize: number;
  readonly isBitfield: boolean;
};

/** Bits of a struct that no member covers, of bytes or of bit-fields; behind the last member they are padding. */
export type Gap = {
  readonly kind: 'hole' | 'padding';
  readonly bitOffset: number;
  readonly bitSize: number;
};

/** The members of a struct or union by their place, with the gaps between them. */
export type Layout = {
  readonly size: number;
  readonly rows: readonly (Member | Gap)[];
  /** Number of holes; padding is none. */
  readonly holes: number;
  readonly holeBits: number;
  readonly paddingBits: number;
};

/** A value of an enum. */
export type Enumerator = { readonly name: string; readonly value: bigint };

/** A parameter of a function. Variable arguments are a last one without a name, of type void. */
export type Param = { readonly name: string; readonly type: Type };

/** A variable of a section. */
export type SectionVariable = {
  readonly name: string;
  /** The `var`; its `target` is the type of the variable. */
  readonly type: Type;
  readonly byteOffset: number;
  readonly byteSize: number;
};

/** Members that one path looks at: a few bytes of hostile structs have any number of them. */
const MAX_LOOKS = 200_000;

/**
 * The types of a file, in the order of their ids. Of split BTF its own ones: `get` and `find` see
 * those of the base too.
 */
export class Types implements Iterable<Type> {
  readonly #table: TypeTable;

  /** @internal */
  constructor(table: TypeTable) {
    this.#table = table;
  }

  /** @internal */
  static tableOf(types: Types): TypeTable {
    return types.#table;
  }

  /** Number of own types. */
  get count(): number {
    return this.#table.count;
  }

  /** Id of the first own type: 1, or in split BTF the number of base types + 1. */
  get firstId(): number {
    return this.#table.firstId;
  }

  /** Is this split BTF, as that of a module? */
  get isSplit(): boolean {
    return this.#table.split;
  }

  /** The types that split BTF stands on; null where there are none, or they were not given. */
  get base(): Types | null {
    return this.#table.base === null ? null : typesOf(this.#table.base);
  }

  *[Symbol.iterator](): Generator<Type, void, undefined> {
    const { firstId, count } = this.#table;
    for (let id = firstId; id < firstId + count; id++) yield new Type(this.#table, typeId(id));
  }

  /** The types of one kind. */
  *ofKind(kind: Kind): Generator<Type, void, undefined> {
    for (const type of this) if (type.kind === kind) yield type;
  }

  /** The type with this id, 0 is void; null where there is none. */
  get(id: number): Type | null {
    const wanted = typeId(id);
    return wanted === VOID || hasType(this.#table, wanted) ? new Type(this.#table, wanted) : null;
  }

  /**
   * The first type of that name; null where there is none. Of several kinds the first of struct,
   * union, enum, enum64, typedef, fwd, int, float, func and var, unless `kind` is given. Instead of
   * a name also a `key`. Looks at one type after the other.
   */
  find(name: string, kind?: Kind): Type | null {
    const id =
      kind === undefined
        ? findNamedType(this.#table, name)
        : findTypeKey(this.#table, { kind, name, ordinal: 0 });
    return id === null ? null : new Type(this.#table, id);
  }
}

/** @internal One for each table. */
export const typesOf = oncePer((table: TypeTable) => new Types(table));

/** One type. Two handles are of one type where their `id` is the same, in one file. */
export class Type {
  readonly #table: TypeTable;
  readonly #id: TypeId;

  /** @internal */
  constructor(table: TypeTable, id: TypeId) {
    this.#table = table;
    this.#id = id;
  }

  /** @internal */
  static placeOf(type: Type): { readonly t: TypeTable; readonly id: TypeId } {
    return { t: type.#table, id: type.#id };
  }

  get id(): number {
    return this.#id;
  }

  get kind(): Kind {
    if (!hasType(this.#table, this.#id)) return 'void';
    return kindName(kindOf(this.#table, this.#id)).toLowerCase() as Kind;
  }

  /** Empty where it has none. As in the file: escape it before it is shown. */
  get name(): string {
    return nameOf(this.#table, this.#id);
  }

  /** Kind, name and number among equals, `struct:task_struct`: stays the same where ids do not. Looks at all types before it. */
  get key(): string {
    return formatTypeKey(typeKeyOf(this.#table, this.#id));
  }

  /** In bytes; rounded above 2^53; null for void, functions, forward declarations and loops. */
  get size(): number | null {
    const size = sizeOf(this.#table, this.#id);
    return size === null ? null : Number(size);
  }

  /** In bytes, as libbpf counts it; 0 for what has no size. */
  get align(): number {
    return alignOf(this.#table, this.#id);
  }

  /** Bits of an `int` and what they mean; null for other kinds. */
  get int(): {
    readonly bits: number;
    readonly isSigned: boolean;
    readonly isChar: boolean;
    readonly isBool: boolean;
  } | null {
    if (kindOf(this.#table, this.#id) !== BtfKind.INT) return null;
    const { bits, encoding } = intData(this.#table, this.#id);
    const has = (bit: number) => (encoding & bit) !== 0;
    return { bits, isSigned: has(1), isChar: has(2), isBool: has(4) };
  }

  /**
   * What a pointer points at, a typedef or qualifier stands for, an array is of, a function has
   * (its `func_proto`) or returns (a `func_proto`), a variable or tag belongs to. Null for other kinds.
   */
  get target(): Type | null {
    const table = this.#table;
    const id = this.#id;
    const isArray = kindOf(table, id) === BtfKind.ARRAY;
    const target = isArray ? arrayData(table, id).elemType : refOf(table, id);
    return target === null ? null : new Type(table, target);
  }

  /** The type behind typedefs, qualifiers and type tags. */
  get bare(): Type {
    return new Type(this.#table, skipModifiers(this.#table, this.#id));
  }

  /** Number of elements of an array; 0 for other kinds. */
  get length(): number {
    return arrayData(this.#table, this.#id).nelems;
  }

  /** The members of a struct or union as declared; none for other kinds. */
  get members(): readonly Member[] {
    const members = this.layout.rows.filter((row) => row.kind === 'member');
    return members.sort((a, b) => a.index - b.index);
  }

  /** The members of a struct or union by their place, with holes and padding; no rows for other kinds. */
  get layout(): Layout {
    const { sizeBytes, rows, holes, holeBits, paddingBits } = structLayout(this.#table, this.#id);
    const shown = rows.map((row) => publicRow(this.#table, row, 0));
    return { size: sizeBytes, rows: shown, holes, holeBits, paddingBits };
  }

  /**
   * The member that names with dots lead to, `se.vruntime`, also in anonymous structs and unions,
   * and behind typedefs; its place counts from the start of this type. Null where there is none.
   */
  member(path: string): Member | null {
    const budget = { left: MAX_LOOKS };
    let holder = this.#id;
    let start = 0;
    let found: Member | null = null;
    for (const name of path.split('.')) {
      const at = skipModifiers(this.#table, found === null ? holder : found.type.#id);
      const inner = innerMembers(this.#table, at, budget).find(
        ({ member }) => member.name === name,
      );
      if (inner === undefined) return null;
      start = (found?.bitOffset ?? 0) + inner.bitOffset - inner.member.bitOffset;
      holder = at;
      for (const index of inner.path.slice(0, -1)) {
        holder = skipModifiers(this.#table, memberAt(this.#table, holder, index)?.type ?? VOID);
      }
      found = memberIn(this.#table, holder, inner.member.index, start);
      if (found === null) return null;
    }
    return found;
  }

  /** The values of an enum; none for other kinds. */
  get enumerators(): readonly Enumerator[] {
    return enumeratorsOf(this.#table, this.#id).map(({ name, value }) => ({ name, value }));
  }

  /** The parameters of a `func_proto`, or of the one of a `func`; none for other kinds. */
  get params(): readonly Param[] {
    const table = this.#table;
    const id = this.#id;
    const proto = kindOf(table, id) === BtfKind.FUNC ? (refOf(table, id) ?? VOID) : id;
    return paramsOf(table, proto).map((param) => publicParam(table, param));
  }

  /** What a `func` or `func_proto` returns; null for other kinds. */
  get returns(): Type | null {
    if (this.kind === 'func') return this.target?.target ?? null;
    return this.kind === 'func_proto' ? this.target : null;
  }

  /** The variables of a `datasec`, with their stored places; none for other kinds. */
  get variables(): readonly SectionVariable[] {
    return varSecinfosOf(this.#table, this.#id).map(({ type, offset, size }) => ({
      get name() {
        return this.type.name;
      },
      type: new Type(this.#table, type),
      byteOffset: offset,
      byteSize: size,
    }));
  }

  /** As C refers to it: `const struct foo *`. At most 200 characters; names as in the file. */
  toString(): string {
    return typeExpression(this.#table, this.#id);
  }
}

/** Member `index` of the struct or union `holder`, which begins `start` bits from the one that was asked. */
function memberIn(t: TypeTable, holder: TypeId, index: number, start: number): Member | null {
  const { rows } = structLayout(t, holder, { first: index, end: index + 1 });
  const row = rows.find(({ kind }) => kind === 'member');
  const shown = row === undefined ? null : publicRow(t, row, start);
  return shown?.kind === 'member' ? shown : null;
}

/** Names are read when they are asked for: in a hostile file a million of them have a megabyte each. */
function publicRow(t: TypeTable, row: Row, start: number): Member | Gap {
  const bitOffset = start + row.bitOffset;
  const { kind, bitSize, index, isBitfield } = row;
  if (kind !== 'member') return { kind, bitOffset, bitSize };
  return {
    kind,
    index,
    get name() {
      return row.name;
    },
    type: new Type(t, row.type),
    bitOffset,
    byteOffset: Math.floor(bitOffset / 8),
    bitSize,
    isBitfield,
  };
}

function publicParam(t: TypeTable, param: ModelParam): Param {
  return {
    get name() {
      return param.name;
    },
    type: new Type(t, param.type),
  };
}
