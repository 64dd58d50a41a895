/**
 * Builds BTF type records for tests.
 *
 * Spec: Documentation/bpf/btf.rst, "BTF_KIND_*". Each function returns one record, and `btfBlob`
 * numbers the records from 1. A name is a text for the string section, or a number that becomes
 * `name_off` unchanged. The functions check nothing, because many tests need wrong records.
 */
import { i32, type Part, u32 } from './assemble.ts';

/** Text for the string section, or a string offset that is written unchanged. */
export type Name = string | number;

/** Adds a name to the string section and returns its offset. */
export type Intern = (name: Name) => number;

export type TypeRecord = {
  readonly name: Name;
  readonly kind: number;
  readonly kindFlag: boolean;
  readonly vlen: number;
  /** Third word of the record: a size in bytes or a type id, depending on the kind. */
  readonly sizeOrType: number;
  /** Returns the parts of the record after its first 12 bytes. */
  readonly tail: (intern: Intern) => readonly Part[];
};

const KIND = {
  int: 1,
  ptr: 2,
  array: 3,
  struct: 4,
  union: 5,
  enum: 6,
  fwd: 7,
  typedef: 8,
  volatile: 9,
  const: 10,
  restrict: 11,
  func: 12,
  funcProto: 13,
  var: 14,
  datasec: 15,
  float: 16,
  declTag: 17,
  typeTag: 18,
  enum64: 19,
  locParam: 20,
  locProto: 21,
  locsec: 22,
} as const;

/** Returns a record from its fields; missing fields are 0, empty or false. */
export function record(kind: number, fields: Partial<Omit<TypeRecord, 'kind'>> = {}): TypeRecord {
  return {
    name: '',
    kindFlag: false,
    vlen: 0,
    sizeOrType: 0,
    tail: () => [],
    ...fields,
    kind,
  };
}

/**
 * Returns an INT of `size` bytes. `encoding`: 1 signed, 2 char, 4 bool. `bits` is 8 * size by
 * default.
 */
export function int(
  name: Name,
  size: number,
  { encoding = 0, bits = size * 8, bitOffset = 0 } = {},
): TypeRecord {
  const intData = encoding * 0x1000000 + bitOffset * 0x10000 + bits;
  return record(KIND.int, { name, sizeOrType: size, tail: () => [u32(intData)] });
}

/** Returns a FLOAT of `size` bytes. */
export function float(name: Name, size: number): TypeRecord {
  return record(KIND.float, { name, sizeOrType: size });
}

/** Returns a PTR, CONST, VOLATILE or RESTRICT that refers to `type`. */
export function modifier(
  kind: 'ptr' | 'const' | 'volatile' | 'restrict',
  type: number,
): TypeRecord {
  return record(KIND[kind], { sizeOrType: type });
}

export function ptr(type: number): TypeRecord {
  return modifier('ptr', type);
}

export function typedef(name: Name, type: number): TypeRecord {
  return record(KIND.typedef, { name, sizeOrType: type });
}

export function typeTag(name: Name, type: number): TypeRecord {
  return record(KIND.typeTag, { name, sizeOrType: type });
}

/**
 * Returns a DECL_TAG. It tags the type for `componentIdx` -1, else the member or argument of that
 * index.
 */
export function declTag(name: Name, type: number, componentIdx = -1): TypeRecord {
  return record(KIND.declTag, { name, sizeOrType: type, tail: () => [i32(componentIdx)] });
}

export function fwd(name: Name, of: 'struct' | 'union' = 'struct'): TypeRecord {
  return record(KIND.fwd, { name, kindFlag: of === 'union' });
}

export function array(type: number, indexType: number, nelems: number): TypeRecord {
  return record(KIND.array, { tail: () => [u32(type), u32(indexType), u32(nelems)] });
}

/** Member of a struct or union. With `bitfieldSize` (in bits) the record sets kind_flag. */
export type Member = {
  readonly name: Name;
  readonly type: number;
  readonly bitOffset: number;
  readonly bitfieldSize?: number;
};

/** Returns a STRUCT of `size` bytes. */
export function struct(name: Name, size: number, members: readonly Member[]): TypeRecord {
  return composite(KIND.struct, name, size, members);
}

/** Returns a UNION of `size` bytes. */
export function union(name: Name, size: number, members: readonly Member[]): TypeRecord {
  return composite(KIND.union, name, size, members);
}

