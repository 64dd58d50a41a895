/** The types of a file as objects. An object refers to the type table, and decodes on access. */
import { innerMembers } from '#analysis/types/inner-members.ts';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow as Row, structLayout } from '#analysis/types/struct-layout.ts';
import { findNamedType, findTypeKey, formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { memoized } from '#bytes/cache.ts';
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

/** The kind of a type, as in `bpftool btf dump` but in lower case. */
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
  /** Index of the member in the order of declaration, from 0. */
  readonly index: number;
  /** Name as in the file, empty for an anonymous member. Not escaped: use `visible` to show it. */
  readonly name: string;
  readonly type: Type;
  /** Offset in bits from the start of the type whose `members`, `layout` or `member` was used. */
  readonly bitOffset: number;
  /** Offset of the byte that contains the member's first bit. */
  readonly byteOffset: number;
  /** Size in bits; 0 for flexible arrays and types without a size. */
  readonly bitSize: number;
  readonly isBitfield: boolean;
};

/** Bits of a struct that no member covers: a hole, or padding after the last member. */
export type Gap = {
  readonly kind: 'hole' | 'padding';
  readonly bitOffset: number;
  readonly bitSize: number;
};

/** Members of a struct or union, sorted by offset, and the gaps between the members. */
export type Layout = {
  readonly size: number;
  readonly rows: readonly (Member | Gap)[];
  /** Number of holes. Padding after the last member is not counted. */
  readonly holes: number;
  readonly holeBits: number;
  readonly paddingBits: number;
};

/** A named value of an enum. */
export type Enumerator = { readonly name: string; readonly value: bigint };

/** A parameter of a function. Variable arguments are a final `void` parameter without a name. */
export type Param = { readonly name: string; readonly type: Type };

/** A variable in a `datasec`. */
export type SectionVariable = {
  readonly name: string;
  /** The `var`; use its `target` for the type of the variable. */
  readonly type: Type;
  readonly byteOffset: number;
  readonly byteSize: number;
};

/** Limit of members that the search for one path may visit: damaged structs can have any number. */
const MAX_LOOKS = 200_000;

