/**
 * Converts a kernel's BTF to C types for `#include "vmlinux.h"`, as clang reads them in bpftool's
 * text. A type is made when the text names it. Members decide the alignment, as in bpftool's text;
 * libbpf's btf_is_struct_packed decides which structs are packed.
 */
import { findTypeKey } from '#analysis/types/type-key.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum, membersOf, paramsOf } from '#model/type-items.ts';
import {
  arrayData,
  firstAtHand,
  kindFlagOf,
  kindOf,
  lastId,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import {
  type Basic,
  basicOf,
  type CType,
  type EnumType,
  type Interned,
  type Member,
  newRecord,
  type Qualified,
  type RecordType,
  type Typedef,
} from './c-types.ts';
import type { Value } from './expressions.ts';

/** A kernel that is open in the page. */
export type Kernel = {
  /** File name of the kernel. */
  readonly name: string;
  readonly types: TypeTable;
};

/** A kernel whose types the text includes. */
export type IncludedKernel = Kernel & {
  /** Names that macros replace in `vmlinux.h`, and what by. */
  readonly renamed: ReadonlyMap<string, string>;
};

/** Limits nested modifiers, pointers and prototypes; real types have fewer levels. */
const MAX_DEPTH = 64;
/** Limits unnamed types. A kernel has some thousands; in hostile BTF they can double per level. */
const MAX_ANONYMOUS = 50_000;

type Names = {
  readonly records: ReadonlyMap<string, TypeId>;
  readonly typedefs: ReadonlyMap<string, TypeId>;
  readonly enumerators: ReadonlyMap<string, { readonly of: TypeId; readonly value: bigint }>;
};

/** Finds types by name, the first of equal names. Structs, unions and enums have one name space. */
const namesIn = memoized((t: TypeTable): Names => {
  const records = new Map<string, TypeId>();
  const typedefs = new Map<string, TypeId>();
  const enumerators = new Map<string, { of: TypeId; value: bigint }>();
  const setFirst = <T>(map: Map<string, T>, name: string, value: T) => {
    if (name !== '' && !map.has(name)) map.set(name, value);
  };
  for (let at = firstAtHand(t); at <= lastId(t); at++) {
    const id = typeId(at);
    const kind = kindOf(t, id);
    if (isComposite(kind) || isEnum(kind)) setFirst(records, nameOf(t, id), id);
    if (kind === BtfKind.TYPEDEF) setFirst(typedefs, nameOf(t, id), id);
    if (!isEnum(kind)) continue;
    for (const { name, value } of enumeratorsOf(t, id)) {
      setFirst(enumerators, name, { of: id, value });
    }
  }
  return { records, typedefs, enumerators };
});

/** Returns true if the kernel has the enum of map types, as all kernels with BPF do. Cached. */
export const hasMapTypes = memoized(
  (t: TypeTable) => findTypeKey(t, { kind: 'enum', name: 'bpf_map_type', ordinal: 0 }) !== null,
);

/** Converts types of a kernel for one text. */
export class KernelTypes {
  readonly #t: TypeTable;
  readonly #types: Interned;
  readonly #made = new Map<TypeId, CType>();
  /** Number of converted unnamed structs and unions. */
  #anonymous = 0;
  /** Types that are being converted. A reference to one of these types becomes void. */
  readonly #inWork = new Set<TypeId>();

  readonly #renamed: ReadonlyMap<string, string>;
  /** Names of the kernel by those that macros give them. */
  readonly #original: ReadonlyMap<string, string>;

  constructor({ types: t, renamed }: IncludedKernel, types: Interned) {
    this.#t = t;
    this.#types = types;
    this.#renamed = renamed;
    this.#original = new Map([...renamed].map(([name, by]) => [by, name]));
  }

  /** Returns what the kernel calls `name` of the text; null for a name that macros replace. */
  #inKernel(name: string): string | null {
    return this.#original.get(name) ?? (this.#renamed.has(name) ? null : name);
  }

  #nameOf(id: TypeId): string {
    return this.#inText(nameOf(this.#t, id));
  }

  #inText(name: string): string {
    return this.#renamed.get(name) ?? name;
  }

  /** Returns the kernel's struct, union or enum `name`, or null. */
  tag(name: string): RecordType | EnumType | null {
    const id = namesIn(this.#t).records.get(this.#inKernel(name) ?? '');
    const made = id === undefined ? null : this.#type(id);
    return made?.kind === 'record' || made?.kind === 'enum' ? made : null;
  }

  typedef(name: string): Typedef | null {
    const id = namesIn(this.#t).typedefs.get(this.#inKernel(name) ?? '');
    const made = id === undefined ? null : this.#type(id);
    return made?.kind === 'typedef' ? made : null;
  }

  constant(name: string): Value | null {
    const enumerator = namesIn(this.#t).enumerators.get(this.#inKernel(name) ?? '');
    if (enumerator === undefined) return null;
    const { of, value } = enumerator;
    const isInt = value === BigInt.asIntN(32, value);
    return { type: isInt ? basicOf(['int']) : this.#type(of), value };
  }

  #type(id: TypeId): CType {
    const known = this.#made.get(id);
    if (known !== undefined || id === 0) return known ?? null;
    if (this.#inWork.has(id) || this.#inWork.size > MAX_DEPTH) return null;
    this.#inWork.add(id);
    const before = this.#anonymous;
    const made = this.#make(id);
    this.#inWork.delete(id);
    // Convert an unnamed struct or union anew for each use, although BTF has one record: C text
    // repeats the declaration.
    const kind = kindOf(this.#t, id);
    if (isComposite(kind) && nameOf(this.#t, id) === '') this.#anonymous += 1;
    const isOnce = this.#anonymous === before || kind === BtfKind.TYPEDEF;
    if (isOnce || this.#anonymous > MAX_ANONYMOUS) this.#made.set(id, made);
    return made;
  }

  #make(id: TypeId): CType {
    const t = this.#t;
    const types = this.#types;
    const of = () => this.#type(typeId(sizeOrTypeOf(t, id)));
    const kind = kindOf(t, id);
    switch (kind) {
      case BtfKind.INT:
      case BtfKind.FLOAT:
        return this.#basic(id, kind === BtfKind.FLOAT);
      case BtfKind.PTR:
        return this.#pointer(typeId(sizeOrTypeOf(t, id)));
      case BtfKind.ARRAY: {
        const { elemType, nelems } = arrayData(t, id);
        return types.array(this.#type(elemType), nelems);
      }
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        return this.#record(id, kind === BtfKind.STRUCT ? 'struct' : 'union');
      case BtfKind.FWD:
        return (
          this.tag(this.#nameOf(id)) ??
          newRecord(this.#nameOf(id), kindFlagOf(t, id) ? 'union' : 'struct')
        );
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return this.#enum(id);
      case BtfKind.TYPEDEF:
        return { kind: 'typedef', name: this.#nameOf(id), of: of(), aligned: 0, declTags: [] };
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
        return this.#qualified(id);
      case BtfKind.TYPE_TAG:
        return of();
      case BtfKind.FUNC_PROTO: {
        const params = paramsOf(t, id);
        const isVariadic = params.at(-1)?.type === 0;
        const named = isVariadic ? params.slice(0, -1) : params;
        return types.func(
          of(),
          named.map(({ type }) => this.#type(type)),
          isVariadic,
        );
      }
      default:
        return null;
    }
  }

  /** Returns the type of a qualifier record, with all qualifiers in clang's order. */
  #qualified(id: TypeId): CType {
    const qualifiers = new Set<Qualified['by']>();
    let at = id;
    for (let steps = 0; steps < MAX_DEPTH; steps++) {
      const by = QUALIFIERS.get(kindOf(this.#t, at));
      if (by === undefined) break;
      qualifiers.add(by);
      at = typeId(sizeOrTypeOf(this.#t, at));
    }
    return this.#types.withQualifiers(this.#type(at), qualifiers);
  }

  /** Returns a pointer type with the pointee's TYPE_TAGs, which BTF has in reverse order. */
  #pointer(to: TypeId): CType {
    const tags: string[] = [];
    let at = to;
    for (; kindOf(this.#t, at) === BtfKind.TYPE_TAG && tags.length < MAX_DEPTH; ) {
      if (!kindFlagOf(this.#t, at)) tags.unshift(nameOf(this.#t, at));
      at = typeId(sizeOrTypeOf(this.#t, at));
    }
    return this.#types.pointer(this.#type(at), tags);
  }

  #basic(id: TypeId, isFloat: boolean): Basic {
    const name = nameOf(this.#t, id);
    const known = basicOf(name.split(' '));
    if (known !== null) return known;
    return {
      kind: 'basic',
      name,
      size: sizeOrTypeOf(this.#t, id),
      encoding: isFloat ? 'float' : 'unsigned',
    };
  }

  #enum(id: TypeId): EnumType {
    const values = enumeratorsOf(this.#t, id).map((each) => ({
      ...each,
      name: this.#inText(each.name),
    }));
    const size = sizeOrTypeOf(this.#t, id);
    return {
      kind: 'enum',
      name: this.#nameOf(id),
      values: values.length === 0 ? null : values,
      // bpftool writes `mode(byte)` for this size, which makes an enum signed. Other enums fit
      // their values.
      fixed: size === 1 ? { signed: true, size } : null,
      aligned: 0,
    };
  }

  /** Returns a record that reads its members on demand: most records are only pointed at. */
  #record(id: TypeId, what: RecordType['what']): RecordType {
    const t = this.#t;
    const read = (): readonly Member[] =>
      membersOf(t, id).map(({ name, type, bitOffset, bitfieldSize }) => ({
        name: this.#inText(name),
        type: this.#type(type),
        bits: bitfieldSize > 0 ? bitfieldSize : null,
        packed: false,
        aligned: 0,
        declTags: [],
        bitOffset,
      }));
    let members: readonly Member[] | undefined;
    return {
      ...newRecord(this.#nameOf(id), what),
      btfSize: sizeOrTypeOf(t, id),
      get members() {
        members ??= read();
        return members;
      },
    };
  }
}

const QUALIFIERS: ReadonlyMap<number, Qualified['by']> = new Map([
  [BtfKind.CONST, 'const'],
  [BtfKind.VOLATILE, 'volatile'],
  [BtfKind.RESTRICT, 'restrict'],
]);