export type Enumerator = readonly [name: Name, value: number];

/** Returns an ENUM of `size` bytes with 32-bit values; `signed` sets kind_flag. */
export function enumeration(
  name: Name,
  values: readonly Enumerator[],
  { signed = false, size = 4 } = {},
): TypeRecord {
  return record(KIND.enum, {
    name,
    kindFlag: signed,
    vlen: values.length,
    sizeOrType: size,
    tail: (intern) => values.flatMap(([n, value]) => [u32(intern(n)), u32(value >>> 0)]),
  });
}

/** Returns an ENUM64, whose values are stored as val_lo32 and val_hi32; `signed` sets kind_flag. */
export function enum64(
  name: Name,
  values: readonly (readonly [name: Name, value: bigint])[],
  { signed = false, size = 8 } = {},
): TypeRecord {
  return record(KIND.enum64, {
    name,
    kindFlag: signed,
    vlen: values.length,
    sizeOrType: size,
    tail: (intern) =>
      values.flatMap(([n, value]) => [
        u32(intern(n)),
        u32(Number(BigInt.asUintN(32, value))),
        u32(Number(BigInt.asUintN(32, value >> 32n))),
      ]),
  });
}

/** Returns a FUNC. Its linkage is in the vlen field: 0 static, 1 global, 2 extern. */
export function func(name: Name, proto: number, linkage = 1): TypeRecord {
  return record(KIND.func, { name, vlen: linkage, sizeOrType: proto });
}

/** Returns a FUNC_PROTO. Arguments are [name, type]; ['', 0] at the end means `...`. */
export function funcProto(
  returnType: number,
  params: readonly (readonly [name: Name, type: number])[] = [],
): TypeRecord {
  return record(KIND.funcProto, {
    vlen: params.length,
    sizeOrType: returnType,
    tail: (intern) => params.flatMap(([n, type]) => [u32(intern(n)), u32(type)]),
  });
}

/** Returns a VAR. Linkage: 0 static, 1 global, 2 extern. */
export function variable(name: Name, type: number, linkage = 1): TypeRecord {
  return record(KIND.var, { name, sizeOrType: type, tail: () => [u32(linkage)] });
}

/** Returns a DATASEC of `size` bytes. Items are [type, byte offset, byte size]. */
export function datasec(
  name: Name,
  size: number,
  items: readonly (readonly [type: number, offset: number, size: number])[],
): TypeRecord {
  return record(KIND.datasec, {
    name,
    vlen: items.length,
    sizeOrType: size,
    tail: () =>
      items.flatMap(([type, offset, itemSize]) => [u32(type), u32(offset), u32(itemSize)]),
  });
}

function composite(kind: number, name: Name, size: number, members: readonly Member[]): TypeRecord {
  const kindFlag = members.some((m) => m.bitfieldSize !== undefined);
  return record(kind, {
    name,
    kindFlag,
    vlen: members.length,
    sizeOrType: size,
    tail: (intern) =>
      members.flatMap((m) => [
        u32(intern(m.name)),
        u32(m.type),
        u32((m.bitfieldSize ?? 0) * 0x1000000 + m.bitOffset),
      ]),
  });
}

type RecordFields = Partial<Omit<TypeRecord, 'kind'>>;

/**
 * Returns a LOC_PARAM of `size` bytes; `values` are registers, then words of a constant or offset.
 */
export function locParam(
  flags: number,
  values: readonly number[],
  size = 4,
  fields: RecordFields = {},
): TypeRecord {
  const tail = () => [u32(flags), ...values.map((value) => u32(value))];
  return record(KIND.locParam, { vlen: values.length, sizeOrType: size, tail, ...fields });
}

/** Returns a LOC_PROTO; each of `params` is the type id of a LOC_PARAM, or 0. */
export function locProto(params: readonly number[], fields: RecordFields = {}): TypeRecord {
  const tail = () => params.map((param) => u32(param));
  return record(KIND.locProto, { vlen: params.length, tail, ...fields });
}

/** Returns a LOCSEC; sites are [FUNC, LOC_PROTO, byte offset]. */
export function locsec(
  name: Name,
  sites: readonly (readonly [func: number, locProto: number, offset: number])[],
  fields: RecordFields = {},
): TypeRecord {
  const tail = () => sites.flat().map((value) => u32(value));
  return record(KIND.locsec, { name, vlen: sites.length, tail, ...fields });
}