/** The types of a file by id. Iteration omits the base; `get` and `find` include it. */
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

  /** Number of types in the file, without its base. */
  get count(): number {
    return this.#table.count;
  }

  /** Id of the first type of the file: 1, or for split BTF the number of base types + 1. */
  get firstId(): number {
    return this.#table.firstId;
  }

  /** True for split BTF, such as that of a module. */
  get isSplit(): boolean {
    return this.#table.split;
  }

  /** The types of the base; null if the file has no base, or was opened without it. */
  get base(): Types | null {
    return this.#table.base === null ? null : typesOf(this.#table.base);
  }

  *[Symbol.iterator](): Generator<Type, void, undefined> {
    const { firstId, count } = this.#table;
    for (let id = firstId; id < firstId + count; id++) yield new Type(this.#table, typeId(id));
  }

  /** Yields the types of one kind in the file, without its base. */
  *ofKind(kind: Kind): Generator<Type, void, undefined> {
    for (const type of this) if (type.kind === kind) yield type;
  }

  /** Returns the type with the id `id`, void for 0; null if no type has this id. */
  get(id: number): Type | null {
    const wanted = typeId(id);
    return wanted === VOID || hasType(this.#table, wanted) ? new Type(this.#table, wanted) : null;
  }

  /**
   * Returns the first type with a name or `key`; null if there is none. Without `kind`, kinds are
   * tried in this order: struct, union, enum, enum64, typedef, fwd, int, float, func, var. Searches
   * all types.
   */
  find(name: string, kind?: Kind): Type | null {
    const id =
      kind === undefined
        ? findNamedType(this.#table, name)
        : findTypeKey(this.#table, { kind, name, ordinal: 0 });
    return id === null ? null : new Type(this.#table, id);
  }
}

/** @internal Returns the one `Types` object of a table. */
export const typesOf = memoized((table: TypeTable) => new Types(table));

/** One type of a file. Objects of one file with equal `id` are the same type. */
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

  /** Name in the file, not escaped: use `visible` to show it. Empty for a type without a name. */
  get name(): string {
    return nameOf(this.#table, this.#id);
  }

  /** Kind, name, and number among types with both; stable across builds. Reads earlier types. */
  get key(): string {
    return formatTypeKey(typeKeyOf(this.#table, this.#id));
  }

  /** Size in bytes, rounded above 2^53; null for a type without a size, or in a loop. */
  get size(): number | null {
    const size = sizeOf(this.#table, this.#id);
    return size === null ? null : Number(size);
  }

  /** Alignment in bytes, as libbpf computes it; 0 for types without a size. */
  get align(): number {
    return alignOf(this.#table, this.#id);
  }

  /** Bits and encoding of an `int`; null for other kinds. */
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
   * The type that a pointer, typedef, qualifier, variable or tag refers to; the element type of an
   * array; the `func_proto` of a function; the return type of a `func_proto`. Null for other kinds.
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

  /** Members of a struct or union in the order of declaration; empty for other kinds. */
  get members(): readonly Member[] {
    const members = this.layout.rows.filter((row) => row.kind === 'member');
    return members.sort((a, b) => a.index - b.index);
  }

  /** Members of a struct or union by offset, with holes and padding; empty for other kinds. */
  get layout(): Layout {
    const { sizeBytes, rows, holes, holeBits, paddingBits } = structLayout(this.#table, this.#id);
    const shown = rows.map((row) => publicRow(this.#table, row, 0));
    return { size: sizeBytes, rows: shown, holes, holeBits, paddingBits };
  }

  /**
   * Returns the member at a dotted path, `se.vruntime`; null if there is none. The path omits
   * anonymous structs and unions, and follows typedefs. Offsets count from the start of this type.
   */
  member(path: string): Member | null {
    const budget = { left: MAX_LOOKS };
    let holder = this.#id;
    let start = 0;
    let last: Member | null = null;
    for (const name of path.split('.')) {
      const at = skipModifiers(this.#table, last === null ? holder : last.type.#id);
      const inner = innerMembers(this.#table, at, budget).find(
        ({ member }) => member.name === name,
      );
      if (inner === undefined) return null;
      start = last?.bitOffset ?? 0;
      holder = at;
      for (const index of inner.path.slice(0, -1)) {
        const anonymous = memberAt(this.#table, holder, index);
        start += anonymous?.bitOffset ?? 0;
        holder = skipModifiers(this.#table, anonymous?.type ?? VOID);
      }
      last = memberIn(this.#table, holder, inner.member.index, start);
      if (last === null) return null;
    }
    return last;
  }

  /** Named values of an enum; empty for other kinds. */
  get enumerators(): readonly Enumerator[] {
    return enumeratorsOf(this.#table, this.#id).map(({ name, value }) => ({ name, value }));
  }

  /** Parameters of a `func` or `func_proto`; empty for other kinds. */
  get params(): readonly Param[] {
    const table = this.#table;
    const id = this.#id;
    const proto = kindOf(table, id) === BtfKind.FUNC ? (refOf(table, id) ?? VOID) : id;
    return paramsOf(table, proto).map((param) => publicParam(table, param));
  }

  /** Return type of a `func` or `func_proto`; null for other kinds. */
  get returns(): Type | null {
    if (this.kind === 'func') return this.target?.target ?? null;
    return this.kind === 'func_proto' ? this.target : null;
  }

  /** Variables of a `datasec`, with the offsets in the file; empty for other kinds. */
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

  /** Returns the type in C notation, `const struct foo *`, cut to 200 characters. Not escaped. */
  toString(): string {
    return typeExpression(this.#table, this.#id);
  }
}

/** Returns a member of `holder`, which begins `start` bits from the outermost struct's start. */
function memberIn(t: TypeTable, holder: TypeId, index: number, start: number): Member | null {
  const { rows } = structLayout(t, holder, { first: index, end: index + 1 });
  const row = rows.find(({ kind }) => kind === 'member');
  const shown = row === undefined ? null : publicRow(t, row, start);
  return shown?.kind === 'member' ? shown : null;
}

/** Names are decoded on access: a hostile file can have a million names of a megabyte each. */
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
